import assert from "node:assert/strict";
import { test } from "node:test";
import { includesWords } from "../src/read";

test("a text to wait for is found as whole words", () => {
  for (const whole of ["paid", "invoice paid.", "unpaid, paid", "paid: 3"])
    assert.ok(includesWords(whole, "paid"), whole);
  for (const whole of ["unpaid", "prepaid card", "paids"]) assert.ok(!includesWords(whole, "paid"), whole);
  assert.ok(includesWords("支払済み", "支払"));
  assert.ok(includesWords("saved…", "saved…"));
  assert.ok(includesWords("anything", ""));
});
