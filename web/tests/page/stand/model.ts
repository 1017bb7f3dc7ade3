// A scripted model behind an OpenAI-compatible address: what it is asked to decide it answers from a list, in order; what
// else it is asked (plans, reviews) it answers with something that does no harm.

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Gate } from "./gate";

/** A line with a command, or a whole decision. A streamed reply stops before each text of `gates`, in order, until the gate
 * is open; one that is not streamed waits at all of them. */
export type Decision = { confidence: number; gates?: [string, Gate][] } & (
  | { why: string; do: string }
  | Record<string, unknown>
);

interface Answer {
  reply: string;
  gates: [string, Gate][];
}

export class ScriptedModel {
  private script: Decision[] = [];
  /** The last message of each decision that was requested. */
  readonly requests: string[] = [];
  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server);
    server.on("request", (request, response) => {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        const asked = JSON.parse(body) as { stream?: boolean; messages: { content: unknown }[] };
        const answer = model.answer(JSON.stringify(asked.messages.at(-1)?.content));
        void (asked.stream ? stream(response, answer) : whole(response, answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** What it will decide from now on. */
  says(...script: Decision[]): void {
    this.script = script;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private answer(asked: string): Answer {
    const said = (reply: unknown, gates: Answer["gates"] = []) => ({ reply: JSON.stringify(reply), gates });
    if (/Plan (this task|what is left)/.test(asked))
      return said({ successCriteria: "It is done.", plan: "Do it.", actionItems: ["Look", "Act"] });
    if (/Think over/.test(asked)) return said({ verdict: "PROCEED", thought: "It can be undone.", risk: "LOW" });
    if (/Judge whether/.test(asked)) return said({ quality: "complete", feedback: "All is there." });
    this.requests.push(asked);
    const next = this.script.shift() ?? { why: "nothing is left", do: 'abort "the script has ended"', confidence: 1 };
    const { gates, ...decision } = next;
    return said(decision, gates);
  }
}

const usage = { promptTokens: 1_200, completionTokens: 40, total_tokens: 1_240 };

async function whole(response: ServerResponse, { reply, gates }: Answer): Promise<void> {
  for (const [, gate] of gates) await gate.pass();
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: reply } }];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ id: "x", object: "chat.completion", model: "scripted", choices, usage }));
}

async function stream(response: ServerResponse, { reply, gates }: Answer): Promise<void> {
  const chunk = (delta: unknown, finish: string | null, more = {}) =>
    response.write(
      `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`,
    );
  const pieces = (text: string) => {
    for (const content of text.match(/.{1,12}/gs) ?? []) chunk({ content }, null);
  };
  response.setHeader("content-type", "text/event-stream");
  let sent = 0;
  for (const [text, gate] of gates) {
    const stop = reply.indexOf(text, sent);
    if (stop < 0) throw new Error(`the reply has no ${JSON.stringify(text)} to stop before: ${reply}`);
    pieces(reply.slice(sent, stop));
    sent = stop;
    await gate.pass();
  }
  pieces(reply.slice(sent));
  chunk({}, "stop", { usage });
  response.end("data: [DONE]\n\n");
}
