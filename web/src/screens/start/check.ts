// Lets the server check a draft a moment after typing stopped. The response to an older draft never replaces that to a
// newer one.

import { useEffect, useState } from "preact/hooks";
import { change, type Refused } from "../../api/client";
import type { Execute, ValidationReply } from "../../api/generated";
import { asRefused } from "../../api/load";

const QUIET_MS = 300;

export interface Check {
  verdict?: ValidationReply;
  problem?: Refused;
  checking: boolean;
}

export const validate = (draft: Execute) => change<ValidationReply>("POST", "/api/automation/validate", draft);

/** The event after a change of what a check depends on besides the draft: the model and its key. */
const CONDITIONS_CHANGED = "legwork-conditions-changed";

/** Lets every check on the screen run again, after a model or its key was saved. */
export const checkAgain = () => dispatchEvent(new Event(CONDITIONS_CHANGED));

export function useCheck(draft: Execute | undefined): Check {
  const [check, set] = useState<Check>({ checking: false });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const again = () => setTurn((n) => n + 1);
    addEventListener(CONDITIONS_CHANGED, again);
    return () => removeEventListener(CONDITIONS_CHANGED, again);
  }, []);
  const key = JSON.stringify(draft);
  useEffect(() => {
    if (!draft) return set({ checking: false });
    let old = false;
    set((before) => ({ ...before, checking: true }));
    const timer = setTimeout(() => {
      validate(draft).then(
        (verdict) => old || set({ verdict, checking: false }),
        (problem: unknown) => old || set({ problem: asRefused(problem), checking: false }),
      );
    }, QUIET_MS);
    return () => {
      old = true;
      clearTimeout(timer);
    };
  }, [key, turn]);
  return check;
}
