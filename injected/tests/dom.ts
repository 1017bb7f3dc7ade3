// A document without a browser, for tests that need no layout. It must be imported before the module to test. Visible
// elements have a box of 100 × 20 pixels.

import { GlobalRegistrator } from "@happy-dom/global-registrator";

GlobalRegistrator.register({ url: "https://shop.test/orders" });

/** Whether an element and its ancestors are shown, according to their own styles. */
function isShown(element: Element, withVisibility: boolean): boolean {
  for (let up: Element | null = element; up !== null; up = up.parentElement) {
    const { display, visibility } = (up as HTMLElement).style ?? {};
    if (display === "none" || up.hasAttribute("hidden") || (withVisibility && visibility === "hidden")) return false;
  }
  return true;
}

Element.prototype.checkVisibility = function (options?: CheckVisibilityOptions) {
  return isShown(this, options?.visibilityProperty === true);
};
Element.prototype.getBoundingClientRect = function () {
  return isShown(this, false) ? new DOMRect(0, 0, 100, 20) : new DOMRect(0, 0, 0, 0);
};

// APIs that this document lacks.
document.getAnimations = () => [];
Object.defineProperty(ShadowRoot.prototype, "styleSheets", { get: () => [] });
const INLINE = /^(a|b|i|span|input|select|textarea|button|label|img)$/;
const getComputedStyle = (element: HTMLElement) => ({
  display: element.style.display || (INLINE.test(element.localName) ? "inline" : "block"),
  visibility: isShown(element, true) ? "visible" : "hidden",
  cursor: element.style.cursor || "auto",
  fontWeight: element.style.fontWeight || (element.closest("b,strong,th") ? "700" : "400"),
});
Object.assign(globalThis, { origin: location.origin, getComputedStyle });

/** Sets the content of the page. Returns its first element. */
export function show(html: string): HTMLElement {
  document.body.innerHTML = html;
  return document.body.firstElementChild as HTMLElement;
}

export const find = <T extends HTMLElement>(selector: string): T => document.querySelector<T>(selector)!;
