// Questions of a run, which a person answers in the conversation: one of the model, one whose answer is a secret, and an
// approval that a rule demands. The plan shows meanwhile which items are done.

import { expect, test } from "@playwright/test";
import { ScriptedModel } from "../../../web/tests/page/stand/model";
import { newest, pictures, Stand, startSteps, startTask } from "./stand";

let stand: Stand;
let model: ScriptedModel;
test.beforeEach(async () => {
  [stand, model] = await Promise.all([Stand.open(), ScriptedModel.start()]);
});
test.afterEach(async () => {
  await stand.close();
  model.stop();
});

const withModel = () => ({
  LEGWORK_DECIDER: "auto",
  LEGWORK_MODEL_NAME: "openai/scripted",
  LEGWORK_MODEL_BASE_URL: model.url,
  LEGWORK_TIMEOUTS_REQUEST: "150s",
  OPENAI_API_KEY: "sk-a-key-that-nobody-may-see",
});

/** Long enough for a plan. */
const TASK =
  "Find out by asking me which item belongs into the list of orders on this page, then tell me exactly what I have answered, in one short sentence";

test("a question of the model is answered in the conversation, and the plan is ticked off", async () => {
  const { panel } = await stand.paired(withModel());
  model.says(
    { why: "#1: the item is not known", do: 'ask "Which item shall I order?"', confidence: 0.9 },
    { why: "#2: now it is", do: 'done "You answered: Tea."', confidence: 0.95 },
  );
  await startTask(panel, TASK);
  const task = newest(panel);
  const form = task.getByRole("form", { name: "The run asks" });
  await expect(form).toContainText("Which item shall I order?");
  await expect(task.locator(".plan-item")).toHaveText([/In progress: Look/, /Open: Act/]);
  await pictures(panel, "question");
  await form.getByRole("textbox").fill("Tea");
  await form.getByRole("button", { name: "Answer" }).click();
  await expect(task.locator(".exchange .reply")).toContainText("Tea");
  await expect(task).toHaveAttribute("data-state", "success");
  await expect(task.locator(".plan-item.done")).toHaveCount(2);
  await expect(task.getByRole("region", { name: "Answer" })).toContainText("You answered: Tea.");
  // A tab that is released is no lost connection.
  await expect(panel.getByLabel("Control")).toHaveCount(0);
  await expect(panel.getByText("The connection to Legwork was lost")).toHaveCount(0);
  await pictures(panel, "plan-done");
});

test("the answer to a secret question is masked, and neither the model nor the record has it", async () => {
  const { panel } = await stand.paired(withModel());
  model.says(
    { why: "the code is needed", do: 'ask "What is the code?" secret=true', confidence: 0.9 },
    { why: "it is stored", do: 'done "The code is stored."', confidence: 0.95 },
  );
  await startTask(panel, "Ask me for the code");
  const task = newest(panel);
  const form = task.getByRole("form", { name: "The run asks" });
  await expect(form).toContainText("Stored in the vault; never shown to a model");
  await expect(form.locator("input")).toHaveAttribute("type", "password");
  await pictures(panel, "secret-question");
  await form.locator("input").fill("tulip-9432");
  await form.getByRole("button", { name: "Answer" }).click();
  await expect(task).toHaveAttribute("data-state", "success");
  await expect(task.locator(".exchange .reply")).toContainText("••••••");
  expect(await panel.content()).not.toContain("tulip-9432");
  expect(model.requests.join("\n")).not.toContain("tulip-9432");
  const run = await task.getAttribute("data-run");
  expect(stand.run("show", run!, "--events")).not.toContain("tulip-9432");
});

test("an approval that a rule demands is given in the conversation", async () => {
  stand.writePolicy('[[rule]]\naction = "click"\ndecision = "ask"\nreason = "a person looks first"\n');
  const { panel, page } = await stand.paired();
  await startSteps(panel, 'Type "Tea" into "Item"', 'Click "Add"');
  const box = newest(panel).getByRole("region", { name: "The run asks" });
  await expect(box.getByRole("button")).toHaveText(["Yes", "No"]);
  await expect(page.getByRole("listitem")).toHaveCount(0);
  await pictures(panel, "approval");
  await box.getByRole("button", { name: "Yes" }).click();
  await expect(newest(panel)).toHaveAttribute("data-state", "success");
  await expect(page.getByRole("listitem")).toHaveText("Tea");
});
