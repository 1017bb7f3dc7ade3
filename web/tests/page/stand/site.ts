// A small site to work on: hostile in its title and text, and with jobs that are done when the test says so.

import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const HOSTILE = `<img src=x onerror="document.title='hacked'"><script>window.hacked=1</script>`;

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
const document = (title: string, body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title><body><h1>${escaped(title)}</h1>${body}</body></html>`;

const PAGES: Record<string, string> = {
  "/": document("Harbour", `<p><a href="/form">Order form</a></p>`),
  "/form": document(
    "Order form",
    `<label>Name <input name="name"></label> <button onclick="this.nextSibling.textContent=' Thank you'">Send</button><p role="status"></p>`,
  ),
  // Its upper half is a field, its lower half a button that asks in a dialog.
  "/code": document(
    "Code",
    `<style>body { margin: 0 } input, button { position: fixed; left: 0; width: 100%; height: 50% } button { top: 50% }</style>
    <input aria-label="Code" oninput="if (this.value === '4711') document.body.append('Code accepted. ')">
    <button onclick="if (confirm('Send it?')) document.body.append('Sent. ')">Send</button>`,
  ),
  "/hostile": document(
    HOSTILE,
    `<p>${escaped(HOSTILE)}</p><button>${escaped(HOSTILE)}</button><a href="/form">Order form</a>`,
  ),
  // Says something and asks for something; what it says is hostile.
  "/busy": document(
    "Busy",
    `<button style="position:absolute;left:320px;top:240px;width:120px;height:40px" onclick="console.warn(${escaped(JSON.stringify(HOSTILE)).replace(/"/g, "&quot;")});fetch('/nothing').then(() => document.body.append('Asked. '))">Ask</button>
    <button style="position:absolute;top:3000px" onclick="document.body.append('Down. ')">Below</button><p></p>`,
  ),
};

/** A page with ten buttons and the jobs behind them: it says `Done 3.` once the test has called `done(3)`, also to a browser
 * that comes later. A run over it is held where the test wants it, and can be steered meanwhile. */
export class Job {
  private count = 0;
  private readonly pages = new Set<ServerResponse>();

  constructor(readonly url: string) {}

  /** Steps that click each button and wait until its job is done. */
  steps(count: number): string {
    return Array.from({ length: count }, (_, at) => [`Click "Go ${at + 1}"`, this.wait(at + 1)])
      .flat()
      .join("\n");
  }

  /** Steps that only wait: a new browser can go on with any of them. */
  waits(count: number): string {
    return Array.from({ length: count }, (_, at) => this.wait(at + 1)).join("\n");
  }

  /** The first `count` jobs are done; without a number, all. */
  done(count = 10): void {
    this.count = Math.max(this.count, count);
    for (const page of this.pages) this.tell(page);
  }

  private wait(number: number): string {
    return `Wait up to 150 seconds for "Done ${number}."`;
  }

  private tell(page: ServerResponse): void {
    page.write(`data: ${this.count}\n\n`);
  }

  /** Answers what a browser asks for: the page itself, and the stream that tells it what is done. */
  answer(path: string, response: ServerResponse): void {
    if (!path.endsWith("/done")) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(JOB);
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    this.pages.add(response);
    response.on("close", () => this.pages.delete(response));
    this.tell(response);
  }
}

const JOB = document(
  "Jobs",
  `${Array.from({ length: 10 }, (_, at) => `<button onclick="document.body.append('Asked ${at + 1}. ')">Go ${at + 1}</button>`).join(" ")}
  <script>
    let shown = 0;
    new EventSource(location.pathname + "/done").onmessage = ({ data }) => {
      while (shown < Number(data)) document.body.append("Done " + ++shown + ". ");
    };
  </script>`,
);

export class Site {
  private readonly jobs = new Map<string, Job>();
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Site> {
    const server = createServer();
    const site = new Site(server);
    server.on("request", (request, response) => {
      const { pathname } = new URL(request.url ?? "/", "http://site");
      const job = site.jobs.get(pathname.replace(/\/done$/, ""));
      if (job) return job.answer(pathname, response);
      const page = PAGES[pathname];
      response
        .writeHead(page ? 200 : 404, { "content-type": "text/html; charset=utf-8" })
        .end(page ?? document("Not here", ""));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A new page of jobs, of which none is done. */
  job(): Job {
    const path = `/job/${this.jobs.size + 1}`;
    const job = new Job(this.url + path);
    this.jobs.set(path, job);
    return job;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
