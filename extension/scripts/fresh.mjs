// Whether the committed dist/ is what the sources make: builds beside it and compares every file.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const extension = fileURLToPath(new URL("..", import.meta.url));
const fresh = await mkdtemp(join(tmpdir(), "legwork-extension-"));
const files = async (folder) =>
  new Map(
    await Promise.all(
      (await readdir(folder).catch(() => [])).map(async (name) => [name, await readFile(join(folder, name))]),
    ),
  );

try {
  await build({ root: extension, logLevel: "warn", build: { outDir: fresh, emptyOutDir: true } });
  const [made, kept] = [await files(fresh), await files(join(extension, "dist"))];
  const names = new Set([...made.keys(), ...kept.keys()]);
  const stale = [...names].filter((name) => !made.has(name) || !kept.get(name)?.equals(made.get(name)));
  if (stale.length) throw new Error(`extension/dist is stale (${stale.join(", ")}): run \`cargo xtask generate\``);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await rm(fresh, { recursive: true, force: true });
}
