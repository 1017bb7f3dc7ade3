// What this sign-in may do. The server decides; the page does not show what the server would refuse.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { whoami } from "./client";
import type { CurrentUser } from "./generated";

type Scope = CurrentUser["scopes"][number];

function useMe(): CurrentUser | undefined {
  const [me, setMe] = useState<CurrentUser>();
  useEffect(() => {
    // The frame of the page states that nobody is signed in.
    whoami().then(setMe, () => undefined);
  }, []);
  return me;
}

/** Whether this sign-in has a scope. Until that is known, everything is shown. */
export function useMay(): (scope: Scope) => boolean {
  const me = useMe();
  return (scope) => me?.scopes.includes(scope) ?? true;
}

/** Whether this sign-in is known to have a scope: for what requests data at once, which the server would refuse. */
export function useHas(scope: Scope): boolean {
  return useMe()?.scopes.includes(scope) ?? false;
}

/** Why something is not there: `children` completes "This sign-in cannot …". */
export function Denied({ scope, children }: { scope: Scope; children: ComponentChildren }) {
  const me = useMe();
  return (
    <p class="hint" role="note">
      This sign-in{me && ` (token “${me.token}”)`} cannot {children}: it does not have the scope <code>{scope}</code>.
    </p>
  );
}
