// Starts work in a tab: offers the tab to Legwork, lets the service worker connect it, and starts the run in it.

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

/** Offers a tab and connects it: for a run of the panel, or for the program that asked for one. */
export async function offerTab(tab: chrome.tabs.Tab, server: string, requester?: TabRequester): Promise<string> {
  const product = /(?:Edg|Chrome)\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? "Chrome";
  const body = { product, forRequest: requester !== undefined };
  const { id } = await change<OfferedTab>("POST", "/api/extension/tabs", body);
  await askWorker({ type: "assign", tab: tab.id!, server, relay: id, requester });
  return id;
}

/** The key under which a new task of a tab replaces the one before. */
export const pageKey = (tab: number) => `extension-tab-${tab}`;

/** Cancels the run of a tab, and waits until the tab is released: a run that loses its tab first would end with an error. */
async function cancelWork(tab: number, run: string): Promise<void> {
  const key = stateKey(tab);
  const isWorking = async () =>
    ((await chrome.storage.session.get(key))[key] as TabState | undefined)?.kind === "working";
  if (!(await isWorking())) return;
  const reason = "replaced by a newer task of the tab";
  // The run may have ended meanwhile.
  await change("POST", `/api/automation/sessions/${encodeURIComponent(run)}/cancel`, { reason }).catch(() => undefined);
  const until = Date.now() + RELEASE_MS;
  while (Date.now() < until && (await isWorking())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** `before` is the newest run of the tab, which the new one replaces. */
export async function startWork(tab: chrome.tabs.Tab, server: string, work: Work, before?: string): Promise<string> {
  if (before) await cancelWork(tab.id!, before);
  const relay = await offerTab(tab, server);
  try {
    const body = { ...work, page: pageKey(tab.id!), tab: relay };
    const { sessionId } = await change<Started>("POST", "/api/automation/execute", body);
    return sessionId;
  } catch (error) {
    await askWorker({ type: "disconnect", tab: tab.id! });
    throw error;
  }
}

export async function resumeWork(tab: chrome.tabs.Tab, server: string, run: string, assume?: string): Promise<void> {
  const relay = await offerTab(tab, server);
  const until = Date.now() + CLOSE_MS;
  for (;;) {
    try {
      await change("POST", `/api/automation/sessions/${encodeURIComponent(run)}/resume`, { tab: relay, assume });
      return;
    } catch (error) {
      // A run that has just lost its tab may still be waiting for it.
      if (error instanceof Refused && /still being closed/.test(error.message) && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 300));
        continue;
      }
      await askWorker({ type: "disconnect", tab: tab.id! });
      throw error;
    }
  }
}
