// Recipients of messages that may answer: a worker with its result, a server (Phoenix, Blazor, Vaadin) with the page's
// next state, a database with its content.

import { briefly } from "../saves";
import { end, entered, pending, tracker } from "./state";
import { later, promiseThen, prototypeOf, wrap } from "./wrap";

const ANSWER = 500;
let letters = 0;

/**
 * Counts an expected answer until the returned function is called, for at most [`ANSWER`] milliseconds; undefined if
 * it does not count.
 */
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
// The browser reports the end of a response before the page has read all of it.
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
// A worker reports its own work once it has received the message. Before that, it may have to start, or to finish other
// work.
wrap(
  "postMessage",
  (target, self, args) => {
    // Messages that are sent without an action are not attributed to one; otherwise, a page that sends them constantly
    // could never be closed.
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
// A service worker that receives a message or a sync starts first; then it reports its own work.
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
