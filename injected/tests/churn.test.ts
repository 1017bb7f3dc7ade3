import "./dom";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { takeChurn, watchChurn } from "../src/capture-churn";
import { forgetReversions, reversions } from "../src/capture-reversions";
import { forgetTransients, transients } from "../src/capture-transient";
import { eventName } from "../src/tracker-channel";
import { find, show } from "./dom";

const KEY = "churn";
watchChurn(KEY);
const tell = (signal: "own" | "hover" | "owned") => dispatchEvent(new Event(eventName(KEY, signal)));
/** Changes the page as a callback does that was scheduled before the action. */
function byItself(change: () => void): void {
  tell("own");
  change();
  tell("owned");
}

beforeEach(() => {
  show("<main><p id='clock'>10:00</p><p id='other'>text</p></main>");
  takeChurn(KEY);
});

test("what a callback from before changes is the page's own, what happens otherwise is not", () => {
  byItself(() => {
    find("#clock").firstChild!.nodeValue = "10:01";
  });
  find("#other").firstChild!.nodeValue = "changed";
  const churn = takeChurn(KEY)!;
  assert.ok(churn.has(find("#clock")));
  assert.ok(!churn.has(find("#other")));
  assert.equal(takeChurn(KEY), null);
});

test("texts that the page removes by itself are told", () => {
  byItself(() => find("#other").remove());
  assert.deepEqual([...takeChurn(KEY)!.removed], ["text"]);
});

test("the same reading once more has the same changes", () => {
  byItself(() => {
    find("#clock").firstChild!.nodeValue = "10:02";
  });
  const churn = takeChurn(KEY);
  assert.equal(takeChurn(undefined), churn);
});

test("a message that is gone again is told, unless the page showed it by itself", async () => {
  forgetTransients();
  const toast = document.createElement("div");
  toast.setAttribute("role", "alert");
  toast.textContent = "Refused";
  document.body.append(toast);
  await Promise.resolve();
  toast.remove();
  assert.deepEqual(
    transients().map(({ role, text }) => [role, text]),
    [["alert", "Refused"]],
  );
  forgetTransients();
  assert.deepEqual(transients(), []);
});

test("a state that changes back is told with what stood in its place", async () => {
  show('<button aria-pressed="false">Like</button>');
  forgetReversions();
  const button = find("button");
  button.setAttribute("aria-pressed", "true");
  await new Promise((resolve) => setTimeout(resolve, 0));
  button.setAttribute("aria-pressed", "false");
  assert.deepEqual(reversions(), [{ text: "Like aria-pressed=false", meanwhile: "true" }]);
});
