import { expect, test } from "@playwright/test";
import type { RowTable } from "../../src/api/generated";
import { LEFT_OUT, openProblems, withUses } from "../../src/screens/workflows/columns";
import { plainInput } from "../../src/ui/inputs";

const table: RowTable = {
  columns: ["customer", "copees", "id"],
  rows: [{ customer: "Ada", copees: "2", id: "7" }, { customer: "Bob" }],
  problems: [
    { kind: "unknownColumn", column: "copees", message: "copees" },
    { kind: "unknownColumn", column: "id", message: "id" },
    { kind: "missingColumn", column: "copies", message: "copies" },
    { kind: "content", column: "customer", message: "row 2" },
    { kind: "content", column: "id", message: "row 2, id" },
  ],
};
const messages = (used: RowTable, values = {}) =>
  openProblems(used, used.columns.includes("copies") ? [] : [plainInput("copies")], values).map((one) => one.message);

test("a column is left out or used as an input, and its problem is then solved", () => {
  expect(messages(withUses(table, {}))).toEqual(["copees", "id", "copies", "row 2"]);
  const used = withUses(table, { copees: "copies", id: LEFT_OUT });
  expect(used.columns).toEqual(["customer", "copies"]);
  expect(used.rows).toEqual([{ customer: "Ada", copies: "2" }, { customer: "Bob" }]);
  expect(messages(used)).toEqual(["row 2"]);
});

test("an input without a column needs a value for all rows", () => {
  const used = withUses(table, { copees: LEFT_OUT, id: LEFT_OUT });
  expect(messages(used)).toEqual(["copies", "row 2"]);
  expect(messages(used, { copies: " " })).toEqual(["copies", "row 2"]);
  expect(messages(used, { copies: "1" })).toEqual(["row 2"]);
});
