// Which field a setting has, by the description of its values, and how its value is divided for the field. Pure.

import type { SettingsView } from "../../api/generated";

export type SettingFieldKind =
  | { type: "text" }
  | { type: "switch" }
  | { type: "choice"; choices: string[] }
  | { type: "number"; min?: number; max?: number; step: number | "any"; unit?: string }
  /** A number with a unit, the largest unit first. */
  | { type: "measure"; units: [unit: string, size: number][] }
  /** One value a line. */
  | { type: "list"; separator: string; choices?: string[] };

const TIMES: [string, number][] = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
];
const SIZES: [string, number][] = [
  ["GB", 1e9],
  ["MB", 1e6],
  ["kB", 1e3],
  ["B", 1],
];

/** The words for the units. */
export const UNIT_WORDS: Record<string, string> = { h: "hours", m: "minutes", s: "seconds", ms: "milliseconds" };

/** The field for values that are described as `auto, on, off`, `true or false`, `number, 0–1`, `US dollars`, … */
export function fieldOf(kind: string): SettingFieldKind {
  if (kind === "true or false") return { type: "switch" };
  if (/^[\w-]+(, [\w-]+)+$/.test(kind)) return { type: "choice", choices: kind.split(", ") };
  if (kind === "US dollars") return { type: "number", min: 0, step: "any", unit: "US dollars" };
  if (kind.startsWith("time")) return { type: "measure", units: TIMES };
  if (kind.startsWith("size (")) return { type: "measure", units: SIZES };
  // Arguments of a browser may contain commas, so blanks separate them.
  if (kind === "list") return { type: "list", separator: " " };
  const some = /^some of (.+), in order$/.exec(kind);
  if (some) return { type: "list", separator: ",", choices: some[1]!.split(", ") };
  if (kind.startsWith("list of ")) return { type: "list", separator: "," };
  const range = /^number(?:, ([\d.]+)–([\d.]+)| from ([\d.]+))$/.exec(kind);
  if (!range) return { type: "text" };
  const [min, max] = [Number(range[1] ?? range[3]), range[2] === undefined ? undefined : Number(range[2])];
  // A number from 0 to 1 is a share, such as a confidence; the others are whole numbers.
  return { type: "number", min, max, step: max === 1 ? "any" : 1 };
}

/** A value as a number with the largest unit that gives a whole number: `7200s` as 2 and `h`. Undefined if it is none. */
export function measured(text: string, units: [string, number][]): { number: string; unit: string } | undefined {
  const smallest = units.at(-1)![0];
  const found = /^([\d.]+)\s*([a-z]*)$/i.exec(text.trim());
  if (!found) return text.trim() ? undefined : { number: "", unit: units.at(-2)![0] };
  const written = (found[2] || (smallest === "B" ? "B" : "s")).toLowerCase();
  const size = units.find(([unit]) => unit.toLowerCase() === written)?.[1];
  if (size === undefined) return undefined;
  const whole = Number(found[1]) * size;
  const [unit, per] = units.find(([, per]) => whole >= per && whole % per === 0) ?? units.at(-1)!;
  return { number: String(whole / per), unit };
}

/** The values of a list, one a line. The server joins them with commas; arguments of a browser begin with `--`. */
export function linesOf(text: string, separator: string): string {
  const parts = text.split(separator === " " ? /,(?=--)/ : ",");
  return parts.map((part) => part.trim()).join("\n");
}

/** The lines as the text of the setting. */
export const joined = (lines: string, separator: string): string =>
  lines
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean)
    .join(separator);

/** The origin of a value that is in the file of the user, from which it can be removed. */
export const USER_FILE = /[/\\]config\.toml:\d+$/;

/** What was reached by saving a value, from the reply of the server. */
export function effectOf(saved: SettingsView, wasRemoved: boolean): string {
  if (saved.pending != null) return "";
  if (wasRemoved) return "Removed.";
  return USER_FILE.test(saved.origin)
    ? "Saved. It is in use from now on."
    : `Saved, but not in use: ${saved.origin === "command line" ? "the command line" : saved.origin} has precedence.`;
}

/** The sections of the page: a heading and the settings or groups of settings in it. The last one has the rest. */
const SECTIONS: [heading: string, names: string[]][] = [
  ["Who decides, and how", ["decider", "playbook", "planning", "reflection", "investigation", "run"]],
  ["What runs may do", ["allowed_domains", "blocked_domains", "default_policy", "allow_write", "tools", "uploads"]],
  ["Browser", ["browser"]],
  ["Models", ["model", "models", "prices"]],
  ["What a model is shown", ["context", "observation", "extract", "memory"]],
  ["Time limits and retries", ["timeouts", "retries"]],
  ["Limits of a run", ["limits"]],
  ["Files and pictures", ["data_dir", "downloads", "screenshots", "retention"]],
  ["Stored secrets", ["vault"]],
  ["Server", ["server"]],
  ["E-mail", ["smtp"]],
  ["Terminal and log", ["terminal", "log"]],
];

export interface SettingSection {
  id: string;
  heading: string;
  settings: SettingsView[];
}

/** The settings in the sections of the page; sections without any are left out. */
export function sectionsOf(settings: SettingsView[]): SettingSection[] {
  const group = (name: string) => name.split(".")[0]!;
  const known = new Set(SECTIONS.flatMap(([, names]) => names));
  const rest = [...new Set(settings.map(({ name }) => group(name)).filter((name) => !known.has(name)))];
  const all: [string, string[]][] = [...SECTIONS, ["Other settings", rest]];
  return all
    .map(([heading, names]) => ({
      id: `section-${heading.toLowerCase().replace(/[^a-z]+/g, "-")}`,
      heading,
      settings: names.flatMap((name) => settings.filter((one) => group(one.name) === name)),
    }))
    .filter((section) => section.settings.length > 0);
}
