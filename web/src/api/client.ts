// The one client of the server's API: it unwraps the envelope, converts errors to one type, and adds the CSRF value to
// requests that change something. It sends requests to one server only (place.ts).

import type { CurrentUser, ErrorReport, Gets, Pagination } from "./generated";
import { authorization, serverUrl, usesCookie } from "./place";

interface Envelope<T> {
  success: boolean;
  data?: T;
  error?: ErrorReport;
  pagination?: Pagination;
}

/** The parameters of a route: those of the path and those of the query. */
export type Parameters<P extends keyof Gets> = Gets[P]["query"] & { id?: string };
export type Data<P extends keyof Gets> = Gets[P]["data"];

/** The server refused a request, or could not be reached. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code?: string,
    readonly suggestion?: string,
    readonly details: string[] = [],
  ) {
    super(message);
    this.name = "Refused";
  }

  /** Whether there was no response, because the connection or the server is gone. */
  get offline(): boolean {
    return this.status === 0;
  }

  /** Whether nobody is signed in. The user must open the link that `legwork serve` printed. */
  get unauthorized(): boolean {
    return this.status === 401;
  }
}

/** The code of a refusal that another CSRF value does not change. */
const SCOPE_MISSING = "FA004";

let me: Promise<CurrentUser> | undefined;

/** The caller's identity and the CSRF value. Requested once, and again after a failure. */
export function whoami(): Promise<CurrentUser> {
  me ??= get("/api/me").catch((error: unknown) => {
    me = undefined;
    throw error;
  });
  return me;
}

export async function get<P extends keyof Gets>(
  path: P,
  parameters?: Parameters<P>,
  signal?: AbortSignal,
): Promise<Data<P>> {
  return (await page(path, parameters, signal)).data;
}

export async function page<P extends keyof Gets>(
  path: P,
  parameters?: Parameters<P>,
  signal?: AbortSignal,
): Promise<{ data: Data<P>; pagination?: Pagination }> {
  const { data, pagination } = await ask<Data<P>>(address(path, parameters), { signal });
  return { data: data as Data<P>, pagination };
}

function address(path: string, parameters: Record<string, unknown> = {}): string {
  const { id, ...query } = parameters;
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, String(value));
  return path.replace("{id}", encodeURIComponent(String(id))) + (search.size ? `?${search}` : "");
}

/** Requests without a token: what a server says before it is known whether it may have one. */
export const withoutToken = {
  async get<P extends keyof Gets>(path: P, signal?: AbortSignal): Promise<Data<P>> {
    return (await ask<Data<P>>(path, { signal }, true)).data as Data<P>;
  },
  async post<T>(path: string, body: unknown): Promise<T> {
    const headers = { "Content-Type": "application/json" };
    return (await ask<T>(path, { method: "POST", headers, body: JSON.stringify(body) }, true)).data as T;
  },
};

/** POST, PUT and DELETE. */
export async function change<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<T> {
  const json = body === undefined ? undefined : JSON.stringify(body);
  return write<T>(method, path, json, {
    ...(json === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
  });
}

/** POST of a file. */
export async function upload<T>(path: string, parameters: Record<string, unknown>, file: Blob): Promise<T> {
  return write<T>("POST", address(path, parameters), file, { "Content-Type": "application/octet-stream" });
}

async function write<T>(
  method: string,
  path: string,
  body: string | Blob | undefined,
  headers: Record<string, string>,
): Promise<T> {
  const send = async () => {
    const csrf: Record<string, string> = usesCookie() ? { "X-Legwork-CSRF": (await whoami()).csrf } : {};
    return ask<T>(path, { method, headers: { ...csrf, ...headers }, body });
  };
  try {
    return (await send()).data as T;
  } catch (error) {
    // The server may have restarted since the page was loaded, which changes the CSRF value.
    const mayBeStale = usesCookie() && error instanceof Refused && error.status === 403;
    if (!mayBeStale || error.code === SCOPE_MISSING) throw error;
    me = undefined;
    return (await send()).data as T;
  }
}

/** The text of an artifact, at most `most` characters. */
export async function artifact(hash: string, signal?: AbortSignal, most = 400_000): Promise<string> {
  const response = await reach(`/api/artifacts/${encodeURIComponent(hash)}`, { signal });
  if (!response.ok) throw new Refused(`the text is no longer available (HTTP ${response.status})`, response.status);
  const text = await response.text();
  return text.length > most ? `${text.slice(0, most)}\n… cut: ${text.length} characters in all` : text;
}

export const pictureUrl = (hash: string) => `/api/screenshots/${encodeURIComponent(hash)}`;
export const thumbnailUrl = (hash: string) => `${pictureUrl(hash)}/thumbnail`;

async function ask<T>(path: string, init: RequestInit, isOpen = false): Promise<Envelope<T>> {
  const response = await reach(path, init, isOpen);
  const body = (await response.json().catch(() => undefined)) as Envelope<T> | undefined;
  if (response.ok && body?.success !== false) return body ?? { success: true };
  const { message, code, suggestedAction, details }: Partial<ErrorReport> = body?.error ?? {};
  throw new Refused(
    message ?? `the server answered HTTP ${response.status}`,
    response.status,
    code,
    suggestedAction,
    details,
  );
}

async function reach(path: string, init: RequestInit, isOpen = false): Promise<Response> {
  const caller = isOpen ? {} : await authorization();
  try {
    return await fetch(serverUrl(path), {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      ...init,
      headers: { ...init.headers, ...caller },
    });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refused("the server cannot be reached", 0);
  }
}
