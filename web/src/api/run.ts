// Follows one run: its record as rows of the server, the model's reply while it is generated, and the state of the
// connection. After a lost connection, the server sends every row that changed since the last event that the page has.

import { useEffect, useState } from "preact/hooks";
import { take, type View } from "../record/view";
import { get, Refused } from "./client";
import type { RecordPatch, Session } from "./generated";
import { usesCookie } from "./place";
import { append, type Delta, type Reply, shown } from "./reply";
import { type Connection, type Frame, follow, type Turn } from "./sse";
import { isStartedHere } from "./start";

export interface Followed {
  view?: View;
  /** The model's reply so far. */
  reply?: string;
  connection: Connection;
  status?: number;
  /** The run while it waits in the queue, because it has no record yet. */
  session?: Session;
  problem?: Refused;
}

export interface Run extends Followed {
  /** Connects again, after the run was resumed. */
  again(): void;
}

const PUBLISH_MS = 40;

/** How a page with several runs shares the few connections that a browser opens to one server. */
export interface Sharing {
  turn(signal: AbortSignal): Promise<Turn>;
  /** Whether a run in this state goes on by itself. The connection of another one ends after the first data. */
  isLive(state: string): boolean;
}

/** A run that was just continued may still be on record as it was before for this time. */
const CONTINUED_MS = 15_000;

export function useRun(id: string, sharing?: Sharing): Run {
  const [now, show] = useState<Followed>({ connection: "connecting" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    // The current data stays while a run is resumed. Another run starts without data.
    const kept = now.view?.run.run === id || now.session?.summary.run === id ? now : undefined;
    const run = new Follower(id, kept, show, sharing, turn > 0 ? CONTINUED_MS : 0);
    return () => run.stop();
  }, [id, turn]);
  return { ...now, again: () => setTurn(turn + 1) };
}

class Follower {
  private now: Followed;
  /** The newest reply of a model, even if it is complete. */
  private reply?: Reply;
  private settling?: ReturnType<typeof setTimeout>;
  private timer?: ReturnType<typeof setTimeout>;
  private stopped = false;
  private readonly stream;

  constructor(
    private readonly id: string,
    kept: Followed | undefined,
    private readonly show: (now: Followed) => void,
    private readonly sharing: Sharing | undefined,
    private readonly patience: number,
  ) {
    this.now = { ...kept, reply: undefined, connection: "connecting" };
    this.publish();
    this.stream = follow({
      url: () => `/api/stream/record/${encodeURIComponent(id)}?from=${this.now.view?.progress.seq ?? 0}&deltas=1`,
      frame: (frame) => this.receive(frame),
      turn: sharing?.turn,
      early: () => this.isNew(),
      state: (connection, status) => {
        if (this.stopped) return;
        this.now.connection = connection;
        this.now.status = status;
        if (connection === "lost") this.reply = undefined;
        if (!this.now.view && (connection === "open" || connection === "refused")) void this.ask();
        this.publish();
      },
    });
    void this.ask();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.settling);
    this.stream.stop();
  }

  private receive({ event, data }: Frame): void {
    switch (event) {
      case "record":
        this.now.view = take(undefined, JSON.parse(data) as RecordPatch);
        this.now.problem = undefined;
        break;
      case "patch":
        this.now.view = take(this.now.view, JSON.parse(data) as RecordPatch);
        break;
      case "delta":
        this.reply = append(this.reply, JSON.parse(data) as Delta);
        break;
      case "end":
        this.stream.end();
    }
    this.settle();
    this.publish();
  }

  /** Ends the connection of a run that does not go on by itself. */
  private settle(): void {
    const state = this.now.view?.run.state;
    if (!this.sharing || state === undefined) return;
    if (this.sharing.isLive(state)) {
      clearTimeout(this.settling);
      this.settling = undefined;
    } else this.settling ??= setTimeout(() => this.stream.stop(), this.patience);
  }

  /** Requests the state of a run that has no record yet, or finds out that there is no such run. */
  private async ask(): Promise<void> {
    try {
      this.now.session = await get("/api/automation/sessions/{id}", { id: this.id });
      this.now.problem = undefined;
    } catch (error) {
      const missing = error instanceof Refused && error.status === 404;
      // While the page connects to a run that it has just started, the stream reports whether the run exists.
      const early = missing && this.isNew() && this.now.connection === "connecting";
      if (error instanceof Refused && !error.offline && !early) this.now.problem = error;
      if (missing && !early) this.stream.stop();
    }
    this.publish();
  }

  /** Whether the run may have been started a moment ago. The side panel shows only runs that were started in it. */
  private isNew(): boolean {
    return isStartedHere(this.id) || !usesCookie();
  }

  private publish(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.stopped) return;
      this.show({ ...this.now, reply: shown(this.reply, this.now.view?.progress.replyEnded) });
    }, PUBLISH_MS);
  }
}
