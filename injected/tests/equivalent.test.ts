import assert from "node:assert/strict";
import { test } from "node:test";
import { dateLike, equivalent } from "../src/equivalent";

const same = (wanted: string, actual: string, readings = {}) =>
  assert.ok(equivalent(wanted, actual, readings), `${wanted} is ${actual}`);
const other = (wanted: string, actual: string, readings = {}) =>
  assert.ok(!equivalent(wanted, actual, readings), `${wanted} is not ${actual}`);

test("spaces and typographic quotes and dashes are formatting", () => {
  same(" two  words ", "two words");
  same('"so" - it\'s', "“so” – it’s");
  other("two words", "twowords");
});

test("case matters in names and sentences, not in codes and addresses", () => {
  same("ab12", "AB12");
  same("a@b.example", "A@B.EXAMPLE");
  other("Ada Lovelace", "ADA LOVELACE");
});

test("numbers are compared by value", () => {
  same("1234.5", "1,234.50");
  same("1234.5", "1.234,50");
  same("12", "€ 12.00");
  same("1,500", "1.500");
  other("1,5", "15");
  other("0123", "123");
});

test("codes may be grouped and may have a country code", () => {
  same("5550109999", "(555) 010-9999");
  same("5550109999", "+1 (555) 010-9999");
  same("+1 555 010 9999", "5550109999");
  other("+1 555 010 9999", "5550109998");
  other("15550109999", "5550109999");
  same("4111111111111111", "4111 1111 1111 1111");
  other("4111111111111111", "4111 1111 1111 1112");
});

test("a day is the same in any order, but not another day", () => {
  const readings = { date: "2026-03-04" };
  same("2026-03-04", "04.03.2026", readings);
  same("2026-03-04", "March 4, 2026", readings);
  other("2026-03-04", "05.03.2026", readings);
  other("2026-03-04", "April 4, 2026", readings);
});

test("a time is the same with twelve hours", () => {
  same("17:30", "5:30 pm", { time: "17:30" });
  other("17:30", "5:30 am", { time: "17:30" });
});

test("an address may get its protocol", () => {
  same("shop.test/orders", "https://shop.test/orders/");
  other("shop.test/orders", "https://shop.test/");
});

test("a hint tells the format of a day, unless it can be read in two ways", () => {
  assert.equal(dateLike("2026-03-04", "DD.MM.YYYY"), "04.03.2026");
  assert.equal(dateLike("2026-03-04", "m/d/yy"), "3/4/26");
  assert.equal(dateLike("2026-03-04", "TT.MM.JJJJ"), "04.03.2026");
  assert.equal(dateLike("2026-03-04", "e.g. 25/12/2026"), "04/03/2026");
  assert.equal(dateLike("2026-03-04", "e.g. 1/2/2026"), null);
  assert.equal(dateLike("2026-03-04", "Your birthday"), null);
});
