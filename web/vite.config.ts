// One bundle of script, one of style, named by their content; nothing in it depends on when or where it was made.
import { defineConfig } from "vite";

const server = process.env.LEGWORK_SERVER ?? "http://127.0.0.1:4173";

export default defineConfig({
  build: {
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: true,
    sourcemap: false,
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
});
