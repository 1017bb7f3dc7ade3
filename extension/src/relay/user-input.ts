// What a person does in a tab while Legwork works there. The browser marks the input of both as trusted. So the page
// side reports when an input was, and it is the person's if Legwork was sending no input of that kind at that moment:
// the browser answers a command for an input only when the page has handled it. A person's click during Legwork's own
// is not noticed, and Legwork's is never taken for a person's.
//
// Movements and the wheel do not count, nor do keys that only modify others: a person who watches makes them.

export type InputKind = "mouse" | "key";

/** The function in the isolated world by which it reports, and the name of the world. */
export const BINDING = "legworkUserInput";
const WORLD = "legwork-user-input";

/** The clocks of the page and of the service worker are the same, but each is rounded. */
const MARGIN_MS = 25;
/** How long ended intervals are remembered: a report arrives at most this much later. */
const MEMORY_MS = 10_000;

interface Interval {
  kind: InputKind;
  from: number;
  to?: number;
}

/**
 * Runs in the isolated world of each document: reports input, and removes frames of other extensions. It is sent as
 * text, so it uses nothing from outside.
 */
function listen(binding: string): void {
  const world = globalThis as unknown as Record<string, (report: string) => void>;
  const modifiers = ["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock", "Fn"];
  const report = (kind: string) => (event: Event) => {
    if (!event.isTrusted || modifiers.includes((event as KeyboardEvent).key)) return;
    world[binding]?.(JSON.stringify({ kind, at: Date.now() }));
  };
  // The browser refuses every command of the debugger for a page with a frame of another extension. The browser shows
  // such a frame only after this script has seen it, so it is never there.
  const guard = () => {
    for (const frame of document.querySelectorAll<HTMLElement & { src?: string; data?: string }>(
      "iframe,frame,object,embed",
    ))
      if (/^chrome-extension:/i.test(frame.src || frame.data || "")) frame.remove();
  };
  const attributeFilter = ["src", "data"];
  new MutationObserver(guard).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter });
  guard();
  addEventListener("pointerdown", report("mouse"), { capture: true, passive: true });
  addEventListener("keydown", report("key"), { capture: true, passive: true });
}

/** The kind of input that a command causes. */
export function inputKind(method: string): InputKind | undefined {
  if (method === "Input.dispatchKeyEvent" || method === "Input.insertText") return "key";
  return method.startsWith("Input.dispatch") ? "mouse" : undefined;
}

/** When Legwork sent input to a tab. */
export class OwnInput {
  private intervals: Interval[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Notes that an input is being sent, until the returned function is called. */
  begin(kind: InputKind): () => void {
    const interval: Interval = { kind, from: this.now() };
    const oldest = interval.from - MEMORY_MS;
    this.intervals = this.intervals.filter(({ to }) => to === undefined || to > oldest);
    this.intervals.push(interval);
    return () => {
      interval.to = this.now();
    };
  }

  /** Whether an input that a page handled at this time may be Legwork's. */
  covers(kind: InputKind, at: number): boolean {
    return this.intervals.some(
      (one) =>
        one.kind === kind && at >= one.from - MARGIN_MS && at <= (one.to ?? Number.POSITIVE_INFINITY) + MARGIN_MS,
    );
  }
}

/** Whether a report of the page side says that a person used the page. */
export function isByPerson(report: string, own: OwnInput): boolean {
  const { kind, at } = JSON.parse(report) as { kind: InputKind; at: number };
  return !own.covers(kind, at);
}

/** Lets a tab or a frame with a process of its own report input. `send` sends a command to its protocol session, in which
 * Runtime must be enabled: the function is added only then. */
export async function reportInput(send: (method: string, params: object) => Promise<unknown>): Promise<void> {
  await send("Page.addScriptToEvaluateOnNewDocument", {
    source: `(${listen.toString()})(${JSON.stringify(BINDING)})`,
    worldName: WORLD,
    runImmediately: true,
  });
  await send("Runtime.addBinding", { name: BINDING, executionContextName: WORLD });
}
