// Generated from injected/src by `cargo xtask generate`; do not edit.
"use strict";
(() => {
  // src/saves.ts
  var later = globalThis.setTimeout.bind(globalThis), scope = globalThis, saves = /* @__PURE__ */ new Map(), sockets = /* @__PURE__ */ new Set(), full = /* @__PURE__ */ new WeakSet(), last = 0;
  function begin(what) {
    let id = ++last;
    return saves.set(id, what), () => saves.delete(id);
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
    let request = Reflect.apply(target, self, args), end2 = begin("the opening of the database " + args[0]);
    for (let type of ["success", "error", "blocked"]) request.addEventListener(type, () => later(end2, 0));
    return request;
  });
  replace(scope.IDBDatabase?.prototype, "transaction", (target, self, args) => {
    let transaction = Reflect.apply(target, self, args);
    if (transaction.mode !== "readonly") {
      let end2 = begin("a database transaction of " + self.name);
      for (let type of ["complete", "abort"]) transaction.addEventListener(type, () => later(end2, 0));
    }
    return transaction;
  });
  replace(scope.WebSocket?.prototype, "send", (target, self, args) => (sockets.add(self), Reflect.apply(target, self, args)));

  // src/tracker-channel.ts
  var LIST = {
    encode: (list) => list.join(`
`),
    decode: (text) => text.split(`
`).filter((line) => line !== "")
  }, TASKS = {
    encode: ({ pending: pending3, downloads, leaves, calm, what }) => [pending3, downloads, leaves ? 1 : 0, calm ? 1 : 0, what].join(" "),
    decode: (text) => {
      let [pending3, downloads, leaves, calm, ...what] = text.split(" ");
      return {
        pending: Number(pending3),
        downloads: Number(downloads),
        leaves: leaves === "1",
        calm: calm === "1",
        what: what.join(" ")
      };
    }
  }, CODECS = { tasks: TASKS, saves: LIST, strays: LIST }, eventName = (key, event) => key + "-" + event, questionName = (key, question) => key + "-ask-" + question, answerName = (key, question) => key + "-answer-" + question;
  function answer(key, question, value) {
    addEventListener(
      questionName(key, question),
      () => dispatchEvent(new CustomEvent(answerName(key, question), { detail: CODECS[question].encode(value()) }))
    );
  }
  var TEXT = "editor-text";
  function answerText(key, textOf) {
    addEventListener(
      key + "-ask-" + TEXT,
      (event) => {
        let text = textOf(event.composedPath()[0]);
        text !== null && dispatchEvent(new CustomEvent(key + "-answer-" + TEXT, { detail: text }));
      },
      { capture: !0 }
    );
  }

  // src/task-tracker/state.ts
  var KEY = "__LEGWORK_KEY__", signal = (name) => dispatchEvent(new Event(eventName(KEY, name))), onNotice = (name, listener) => addEventListener(eventName(KEY, name), listener), tracker = {
    /** Incremented with each action and each capture. */
    generation: 0,
    /**
     * The generation in which the current code was scheduled. A callback from an earlier generation changes the page by
     * itself, regardless of actions. Null outside of callbacks.
     */
    born: null,
    /** Incremented with each action. */
    epoch: 0,
    /**
     * Whether the current code is a callback that the action did not cause. Otherwise, `links` is its position in the
     * chain of callbacks, and `sum` the total delay of the chain in milliseconds.
     */
    foreign: !1,
    links: 0,
    sum: 0,
    /** Whether the script in the isolated world waits until nothing is pending. */
    waiting: !1,
    /** Whether a flush is in progress. */
    flushing: !1,
    /** Whether the page did something since the action began that may have later effects. */
    stirred: !1,
    /** Whether the page observes what the next frame shows. */
    watchful: !1,
    /** The number of press and key events. */
    inputs: 0,
    /** Whether the action is a press. */
    presses: !1
  }, LONGEST = 1e3, CHAIN = 1500, LINKS = 8, pending2 = /* @__PURE__ */ new Map();
  function notify() {
    tracker.waiting && pending2.size === 0 && (tracker.waiting = !1, signal("idle"));
  }
  function end(id) {
    pending2.delete(id), notify();
  }
  function entered(what, delay) {
    let { epoch, foreign, links, sum } = tracker;
    return foreign || delay > LONGEST || links >= LINKS || sum + delay > CHAIN ? null : { epoch, links: links + 1, sum: sum + delay, what };
  }

  // src/task-tracker/wrap.ts
  function wrap(name, apply, on = window) {
    let original = on[name];
    typeof original == "function" && (on[name] = new Proxy(original, { apply }));
  }
  var later2 = window.setTimeout.bind(window), promiseThen = Promise.prototype.then, prototypeOf = (holder) => window[holder]?.prototype ?? {};

  // src/task-tracker/causes.ts
  var HOPS = 12, resolved = Promise.resolve(), owns = 0;
  function beginOwn(hover = !1) {
    owns++ === 0 && signal(hover ? "hover" : "own");
  }
  function endOwn() {
    --owns === 0 && signal("owned");
  }
  function trail() {
    let hops = 0, hop = () => {
      if (++hops < HOPS) return void Reflect.apply(promiseThen, resolved, [hop]);
      tracker.born = null, endOwn();
    };
    hop();
  }
  var HOVER = ["over", "enter", "move", "out", "leave"].flatMap((name) => ["pointer" + name, "mouse" + name]), isOfHover = (asked) => !Number.isInteger(asked), hovering = !1, following = !1;
  function endTask() {
    !hovering && !following || (hovering = following = !1, tracker.born = null, endOwn());
  }
  for (let type of HOVER)
    addEventListener(
      type,
      (event) => {
        !tracker.presses || hovering || !event.isTrusted || (endTask(), hovering = !0, tracker.born = tracker.generation - 0.5, beginOwn(!0), later2(endTask, 0));
      },
      { capture: !0, passive: !0 }
    );
  for (let type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "keydown"])
    addEventListener(
      type,
      (event) => {
        event.isTrusted && tracker.inputs++, endTask();
      },
      { capture: !0, passive: !0 }
    );
  function followMessage(born) {
    following = !0, tracker.born = born, beginOwn(isOfHover(born)), Reflect.apply(send, near, [null]);
  }
  var { port1: near, port2: far } = new MessageChannel(), send = near.postMessage;
  far.onmessage = endTask;

  // src/task-tracker/deferred-saves.ts
  var SAVE = 2500, EDIT_SAVE = 1e4, EDITS = /* @__PURE__ */ new Set(["beforeinput", "input", "change", "keydown", "keyup", "paste", "blur", "focusout"]), longestSave = () => EDITS.has(window.event?.type ?? "") ? EDIT_SAVE : SAVE, sourceOf = Function.prototype.toString, fired = /* @__PURE__ */ new Map(), nameOf = (callback, delay) => delay + " " + Reflect.apply(sourceOf, callback, []).slice(0, 300);
  function recurs(name) {
    let known3 = fired.get(name);
    return known3 !== void 0 && known3.times - known3.epochs >= 2;
  }
  function noteFired(name) {
    let known3 = fired.get(name) ?? { times: 0, epochs: 0, epoch: -1 };
    known3.times++, known3.epoch !== tracker.epoch && ([known3.epoch, known3.epochs] = [tracker.epoch, known3.epochs + 1]), fired.size < 500 && fired.set(name, known3);
  }
  var unfired = /* @__PURE__ */ new Map();
  function putOff(id, name, delay) {
    let longest = longestSave();
    tracker.foreign || tracker.epoch === 0 || delay > longest || tracker.sum + delay > longest || tracker.flushing && tracker.links === 0 || recurs(name) || unfired.set(id, begin("what the page put off for " + delay + " ms"));
  }
  function noLonger(id) {
    unfired.get(id)?.(), unfired.delete(id);
  }
  answer(KEY, "saves", () => (tracker.flushing = !0, pending()));

  // src/task-tracker/timers.ts
  var IDLE = 300;
  function run(entry, asked, callback, self, args) {
    endTask();
    let before = [tracker.foreign, tracker.links, tracker.sum], outer = tracker.born;
    tracker.born = asked;
    let own = asked < tracker.generation && outer === null;
    own && beginOwn(isOfHover(asked));
    let ours = entry !== null && entry.epoch === tracker.epoch;
    tracker.foreign = !ours, ours && ([tracker.links, tracker.sum] = [entry.links, entry.sum]);
    try {
      return Reflect.apply(callback, self, args);
    } finally {
      [tracker.foreign, tracker.links, tracker.sum] = before, own ? trail() : tracker.born = outer, notify();
    }
  }
  function wrapOnce(asking, cancelling, delayOf) {
    wrap(asking, (target, self, args) => {
      let callback = args[0];
      if (typeof callback != "function") return Reflect.apply(target, self, args);
      let delay = delayOf(args), entry = entered(asking, delay), asked = tracker.born ?? tracker.generation, id, name = asking === "setTimeout" && delay <= EDIT_SAVE ? nameOf(callback, delay) : "";
      args[0] = function(...given) {
        pending2.delete(id), name !== "" && noteFired(name);
        try {
          return run(entry, asked, callback, this, given);
        } finally {
          noLonger(id);
        }
      };
      let handle = Reflect.apply(target, self, args);
      return id = asking + handle, entry && pending2.set(id, entry), name !== "" && putOff(id, name, delay), entry && asking === "requestIdleCallback" && later2(() => end(id), IDLE), handle;
    }), wrap(cancelling, (target, self, args) => (pending2.delete(asking + args[0]), noLonger(asking + args[0]), notify(), Reflect.apply(target, self, args)));
  }
  wrapOnce("setTimeout", "clearTimeout", (args) => Number(args[1]) || 0);
  wrapOnce("requestAnimationFrame", "cancelAnimationFrame", () => 16);
  wrapOnce("requestIdleCallback", "cancelIdleCallback", () => 0);
  wrap("setInterval", (target, self, args) => {
    let callback = args[0];
    if (typeof callback != "function") return Reflect.apply(target, self, args);
    let delay = Number(args[1]) || 0, entry = delay <= 300 ? entered("setInterval", delay) : null, asked = tracker.born ?? tracker.generation, id, ticks = 0;
    args[0] = function(...given) {
      return ++ticks >= 3 && pending2.delete(id), run(entry, asked, callback, this, given);
    };
    let handle = Reflect.apply(target, self, args);
    return id = "setInterval" + handle, entry && pending2.set(id, entry), handle;
  });
  wrap("clearInterval", (target, self, args) => (pending2.delete("setInterval" + args[0]), pending2.delete("setTimeout" + args[0]), noLonger("setTimeout" + args[0]), notify(), Reflect.apply(target, self, args)));

  // src/task-tracker/activity.ts
  var stirs = (holder, ...names) => {
    let on = window[holder]?.prototype ?? window[holder];
    if (on !== void 0)
      for (let name of names)
        wrap(
          name,
          (target, self, args) => (tracker.stirred = !0, Reflect.apply(target, self, args)),
          on
        );
  };
  stirs("window", "fetch", "postMessage", "createImageBitmap", "showOpenFilePicker", "showSaveFilePicker");
  stirs("XMLHttpRequest", "send");
  stirs("Blob", "arrayBuffer", "text");
  stirs("FileReader", "readAsArrayBuffer", "readAsDataURL", "readAsText");
  stirs("MessagePort", "postMessage");
  stirs("BroadcastChannel", "postMessage");
  stirs("Scheduler", "postTask", "yield");
  stirs("History", "back", "forward", "go");
  stirs("HTMLMediaElement", "play", "pause", "load");
  stirs("HTMLImageElement", "decode");
  stirs("HTMLDialogElement", "show", "showModal", "close");
  stirs("HTMLElement", "showPopover", "hidePopover", "togglePopover", "scrollTo", "scrollBy", "scrollIntoView");
  stirs("Element", "animate");
  stirs("Document", "startViewTransition", "hasStorageAccess", "requestStorageAccess");
  stirs("IDBFactory", "databases");
  stirs("CacheStorage", "open", "match", "has", "delete", "keys");
  stirs(
    "SubtleCrypto",
    "digest",
    "encrypt",
    "decrypt",
    "sign",
    "verify",
    "deriveBits",
    "deriveKey",
    "generateKey",
    "importKey",
    "exportKey"
  );
  stirs("Clipboard", "read", "readText", "write", "writeText");
  stirs("Permissions", "query");
  stirs("LockManager", "request");
  stirs("Geolocation", "getCurrentPosition");
  stirs("FontFaceSet", "load");
  for (let holder of ["ResizeObserver", "IntersectionObserver"])
    wrap(
      "observe",
      (target, self, args) => (tracker.watchful = !0, Reflect.apply(target, self, args)),
      prototypeOf(holder)
    );
  var LATER = "a[href],area[href],summary,[popovertarget],[commandfor],video,audio", HOSTS = /-|^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/, sealed = (node) => node instanceof Element && HOSTS.test(node.localName) && (node.localName.includes("-") || !/\S/.test(node.textContent));
  addEventListener("submit", () => tracker.stirred = !0, { capture: !0 });
  addEventListener("scroll", () => tracker.stirred = !0, { capture: !0, passive: !0 });
  for (let type of ["click", "keydown"])
    addEventListener(
      type,
      (event) => {
        var _a;
        let path = event.composedPath();
        (_a = tracker).stirred || (_a.stirred = sealed(path[0]) || path.some((node) => node instanceof Element && node.matches(LATER)));
      },
      { capture: !0 }
    );

  // src/task-tracker/responses.ts
  var copyOf = Response.prototype.clone, readAll = Response.prototype.arrayBuffer, LARGEST = 64 * 1024;
  wrap("fetch", (target, self, args) => {
    let promise = Reflect.apply(target, self, args), method = String(args[1]?.method ?? (args[0] instanceof Request ? args[0].method : "GET")).toUpperCase();
    return method === "GET" || method === "HEAD" || !(promise instanceof Promise) || Reflect.apply(promiseThen, promise, [(response) => {
      try {
        let bytes = Number(response.headers.get("content-length") ?? 0);
        if (!/json|text\/plain/.test(response.headers.get("content-type") ?? "") || bytes > LARGEST) return;
        let body = Reflect.apply(readAll, Reflect.apply(copyOf, response, []), []);
        Reflect.apply(promiseThen, body, [void 0, () => {
        }]);
      } catch {
      }
    }, () => {
    }]), promise;
  });
  function follow(on, name) {
    wrap(
      name,
      (target, self, args) => {
        let asked = tracker.born ?? tracker.generation, promise = Reflect.apply(target, self, args), answered = () => {
          endTask(), !(asked >= tracker.generation || tracker.born !== null) && (tracker.born = asked, beginOwn(isOfHover(asked)), trail());
        };
        return promise instanceof Promise && Reflect.apply(promiseThen, promise, [answered, answered]), promise;
      },
      on
    );
  }
  follow(window, "fetch");
  for (let name of ["arrayBuffer", "blob", "formData", "json", "text"]) follow(Response.prototype, name);
  wrap(
    "open",
    (target, self, args) => {
      let asked = tracker.born ?? tracker.generation, request = self, answered = () => {
        endTask(), request.readyState === 4 && (request.removeEventListener("readystatechange", answered), !(asked >= tracker.generation) && (beginOwn(isOfHover(asked)), later2(endOwn, 0)));
      };
      return request.addEventListener("readystatechange", answered), Reflect.apply(target, self, args);
    },
    XMLHttpRequest.prototype
  );

  // src/task-tracker/messages.ts
  var MOST_CAUSES = 1e3, peers = /* @__PURE__ */ new WeakMap(), causes = /* @__PURE__ */ new WeakMap();
  function watchPort(port, peer) {
    let queue = [];
    peers.set(peer, port), causes.set(port, queue), port.addEventListener("message", () => {
      endTask();
      let cause = queue.shift();
      !cause || cause.inputs !== tracker.inputs || followMessage(cause.born);
    });
  }
  window.MessageChannel = new Proxy(MessageChannel, {
    construct(target, args, created) {
      let channel = Reflect.construct(target, args, created);
      return watchPort(channel.port1, channel.port2), watchPort(channel.port2, channel.port1), channel;
    }
  });
  wrap(
    "postMessage",
    (target, self, args) => {
      let sent = Reflect.apply(target, self, args), { born, generation, inputs } = tracker, to = peers.get(self), queue = to && causes.get(to);
      return queue && queue.length >= MOST_CAUSES ? causes.delete(to) : queue?.push(born !== null && born < generation ? { born, inputs } : null), sent;
    },
    MessagePort.prototype
  );

  // src/task-tracker/answers.ts
  var ANSWER = 500, letters = 0;
  function expectAnswer(of, over = () => {
  }) {
    tracker.stirred = !0;
    let entry = entered("an answer of a " + of, ANSWER);
    if (entry === null) return;
    let id = "letter" + ++letters, answered = () => {
      over(), later2(() => end(id), 0);
    };
    return pending2.set(id, entry), later2(answered, ANSWER), answered;
  }
  function awaits(holder, name, answers, of) {
    wrap(
      name,
      (target, self, args) => {
        let returned = Reflect.apply(target, self, args), answerer = of(self, returned), answered = expectAnswer(holder, () => {
          for (let type of answers) answerer.removeEventListener(type, answered);
        });
        if (answered) for (let type of answers) answerer.addEventListener(type, answered);
        return returned;
      },
      prototypeOf(holder)
    );
  }
  for (let name of ["arrayBuffer", "blob", "formData", "json", "text"])
    wrap(
      name,
      (target, self, args) => {
        let body = Reflect.apply(target, self, args), read = expectAnswer("Response");
        return read && body instanceof Promise && Reflect.apply(promiseThen, body, [read, read]), body;
      },
      Response.prototype
    );
  awaits("Worker", "postMessage", ["message", "error"], (self) => self);
  wrap(
    "postMessage",
    (target, self, args) => (!tracker.foreign && tracker.epoch > 0 && !(tracker.flushing && tracker.links === 0) && briefly("a message to a worker", ANSWER), Reflect.apply(target, self, args)),
    prototypeOf("Worker")
  );
  awaits("WebSocket", "send", ["message", "close"], (self) => self);
  for (let name of ["open", "deleteDatabase"])
    awaits("IDBFactory", name, ["success", "error", "blocked"], (_, request) => request);
  for (let name of ["get", "getAll", "put", "add", "delete", "clear", "count", "openCursor"])
    awaits("IDBObjectStore", name, ["success", "error"], (_, request) => request);
  var STARTS = 300;
  for (let [holder, name] of [
    ["ServiceWorker", "postMessage"],
    ["SyncManager", "register"]
  ])
    wrap(
      name,
      (target, self, args) => (tracker.stirred = !0, briefly("a message to the service worker", STARTS), Reflect.apply(target, self, args)),
      prototypeOf(holder)
    );

  // src/task-tracker/windows.ts
  var strays = [], opens = (address) => {
    if (tracker.stirred = !0, !(!tracker.foreign || strays.length >= 50))
      try {
        strays.push(new URL(address() || "about:blank", document.baseURI).href);
      } catch {
      }
  }, link = (node) => node instanceof Element ? node.closest("a[href],area[href]")?.href : void 0;
  wrap("open", (target, self, args) => (opens(() => String(args[0] ?? "")), Reflect.apply(target, self, args)));
  for (let name of ["submit", "requestSubmit"])
    wrap(
      name,
      (target, self, args) => (opens(() => self.action), Reflect.apply(target, self, args)),
      HTMLFormElement.prototype
    );
  var saved = 0, clicks = [], saves2 = (node) => node instanceof HTMLAnchorElement && node.hasAttribute("download") && node.hasAttribute("href");
  addEventListener("click", (event) => event.composedPath().some(saves2) && clicks.push(event), { capture: !0 });
  wrap(
    "click",
    (target, self, args) => (saves2(self) && !self.isConnected && saved++, tracker.foreign && link(self) && opens(() => link(self)), Reflect.apply(target, self, args)),
    HTMLElement.prototype
  );
  wrap(
    "dispatchEvent",
    (target, self, args) => {
      tracker.foreign && args[0]?.type === "click" && link(self) && opens(() => link(self));
      let went = Reflect.apply(target, self, args);
      return went && args[0]?.type === "click" && saves2(self) && !self.isConnected && saved++, went;
    },
    EventTarget.prototype
  );
  var followed = [], leads = (node) => !(node instanceof HTMLAnchorElement) || !/^https?:$/.test(node.protocol) || saves2(node) ? !1 : /^(_self|_top)?$/i.test(node.target || document.querySelector("base[target]")?.target || ""), withoutFragment = (address) => address.split("#")[0];
  addEventListener(
    "click",
    (click) => {
      let link2 = click.composedPath().find(leads), opensTab = click.ctrlKey || click.metaKey || click.shiftKey || click.altKey;
      link2 && !opensTab && window === top && followed.push({ click, address: link2.href });
    },
    { capture: !0 }
  );
  var leavesPage = () => followed.some(
    ({ click, address }) => !click.defaultPrevented && withoutFragment(address) !== withoutFragment(location.href)
  ), countDownloads = () => saved + clicks.filter((click) => !click.defaultPrevented).length;
  function forgetOpened() {
    saved = 0, clicks = [], followed = [], strays = [];
  }
  answer(KEY, "strays", () => strays);

  // src/task-tracker/shadow-roots.ts
  var closed = /* @__PURE__ */ new WeakSet();
  wrap(
    "attachShadow",
    (target, self, args) => {
      let init = args[0];
      if (init === null || typeof init != "object" || init.mode !== "closed") return Reflect.apply(target, self, args);
      let root = Reflect.apply(target, self, [{ ...init, mode: "open" }]);
      return closed.add(self).add(root), root;
    },
    Element.prototype
  );
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

  // src/task-tracker/delegated-clicks.ts
  var hosts = /* @__PURE__ */ new Set(), known = /* @__PURE__ */ new WeakSet(), reported = /* @__PURE__ */ new WeakSet();
  function noteHost(target) {
    (target instanceof Element || target instanceof Document) && (known.has(target) || hosts.size >= 1e3 || (known.add(target), hosts.add(new WeakRef(target))));
  }
  function reportDelegated(types, report) {
    let data = window.jQuery?._data;
    if (typeof data != "function") return;
    let [selectors, elements] = [0, 0];
    for (let reference of hosts) {
      let host = reference.deref();
      if (host === void 0) hosts.delete(reference);
      else
        for (let selector of selectorsOf(data, host, types)) {
          if (++selectors > 100) return;
          for (let element of matching(host, selector))
            if (!reported.has(element)) {
              if (++elements > 2e3) return;
              reported.add(element), report(element);
            }
        }
    }
  }
  function selectorsOf(data, host, types) {
    let selectors = /* @__PURE__ */ new Set();
    try {
      let events = data(host, "events");
      for (let type of types)
        for (let { selector } of events?.[type] ?? []) typeof selector == "string" && selectors.add(selector);
    } catch {
    }
    return selectors;
  }
  function matching(host, selector) {
    try {
      return host.querySelectorAll(selector);
    } catch {
      return [];
    }
  }

  // src/task-tracker/click-listeners.ts
  var TYPES = /* @__PURE__ */ new Set(["click", "dblclick", "mousedown", "pointerdown"]), MOST = 1e4, dispatch = EventTarget.prototype.dispatchEvent, listens = (element) => Reflect.apply(dispatch, element, [new Event(eventName(KEY, "listens"), { composed: !0 })]), waiting = [], known2 = /* @__PURE__ */ new WeakSet();
  function note(target) {
    !(target instanceof Element) || known2.has(target) || waiting.length >= MOST || (known2.add(target), waiting.push(new WeakRef(target)));
  }
  wrap(
    "addEventListener",
    (target, self, args) => (TYPES.has(args[0]) && args[1] != null && (note(self), noteHost(self)), Reflect.apply(target, self, args)),
    EventTarget.prototype
  );
  for (let holder of [HTMLElement.prototype, SVGElement.prototype])
    for (let type of TYPES) {
      let property = Object.getOwnPropertyDescriptor(holder, "on" + type);
      if (!property?.set) continue;
      let set = new Proxy(property.set, {
        apply(target, self, args) {
          return args[0] != null && note(self), Reflect.apply(target, self, args);
        }
      });
      Object.defineProperty(holder, "on" + type, { ...property, set });
    }
  onNotice("read", () => {
    if (reportDelegated(TYPES, listens), waiting.length === 0) return;
    let later3 = [];
    for (let reference of waiting) {
      let element = reference.deref();
      element?.isConnected ? listens(element) : element !== void 0 && later3.push(reference);
    }
    waiting = later3;
  });

  // src/task-tracker/editor-text.ts
  var READERS = [
    (editor) => editor.env?.editor?.getValue(),
    // Ace
    (editor) => editor.CodeMirror?.getValue(),
    // CodeMirror 5
    (editor) => {
      let content = editor.querySelector(".cm-content");
      return (content?.cmView?.rootView?.view ?? content?.cmView?.view ?? content?.cmTile?.root?.view)?.state.doc.toString();
    },
    (editor) => (window.monaco?.editor?.getEditors?.() ?? []).find((one) => one.getDomNode() === editor)?.getValue()
  ];
  answerText(KEY, (editor) => {
    for (let read of READERS)
      try {
        let text = read(editor);
        if (typeof text == "string") return text;
      } catch {
      }
    return null;
  });

  // src/task-tracker.ts
  onNotice("arm", () => {
    forgetOpened(), tracker.stirred = !1, tracker.flushing = !1, endTask(), tracker.presses = !1, tracker.epoch++, tracker.generation++, pending2.clear(), tracker.waiting = !1;
  });
  onNotice("press", () => tracker.presses = !0);
  onNotice("read", () => void tracker.generation++);
  answer(KEY, "tasks", () => {
    tracker.waiting = pending2.size > 0;
    let what = tracker.waiting ? pending2.values().next().value.what : "", calm = !tracker.stirred && !tracker.watchful;
    return { pending: pending2.size, downloads: countDownloads(), leaves: leavesPage(), calm, what };
  });
})();
