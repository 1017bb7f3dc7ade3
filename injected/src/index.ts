// The script that runs beside a page in an isolated world: it captures the page, supports actions, and reports when the
// page has settled. The browser crate calls these functions; their types come from its declarations
// (crates/browser/src/page_script).

import { checkActionable } from "./actionability";
import type { PageScript } from "./bridge";
import { calendarOutcome, calendarStep } from "./calendar";
import { capture } from "./capture";
import { element, idOf, registerClosedRoot, takePossibleClosedRoots } from "./capture-registry";
import { waitForChange } from "./change";
import { isChecked } from "./checkbox";
import { elementFacts } from "./element-facts";
import { isExpanded } from "./expand";
import { blurElement, enterSecret, focusedElement, maskField, pasteText, suppressSubmit, typeSecret } from "./fill";
import { suppressInput, unbind } from "./focus";
import { frameBox, frameOffset } from "./frames";
import { highlight, unhighlight } from "./highlight";
import { locator } from "./locate";
import { drawMarks, removeMarks } from "./marks";
import { clearTypeAhead, findOption, optionOutcome, typeAhead } from "./options";
import { inputOutcome } from "./outcome";
import { acceptsDrop, describePoint, watchDragOver, wheelHandled } from "./pointer";
import { pointerArrived } from "./press";
import { html, includesText, readElements } from "./read";
import { readableHtml } from "./readable";
import { scroll } from "./scroll";
import { flush, settle, unrelatedWindows } from "./settle";
import { deleteStorageEntries, originStorage, setStorageEntry, storageEntries, storageEntry } from "./storage";
import { reportUserInput } from "./user-input";
import { elementRect, pageRect, redraw, scrollPosition, viewRect } from "./view";

const pageScript: PageScript = {
  // Reading.
  capture,
  element: (call) => element(call.element),
  elementFacts,
  html,
  idOf,
  includesText,
  locator,
  origin: () => origin,
  outerHtml: () => document.documentElement.outerHTML,
  readElements,
  readableHtml,
  registerClosedRoot,
  takePossibleClosedRoots,
  title: () => document.title,
  // Acting.
  allowInput: unbind,
  blurElement,
  calendarOutcome,
  calendarStep,
  checkActionable,
  clearTypeAhead,
  enterSecret,
  findOption,
  focusedElement,
  frameBox,
  frameOffset,
  inputOutcome,
  isChecked,
  isExpanded,
  maskField,
  optionOutcome,
  pasteText,
  pointerArrived,
  scroll,
  suppressInput,
  suppressSubmit,
  typeAhead,
  typeSecret,
  // Gestures and pictures.
  acceptsDrop,
  describePoint,
  drawMarks,
  elementRect,
  highlight,
  pageRect,
  removeMarks,
  scrollPosition,
  unhighlight,
  viewRect,
  watchDragOver,
  wheelHandled,
  // Waiting.
  flush,
  redraw,
  settle,
  unrelatedWindows,
  waitForChange,
  // Storage.
  deleteStorageEntries,
  originStorage,
  setStorageEntry,
  storageEntries,
  storageEntry,
};

Object.assign(globalThis, { legwork: pageScript });
reportUserInput();
