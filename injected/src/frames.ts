// Converts positions in a child frame to positions in the view of this world.

import { element as byNumber } from "./capture-registry";
import type * as Bridge from "./generated";
import { boxInFrame, frameOf, insideOf } from "./geometry";
import { type Hit, hitIn, obstacle } from "./hit";

export async function frameOffset({ element, x, y }: Bridge.FrameOffset): Promise<Bridge.FramePoint> {
  const frame = byNumber(element);
  if (!frame) return { covered: { by: "nothing: the frame is gone" } };
  const hit = await offsetInView(frame as HTMLElement, x, y);
  return "by" in hit ? { covered: { by: hit.by } } : { point: hit };
}

export function frameBox({
  element,
  x,
  y,
  width,
  height,
}: Bridge.FrameBox): Bridge.PageScript["calls"]["frameBox"]["result"] {
  const frame = byNumber(element);
  return frame ? boxInFrame(frame as HTMLElement, x, y, width, height) : null;
}

/** The position of a point of a child frame's content in this view, or what covers the frame there. */
async function offsetInView(frame: HTMLElement, x: number, y: number): Promise<Hit> {
  for (const block of [null, "center"] as const) {
    if (block !== null) {
      frame.scrollIntoView({ block, behavior: "instant" });
      // The browser chooses the process that receives the press by the last drawn frame, so the scrolled page must be
      // drawn first.
      for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    let owner = frame;
    let [px, py] = [x, y];
    for (;;) {
      const inside = insideOf(owner);
      [px, py] = [inside.x + px * inside.scale, inside.y + py * inside.scale];
      const hit = hitIn(owner.ownerDocument, px, py);
      if (hit !== owner) {
        if (block === null) break;
        return { by: hit === null ? "the edge of the view" : obstacle(hit) };
      }
      const next = frameOf(owner.ownerDocument);
      if (next === null) return { x: px, y: py };
      owner = next;
    }
  }
  return { by: "the edge of the view" };
}
