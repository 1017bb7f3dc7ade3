// Runs in the page's own world, before the page does. It counts what the page has put off since the last action (timers,
// frames, idle callbacks), so that settling can wait for exactly that and for nothing else; and it lets closed shadow
// roots be read. It says nothing unless asked, by an event whose name nobody else knows.
//
// Counted is what the action set off: callbacks asked for since it began, by code that is not itself a callback from
// before. A page that polls for ever is therefore at rest. Chains are followed for a bounded time.

import { begin, briefly, pending as saving } from "./saves";
import { type Notice, type Signal, answer, eventName } from "./tracker-channel";

const KEY = "__LEGWORK_KEY__";
const signal = (name: Signal): boolean => dispatchEvent(new Event(eventName(KEY, name)));
const onNotice = (name: Notice, listener: () => void): void => addEventListener(eventName(KEY, name), listener);
const LONGEST = 1_000; // a longer timer is no part of an action's effect
const CHAIN = 1_500; // milliseconds of timers upon timers
const LINKS = 8; // timers upon timers, frames upon frames

interface Entry { epoch: number; links: number; sum: number; what: string }

// Rises with each action and each reading of the page. What runs now was set off in the generation `born`: a callback that was
// asked for in an earlier one changes the page by itself, whatever is done to it.
let generation = 0;
let born: number | null = null;

let epoch = 0;
let waiting = false;
// What runs now: code that the action set off, so many links down the chain; or, foreign, an older callback.
let foreign = false;
let links = 0;
let sum = 0;
const pending = new Map<string, Entry>();

function notify(): void {
  if (waiting && pending.size === 0) {
    waiting = false;
    signal("idle");
  }
}

function entered(what: string, delay: number): Entry | null {
  if (foreign || delay > LONGEST || links >= LINKS || sum + delay > CHAIN) return null;
  return { epoch, links: links + 1, sum: sum + delay, what };
}

// Runs a callback, remembering whether the action set it off.
function run(entry: Entry | null, asked: number, callback: Function, self: unknown, args: unknown[]): unknown {
  endTask();
  const before: [boolean, number, number] = [foreign, links, sum];
  const outer = born;
  born = asked;
  const own = asked < generation && outer === null;
  if (own) beginOwn(isOfHover(asked));
  const ours = entry !== null && entry.epoch === epoch;
  foreign = !ours;
  if (ours) [links, sum] = [entry.links, entry.sum];
  try {
    return Reflect.apply(callback, self, args);
  } finally {
    [foreign, links, sum] = before;
    if (own) trail();
    else born = outer;
    notify();
  }
}

// While what an earlier callback set off runs, changes are the page's own. It may go on after the callback: in microtasks
// (`await`, Vue), when an answer comes that it asked for, or with a message to the page itself (React).
const HOPS = 12; // microtasks upon microtasks that are followed
const then = Promise.prototype.then;
const resolved = Promise.resolve();
let owns = 0;
function beginOwn(hover = false): void {
  if (owns++ === 0) signal(hover ? "hover" : "own");
}
function endOwn(): void {
  if (--owns === 0) signal("owned");
}
// Nothing but microtasks runs until then, so that `born` is theirs.
function trail(): void {
  let hops = 0;
  const hop = (): void => {
    if (++hops < HOPS) return void Reflect.apply(then, resolved, [hop]);
    born = null;
    endOwn();
  };
  hop();
}

// A press needs the pointer to come first, and pages answer to that as well: with a tooltip, a menu, a chat window. What the
// listeners to its coming change, and what they put off, was set off between the last generation and this one: it is no effect of
// the press. Where nothing but the pointer's coming was asked for, it is the effect.
const HOVER = ["over", "enter", "move", "out", "leave"].flatMap((name) => ["pointer" + name, "mouse" + name]);
const isOfHover = (asked: number): boolean => !Number.isInteger(asked);
let presses = false;
let hovering = false;
let following = false;
// Another task has begun: listeners to the pointer's coming, or to a message, have run.
function endTask(): void {
  if (!hovering && !following) return;
  hovering = following = false;
  born = null;
  endOwn();
}
for (const type of HOVER)
  addEventListener(type, (event) => {
    if (!presses || hovering || !event.isTrusted) return;
    endTask();
    hovering = true;
    born = generation - 0.5;
    beginOwn(true);
    // The events of one move, and microtasks of their listeners, come before any task.
    later(endTask, 0);
  }, { capture: true, passive: true });
// How many events of a press or a key there were.
let inputs = 0;
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "keydown"])
  addEventListener(type, (event) => {
    if (event.isTrusted) inputs++;
    endTask();
  }, { capture: true, passive: true });

function wrap<T extends object>(name: string, apply: (target: Function, self: unknown, args: any[]) => unknown, on: object = window): void {
  const original = (on as any)[name];
  if (typeof original !== "function") return;
  (on as any)[name] = new Proxy(original, { apply });
}

const later = window.setTimeout.bind(window);
const { port1: near, port2: far } = new MessageChannel();
const send = near.postMessage;
far.onmessage = endTask;
const IDLE = 300; // a busy machine may have no idle moment for seconds; what can wait that long is not what was asked for

// A save that an action set off may be put off for longer than settling follows: a close waits for it. Notices mostly stay for
// three seconds and more, saves are put off for less. A timer that fires again and again without an action polls.
const SAVE = 2_500;
// What is put off while a field is being edited is a save that waits for the typing to end: no notice is shown then.
const EDIT_SAVE = 10_000;
const EDITS = new Set(["beforeinput", "input", "change", "keydown", "keyup", "paste", "blur", "focusout"]);
const longestSave = (): number => (EDITS.has(window.event?.type ?? "") ? EDIT_SAVE : SAVE);
const sourceOf = Function.prototype.toString;
const fired = new Map<string, { times: number; epochs: number; epoch: number }>();
const nameOf = (callback: Function, delay: number): string => delay + " " + Reflect.apply(sourceOf, callback, []).slice(0, 300);
function recurs(name: string): boolean {
  const known = fired.get(name);
  return known !== undefined && known.times - known.epochs >= 2;
}
function note(name: string): void {
  const known = fired.get(name) ?? { times: 0, epochs: 0, epoch: -1 };
  known.times++;
  if (known.epoch !== epoch) [known.epoch, known.epochs] = [epoch, known.epochs + 1];
  if (fired.size < 500) fired.set(name, known);
}
const unfired = new Map<string, () => void>();
function putOff(id: string, name: string, delay: number): void {
  // Before the first action nothing is an action's doing; and what is put off during the close itself goes on with it only
  // when it belongs to what is waited for.
  const longest = longestSave();
  if (foreign || epoch === 0 || delay > longest || sum + delay > longest || (flushing && links === 0) || recurs(name)) return;
  unfired.set(id, begin("what the page put off for " + delay + " ms"));
}
function noLonger(id: string): void {
  unfired.get(id)?.();
  unfired.delete(id);
}
let flushing = false;
answer(KEY, "saves", () => {
  flushing = true;
  return saving();
});

function wrapOnce(asking: string, cancelling: string, delayOf: (args: any[]) => number): void {
  wrap(asking, (target, self, args) => {
    const callback = args[0];
    if (typeof callback !== "function") return Reflect.apply(target, self, args);
    const delay = delayOf(args);
    const entry = entered(asking, delay);
    const asked = born ?? generation;
    let id: string;
    const name = asking === "setTimeout" && delay <= EDIT_SAVE ? nameOf(callback, delay) : "";
    args[0] = function (this: unknown, ...given: unknown[]) {
      pending.delete(id);
      if (name !== "") note(name);
      try {
        return run(entry, asked, callback, this, given);
      } finally {
        noLonger(id);
      }
    };
    const handle = Reflect.apply(target, self, args);
    id = asking + handle;
    if (entry) pending.set(id, entry);
    if (name !== "") putOff(id, name, delay);
    if (entry && asking === "requestIdleCallback") later(() => (pending.delete(id), notify()), IDLE);
    return handle;
  });
  wrap(cancelling, (target, self, args) => {
    pending.delete(asking + args[0]);
    noLonger(asking + args[0]);
    notify();
    return Reflect.apply(target, self, args);
  });
}

wrapOnce("setTimeout", "clearTimeout", (args) => Number(args[1]) || 0);
wrapOnce("requestAnimationFrame", "cancelAnimationFrame", () => 16);
wrapOnce("requestIdleCallback", "cancelIdleCallback", () => 0);

// An interval counts for its first ticks: what shows something step by step, not what polls.
wrap("setInterval", (target, self, args) => {
  const callback = args[0];
  if (typeof callback !== "function") return Reflect.apply(target, self, args);
  const delay = Number(args[1]) || 0;
  const entry = delay <= 300 ? entered("setInterval", delay) : null;
  const asked = born ?? generation;
  let id: string;
  let ticks = 0;
  args[0] = function (this: unknown, ...given: unknown[]) {
    if (++ticks >= 3) pending.delete(id);
    return run(entry, asked, callback, this, given);
  };
  const handle = Reflect.apply(target, self, args);
  id = "setInterval" + handle;
  if (entry) pending.set(id, entry);
  return handle;
});
wrap("clearInterval", (target, self, args) => {
  pending.delete("setInterval" + args[0]);
  pending.delete("setTimeout" + args[0]);
  noLonger("setTimeout" + args[0]);
  notify();
  return Reflect.apply(target, self, args);
});

// What comes back later without being counted above: messages, answers of other threads and of the browser, what the next
// frame tells. Such a page gets a moment more; one that did none of this is at rest as soon as its own code has run.
let stirred = false;
let watchful = false;
const copyOf = Response.prototype.clone;
const readAll = Response.prototype.arrayBuffer;
const stirs = (holder: string, ...names: string[]): void => {
  const on = (window as any)[holder]?.prototype ?? (window as any)[holder];
  if (on === undefined) return;
  for (const name of names)
    wrap(name, (target, self, args) => {
      stirred = true;
      return Reflect.apply(target, self, args);
    }, on);
};
stirs("window", "fetch", "postMessage", "createImageBitmap", "showOpenFilePicker", "showSaveFilePicker");
stirs("XMLHttpRequest", "send");
stirs("Blob", "arrayBuffer", "text");
stirs("FileReader", "readAsArrayBuffer", "readAsDataURL", "readAsText");
stirs("MessagePort", "postMessage");
stirs("BroadcastChannel", "postMessage");
stirs("Scheduler", "postTask", "yield");
stirs("History", "back", "forward", "go");
stirs("HTMLMediaElement", "play", "pause", "load");
stirs("HTMLImageElement", "decode");
stirs("HTMLDialogElement", "show", "showModal", "close");
stirs("HTMLElement", "showPopover", "hidePopover", "togglePopover", "scrollTo", "scrollBy", "scrollIntoView");
stirs("Element", "animate");
stirs("Document", "startViewTransition", "hasStorageAccess", "requestStorageAccess");
stirs("IDBFactory", "databases");
stirs("CacheStorage", "open", "match", "has", "delete", "keys");
stirs("SubtleCrypto", "digest", "encrypt", "decrypt", "sign", "verify", "deriveBits", "deriveKey", "generateKey", "importKey", "exportKey");
stirs("Clipboard", "read", "readText", "write", "writeText");
stirs("Permissions", "query");
stirs("LockManager", "request");
stirs("Geolocation", "getCurrentPosition");
stirs("FontFaceSet", "load");
// A body that the page does not read never arrives, although it may say that a change was refused: a copy of it is read.
const LARGEST = 64 * 1024;
wrap("fetch", (target, self, args) => {
  const promise = Reflect.apply(target, self, args);
  const method = String(args[1]?.method ?? (args[0] instanceof Request ? args[0].method : "GET")).toUpperCase();
  if (method === "GET" || method === "HEAD" || !(promise instanceof Promise)) return promise;
  const read = (response: Response): void => {
    try {
      const bytes = Number(response.headers.get("content-length") ?? 0);
      if (!/json|text\/plain/.test(response.headers.get("content-type") ?? "") || bytes > LARGEST) return;
      const body = Reflect.apply(readAll, Reflect.apply(copyOf, response, []), []) as Promise<unknown>;
      Reflect.apply(then, body, [undefined, () => {}]);
    } catch {} // opaque, or read already
  };
  Reflect.apply(then, promise, [read, () => {}]);
  return promise;
});
// What comes of an answer has the cause of its request.
function follow(on: object, name: string): void {
  wrap(name, (target, self, args) => {
    const asked = born ?? generation;
    const promise = Reflect.apply(target, self, args);
    const answered = () => {
      endTask();
      if (asked >= generation || born !== null) return;
      born = asked;
      beginOwn(isOfHover(asked));
      trail();
    };
    // First of all that wait for it.
    if (promise instanceof Promise) Reflect.apply(then, promise, [answered, answered]);
    return promise;
  }, on);
}
follow(window, "fetch");
for (const name of ["arrayBuffer", "blob", "formData", "json", "text"]) follow(Response.prototype, name);
wrap("open", (target, self, args) => {
  const asked = born ?? generation;
  const request = self as XMLHttpRequest;
  const answered = () => {
    endTask();
    if (request.readyState !== 4) return;
    request.removeEventListener("readystatechange", answered);
    if (asked >= generation) return;
    // Listeners of several events follow.
    beginOwn(isOfHover(asked));
    later(endOwn, 0);
  };
  request.addEventListener("readystatechange", answered);
  return Reflect.apply(target, self, args);
}, XMLHttpRequest.prototype);
// A message of the page to itself has the cause of what sent it. Each port remembers the causes of the messages that are on their way
// to it, in order: there is no order between messages of different ports. A page that sends itself one message for all that it has
// to do (React) does what a press asked for with it as well: after a press in between, the message is of no earlier cause.
interface Cause { born: number; inputs: number }
const MOST_CAUSES = 1_000;
const peers = new WeakMap<object, MessagePort>();
const causes = new WeakMap<object, (Cause | null)[]>();
function watchPort(port: MessagePort, peer: MessagePort): void {
  const queue: (Cause | null)[] = [];
  peers.set(peer, port);
  causes.set(port, queue);
  // The first listener, for the page has none yet.
  port.addEventListener("message", () => {
    endTask();
    const cause = queue.shift();
    if (!cause || cause.inputs !== inputs) return;
    following = true;
    born = cause.born;
    beginOwn(isOfHover(cause.born));
    // It comes when the page's listeners have run.
    Reflect.apply(send, near, [null]);
  });
}
window.MessageChannel = new Proxy(MessageChannel, {
  construct(target, args, created) {
    const channel = Reflect.construct(target, args, created) as MessageChannel;
    watchPort(channel.port1, channel.port2);
    watchPort(channel.port2, channel.port1);
    return channel;
  },
});
wrap("postMessage", (target, self, args) => {
  const sent = Reflect.apply(target, self, args);
  const to = peers.get(self as object);
  const queue = to && causes.get(to);
  // Messages to a port that was handed on arrive elsewhere.
  if (queue && queue.length >= MOST_CAUSES) causes.delete(to);
  else queue?.push(born !== null && born < generation ? { born, inputs } : null);
  return sent;
}, MessagePort.prototype);
// Who is written to may answer: a worker with what it found out, a server (Phoenix, Blazor, Vaadin) with the page's next
// state, a database with what it holds.
const ANSWER = 500;
let letters = 0;
/** Counts an answer that is on its way until the function returned is called, for at most [`ANSWER`]; nothing if it does not count. */
function expectAnswer(of: string, over: () => void = () => {}): (() => void) | undefined {
  stirred = true;
  const entry = entered("an answer of a " + of, ANSWER);
  if (entry === null) return undefined;
  const id = "letter" + ++letters;
  const answered = () => {
    over();
    // The page's own listeners have run by then.
    later(() => (pending.delete(id), notify()), 0);
  };
  pending.set(id, entry);
  later(answered, ANSWER);
  return answered;
}
function awaits(holder: string, name: string, answers: string[], of: (self: EventTarget, returned: unknown) => EventTarget): void {
  wrap(name, (target, self, args) => {
    const returned = Reflect.apply(target, self, args);
    const answerer = of(self as EventTarget, returned);
    const answered = expectAnswer(holder, () => {
      for (const type of answers) answerer.removeEventListener(type, answered!);
    });
    if (answered) for (const type of answers) answerer.addEventListener(type, answered);
    return returned;
  }, (window as any)[holder]?.prototype ?? {});
}
// The browser tells that a response has ended before the page has read all of it.
for (const name of ["arrayBuffer", "blob", "formData", "json", "text"])
  wrap(name, (target, self, args) => {
    const body = Reflect.apply(target, self, args);
    const read = expectAnswer("Response");
    if (read && body instanceof Promise) Reflect.apply(then, body, [read, read]);
    return body;
  }, Response.prototype);
awaits("Worker", "postMessage", ["message", "error"], (self) => self);
// A worker says itself what it is at, once it has the message: it may have to start first, or to end what it is at.
wrap("postMessage", (target, self, args) => {
  // Messages that are sent without an action are no action's doing, and a page that sends them for ever would never be closed.
  if (!foreign && epoch > 0 && !(flushing && links === 0)) briefly("a message to a worker", ANSWER);
  return Reflect.apply(target, self, args);
}, (window as any).Worker?.prototype ?? {});
awaits("WebSocket", "send", ["message", "close"], (self) => self);
for (const name of ["open", "deleteDatabase"]) awaits("IDBFactory", name, ["success", "error", "blocked"], (_, request) => request as EventTarget);
for (const name of ["get", "getAll", "put", "add", "delete", "clear", "count", "openCursor"])
  awaits("IDBObjectStore", name, ["success", "error"], (_, request) => request as EventTarget);
// A service worker that is written to, or asked to sync, starts first; from then on it says itself what it is at.
const STARTS = 300;
for (const [holder, name] of [["ServiceWorker", "postMessage"], ["SyncManager", "register"]])
  wrap(name, (target, self, args) => {
    stirred = true;
    briefly("a message to the service worker", STARTS);
    return Reflect.apply(target, self, args);
  }, (window as any)[holder]?.prototype ?? {});
// These tell of what the next frame shows, for as long as they watch.
for (const holder of ["ResizeObserver", "IntersectionObserver"])
  wrap("observe", (target, self, args) => {
    watchful = true;
    return Reflect.apply(target, self, args);
  }, (window as any)[holder]?.prototype ?? {});
// What the browser itself does later about an event.
const LATER = "a[href],area[href],summary,[popovertarget],[commandfor],video,audio";
// Of what is in a shadow root that markup closed, nothing is seen here but its host.
const HOSTS = /-|^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
const sealed = (node: unknown): boolean =>
  node instanceof Element && HOSTS.test(node.localName) && (node.localName.includes("-") || !/\S/.test(node.textContent!));
addEventListener("submit", () => (stirred = true), { capture: true });
addEventListener("scroll", () => (stirred = true), { capture: true, passive: true });
for (const type of ["click", "keydown"])
  addEventListener(type, (event) => {
    const path = event.composedPath();
    stirred ||= sealed(path[0]) || path.some((node) => node instanceof Element && node.matches(LATER));
  }, { capture: true });

// Windows that were opened since the action began by code that was put off before: they are not its doing. What is told of them
// are their addresses.
let strays: string[] = [];
const opens = (address: () => string | null | undefined): void => {
  stirred = true;
  if (!foreign || strays.length >= 50) return;
  try {
    strays.push(new URL(address() || "about:blank", document.baseURI).href);
  } catch {}
};
const link = (node: unknown): string | undefined => (node instanceof Element ? (node.closest("a[href],area[href]") as HTMLAnchorElement | null)?.href : undefined);
wrap("open", (target, self, args) => {
  opens(() => String(args[0] ?? ""));
  return Reflect.apply(target, self, args);
});
for (const name of ["submit", "requestSubmit"])
  wrap(name, (target, self, args) => {
    opens(() => (self as HTMLFormElement).action);
    return Reflect.apply(target, self, args);
  }, HTMLFormElement.prototype);

// A link that downloads says nothing on the wire for a moment: the browser tells of the download once it has begun.
let saved = 0;
let clicks: Event[] = [];
const saves = (node: unknown): boolean => node instanceof HTMLAnchorElement && node.hasAttribute("download") && node.hasAttribute("href");
addEventListener("click", (event) => event.composedPath().some(saves) && clicks.push(event), { capture: true });
// Scripts save with links that are in no document, whose clicks nobody hears.
wrap("click", (target, self, args) => {
  if (saves(self) && !(self as Node).isConnected) saved++;
  if (foreign && link(self)) opens(() => link(self));
  return Reflect.apply(target, self, args);
}, HTMLElement.prototype);
wrap("dispatchEvent", (target, self, args) => {
  if (foreign && args[0]?.type === "click" && link(self)) opens(() => link(self));
  const went = Reflect.apply(target, self, args);
  if (went && args[0]?.type === "click" && saves(self) && !(self as Node).isConnected) saved++;
  return went;
}, EventTarget.prototype);

// An action begins: what is under way already is not its doing.
onNotice("arm", () => {
  saved = 0;
  clicks = [];
  stirred = false;
  strays = [];
  flushing = false;
  endTask();
  presses = false;
  epoch++;
  generation++;
  pending.clear();
  waiting = false;
});
// The action is a press.
onNotice("press", () => (presses = true));
onNotice("read", () => void generation++);
// How much is put off, what is being saved, and may more come than was counted?
answer(KEY, "tasks", () => {
  waiting = pending.size > 0;
  const downloads = saved + clicks.filter((click) => !click.defaultPrevented).length;
  const what = waiting ? pending.values().next().value!.what : "";
  return { pending: pending.size, downloads, calm: !stirred && !watchful, what };
});
answer(KEY, "strays", () => strays);

// A closed root is made open and told to the page as closed: then the world beside the page's can read it without asking the
// debugger for each. The page sees `shadowRoot === null` and `mode === "closed"`, as it ordered.
const closed = new WeakSet<object>();
wrap("attachShadow", (target, self, args) => {
  const init = args[0];
  if (init === null || typeof init !== "object" || init.mode !== "closed") return Reflect.apply(target, self, args);
  const root = Reflect.apply(target, self, [{ ...init, mode: "open" }]) as ShadowRoot;
  closed.add(self as object).add(root);
  return root;
}, Element.prototype);
function conceal(on: object, name: string, instead: unknown): void {
  const property = Object.getOwnPropertyDescriptor(on, name);
  if (!property?.get) return;
  const get = new Proxy(property.get, {
    apply: (target, self, args) => (closed.has(self) ? instead : Reflect.apply(target, self, args)),
  });
  Object.defineProperty(on, name, { ...property, get });
}
conceal(Element.prototype, "shadowRoot", null);
conceal(ShadowRoot.prototype, "mode", "closed");
export {};
