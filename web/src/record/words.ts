// Facts in a few words, for people: as `legwork show` and the exported page put them.

import type { Action, PageEffect, Tab, Usage } from "../protocol/generated";
import type { CommandRecord } from "./types";

const quoted = (text: string) => `“${text}”`;
const list = (values: string[]) => values.map(quoted).join(", ");

/** What a command did or does, the element in the page's words where they are known: `click button "Sign in"`. */
export function commandWords(command: CommandRecord): string {
  return actionWords(command.action, command.result?.element ?? undefined);
}

/** What an action does; `element` is its target as the page names it. */
export function actionWords(action: Action, element?: string): string {
  const on = (target: string) => element ?? target;
  switch (action.action) {
    case "open":
      return `open ${action.parameters.url}`;
    case "click": {
      const { target, count } = action.parameters;
      return `${(count ?? 1) > 1 ? "double-click" : "click"} ${on(target)}`;
    }
    case "fill": {
      const { target, text, submit } = action.parameters;
      if (!text) return `clear ${on(target)}`;
      return `fill ${on(target)} with ${quoted(text)}${submit ? " and press Enter" : ""}`;
    }
    case "type": {
      const { target, text } = action.parameters;
      return `type ${quoted(text)}${target ? ` into ${on(target)}` : ""}`;
    }
    case "press": {
      const { key, target } = action.parameters;
      return `press ${key}${target ? ` in ${on(target)}` : ""}`;
    }
    case "select":
      return `choose ${list(action.parameters.values)} from ${on(action.parameters.target)}`;
    case "check":
    case "uncheck":
    case "hover":
    case "focus":
      return `${action.action} ${on(action.parameters.target)}`;
    case "blur":
      return `leave ${on(action.parameters.target)}`;
    case "scroll": {
      const { target, direction } = action.parameters;
      if (target) return `scroll ${direction ? `${on(target)} ${direction}` : `to ${on(target)}`}`;
      return `scroll ${direction === "top" || direction === "bottom" ? `to the ${direction}` : (direction ?? "down")}`;
    }
    case "drag":
      return `drag ${on(action.parameters.target)} to ${action.parameters.to}`;
    case "upload":
      return `upload ${list(action.parameters.files)} into ${on(action.parameters.target)}`;
    case "dialog": {
      const { accept, text } = action.parameters;
      if (!accept) return "dismiss the dialog";
      return text ? `answer the dialog with ${quoted(text)}` : "accept the dialog";
    }
    case "wait": {
      const { text, gone, url, state, seconds } = action.parameters;
      const conditions = [
        text && `for ${quoted(text)}`,
        gone && `until ${quoted(gone)} is gone`,
        url && `for the address ${url}`,
        state && `for ${state}`,
        seconds != null && `${seconds} s`,
      ];
      return `wait ${conditions.filter(Boolean).join(", ")}`;
    }
    case "tab":
      return tabWords(action.parameters);
    case "save": {
      const { target, variable, attribute } = action.parameters;
      return `save ${attribute ? `${attribute} of ` : ""}${on(target)} as ${variable}`;
    }
    case "extract":
      return `extract ${action.parameters.instruction}`;
    case "read":
      return `read ${action.parameters.target ? on(action.parameters.target) : "the page"}`;
    case "dom":
      return "fetch the page's HTML";
    case "subdom":
      return `fetch the HTML of ${action.parameters.target ? on(action.parameters.target) : "the main part"}`;
    case "look":
      return `look at ${action.parameters.target ? on(action.parameters.target) : "the page"}`;
    case "find":
      return `find ${quoted(action.parameters.text)}`;
    case "call":
      return `call ${action.parameters.tool} ${JSON.stringify(action.parameters.arguments ?? null)}`;
    case "ask":
      return `ask ${quoted(action.parameters.question)}`;
    case "done":
      return `done: ${action.parameters.result}`;
    case "abort":
      return `give up: ${action.parameters.reason}`;
    case "back":
    case "forward":
    case "reload":
      return action.action;
  }
}

function tabWords(tab: Tab): string {
  switch (tab.op) {
    case "list":
      return "list the tabs";
    case "open":
      return `open a tab ${tab.url ?? ""}`.trim();
    case "switch":
      return `switch to tab ${tab.to}`;
    case "close":
      return `close tab ${tab.tab ?? ""}`.trim();
  }
}

/** What an action set off. */
export function effectWords(effect: PageEffect): string {
  switch (effect.kind) {
    case "navigated":
      return `went to ${effect.to}${effect.status ? ` (HTTP ${effect.status})` : ""}`;
    case "tab_opened":
      return `tab ${effect.number} opened: ${effect.url}`;
    case "tab_closed":
      return `tab ${effect.number} closed`;
    case "dialog": {
      const answer = effect.accepted == null ? "open" : effect.accepted ? "accepted" : "dismissed";
      return `${effect.dialog} dialog ${quoted(effect.message)}, ${answer}`;
    }
    case "downloaded":
      return `downloaded ${effect.name} (${bytes(effect.size)})`;
    case "chooser_opened":
      return `a file chooser waits for ${effect.multiple ? "files" : "a file"}`;
    case "blocked":
      return `a request to ${effect.url} was refused`;
    case "request": {
      const how =
        effect.status != null
          ? `answered ${effect.status}`
          : effect.failure != null
            ? `failed: ${effect.failure}`
            : "was not answered yet";
      return `${effect.method} ${effect.url} ${how}`;
    }
    case "unsettled":
      return `the page did not come to rest: ${effect.pending}`;
  }
}

/** A stretch of time: `38 ms`, `1.2 s`, `3 min 05 s`. */
export function took(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  const two = (n: number) => String(n).padStart(2, "0");
  if (seconds >= 3_600) return `${Math.floor(seconds / 3_600)} h ${two(Math.floor(seconds / 60) % 60)} min`;
  return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`;
}

/** A size: `812 B`, `14 kB`, `3.2 MB`. */
export function bytes(size: number): string {
  if (size < 1e3) return `${size} B`;
  if (size < 1e6) return `${Math.floor(size / 1e3)} kB`;
  return size < 1e9 ? `${(size / 1e6).toFixed(1)} MB` : `${(size / 1e9).toFixed(1)} GB`;
}

/** A count of tokens: `812`, `14.2k`, `1.3M`. */
export function tokens(count: number): string {
  if (count < 1e3) return String(Math.round(count));
  return count < 1e6 ? `${(count / 1e3).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/** Money: `$0.0137`, `$4.20`; nothing known: `unknown`. */
export function money(usd: number | null | undefined): string {
  if (usd == null) return "unknown";
  return usd !== 0 && Math.abs(usd) < 1 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

/** Model use on one line; nothing when no model was called. */
export function usageWords(usage: Usage): string | undefined {
  if (!usage.calls) return undefined;
  const cached = usage.cached_tokens ? ` (${tokens(usage.cached_tokens)} cached)` : "";
  const cost = usage.cost_usd == null ? "" : `, ${money(usage.cost_usd)}`;
  return `${tokens(usage.prompt_tokens)} tokens in${cached}, ${tokens(usage.completion_tokens)} out${cost}`;
}

/** A value as a person writes it: text without quotes, the rest as JSON. */
export function valueWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 1);
}

export const percent = (part: number) => `${Math.round(part * 100)} %`;
