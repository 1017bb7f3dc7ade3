// Numbers in a readable form. The server supplies the texts about a run.

/** A duration: `38 ms`, `1.2 s`, `3 min 05 s`. */
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

/** A number of tokens: `812`, `14.2k`, `1.3M`. */
export function tokens(count: number): string {
  if (count < 1e3) return String(Math.round(count));
  return count < 1e6 ? `${(count / 1e3).toFixed(1)}k` : `${(count / 1e6).toFixed(1)}M`;
}

/** A cost: `$0.0137`, `$4.20`; `unknown` if it is not known. */
export function money(usd: number | null | undefined): string {
  if (usd == null) return "unknown";
  return usd !== 0 && Math.abs(usd) < 1 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`;
}

export const percent = (part: number) => `${Math.round(part * 100)} %`;

/** A text about an element without its ref, which means something to the program only: `textbox "Name" [e12]`. */
export const withoutRefs = (text: string): string => text.replace(/(["”\w]) \[e\d+\](?=$|[\s,.;:)])/g, "$1");
