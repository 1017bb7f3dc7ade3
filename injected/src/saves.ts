// Work of a page or worker that a close would cut off: database transactions that write, unsent data of a WebSocket,
// work that a service worker was asked for, and saves that were deferred briefly. It is reported only on request.
// Shared by `task-tracker`, which runs in pages, and `worker`, which runs in workers.

const later = globalThis.setTimeout.bind(globalThis);
const scope = globalThis as any;

const saves = new Map<number, string>();
const sockets = new Set<WebSocket>();
const full = new WeakSet<WebSocket>(); // sockets that had unsent data at the last check
let last = 0;

/** Registers work that a close would cut off. The returned function ends it. */
export function begin(what: string): () => void {
  const id = ++last;
  saves.set(id, what);
  return () => saves.delete(id);
}

/** As `begin`, until a promise is settled. */
export function during(what: string, promise: unknown): void {
  const end = begin(what);
  Promise.resolve(promise).then(end, end);
}

/** As `begin`, for this many milliseconds, until the recipient has begun work that can be observed. */
export function briefly(what: string, ms: number): void {
  later(begin(what), ms);
}

/** The work in progress. */
export function pending(): string[] {
  const told = [...saves.values()];
  for (const socket of sockets) {
    if (socket.readyState >= WebSocket.CLOSING) sockets.delete(socket);
    else if (socket.bufferedAmount === 0) {
      sockets.delete(socket);
      // The data has left the page, but the browser's network process may still have it.
      if (full.delete(socket)) briefly("the last data of a WebSocket", 100);
    } else told.push(full.add(socket) && socket.bufferedAmount + " bytes not sent on the WebSocket " + socket.url);
  }
  return told;
}

export function replace(on: any, name: string, apply: (target: Function, self: unknown, args: any[]) => unknown): void {
  const original = on?.[name];
  if (typeof original === "function") on[name] = new Proxy(original, { apply });
}

replace(scope.IDBFactory?.prototype, "open", (target, self, args) => {
  const request = Reflect.apply(target, self, args) as IDBOpenDBRequest;
  const end = begin("the opening of the database " + args[0]);
  for (const type of ["success", "error", "blocked"]) request.addEventListener(type, () => later(end, 0));
  return request;
});
replace(scope.IDBDatabase?.prototype, "transaction", (target, self, args) => {
  const transaction = Reflect.apply(target, self, args) as IDBTransaction;
  if (transaction.mode !== "readonly") {
    const end = begin("a database transaction of " + (self as IDBDatabase).name);
    // The work that the page starts once the transaction is complete has begun by then.
    for (const type of ["complete", "abort"]) transaction.addEventListener(type, () => later(end, 0));
  }
  return transaction;
});
replace(scope.WebSocket?.prototype, "send", (target, self, args) => {
  sockets.add(self as WebSocket);
  return Reflect.apply(target, self, args);
});
