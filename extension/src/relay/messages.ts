// The messages between Legwork and the extension, over one WebSocket per assigned tab. The shapes are those of
// crates/browser/src/relay/messages.rs.

/** The version of these messages. A server with another one is not used. */
export const RELAY_VERSION = 1;

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
} as const;

export type CloseReason = keyof typeof CLOSE_CODES;

/** The domains of the protocol that Legwork uses. Commands of other domains are always refused. */
const DOMAINS = ["Page", "Runtime", "Log", "DOM", "Network", "Fetch", "Emulation", "Input", "Target"];

export function isAllowed(method: string): boolean {
  return DOMAINS.includes(method.split(".")[0] ?? "");
}

/** Whether Legwork reads the events of a domain. */
export function isRelayed(method: string): boolean {
  const [domain] = method.split(".");
  return domain === "Inspector" || (domain !== "DOM" && isAllowed(method));
}
