// Resolves the target of a call to one element, or to the reason for which there is none.

import { element as byNumber } from "./capture-registry";
import { describe, findAll, near } from "./find";
import type { ElementQuery, NotActionable, Query } from "./generated";

/** All elements that match a query. */
export function findEvery(query: Query): Element[] | NotActionable {
  let found: Element[];
  try {
    found = findAll(query);
  } catch (error) {
    return { reason: "invalid_selector", message: String((error as Error).message) };
  }
  return found.length > 0 ? found : { reason: "not_found", candidates: near(query) };
}

/**
 * The element of a target. `fits` chooses among several matches: a text that names a field may also stand elsewhere.
 */
export function locate(target: ElementQuery, fits?: (element: Element) => boolean): Element | NotActionable {
  if ("element" in target) {
    const found = byNumber(target.element);
    // An element of a frame that has navigated is still connected, but to a document that is no longer shown.
    return found?.ownerDocument.defaultView ? found : { reason: "stale" };
  }
  const found = findEvery("nth" in target ? target.nth.query : target.query);
  if (!Array.isArray(found)) return found;
  if ("nth" in target) {
    const nth = found.at(target.nth.nth);
    return nth ?? { reason: "not_found", candidates: found.slice(0, 5).map(describe) };
  }
  const fitting = found.length > 1 && fits !== undefined ? found.filter(fits) : [];
  if (fitting.length === 1) return fitting[0];
  if (found.length > 1)
    return { reason: "ambiguous", count: found.length, candidates: found.slice(0, 5).map(describe) };
  return found[0];
}
