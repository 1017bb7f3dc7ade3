// The part of the page that a picture shows, and whether the page has been drawn.

import { element as byNumber } from "./capture-registry";
import type * as Bridge from "./generated";
import { arm, within } from "./settle";

/** The first paint of a new document is delayed for a moment, during which the old document stays visible. */
const FIRST_PAINT = 500;
const FRAME = 200; // milliseconds within which a page that is drawn at all has a frame

/**
 * Resolves once this document has been drawn, or after `ms`. Until then, a picture may still show the previous
 * document.
 */
function painted(ms = FIRST_PAINT): Promise<unknown> {
  const drawn = () => performance.getEntriesByName("first-contentful-paint").length > 0;
  if (drawn() || document.visibilityState === "hidden") return Promise.resolve();
  let observer: PerformanceObserver | undefined;
  const first = new Promise((resolve) => {
    observer = new PerformanceObserver(
      (list) => list.getEntriesByName("first-contentful-paint").length > 0 && resolve(true),
    );
    observer.observe({ type: "paint", buffered: true });
  });
  return within(first, ms).finally(() => observer?.disconnect());
}

export async function viewRect(): Promise<Bridge.Rect> {
  await painted();
  return { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
}

export async function pageRect({ limit }: Bridge.PageRect): Promise<Bridge.Rect> {
  await painted();
  const { scrollWidth, scrollHeight } = document.scrollingElement ?? document.documentElement;
  return { x: 0, y: 0, width: Math.min(scrollWidth, limit), height: Math.min(scrollHeight, limit) };
}

export function elementRect({ element }: Bridge.ElementRect): Bridge.Rect {
  const { x, y, width, height } = byNumber(element)!.getBoundingClientRect();
  return { x, y, width, height };
}

export const scrollPosition = (): [number, number] => [scrollX, scrollY];

export function redraw({ key }: Bridge.Redraw): Promise<boolean> {
  arm(key, window);
  return new Promise((resolve) => {
    requestAnimationFrame(() => resolve(true));
    setTimeout(resolve, FRAME, false);
  });
}
