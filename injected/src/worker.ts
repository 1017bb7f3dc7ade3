// Runs in workers and service workers, from shortly after their start, so that a close can wait for their pending work.
// The browser reports the requests of pages; requests of workers are counted here if they write.

import { begin, during, pending, replace } from "./saves";

const KEY = "__LEGWORK_KEY__";
const scope = globalThis as any;
const writes = (method: unknown): boolean => !/^(get|head|options)$/i.test(String(method ?? "get"));

replace(scope, "fetch", (target, self, args) => {
  const answer = Reflect.apply(target, self, args);
  const method = args[1]?.method ?? args[0]?.method;
  if (writes(method)) during("a " + method + " of a worker to " + (args[0]?.url ?? args[0]), answer);
  return answer;
});
const methods = new WeakMap<object, string>();
replace(scope.XMLHttpRequest?.prototype, "open", (target, self, args) => {
  methods.set(self as object, String(args[0]));
  return Reflect.apply(target, self, args);
});
replace(scope.XMLHttpRequest?.prototype, "send", (target, self, args) => {
  const method = methods.get(self as object);
  if (writes(method)) (self as XMLHttpRequest).addEventListener("loadend", begin("a " + method + " of a worker"));
  return Reflect.apply(target, self, args);
});
// The `install` and `activate` events are excluded, because they may load a whole application that is not needed yet.
replace(scope.ExtendableEvent?.prototype, "waitUntil", (target, self, args) => {
  const type = (self as Event).type;
  if (type !== "install" && type !== "activate") during("a " + type + " event of a service worker", args[0]);
  return Reflect.apply(target, self, args);
});
Object.defineProperty(scope, KEY, { value: pending });
