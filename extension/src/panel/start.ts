// Starts work in a tab: offers the tab to Legwork, lets the service worker connect it, and starts the run in it.

import { change } from "../../../web/src/api/client";
import type { OfferedTab, Started } from "../../../web/src/api/generated";
import { askWorker } from "./tab";

/** What to do: a goal for a model, or steps in plain words, one a line. */
export type Work = { task: string } | { text: string };

export async function offerTab(tab: chrome.tabs.Tab, server: string, forRequest: boolean): Promise<string> {
  const product = /(?:Edg|Chrome)\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? "Chrome";
  const body = { product, forRequest };
  const { id } = await change<OfferedTab>("POST", "/api/extension/tabs", body);
  await askWorker({ type: "assign", tab: tab.id!, server, relay: id });
  return id;
}

/** The key under which a new task of a tab replaces the one before. */
export const pageKey = (tab: number) => `extension-tab-${tab}`;

export async function startWork(tab: chrome.tabs.Tab, server: string, work: Work): Promise<string> {
  const relay = await offerTab(tab, server, false);
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
  const relay = await offerTab(tab, server, false);
  try {
    await change("POST", `/api/automation/sessions/${encodeURIComponent(run)}/resume`, { tab: relay, assume });
  } catch (error) {
    await askWorker({ type: "disconnect", tab: tab.id! });
    throw error;
  }
}
