// Asks before a screen with changes that are not saved is left: within the page with a dialog, and otherwise (reload,
// another address, a closed tab) with that of the browser.

import { useEffect, useState } from "preact/hooks";
import { holdScreen } from "../router";
import { Ask } from "./ask";

export function Unsaved({ changed, text }: { changed: boolean; text: string }) {
  const [pending, setPending] = useState<{ leave(): void }>();
  useEffect(() => {
    if (!changed) return undefined;
    const release = holdScreen((leave) => setPending({ leave }));
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => {
      release();
      removeEventListener("beforeunload", warn);
    };
  }, [changed]);
  if (!pending) return null;
  return (
    <Ask
      title="Leave without saving?"
      text={text}
      yes="Leave"
      onYes={() => pending.leave()}
      onClose={() => setPending(undefined)}
    />
  );
}
