// Starts runs.

import { go } from "../router";
import { change, get } from "./client";
import type { Execute, Started } from "./generated";

const started = new Set<string>();

/** Whether this page started the run. Just after its start, the server may not have a record of it yet. */
export const isStartedHere = (run: string): boolean => started.has(run);

/** Starts a run and shows it. */
export async function startRun(request: Execute): Promise<void> {
  const run = await change<Started>("POST", "/api/automation/execute", request, {
    "Idempotency-Key": crypto.randomUUID(),
  });
  started.add(run.sessionId);
  go(`/runs/${run.sessionId}`);
}

/** Starts a run that repeats another one, and shows it. */
export async function repeatRun(id: string): Promise<void> {
  const { request } = await get("/api/automation/sessions/{id}/request", { id });
  await startRun(request);
}
