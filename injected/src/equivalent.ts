// Determines whether a field has the requested value although the page formatted it differently: masks, controlled
// inputs that trim, codes in capitals, digit grouping, dates in the field's own format. Every other difference is a
// mismatch.

import type { Readings } from "./generated";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Normalizes white space and typographic characters that editors insert. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .replace(/\u200b|\u200c|\u200d|\ufeff/g, "")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‘’‚]/g, "'")
    .replace(/[–—]/g, "-")
    .replace(/\s+/g, " ")
    .trim();

const bare = (text: string): string =>
  plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/**
 * Whether the case of a text is irrelevant, as in codes, abbreviations and addresses. A name or a sentence in capitals
 * is a different text.
 */
const ignoresCase = (text: string): boolean => /\p{N}|^\S{1,4}$|@|^https?:/u.test(text) && !/\s\S+\s/.test(text);

/**
 * The numbers that a text may represent; null if there is none. A separator before three digits may be a decimal
 * separator or a grouping separator.
 */
function numbers(text: string): number[] | null {
  const digits = text
    .replace(/^[A-Z]{3}(?=[\s\d+-])|(?<=[\s\d])[A-Z]{3}$/g, "")
    .replace(/[\p{Sc}%\s'’_]/gu, "")
    .replace(/^\+/, "");
  if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(digits)) return null;
  if (digits.replace(/\D/g, "").length > 15 || /^-?0\d/.test(digits)) return null;
  const separators = digits.replace(/[\d-]/g, "");
  const decimal = (at: number) => Number(digits.slice(0, at).replace(/[.,]/g, "") + "." + digits.slice(at + 1));
  const grouped = /^-?\d{1,3}([.,]\d{3})+$/.test(digits);
  const whole = Number(digits.replace(/[.,]/g, ""));
  if (separators === "") return [whole];
  if (separators.length === 1)
    return grouped && !/^-?0/.test(digits) ? [whole, decimal(digits.search(/[.,]/))] : [decimal(digits.search(/[.,]/))];
  const last = separators[separators.length - 1];
  if (new Set(separators).size === 1) return grouped ? [whole] : null;
  const at = digits.lastIndexOf(last);
  if (separators.split(last).length !== 2 || !/^-?\d{1,3}([.,]\d{3})+$/.test(digits.slice(0, at))) return null;
  return [decimal(at)];
}

/** Whether a text states this day, in any order and with any additional words. */
function sameDate(date: string, actual: string): boolean {
  const [year, month, day] = date.split("-").map(Number);
  const names = Array.from(actual.toLowerCase().matchAll(/\p{L}{3,}/gu), (found) =>
    MONTHS.indexOf(found[0].slice(0, 3)),
  ).filter((at) => at >= 0);
  const found = Array.from(actual.matchAll(/\d+/g), (digits) => Number(digits[0]));
  const take = (wanted: number): boolean => {
    const at = found.indexOf(wanted);
    if (at >= 0) found.splice(at, 1);
    return at >= 0;
  };
  if (names.length > 0 ? !names.includes(month - 1) : !take(month)) return false;
  return take(day) && (take(year) || take(year % 100));
}

/** Minutes since midnight; null if a text is not a time of day. */
function minutes(text: string): number | null {
  const found = /^\s*(\d{1,2})(?:\s*[:.h]\s*(\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*([ap])?\.?m?\.?\s*$/i.exec(text);
  if (!found) return null;
  const half = found[3]?.toLowerCase();
  return ((Number(found[1]) % (half ? 12 : 24)) + (half === "p" ? 12 : 0)) * 60 + Number(found[2] ?? 0);
}

/** Whether punctuation in a text is only formatting: in card, phone and account numbers, but not in prose. */
function isCode(text: string): boolean {
  const digits = text.replace(/\P{N}/gu, "").length;
  return digits > 0 && text.replace(/\P{L}/gu, "").length <= Math.max(digits, 6);
}

/**
 * Whether `actual` is the content of `wanted`:
 * 1. the same except for white space at the ends or in runs, typographic quotes and dashes, and the case in codes and
 *    addresses;
 * 2. numbers of the same value: `1,234.50` is `1234.5` (never `15` for `1,5`);
 * 3. codes that consist mostly of digits, with the same letters and digits: `(555) 010-9999` is `5550109999`; a mask
 *    may have added or removed a country code at the beginning;
 * 4. the same day or time, if the text has that meaning;
 * 5. an address to which `https://` was added.
 */
export function equivalent(wanted: string, actual: string, readings: Readings = {}): boolean {
  if (plain(wanted) === plain(actual)) return true;
  const [a, b] = [plain(wanted).toLowerCase(), plain(actual).toLowerCase()];
  if (a === b) return ignoresCase(wanted.trim());
  if (a === "" || b === "") return false;
  if (readings.date && !readings["datetime-local"] && sameDate(readings.date, actual)) return true;
  if (readings.time && minutes(actual) !== null && minutes(actual) === minutes(readings.time)) return true;
  const [x, y] = [bare(wanted), bare(actual)];
  // Before the numbers, because a phone number without blanks in it is one.
  if (isCode(a) && (prefixed(y, b, x) || prefixed(x, a, y))) return true;
  const [m, n] = [numbers(wanted), numbers(actual)];
  if (m !== null && n !== null) return m.some((value) => n.includes(value));
  if (b.replace(/^https?:\/\//, "").replace(/\/$/, "") === a.replace(/\/$/, "")) return true;
  return isCode(a) && x !== "" && x === y;
}

/** Whether `long`, the digits of `text`, is `short` with a country code in front. */
function prefixed(long: string, text: string, short: string): boolean {
  const code = long.slice(0, Math.max(0, long.length - short.length));
  return text.startsWith("+") && /^\d{1,3}$/.test(code) && long === code + short && short.length >= 7;
}

// The order of day, month and year that a hint states: a placeholder such as `MM/DD/YYYY`, or a date as an example.
const DAY = "d{1,2}|t{1,2}|j{1,2}",
  MONTH = "m{1,2}",
  YEAR = "[yja]{4}|y{2}",
  BETWEEN = "\\s?[./-]\\s?";
const TOKENS: [RegExp, string][] = [
  [new RegExp(`(?<![a-z])(${YEAR})(${BETWEEN})(${MONTH})\\2(${DAY})(?![a-z])`, "i"), "ymd"],
  [new RegExp(`(?<![a-z])(${DAY})(${BETWEEN})(${MONTH})\\2(${YEAR})(?![a-z])`, "i"), "dmy"],
  [new RegExp(`(?<![a-z])(${MONTH})(${BETWEEN})(${DAY})\\2(${YEAR})(?![a-z])`, "i"), "mdy"],
];

/** A day in the format that a hint states; null if it states none or is ambiguous. */
export function dateLike(date: string, hint: string): string | null {
  const [year, month, day] = date.split("-");
  const write = (order: string, between: string, lengths: Record<string, number>) =>
    Array.from(order, (part) => {
      const text = part === "y" ? year.slice(-lengths.y) : String(Number(part === "m" ? month : day));
      return part === "y" ? text : text.padStart(lengths[part], "0");
    }).join(between);
  for (const [tokens, order] of TOKENS) {
    const found = tokens.exec(hint);
    if (found)
      return write(order, found[2], {
        [order[0]]: found[1].length,
        [order[1]]: found[3].length,
        [order[2]]: found[4].length,
      });
  }
  const example = /(?<!\d)(\d{1,4})([./-]\s?)(\d{1,2})\2(\d{1,4})(?!\d)/.exec(hint);
  if (!example) return null;
  const [, first, between, second, third] = example;
  if (first.length === 4) return write("ymd", between, { y: 4, m: second.length, d: third.length });
  if (third.length !== 4 || first.length > 2) return null;
  const order = Number(first) > 12 || between.trim() === "." ? "dmy" : Number(second) > 12 ? "mdy" : null;
  return order && write(order, between, { [order[0]]: first.length, [order[1]]: second.length, y: 4 });
}
