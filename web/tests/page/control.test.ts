// A person operates the browser of a run: a code that only they know, a dialog, and a run that pauses for it.

import { badge, barriers, expect, start, test } from "./stand";
import { Gate } from "./stand/gate";

test("a person enters a code in the browser of a run that asks for it", async ({ app, stand }) => {
  stand.model.says(
    { why: "only the user knows it", do: 'ask "Enter the code and send it, then answer done"', confidence: 0.9 },
    { why: "it was entered", do: 'done "The code is accepted."', confidence: 0.95 },
  );
  const steps = `url: ${stand.site.url}/code
steps:
  - step: Ask me to enter the code
    expect: '"Code accepted" is shown'
  - Check that "Sent" is shown`;
  await start(app, steps);
  await expect(app.getByRole("form", { name: "The run asks" })).toContainText("Enter the code");
  await app.getByRole("button", { name: "Take control" }).click();
  const browser = app.getByRole("application", { name: /Your mouse and keys go to this page/ });
  await expect(browser).toBeFocused();
  const picture = browser.locator("img");
  await expect(picture).toBeVisible();
  expect(await barriers(app)).toEqual([]);

  const box = (await picture.boundingBox())!;
  await app.mouse.click(box.x + box.width / 2, box.y + box.height / 4);
  await app.keyboard.type("47");
  // From the page in the picture to the controls below it, and what cannot be typed into a picture.
  await app.keyboard.press("Shift+Escape");
  const text = app.getByRole("textbox", { name: "Text for the focused field of the page" });
  await expect(text).toBeFocused();
  await text.fill("11");
  await app.getByRole("button", { name: "Type", exact: true }).click();

  await app.mouse.click(box.x + box.width / 2, box.y + (box.height * 3) / 4);
  const asks = app.getByRole("alertdialog", { name: "The page asks" });
  await expect(asks).toContainText("Send it?");
  expect(await barriers(app)).toEqual([]);
  await asks.getByRole("button", { name: "OK" }).click();
  await expect(asks).toBeHidden();

  await app.getByRole("button", { name: "Return control", exact: true }).click();
  await expect(browser).toBeHidden();
  await app.getByRole("textbox", { name: /Enter the code/ }).fill("done");
  await app.getByRole("button", { name: "Answer" }).click();
  await expect(badge(app)).toContainText("Success");
  // It is on record that a person did it, but not what they typed.
  await app.getByRole("button", { name: /Ask me to enter the code/ }).click();
  await expect(app.getByText("A person operated the browser")).toBeVisible();
  await expect(app.locator("main")).not.toContainText("4711");
});

test("taking control pauses a run, and returning it resumes it", async ({ app, stand }) => {
  const gate = new Gate();
  stand.model.says(
    { why: "as asked", do: 'click "Send"', confidence: 0.9, gates: [["click", gate]] },
    { why: "it was sent", do: 'done "It was sent."', confidence: 0.95 },
  );
  await start(app, "Send whatever is there", `${stand.site.url}/code`);
  await app.getByRole("button", { name: "Take control" }).click();
  await expect(app.getByText("Pausing the run …")).toBeVisible();
  gate.open();
  await expect(badge(app)).toContainText("Paused");
  await expect(app.getByRole("application")).toBeVisible();
  await expect(app.getByText("What you type is not recorded")).toBeVisible();
  await app.getByRole("button", { name: "Return control and resume" }).click();
  await expect(app.getByRole("application")).toBeHidden();
  await expect(badge(app)).not.toContainText("Paused");
});
