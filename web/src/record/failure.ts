// An action's failure in words, and the name of the code it counts under: as `ActionFailure` says them in Rust.

import type { ActionFailure } from "../protocol/generated";

const among = (candidates: string[] = []) => (candidates.length ? `; there is ${candidates.join(", ")}` : "");

export function failureWords(failure: ActionFailure): string {
  switch (failure.kind) {
    case "stale_ref":
      return `stale ref ${failure.target}: the page changed, take a new observation`;
    case "not_found":
      return `nothing matches ${failure.target}${among(failure.candidates)}`;
    case "ambiguous":
      return `${failure.count} elements match ${failure.target}; say which${among(failure.candidates)}`;
    case "covered":
      return `${failure.target} is covered by ${failure.by}; close or move that first`;
    case "not_visible":
      return `${failure.target} is not visible; something may have to be opened or scrolled first`;
    case "disabled":
      return `${failure.target} is disabled; something else may have to be filled in first`;
    case "not_editable":
      return `${failure.target} cannot be edited: it is ${failure.is}`;
    case "moving":
      return `${failure.target} does not stop moving`;
    case "no_option":
      return `${failure.target} has no option “${failure.option}”; it has ${failure.options.join(", ")}`;
    case "wrong_kind":
      return `${failure.target} is ${failure.is}: ${failure.hint}`;
    case "timeout":
      return `${failure.what} did not happen within ${failure.ms} ms`;
    case "unreachable":
      return `${failure.url} could not be loaded: ${failure.reason}`;
    case "refused":
      return `refused: ${failure.reason}`;
    case "dialog_open":
      return `a ${failure.dialog} dialog is open (“${failure.message}”); answer it first`;
    case "no_dialog":
      return "no dialog is open";
    case "download":
      return `download of ${failure.name} failed: ${failure.reason}`;
    case "value":
      return `${failure.what}: ${failure.reason}`;
    case "unresponsive":
      return "the page does not answer (its script may be in an endless loop); reload it or open another";
    case "crashed":
      return "the page crashed; open it again";
    case "browser_gone":
      return `the browser is gone: ${failure.reason}`;
    case "cancelled":
      return "cancelled";
  }
}

/** The name of the code that fits a failure (docs/errors.md). */
export function failureName(kind: ActionFailure["kind"]): string {
  switch (kind) {
    case "stale_ref":
    case "not_found":
    case "ambiguous":
      return "SELECTOR_NOT_FOUND";
    case "covered":
    case "not_visible":
    case "disabled":
    case "not_editable":
    case "moving":
    case "no_option":
    case "wrong_kind":
      return "ELEMENT_NOT_INTERACTABLE";
    case "unreachable":
      return "PAGE_LOAD_TIMEOUT";
    case "refused":
      return "REFUSED_BY_POLICY";
    case "download":
      return "DOWNLOAD_FAILED";
    case "unresponsive":
      return "PAGE_UNRESPONSIVE";
    case "crashed":
    case "browser_gone":
      return "BROWSER_GONE";
    case "cancelled":
      return "CANCELLED";
    case "timeout":
    case "dialog_open":
    case "no_dialog":
    case "value":
      return "COMMAND_EXECUTION_ERROR";
  }
}
