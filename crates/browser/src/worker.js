// Generated from injected/src by `cargo xtask generate`; do not edit.
"use strict";
(() => {
  // src/saves.ts
  var later = globalThis.setTimeout.bind(globalThis), scope = globalThis, saves = /* @__PURE__ */ new Map(), sockets = /* @__PURE__ */ new Set(), full = /* @__PURE__ */ new WeakSet(), last = 0;
  function begin(what) {
    let id = ++last;
    return saves.set(id, what), () => saves.delete(id);
  }
  function during(what, promise) {
    let end = begin(what);
    Promise.resolve(promise).then(end, end);
  }
  function briefly(what, ms) {
    later(begin(what), ms);
  }
  function pending() {
    let told = [...saves.values()];
    for (let socket of sockets)
      socket.readyState >= WebSocket.CLOSING ? sockets.delete(socket) : socket.bufferedAmount === 0 ? (sockets.delete(socket), full.delete(socket) && briefly("the last data of a WebSocket", 100)) : told.push(full.add(socket) && socket.bufferedAmount + " bytes not sent on the WebSocket " + socket.url);
    return told;
  }
  function replace(on, name, apply) {
    let original = on?.[name];
    typeof original == "function" && (on[name] = new Proxy(original, { apply }));
  }
  replace(scope.IDBFactory?.prototype, "open", (target, self, args) => {
    let request = Reflect.apply(target, self, args), end = begin("the opening of the database " + args[0]);
    for (let type of ["success", "error", "blocked"]) request.addEventListener(type, () => later(end, 0));
    return request;
  });
  replace(scope.IDBDatabase?.prototype, "transaction", (target, self, args) => {
    let transaction = Reflect.apply(target, self, args);
    if (transaction.mode !== "readonly") {
      let end = begin("a database transaction of " + self.name);
      for (let type of ["complete", "abort"]) transaction.addEventListener(type, () => later(end, 0));
    }
    return transaction;
  });
  replace(scope.WebSocket?.prototype, "send", (target, self, args) => (sockets.add(self), Reflect.apply(target, self, args)));

  // src/worker.ts
  var KEY = "__LEGWORK_KEY__", scope2 = globalThis, writes = (method) => !/^(get|head|options)$/i.test(String(method ?? "get"));
  replace(scope2, "fetch", (target, self, args) => {
    let answer = Reflect.apply(target, self, args), method = args[1]?.method ?? args[0]?.method;
    return writes(method) && during("a " + method + " of a worker to " + (args[0]?.url ?? args[0]), answer), answer;
  });
  var methods = /* @__PURE__ */ new WeakMap();
  replace(scope2.XMLHttpRequest?.prototype, "open", (target, self, args) => (methods.set(self, String(args[0])), Reflect.apply(target, self, args)));
  replace(scope2.XMLHttpRequest?.prototype, "send", (target, self, args) => {
    let method = methods.get(self);
    return writes(method) && self.addEventListener("loadend", begin("a " + method + " of a worker")), Reflect.apply(target, self, args);
  });
  replace(scope2.ExtendableEvent?.prototype, "waitUntil", (target, self, args) => {
    let type = self.type;
    return type !== "install" && type !== "activate" && during("a " + type + " event of a service worker", args[0]), Reflect.apply(target, self, args);
  });
  Object.defineProperty(scope2, KEY, { value: pending });
})();
