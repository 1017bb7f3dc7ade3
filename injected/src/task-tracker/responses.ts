// Responses: their bodies are read even if the page does not read them, and their effects have the cause of the
// request.

import { beginOwn, endOwn, endTask, isOfHover, trail } from "./causes";
import { tracker } from "./state";
import { later, promiseThen, wrap } from "./wrap";

const copyOf = Response.prototype.clone;
const readAll = Response.prototype.arrayBuffer;
// The browser does not receive a body that the page does not read, although it may state that a change was refused. A
// copy of it is therefore read.
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
      Reflect.apply(promiseThen, body, [undefined, () => {}]);
    } catch {} // opaque, or already read
  };
  Reflect.apply(promiseThen, promise, [read, () => {}]);
  return promise;
});

// The effects of a response have the cause of its request.
function follow(on: object, name: string): void {
  wrap(
    name,
    (target, self, args) => {
      const asked = tracker.born ?? tracker.generation;
      const promise = Reflect.apply(target, self, args);
      const answered = () => {
        endTask();
        if (asked >= tracker.generation || tracker.born !== null) return;
        tracker.born = asked;
        beginOwn(isOfHover(asked));
        trail();
      };
      // This runs before all other handlers of the promise.
      if (promise instanceof Promise) Reflect.apply(promiseThen, promise, [answered, answered]);
      return promise;
    },
    on,
  );
}
follow(window, "fetch");
for (const name of ["arrayBuffer", "blob", "formData", "json", "text"]) follow(Response.prototype, name);
wrap(
  "open",
  (target, self, args) => {
    const asked = tracker.born ?? tracker.generation;
    const request = self as XMLHttpRequest;
    const answered = () => {
      endTask();
      if (request.readyState !== 4) return;
      request.removeEventListener("readystatechange", answered);
      if (asked >= tracker.generation) return;
      // Several listeners may follow in the same task.
      beginOwn(isOfHover(asked));
      later(endOwn, 0);
    };
    request.addEventListener("readystatechange", answered);
    return Reflect.apply(target, self, args);
  },
  XMLHttpRequest.prototype,
);
