// Makes src/protocol/generated.ts from schemas/event.json, which holds every noun an event can carry.
// With --check it only says whether the committed file is what the schema makes.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = at("../src/protocol/generated.ts");
// Words beside a `$ref` would make a type of their own (Artifact1, Artifact2…); what else stands beside one is said as
// an intersection, which the compiler of types understands.
function plain(_key, value) {
  if (!value || typeof value !== "object" || !value.$ref) return value;
  const { $ref, description, ...more } = value;
  return Object.keys(more).length ? { allOf: [{ $ref }, more] } : { $ref };
}
const schema = JSON.parse(await readFile(at("../../schemas/event.json"), "utf8"), plain);
const text = await compile(schema, "Event", {
  additionalProperties: false,
  bannerComment: "// Generated from schemas/event.json by `npm run types`; do not edit.",
  format: true,
  style: { printWidth: 120 },
});

if (!process.argv.includes("--check")) {
  await writeFile(target, text);
} else if ((await readFile(target, "utf8")) !== text) {
  console.error("src/protocol/generated.ts is stale: run `npm run types`");
  process.exit(1);
}
