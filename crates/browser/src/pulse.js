// Generated from injected/src by `cargo xtask generate`; do not edit.
"use strict";
(() => {
  // src/pulse.ts
  var KEY = "__LEGWORK_KEY__";
  var generation = 0, born = null, epoch = 0, waiting = !1, foreign = !1, links = 0, sum = 0, pending = /* @__PURE__ */ new Map();
  function notify() {
    waiting && pending.size === 0 && (waiting = !1, dispatchEvent(new Event(KEY + "-idle")));
  }
  function entered(what, delay) {
    return foreign || delay > 1e3 || links >= 8 || sum + delay > 1500 ? null : { epoch, links: links + 1, sum: sum + delay, what };
  }
  function run(entry, asked, callback, self, args) {
    let before = [foreign, links, sum], outer = born;
    born = asked;
    let own = asked < generation && outer === null;
    own && dispatchEvent(new Event(KEY + "-own"));
    let ours = entry !== null && entry.epoch === epoch;
    foreign = !ours, ours && ([links, sum] = [entry.links, entry.sum]);
    try {
      return Reflect.apply(callback, self, args);
    } finally {
      [foreign, links, sum] = before, born = outer, own && dispatchEvent(new Event(KEY + "-owned")), notify();
    }
  }
  function wrap(name, apply, on = window) {
    let original = on[name];
    typeof original == "function" && (on[name] = new Proxy(original, { apply }));
  }
  var later = window.setTimeout.bind(window), IDLE = 300;
  function wrapOnce(asking, cancelling, delayOf) {
    wrap(asking, (target, self, args) => {
      let callback = args[0];
      if (typeof callback != "function") return Reflect.apply(target, self, args);
      let delay = delayOf(args), entry = entered(asking, delay), asked = born ?? generation, id;
      args[0] = function(...given) {
        return pending.delete(id), run(entry, asked, callback, this, given);
      };
      let handle = Reflect.apply(target, self, args);
      return id = asking + handle, entry && pending.set(id, entry), entry && asking === "requestIdleCallback" && later(() => (pending.delete(id), notify()), IDLE), handle;
    }), wrap(cancelling, (target, self, args) => (pending.delete(asking + args[0]), notify(), Reflect.apply(target, self, args)));
  }
  wrapOnce("setTimeout", "clearTimeout", (args) => Number(args[1]) || 0);
  wrapOnce("requestAnimationFrame", "cancelAnimationFrame", () => 16);
  wrapOnce("requestIdleCallback", "cancelIdleCallback", () => 0);
  wrap("setInterval", (target, self, args) => {
    let callback = args[0];
    if (typeof callback != "function") return Reflect.apply(target, self, args);
    let delay = Number(args[1]) || 0, entry = delay <= 300 ? entered("setInterval", delay) : null, asked = born ?? generation, id, ticks = 0;
    args[0] = function(...given) {
      return ++ticks >= 3 && pending.delete(id), run(entry, asked, callback, this, given);
    };
    let handle = Reflect.apply(target, self, args);
    return id = "setInterval" + handle, entry && pending.set(id, entry), handle;
  });
  wrap("clearInterval", (target, self, args) => (pending.delete("setInterval" + args[0]), pending.delete("setTimeout" + args[0]), notify(), Reflect.apply(target, self, args)));
  var stirred = !1, watchful = !1, stirs = (holder, ...names) => {
    let on = window[holder]?.prototype ?? window[holder];
    if (on !== void 0)
      for (let name of names)
        wrap(name, (target, self, args) => (stirred = !0, Reflect.apply(target, self, args)), on);
  };
  stirs("window", "open", "fetch", "postMessage", "createImageBitmap", "showOpenFilePicker", "showSaveFilePicker");
  stirs("XMLHttpRequest", "send");
  stirs("Response", "arrayBuffer", "blob", "formData", "json", "text");
  stirs("Blob", "arrayBuffer", "text");
  stirs("FileReader", "readAsArrayBuffer", "readAsDataURL", "readAsText");
  stirs("MessagePort", "postMessage");
  stirs("BroadcastChannel", "postMessage");
  stirs("Scheduler", "postTask", "yield");
  stirs("History", "back", "forward", "go");
  stirs("HTMLFormElement", "submit");
  stirs("HTMLMediaElement", "play", "pause", "load");
  stirs("HTMLImageElement", "decode");
  stirs("HTMLDialogElement", "show", "showModal", "close");
  stirs("HTMLElement", "showPopover", "hidePopover", "togglePopover", "scrollTo", "scrollBy", "scrollIntoView");
  stirs("Element", "animate");
  stirs("Document", "startViewTransition", "hasStorageAccess", "requestStorageAccess");
  stirs("IDBFactory", "databases");
  stirs("CacheStorage", "open", "match", "has", "delete", "keys");
  stirs("SubtleCrypto", "digest", "encrypt", "decrypt", "sign", "verify", "deriveBits", "deriveKey", "generateKey", "importKey", "exportKey");
  stirs("Clipboard", "read", "readText", "write", "writeText");
  stirs("Permissions", "query");
  stirs("LockManager", "request");
  stirs("Geolocation", "getCurrentPosition");
  stirs("FontFaceSet", "load");
  var ANSWER = 500, letters = 0;
  function awaits(holder, name, answers, of) {
    wrap(name, (target, self, args) => {
      stirred = !0;
      let returned = Reflect.apply(target, self, args), entry = entered("an answer of a " + holder, ANSWER);
      if (entry) {
        let id = "letter" + ++letters, answerer = of(self, returned), answered = () => {
          later(() => (pending.delete(id), notify()), 0);
          for (let type of answers) answerer.removeEventListener(type, answered);
        };
        pending.set(id, entry);
        for (let type of answers) answerer.addEventListener(type, answered);
        later(answered, ANSWER);
      }
      return returned;
    }, window[holder]?.prototype ?? {});
  }
  awaits("Worker", "postMessage", ["message", "error"], (self) => self);
  awaits("WebSocket", "send", ["message", "close"], (self) => self);
  for (let name of ["open", "deleteDatabase"]) awaits("IDBFactory", name, ["success", "error", "blocked"], (_, request) => request);
  for (let name of ["get", "getAll", "put", "add", "delete", "clear", "count", "openCursor"])
    awaits("IDBObjectStore", name, ["success", "error"], (_, request) => request);
  for (let holder of ["ResizeObserver", "IntersectionObserver"])
    wrap("observe", (target, self, args) => (watchful = !0, Reflect.apply(target, self, args)), window[holder]?.prototype ?? {});
  var LATER = "a[href],area[href],summary,[popovertarget],[commandfor],video,audio", HOSTS = /-|^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/, sealed = (node) => node instanceof Element && HOSTS.test(node.localName) && (node.localName.includes("-") || !/\S/.test(node.textContent));
  addEventListener("submit", () => stirred = !0, { capture: !0 });
  addEventListener("scroll", () => stirred = !0, { capture: !0, passive: !0 });
  for (let type of ["click", "keydown"])
    addEventListener(type, (event) => {
      let path = event.composedPath();
      stirred || (stirred = sealed(path[0]) || path.some((node) => node instanceof Element && node.matches(LATER)));
    }, { capture: !0 });
  var saved = 0, clicks = [], saves = (node) => node instanceof HTMLAnchorElement && node.hasAttribute("download") && node.hasAttribute("href");
  addEventListener("click", (event) => event.composedPath().some(saves) && clicks.push(event), { capture: !0 });
  wrap("click", (target, self, args) => (saves(self) && !self.isConnected && saved++, Reflect.apply(target, self, args)), HTMLElement.prototype);
  wrap("dispatchEvent", (target, self, args) => {
    let went = Reflect.apply(target, self, args);
    return went && args[0]?.type === "click" && saves(self) && !self.isConnected && saved++, went;
  }, EventTarget.prototype);
  addEventListener(KEY + "-arm", () => {
    saved = 0, clicks = [], stirred = !1, epoch++, generation++, pending.clear(), waiting = !1;
  });
  addEventListener(KEY + "-read", () => void generation++);
  addEventListener(KEY + "-ask", () => {
    waiting = pending.size > 0;
    let downloads = saved + clicks.filter((click) => !click.defaultPrevented).length, what = waiting ? pending.values().next().value.what : "";
    dispatchEvent(new CustomEvent(KEY + "-answer", { detail: pending.size + " " + downloads + " " + (stirred || watchful ? "stirred" : "calm") + " " + what }));
  });
  var closed = /* @__PURE__ */ new WeakSet();
  wrap("attachShadow", (target, self, args) => {
    let init = args[0];
    if (init === null || typeof init != "object" || init.mode !== "closed") return Reflect.apply(target, self, args);
    let root = Reflect.apply(target, self, [{ ...init, mode: "open" }]);
    return closed.add(self).add(root), root;
  }, Element.prototype);
  function conceal(on, name, instead) {
    let property = Object.getOwnPropertyDescriptor(on, name);
    if (!property?.get) return;
    let get = new Proxy(property.get, {
      apply: (target, self, args) => closed.has(self) ? instead : Reflect.apply(target, self, args)
    });
    Object.defineProperty(on, name, { ...property, get });
  }
  conceal(Element.prototype, "shadowRoot", null);
  conceal(ShadowRoot.prototype, "mode", "closed");
})();
