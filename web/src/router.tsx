// Routing with real paths, so that a run can be linked to. Links are real links; a plain click on one stays in the
// page, and the focus moves to the heading of the new screen, as with a page load.

import type { AnchorHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

const moved = new EventTarget();

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
