// Differences between two texts, line by line: Myers' shortest edit script. The number of edits is limited, so that two
// pages without common lines cannot block the browser.

export interface Line {
  sign: " " | "+" | "-";
  text: string;
}

/** With more edits than this, the texts are treated as completely different. */
const MOST_EDITS = 2_000;

export function diff(before: string, after: string): Line[] {
  const a = before.split("\n");
  const b = after.split("\n");
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: string[]): Line[] => lines.map((text) => ({ sign: " ", text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function middle(a: string[], b: string[]): Line[] {
  const trail: Int32Array[] = [];
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const zero = most + 1;
  const reach = new Int32Array(2 * most + 3);
  for (let edits = 0; edits <= most; edits++) {
    trail.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[zero + k - 1]! < reach[zero + k + 1]!);
      let x = down ? reach[zero + k + 1]! : reach[zero + k - 1]! + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[zero + k] = x;
      if (x >= a.length && x - k >= b.length) return back(a, b, trail, zero);
    }
  }
  return [...a.map((text): Line => ({ sign: "-", text })), ...b.map((text): Line => ({ sign: "+", text }))];
}

/** Follows the edits back from the end. */
function back(a: string[], b: string[], trail: Int32Array[], zero: number): Line[] {
  const lines: Line[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = trail.length - 1; edits >= 0; edits--) {
    const reach = trail[edits]!;
    const k = x - y;
    const down = k === -edits || (k !== edits && reach[zero + k - 1]! < reach[zero + k + 1]!);
    const from = down ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : reach[zero + from]!;
    const fromY = edits === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      lines.push({ sign: " ", text: a[--x]! });
      y--;
    }
    if (edits === 0) break;
    if (down) lines.push({ sign: "+", text: b[--y]! });
    else lines.push({ sign: "-", text: a[--x]! });
  }
  return lines.reverse();
}

/** The changed lines with a few lines around them. A gap represents the lines that are left out. */
export function hunks(lines: Line[], around = 2): (Line | { gap: number })[] {
  const near = lines.map(() => false);
  lines.forEach((line, at) => {
    if (line.sign === " ") return;
    for (let n = Math.max(0, at - around); n <= Math.min(lines.length - 1, at + around); n++) near[n] = true;
  });
  const out: (Line | { gap: number })[] = [];
  lines.forEach((line, at) => {
    if (near[at]) out.push(line);
    else {
      const last = out.at(-1);
      if (last && "gap" in last) last.gap++;
      else out.push({ gap: 1 });
    }
  });
  return out;
}
