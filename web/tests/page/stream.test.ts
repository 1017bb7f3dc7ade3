// The live view over bad lines, and seen by several at once.

import { badge, expect, start, test } from "./stand";
import { slowSteps } from "./stand/site";

declare global {
  interface Window {
    hold(): void;
    release(): void;
    said: string[];
  }
}

/** Has every stream that opens after `hold()` keep its events back until `release()`. */
function holdStreams(): void {
  let held: Promise<void> | undefined;
  const fetched = window.fetch;
  window.hold = () => {
    held = new Promise((resolve) => {
      window.release = resolve;
    });
  };
  window.fetch = async (...asked) => {
    const response = await fetched(...asked);
    if (!held || !String(asked[0]).startsWith("/api/stream/sse/")) return response;
    const until = held;
    const late = new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, to) {
        await until;
        to.enqueue(piece);
      },
    });
    return new Response(response.body?.pipeThrough(late), response);
  };
}

test.describe("a lost connection", () => {
  test.use({ expected: [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/] });

  test("is said, and what was missed comes in without loading anew", async ({ app, context, stand }) => {
    await app.evaluate(holdStreams);
    await start(app, slowSteps(8), `${stand.site.url}/slow`);
    await expect(app.locator('.step[data-state="success"]').first()).toBeVisible();
    await app.evaluate(() => Object.assign(window, { sameDocument: true }));
    await context.setOffline(true);
    await expect(app.getByText("Connection lost")).toBeVisible();
    await app.getByText("Connection lost").evaluate((note) => {
      window.said = [];
      new MutationObserver(() => window.said.push(note.textContent ?? "")).observe(note, { characterData: true, childList: true, subtree: true });
    });
    const before = await app.locator('.step[data-state="success"]').count();
    // Meanwhile the run goes on: the server is asked from outside the page.
    const id = app.url().split("/").pop()!;
    await expect.poll(() => stand.server.state(id), { timeout: 30_000 }).toBe("success");
    expect(await app.locator('.step[data-state="success"]').count()).toBe(before);
    // Tries that fail say nothing new.
    expect(await app.evaluate(() => window.said)).toEqual([]);
    // Open first and with its events only later, as over a slow line: the word on them outlives the stream's end.
    await app.evaluate(() => window.hold());
    await context.setOffline(false);
    await expect(app.getByText("Connection lost")).toBeHidden();
    await app.evaluate(() => window.release());
    await expect(app.getByText(/Connected again, up to date: \d+ missed events came in/)).toBeVisible();
    await expect(app.locator('.step[data-state="success"]')).toHaveCount(16);
    await expect(badge(app)).toContainText("Success");
    expect(await app.evaluate(() => "sameDocument" in window)).toBe(true);
  });

  test("asks only for what is missing", async ({ app, context, stand }) => {
    await start(app, slowSteps(6), `${stand.site.url}/slow`);
    await expect(app.locator('.step[data-state="success"]').first()).toBeVisible();
    await context.setOffline(true);
    await expect(app.getByText("Connection lost")).toBeVisible();
    const again = app.waitForRequest((request) => request.url().includes("/api/stream/sse/"));
    await context.setOffline(false);
    const request = await again;
    expect(Number(request.headers()["last-event-id"])).toBeGreaterThan(5);
    await expect(badge(app)).toContainText("Success", { timeout: 30_000 });
  });
});

test("two viewers side by side see the same, and one steers for both", async ({ app, context, stand }) => {
  const id = await start(app, slowSteps(6), `${stand.site.url}/slow`);
  const other = await context.newPage();
  await other.goto(`${stand.server.url}/runs/${id}`);
  await expect(other.locator('.step[data-state="success"]').first()).toBeVisible();
  await other.getByRole("button", { name: "Pause" }).click();
  await expect(badge(app)).toContainText("Paused");
  await expect(badge(other)).toContainText("Paused");
  const shown = (page: typeof app) => page.locator(".step").evaluateAll((steps) => steps.map((step) => `${step.getAttribute("data-state")} ${step.querySelector(".words")?.textContent}`));
  expect(await shown(app)).toEqual(await shown(other));
  await app.getByRole("button", { name: "Resume" }).click();
  for (const page of [app, other]) await expect(badge(page)).toContainText("Success", { timeout: 30_000 });
  expect(await shown(app)).toEqual(await shown(other));
});

test("the list of runs follows a run by itself", async ({ app, context, stand }) => {
  const other = await context.newPage();
  await other.goto(`${stand.server.url}/runs`);
  const id = await start(app, slowSteps(4), `${stand.site.url}/slow`);
  const row = other.getByRole("row").filter({ has: other.locator(`a[href="/runs/${id}"]`) });
  await expect(row).toContainText("Running");
  await expect(row).toContainText("Success", { timeout: 30_000 });
  await expect(row).toContainText("8 / 8");
  await other.getByRole("combobox", { name: "State" }).selectOption("failure");
  await expect(row).toHaveCount(0);
  await other.getByRole("combobox", { name: "State" }).selectOption("");
  await other.getByRole("searchbox").fill(id.slice(0, 36));
  await expect(other).toHaveURL(/q=/);
  await expect(row).toBeVisible();
});

test("live pictures of the browser are shown while a run works", async ({ app, stand }) => {
  await start(app, slowSteps(8), `${stand.site.url}/slow`);
  await expect(app.locator(".stage .live")).toBeVisible();
  await expect(app.locator(".stage img")).toHaveAttribute("src", /^blob:/);
  await expect(badge(app)).toContainText("Success", { timeout: 30_000 });
  await expect(app.locator(".stage img")).toHaveAttribute("src", /^\/api\/screenshots\//);
});

test("a model's words are shown while they come", async ({ app, stand }) => {
  stand.model.says({ why: "one word after the other, so that somebody can read along here", do: 'done "Said."', confidence: 0.95, wait: 6_000 });
  await start(app, "Say something that takes long", `${stand.site.url}/form`);
  const saying = app.getByRole("region", { name: "The model's reply so far" });
  await expect(saying).toContainText("one word");
  await expect(saying).not.toContainText("confidence");
  await expect(badge(app)).toContainText("Success", { timeout: 30_000 });
  await expect(saying).toBeHidden();
});
