// The ten-action task in a tab of the user's own browser, against a browser that Legwork starts: the same page, the same
// program, alternately. It prints both medians. `cargo xtask extension --bench` runs it.

import { expect, test } from "@playwright/test";
import { BROWSER, Stand } from "../page/stand";

const PAIRS = Number(process.env.LEGWORK_BENCH_PAIRS ?? 5);
const LIMIT = 1.5;
const STEPS = [1, 2, 3, 4, 5].flatMap((n) => [`Type "Item ${n}" into "Item"`, 'Click "Add"']);

let stand: Stand;
test.beforeEach(async () => {
  stand = await Stand.open();
});
test.afterEach(() => stand.close());

interface Event {
  type: string;
  step?: number;
  time: string;
}

/** The time of the ten actions of the newest run, in milliseconds: without the start of a browser and without a person's. */
function taken(): number {
  const [run] = JSON.parse(stand.run("runs", "--json")) as { run: string; state: string }[];
  expect(run?.state).toBe("success");
  const lines = stand.run("show", run!.run, "--events").trim().split("\n");
  const events = lines.map((line) => JSON.parse(line) as Event);
  const first = events.find(({ type }) => type === "STEP_STARTED");
  const last = events.findLast(({ type }) => type === "STEP_COMPLETED");
  return Date.parse(last!.time) - Date.parse(first!.time);
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

test("the ten-action task over the relay takes at most 1.5 times the time over the pipe", async () => {
  test.setTimeout(1_200_000);
  const relay: number[] = [];
  const pipe: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const { code, output, page, panel } = await stand.runInTab([], "/", ...STEPS);
    expect(code, output).toBe(0);
    relay.push(taken());
    await panel.close();
    await page.close();
    const file = stand.writeSteps(...STEPS);
    await stand.runOnSite("run", "--decider", "literal", "--browser", BROWSER!, "--url", stand.siteUrl, file);
    pipe.push(taken());
  }
  const [a, b] = [median(relay), median(pipe)];
  console.log(`relay ${a} ms (${relay.join(", ")}), pipe ${b} ms (${pipe.join(", ")}): ${(a / b).toFixed(2)} times`);
  expect(a / b).toBeLessThanOrEqual(LIMIT);
});
