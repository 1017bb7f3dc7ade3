// What the panel stores in this browser: the address of the server, and the token of the pairing with each server. Keys
// of model providers and secrets are never here; they stay with Legwork.

export interface PanelSettings {
  server: string;
  /** The token of the pairing with this server. No other server gets it. */
  token?: string;
  /** Whether a run is paused when the person uses its tab. */
  pausesOnInput: boolean;
}

interface Stored {
  server?: string;
  /** The tokens by the origins of their servers. */
  tokens?: Record<string, string>;
  /** The only token, before there was one for each server. */
  token?: string;
  pausesOnInput?: boolean;
}

/** Where `legwork serve` listens if nothing else is set. */
export const DEFAULT_SERVER = "http://127.0.0.1:7717";

const read = (): Promise<Stored> => chrome.storage.local.get(["server", "tokens", "token", "pausesOnInput"]);

export async function loadSettings(): Promise<PanelSettings> {
  const { server: address = DEFAULT_SERVER, tokens = {}, token, pausesOnInput = true } = await read();
  const server = serverOrigin(address) ?? DEFAULT_SERVER;
  if (token !== undefined) {
    tokens[server] ??= token;
    await chrome.storage.local.set({ tokens });
    await chrome.storage.local.remove("token");
  }
  return { server, token: tokens[server], pausesOnInput };
}

export async function saveSettings(settings: Partial<Omit<PanelSettings, "token">>): Promise<void> {
  await chrome.storage.local.set(settings);
}

/** Stores the token of the pairing with a server; without one, the pairing is forgotten. */
export async function saveToken(server: string, token?: string): Promise<void> {
  const { tokens = {} } = await read();
  if (token === undefined) delete tokens[server];
  else tokens[server] = token;
  await chrome.storage.local.set({ tokens });
  // What the earlier pairing ended is no news any more.
  const states = Object.entries(await chrome.storage.session.get()) as [string, { kind?: string; reason?: string }][];
  const old = states.filter(([, { reason }]) => reason === "access_revoked" || reason === "not_proven");
  await chrome.storage.session.remove(old.map(([key]) => key));
}

/** The token of the pairing with a server. */
export async function tokenOf(server: string): Promise<string | undefined> {
  return (await read()).tokens?.[server];
}

/** The origin of an address that a person typed; undefined if Legwork cannot be there. The name of this machine becomes its
 * address: two programs could listen on one port of the name, one for each of its addresses. */
export function serverOrigin(text: string): string | undefined {
  try {
    const url = new URL(text.trim());
    if (url.hostname === "localhost") url.hostname = "127.0.0.1";
    return url.protocol === "http:" && url.hostname === "127.0.0.1" ? url.origin : undefined;
  } catch {
    return undefined;
  }
}
