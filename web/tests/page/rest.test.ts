// What surrounds runs: files, memory, schedules, settings, the dashboard; and a server that is started anew.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { badge, barriers, expect, Server, start, test } from "./stand";

test("a run is exported, found on the dashboard, and deleted", async ({ app, stand }) => {
  const id = await start(app, `Open ${stand.site.url}/form`);
  await expect(badge(app)).toContainText("Success");
  await app.locator("summary", { hasText: "Export" }).click();
  const [download] = await Promise.all([
    app.waitForEvent("download"),
    app.getByRole("button", { name: "JSON" }).click(),
  ]);
  const exported = JSON.parse(readFileSync(await download.path(), "utf8")) as { events: { run: string }[] };
  expect(exported.events[0]!.run.replaceAll("-", "")).toBe(id.replaceAll("-", ""));

  await app.getByRole("link", { name: "Dashboard" }).click();
  await expect(app.getByRole("img", { name: /Runs by outcome: \d{4}-\d\d-\d\d [1-9]/ })).toBeVisible();
  await app.getByRole("button", { name: "Table of Runs by outcome" }).click();
  await expect(app.getByRole("table").first().getByRole("columnheader", { name: "Success, validated" })).toBeVisible();

  await app.goto(`/runs/${id}`);
  await app.getByRole("button", { name: "Delete" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(app).toHaveURL(/\/runs$/);
  await expect(app.locator(`a[href="/runs/${id}"]`)).toHaveCount(0);
});

test("a lesson is shown and forgotten", async ({ app, stand }) => {
  await start(app, 'Click "Order form"', stand.site.url);
  await expect(badge(app)).toContainText("Success");
  await app.getByRole("link", { name: "Memory" }).click();
  const lessons = app.getByRole("listitem").filter({ hasText: "Order form" });
  await expect(lessons.first()).toBeVisible();
  const before = await lessons.count();
  await lessons
    .first()
    .getByRole("button", { name: /^Forget/ })
    .click();
  await app.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await expect(lessons).toHaveCount(before - 1);
});

test.describe("what the server refuses is said where it was typed", () => {
  test.use({ expected: [/status of 4(00|22)/] });

  test("a schedule is made in words, refused with reasons, run, switched off and deleted", async ({ app, stand }) => {
    await app.getByRole("link", { name: "Schedules" }).click();
    await app.getByRole("button", { name: "New schedule" }).click();
    const form = app.getByRole("form", { name: "New schedule" });
    await expect(form.getByRole("textbox", { name: "Name", exact: true })).toBeFocused();
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Morning look");
    await form.getByRole("combobox", { name: "Workflow", exact: true }).selectOption({ label: "Steps written here" });
    await form.getByRole("textbox", { name: "Steps" }).fill(`Open ${stand.site.url}/form`);
    await form.getByLabel("Repeat").selectOption({ label: "Cron expression" });
    const cron = form.getByRole("textbox", { name: "Cron expression" });
    // What is wrong is said while it is typed: which field, and what is allowed.
    await cron.fill("0 25 * * *");
    await expect(form.getByText('The hour "25" is not valid: use 0–23')).toBeVisible();
    await expect(cron).toHaveAttribute("aria-invalid", "true");
    await cron.fill("0 0 30 2 *");
    await expect(form.getByText("The schedule would never run")).toBeVisible();
    expect(await barriers(app)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(form.getByRole("alert")).toContainText("Cron: the schedule would never run");
    // An error that was corrected does not stay.
    await cron.fill("15 6 1 * *");
    await expect(form.getByRole("alert")).toHaveCount(0);
    await expect(form.getByText("The schedule would never run")).toHaveCount(0);
    await expect(form.getByRole("list", { name: "Next runs" }).getByRole("listitem")).toHaveCount(5);
    await form.getByLabel("Repeat").selectOption({ label: "Days of the week" });
    await form.getByRole("checkbox", { name: "Friday" }).check();
    await form.getByLabel("Time", { exact: true }).fill("07:30");
    await form.getByLabel("Time zone").selectOption("Europe/Vienna");
    await expect(form.getByRole("status").filter({ hasText: "Europe" })).toContainText(
      "Mondays and Fridays at 7:30, Europe/Vienna 30 7 * * 1,5",
    );
    expect(await barriers(app)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    const made = app.getByRole("listitem").filter({ has: app.getByRole("heading", { name: "Morning look" }) });
    await expect(made).toContainText("Mondays and Fridays at 7:30, Europe/Vienna");
    await expect(made).toContainText("Next");
    await made.getByRole("button", { name: "Run now" }).click();
    await expect(made.getByRole("list", { name: /Last results/ }).locator(".badge")).toContainText("Success");
    expect(await barriers(app)).toEqual([]);
    await made.getByRole("checkbox").uncheck();
    await expect(made).toContainText("Disabled");
    await made.getByRole("button", { name: "Delete" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(made).toHaveCount(0);
  });

  test("a test message says for each address of a schedule whether it arrived", async ({ app }) => {
    const received: string[] = [];
    const chat = createServer((request, response) => {
      let body = "";
      request.on("data", (part: Buffer) => (body += part.toString()));
      request.on("end", () => {
        received.push(body);
        response.writeHead(request.url === "/works" ? 200 : 404).end();
      });
    });
    await new Promise<void>((listening) => chat.listen(0, "127.0.0.1", listening));
    try {
      const origin = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
      await app.goto("/schedules");
      await app.getByRole("button", { name: "New schedule" }).click();
      const form = app.getByRole("form", { name: "New schedule" });
      await form.getByRole("textbox", { name: "Name", exact: true }).fill("Night report");
      const alerts = form.getByRole("group", { name: "Alerts" });
      const send = alerts.getByRole("button", { name: "Send a test message" });
      await expect(send).toBeDisabled();
      const hook = alerts.getByRole("textbox", { name: /Slack-compatible hook/ });
      await hook.fill(`${origin}/works`);
      await alerts.getByRole("textbox", { name: /Webhook URL/ }).fill(`${origin}/broken`);
      await send.click();
      await expect(alerts.getByRole("status")).toContainText("Sent by the Slack-compatible hook");
      await expect(alerts.getByRole("status")).toContainText("Not sent by the webhook: the receiver answered 404");
      const texts = received.map((body) => (JSON.parse(body) as { text?: string }).text).filter(Boolean);
      expect(texts).toEqual([expect.stringContaining("Alerts of the schedule “Night report” arrive here.")]);
      expect(await barriers(app)).toEqual([]);
      // Without a mail server, an address is refused, and what is missing is said without words for a terminal.
      await alerts.getByRole("textbox", { name: /E-mail addresses/ }).fill("ops@example.org");
      await expect(alerts.getByRole("status")).toBeEmpty();
      await send.click();
      await expect(alerts.getByRole("status")).toContainText("no mail server is set up");
      await expect(alerts.getByRole("status")).not.toContainText(/--\w|legwork \w/);
    } finally {
      chat.close();
    }
  });

  test("a setting is searched, refused when wrong, and saved", async ({ app }) => {
    await app.getByRole("link", { name: "Settings" }).click();
    await app.getByRole("searchbox", { name: "Search settings" }).fill("timeouts.element");
    const field = app.getByRole("textbox", { name: /timeouts.element/ });
    await field.fill("a while");
    await field.press("Enter");
    await expect(app.getByRole("alert").filter({ hasText: /element|time|number/i })).toBeVisible();
    await field.fill("6");
    await app.getByRole("combobox", { name: "Unit of timeouts.element" }).selectOption("seconds");
    await field.press("Enter");
    // It is in use at once, also in a list that was loaded again.
    await expect(app.getByText("Saved. It is in use from now on.")).toBeVisible();
    await app.reload();
    await app.getByRole("searchbox", { name: "Search settings" }).fill("timeouts.element");
    await expect(field).toHaveValue("6");
    // A setting that is read when the server starts says so, before and after it was saved, in every browser.
    await app.getByRole("searchbox", { name: "Search settings" }).fill("server.max_queued_runs");
    await expect(app.getByText("a change needs a restart of the server")).toBeVisible();
    const queued = app.getByRole("spinbutton", { name: /server.max_queued_runs/ });
    await queued.fill("7");
    await queued.press("Enter");
    const note = app.getByText("Saved. Takes effect when the server restarts.");
    await expect(note).toBeVisible();
    await app.reload();
    await app.getByRole("searchbox", { name: "Search settings" }).fill("server.max_queued_runs");
    await expect(note).toBeVisible();
    await expect(queued).toHaveValue("7");
    expect(await barriers(app)).toEqual([]);
    // What was saved can be taken back.
    await app.getByRole("button", { name: "Remove server.max_queued_runs" }).click();
    await expect(queued).toHaveValue("100");
    await expect(note).toBeHidden();
    // What the environment of the server sets has precedence, and the page says so.
    await app.getByRole("searchbox", { name: "Search settings" }).fill("model.name");
    const model = app.getByRole("textbox", { name: /^model.name/ });
    await model.fill("openai/gpt-5");
    await model.press("Enter");
    await expect(app.getByText("Saved, but not in use: LEGWORK_MODEL_NAME has precedence.")).toBeVisible();
  });

  test("an edited schedule keeps the template that its text was made from", async ({ app, stand }) => {
    const schedule = await stand.server.saveSchedule({
      name: "Copied",
      cron: "0 8 * * *",
      workflow: `Open ${stand.site.url}/form`,
      basedOn: "search-products",
    });
    await app.goto("/schedules");
    await app.getByRole("button", { name: "Edit Copied" }).click();
    const form = app.getByRole("form", { name: "Edit Copied" });
    await form.getByRole("textbox", { name: "Name", exact: true }).fill("Renamed");
    await form.getByRole("textbox", { name: "Steps" }).fill(`Open ${stand.site.url}/`);
    await form.getByRole("button", { name: "Save" }).click();
    await expect(app.getByRole("heading", { name: "Renamed" })).toBeVisible();
    expect(await stand.server.schedule(schedule)).toMatchObject({ name: "Renamed", basedOn: "search-products" });
    // So does one that is only switched off.
    const item = app.getByRole("listitem").filter({ has: app.getByRole("heading", { name: "Renamed" }) });
    await item.getByRole("checkbox").uncheck();
    await expect(item).toContainText("Disabled");
    expect(await stand.server.schedule(schedule)).toMatchObject({ enabled: false, basedOn: "search-products" });
    await item.getByRole("button", { name: "Delete" }).click();
    await app.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(item).toHaveCount(0);
  });

  test("a setting has the field of its kind, and its description no raw marks", async ({ app }) => {
    await app.goto("/settings");
    // The page begins with an index; a section opens where it is jumped to.
    const index = app.getByRole("navigation", { name: "Sections of the settings" });
    await expect(app.getByRole("combobox", { name: /^decider/ })).toBeHidden();
    expect(await app.evaluate(() => document.body.scrollHeight)).toBeLessThan(3_000);
    await index.getByRole("link", { name: /^Who decides/ }).click();
    await index.getByRole("link", { name: /^Files and pictures/ }).click();
    await index.getByRole("link", { name: /^Time limits/ }).click();
    await expect(app.locator("summary", { hasText: "Time limits" })).toBeFocused();
    await index.getByRole("link", { name: /^What runs may do/ }).click();
    await index.getByRole("link", { name: /^Browser/ }).click();
    expect(await barriers(app)).toEqual([]);
    // A switch takes effect at once; a list has one value a line.
    const pictures = app.getByRole("switch", { name: /^screenshots.enabled/ });
    await expect(pictures).toBeChecked();
    await pictures.uncheck();
    await expect(app.getByText("Saved. It is in use from now on.")).toBeVisible();
    await app.getByRole("button", { name: "Remove screenshots.enabled" }).click();
    await expect(pictures).toBeChecked();
    const domains = app.getByRole("textbox", { name: /^blocked_domains/ });
    await domains.fill("ads.test\ntracker.test");
    await app.getByRole("button", { name: "Save blocked_domains" }).click();
    await expect(app.getByRole("button", { name: "Remove blocked_domains" })).toBeVisible();
    await expect(domains).toHaveValue("ads.test\ntracker.test");
    await app.getByRole("button", { name: "Remove blocked_domains" }).click();
    await expect(domains).toHaveValue("");
    await expect(app.getByRole("combobox", { name: /^decider/ }).getByRole("option")).toHaveText([
      "auto",
      "literal",
      "model",
    ]);
    await expect(app.getByRole("spinbutton", { name: /screenshots.quality/ })).toHaveAttribute("max", "100");
    await expect(app.getByRole("textbox", { name: /timeouts.step/ })).toBeVisible();
    const row = app.locator(".setting").filter({ has: app.getByRole("combobox", { name: /^decider/ }) });
    await expect(row.locator("small code").first()).toHaveText("literal");
    await expect(app.locator(".settings").first()).not.toContainText("`");
    for (const width of [1280, 390]) {
      await app.setViewportSize({ width, height: 844 });
      const box = await app.getByRole("checkbox", { name: "Only changed settings" }).boundingBox();
      expect(box!.width).toBeLessThan(40);
    }
  });
});

test("a secret is stored, used by name, never shown, and removed", async ({ app }) => {
  await app.getByRole("link", { name: "Settings" }).click();
  const secrets = app.getByRole("region", { name: "Secrets" });
  await secrets.getByRole("button", { name: "New secret" }).click();
  const form = app.getByRole("form", { name: "New secret" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("shop_password");
  await form.getByRole("textbox", { name: "Site" }).fill("https://shop.example/login?next=1");
  await form.getByLabel("Value").fill("tulip-9432");
  await form.getByRole("button", { name: "Store" }).click();
  const stored = secrets.getByRole("listitem").filter({ hasText: "shop_password" });
  await expect(stored).toContainText("https://shop.example");
  expect(await app.content()).not.toContain("tulip-9432");
  await stored.getByRole("button", { name: "Remove shop_password" }).click();
  await app.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(secrets.getByText("No secrets are stored.")).toBeVisible();
});

test("a secret that is stored in another tab is noticed when the window gets the focus", async ({ app, context }) => {
  await app.getByRole("textbox", { name: "Steps" }).fill('Type "${secret:door}" into "Name"');
  await expect(app.getByText("is never typed here")).toBeVisible();
  const other = await context.newPage();
  await other.goto("/settings");
  await other.getByRole("button", { name: "New secret" }).click();
  const form = other.getByRole("form", { name: "New secret" });
  await form.getByRole("textbox", { name: "Name", exact: true }).fill("door");
  await form.getByRole("textbox", { name: "Site" }).fill("https://door.example");
  await form.getByLabel("Value").fill("sesame-77");
  await form.getByRole("button", { name: "Store" }).click();
  await expect(other.getByRole("listitem").filter({ hasText: "door" })).toBeVisible();
  await other.close();
  await app.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(app.getByText("The secret door is stored.")).toBeVisible();
  await expect(app.getByText("is never typed here")).toBeHidden();
});

test("a server that is started anew is found again, and the run is taken up", async ({ page, stand }) => {
  const data = mkdtempSync(join(tmpdir(), "legwork-anew-"));
  let server = await Server.start(data, stand.model);
  try {
    await server.signIn(page);
    const job = stand.site.job();
    await start(page, job.waits(4), job.url);
    job.done(1);
    await expect(page.locator('.step[data-state="success"]')).toHaveCount(1);
    // A server that is told to stop pauses its runs, also while a step looks for a text.
    const stopped = server.stop();
    await server.says(/is paused, because the server stops/);
    await stopped;
    await expect(page.getByText("Connection lost")).toBeVisible();
    server = await Server.start(data, stand.model, Number(new URL(server.url).port));
    await expect(page.getByText("Connection lost")).toBeHidden();
    await expect(badge(page)).toContainText("Paused");
    await expect(page.locator('.step[data-state="success"]')).toHaveCount(1);
    job.done();
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(badge(page)).toContainText("Success");
    await expect(page.locator('.step[data-state="success"]')).toHaveCount(4);
  } finally {
    await server.stop();
    rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  }
});
