// Starts runs.

import { go } from "../router";
import { change, get } from "./client";
import type { Execute, Started } from "./generated";

/** Starts a run and shows it. */
export async function startRun(request: Execute): Promise<void> {
  const run = await change<Started>("POST", "/api/automation/execute", request, {
    "Idempotency-Key": crypto.randomUUID(),
  });
  go(`/runs/${run.sessionId}`);
}

/** Starts a run that repeats another one, and shows it. */
export async function repeatRun(id: string): Promise<void> {
  const { request } = await get("/api/automation/sessions/{id}/request", { id });
  await startRun(request);
}
