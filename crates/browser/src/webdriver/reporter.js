// Runs in every document, in the page's own world, because WebDriver offers no other one: as the body of a function that
// receives a random name that only this document has. It keeps what Legwork's script needs under that name and collects what
// happens in the page until it is asked.
const key = arguments[0];
const own = Object.getOwnPropertyDescriptor(window, "legwork");
const encode = JSON.stringify;
const { apply } = Reflect;
const then = Promise.prototype.then;
const MOST = 500;
const LONGEST = 64 * 1024;

// The functions of timers are those of the browser, so that the task tracker does not take Legwork's tasks for the page's.
const bound = (name) => (typeof window[name] === "function" ? window[name].bind(window) : undefined);
(function (setTimeout, clearTimeout, setInterval, clearInterval, requestAnimationFrame, cancelAnimationFrame, queueMicrotask) {
  /* bundle */
})(
  bound("setTimeout"),
  bound("clearTimeout"),
  bound("setInterval"),
  bound("clearInterval"),
  bound("requestAnimationFrame"),
  bound("cancelAnimationFrame"),
  bound("queueMicrotask"),
);
const { legwork } = window;
delete window.legwork;
if (own) Object.defineProperty(window, "legwork", own);

let events = [];
let done = [];
let dialogs = 0;
let requests = 0;
let leaving = ["", "GET"];
const note = (...event) => events.length < MOST && events.push(event);
const text = (value) => {
  try {
    return typeof value === "string" ? value : value instanceof Error ? String(value.stack ? value : value.message) : (encode(value) ?? String(value));
  } catch {
    return String(value);
  }
};
const wrap = (name, handler, on = window) => {
  const original = on?.[name];
  if (typeof original === "function") on[name] = new Proxy(original, { apply: handler });
};

const numbers = new WeakMap();
const elements = new Map();
let last = 0;
const numberOf = (element) => {
  let number = numbers.get(element);
  if (number === undefined) {
    numbers.set(element, (number = ++last));
    elements.set(number, new WeakRef(element));
  }
  return number;
};
const FRAMES = "iframe,frame,object,embed";
const frames = () => {
  if (window.length === 0) return [];
  const found = [];
  const search = (root, deep) => {
    for (const element of root.querySelectorAll(deep ? "*" : FRAMES)) {
      if (element.matches(FRAMES) && element.contentWindow) found.push(element);
      if (deep && element.shadowRoot) search(element.shadowRoot, deep);
    }
  };
  search(document, false);
  if (found.length < window.length) {
    found.length = 0;
    search(document, true);
  }
  return found.map((element) => [numberOf(element), element]);
};

const finish = (id, kind, value) => {
  let encoded = "";
  try {
    encoded = kind === "v" ? (encode(value) ?? "null") : text(value);
  } catch (error) {
    kind = "e";
    encoded = text(error);
  }
  return [id, kind, encoded];
};

const reporter = {
  legwork,
  element: (number) => elements.get(number)?.deref(),
  bodies: new Map(),
  // Evaluates, and returns the value as JSON, or that it is a promise, whose value follows with a report.
  run(id, evaluate) {
    const before = dialogs;
    let result;
    try {
      const value = evaluate();
      if ((typeof value === "object" || typeof value === "function") && value !== null && typeof value.then === "function") {
        apply(value.then, value, [(value) => done.push(finish(id, "v", value)), (error) => done.push(finish(id, "e", error))]);
        return [id, "p", ""];
      }
      result = finish(id, "v", value);
    } catch (error) {
      result = finish(id, "e", error);
    }
    // The answer was sent when the dialog opened.
    if (dialogs !== before) done.push(result);
    return result;
  },
  report() {
    // The window of a blank document may be that of the next one too.
    const isNew = reporter.document !== document;
    reporter.document = document;
    const report = { u: location.href, r: document.readyState, t: document.title, e: events, d: done, f: frames(), n: isNew, o: window.origin };
    events = [];
    done = [];
    return report;
  },
  document,
};
Object.defineProperty(window, key, { value: reporter, configurable: true });

(function () {
  /* tracker */
})();
// What opens a dialog is named in its message by a character that is not shown, because WebDriver does not name it.
for (const [name, mark] of [["alert", "\u2061"], ["confirm", "\u2062"], ["prompt", "\u2063"]])
  wrap(name, (target, self, args) => {
    dialogs++;
    args[0] = mark + (args[0] === undefined ? "" : String(args[0]));
    return apply(target, self, args);
  });
for (const [name, level] of [["debug", "debug"], ["log", "info"], ["info", "info"], ["warn", "warning"], ["error", "error"]])
  wrap(
    name,
    (target, self, args) => {
      note("console", level, args.map(text).join(" ").slice(0, LONGEST));
      return apply(target, self, args);
    },
    console,
  );
wrap("open", (target, self, args) => {
  try {
    note("open", new URL(args[0] || "about:blank", document.baseURI).href);
  } catch {}
  return apply(target, self, args);
});
wrap("fetch", (target, self, args) => {
  const id = key + "-" + ++requests;
  let method = "GET";
  let url = "";
  try {
    method = String(args[1]?.method ?? (args[0] instanceof Request ? args[0].method : "GET")).toUpperCase();
    url = new URL(args[0] instanceof Request ? args[0].url : String(args[0]), document.baseURI).href;
  } catch {}
  note("sent", id, method, url, "fetch", args[1]?.body != null);
  const promise = apply(target, self, args);
  if (!(promise instanceof Promise)) return promise;
  const answered = (response) => {
    const type = response.headers.get("content-type") ?? "";
    note("answered", id, response.status, type);
    note("ended", id, null);
    keepBody(id, method, type, response);
  };
  apply(then, promise, [answered, (error) => note("ended", id, text(error))]);
  return promise;
});
const sent = new WeakMap();
wrap(
  "open",
  (target, self, args) => {
    try {
      sent.set(self, [String(args[0]).toUpperCase(), new URL(String(args[1]), document.baseURI).href]);
    } catch {}
    return apply(target, self, args);
  },
  XMLHttpRequest.prototype,
);
wrap(
  "send",
  (target, self, args) => {
    const [method, url] = sent.get(self) ?? ["GET", ""];
    const id = key + "-" + ++requests;
    note("sent", id, method, url, "xhr", args[0] != null);
    self.addEventListener("loadend", () => {
      if (self.status === 0) return note("ended", id, "the request failed");
      const type = self.getResponseHeader("content-type") ?? "";
      note("answered", id, self.status, type);
      note("ended", id, null);
      if (method !== "GET" && (self.responseType === "" || self.responseType === "text")) keep(id, self.responseText);
    });
    return apply(target, self, args);
  },
  XMLHttpRequest.prototype,
);
// WebDriver opens no chooser for files, and does not report that a page asks for one.
const chooses = (field) => field instanceof HTMLInputElement && field.type === "file" && !field.disabled;
const chooser = (field) => note("chooser", numberOf(field), field.multiple);
addEventListener("click", (event) => event.composedPath().slice(0, 1).filter(chooses).forEach(chooser), { capture: true });
for (const name of ["click", "showPicker"])
  wrap(
    name,
    (target, self, args) => {
      if (chooses(self) && (name === "showPicker" || !self.isConnected)) chooser(self);
      return apply(target, self, args);
    },
    name === "click" ? HTMLElement.prototype : HTMLInputElement.prototype,
  );
addEventListener("error", (event) => event.message && note("console", "error", "Uncaught " + event.message, event.filename, event.lineno));
addEventListener("unhandledrejection", (event) => note("console", "error", "Uncaught (in promise) " + text(event.reason)));
// Where the page is about to go and by which method, if that is known when it is asked whether it may be left.
const submits = (form, submitter) => {
  const method = submitter?.getAttribute("formmethod") ?? form.getAttribute("method") ?? "get";
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? "";
  try {
    leaving = [new URL(action || location.href, document.baseURI).href, method.toUpperCase()];
  } catch {}
};
addEventListener("submit", (event) => event.target instanceof HTMLFormElement && submits(event.target, event.submitter), { capture: true });
wrap(
  "submit",
  (target, self, args) => {
    submits(self);
    return apply(target, self, args);
  },
  HTMLFormElement.prototype,
);
addEventListener(
  "click",
  (event) => {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href);
    if (link) leaving = [link.href, "GET"];
  },
  { capture: true },
);
addEventListener("beforeunload", () => {
  note("leaves", ...leaving);
  leaving = ["", "GET"];
});
const keep = (id, body) => {
  if (reporter.bodies.size >= 50) reporter.bodies.delete(reporter.bodies.keys().next().value);
  reporter.bodies.set(id, body.slice(0, LONGEST));
};
const keepBody = (id, method, type, response) => {
  if (method === "GET" || method === "HEAD" || !/json|text\/plain/.test(type)) return;
  try {
    apply(then, response.clone().text(), [(body) => keep(id, body), () => {}]);
  } catch {}
};
const failure = document.body;
const isErrorPage =
  location.href === "about:blank" && document.head?.childNodes.length === 0 && failure?.childNodes.length === 1 &&
  failure.firstChild.nodeType === Node.TEXT_NODE;
return {
  ...reporter.report(),
  x: isErrorPage ? failure.textContent : null,
};
