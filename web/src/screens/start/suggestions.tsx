// The list of completions below the editor. The focus stays in the text area, which names the active option: a text
// area may have no role but that of a text box, so its list is announced with `aria-activedescendant`.

import { useEffect, useState } from "preact/hooks";
import { page } from "../../api/client";
import type { ElementName } from "../../api/generated";
import { addressAt, type Completion, completions, isInName } from "./completions";

export const LIST_ID = "steps-completions";
const optionId = (at: number) => `${LIST_ID}-${at}`;

export interface Suggestions {
  all: Completion[];
  /** The index of the active option; -1 if none is. */
  active: number;
  /** Handles a key; whether it was one for the list. */
  onKey(event: KeyboardEvent): boolean;
  pick(one: Completion): void;
}

/** What is offered at the caret; `undefined` if nobody types. */
export function useSuggestions(
  text: string,
  url: string,
  caret: number | undefined,
  onPick: (one: Completion) => void,
): Suggestions {
  const [active, setActive] = useState(-1);
  const [closed, setClosed] = useState<string>();
  const elements = useElements(
    caret !== undefined && isInName(text, caret),
    originOf(addressAt(text, caret ?? 0) ?? url),
  );
  const here = `${caret} ${text}`;
  const all = caret === undefined || closed === here ? [] : completions(text, caret, elements);
  useEffect(() => setActive(-1), [here]);

  const onKey = (event: KeyboardEvent): boolean => {
    if (!all.length || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      // From none, down is the first and up the last; beyond the ends there is none again.
      const next = active + step;
      setActive(next < -1 ? all.length - 1 : next >= all.length ? -1 : next);
      return true;
    }
    if (event.key === "Escape") {
      setClosed(here);
      return true;
    }
    const one = all[active];
    if (!one || (event.key !== "Enter" && event.key !== "Tab") || event.shiftKey) return false;
    onPick(one);
    return true;
  };
  return { all, active, onKey, pick: onPick };
}

/** The elements of the page of a site that was observed last, requested when a name is being written. */
function useElements(isNeeded: boolean, origin: string | undefined): ElementName[] {
  const [found, setFound] = useState<ElementName[]>([]);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const stop = new AbortController();
    page("/api/elements", { url: origin }, stop.signal).then(
      ({ data }) => stop.signal.aborted || setFound(data.elements),
      // Without names, there is nothing to offer.
      () => stop.signal.aborted || setFound([]),
    );
    return () => stop.abort();
  }, [isNeeded, origin]);
  return found;
}

/** The origin of an address, so that the names are requested once for each site. */
function originOf(address: string): string | undefined {
  try {
    return address ? new URL(address).origin : undefined;
  } catch {
    return undefined;
  }
}

/** The attributes of the text area while a list is open. */
export const listAttributes = ({ all, active }: Suggestions) => ({
  "aria-autocomplete": "list" as const,
  "aria-haspopup": "listbox" as const,
  "aria-controls": all.length ? LIST_ID : undefined,
  "aria-activedescendant": all.length && active >= 0 ? optionId(active) : undefined,
});

export function SuggestionList({ suggestions: { all, active, pick } }: { suggestions: Suggestions }) {
  return (
    <>
      <p class="unseen" role="status">
        {all.length > 0 && `${all.length === 1 ? "1 completion" : `${all.length} completions`}; arrow keys choose`}
      </p>
      {all.length > 0 && (
        <ul class="completions" role="listbox" id={LIST_ID} aria-label="Completions">
          {all.map((one, at) => (
            <li
              key={`${one.kind} ${one.label}`}
              id={optionId(at)}
              role="option"
              aria-selected={at === active}
              // The text area keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(one)}
            >
              {one.label}
              {one.kind && <small class="quiet"> {one.kind}</small>}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
