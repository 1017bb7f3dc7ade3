// An action's failure in words, and the name of the code it counts under: as `ActionFailure` says them in Rust.

import type { ActionFailure } from "../protocol/generated";

const among = (candidates: string[] = []) => (candidates.length ? `; there is ${candidates.join(", ")}` : "");

function differs(expected: string | null | undefined, actual: string | null | undefined): string {
  if (expected == null) return "does not hold the secret it was given";
  return actual == null ? `does not hold “${expected}”` : `holds “${actual}” and not “${expected}”`;
}

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
    case "not_accepted":
      return `${failure.target} does not take ${failure.value == null ? "this secret" : `“${failure.value}”`}: it takes ${failure.accepts}`;
    case "value_differs":
      return `${failure.target} ${differs(failure.expected, failure.actual)}; see whether its page changed or refused the value, and what it takes`;
    case "focus_lost":
      return `${failure.target} lost the focus to ${failure.to}, so no more was typed; close what takes the focus, or act on that first`;
    case "not_clickable":
      return `${failure.target} was not clicked: ${failure.reason}; wait until it takes clicks, or act on what it belongs to`;
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
    case "load_timeout":
      return `${failure.url} did not answer within ${failure.ms} ms`;
    case "refused":
      return `refused: ${failure.reason}`;
    case "dialog_open":
      return `a ${failure.dialog} dialog is open (“${failure.message}”); answer it first`;
    case "no_dialog":
      return 'no dialog is open; a dialog is answered while it is open, or with the action that opens it: `Click "Delete" and accept the dialog`';
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
    case "not_accepted":
    case "focus_lost":
    case "not_clickable":
    case "moving":
    case "no_option":
    case "wrong_kind":
      return "ELEMENT_NOT_INTERACTABLE";
    case "unreachable":
      return "SITE_UNREACHABLE";
    case "load_timeout":
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
    case "value_differs":
      return "COMMAND_EXECUTION_ERROR";
  }
}
