// A scripted model behind an OpenAI-compatible address: what it is asked to decide it answers from a list, in order; what
// else it is asked (plans, reviews) it answers with something that does no harm.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A line with a command, or a whole decision; it takes `wait` milliseconds to come, in pieces when it is streamed. */
export type Decision = { confidence: number; wait?: number } & ({ why: string; do: string } | Record<string, unknown>);

export class ScriptedModel {
  private script: Decision[] = [];
  private constructor(private readonly server: Server) {}

  static async start(): Promise<ScriptedModel> {
    const server = createServer();
    const model = new ScriptedModel(server);
    server.on("request", (request, response) => {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () => {
        const asked = JSON.parse(body) as { stream?: boolean; messages: { content: unknown }[] };
        const { reply, wait } = model.answer(JSON.stringify(asked.messages.at(-1)?.content));
        response.setHeader("content-type", asked.stream ? "text/event-stream" : "application/json");
        const pieces = asked.stream ? streamed(reply) : [whole(reply)];
        const next = () => {
          response.write(pieces.shift());
          if (pieces.length) setTimeout(next, wait / pieces.length);
          else response.end();
        };
        setTimeout(next, asked.stream ? 0 : wait);
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

  private answer(asked: string): { reply: string; wait: number } {
    const said = (reply: unknown, wait = 0) => ({ reply: JSON.stringify(reply), wait });
    if (/Plan (this task|what is left)/.test(asked)) return said({ successCriteria: "It is done.", plan: "Do it.", actionItems: ["Look", "Act"] });
    if (/Think over/.test(asked)) return said({ verdict: "PROCEED", thought: "It can be undone.", risk: "LOW" });
    if (/Judge whether/.test(asked)) return said({ quality: "complete", feedback: "All is there." });
    const next = this.script.shift() ?? { why: "nothing is left", do: 'abort "the script has ended"', confidence: 1 };
    const { wait, ...decision } = next;
    return said(decision, wait);
  }
}

const usage = { prompt_tokens: 1_200, completion_tokens: 40, total_tokens: 1_240 };

function whole(content: string): string {
  const choices = [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }];
  return JSON.stringify({ id: "x", object: "chat.completion", model: "scripted", choices, usage });
}

function streamed(content: string): string[] {
  const chunk = (delta: unknown, finish: string | null, more = {}) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: "scripted", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
  const pieces = content.match(/.{1,12}/gs) ?? [];
  return [...pieces.map((piece) => chunk({ content: piece }, null)), `${chunk({}, "stop", { usage })}data: [DONE]\n\n`];
}
