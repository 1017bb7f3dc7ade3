// Which field a setting has, by the description of its values. Pure.

export type SettingFieldKind =
  | { type: "text" }
  | { type: "choice"; choices: string[] }
  | { type: "number"; min?: number; max?: number; step: number | "any" };

/** The field for values that are described as `auto, on, off`, `true or false`, `number, 0–1`, `US dollars`, … */
export function fieldOf(kind: string): SettingFieldKind {
  if (kind === "true or false") return { type: "choice", choices: ["true", "false"] };
  if (/^[\w-]+(, [\w-]+)+$/.test(kind)) return { type: "choice", choices: kind.split(", ") };
  if (kind === "US dollars") return { type: "number", min: 0, step: "any" };
  const range = /^number(?:, ([\d.]+)–([\d.]+)| from ([\d.]+))$/.exec(kind);
  if (!range) return { type: "text" };
  const [min, max] = [Number(range[1] ?? range[3]), range[2] === undefined ? undefined : Number(range[2])];
  // A number from 0 to 1 is a share, such as a confidence; the others are whole numbers.
  return { type: "number", min, max, step: max === 1 ? "any" : 1 };
}
