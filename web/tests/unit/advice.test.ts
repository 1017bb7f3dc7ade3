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
  expect(
    plain(
      'there is no secret "pin" (there is pw, user); give it with `--secret pin`, or list it under `secrets` in a request',
    ),
  ).toBe('there is no secret "pin" (there is pw, user); store its value under “Settings”, “Secrets”');
  expect(
    plain(
      "secret pw is not bound to a site, because the run has no start address; give the run a start address, or use `--secret pw@http://127.0.0.1:80`, or list `pw@http://127.0.0.1:80` under `secrets` in a request",
    ),
  ).toBe(
    "secret pw is not bound to a site, because the run has no start address; enter a start URL, or store the secret for its site under “Settings”, “Secrets”",
  );
  const refused =
    "If this is intended, allow it explicitly (`--allowed-domains`, `--allow-write`, a rule of the user's policy, a secret's origin).";
  expect(advice({ code: "EX008", suggestedAction: refused })).toContain("“Allowed sites” is among the options");
  expect(plain("Begin with `Open https://…`, set `url:` in the workflow, or give `--url`.")).toBe(
    "Begin with `Open https://…`, set `url:` in the workflow, or enter a start URL.",
  );
  expect(plain("Nothing to do - with flags")).toBe("Nothing to do - with flags");
  expect(advice({ code: "EX006", suggestedAction: "`legwork resume RUN` continues with a new browser." })).toBe(
    "“Resume” continues with a new browser.",
  );
  expect(advice({ code: "ZZ999", suggestedAction: "Run `legwork doctor`." })).toBeUndefined();
});

test("hints say nothing about routes, files of the documentation, or requests", () => {
  const suggestion = (suggestedAction: string, code = "FA001") => advice({ code, suggestedAction });
  expect(suggestion("GET /api/workflows lists them.")).toBeUndefined();
  expect(suggestion("`/api/openapi.json` lists all routes.")).toBeUndefined();
  expect(suggestion("Fix the request; the details name each field.")).toBeUndefined();
  expect(
    suggestion("POST the same body to /api/automation/validate to list every problem with its position.", "SP001"),
  ).toBe("Correct the lines that are marked.");
  expect(
    suggestion(
      "`--secret NAME` grants a secret to a run: its value comes from LEGWORK_SECRET_NAME, from `--secret NAME=FILE`, or from a prompt",
      "CF001",
    ),
  ).toBeUndefined();
  expect(plain("write the step in a supported form (docs/steps.md), or configure a model")).toBe(
    "write the step in a supported form, or configure a model",
  );
  expect(plain("a rule with the action (docs/policy.md) can allow it")).toBe("a rule with the action can allow it");
});

test("a field that the server names has its label of the page", () => {
  expect(plain('options: limits.max_cost: expected US dollars such as 0.50, found "-1"')).toBe(
    'Maximum cost: expected US dollars such as 0.50, found "-1"',
  );
  expect(plain("options.timeout: seconds, or a number with s, m or h")).toBe(
    "Time limit: seconds, or a number with s, m or h",
  );
  expect(plain("options: allowed_domains: not a domain")).toBe("Allowed sites: not a domain");
  expect(plain("line 1, column 1: nothing is here")).toBe("line 1: nothing is here");
  expect(plain("text: line 2, column 5: nothing is here")).toBe("line 2: nothing is here");
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

/** The sources of the page without their comments, and without what describes texts of others. */
function sources(): [file: string, text: string][] {
  const folder = join(root, "web/src");
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !["advice.ts", "generated.ts", "forms.ts"].includes(name))
    .map(({ name, parentPath }) => {
      const source = readFileSync(join(parentPath, name), "utf8");
      return [name, source.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, "")];
    });
}

test("no text of the page itself names a command, a flag, or a file of the documentation", () => {
  const named = /\blegwork [a-z]+|(?<![\w\-[(])--[a-z]{2,}[\w-]*|\bdocs\/[\w-]+\.md/g;
  const all = sources();
  expect(all.length).toBeGreaterThan(60);
  for (const [file, text] of all) expect(text.match(named) ?? [], file).toEqual([]);
});
