// The exported page in a browser: its policy permits its own style and nothing else.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { badge, expect, start, test } from "./stand";

test("the exported page is styled under a policy without unsafe-inline", async ({ app, stand }, info) => {
  await start(app, 'Click "Order form"\nCheck that "Nothing" is shown', stand.site.url);
  await expect(badge(app)).toContainText("Rejected");
  await app.locator("summary", { hasText: "Export" }).click();
  const [download] = await Promise.all([
    app.waitForEvent("download"),
    app.getByRole("button", { name: /HTML|page/i }).click(),
  ]);
  const file = info.outputPath("run.html");
  await download.saveAs(file);
  expect(readFileSync(file, "utf8")).not.toContain("unsafe-inline");
  await app.goto(pathToFileURL(file).href);
  const bar = app.locator("#bar-1");
  await expect(bar).toHaveCSS("position", "absolute");
  expect(await bar.evaluate((one) => one.getBoundingClientRect().width)).toBeGreaterThan(1);

  // A style that gets into the page is not applied. The browser reports that on the console, which the test expects.
  const hostile = info.outputPath("hostile.html");
  writeFileSync(hostile, readFileSync(file, "utf8").replace("<h1>", '<h1 style="position: fixed">'));
  await app.goto(pathToFileURL(hostile).href);
  await expect(app.locator("h1")).toHaveCSS("position", "static");
});

test.use({ expected: [/inline style/] });
