// The script that runs beside a page, in a world of its own: it reads the page, helps to act on it, and tells when it is at rest. The
// browser crate calls these functions; their types come from its declarations (crates/browser/src/page_script).

import * as act from "./act";
import type { PageScript } from "./bridge";
import { capture } from "./capture";
import { element, idOf, registerClosedRoot, takePossibleClosedRoots } from "./capture-registry";
import { suppressInput, unbind } from "./focus";
import { pointerArrived } from "./hit";
import { locator } from "./locate";
import { drawMarks, removeMarks } from "./marks";
import { clearTypeAhead, findOption, optionOutcome, typeAhead } from "./options";
import { inputOutcome } from "./outcome";
import * as pointer from "./pointer";
import { readableHtml } from "./readable";
import { flush, settle, unrelatedWindows, waitForChange } from "./settle";
import * as storage from "./storage";
import * as view from "./view";

const pageScript: PageScript = {
  // Reading.
  capture,
  element: (call) => element(call.element),
  html: act.html,
  idOf,
  includesText: act.includesText,
  locator,
  origin: () => origin,
  outerHtml: () => document.documentElement.outerHTML,
  readElements: act.readElements,
  readableHtml,
  registerClosedRoot,
  takePossibleClosedRoots,
  title: () => document.title,
  // Acting.
  allowInput: unbind,
  blurElement: act.blurElement,
  calendarOutcome: act.calendarOutcome,
  calendarStep: act.calendarStep,
  checkActionable: act.checkActionable,
  clearTypeAhead,
  enterSecret: act.enterSecret,
  findOption,
  focusedElement: act.focusedElement,
  frameBox: act.frameBox,
  frameOffset: act.frameOffset,
  inputOutcome,
  isChecked: act.isChecked,
  maskField: act.maskField,
  optionOutcome,
  pasteText: act.pasteText,
  pointerArrived,
  scroll: act.scroll,
  suppressInput,
  suppressSubmit: act.suppressSubmit,
  typeAhead,
  typeSecret: act.typeSecret,
  // Gestures and pictures.
  acceptsDrop: pointer.acceptsDrop,
  describePoint: pointer.describePoint,
  drawMarks,
  elementRect: view.elementRect,
  highlight: pointer.highlight,
  pageRect: view.pageRect,
  removeMarks,
  scrollPosition: view.scrollPosition,
  unhighlight: pointer.unhighlight,
  viewRect: view.viewRect,
  watchDragOver: pointer.watchDragOver,
  wheelHandled: pointer.wheelHandled,
  // Waiting.
  flush,
  redraw: view.redraw,
  settle,
  unrelatedWindows,
  waitForChange,
  // Storage.
  deleteStorageEntries: storage.deleteStorageEntries,
  originStorage: storage.originStorage,
  setStorageEntry: storage.setStorageEntry,
  storageEntries: storage.storageEntries,
  storageEntry: storage.storageEntry,
};

Object.assign(globalThis, { legwork: pageScript });
