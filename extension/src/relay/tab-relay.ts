// One assigned tab: the WebSocket to Legwork, the debugger on this tab and on those that are opened from it, their tab
// group, and the border around their pages. Every way in which it can end leads to `end`, once.

import type { DebuggerRelease } from "./debugger-release";
import {
  CLOSE_CODES,
  type CloseReason,
  isAllowed,
  isOpenable,
  isRelayed,
  type Message,
  type Request,
  type Target,
} from "./messages";
import { challenge } from "./proof";
import {
  type AttachProblem,
  attachProblem,
  type EndReason,
  isDetachment,
  isForeignFrame,
  isRestricted,
} from "./states";
import { TabBorder } from "./tab-border";
import { BINDING, inputKind, isByPerson, OwnInput, reportInput } from "./user-input";

const PROTOCOL = "1.3";
/** The browser ends a service worker that has been idle for 30 s. */
const PING_MS = 20_000;
/** How long after a page opened a window the tab of the window may come. */
const WINDOW_MS = 5_000;
/** How long the browser may take to report by which tab one was replaced. */
const REPLACEMENT_MS = 500;
/** How long the browser may take to remove a tab whose page is closed. */
const REMOVAL_MS = 2_000;
/** The server's close code when the token of this browser is no longer valid. */
const POLICY_VIOLATION = 1008;
/** The server's close code when it no longer needs the tab. */
const NORMAL = 1000;
/** How long the server may take to prove that it knows the token of this browser. */
const PROOF_MS = 10_000;

/** The server that a tab is assigned to. */
export interface RelayEndpoint {
  /** Its origin. */
  server: string;
  /** The id of the offered tab. */
  relay: string;
  token: string;
}

export interface Ending {
  reason: EndReason | "released";
  /** The tabs that the debugger is attached to. */
  attached: number[];
}

export class TabRelay {
  private readonly attached = new Map<number, TabBorder>();
  private readonly socket: WebSocket;
  private readonly clock: ReturnType<typeof setInterval>;
  /** The targets of the attached tabs. */
  private readonly targets = new Map<string, number>();
  private readonly attaching = new Map<number, Promise<void>>();
  private readonly ownInput = new OwnInput();
  private expectsWindowUntil = 0;
  private ended = false;
  /** Whether the assigned tab is gone, and the reason is not known yet. */
  private isLeaving = false;
  private group?: number;
  private problem?: AttachProblem;
  /** Whether the server knows the token of this browser. Nothing is done for it before. */
  private readonly proven: Promise<boolean>;

  constructor(
    readonly tab: number,
    endpoint: RelayEndpoint,
    private readonly release: DebuggerRelease,
    private readonly onAttached: () => void,
    private readonly onEnd: (ending: Ending) => void,
    /** The person used one of these tabs. */
    private readonly onUserInput: () => void,
  ) {
    this.socket = new WebSocket(
      `${endpoint.server.replace(/^http/, "ws")}/api/extension/tabs/${encodeURIComponent(endpoint.relay)}`,
    );
    const answered = new Promise<ProofMessage>((resolve) => {
      this.socket.onmessage = ({ data }) => {
        const message = JSON.parse(String(data)) as Request | ProofMessage;
        if (message.type === "proof") resolve(message);
        else void this.serve(message);
      };
    });
    this.proven = this.prove(endpoint, answered);
    this.socket.onclose = ({ code }) => {
      const revoked = code === POLICY_VIOLATION;
      this.end(code === NORMAL ? (this.problem ?? "released") : revoked ? "access_revoked" : "server_lost");
    };
    this.clock = setInterval(() => this.say({ type: "ping" }), PING_MS);
  }

  /** Resolves when the connection is open and the server has proven that it knows the token of this browser. */
  async opened(): Promise<void> {
    if (!(await this.proven)) throw new Error("the connection was refused");
  }

  /** Asks the server for the proof. */
  private async prove({ server, token }: RelayEndpoint, answered: Promise<ProofMessage>): Promise<boolean> {
    const { question, isProof } = await challenge(token, server);
    const isOpen = await new Promise<boolean>((resolve) => {
      if (this.socket.readyState === WebSocket.OPEN) resolve(true);
      this.socket.addEventListener("open", () => resolve(true));
      this.socket.addEventListener("close", () => resolve(false));
      setTimeout(() => resolve(false), PROOF_MS);
    });
    if (isOpen) this.socket.send(`{"type":"prove",${JSON.stringify(question).slice(1)}`);
    const silence = new Promise<undefined>((resolve) => {
      this.socket.addEventListener("close", () => resolve(undefined));
      setTimeout(() => resolve(undefined), PROOF_MS);
    });
    const message = isOpen ? await Promise.race([answered, silence]) : undefined;
    const isProven = message !== undefined && (await isProof(message.proof));
    if (!isProven && !this.ended) {
      this.socket.close();
      this.end("not_proven");
    }
    return isProven;
  }

  has(tab: number): boolean {
    return this.attached.has(tab);
  }

  /** Ends it for a reason of this side. */
  close(reason: CloseReason): void {
    if (!this.ended && this.socket.readyState <= WebSocket.OPEN) this.socket.close(CLOSE_CODES[reason], reason);
    this.end(reason);
  }

  onEvent(tab: number, session: string | undefined, method: string, params: object): void {
    const border = this.attached.get(tab);
    if (!border) return;
    if (method === "Runtime.bindingCalled" && (params as { name?: string }).name === BINDING) {
      if (isByPerson((params as { payload: string }).payload, this.ownInput)) this.onUserInput();
      return;
    }
    if (isRelayed(method)) this.say({ type: "event", tab, session, method, params });
    if (method === "Page.windowOpen") this.expectsWindowUntil = Date.now() + WINDOW_MS;
    if (!session) border.after(method);
  }

  /** Tells Legwork that the person used one of these tabs. */
  reportUserInput(): void {
    this.say({ type: "user_input" });
  }

  onDetach(tab: number, reason: string): void {
    if (!this.attached.delete(tab)) return;
    if (tab !== this.tab) {
      this.say({ type: "detached", tab });
      return;
    }
    // The reason for the end of the connection states what happened to the assigned tab. A message before it would end
    // the run for another reason.
    this.isLeaving = true;
    if (reason === "canceled_by_user") this.close("stopped_by_person");
    else if (reason === "target_closed") void this.closeGone();
    else this.close("detached");
  }

  /** The debugger's target is gone. The browser reports this before it removes the tab from its lists, and also when the
   * tab has only moved to a page that no extension may debug. */
  private async closeGone(): Promise<void> {
    const tab = await chrome.tabs.get(this.tab).catch(() => undefined);
    // If the tab is replaced or being closed, `replaced` or `onRemoved` comes first.
    if (!tab) setTimeout(() => this.close("tab_closed"), REPLACEMENT_MS);
    else if (isRestricted(tab.pendingUrl ?? tab.url ?? "")) this.close("detached");
    else setTimeout(() => this.close("detached"), REMOVAL_MS);
  }

  onRemoved(tab: number): void {
    if (tab === this.tab) this.close("tab_closed");
    else if (this.attached.delete(tab)) this.say({ type: "detached", tab });
  }

  /** Another tab has taken the place of this one, because the browser discarded its page. */
  onReplaced(tab: number): void {
    if (tab === this.tab) this.close("tab_discarded");
    else if (this.attached.delete(tab)) this.say({ type: "detached", tab });
  }

  /** A tab was created, perhaps by a page of these tabs. `chrome.tabs` reports the tab that a person looks at as its opener,
   * so only the target contains the actual opener. It is read only if one of these pages has just opened a window. */
  onCreated({ id }: chrome.tabs.Tab): void {
    if (id === undefined || this.attached.has(id) || Date.now() > this.expectsWindowUntil) return;
    void this.attach(id, "a page").catch(() => undefined);
  }

  onUpdated(tab: chrome.tabs.Tab): void {
    if (tab.id !== undefined && this.has(tab.id))
      this.say({ type: "titled", tab: tab.id, target: { targetId: "", title: tab.title ?? "", url: tab.url ?? "" } });
  }

  private async serve(request: Request): Promise<void> {
    const { id } = request;
    if (!(await this.proven) || this.ended) return;
    try {
      this.say({ type: "result", id, result: (await this.carryOut(request)) ?? {} });
    } catch (error) {
      const message = errorText(error);
      if (isForeignFrame(message) && request.type !== "attach_tab") return this.onForeignFrame(request, message);
      // Commands fail before `onDetach` says that the assigned tab is gone, and until the reason for it is known.
      const isGone = request.tab === this.tab && (this.isLeaving || (this.has(this.tab) && isDetachment(message)));
      if (!isGone) this.say({ type: "error", id, message });
    }
  }

  /** The browser refuses every command for a tab, because a frame of another extension is on its page. */
  private onForeignFrame({ id, tab }: Request, message: string): void {
    if (tab === undefined || tab === this.tab) return this.close("foreign_frame");
    this.say({ type: "error", id, message });
    if (!this.attached.delete(tab)) return;
    this.say({ type: "detached", tab });
    void this.release.free(tab);
  }

  private async carryOut(request: Request): Promise<unknown> {
    switch (request.type) {
      case "attach_tab":
        try {
          await this.attach(this.tab);
        } catch (error) {
          this.problem = attachProblem(errorText(error));
          throw error;
        }
        return { tab: this.tab };
      case "open_tab": {
        if (!isOpenable(request.url ?? "")) throw new Error(`${request.url} is not opened in your own browser`);
        const { windowId } = await chrome.tabs.get(this.tab);
        const { id } = await chrome.tabs.create({ url: request.url, windowId, active: false, openerTabId: this.tab });
        if (id === undefined) throw new Error("the browser opened no tab");
        await this.attach(id, "by Legwork");
        return { tab: id };
      }
      case "close_tab":
        await chrome.tabs.remove(this.own(request));
        return {};
      case "release_tab": {
        const tab = this.own(request);
        this.attached.delete(tab);
        await this.release.free(tab);
        this.say({ type: "detached", tab });
        return {};
      }
      case "command":
        return this.command(this.own(request), request);
    }
  }

  private command(tab: number, { session, method = "", params }: Request): Promise<unknown> {
    if (!isAllowed(method)) throw new Error(`${method} is not relayed`);
    const { url } = (params ?? {}) as { url?: string };
    if (method === "Page.navigate" && !isOpenable(url ?? ""))
      throw new Error(`${url} is not opened in your own browser`);
    const debuggee = { tabId: tab, ...(session && { sessionId: session }) };
    const send = () => chrome.debugger.sendCommand(debuggee, method, params);
    const border = this.attached.get(tab);
    if (method === "Runtime.enable")
      // A worker has no input, and a frame may be gone already.
      return send().finally(() =>
        reportInput((method, params) => chrome.debugger.sendCommand(debuggee, method, params)).catch(() => undefined),
      );
    const input = inputKind(method);
    if (input) return send().finally(this.ownInput.begin(input));
    return method === "Page.captureScreenshot" && border ? border.without(send) : send();
  }

  /** The tab of a request, which must be one of these. */
  private own({ tab }: Request): number {
    if (tab === undefined || !this.has(tab)) throw new Error("No target with given id found");
    return tab;
  }

  /** Attaches the debugger to a tab, once, although a request and an event may ask for the same tab. */
  private attach(tab: number, opened?: "by Legwork" | "a page"): Promise<void> {
    const before = this.attaching.get(tab) ?? Promise.resolve();
    const attached = before.catch(() => undefined).then(() => this.attachNow(tab, opened));
    this.attaching.set(tab, attached);
    return attached.finally(() => {
      if (this.attaching.get(tab) === attached) this.attaching.delete(tab);
    });
  }

  /** A tab that a page may have opened is detached again if its opener is not an attached tab. */
  private async attachNow(tab: number, opened?: "by Legwork" | "a page"): Promise<void> {
    if (this.attached.has(tab)) return;
    const debuggee = { tabId: tab };
    const send = (method: string, params?: object) => chrome.debugger.sendCommand(debuggee, method, params);
    await chrome.debugger.attach(debuggee, PROTOCOL);
    const { targetInfo } = (await send("Target.getTargetInfo")) as { targetInfo: Target & { openerId?: string } };
    const { targetId, title, url } = targetInfo;
    const opener = opened === "by Legwork" ? this.tab : this.targets.get(targetInfo.openerId ?? "");
    if ((opened === "a page" && opener === undefined) || this.ended) {
      await chrome.debugger.detach(debuggee);
      return;
    }
    const { status } = await chrome.tabs.get(tab);
    const border = new TabBorder(send);
    this.attached.set(tab, border);
    this.targets.set(targetId, tab);
    this.say({ type: "attached", tab, opener, loading: status === "loading", target: { targetId, title, url } });
    if (tab === this.tab) this.onAttached();
    await this.join(tab);
    await border.begin().catch(() => undefined);
  }

  /** Adds a tab to the group of these tabs, which exists as soon as there are two. */
  private async join(tab: number): Promise<void> {
    if (tab === this.tab) return;
    try {
      if (this.group === undefined) {
        const { groupId } = await chrome.tabs.get(this.tab);
        const isFree = groupId === chrome.tabGroups.TAB_GROUP_ID_NONE;
        this.group = isFree ? await chrome.tabs.group({ tabIds: [this.tab] }) : groupId;
        if (isFree) await chrome.tabGroups.update(this.group, { title: "Legwork", color: "purple" });
      }
      await chrome.tabs.group({ groupId: this.group, tabIds: [tab] });
    } catch {
      // While a person drags a tab, tabs cannot be grouped; the group is only cosmetic.
    }
  }

  private say(message: Message): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private end(reason: EndReason | "released"): void {
    if (this.ended) return;
    this.ended = true;
    clearInterval(this.clock);
    const attached = [...this.attached.keys()];
    this.attached.clear();
    this.onEnd({ reason, attached });
  }
}

/** The server's answer to the question whether it knows the token of this browser. */
interface ProofMessage {
  type: "proof";
  proof?: string;
}

/** The browser's message about a command that failed: a text, or the protocol's error as JSON in a text. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
