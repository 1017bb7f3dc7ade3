// The state of the server, as far as the panel needs it: whether it answers, whether it speaks the same version,
// whether this browser is paired, and whether a program at a terminal waits for a tab.

import { useEffect, useState } from "preact/hooks";
import { get, Refused, withoutToken } from "../../../web/src/api/client";
import type { ExtensionInfo } from "../../../web/src/api/generated";
import { RELAY_VERSION } from "../relay/messages";
import { UNPROVEN } from "./prove";
import type { PanelSettings } from "./settings";

export type ServerState =
  | { kind: "looking" }
  /** Nothing answers at the address. */
  | { kind: "absent" }
  /** Something answers that is no Legwork, or one that does not accept this extension. */
  | { kind: "refused"; message: string; suggestion?: string }
  | { kind: "other_version"; version: string; isNewer: boolean }
  /** `rejected` is whether a token was sent and is not valid any more. */
  | { kind: "unpaired"; info: ExtensionInfo; rejected: boolean }
  | { kind: "ready"; info: ExtensionInfo };

/** How long the server may take to answer before the panel says that there is none. */
const ANSWER_MS = 4_000;
const INTERVAL_MS = 2_000;

/** Asks the server once. */
export async function lookAtServer(settings: PanelSettings): Promise<ServerState> {
  let info: ExtensionInfo;
  let isProven = true;
  const limit = () => AbortSignal.timeout(ANSWER_MS);
  try {
    const asked = settings.token
      ? get("/api/extension", undefined, limit())
      : withoutToken.get("/api/extension", limit());
    info = await asked.catch((error) => {
      // The token was not sent: the server has not proven that it knows it.
      isProven = !(error instanceof Refused && error.code === UNPROVEN);
      if (!isProven) return withoutToken.get("/api/extension", limit());
      throw error;
    });
  } catch (error) {
    if (!(error instanceof Refused) || error.offline) return { kind: "absent" };
    // A server from before the extension has no such route.
    if (error.status === 404 || error.status === 401)
      return { kind: "other_version", version: "without the side panel", isNewer: false };
    return { kind: "refused", message: error.message, suggestion: error.suggestion };
  }
  if (info.relayVersion !== RELAY_VERSION)
    return { kind: "other_version", version: info.version, isNewer: info.relayVersion > RELAY_VERSION };
  if (!info.paired || !isProven) return { kind: "unpaired", info, rejected: settings.token !== undefined };
  return { kind: "ready", info };
}

/** The state of the server, asked for every two seconds. */
export function useServer(settings: PanelSettings): { server: ServerState; again(): void } {
  const [server, show] = useState<ServerState>({ kind: "looking" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let stopped = false;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const found = await lookAtServer(settings);
      if (stopped) return;
      show((before) => (JSON.stringify(before) === JSON.stringify(found) ? before : found));
      timer = setTimeout(() => void look(), INTERVAL_MS);
    };
    void look();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [settings.server, settings.token, turn]);
  return { server, again: () => setTurn(turn + 1) };
}
