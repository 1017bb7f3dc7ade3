// Before each request with the token: does the server know it?

import { Refused } from "../../../web/src/api/client";
import { challenge } from "../relay/proof";

/** The code of the refusal of this side: the server does not know the token, so it does not get it. */
export const UNPROVEN = "unproven";
const ANSWER_MS = 4_000;

async function ask(token: string, server: string): Promise<void> {
  const { question, isProof } = await challenge(token, server);
  let response: Response;
  try {
    response = await fetch(`${server}/api/extension/proof?${new URLSearchParams({ ...question })}`, {
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
  } catch {
    throw new Refused("the server cannot be reached", 0);
  }
  const body = (await response.json().catch(() => undefined)) as { data?: { proof?: unknown } } | undefined;
  if (!(await isProof(body?.data?.proof)))
    throw new Refused("what answers there does not know this browser", response.status, UNPROVEN);
}

/** A check that rejects if the server does not prove that it knows the token. Requests at the same time share one. */
export function proving(token: string, server: string): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= ask(token, server).finally(() => {
      running = undefined;
    });
    return running;
  };
}
