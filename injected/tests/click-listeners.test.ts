import "./dom";

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { hasClickListener, hasListeningParts, watchClickListeners } from "../src/click-listeners";
import { eventName } from "../src/tracker-channel";
import { find, show } from "./dom";

const KEY = "clicks";
watchClickListeners(KEY);
const report = (selector: string) =>
  find(selector).dispatchEvent(new Event(eventName(KEY, "listens"), { composed: true }));

beforeEach(() => {
  show(
    "<div id=row><span id=reply>Reply</span><span id=note>Note</span></div><div id=area><button>Save</button></div>",
  );
});

test("an element with a listener for clicks is a control, and its neighbour is not", () => {
  report("#reply");
  assert.ok(hasClickListener(find("#reply")));
  assert.ok(!hasClickListener(find("#note")));
  assert.ok(hasListeningParts(find("#row")));
});

test("an area that handles the clicks on its controls is no control", () => {
  report("#area");
  assert.ok(!hasClickListener(find("#area")));
});
