// The border around a page while Legwork works in it. The browser draws it above the page (the Overlay domain of the
// protocol): the page can neither read nor click nor remove it, and it goes with the debugger, whatever ends the
// connection. It is static, so `prefers-reduced-motion` does not apply. It is hidden while a screenshot is taken.

type Send = (method: string, params?: object) => Promise<unknown>;

interface Metrics {
  cssLayoutViewport: { clientWidth: number; clientHeight: number };
}

/** The width of the browser's line, in CSS pixels. */
const LINE = 2;
const COLOUR = { r: 124, g: 58, b: 237, a: 1 };
const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };

/** After these events, the page may have another size or another document. */
const REDRAWN_AFTER = ["Page.frameNavigated", "Page.domContentEventFired", "Page.loadEventFired", "Page.frameResized"];

export class TabBorder {
  private hidden = 0;
  private drawn = "";

  constructor(private readonly send: Send) {}

  async begin(): Promise<void> {
    await this.send("DOM.enable");
    await this.send("Overlay.enable");
    await this.draw();
  }

  /** Draws the border again if the event says that it may be gone. */
  after(method: string): void {
    if (REDRAWN_AFTER.includes(method)) {
      this.drawn = "";
      void this.draw().catch(() => undefined);
    }
  }

  /** Whether the border is on the page, as far as is known. */
  get shown(): boolean {
    return this.drawn !== "" && this.hidden === 0;
  }

  /** Takes a picture without the border. */
  async without<T>(picture: () => Promise<T>): Promise<T> {
    this.hidden++;
    try {
      await this.send("Overlay.hideHighlight");
      this.drawn = "";
      return await picture();
    } finally {
      this.hidden--;
      void this.draw().catch(() => undefined);
    }
  }

  private async draw(): Promise<void> {
    if (this.hidden > 0) return;
    const { cssLayoutViewport: view } = (await this.send("Page.getLayoutMetrics")) as Metrics;
    const inset = LINE / 2;
    const rect = { x: inset, y: inset, width: view.clientWidth - LINE, height: view.clientHeight - LINE };
    if (this.hidden > 0 || this.drawn === JSON.stringify(rect)) return;
    await this.send("Overlay.highlightRect", {
      ...Object.fromEntries(Object.entries(rect).map(([name, value]) => [name, Math.round(value)])),
      color: TRANSPARENT,
      outlineColor: COLOUR,
    });
    this.drawn = JSON.stringify(rect);
  }
}
