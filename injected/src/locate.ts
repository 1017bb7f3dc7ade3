// Describes an element without its ref: by its role and name if these are unique, otherwise by identifiers from the
// page's authors, otherwise by its position.

import { element as byNumber } from "./capture-registry";
import { findAll, roleName } from "./find";
import type { Located, Locator } from "./generated";
import { frameOf } from "./geometry";

const quoted = (text: string) => "'" + text.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n") + "'";

export function locator({ element: number }: Locator): Located | null {
  const element = byNumber(number);
  if (!element) return null;
  const { playwright, target } = located(element);
  const frame = frameOf(element.ownerDocument);
  return {
    playwright: frame === null ? playwright : "locator(" + quoted(path(frame)) + ").contentFrame()." + playwright,
    target,
  };
}

function located(element: Element): Located {
  const alone = (selector: string) => {
    const found = findAll({ by: "css", selector });
    return found.length === 1 && found[0] === element;
  };
  const testId = element.getAttribute("data-testid");
  if (testId !== null) {
    const target = '[data-testid="' + CSS.escape(testId) + '"]';
    if (alone(target)) return { playwright: "getByTestId(" + quoted(testId) + ")", target };
  }
  const { role, name } = roleName(element);
  const named = role && role !== "generic" && name && name.length <= 120;
  const alike = named ? findAll({ by: "role", role, name }) : [];
  if (named && !/["\]]/.test(name)) {
    const target = "role=" + role + '[name="' + name + '"]';
    const lower = name.toLowerCase();
    const near = findAll({ by: "role", role, name: null }).filter((other) =>
      roleName(other).name.toLowerCase().includes(lower),
    );
    const by =
      "getByRole(" + quoted(role) + ", { name: " + quoted(name) + (near.length > 1 ? ", exact: true" : "") + " })";
    if (alike.length === 1) return { playwright: by, target };
  }
  const id = element.id && "#" + CSS.escape(element.id);
  if (id && alone(id)) return { playwright: "locator(" + quoted(id) + ")", target: id };
  const at = path(element);
  return { playwright: "locator(" + quoted(at) + ")", target: at };
}

/** A selector from the nearest ancestor with a unique id, by the position among elements of the same kind. */
export function path(element: Element): string {
  const parts: string[] = [];
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    const id: string = at.id && "#" + CSS.escape(at.id);
    if (id && (at.getRootNode() as ParentNode).querySelectorAll(id).length === 1) {
      parts.unshift(id);
      break;
    }
    const tag = CSS.escape(at.localName);
    const like: Element[] = Array.from(at.parentElement?.children ?? []).filter(
      (other) => other.localName === at!.localName,
    );
    parts.unshift(like.length > 1 ? tag + ":nth-of-type(" + (like.indexOf(at) + 1) + ")" : tag);
  }
  return parts.join(" > ");
}
