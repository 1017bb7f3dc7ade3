import { expect, test } from "@playwright/test";
import { marksOf } from "../../src/screens/dashboard/bars";
import { took } from "../../src/ui/format";

test("the lines of a chart have labels, and there is no half run", () => {
  expect(marksOf(4, String)).toEqual(["4", "2", "0"]);
  expect(marksOf(5, String)).toEqual(["5", "", "0"]);
  expect(marksOf(3_000, took)).toEqual(["3.0 s", "1.5 s", "0 ms"]);
  expect(marksOf(0, String)).toEqual(["", "", "0"]);
});
