// The state of an assigned tab, and why a tab cannot be assigned. The service worker writes these states to the session
// storage of the extension; the panel reads them there, so it may be closed meanwhile.

import type { TabRequester } from "../../../web/src/api/generated";

export type TabState =
  /** The tab is assigned, and Legwork has not begun to use it: its task waits for its turn. */
  | { kind: "waiting"; server: string; relay: string; requester?: TabRequester }
  /** Legwork can use the tab, and the border is shown around the page. */
  | {
      kind: "working";
      server: string;
      relay: string;
      /** The program that asked for the tab; absent for a task of the panel. */
      requester?: TabRequester;
      /** Whether the person used the tab, and the run was paused for it. */
      hasUserInput?: boolean;
    }
  /** It ended as it should: Legwork released the tab. */
  | { kind: "released" }
  /** It ended, but a frame of another extension on the page keeps the browser from detaching the debugger. */
  | { kind: "held" }
  /** It ended in another way. */
  | { kind: "ended"; reason: EndReason };

export type EndReason =
  | "tab_closed"
  | "stopped_by_person"
  | "detached"
  | "server_lost"
  | "access_revoked"
  | "extension_reloaded"
  | "tab_discarded"
  | "not_proven"
  | AttachProblem;

/** Why the debugger cannot be attached. */
export type AttachProblem = "foreign_frame" | "restricted_page" | "other_debugger" | "no_tab" | "not_attached";

/** Texts for a person: what happened, and the next step. */
export const STATE_TEXTS: Record<EndReason, { title: string; next: string }> = {
  tab_closed: { title: "The tab was closed", next: "Its task was cancelled. Open the page again and state the task." },
  stopped_by_person: {
    title: "You disconnected Legwork from this tab",
    next: "The run has ended; no action is repeated. Resume it below, or state another task.",
  },
  detached: {
    title: "The browser disconnected Legwork from this tab",
    next: "The run has ended; no action is repeated. Reload the page, then resume the run below.",
  },
  server_lost: {
    title: "The connection to Legwork was lost",
    next: "Start it again with the command below. The run can then be resumed; no action is repeated.",
  },
  access_revoked: {
    title: "The pairing of this browser was revoked",
    next: "Pair it again: run `legwork panel pair` and enter the code.",
  },
  extension_reloaded: {
    title: "The extension was reloaded",
    next: "The run has ended; no action is repeated. Resume it below, or state another task.",
  },
  not_proven: {
    title: "What answers at the address of Legwork does not know this browser",
    next: "Another program may listen there, so it got no access to this tab. Start Legwork, or pair this browser again.",
  },
  tab_discarded: {
    title: "The browser discarded this tab to save memory",
    next: "The run has ended; no action is repeated. Show the tab, so that its page is loaded again, then resume the run below.",
  },
  foreign_frame: {
    title: "A frame of another extension is on this page",
    next: "The browser lets Legwork do nothing on a page with such a frame. The tab is free. Turn that extension off for this site or reload the page, then resume the run below or state the task again.",
  },
  restricted_page: {
    title: "Legwork cannot work on this page",
    next: "The browser protects its own pages and the web store. Open a web page in this tab.",
  },
  other_debugger: {
    title: "Another extension is debugging this tab",
    next: "Turn that extension off, or use another tab. Developer tools may stay open.",
  },
  no_tab: { title: "The tab is gone", next: "Choose another tab." },
  not_attached: { title: "The browser refused to connect Legwork to this tab", next: "Reload the page and try again." },
};

/** What is shown while a tab cannot be freed. */
export const HELD_TEXT = {
  title: "A frame of another extension holds this tab",
  next: "Legwork does nothing here any more, but the browser refuses to disconnect it, and the page may load nothing, until that frame is gone. Press “Cancel” in the bar of the browser (“Legwork started debugging this browser”), or let the page be loaded again: what you entered in it is lost.",
};

/** Whether the browser refused a command because of a frame of another extension. */
export function isForeignFrame(message: string): boolean {
  return /different extension/i.test(message);
}

/** The state of an attachment that failed with this message of the browser. */
export function attachProblem(message: string): AttachProblem {
  if (/already attached/i.test(message)) return "other_debugger";
  if (isForeignFrame(message)) return "foreign_frame";
  if (/cannot (access|attach)|cannot be scripted|not allowed|extensions gallery/i.test(message))
    return "restricted_page";
  if (/no tab with|no target with/i.test(message)) return "no_tab";
  return "not_attached";
}

/** Whether a command failed with this message of the browser because the debugger was detached meanwhile. */
export function isDetachment(message: string): boolean {
  return /^detached while handling command/i.test(message);
}

const STORES = [
  "https://chromewebstore.google.com/",
  "https://chrome.google.com/webstore",
  "https://microsoftedge.microsoft.com/addons",
];

/** Whether the browser lets no extension debug a page with this address. */
export function isRestricted(url: string): boolean {
  if (url === "" || url.startsWith("about:blank")) return false;
  return !/^(https?|file|data|blob|about:srcdoc):?/.test(url) || STORES.some((store) => url.startsWith(store));
}

/** The key of a tab's state in the session storage. */
export const stateKey = (tab: number) => `state-${tab}`;
/** The key of a tab's conversation in the session storage. */
export const conversationKey = (tab: number) => `conversation-${tab}`;
