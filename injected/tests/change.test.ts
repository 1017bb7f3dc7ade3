import "./dom";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { expectChange, waitForChange } from "../src/change";
import { find, show } from "./dom";

const LONG = { timeoutMs: 600_000 };

beforeEach(() => {
  show("<main><p id='state'>Running</p></main>");
  expectChange();
});

test("a change between the capture and the wait is not missed", async () => {
  find("#state").textContent = "Done";
  assert.equal(await waitForChange(LONG), true);
});

test("a change during the wait ends it", async () => {
  const waiting = waitForChange(LONG);
  find("#state").setAttribute("class", "done");
  assert.equal(await waiting, true);
});

test("what changed before the capture is no change", async () => {
  find("#state").textContent = "Done";
  expectChange();
  assert.equal(await waitForChange({ timeoutMs: 1 }), false);
});

test("each wait after a capture needs a change of its own", async () => {
  find("#state").textContent = "Done";
  assert.equal(await waitForChange(LONG), true);
  expectChange();
  assert.equal(await waitForChange({ timeoutMs: 1 }), false);
});
