// What the panel stores in this browser: the address of the server and the token of the pairing. Keys of model providers
// and secrets are never here; they stay with Legwork.

export interface PanelSettings {
  server: string;
  token?: string;
  /** Whether a run is paused when the person uses its tab. */
  pausesOnInput: boolean;
}

/** Where `legwork serve` listens if nothing else is set. */
export const DEFAULT_SERVER = "http://127.0.0.1:7717";

export async function loadSettings(): Promise<PanelSettings> {
  const stored = await chrome.storage.local.get(["server", "token", "pausesOnInput"]);
  return { server: DEFAULT_SERVER, pausesOnInput: true, ...stored };
}

export async function saveSettings(settings: Partial<PanelSettings>): Promise<void> {
  await chrome.storage.local.set(settings);
}

export async function forgetToken(): Promise<void> {
  await chrome.storage.local.remove("token");
}

/** The origin of an address that a person typed; undefined if Legwork cannot be there. */
export function serverOrigin(text: string): string | undefined {
  try {
    const url = new URL(text.trim());
    const isHere = ["127.0.0.1", "localhost"].includes(url.hostname);
    return url.protocol === "http:" && isHere ? url.origin : undefined;
  } catch {
    return undefined;
  }
}
