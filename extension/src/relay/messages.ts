// The messages between Legwork and the extension, over one WebSocket per assigned tab. The shapes are those of
// crates/browser/src/relay/messages.rs.

/** The version of these messages. A server with another one is not used. */
export const RELAY_VERSION = 2;

export interface Request {
  id: number;
  type: "attach_tab" | "open_tab" | "close_tab" | "release_tab" | "command";
  tab?: number;
  /** The protocol session of a frame or worker in the tab. */
  session?: string;
  method?: string;
  params?: object;
  url?: string;
}

export interface Target {
  targetId: string;
  title: string;
  url: string;
}

export type Message =
  | { type: "result"; id: number; result: unknown }
  | { type: "error"; id: number; message: string }
  | { type: "attached"; tab: number; target: Target; opener?: number; loading: boolean }
  | { type: "detached"; tab: number }
  | { type: "event"; tab: number; session?: string; method: string; params: object }
  | { type: "titled"; tab: number; target: Target }
  // The person used a tab in which a run works. The server compares the text of this message.
  | { type: "user_input" }
  // Keeps the service worker alive.
  | { type: "ping" };

/** Why the extension closes the connection, as the code of the WebSocket. */
export const CLOSE_CODES = {
  /** The tab was closed. */
  tab_closed: 4001,
  /** A person ended the debugging with the browser's own bar, or with "Disconnect" in the panel. */
  stopped_by_person: 4002,
  /** The browser ended the debugging. */
  detached: 4003,
  /** The page has a frame of another extension, so the browser refuses every command. */
  foreign_frame: 4004,
  /** The browser replaced the tab, because it discarded its page to save memory. */
  tab_discarded: 4005,
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;

/** The commands of the protocol that Legwork uses in a tab. Others are refused, whoever asks: this browser is the user's own,
 * so none of these reads or changes cookies. A test compares them with crates/browser/src/cdp/wire.rs. */
export const METHODS = new Set([
  "DOM.describeNode",
  "DOM.getFrameOwner",
  "DOM.resolveNode",
  "DOM.setFileInputFiles",
  "Emulation.setDeviceMetricsOverride",
  "Emulation.setEmulatedMedia",
  "Emulation.setFocusEmulationEnabled",
  "Fetch.continueRequest",
  "Fetch.disable",
  "Fetch.enable",
  "Fetch.failRequest",
  "Fetch.fulfillRequest",
  "Input.dispatchDragEvent",
  "Input.dispatchKeyEvent",
  "Input.dispatchMouseEvent",
  "Input.insertText",
  "Input.setInterceptDrags",
  "Log.enable",
  "Network.emulateNetworkConditions",
  "Network.enable",
  "Network.getRequestPostData",
  "Network.getResponseBody",
  "Network.setBlockedURLs",
  "Page.addScriptToEvaluateOnNewDocument",
  "Page.bringToFront",
  "Page.captureScreenshot",
  "Page.createIsolatedWorld",
  "Page.enable",
  "Page.getFrameTree",
  "Page.getNavigationHistory",
  "Page.handleJavaScriptDialog",
  "Page.navigate",
  "Page.navigateToHistoryEntry",
  "Page.printToPDF",
  "Page.reload",
  "Page.screencastFrameAck",
  "Page.setInterceptFileChooserDialog",
  "Page.startScreencast",
  "Page.stopLoading",
  "Page.stopScreencast",
  "Runtime.addBinding",
  "Runtime.callFunctionOn",
  "Runtime.enable",
  "Runtime.evaluate",
  "Runtime.runIfWaitingForDebugger",
  "Runtime.terminateExecution",
  "Target.detachFromTarget",
  "Target.setAutoAttach",
]);

/** The commands of wire.rs that are never passed on to a tab: those for the browser as a whole, which the server's part of the
 * relay answers itself, and those that change cookies. */
export const REFUSED_METHODS = new Set([
  "Browser.cancelDownload",
  "Browser.close",
  "Browser.getVersion",
  "Browser.setDownloadBehavior",
  "Network.deleteCookies",
  "Storage.clearCookies",
  "Storage.getCookies",
  "Storage.setCookies",
  "Target.attachToTarget",
  "Target.closeTarget",
  "Target.createBrowserContext",
  "Target.createTarget",
  "Target.disposeBrowserContext",
  "Target.setDiscoverTargets",
]);

export const isAllowed = (method: string): boolean => METHODS.has(method);

/** Events of the domains that Legwork reads. Those with "ExtraInfo" contain cookies that no page can read. */
const EVENT_DOMAINS = ["Page", "Runtime", "Log", "Network", "Fetch", "Input", "Target", "Inspector"];

/** Whether Legwork reads an event. */
export function isRelayed(method: string): boolean {
  return EVENT_DOMAINS.includes(method.split(".")[0] ?? "") && !method.endsWith("ExtraInfo");
}

/**
 * Whether Legwork may open an address in this browser: nothing of this machine's files, of the browser or of
 * extensions.
 */
export function isOpenable(url: string): boolean {
  return /^(https?:|data:|blob:|about:blank(?:[?#]|$))/i.test(url.trim());
}
