// Bundles the scripts for pages and workers into crates/browser/src, or into the given folder.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const out = process.argv[2] ?? fileURLToPath(new URL("../crates/browser/src/", import.meta.url));
const common = {
  bundle: true,
  format: "iife",
  target: "es2020",
  minifySyntax: true,
  legalComments: "none",
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  banner: { js: "// Generated from injected/src by `cargo xtask generate`; do not edit." },
};
await build({ ...common, entryPoints: ["src/index.ts"], outfile: `${out}/injected.js` });
await build({ ...common, entryPoints: ["src/task-tracker.ts"], outfile: `${out}/task-tracker.js` });
await build({ ...common, entryPoints: ["src/worker.ts"], outfile: `${out}/worker.js` });
