// The service worker: connects assigned tabs with Legwork, and writes their states where the panel finds them.

import { conversationKey, stateKey, type TabState } from "./relay/states";
import { TabRelay } from "./relay/tab-relay";

/** What the panel asks for. */
export type PanelRequest =
  | { type: "assign"; tab: number; server: string; relay: string }
  | { type: "disconnect"; tab: number };

export type PanelReply = { ok: true } | { ok: false; message: string };

const relays = new Map<number, TabRelay>();

const note = (tab: number, state: TabState) => chrome.storage.session.set({ [stateKey(tab)]: state });

async function assign(tab: number, server: string, relay: string): Promise<void> {
  relays.get(tab)?.close("stopped_by_person");
  const url = `${server.replace(/^http/, "ws")}/api/extension/tabs/${encodeURIComponent(relay)}`;
  const made = new TabRelay(tab, url, ({ reason }) => {
    if (relays.get(tab) !== made) return;
    relays.delete(tab);
    void note(tab, reason === "released" ? { kind: "released" } : { kind: "ended", reason });
  });
  relays.set(tab, made);
  await made.opened();
  await note(tab, { kind: "working", server, relay });
}

async function answer(request: PanelRequest): Promise<PanelReply> {
  try {
    if (request.type === "assign") await assign(request.tab, request.server, request.relay);
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
