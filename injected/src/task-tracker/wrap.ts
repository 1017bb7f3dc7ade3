// Replaces functions of the main world by proxies before the page's scripts run.

export function wrap(
  name: string,
  apply: (target: Function, self: unknown, args: any[]) => unknown,
  on: object = window,
): void {
  const original = (on as any)[name];
  if (typeof original !== "function") return;
  (on as any)[name] = new Proxy(original, { apply });
}

export const later = window.setTimeout.bind(window);
export const promiseThen = Promise.prototype.then;

/** The prototype of a global; an empty object if the browser does not have it. */
export const prototypeOf = (holder: string): object => (window as any)[holder]?.prototype ?? {};
