// A client of `legwork mcp` over its standard streams.

import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

interface Reply {
  id?: number;
  result?: { content?: { type: string; text?: string }[] };
  error?: { message: string };
}

export class McpClient {
  private next = 1;
  private readonly waiting = new Map<number, (reply: Reply) => void>();

  constructor(private readonly program: ChildProcess) {
    createInterface({ input: program.stdout! }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      const reply = JSON.parse(line) as Reply;
      if (reply.id !== undefined) this.waiting.get(reply.id)?.(reply);
    });
  }

  private write(message: object): void {
    this.program.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  private ask(method: string, params: object): Promise<Reply> {
    const id = this.next++;
    const reply = new Promise<Reply>((resolve) => this.waiting.set(id, resolve));
    this.write({ id, method, params });
    return reply;
  }

  /** Begins the connection under a name. */
  async begin(name: string): Promise<void> {
    const clientInfo = { name, version: "1" };
    await this.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    this.write({ method: "notifications/initialized" });
  }

  /** Calls a tool; the text of its result. */
  async call(name: string, args: object): Promise<string> {
    const { result, error } = await this.ask("tools/call", { name, arguments: args });
    if (error) throw new Error(error.message);
    return (result?.content ?? []).map(({ text }) => text ?? "").join("\n");
  }
}
