// One run, followed: its journal from the first event on, the record folded from it, the words of a model as they come,
// and how the connection stands. Events are taken once and in order, whatever the transport repeats; a hole is filled
// from the history before anything after it is taken.

import { useEffect, useState } from "preact/hooks";
import type { Event } from "../protocol/generated";
import { apply, begin } from "../record/fold";
import { type Delta, hear, type Speech, settle } from "../record/speech";
import { ended } from "../record/states";
import type { RunRecord } from "../record/types";
import { get, Refused } from "./client";
import { type Connection, type Frame, follow } from "./sse";
import type { Session } from "./types";

export interface Followed {
  record?: RunRecord;
  events: Event[];
  /** A model's reply, as far as it came. */
  saying?: Speech;
  connection: Connection;
  status?: number;
  /** How many events are still to come after a lost connection. */
  behind: number;
  session?: Session;
  problem?: Refused;
}

export interface Run extends Followed {
  /** Asks again how the run stands, and goes on listening: after it was taken up again. */
  again(): void;
}

const PUBLISH_MS = 40;
const QUIET_MS = 300;

export function useRun(id: string): Run {
  const [shown, show] = useState<Followed>({ events: [], connection: "connecting", behind: 0 });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    // What is there already stays while a run is taken up again; another run begins with nothing.
    const kept = shown.events[0]?.run === id || shown.session?.summary?.run === id ? shown : undefined;
    const run = new Follower(id, kept, show);
    return () => run.stop();
  }, [id, turn]);
  return { ...shown, again: () => setTurn(turn + 1) };
}

class Follower {
  private events: Event[];
  private record?: RunRecord;
  /** The newest reply of a model, also when it is over. */
  private speech?: Speech;
  private now: Followed;
  private timer?: ReturnType<typeof setTimeout>;
  private filling = false;
  private waiting: Event[] = [];
  private stopped = false;
  /** The newest event when the server last said how the run stands. */
  private heardAt = 0;
  private quiet?: ReturnType<typeof setTimeout>;
  private readonly stream;

  constructor(
    private readonly id: string,
    kept: Followed | undefined,
    private readonly show: (now: Followed) => void,
  ) {
    this.events = kept?.events ?? [];
    this.record = kept?.record;
    this.now = { ...kept, events: this.events, connection: "connecting", behind: 0 };
    this.publish();
    this.stream = follow({
      url: () => `/api/stream/sse/${encodeURIComponent(id)}?from=${this.last + 1}&deltas=1`,
      frame: (frame) => this.take(frame),
      state: (connection, status) => {
        if (this.stopped) return;
        this.now.connection = connection;
        this.now.status = status;
        if (connection === "lost") this.speech = undefined;
        if (connection === "open" || connection === "refused") void this.ask();
        this.publish();
      },
    });
    void this.ask();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    clearTimeout(this.quiet);
    this.stream.stop();
  }

  private get last(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  private take(frame: Frame): void {
    if (frame.event === "delta") {
      this.speech = hear(this.speech, JSON.parse(frame.data) as Delta);
      return this.publish();
    }
    if (frame.event === "lag") {
      this.now.behind = (JSON.parse(frame.data) as { behind: number }).behind;
      return this.publish();
    }
    if (frame.event === "end") {
      void this.ask();
      return this.stream.end();
    }
    this.receive(JSON.parse(frame.data) as Event);
  }

  private receive(event: Event): void {
    if (event.seq <= this.last) return;
    if (event.seq > this.last + 1) {
      this.waiting.push(event);
      if (!this.filling) void this.fill(event.seq);
      return;
    }
    this.events.push(event);
    if (this.record) apply(this.record, event);
    else this.record = begin(event);
    this.now.behind = Math.max(0, this.now.behind - 1);
    this.speech = settle(this.speech, event);
    if (["WORKFLOW_PAUSED", "WORKFLOW_RESUMED", "QUESTION_ASKED", "QUESTION_ANSWERED"].includes(event.type))
      void this.ask();
    this.publish();
  }

  /** Gets what is missing before `next`. */
  private async fill(next: number): Promise<void> {
    this.filling = true;
    const waiting = this.waiting;
    try {
      const path = `/api/automation/sessions/${encodeURIComponent(this.id)}/history`;
      while (this.last + 1 < next && !this.stopped) {
        const answer = await get<Event[] | { events: Event[] }>(`${path}?from=${this.last + 1}&limit=500`);
        const events = Array.isArray(answer) ? answer : answer.events;
        if (!events.length) break;
        for (const event of events) if (event.seq < next) this.receive(event);
      }
    } catch {
      // The stream begins again where the record ends: nothing is lost by having failed here.
    }
    this.filling = false;
    this.waiting = [];
    for (const event of waiting) if (event.seq === this.last + 1) this.receive(event);
  }

  private async ask(): Promise<void> {
    try {
      this.now.session = await get<Session>(`/api/automation/sessions/${encodeURIComponent(this.id)}`);
      this.now.problem = undefined;
      this.heardAt = this.last;
    } catch (error) {
      // Whether a run that is not found yet will be, the stream finds out.
      const early = error instanceof Refused && error.status === 404 && this.now.connection === "connecting";
      if (error instanceof Refused && !error.offline && !early) this.now.problem = error;
    }
    this.publish();
  }

  private askOnceQuiet(): void {
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => void this.ask(), QUIET_MS);
  }

  private publish(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.stopped) return;
      const record = this.record && { ...this.record };
      if (record?.state === "running" && this.now.session?.live === false && this.now.connection !== "lost") {
        // Its events say that it runs, and nobody drives it: it was cut short. Events that came since say otherwise.
        if (this.heardAt === this.last) record.state = "interrupted";
        else this.askOnceQuiet();
      }
      const saying = this.speech?.over ? undefined : this.speech;
      this.show({ ...this.now, record, saying, events: this.events });
    }, PUBLISH_MS);
  }
}

/** The question that waits for an answer, if there is one. */
export function openQuestion({ record, session }: Followed): { text: string; secret: boolean } | undefined {
  if (!record || (ended(record.state) && record.state !== "parked")) return undefined;
  if (session?.question) return { text: session.question.text, secret: session.question.secret ?? false };
  const asked = record.steps.find((step) => step.state === "running" || step.state === "parked")?.questions.at(-1);
  return asked && asked.answer === undefined
    ? { text: asked.question.text, secret: asked.question.secret ?? false }
    : undefined;
}
