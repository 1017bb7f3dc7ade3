// The tab beside the panel, its state and its conversation. Both are in the session storage of the extension, under the
// tab's number: they survive navigation and the panel itself, and end with the browser.

import { useCallback, useEffect, useState } from "preact/hooks";
import type { PanelReply, PanelRequest } from "../background";
import { conversationKey, stateKey, type TabState } from "../relay/states";

/** A task of the conversation. */
export interface Entry {
  run: string;
  /** What was asked for. */
  text: string;
}

/** The tab in the address of the panel (`?tab=`), or the one that is active in the panel's window. */
export function useTab(): chrome.tabs.Tab | undefined {
  const [tab, setTab] = useState<chrome.tabs.Tab>();
  useEffect(() => {
    let fixed = Number(new URLSearchParams(location.search).get("tab")) || undefined;
    const look = async () => {
      if (fixed) return setTab(await chrome.tabs.get(fixed).catch(() => undefined));
      const [active] = await chrome.tabs.query({ active: true, currentWindow: true });
      setTab(active);
    };
    void look();
    const changed = () => void look();
    const replaced = (added: number, removed: number) => {
      if (fixed === removed) fixed = added;
      void look();
    };
    chrome.tabs.onReplaced.addListener(replaced);
    chrome.tabs.onActivated.addListener(changed);
    chrome.tabs.onUpdated.addListener(changed);
    chrome.tabs.onRemoved.addListener(changed);
    return () => {
      chrome.tabs.onReplaced.removeListener(replaced);
      chrome.tabs.onActivated.removeListener(changed);
      chrome.tabs.onUpdated.removeListener(changed);
      chrome.tabs.onRemoved.removeListener(changed);
    };
  }, []);
  return tab;
}

/** A value in the session storage. */
function useStored<T>(key: string | undefined): T | undefined {
  const [value, setValue] = useState<{ key: string; value?: T }>();
  useEffect(() => {
    if (!key) return;
    let stopped = false;
    void chrome.storage.session.get(key).then((all) => !stopped && setValue({ key, value: all[key] as T | undefined }));
    const changed = (changes: Record<string, chrome.storage.StorageChange>) => {
      const change = changes[key];
      if (change) setValue({ key, value: change.newValue as T | undefined });
    };
    chrome.storage.session.onChanged.addListener(changed);
    return () => {
      stopped = true;
      chrome.storage.session.onChanged.removeListener(changed);
    };
  }, [key]);
  return value && value.key === key ? value.value : undefined;
}

export const useTabState = (tab: number | undefined) =>
  useStored<TabState>(tab === undefined ? undefined : stateKey(tab));

export function useConversation(tab: number | undefined): { entries: Entry[]; add(entry: Entry): Promise<void> } {
  const key = tab === undefined ? undefined : conversationKey(tab);
  const entries = useStored<Entry[]>(key) ?? [];
  const add = useCallback(
    async (entry: Entry) => {
      if (!key) return;
      const kept = ((await chrome.storage.session.get(key))[key] ?? []) as Entry[];
      if (kept.some((one) => one.run === entry.run)) return;
      await chrome.storage.session.set({ [key]: [...kept, entry] });
    },
    [key],
  );
  return { entries, add };
}

/** The run of a tab goes on after the person used the tab. */
export async function clearUserInput(tab: number): Promise<void> {
  const key = stateKey(tab);
  const state = (await chrome.storage.session.get(key))[key] as TabState | undefined;
  if (state?.kind === "working")
    await chrome.storage.session.set({ [key]: { ...state, hasUserInput: false } satisfies TabState });
}

/** Asks the service worker. */
export async function askWorker(request: PanelRequest): Promise<void> {
  const reply = (await chrome.runtime.sendMessage(request)) as PanelReply;
  if (!reply.ok) throw new Error(reply.message);
}
