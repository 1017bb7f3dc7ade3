// Closed shadow roots are created as open ones, so that the isolated world can read them without asking the debugger
// for each. To the page they appear closed: `shadowRoot === null` and `mode === "closed"`.

import { wrap } from "./wrap";

const closed = new WeakSet<object>();
wrap(
  "attachShadow",
  (target, self, args) => {
    const init = args[0];
    if (init === null || typeof init !== "object" || init.mode !== "closed") return Reflect.apply(target, self, args);
    const root = Reflect.apply(target, self, [{ ...init, mode: "open" }]) as ShadowRoot;
    closed.add(self as object).add(root);
    return root;
  },
  Element.prototype,
);
function conceal(on: object, name: string, instead: unknown): void {
  const property = Object.getOwnPropertyDescriptor(on, name);
  if (!property?.get) return;
  const get = new Proxy(property.get, {
    apply: (target, self, args) => (closed.has(self) ? instead : Reflect.apply(target, self, args)),
  });
  Object.defineProperty(on, name, { ...property, get });
}
conceal(Element.prototype, "shadowRoot", null);
conceal(ShadowRoot.prototype, "mode", "closed");
