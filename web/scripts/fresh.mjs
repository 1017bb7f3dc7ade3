// Whether the committed dist/ is what the sources make: builds beside it and compares every file.
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const web = fileURLToPath(new URL("..", import.meta.url));
const fresh = await mkdtemp(join(tmpdir(), "legwork-web-"));
const files = async (folder) =>
  new Map(
    await Promise.all(
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .map(async (path) => [path.slice(folder.length), await readFile(path)]),
    ),
  );

try {
  await build({ root: web, logLevel: "warn", build: { outDir: fresh, emptyOutDir: true } });
  const [made, kept] = [await files(fresh), await files(join(web, "dist")).catch(() => new Map())];
  const stale = [...new Set([...made.keys(), ...kept.keys()])].filter(
    (name) => !kept.get(name)?.equals(made.get(name) ?? Buffer.of()),
  );
  const total = (ending) =>
    [...made].filter(([name]) => name.endsWith(ending)).reduce((sum, [, bytes]) => sum + gzipSync(bytes).length, 0);
  const [script, style] = [total(".js"), total(".css")];
  console.log(`dist: ${(script / 1e3).toFixed(1)} kB of script, ${(style / 1e3).toFixed(1)} kB of style, compressed`);
  if (script > 60_000 || style > 12_000)
    throw new Error("the page grew beyond 60 kB of script or 12 kB of style, compressed");
  if (stale.length) throw new Error(`web/dist is stale (${stale.join(", ")}): run \`npm run build\``);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await rm(fresh, { recursive: true, force: true });
}
