// Where the server is. The server's own page asks its own origin, with a cookie. The side panel of the extension has another
// origin: it asks the server that it is paired with, with a token.

const place: { origin: string; token?: string } = { origin: "" };

/** Sends requests to this origin from now on, with this token. */
export function setPlace(origin: string, token?: string): void {
  place.origin = origin;
  place.token = token;
}

/** The address of a path of the server. */
export const serverUrl = (path: string): string => place.origin + path;

/** Whether requests are authenticated by the cookie of the server's own page, so that changes need the CSRF value. */
export const usesCookie = (): boolean => place.origin === "";

/** The header with the token, if requests have one. */
export const authorization = (): Record<string, string> =>
  place.token ? { Authorization: `Bearer ${place.token}` } : {};
