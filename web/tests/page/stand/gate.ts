// A gate at which a scripted counterpart (model, site) waits for its observer: what comes to it stops until the test opens
// it. Tests order events with gates and never with a clock, so that a busy machine makes them slower and nothing else.

export class Gate {
  /** Settles once something waits at the gate. */
  readonly reached: Promise<void>;
  private readonly opened: Promise<void>;
  private arrive!: () => void;
  private release!: () => void;

  constructor() {
    this.reached = new Promise((resolve) => (this.arrive = resolve));
    this.opened = new Promise((resolve) => (this.release = resolve));
  }

  /** Waits until the gate is open. */
  pass(): Promise<void> {
    this.arrive();
    return this.opened;
  }

  open(): void {
    this.release();
  }
}
