// Accessible names that do not come from an element's content. The reader composes those from content, so that no text
// is sent twice.

const UNREAD = new Set("script style noscript template select textarea datalist head".split(" "));

/** The text of an element as a screen reader reads it, without layout. Hidden parts are included only if `hidden`. */
export function textOf(root: Element, hidden = false): string {
  let text = "";
  let node: Node | null = root;
  for (let steps = 0; node !== null && steps < 2_000 && text.length < 2_000; steps++) {
    let down: Node | null = null;
    if (node.nodeType === 3) {
      text += (node as Text).data;
    } else if (node.nodeType === 1) {
      const element = node as Element;
      // A slot has no box of its own: it shows the nodes assigned to it, or its own content.
      if (element.localName === "slot" && node !== root) {
        const assigned = (element as HTMLSlotElement).assignedNodes({ flatten: true });
        for (const shown of assigned)
          text +=
            shown.nodeType === 1
              ? " " + textOf(shown as Element, hidden) + " "
              : shown.nodeType === 3
                ? (shown as Text).data
                : "";
        if (assigned.length === 0) down = node.firstChild;
      } else if (node === root || (!UNREAD.has(element.localName) && (hidden || element.checkVisibility()))) {
        const label = node === root ? null : (element.getAttribute("aria-label") ?? element.getAttribute("alt"));
        if (label !== null) text += " " + label + " ";
        else down = node.firstChild;
        if (element.localName !== "span") text += element.localName === "b" || element.localName === "i" ? "" : " ";
      }
    }
    if (down !== null) {
      node = down;
      continue;
    }
    while (node !== root && node!.nextSibling === null) node = node!.parentNode;
    node = node === root ? null : node!.nextSibling;
  }
  return text.replace(/\s+/g, " ").trim();
}

/** The texts of the elements that `ids` lists. */
function listed(element: Element, ids: string): string {
  const root = element.getRootNode() as Document | ShadowRoot;
  const texts: string[] = [];
  for (const id of ids.split(/\s+/)) {
    const found = id && root.getElementById?.(id);
    if (found) texts.push(found.getAttribute("aria-label") ?? textOf(found, !found.checkVisibility()));
  }
  return texts.join(" ").trim();
}

/**
 * The name of an element from sources other than its content; empty if there is none. `labelled` is false if the
 * element is known to have neither `aria-label` nor `aria-labelledby`.
 */
export function givenName(element: Element, tag: string, role: string, labelled = true): string {
  if (labelled) {
    const ids = element.getAttribute("aria-labelledby");
    if (ids) {
      const name = listed(element, ids);
      if (name) return name;
    }
    const label = element.getAttribute("aria-label");
    if (label?.trim()) return label;
  }
  switch (tag) {
    case "input":
    case "select":
    case "textarea":
    case "meter":
    case "progress":
    case "output": {
      const labels = (element as HTMLInputElement).labels;
      if (labels && labels.length > 0) {
        let name = textOf(labels[0]);
        for (let i = 1; i < labels.length; i++) name += " " + textOf(labels[i]);
        if (name) return name;
      }
      const input = element as HTMLInputElement;
      if (tag === "input" && role === "button") {
        if (input.value) return input.value;
        if (input.type === "submit") return "Submit";
        if (input.type === "reset") return "Reset";
        if (input.type === "image") return input.alt || "Submit";
      }
      return (
        element.getAttribute("title") ||
        element.getAttribute("aria-placeholder") ||
        element.getAttribute("placeholder") ||
        ""
      );
    }
    case "button": {
      // A button that is drawn as a switch has no text of its own, so its labels name it.
      const labels = role === "button" ? null : (element as HTMLButtonElement).labels;
      return labels === null ? "" : Array.from(labels, (label) => textOf(label)).join(" ");
    }
    case "img":
    case "area":
      return element.getAttribute("alt") ?? element.getAttribute("title") ?? "";
    case "fieldset":
      return headed(element, "legend");
    case "table":
      return headed(element, "caption") || element.getAttribute("title") || "";
    case "svg":
      return element.firstElementChild?.localName === "title" ? (element.firstElementChild.textContent ?? "") : "";
    case "iframe":
    case "frame":
    case "section":
    case "dialog":
      return element.getAttribute("title") ?? "";
    default:
      return "";
  }
}

/** The label of a field that is named by an attribute; empty if it has none. */
export function labelOf(element: Element, name: string): string {
  const labels = (element as HTMLInputElement).labels;
  if (!labels || labels.length === 0 || name === "" || !element.hasAttribute("aria-label")) return "";
  return textOf(labels[0]);
}

function headed(element: Element, tag: string): string {
  for (let child = element.firstElementChild, n = 0; child && n < 3; child = child.nextElementSibling, n++) {
    if (child.localName === tag) return textOf(child);
  }
  return "";
}
