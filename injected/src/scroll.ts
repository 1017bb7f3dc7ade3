// Scrolls the page or an element in it.

import { element as byNumber } from "./capture-registry";
import type { Scroll } from "./generated";
import { arm } from "./settle";

export function scroll({ key, direction, screens, element }: Scroll): void {
  arm(key, window);
  let box: Element | null = element === null ? null : (byNumber(element) ?? null);
  for (; box !== null; box = box.parentElement) {
    const style = getComputedStyle(box);
    const across = direction === "left" || direction === "right";
    if (
      across
        ? box.scrollWidth > box.clientWidth && /auto|scroll/.test(style.overflowX)
        : box.scrollHeight > box.clientHeight && /auto|scroll/.test(style.overflowY)
    )
      break;
  }
  const root = box ?? document.scrollingElement ?? document.documentElement;
  const height = (box ? root.clientHeight : innerHeight) * 0.9 * screens,
    width = (box ? root.clientWidth : innerWidth) * 0.9 * screens;
  const by = (left: number, top: number) => root.scrollBy({ left, top, behavior: "instant" });
  // Some browser versions return a promise from scrolling, which is not awaited.
  if (direction === "up") by(0, -height);
  else if (direction === "down") by(0, height);
  else if (direction === "left") by(-width, 0);
  else if (direction === "right") by(width, 0);
  else root.scrollTo({ top: direction === "top" ? 0 : root.scrollHeight, behavior: "instant" });
}
