// The unpacked extension in dist/: the panel and the service worker, under names that do not change. The tools and
// packages are those of web/, whose components the panel shows.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  root: at("."),
  base: "./",
  // The components of web/ and those of the panel must use one copy.
  resolve: { alias: { preact: at("../web/node_modules/preact") } },
  build: {
    target: "chrome125",
    outDir: at("dist"),
    emptyOutDir: true,
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    sourcemap: false,
    rollupOptions: {
      input: { panel: at("panel.html"), background: at("src/background.ts") },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "shared.js",
        assetFileNames: "[name][extname]",
      },
    },
  },
});
