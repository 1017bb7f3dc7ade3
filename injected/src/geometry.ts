// The relations of elements in the flat tree, and their positions in the view, across same-origin frames.

/** Whether a node is an element of any window. An element of a frame is not an instance of this window's `Element`. */
export const isElement = (node: unknown): node is Element => (node as Node | undefined)?.nodeType === 1;

/** The parent in the flat tree: the assigned slot, or the host of a shadow root. */
export function above(node: Node): Node | null {
  if (isElement(node) && node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  return parent !== null && parent.nodeType === 11 && (parent as ShadowRoot).host
    ? (parent as ShadowRoot).host
    : parent;
}

/** Whether `inner` is `outer` or its descendant. */
export function holds(outer: Node, inner: Node | null): boolean {
  for (let node = inner; node !== null; node = above(node)) if (node === outer) return true;
  return false;
}

/** The frame element that shows this document, if this world can access it. */
export function frameOf(document: Document): HTMLElement | null {
  try {
    return (document.defaultView?.frameElement as HTMLElement | null) ?? null;
  } catch {
    return null;
  }
}

/** The position of a frame's content in its parent's view, and its scale. */
export function insideOf(frame: HTMLElement): { x: number; y: number; scale: number } {
  const box = frame.getBoundingClientRect();
  const scale = frame.offsetWidth > 0 ? box.width / frame.offsetWidth : 1;
  const style = getComputedStyle(frame);
  const inset = (side: string) =>
    (parseFloat(style.getPropertyValue("border-" + side + "-width")) +
      parseFloat(style.getPropertyValue("padding-" + side))) *
    scale;
  return { x: box.x + inset("left"), y: box.y + inset("top"), scale };
}

/** A rectangle in a view and the size of the view, in whole pixels. */
type Box = [x: number, y: number, width: number, height: number, viewWidth: number, viewHeight: number];

/** The position of an element in the outermost view that this world can access. */
export function boxOf(element: Element): Box {
  const { x, y, width, height } = element.getBoundingClientRect();
  return outwards(element.ownerDocument, x, y, width, height);
}

/** The position of a rectangle of a frame's content in the outermost view that this world can access. */
export function boxInFrame(frame: HTMLElement, x: number, y: number, width: number, height: number): Box {
  const inside = insideOf(frame);
  return outwards(
    frame.ownerDocument,
    inside.x + x * inside.scale,
    inside.y + y * inside.scale,
    width * inside.scale,
    height * inside.scale,
  );
}

function outwards(document: Document, x: number, y: number, width: number, height: number): Box {
  const frame = frameOf(document);
  if (frame !== null) return boxInFrame(frame, x, y, width, height);
  const view = document.defaultView!;
  return [x, y, width, height, view.innerWidth, view.innerHeight].map((length) => Math.round(length) || 0) as Box;
}

/** The notation of an element in messages: `<div#consent>`. */
export function tagOf(element: Element): string {
  const id = element.id ? "#" + element.id : "";
  const classes =
    !id && typeof element.className === "string" && element.className.trim()
      ? "." + element.className.trim().split(/\s+/)[0]
      : "";
  return "<" + element.localName + id + classes + ">";
}
