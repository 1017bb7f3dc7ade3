// What holds in the user's own browser of the rules for secrets and addresses, without the proxy.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { Stand } from "./stand";

let stand: Stand;
test.beforeEach(async () => {
  stand = await Stand.open();
});
test.afterEach(() => stand.close());

const VALUE = "correct-horse-81";

/** The option for a secret that is bound to the site. */
function secret(): string[] {
  const file = join(stand.data, "pin.txt");
  writeFileSync(file, VALUE, { mode: 0o600 });
  return ["--secret", `pin=${file}@${stand.siteUrl}`];
}

const voucher = (page: Page) => page.frameLocator("iframe").getByLabel("Voucher");

test("a secret is typed into the site that it is bound to, and is nowhere in the record", async () => {
  const { code, output, page } = await stand.runInTab(
    secret(),
    "/login",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the handle of a secret
    'Type "${secret:pin}" into "Password"',
    'Check that "Log in" is shown',
  );
  expect(code, output).toBe(0);
  await expect(page.getByLabel("Password")).toHaveValue(VALUE);
  expect(output).not.toContain(VALUE);
  const [run] = JSON.parse(stand.run("runs", "--json")) as { run: string }[];
  expect(stand.run("show", run!.run, "--events")).not.toContain(VALUE);
});

test("a secret is not typed into a frame of another site", async () => {
  const { code, output, page } = await stand.runInTab(
    secret(),
    "/login",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the handle of a secret
    'Type "${secret:pin}" into "Voucher"',
  );
  expect(code, output).not.toBe(0);
  expect(output).toContain("http://localhost");
  await expect(voucher(page)).toHaveValue("");
  expect(stand.requests.filter((url) => url.startsWith("/stolen"))).toEqual([]);
});

test("a frame of another site that takes the focus does not get the secret", async () => {
  const { page } = await stand.runInTab(
    secret(),
    "/theft",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the handle of a secret
    'Type "${secret:pin}" into "Password"',
  );
  await expect(voucher(page)).toHaveValue("");
  expect(stand.requests.filter((url) => url.startsWith("/stolen"))).toEqual([]);
});

test("requests of the page and navigations to other sites are refused, and the missing proxy is stated", async () => {
  const steps = ['Click "Fetch"', 'Wait for "The answer has come"'];
  const free = await stand.runInTab([], "/login", ...steps);
  expect(free.code, free.output).toBe(0);
  expect(stand.requests).toContain("/leaked");
  await free.page.close();

  stand.requests.length = 0;
  const rules = ["--allowed-domains", "127.0.0.1"];
  const elsewhere = `Open ${stand.siteUrl.replace("127.0.0.1", "localhost")}/second`;
  const bound = await stand.runInTab(rules, "/login", ...steps, elsewhere);
  expect(bound.code, bound.output).not.toBe(0);
  expect(stand.requests.filter((url) => url === "/leaked" || url === "/second")).toEqual([]);
  expect(bound.output).toContain("no proxy");
});
