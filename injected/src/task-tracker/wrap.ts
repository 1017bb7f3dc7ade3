// Functions of the page's world are replaced by proxies of themselves, before the page sees them.

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

/** The prototype that a global has; nothing to wrap where the browser does not have it. */
export const prototypeOf = (holder: string): object => (window as any)[holder]?.prototype ?? {};
