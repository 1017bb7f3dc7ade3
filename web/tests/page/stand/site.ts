// A small site to work on: hostile in its title and text, slow where a test needs time to step in.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export const HOSTILE = `<img src=x onerror="document.title='hacked'"><script>window.hacked=1</script>`;

const escape = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const document = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escape(title)}</title><body><h1>${escape(title)}</h1>${body}</body></html>`;

const PAGES: Record<string, string> = {
  "/": document("Harbour", `<p><a href="/form">Order form</a></p>`),
  "/form": document("Order form", `<label>Name <input name="name"></label> <button onclick="this.nextSibling.textContent=' Thank you'">Send</button><p role="status"></p>`),
  "/hostile": document(HOSTILE, `<p>${escape(HOSTILE)}</p><button>${escape(HOSTILE)}</button><a href="/form">Order form</a>`),
  // Says something and asks for something; what it says is hostile.
  "/busy": document(
    "Busy",
    `<button style="position:absolute;left:320px;top:240px;width:120px;height:40px" onclick="console.warn(${escape(JSON.stringify(HOSTILE)).replace(/"/g, "&quot;")});fetch('/nothing').then(() => document.body.append('Asked. '))">Ask</button>
    <button style="position:absolute;top:3000px" onclick="document.body.append('Down. ')">Below</button><p></p>`,
  ),
  // Ten buttons that answer late: a run over them takes seconds, and can be steered meanwhile.
  "/slow": document(
    "Slow",
    Array.from({ length: 10 }, (_, at) => `<button onclick="setTimeout(() => document.body.append('Done ${at + 1}. '), 500)">Go ${at + 1}</button>`).join(" "),
  ),
};

export class Site {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Site> {
    const server = createServer((request, response) => {
      const page = PAGES[new URL(request.url ?? "/", "http://site").pathname];
      response.writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" }).end(page ?? document("Not here", ""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Site(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Steps over the slow page: about half a second each. */
export const slowSteps = (count: number) =>
  Array.from({ length: count }, (_, at) => [`Click "Go ${at + 1}"`, `Wait for "Done ${at + 1}."`]).flat().join("\n");
