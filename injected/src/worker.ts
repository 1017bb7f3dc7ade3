// Runs in workers and service workers before they do, so that a close can wait for what they are handing on. The requests of
// pages are told of by the browser; those of workers are counted here, as far as they write.

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
// Installing and activating may load a whole application, which nobody has asked for yet.
replace(scope.ExtendableEvent?.prototype, "waitUntil", (target, self, args) => {
  const type = (self as Event).type;
  if (type !== "install" && type !== "activate") during("a " + type + " event of a service worker", args[0]);
  return Reflect.apply(target, self, args);
});
Object.defineProperty(scope, KEY, { value: pending });
