// Pure pieces that turn data into what is read: differences, prose, prompts, marks, words.

import { expect, test } from "@playwright/test";
import { diff, hunks } from "../../src/record/diff";
import { prompt } from "../../src/record/prompt";
import { marks, summary, wanted } from "../../src/screens/start/marks";
import { bytes, money, tokens, took } from "../../src/ui/format";
import { blocks } from "../../src/ui/prose";

const shown = (before: string, after: string) =>
  diff(before, after)
    .map(({ sign, text }) => sign + text)
    .join("\n");

test("a difference is the shortest one, in order", () => {
  expect(shown("a\nb\nc\nd", "a\nx\nc\nd\ne")).toBe(" a\n-b\n+x\n c\n d\n+e");
  expect(shown("", "a")).toBe("-\n+a");
  expect(shown("same", "same")).toBe(" same");
});

test("a difference of any two texts leads from the one to the other", () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % most;
  };
  for (let round = 0; round < 200; round++) {
    const text = () => Array.from({ length: random(12) }, () => "abcd"[random(4)]).join("\n");
    const [before, after] = [text(), text()];
    const lines = diff(before, after);
    expect(
      lines
        .filter((line) => line.sign !== "+")
        .map((line) => line.text)
        .join("\n"),
    ).toBe(before);
    expect(
      lines
        .filter((line) => line.sign !== "-")
        .map((line) => line.text)
        .join("\n"),
    ).toBe(after);
  }
});

test("two pages with nothing in common are told apart quickly", () => {
  const page = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`).join("\n");
  const began = performance.now();
  expect(diff(page("a"), page("b"))).toHaveLength(10_000);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("what is the same is folded, but for a few lines around a change", () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`).join("\n");
  const shortened = hunks(diff(before, before.replace("line 10", "LINE 10")));
  expect(shortened[0]).toEqual({ gap: 8 });
  expect(shortened.at(-1)).toEqual({ gap: 7 });
  expect(shortened).toHaveLength(8);
});

test("prose knows paragraphs, lists and fenced code, and nothing else", () => {
  expect(blocks("One\ntwo\n\n- a\n- b\n1. c\n```html\n<img src=x>\n```")).toEqual([
    { kind: "text", lines: ["One", "two"] },
    { kind: "list", ordered: false, items: ["a", "b"] },
    { kind: "list", ordered: true, items: ["c"] },
    { kind: "code", lines: ["<img src=x>"] },
  ]);
});

test("the page is found between its fences, whatever the page holds", () => {
  const text =
    "Task: t\nThe page before:\n````page\nhttp://x\n```page\nfalse\n```\n````\nChanged:\n```changes\n+ button\n```";
  const kept = JSON.stringify({
    messages: [
      { speaker: "system", text: "s" },
      { speaker: "user", text, images: [{}] },
    ],
  });
  expect(prompt(kept)).toMatchObject({
    page: "http://x\n```page\nfalse\n```",
    changes: "+ button",
    messages: [{ images: 0 }, { images: 1 }],
  });
  expect(prompt("not json").messages).toEqual([{ speaker: "prompt", text: "not json", images: 0 }]);
});

test("a check is laid over the lines as they were typed", () => {
  const text = 'name: x\nsteps:\n  - Click "A"\n  - Find it\n  - Click "A"';
  const steps = [
    { text: 'Click "A"', decider: "literal" as const, action: "click" },
    { text: "Find it", decider: "model" as const },
    { text: 'Click "A"', decider: "literal" as const },
  ];
  expect(
    [...marks(text, { valid: true, problems: [], steps, inputs: [], secrets: [] })].map(([line, mark]) => [
      line,
      mark.kind,
    ]),
  ).toEqual([
    [2, "literal"],
    [3, "model"],
    [4, "literal"],
  ]);
  const verdict = {
    valid: false,
    problems: [{ severity: "error" as const, line: 1, message: "no" }],
    steps: [],
    inputs: [],
    secrets: [],
  };
  expect(marks(text, verdict).get(0)).toEqual({ kind: "wrong", words: "no" });
  expect(summary(verdict)).toBe("1 problem to fix");
  expect(summary({ valid: true, problems: [], steps, inputs: [], secrets: [] })).toBe("3 steps, 1 needs a model");
  expect(summary({ valid: true, problems: [], steps: steps.slice(1, 2), inputs: [], secrets: [] })).toBe(
    "1 step, it needs a model",
  );
});

test("a text asks for the values it names, not for what it saves itself, for those of a loop, or for secrets", () => {
  const text =
    'Save the text of "Total" as total\nType "${city}" into "To"\nCheck "${total}"\nType "${secret:pw}" into "P"';
  expect(wanted(text)).toEqual(["city"]);
  const loop =
    'steps:\n  - for_each: name in ${names}\n    steps:\n      - Type "${name}" into "To"\n  - Open ${row.Link}';
  expect(wanted(loop)).toEqual(["names"]);
});

test("figures in words", () => {
  expect([took(38), took(1_240), took(59_960), took(185_000), took(7_500_000)]).toEqual([
    "38 ms",
    "1.2 s",
    "1 min 00 s",
    "3 min 05 s",
    "2 h 05 min",
  ]);
  expect([tokens(812), tokens(14_200), tokens(1_300_000)]).toEqual(["812", "14.2k", "1.3M"]);
  expect([bytes(812), bytes(14_200)]).toEqual(["812 B", "14 kB"]);
  expect([money(0.0137), money(4.2), money(0), money(undefined)]).toEqual(["$0.0137", "$4.20", "$0.00", "unknown"]);
});
