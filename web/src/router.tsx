// Routing with real paths, so that a run can be linked to. Links are real links; a plain click on one stays in the
// page, and the focus moves to the heading of the new screen, as with a page load.

import type { AnchorHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const moved = new EventTarget();

/** Asks whether the screen may be left; `leave` leaves it. Set while something on it is not saved. */
let hold: ((leave: () => void) => void) | undefined;
/** The address of the screen that is held. */
let held = "";

/** Asks before the screen is left, until the returned function is called. */
export function holdScreen(ask: (leave: () => void) => void): () => void {
  hold = ask;
  held = location.pathname + location.search;
  return () => {
    if (hold === ask) hold = undefined;
  };
}

/** Leaves the screen without a question, for example after its content was saved. */
export function leave(to: string): void {
  hold = undefined;
  go(to);
}

// This listener is registered before those of the components, so that none of them sees the other address.
addEventListener("popstate", (event) => {
  if (!hold) return;
  event.stopImmediatePropagation();
  // The browser has changed the address already. It is put back; the entry before it is then the one that was wanted.
  history.pushState(null, "", held);
  hold(() => {
    hold = undefined;
    history.back();
  });
});

/** The current path and query. The component renders again when they change. */
export function useLocation(): { path: string; query: URLSearchParams } {
  const [, draw] = useState(0);
  useEffect(() => {
    const change = () => draw((n) => n + 1);
    addEventListener("popstate", change);
    moved.addEventListener("moved", change);
    return () => {
      removeEventListener("popstate", change);
      moved.removeEventListener("moved", change);
    };
  }, []);
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

export function go(to: string, replace = false): void {
  if (hold) {
    hold(() => leave(to));
    return;
  }
  history[replace ? "replaceState" : "pushState"](null, "", to);
  moved.dispatchEvent(new Event("moved"));
  if (!replace) scrollTo(0, 0);
}

interface LinkProps extends Pick<AnchorHTMLAttributes<HTMLAnchorElement>, "class" | "aria-current" | "aria-label"> {
  to: string;
  children: ComponentChildren;
}

export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(to);
      }}
    >
      {children}
    </a>
  );
}
