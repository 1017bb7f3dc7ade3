// The trace viewer, by mouse and by keyboard; and hostile words from pages and models.

import { badge, expect, start, startTask, test } from "./stand";
import { HOSTILE } from "./stand/site";

test("a trace is scrubbed with mouse and keys, and shows what the model saw", async ({ app, stand }) => {
  stand.model.says(
    { why: "the form is what is wanted", do: 'click link "Order form"', confidence: 0.9 },
    { why: "the name goes first", do: 'fill role=textbox[name="Name"] "Ada"', confidence: 0.9 },
    { why: "it stands there", do: 'done "Written."', confidence: 0.95 },
  );
  await start(app, "Write the name Ada into the order form please", `${stand.site.url}/`);
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("link", { name: "Trace" }).click();

  const slider = app.getByRole("slider", { name: "Moment of the run" });
  await slider.press("Home");
  await expect(slider).toHaveAttribute("aria-valuenow", "1");
  await slider.press("ArrowRight");
  await expect(slider).toHaveAttribute("aria-valuenow", "2");
  await slider.press("End");
  const last = await slider.getAttribute("aria-valuemax");
  await expect(slider).toHaveAttribute("aria-valuenow", last!);

  const box = (await slider.boundingBox())!;
  await app.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  await app.mouse.down();
  await app.mouse.move(box.x + 1, box.y + box.height / 2, { steps: 8 });
  await app.mouse.up();
  await expect(slider).toHaveAttribute("aria-valuenow", "1");

  const click = app.getByRole("option", { name: /click link "Order form"/ });
  await click.click();
  await expect(app.getByRole("button", { name: /Before/ })).toBeVisible();
  await expect(app.getByRole("button", { name: /After/ })).toBeVisible();
  await expect(app.locator(".shot img").first()).toHaveJSProperty("complete", true);
  expect(
    await app
      .locator(".shot img")
      .first()
      .evaluate((image: HTMLImageElement) => image.naturalWidth),
  ).toBeGreaterThan(100);
  await app.getByRole("tab", { name: "Prompt" }).click();
  await expect(app.getByRole("region", { name: "Legwork" })).toContainText("Write the name Ada");
  await app.getByRole("tab", { name: "Reply" }).click();
  await expect(app.getByRole("region", { name: "Reply" })).toContainText("the form is what is wanted");

  await app.getByRole("option", { name: /fill textbox "Name"/ }).click();
  await app.getByRole("tab", { name: "Page as read" }).click();
  await expect(app.getByRole("region", { name: "The page as the model read it" })).toContainText('textbox "Name"');
  await app.getByRole("checkbox", { name: /Only what differs/ }).check();
  await expect(app.locator(".diff .added").first()).toBeVisible();

  // Event is in the address: a reload leads back to it.
  await app.reload();
  await expect(app.getByRole("listbox", { name: "Moments" }).getByRole("option", { selected: true })).toContainText(
    'fill textbox "Name"',
  );
});

test("a run without a model: the target outlined, what the page asked for and said, the page and what changed", async ({
  app,
  stand,
}) => {
  const dialogs: string[] = [];
  app.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await start(
    app,
    [
      `Open ${stand.site.url}/busy`,
      'Click "Ask"',
      'Wait for "Asked."',
      'Click "Below"',
      'Check that "Down." is shown',
    ].join("\n"),
  );
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("link", { name: "Trace" }).click();

  // Where it is on the picture is where it was on the page, whatever the picture's size.
  await app.getByRole("option", { name: /click button "Ask"/ }).click();
  const outline = app.locator(".shot .outline rect");
  await expect(outline).toHaveCount(1);
  const picture = (await app.locator(".shot img").first().boundingBox())!;
  const drawn = (await outline.boundingBox())!;
  const view = await app.locator(".shot .outline").evaluate((svg) => (svg as SVGSVGElement).viewBox.baseVal.width);
  const scale = picture.width / view;
  expect(drawn.x - picture.x).toBeGreaterThan((320 - 10) * scale);
  expect(drawn.x - picture.x).toBeLessThan(320 * scale);
  expect(drawn.y - picture.y).toBeGreaterThan((240 - 10) * scale);
  expect(drawn.y - picture.y).toBeLessThan(240 * scale);

  await app.getByRole("tab", { name: /Network/ }).click();
  await expect(app.getByRole("region", { name: "Requests" }).getByRole("row").nth(1)).toContainText(
    /404\s*GET .*\/nothing/,
  );
  await app.getByRole("tab", { name: /Console/ }).click();
  await expect(app.locator(".console .of-warning .said")).toHaveText(HOSTILE);
  expect(dialogs).toEqual([]);
  await app.getByRole("tab", { name: "Page as read" }).click();
  await expect(app.getByRole("region", { name: "The page as it was decided on" })).toContainText('button "Ask"');

  await app.getByRole("option", { name: /click button "Below"/ }).click();
  await expect(app.locator(".shot figcaption").first()).toContainText("outside of the picture");
  await app.getByRole("tab", { name: "Page as read" }).click();
  await app.getByRole("checkbox", { name: /Only what differs/ }).check();
  await expect(app.locator(".diff .added").filter({ hasText: "Asked." })).toBeVisible();
});

test("hostile pages and hostile replies are words and nothing else", async ({ app, stand }) => {
  const dialogs: string[] = [];
  app.on("dialog", (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  stand.model.says(
    { why: `${HOSTILE} **bold** [click](javascript:alert(1))`, do: 'click link "Order form"', confidence: 0.9 },
    {
      why: "done",
      do: `done "${HOSTILE.replace(/"/g, "'")}\\n\\n\`\`\`\\n</pre><script>alert(1)</script>\\n\`\`\`"`,
      confidence: 0.95,
    },
  );
  await startTask(app, `Read ${HOSTILE} and tell me`, `${stand.site.url}/hostile`);
  await expect(badge(app)).toContainText("Success");
  await expect(app.locator(".answer")).toContainText("<img src=x");
  await expect(app.locator("main")).toContainText("javascript:alert(1)");
  await app.getByRole("link", { name: "Trace" }).click();
  for (const option of await app.getByRole("listbox", { name: "Moments" }).getByRole("option").all()) {
    await option.click();
    for (const tab of await app.getByRole("tab").all()) await tab.click();
  }
  expect(await app.locator("main img:not([src^='/api/'])").count()).toBe(0);
  expect(await app.locator("main script, main a[href^='javascript']").count()).toBe(0);
  expect(await app.evaluate(() => ["hacked" in window, document.title === "hacked"])).toEqual([false, false]);
  expect(dialogs).toEqual([]);
});

test("a secret question is answered unseen, and the answer is nowhere afterwards", async ({ app, stand }) => {
  stand.model.says(
    {
      decision: { action: "PROCEED", message: "A code is needed." },
      reasoning: {
        analysis: "The page wants a code.",
        rationale: "Only a person has it.",
        expectedOutcome: "It is there.",
      },
      confidence: 0.9,
      commands: [{ action: "ask", parameters: { question: "What is the one-time code?", secret: true } }],
    },
    { why: "enough", do: 'done "Asked."', confidence: 0.95 },
  );
  await start(app, "Ask me for the one-time code in secret", `${stand.site.url}/form`);
  const form = app.getByRole("form", { name: "The run asks" });
  await expect(form).toContainText("one-time code");
  const field = form.locator("input");
  await expect(field).toHaveAttribute("type", "password");
  await field.fill("hunter2-is-secret");
  await field.press("Enter");
  await expect(badge(app)).toContainText("Success");
  await expect(app.locator("body")).not.toContainText("hunter2");
  await app.getByRole("link", { name: "Trace" }).click();
  await expect(app.locator("body")).not.toContainText("hunter2");
});
