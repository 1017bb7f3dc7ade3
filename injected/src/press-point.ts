// Determines the point at which an element is pressed, or what is in the way.

import { idOf } from "./capture-registry";
import { placeOf } from "./find";
import type { Actionability, Query } from "./generated";
import { tagOf } from "./geometry";
import { hitTarget } from "./hit";
import { expectPress, setExpectedTarget } from "./press";

export function pressPoint(element: Element, what: string, press = false, query?: Query): Actionability {
  const hit = hitTarget(element, query === undefined ? null : placeOf(element, query));
  if (hit === null) return { reason: "not_visible", what };
  if ("by" in hit) {
    const inert = element.closest("[inert]");
    if (hit.through)
      return {
        reason: "not_clickable",
        what,
        why: "it has `pointer-events: none`, so that a click goes through it to " + hit.by,
      };
    if (inert !== null) return { reason: "not_clickable", what, why: "it is in " + tagOf(inert) + ", which is inert" };
    return { reason: "covered", what, by: hit.by };
  }
  setExpectedTarget(element);
  if (press) expectPress(element, what);
  return { element: idOf(element), what, point: { x: hit.x, y: hit.y } };
}
