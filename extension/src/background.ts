// The service worker: connects assigned tabs with Legwork, and writes their states where the panel finds them.

import type { TabRequester } from "../../web/src/api/generated";
import { loadSettings } from "./panel/settings";
import { conversationKey, stateKey, type TabState } from "./relay/states";
import { type Ending, TabRelay } from "./relay/tab-relay";

/** What the panel asks for. */
export type PanelRequest =
  | { type: "assign"; tab: number; server: string; relay: string; requester?: TabRequester }
  | { type: "disconnect"; tab: number };

export type PanelReply = { ok: true } | { ok: false; message: string };

const relays = new Map<number, TabRelay>();

const note = (tab: number, state: TabState) => chrome.storage.session.set({ [stateKey(tab)]: state });

/** Pauses the run of a tab that the person used, unless they turned that off. */
async function pause(tab: number, relay: TabRelay): Promise<void> {
  if (!(await loadSettings()).pausesOnInput || relays.get(tab) !== relay) return;
  relay.reportUserInput();
  const key = stateKey(tab);
  const state = (await chrome.storage.session.get(key))[key] as TabState | undefined;
  if (state?.kind === "working") await note(tab, { ...state, hasUserInput: true });
}

async function assign({ tab, server, relay, requester }: PanelRequest & { type: "assign" }): Promise<void> {
  relays.get(tab)?.close("stopped_by_person");
  const url = `${server.replace(/^http/, "ws")}/api/extension/tabs/${encodeURIComponent(relay)}`;
  const ended = ({ reason }: Ending) => {
    if (relays.get(tab) !== made) return;
    relays.delete(tab);
    void note(tab, reason === "released" ? { kind: "released" } : { kind: "ended", reason });
  };
  const made = new TabRelay(tab, url, ended, () => void pause(tab, made));
  relays.set(tab, made);
  await made.opened();
  await note(tab, { kind: "working", server, relay, requester });
}

async function answer(request: PanelRequest): Promise<PanelReply> {
  try {
    if (request.type === "assign") await assign(request);
    else relays.get(request.tab)?.close("stopped_by_person");
    return { ok: true };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

chrome.runtime.onMessage.addListener((request: PanelRequest, sender, reply) => {
  if (sender.id !== chrome.runtime.id) return false;
  void answer(request).then(reply);
  // The reply follows later.
  return true;
});

chrome.debugger.onEvent.addListener(({ tabId, sessionId }, method, params) => {
  if (tabId === undefined) return;
  for (const relay of relays.values())
    if (relay.has(tabId)) relay.onEvent(tabId, sessionId, method, (params ?? {}) as object);
});
chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
  if (tabId !== undefined) for (const relay of relays.values()) relay.onDetach(tabId, reason);
});
chrome.tabs.onCreated.addListener((tab) => {
  for (const relay of relays.values()) relay.onCreated(tab);
});
chrome.tabs.onUpdated.addListener((_, change, tab) => {
  if (change.title !== undefined || change.url !== undefined) for (const relay of relays.values()) relay.onUpdated(tab);
});
chrome.tabs.onRemoved.addListener((tab) => {
  for (const relay of relays.values()) relay.onRemoved(tab);
  void chrome.storage.session.remove([stateKey(tab), conversationKey(tab)]);
});

// A worker that starts has no connections: those of the one before it are gone, and their tabs are released.
void chrome.storage.session.get().then((all) => {
  for (const [key, state] of Object.entries(all))
    if (key.startsWith("state-") && (state as TabState).kind === "working" && !relays.has(Number(key.slice(6))))
      void chrome.storage.session.set({ [key]: { kind: "ended", reason: "extension_reloaded" } satisfies TabState });
});
void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
