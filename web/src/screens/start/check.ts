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

export function useCheck(draft: Execute | undefined): Check {
  const [check, set] = useState<Check>({ checking: false });
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
  }, [key]);
  return check;
}
