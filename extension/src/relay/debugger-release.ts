// Detaches the debugger from tabs. The browser refuses every command for a page with a frame of another extension, also
// the one that detaches. Such a tab is held until the frame is gone; meanwhile its state says so.

import { isForeignFrame, type TabState } from "./states";

/** How often a tab that is held is tried again. */
const RETRY_MS = 500;
/** How long a page may take to give way to an empty one. */
const LEAVE_MS = 5_000;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export class DebuggerRelease {
  /** The tabs that are held, and their states when they are free. */
  private readonly held = new Map<number, TabState>();
  private readonly leaving = new Set<number>();

  constructor(private readonly note: (tab: number, state: TabState) => Promise<void>) {}

  has(tab: number): boolean {
    return this.held.has(tab);
  }

  /** Detaches the debugger. Resolves when the state of the tab is written, which is "held" if the browser refuses. */
  async free(tab: number, after?: TabState): Promise<void> {
    if (!(await this.isRefused(tab))) {
      if (after) await this.note(tab, after);
      return;
    }
    this.held.set(tab, after && after.kind !== "released" ? after : { kind: "ended", reason: "foreign_frame" });
    await this.note(tab, { kind: "held" });
    void this.retry(tab);
  }

  /** Whether the tab is free now, with one more attempt if it is held. */
  async isFree(tab: number): Promise<boolean> {
    if (this.has(tab) && !(await this.isRefused(tab))) await this.onDetached(tab);
    return !this.has(tab);
  }

  /** The debugger is no longer attached to the tab, or the tab is gone. */
  async onDetached(tab: number): Promise<void> {
    const after = this.held.get(tab);
    if (this.held.delete(tab) && after) await this.note(tab, after);
  }

  onRemoved(tab: number): void {
    this.held.delete(tab);
  }

  /** The page wants to load something, which nobody lets through any more. If the tab itself goes to another page, it is freed
   * and goes there. */
  async onRequest(tab: number, { request, resourceType, frameId }: PausedRequest): Promise<void> {
    if (!this.has(tab) || resourceType !== "Document") return;
    // The id of a tab's target is that of its main frame.
    const target = (await chrome.debugger.getTargets()).find((target) => target.tabId === tab);
    if (frameId === target?.id) await this.leave(tab, request.method === "GET" ? request.url : undefined);
  }

  /** Replaces the page by an empty one, which no command can prevent, detaches, and goes to the address or back. */
  async leave(tab: number, url?: string): Promise<void> {
    if (!this.has(tab) || this.leaving.has(tab)) return;
    this.leaving.add(tab);
    try {
      await chrome.tabs.update(tab, { url: "about:blank" });
      const until = Date.now() + LEAVE_MS;
      while (Date.now() < until && !(await this.isFree(tab))) await sleep(50);
      // A page can ask whether it may be left, and the question cannot be answered.
      if (this.has(tab)) return;
      if (url) await chrome.tabs.update(tab, { url });
      else await chrome.tabs.goBack(tab);
    } finally {
      this.leaving.delete(tab);
    }
  }

  private async retry(tab: number): Promise<void> {
    while (!(await this.isFree(tab))) await sleep(RETRY_MS);
  }

  private async isRefused(tab: number): Promise<boolean> {
    try {
      await chrome.debugger.detach({ tabId: tab });
      return false;
    } catch (error) {
      // Every other error says that the debugger is not attached, or that there is no such tab.
      return isForeignFrame(error instanceof Error ? error.message : String(error));
    }
  }
}

/** The parameters of `Fetch.requestPaused`. */
export interface PausedRequest {
  request: { url: string; method: string };
  resourceType: string;
  frameId: string;
}
