// Makes src/api/generated.ts from schemas/openapi.json: every type of the API, events and the rows of a record among them, and the
// parameters and the data of each GET. With --check it only says whether the committed file is what the document makes.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = at("../src/api/generated.ts");
const PREFIX = "#/components/schemas/";

// Words beside a `$ref` would make a type of their own (Artifact1, Artifact2…); what else stands beside one is said as
// an intersection, which the compiler of types understands.
function plain(_key, value) {
  if (!value || typeof value !== "object" || !value.$ref) return value;
  const { $ref, description, ...more } = value;
  const ref = { $ref: $ref.replace(PREFIX, "#/definitions/") };
  return Object.keys(more).length ? { allOf: [ref, more] } : ref;
}
const text = await readFile(at("../../schemas/openapi.json"), "utf8");
const { paths } = JSON.parse(text);
const definitions = JSON.parse(text, plain).components.schemas;

/** The type of a parameter or of what a route answers with, in TypeScript. */
function typeOf(schema) {
  if (!schema || typeof schema !== "object") return "unknown";
  if (schema.$ref) return schema.$ref.replace(PREFIX, "");
  if (schema.type === "array") return `${typeOf(schema.items)}[]`;
  const types = [schema.type].flat().filter((type) => type !== "null");
  const names = { integer: "number", number: "number", string: "string", boolean: "boolean" };
  return types.length === 1 ? (names[types[0]] ?? "unknown") : "unknown";
}

const gets = Object.entries(paths).flatMap(([path, { get }]) => {
  const data = get?.responses["200"]?.content?.["application/json"]?.schema?.properties?.data;
  if (!data) return [];
  const query = get.parameters
    .filter((one) => one.in === "query")
    .map((one) => `${one.name}${one.required ? "" : "?"}: ${typeOf(one.schema)}`);
  return [`  ${JSON.stringify(path)}: { query: { ${query.join("; ")} }; data: ${typeOf(data)} };`];
});

const names = Object.keys(definitions);
const types = await compile(
  {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    required: names,
    definitions,
  },
  "Components",
  {
    additionalProperties: false,
    bannerComment: "// Generated from schemas/openapi.json by `cargo xtask generate` (`npm run types`); do not edit.",
    format: true,
    style: { printWidth: 120 },
  },
);
const made = `${types}\n/** What can be read, by its path: the parameters of the query, and the data of the answer. */\nexport interface Gets {\n${gets.join("\n")}\n}\n`;

if (!process.argv.includes("--check")) {
  await writeFile(target, made);
} else if ((await readFile(target, "utf8").catch(() => "")) !== made) {
  console.error("src/api/generated.ts is stale: run `cargo xtask generate`");
  process.exit(1);
}
