// Server-sent events over fetch. The browser's EventSource hides heartbeats, so a connection that died silently appears
// alive for minutes, and it hides the status of a refused request. This module needs both.

import { authorization, serverUrl } from "./place";

export interface Frame {
  id?: string;
  event: string;
  data: string;
}

/** Converts text to frames as it arrives. Its only state is the rest of the previous piece. */
export function parser(): (piece: string) => Frame[] {
  let rest = "";
  let frame: { id?: string; event?: string; data: string[] } = { data: [] };
  return (piece) => {
    const frames: Frame[] = [];
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (frame.data.length)
          frames.push({ id: frame.id, event: frame.event ?? "message", data: frame.data.join("\n") });
        frame = { data: [] };
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") frame.data.push(value);
      else if (field === "event") frame.event = value;
      else if (field === "id") frame.id = value;
    }
    return frames;
  };
}

/** Without any byte, including heartbeats, for this time, the connection is dead. The server sends a heartbeat every
 * 15 s. */
const SILENCE_MS = 40_000;

/** The server refused the stream, and another attempt would have the same result. */
export class StreamRefused extends Error {
  constructor(readonly status: number) {
    super(`the stream was refused: HTTP ${status}`);
  }
}

export interface Reading {
  lastId?: string;
  signal: AbortSignal;
  opened(): void;
  frame(frame: Frame): void;
}

/** Reads one connection to its end. Throws if the connection breaks. */
export async function readStream(url: string, reading: Reading): Promise<void> {
  const broken = new AbortController();
  const stop = () => broken.abort();
  reading.signal.addEventListener("abort", stop);
  addEventListener("offline", stop);
  let watchdog = setTimeout(stop, SILENCE_MS);
  try {
    const headers: Record<string, string> = { Accept: "text/event-stream", ...(await authorization()) };
    if (reading.lastId) headers["Last-Event-ID"] = reading.lastId;
    const response = await fetch(serverUrl(url), {
      headers,
      signal: broken.signal,
      cache: "no-store",
      credentials: "same-origin",
    });
    if (!response.ok || !response.body) throw new StreamRefused(response.status);
    reading.opened();
    const parse = parser();
    const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await text.read();
      if (done) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, SILENCE_MS);
      for (const frame of parse(value)) reading.frame(frame);
    }
  } finally {
    clearTimeout(watchdog);
    removeEventListener("offline", stop);
    reading.signal.removeEventListener("abort", stop);
    broken.abort();
  }
}

export type Connection = "connecting" | "open" | "lost" | "refused" | "ended";

/** A connection that may be opened. */
export interface Turn {
  isBrief: boolean;
  /** It has ended. */
  done(): void;
}

export interface Following {
  /** The URL; called for every connection. */
  url(): string;
  frame(frame: Frame): void;
  state(state: Connection, status?: number): void;
  /** Waits until a connection may be opened. A brief one ends after the first data, and is made again after a while. */
  turn?: (signal: AbortSignal) => Promise<Turn>;
  /** Whether a 404 may be temporary, and counts only if it is repeated. */
  early?: () => boolean;
}

/** Number of failed attempts after which the connection is reported as lost, or the resource as missing. */
const PATIENCE = 3;

/** The time between two brief connections, and how long one of them waits for data. */
const BRIEF_INTERVAL_MS = 2_000;
const BRIEF_MS = 1_500;
/** Data that belongs together arrives at once. */
const BRIEF_REST_MS = 100;

/** Keeps a stream open until it is stopped or has ended. The delay grows with each failure and ends at once when the
 * machine is online again or the page becomes visible. A hidden page gives up its connection after a while, because
 * browsers allow only six per server. */
export function follow(following: Following): { stop(): void; end(): void } {
  const stopped = new AbortController();
  let lastId: string | undefined;
  let finished = false;
  let known = false;

  const run = async () => {
    for (let failures = 0; !stopped.signal.aborted; ) {
      const turn = await following.turn?.(stopped.signal);
      if (stopped.signal.aborted) {
        turn?.done();
        break;
      }
      const hidden = pageHidden(stopped.signal);
      const brief = turn?.isBrief ? timer(hidden.stop, BRIEF_MS) : undefined;
      let opened = false;
      try {
        await readStream(following.url(), {
          lastId,
          signal: hidden.signal,
          opened() {
            opened = known = true;
            failures = 0;
            following.state("open");
          },
          frame(frame) {
            if (frame.id) lastId = frame.id;
            brief?.again(BRIEF_REST_MS);
            following.frame(frame);
          },
        });
      } catch (error) {
        const missing = error instanceof StreamRefused && error.status === 404;
        const early = missing && failures < PATIENCE && following.early?.();
        if (!early && error instanceof StreamRefused && [400, 401, 403, 404].includes(error.status)) {
          following.state("refused", error.status);
          return;
        }
      } finally {
        brief?.stop();
        hidden.done();
        turn?.done();
      }
      if (finished || stopped.signal.aborted) break;
      if (document.visibilityState === "hidden") await visible(stopped.signal);
      else if (brief && opened) await pause(BRIEF_INTERVAL_MS, stopped.signal);
      else {
        // After the first success, the connection is "lost" until it is open again, after any number of attempts.
        following.state(known || failures >= PATIENCE ? "lost" : "connecting");
        if (!opened) failures++;
        // The delay stays short, so that a restarted server is found while somebody watches.
        await pause(Math.min(3_000, 400 * 2 ** Math.min(failures, 3)), stopped.signal);
      }
    }
    if (finished) following.state("ended");
  };
  following.state("connecting");
  void run();
  return {
    stop: () => stopped.abort(),
    end: () => {
      finished = true;
      stopped.abort();
    },
  };
}

/** A timer that can begin again. */
function timer(ring: () => void, ms: number): { again(ms: number): void; stop(): void } {
  let running = setTimeout(ring, ms);
  const stop = () => clearTimeout(running);
  return {
    again(ms) {
      stop();
      running = setTimeout(ring, ms);
    },
    stop,
  };
}

const HIDDEN_MS = 30_000;

/** A signal that is aborted together with `outer`, or after the page was hidden for a while. */
function pageHidden(outer: AbortSignal): { signal: AbortSignal; stop(): void; done(): void } {
  const mine = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") timer = setTimeout(() => mine.abort(), HIDDEN_MS);
  };
  const abort = () => mine.abort();
  if (outer.aborted) abort();
  outer.addEventListener("abort", abort);
  document.addEventListener("visibilitychange", look);
  look();
  return {
    signal: mine.signal,
    stop: abort,
    done() {
      clearTimeout(timer);
      outer.removeEventListener("abort", abort);
      document.removeEventListener("visibilitychange", look);
    },
  };
}

function visible(signal: AbortSignal): Promise<void> {
  return until(signal, (wake) => {
    const look = () => document.visibilityState === "visible" && wake();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return until(signal, (wake) => {
    const timer = setTimeout(wake, ms);
    addEventListener("online", wake);
    document.addEventListener("visibilitychange", wake);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", wake);
    };
  });
}

function until(signal: AbortSignal, arm: (wake: () => void) => () => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const wake = () => {
      disarm();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const disarm = arm(wake);
    signal.addEventListener("abort", wake);
  });
}
