// What to try after a refusal, in the words of the panel.

import type { Refused } from "../../../web/src/api/client";
import { advice } from "../../../web/src/ui/advice";

export function Advice({ of: { code, suggestion } }: { of: Refused }) {
  const text = advice({ code, suggestedAction: suggestion });
  return text ? <p>{text}</p> : null;
}
