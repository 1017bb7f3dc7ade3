import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { advice, namesCommand, plain } from "../../src/ui/advice";

const root = fileURLToPath(new URL("../../../", import.meta.url));

test("hints name what the page offers instead of flags", () => {
  expect(plain("give it with --var customer=…, name it under `inputs`, or save it in an earlier step")).toBe(
    "give it a value in the form below, name it under `inputs`, or save it in an earlier step",
  );
  expect(plain('there is no secret "pin" (there is pw, user); give it with `--secret pin`')).toBe(
    'there is no secret "pin" (there is pw, user); store its value under “Settings”, “Secrets”',
  );
  expect(plain("Begin with `Open https://…`, set `url:` in the workflow, or give `--url`.")).toBe(
    "Begin with `Open https://…`, set `url:` in the workflow, or enter a start URL.",
  );
  expect(plain("Nothing to do - with flags")).toBe("Nothing to do - with flags");
  expect(advice({ code: "EX006", suggestedAction: "`legwork resume RUN` continues with a new browser." })).toBe(
    "“Resume” continues with a new browser.",
  );
  expect(advice({ code: "ZZ999", suggestedAction: "Run `legwork doctor`." })).toBeUndefined();
});

test("no suggestion of an error names a command or a flag", () => {
  const rows = readFileSync(join(root, "docs/errors.md"), "utf8")
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()))
    .filter((cells) => /^`?[A-Z]{2}\d{3}`?$/.test(cells[1] ?? ""));
  expect(rows.length).toBeGreaterThan(50);
  for (const cells of rows) {
    const said = advice({ code: cells[1]!.replaceAll("`", ""), suggestedAction: cells.at(-2) });
    expect(namesCommand(said ?? ""), `${cells[1]}: ${said}`).toBe(false);
  }
});

/** The texts in the sources of a crate. */
function texts(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".rs") && !/tests?\.rs$/.test(entry.name))
    .flatMap((entry) => {
      const source = readFileSync(join(entry.parentPath, entry.name), "utf8").replace(/^\s*\/\/.*$/gm, "");
      return [...source.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map((match) => match[1]!.replace(/\\\s+/g, ""));
    });
}

test("no text of the crates that write records names a command or a flag after it was made plain", () => {
  const all = ["agent", "runtime", "protocol", "steps"].flatMap((crate) => texts(join(root, "crates", crate, "src")));
  const naming = all.filter((text) => namesCommand(text) && /\s/.test(text));
  expect(naming.length).toBeGreaterThan(20);
  for (const text of naming) expect(namesCommand(plain(text)), `${text} → ${plain(text)}`).toBe(false);
});
