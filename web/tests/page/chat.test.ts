// A run as a conversation: its plan with ticks, questions answered inline, and the answer with its evidence.

import { badge, barriers, expect, start, startTask, test } from "./stand";
import { Gate } from "./stand/gate";

/** Long enough for a plan. */
const TASK =
  "Look at the form of this page and find out by asking me which name belongs into it, then write exactly this name into the field and tell me";

test("a conversation shows the plan, the question with its answer, and the answer with its evidence", async ({
  app,
  stand,
}) => {
  const gate = new Gate();
  stand.model.says(
    { why: "#1: the name is not known", do: 'ask "Which name shall I write?"', confidence: 0.9 },
    { why: "#2: now it is", do: 'fill e1 "Ada"', confidence: 0.9, gates: [["fill", gate]] },
    { why: "it stands there", do: 'done "Ada is written."', confidence: 0.95 },
  );
  await startTask(app, TASK, `${stand.site.url}/form`);
  await app.getByRole("link", { name: "Chat" }).click();
  const chat = app.getByRole("article");
  await expect(chat.locator(".request")).toContainText("Look at the form");
  const states = () => chat.locator(".plan-item").evaluateAll((items) => items.map((item) => item.dataset.state));
  const form = chat.getByRole("form", { name: "The run asks" });
  await expect(form).toBeVisible();
  await expect.poll(states).toEqual(["in_progress", "open"]);
  expect(await barriers(app)).toEqual([]);
  // The question stands in the conversation only.
  await expect(app.getByRole("form", { name: "The run asks" })).toHaveCount(1);
  await form.getByRole("textbox").fill("Ada");
  await form.getByRole("button", { name: "Answer" }).click();
  await expect(chat.locator(".exchange")).toContainText("Which name shall I write?");
  await expect(chat.locator(".exchange .reply")).toContainText("Ada");
  gate.open();
  await expect(badge(app).first()).toContainText("Success");
  await expect.poll(states).toEqual(["done", "done"]);
  await expect(chat.getByRole("region", { name: "Answer" })).toContainText("Ada is written.");
  await chat.getByText("Evidence", { exact: true }).click();
  await expect(chat.locator("details.evidence li").first()).toBeVisible();
  expect(await barriers(app)).toEqual([]);
  // The overview shows the same plan.
  await app.getByRole("link", { name: "Overview" }).click();
  await expect(app.locator(".plan .plan-item.done")).toHaveCount(2);
});

test("a conversation shows what the run did not get over, once", async ({ app, stand }) => {
  await start(app, 'Click "Order form"\nCheck that "Nothing" is shown', stand.site.url);
  await expect(badge(app)).toContainText("Rejected");
  await app.getByRole("link", { name: "Chat" }).click();
  const chat = app.getByRole("article");
  await expect(chat.locator(".item")).toHaveCount(2);
  await expect(chat.locator(".trouble")).toHaveCount(1);
  await expect(chat.locator(".trouble")).toContainText("“Nothing” is not on the page");
});
