// Where the server is. The server's own page asks its own origin, with a cookie. The side panel of the extension has
// another origin: it asks the server that it is paired with, with a token.

const place: { origin: string; token?: string; check?: () => Promise<void> } = { origin: "" };

/** Sends requests to this origin from now on, with this token. `check` runs before each use of the token, and rejects if the
 * token must not be sent there. */
export function setPlace(origin: string, token?: string, check?: () => Promise<void>): void {
  place.origin = origin;
  place.token = token;
  place.check = check;
}

/** The address of a path of the server. */
export const serverUrl = (path: string): string => place.origin + path;

/** Whether requests are authenticated by the cookie of the server's own page, so that changes need the CSRF value. */
export const usesCookie = (): boolean => place.origin === "";

/** The header with the token, if requests have one. */
export async function authorization(): Promise<Record<string, string>> {
  const { token, check } = place;
  if (!token) return {};
  await check?.();
  return { Authorization: `Bearer ${token}` };
}
