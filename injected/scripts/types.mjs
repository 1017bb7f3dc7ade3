// node scripts/types.mjs SCHEMA [--check]: generates src/generated.ts from the schema of the declarations in the
// browser crate, which `cargo xtask generate` writes. With --check, it only reports whether the committed file is up to
// date.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = at("../src/generated.ts");
// A description beside a `$ref` would create a separate type (Query1, Query2 …).
function plain(_, value) {
  if (!value || typeof value !== "object" || !value.$ref) return value;
  const { description: _description, ...rest } = value;
  return rest;
}
const [source, mode] = process.argv.slice(2);
const schema = JSON.parse(await readFile(source, "utf8"), plain);
const text = await compile(schema, "PageScript", {
  additionalProperties: false,
  bannerComment: "// Generated from crates/browser/src/page_script by `cargo xtask generate`; do not edit.",
  format: true,
  style: { printWidth: 120 },
});

if (mode !== "--check") {
  await writeFile(target, text);
} else if ((await readFile(target, "utf8")) !== text) {
  console.error("injected/src/generated.ts is stale: run `cargo xtask generate`");
  process.exitCode = 1;
}
