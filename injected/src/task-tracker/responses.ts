// Responses: their bodies are read even if the page does not, and what comes of them has the cause of the request.

import { beginOwn, endOwn, endTask, isOfHover, trail } from "./causes";
import { tracker } from "./state";
import { later, promiseThen, wrap } from "./wrap";

const copyOf = Response.prototype.clone;
const readAll = Response.prototype.arrayBuffer;
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
      Reflect.apply(promiseThen, body, [undefined, () => {}]);
    } catch {} // opaque, or read already
  };
  Reflect.apply(promiseThen, promise, [read, () => {}]);
  return promise;
});

// What comes of an answer has the cause of its request.
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
      // First of all that wait for it.
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
      // Listeners of several events follow.
      beginOwn(isOfHover(asked));
      later(endOwn, 0);
    };
    request.addEventListener("readystatechange", answered);
    return Reflect.apply(target, self, args);
  },
  XMLHttpRequest.prototype,
);
