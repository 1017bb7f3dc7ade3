// A model's text with a few forms of Markdown: paragraphs, lists, **strong**, `code`, fenced code. It is rendered as
// elements and never as HTML, so anything else in a reply appears as plain text. There are no links, because a hostile
// page can influence the text of a model.

import type { ComponentChildren } from "preact";
import { visible } from "./visible";

export function Prose({ text }: { text: string }) {
  return (
    <div class="prose" dir="auto">
      {blocks(visible(text)).map(block)}
    </div>
  );
}

/** One line of such a text. */
export function Inline({ text }: { text: string }) {
  return <>{inline(text)}</>;
}

type Block =
  | { kind: "text"; lines: string[] }
  | { kind: "list"; ordered: boolean; items: string[] }
  | { kind: "code"; lines: string[] };

/** Groups lines into blocks. Pure, so that it can be tested. */
export function blocks(text: string): Block[] {
  const made: Block[] = [];
  let fence: string[] | undefined;
  for (const line of text.split("\n")) {
    if (/^\s*```/.test(line)) {
      if (fence) fence = undefined;
      else {
        fence = [];
        made.push({ kind: "code", lines: fence });
      }
      continue;
    }
    if (fence) {
      fence.push(line);
      continue;
    }
    const item = /^\s*(?:([-*•])|\d{1,3}[.)])\s+(.*)$/.exec(line);
    const last = made.at(-1);
    if (item) {
      const ordered = !item[1];
      if (last?.kind === "list" && last.ordered === ordered) last.items.push(item[2] ?? "");
      else made.push({ kind: "list", ordered, items: [item[2] ?? ""] });
    } else if (!line.trim()) made.push({ kind: "text", lines: [] });
    else if (last?.kind === "text") last.lines.push(line);
    else made.push({ kind: "text", lines: [line] });
  }
  return made.filter((one) => one.kind !== "text" || one.lines.length > 0);
}

function block(one: Block): ComponentChildren {
  switch (one.kind) {
    case "code":
      return <pre>{one.lines.join("\n")}</pre>;
    case "list": {
      const items = one.items.map((item) => <li>{inline(item)}</li>);
      return one.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "text":
      return <p>{inline(one.lines.join("\n").replace(/^#{1,6}\s+/, ""))}</p>;
  }
}

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`\n]+`|\*\*[^*\n]+\*\*)/).map((part) => {
    if (part.length > 2 && part.startsWith("`")) return <code>{part.slice(1, -1)}</code>;
    if (part.length > 4 && part.startsWith("**")) return <strong>{part.slice(2, -2)}</strong>;
    return part;
  });
}
