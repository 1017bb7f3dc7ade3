// The service worker: connects assigned tabs with Legwork, and writes their states where the panel finds them.

import type { TabRequester } from "../../web/src/api/generated";
import { loadSettings, tokenOf } from "./panel/settings";
import { DebuggerRelease, type PausedRequest } from "./relay/debugger-release";
import { conversationKey, HELD_TEXT, stateKey, type TabState } from "./relay/states";
import { type Ending, TabRelay } from "./relay/tab-relay";

/** What the panel asks for. */
export type PanelRequest =
  | { type: "assign"; tab: number; server: string; relay: string; requester?: TabRequester }
  | { type: "disconnect"; tab: number }
  /** Load another page in a tab that a frame of another extension holds, which frees it. */
  | { type: "leave"; tab: number };

export type PanelReply = { ok: true } | { ok: false; message: string };

/** How long the page of a discarded tab may take to be loaded again. */
const RELOAD_MS = 20_000;

const relays = new Map<number, TabRelay>();
/** The tabs by which others were replaced: the browser does that to discard a page. */
const replacements = new Map<number, number>();

const current = (tab: number): number => {
  const next = replacements.get(tab);
  return next === undefined ? tab : current(next);
};
const note = (tab: number, state: TabState) => chrome.storage.session.set({ [stateKey(current(tab))]: state });
const stateOf = async (tab: number): Promise<TabState | undefined> => {
  const key = stateKey(tab);
  return (await chrome.storage.session.get(key))[key] as TabState | undefined;
};
const release = new DebuggerRelease(note);

/** Pauses the run of a tab that the person used, unless they turned that off. */
async function pause(tab: number, relay: TabRelay): Promise<void> {
  if (!(await loadSettings()).pausesOnInput || relays.get(tab) !== relay) return;
  relay.reportUserInput();
  const state = await stateOf(tab);
  if (state?.kind === "working") await note(tab, { ...state, hasUserInput: true });
}

async function assign({ tab, server, relay, requester }: PanelRequest & { type: "assign" }): Promise<void> {
  const token = await tokenOf(server);
  if (token === undefined) throw new Error("this browser is not paired with that server");
  relays.get(tab)?.close("stopped_by_person");
  if (!(await release.isFree(tab))) throw new Error(`${HELD_TEXT.title}. ${HELD_TEXT.next}`);
  await load(tab);
  let isAttached = false;
  const assigned = { server, relay, requester };
  const onEnd = ({ reason, attached }: Ending) => {
    const isNewest = relays.get(tab) === tabRelay;
    if (isNewest) relays.delete(tab);
    const state: TabState = reason === "released" ? { kind: "released" } : { kind: "ended", reason };
    for (const one of attached) void release.free(one, one === tab && isNewest ? state : undefined);
    if (isNewest && !attached.includes(tab) && !release.has(tab)) void note(tab, state);
  };
  const onAttached = () => {
    isAttached = true;
    if (relays.get(tab) === tabRelay) void note(tab, { kind: "working", ...assigned });
  };
  const tabRelay = new TabRelay(
    tab,
    { server, relay, token },
    release,
    onAttached,
    onEnd,
    () => void pause(tab, tabRelay),
  );
  relays.set(tab, tabRelay);
  await tabRelay.opened();
  if (!isAttached && relays.get(tab) === tabRelay) await note(tab, { kind: "waiting", ...assigned });
}

/** Loads the page of a tab that the browser discarded to save memory. */
async function load(tab: number): Promise<void> {
  const isLoaded = async () => {
    const { discarded, status } = await chrome.tabs.get(tab);
    return !discarded && status === "complete";
  };
  if (!(await chrome.tabs.get(tab)).discarded) return;
  await chrome.tabs.reload(tab);
  const until = Date.now() + RELOAD_MS;
  while (Date.now() < until && !(await isLoaded())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function carryOut(request: PanelRequest): Promise<void> {
  switch (request.type) {
    case "assign":
      return assign(request);
    case "disconnect":
      return relays.get(request.tab)?.close("stopped_by_person");
    case "leave":
      return release.leave(request.tab);
  }
}

async function answer(request: PanelRequest): Promise<PanelReply> {
  try {
    await carryOut(request);
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
  if (method === "Fetch.requestPaused" && release.has(tabId)) void release.onRequest(tabId, params as PausedRequest);
  for (const relay of relays.values())
    if (relay.has(tabId)) relay.onEvent(tabId, sessionId, method, (params ?? {}) as object);
});
chrome.debugger.onDetach.addListener(({ tabId }, reason) => {
  if (tabId === undefined) return;
  void release.onDetached(tabId);
  for (const relay of relays.values()) relay.onDetach(tabId, reason);
});
chrome.tabs.onCreated.addListener((tab) => {
  for (const relay of relays.values()) relay.onCreated(tab);
});
chrome.tabs.onUpdated.addListener((_, change, tab) => {
  if (change.title !== undefined || change.url !== undefined) for (const relay of relays.values()) relay.onUpdated(tab);
});
chrome.tabs.onRemoved.addListener((tab) => {
  release.onRemoved(tab);
  for (const relay of relays.values()) relay.onRemoved(tab);
  void chrome.storage.session.remove([stateKey(tab), conversationKey(tab)]);
});
chrome.tabs.onReplaced.addListener((added, removed) => {
  replacements.set(removed, added);
  release.onRemoved(removed);
  void moveStored(removed, added).then(() => {
    for (const relay of relays.values()) relay.onReplaced(removed);
  });
});

/** Moves what is stored for a tab to the one that replaced it. */
async function moveStored(from: number, to: number): Promise<void> {
  const keys = [stateKey, conversationKey];
  const stored = await chrome.storage.session.get(keys.map((key) => key(from)));
  const moved = keys.flatMap((key) => (key(from) in stored ? [[key(to), stored[key(from)]]] : []));
  await chrome.storage.session.set(Object.fromEntries(moved));
  await chrome.storage.session.remove(keys.map((key) => key(from)));
}

// A worker that starts has no connections: those of the one before it are gone, and their tabs are released.
void chrome.storage.session.get().then((all) => {
  for (const [key, state] of Object.entries(all)) {
    const tab = Number(key.slice(6));
    const isOpen = ["waiting", "working", "held"].includes((state as TabState).kind);
    if (key.startsWith("state-") && isOpen && !relays.has(tab))
      void release.free(tab, { kind: "ended", reason: "extension_reloaded" });
  }
});
void chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true });
