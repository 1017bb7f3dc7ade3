// The live view over bad lines, and seen by several at once.

import { badge, expect, start, test } from "./stand";
import { Gate } from "./stand/gate";

declare global {
  interface Window {
    hold(): void;
    draw(): void;
    said: string[];
  }
}

/** Keeps what the page's status says of the connection, and has every stream that opens after `hold()` keep its events back
 * until the page has said that the connection is there again. */
function watchConnection(): void {
  const fetched = window.fetch;
  const note = () => document.querySelector("main > [role=status]")?.textContent ?? "";
  const changes = new EventTarget();
  window.said = [];
  new MutationObserver(() => {
    if (note() === window.said.at(-1)) return;
    window.said.push(note());
    changes.dispatchEvent(new Event("said"));
  }).observe(document.body, { characterData: true, childList: true, subtree: true });
  let held = false;
  window.hold = () => {
    held = true;
  };
  const found = async () => {
    while (note().includes("Connection lost"))
      await new Promise((resolve) => changes.addEventListener("said", resolve, { once: true }));
  };
  window.fetch = async (...asked) => {
    const response = await fetched(...asked);
    if (!held || !String(asked[0]).startsWith("/api/stream/record/")) return response;
    const late = new TransformStream<Uint8Array, Uint8Array>({
      async transform(piece, to) {
        await found();
        to.enqueue(piece);
      },
    });
    return new Response(response.body?.pipeThrough(late), response);
  };
}

test.describe("a lost connection", () => {
  test.use({ expected: [/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|Failed to load resource/] });

  test("is said, and what was missed comes in without loading anew", async ({ app, context, stand }) => {
    await app.evaluate(watchConnection);
    const job = stand.site.job();
    await start(app, job.steps(8), job.url);
    await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
    await app.evaluate(() => Object.assign(window, { sameDocument: true }));
    await context.setOffline(true);
    await expect(app.getByText("Connection lost")).toBeVisible();
    const said = () => app.evaluate(() => window.said.filter((words) => words !== ""));
    const lost = await said();
    // Meanwhile the run goes on: the server is asked from outside the page.
    job.done();
    const id = app.url().split("/").pop()!;
    await expect.poll(() => stand.server.state(id)).toBe("success");
    await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
    // Tries that fail say nothing new.
    expect(await said()).toEqual(lost);
    // Open first and with its events only later, as over a slow line: the word on them outlives the stream's end.
    await app.evaluate(() => window.hold());
    await context.setOffline(false);
    await expect(badge(app)).toContainText("Success");
    await expect(app.locator('.step[data-state="success"]')).toHaveCount(16);
    await expect
      .poll(said)
      .toContainEqual(expect.stringMatching(/^Connected again, up to date: \d+ missed events came in$/));
    await expect(app.getByText("Connection lost")).toBeHidden();
    expect(await app.evaluate(() => "sameDocument" in window)).toBe(true);
  });

  test("asks only for what is missing", async ({ app, context, stand }) => {
    const job = stand.site.job();
    await start(app, job.steps(6), job.url);
    await expect(app.locator('.step[data-state="success"]')).toHaveCount(1);
    await context.setOffline(true);
    await expect(app.getByText("Connection lost")).toBeVisible();
    const again = app.waitForRequest((request) => request.url().includes("/api/stream/record/"));
    await context.setOffline(false);
    const request = await again;
    expect(Number(request.headers()["last-event-id"])).toBeGreaterThan(5);
    job.done();
    await expect(badge(app)).toContainText("Success");
  });
});

test("two viewers side by side see the same, and one steers for both", async ({ app, context, stand }) => {
  const job = stand.site.job();
  const id = await start(app, job.steps(6), job.url);
  const other = await context.newPage();
  await other.goto(`${stand.server.url}/runs/${id}`);
  await expect(other.locator('.step[data-state="success"]')).toHaveCount(1);
  const heard = other.waitForResponse((response) => response.url().endsWith("/pause"));
  await other.getByRole("button", { name: "Pause" }).click();
  expect((await heard).ok()).toBe(true);
  job.done();
  await expect(badge(app)).toContainText("Paused");
  await expect(badge(other)).toContainText("Paused");
  const shown = (page: typeof app) =>
    page
      .locator(".step")
      .evaluateAll((steps) =>
        steps.map((step) => `${step.getAttribute("data-state")} ${step.querySelector(".words")?.textContent}`),
      );
  expect(await shown(app)).toEqual(await shown(other));
  await app.getByRole("button", { name: "Resume" }).click();
  for (const page of [app, other]) await expect(badge(page)).toContainText("Success");
  expect(await shown(app)).toEqual(await shown(other));
});

test("the list of runs follows a run by itself", async ({ app, context, stand }) => {
  const other = await context.newPage();
  await other.goto(`${stand.server.url}/runs`);
  const job = stand.site.job();
  const id = await start(app, job.steps(4), job.url);
  const row = other.getByRole("row").filter({ has: other.locator(`a[href="/runs/${id}"]`) });
  await expect(row).toContainText("Running");
  job.done();
  await expect(row).toContainText("Success");
  await expect(row).toContainText("8 / 8");
  await other.getByRole("combobox", { name: "State" }).selectOption("failure");
  await expect(row).toHaveCount(0);
  await other.getByRole("combobox", { name: "State" }).selectOption("");
  await other.getByRole("searchbox").fill(id.slice(0, 36));
  await expect(other).toHaveURL(/q=/);
  await expect(row).toBeVisible();
});

test("live pictures of the browser are shown while a run works", async ({ app, stand }) => {
  const job = stand.site.job();
  await start(app, job.steps(2), job.url);
  await expect(app.locator(".stage .live")).toBeVisible();
  await expect(app.locator(".stage img")).toHaveAttribute("src", /^blob:/);
  job.done();
  await expect(badge(app)).toContainText("Success");
  await expect(app.locator(".stage img")).toHaveAttribute("src", /^\/api\/screenshots\//);
});

test("a live picture that came just before the end does not stay after it", async ({ app, stand }) => {
  const job = stand.site.job();
  const came = new Promise<void>((resolve) =>
    app.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => void (String(payload).includes('"type":"frame"') && resolve())),
    ),
  );
  // The page draws when the test says so: here, only after the run has ended.
  await app.evaluate(() => {
    const drawings: FrameRequestCallback[] = [];
    window.requestAnimationFrame = (draw) => drawings.push(draw);
    window.draw = () => {
      for (const draw of drawings.splice(0)) draw(performance.now());
    };
  });
  await start(app, job.steps(2), job.url);
  await came;
  job.done();
  await expect(badge(app)).toContainText("Success");
  await app.evaluate(() => window.draw());
  await expect(app.locator(".stage .live")).toBeHidden();
  await expect(app.locator(".stage img")).toHaveAttribute("src", /^\/api\/screenshots\//);
});

test("a model's words are shown while they come", async ({ app, stand }) => {
  const [words, rest] = [new Gate(), new Gate()];
  const why = "one word after the other, so that somebody can read along here";
  stand.model.says({
    why,
    do: 'done "Said."',
    confidence: 0.95,
    gates: [
      ["{", words],
      [',"do"', rest],
    ],
  });
  const job = stand.site.job();
  // The model is asked only after the page looks on: who comes in the middle of a reply sees the next one.
  await start(app, `${job.waits(1)}\nSay something that takes long`, job.url);
  await expect(app.locator('.step[data-state="running"]')).toContainText("Done 1.");
  job.done();
  await expect(app.locator(".now")).toContainText("Asks the model");
  await words.reached;
  words.open();
  const saying = app.getByRole("region", { name: "The model's reply so far" });
  await expect(saying).toContainText(why);
  await expect(saying).not.toContainText("confidence");
  rest.open();
  await expect(badge(app)).toContainText("Success");
  await expect(saying).toBeHidden();
});
