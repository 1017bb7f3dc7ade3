// Batches: a saved workflow that runs once for each row of a file or of a pasted table; and the drift of its playbook.

import { readFileSync } from "node:fs";
import { barriers, expect, test } from "./stand";

const text = (url: string) =>
  `inputs:\n  customer:\n  copies: 1\nsteps:\n  - Open ${url}/form\n  - Type "\${customer} \${copies}" into "Name"\n`;

test("a workflow runs for each row of a pasted table, and the results are downloaded", async ({ app, stand }) => {
  const id = await stand.server.saveWorkflow({ name: "Letters", text: text(stand.site.url) });
  await app.goto(`/workflows/${id}`);
  await app.getByRole("button", { name: "Choose rows" }).click();
  const form = app.getByRole("form", { name: "Run for each row" });
  // As a spreadsheet copies it.
  await form.getByRole("textbox", { name: "Or paste rows" }).fill("customer\tcopies\nAda\t2\nBob\t\nEve\t4\n");
  await form.getByRole("button", { name: "Read the rows" }).click();
  await expect(form.getByRole("region", { name: "The first rows" })).toContainText("Eve");
  expect(await barriers(app)).toEqual([]);
  await form.getByLabel("At the same time").fill("2");
  await form.getByRole("button", { name: "Start 3 runs" }).click();
  await app.waitForURL(/\/batches\/[0-9a-f-]+$/);

  await expect(app.getByRole("heading", { level: 1 })).toHaveText("Batch of Letters");
  await expect(app.locator(".standing")).toContainText("3 of 3 rows finished: 3 validated");
  const rows = app.getByRole("region", { name: "The rows of the batch" });
  await expect(rows.getByRole("row", { name: /1 .*Success.* 2 Ada/ })).toBeVisible();
  expect(await barriers(app)).toEqual([]);
  const [csv] = await Promise.all([
    app.waitForEvent("download"),
    app.getByRole("link", { name: "Results as CSV" }).click(),
  ]);
  const lines = readFileSync(await csv.path(), "utf8")
    .trim()
    .split("\n");
  expect(lines[0]).toBe("row,status,validation,run,error,copies,customer");
  // The empty cell has the default of the input.
  expect(lines[2]).toMatch(/^2,success,validated,[0-9a-f-]+,,1,Bob$/);

  await app.getByRole("combobox", { name: "State" }).selectOption("failure");
  await expect(app.getByText("No rows in this state.")).toBeVisible();
  await app.getByRole("combobox", { name: "State" }).selectOption("");
  await rows.getByRole("link", { name: "Run of row 3" }).click();
  await expect(app.getByRole("row", { name: /customer Eve/ }).first()).toBeVisible();

  // The workflow lists its batches.
  await app.goto(`/workflows/${id}`);
  await app.getByRole("region", { name: "Run for each row" }).getByRole("link", { name: "Letters" }).click();
  await expect(app.locator(".standing")).toContainText("3 of 3 rows");
});

test("a batch stops after a failure, and its failed rows are started again", async ({ app, stand }) => {
  const steps = `inputs:\n  button:\nsteps:\n  - Open ${stand.site.url}/form\n  - Click "\${button}"\n`;
  const id = await stand.server.saveWorkflow({ name: "Buttons", text: steps });
  await app.goto(`/workflows/${id}`);
  await app.getByRole("button", { name: "Choose rows" }).click();
  const form = app.getByRole("form", { name: "Run for each row" });
  const buffer = Buffer.from('{"button": "Nothing like it"}\n{"button": "Send"}\n');
  await form.getByLabel("File").setInputFiles({ name: "buttons.jsonl", mimeType: "application/x-ndjson", buffer });
  await form.getByLabel("Stop after failures").fill("1");
  await form.getByRole("button", { name: "Start 2 runs" }).click();
  await app.waitForURL(/\/batches\//);
  const standing = app.locator(".standing");
  await expect(standing).toContainText("1 of 2 rows finished: 1 failed");
  await app.getByRole("button", { name: "Resume" }).click();
  await expect(standing).toContainText("2 of 2 rows finished");
  const first = app.getByRole("link", { name: "Run of row 1" });
  const run = await first.getAttribute("href");
  await app.getByRole("button", { name: "Retry failed rows" }).click();
  await expect(first).not.toHaveAttribute("href", run!);
});

test.describe("what the server refuses", () => {
  test.use({ expected: [/status of 422/] });

  test("rows that cannot run are named before anything starts", async ({ app, stand }) => {
    const id = await stand.server.saveWorkflow({ name: "Letters", text: text(stand.site.url) });
    await app.goto(`/workflows/${id}`);
    await app.getByRole("button", { name: "Choose rows" }).click();
    const form = app.getByRole("form", { name: "Run for each row" });
    const rows = form.getByRole("textbox", { name: "Or paste rows" });
    await rows.fill("customer,copies\nAda\n");
    await form.getByRole("button", { name: "Read the rows" }).click();
    await expect(form.getByRole("alert")).toContainText("the row has 1 cells, and there are 2 columns");
    await rows.fill("customer,copees\nAda,2\n");
    await form.getByRole("button", { name: "Read the rows" }).click();
    // What does not fit is said at once, in the words of the terminal, and can be corrected in the form.
    const alert = form.getByRole("alert");
    await expect(alert).toContainText(
      'column "copees": the workflow has no input of this name; did you mean "copies"?',
    );
    const start = form.getByRole("button", { name: "Start 1 run" });
    await expect(start).toBeDisabled();
    expect(await barriers(app)).toEqual([]);
    await form.getByLabel("copees").selectOption({ label: "Use it as copies" });
    await expect(alert).toBeHidden();
    await expect(start).toBeEnabled();
    await rows.fill("copies,id\n2,7\n");
    await form.getByRole("button", { name: "Read the rows" }).click();
    await expect(alert).toContainText('column "customer": the workflow needs this input, and there is no such column');
    await form.getByRole("combobox", { name: "id", exact: true }).selectOption({ label: "Leave it out" });
    await expect(start).toBeDisabled();
    await form
      .getByRole("group", { name: "Inputs", exact: true })
      .getByRole("textbox", { name: /customer/ })
      .fill("Ada");
    await expect(alert).toBeHidden();
    await start.click();
    await app.waitForURL(/\/batches\//);
    await expect(app.locator(".standing")).toContainText("1 of 1 rows finished: 1 validated");
  });
});

test("the page of a workflow shows how well its playbook agrees", async ({ app, stand }) => {
  const steps = `steps:\n  - Open ${stand.site.url}/form\n  - {step: Send what is there, expect: '"Thank you" is shown'}\n`;
  const id = await stand.server.saveWorkflow({ name: "Send it", text: steps });
  stand.model.says(
    { why: "the only button", do: 'click "Send"', confidence: 1 },
    { why: "the page thanks", do: 'done "sent"', confidence: 1 },
  );
  await app.goto(`/workflows/${id}`);
  for (const run of [1, 2]) {
    await app.getByRole("form", { name: "Run", exact: true }).getByRole("button", { name: "Run" }).click();
    await app.waitForURL(/\/runs\//);
    await expect(app.locator(".standing .badge"), `run ${run}`).toContainText("Success, validated");
    await app.goto(`/workflows/${id}`);
  }
  const card = app.getByRole("region", { name: "Playbook" });
  await expect(card.getByRole("img", { name: /^Lowest agreement in the last runs, .* 100 %\./ })).toBeVisible();
  const table = card.getByRole("region", { name: "The playbook in recent runs" });
  // The newest run repeated what the model had decided in the one before it.
  const cells = (row: number) => table.locator("tbody tr").nth(row).locator("td");
  await expect(cells(0)).toHaveText(["success", "1", "1", "1", "0", "0", "100 %"]);
  await expect(cells(1)).toHaveText(["success", "–", "0", "1", "1", "0", "–"]);
  await card.getByText("By step").click();
  await expect(card.getByRole("region", { name: "The playbook by step" })).toContainText("Send what is there");
  expect(await barriers(app)).toEqual([]);
});
