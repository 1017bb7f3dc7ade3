// Starts work in a tab: offers the tab to Legwork, starts the run in it, and lets the service worker connect it.
// Legwork checks the run before anything else happens.

import { change, Refused } from "../../../web/src/api/client";
import type { OfferedTab, Started, TabRequester } from "../../../web/src/api/generated";
import { stateKey, type TabState } from "../relay/states";
import { askWorker } from "./tab";

/** How long a cancelled run may take to release its tab. */
const RELEASE_MS = 5_000;

/** How long a run that has ended may take until it can be resumed. */
const CLOSE_MS = 20_000;

/** What to do: a goal for a model, or steps in plain words, one a line. */
export type Work = { task: string } | { text: string };

/** Offers a tab to Legwork; the id of the offer. */
async function offer(isForRequest: boolean): Promise<string> {
  const product = /(?:Edg|Chrome)\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? "Chrome";
  const { id } = await change<OfferedTab>("POST", "/api/extension/tabs", { product, forRequest: isForRequest });
  return id;
}

/** Offers a tab to the program that asked for one, and connects it. */
export async function offerTab(tab: chrome.tabs.Tab, server: string, requester: TabRequester): Promise<void> {
  const relay = await offer(true);
  await askWorker({ type: "assign", tab: tab.id!, server, relay, requester });
}

/** The key under which a new task of a tab replaces the one before. */
export const pageKey = (tab: number) => `extension-tab-${tab}`;

/** Waits until the run before is no longer in the tab: a run that loses its tab first would end with an error. */
async function replaceWork(tab: number, run: string): Promise<void> {
  const key = stateKey(tab);
  const isInUse = async () =>
    ["waiting", "working"].includes(((await chrome.storage.session.get(key))[key] as TabState | undefined)?.kind ?? "");
  if (!(await isInUse())) return;
  const reason = "replaced by a newer task of the tab";
  // The run may have ended meanwhile.
  await change("POST", `/api/automation/sessions/${encodeURIComponent(run)}/cancel`, { reason }).catch(() => undefined);
  const until = Date.now() + RELEASE_MS;
  while (Date.now() < until && (await isInUse())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/**
 * Starts work in a tab. If Legwork refuses it, nothing happens to the tab and to `before`, the newest run of the tab.
 */
export async function startWork(tab: chrome.tabs.Tab, server: string, work: Work, before?: string): Promise<string> {
  const relay = await offer(false);
  const body = { ...work, page: pageKey(tab.id!), tab: relay };
  const { sessionId } = await change<Started>("POST", "/api/automation/execute", body);
  if (before) await replaceWork(tab.id!, before);
  await connect(tab, server, relay, sessionId);
  return sessionId;
}

export async function resumeWork(tab: chrome.tabs.Tab, server: string, run: string, assume?: string): Promise<void> {
  const relay = await offer(false);
  const until = Date.now() + CLOSE_MS;
  for (;;) {
    try {
      await change("POST", `/api/automation/sessions/${encodeURIComponent(run)}/resume`, { tab: relay, assume });
      break;
    } catch (error) {
      // A run that has just lost its tab may still be waiting for it.
      if (!(error instanceof Refused && /still being closed/.test(error.message) && Date.now() < until)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
  await connect(tab, server, relay, run);
}

/** Connects the tab of a run that has begun, and cancels the run if that fails. */
async function connect(tab: chrome.tabs.Tab, server: string, relay: string, run: string): Promise<void> {
  try {
    await askWorker({ type: "assign", tab: tab.id!, server, relay });
  } catch (error) {
    const reason = "its tab could not be connected";
    await change("POST", `/api/automation/sessions/${encodeURIComponent(run)}/cancel`, { reason }).catch(
      () => undefined,
    );
    throw error;
  }
}
