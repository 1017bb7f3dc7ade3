// Who is written to may answer: a worker with what it found out, a server (Phoenix, Blazor, Vaadin) with the page's next
// state, a database with what it holds.

import { briefly } from "../saves";
import { end, entered, pending, tracker } from "./state";
import { later, promiseThen, prototypeOf, wrap } from "./wrap";

const ANSWER = 500;
let letters = 0;

/** Counts an answer that is on its way until the function returned is called, for at most [`ANSWER`]; nothing if it does not count. */
function expectAnswer(of: string, over: () => void = () => {}): (() => void) | undefined {
  tracker.stirred = true;
  const entry = entered("an answer of a " + of, ANSWER);
  if (entry === null) return undefined;
  const id = "letter" + ++letters;
  const answered = () => {
    over();
    // The page's own listeners have run by then.
    later(() => end(id), 0);
  };
  pending.set(id, entry);
  later(answered, ANSWER);
  return answered;
}
function awaits(
  holder: string,
  name: string,
  answers: string[],
  of: (self: EventTarget, returned: unknown) => EventTarget,
): void {
  wrap(
    name,
    (target, self, args) => {
      const returned = Reflect.apply(target, self, args);
      const answerer = of(self as EventTarget, returned);
      const answered = expectAnswer(holder, () => {
        for (const type of answers) answerer.removeEventListener(type, answered!);
      });
      if (answered) for (const type of answers) answerer.addEventListener(type, answered);
      return returned;
    },
    prototypeOf(holder),
  );
}
// The browser tells that a response has ended before the page has read all of it.
for (const name of ["arrayBuffer", "blob", "formData", "json", "text"])
  wrap(
    name,
    (target, self, args) => {
      const body = Reflect.apply(target, self, args);
      const read = expectAnswer("Response");
      if (read && body instanceof Promise) Reflect.apply(promiseThen, body, [read, read]);
      return body;
    },
    Response.prototype,
  );
awaits("Worker", "postMessage", ["message", "error"], (self) => self);
// A worker says itself what it is at, once it has the message: it may have to start first, or to end what it is at.
wrap(
  "postMessage",
  (target, self, args) => {
    // Messages that are sent without an action are no action's doing, and a page that sends them for ever would never be closed.
    if (!tracker.foreign && tracker.epoch > 0 && !(tracker.flushing && tracker.links === 0))
      briefly("a message to a worker", ANSWER);
    return Reflect.apply(target, self, args);
  },
  prototypeOf("Worker"),
);
awaits("WebSocket", "send", ["message", "close"], (self) => self);
for (const name of ["open", "deleteDatabase"])
  awaits("IDBFactory", name, ["success", "error", "blocked"], (_, request) => request as EventTarget);
for (const name of ["get", "getAll", "put", "add", "delete", "clear", "count", "openCursor"])
  awaits("IDBObjectStore", name, ["success", "error"], (_, request) => request as EventTarget);
// A service worker that is written to, or asked to sync, starts first; from then on it says itself what it is at.
const STARTS = 300;
for (const [holder, name] of [
  ["ServiceWorker", "postMessage"],
  ["SyncManager", "register"],
])
  wrap(
    name,
    (target, self, args) => {
      tracker.stirred = true;
      briefly("a message to the service worker", STARTS);
      return Reflect.apply(target, self, args);
    },
    prototypeOf(holder),
  );
