// Reports the input of a person in this frame, if the session requests it: the driver then adds the function
// `legworkReport` to this world before this script starts. Only events of the browser count (`isTrusted`). They are
// captured before any listener of the page, so that the capture shows the page before it reacts. The page can neither
// forge a report nor see one.

import { capture } from "./capture";
import { textOf } from "./capture-names";
import { idOf, isNumbered, isSecret, markSecret, shadowOf } from "./capture-registry";
import { clickedBy } from "./control";
import { codeEditor, editorText } from "./editor";
import type { PersonalValue, ReportedInput, UserInputKind } from "./generated";
import { above, frameOf, isElement } from "./geometry";
import { path } from "./locate";
import { chordOf, isEnter } from "./user-keys";

/** What a world offers to the worlds of the frames in it. */
interface Reporter {
  describe(element: Element, or?: Element | null): Description;
  send(description: Description, input: UserInputKind, onto?: Element, text?: string): void;
  isSecret(element: Element): boolean;
  markSecret(element: Element): void;
}

/** An element and the page at one moment. */
interface Description {
  element: Element;
  capture?: string;
  path: number[];
  selector: string;
}

declare global {
  // The reporter of this world, for frames of the same origin.
  var legworkReporter: Reporter | undefined;
  // Added by the driver.
  var legworkReport: ((report: string) => void) | undefined;
}

/** The distance in pixels from which a press with a movement is no click. */
const MOVED = 8;
const TEXT = 200;
/** The longest text in characters that names a clicked element. */
const NAME = 80;
/** The events that belong to the press before them. */
const FOLLOWS_PRESS = new Set(["pointerup", "pointermove", "click", "auxclick", "contextmenu", "focusout", "keyup"]);
// The words of `runtime/src/workflow_file/check.rs`, and those of codes.
const PASSWORD =
  /passw|passphrase|passcode|kennwort|wachtwoord|contraseña|clave|senha|palavra-passe|mot de passe|lösenord|adgangskode|hasło|heslo|jelszó|parola|salasana|пароль|密码|密碼|パスワード|비밀번호|secret|token|api[ _-]?key|\bpin\b|\bcv[cv]2?\b|security code/i;

/**
 * The elements around an element that have a number, from the inside out, across shadow roots and frames of this world.
 */
function numbersAround(element: Element): number[] {
  const numbers: number[] = [];
  for (let node: Node | null = element; node !== null; ) {
    if (isElement(node) && isNumbered(node)) numbers.push(idOf(node));
    node = above(node) ?? (node.nodeType === 9 ? frameOf(node as Document) : null);
  }
  return numbers;
}

const reporter: Reporter = {
  isSecret,
  markSecret,
  describe(element, or) {
    const page = capture({ key: null });
    // A drawn check box is hidden, and its label stands for it.
    const shown = !isNumbered(element) && or ? or : element;
    // The number is assigned after the capture, so that it is known whether the capture shows the element.
    const around = numbersAround(shown);
    idOf(shown);
    return { element: shown, capture: page, path: around, selector: path(shown) };
  },
  send({ element, capture, path, selector }, input, onto, text) {
    const report: ReportedInput = { capture, path, selector, input, onto: onto ? numbersAround(onto) : [], text };
    // What continues an input names its element even if no capture shows it.
    if (capture === undefined && path.length === 0) report.path = [idOf(element)];
    globalThis.legworkReport?.(JSON.stringify(report));
  },
};

/** The reporter of the outermost frame of this origin, in whose world the page is captured. */
function outermost(): Reporter {
  let found = reporter;
  let view: Window = window;
  try {
    while (view.parent !== view) {
      view = view.parent;
      const outer = (view as unknown as typeof globalThis).legworkReporter;
      if (outer === undefined) break;
      found = outer;
    }
  } catch {
    // another origin
  }
  return found;
}

/** The innermost element of an event, inside closed shadow roots as well. */
function innermost(event: Event): Element | null {
  const target: unknown = event.composedPath()[0];
  if (!isElement(target)) return document.body;
  let element: Element = target;
  for (;;) {
    const root: ShadowRoot | null = shadowOf(element);
    const at = event as MouseEvent;
    const inner: Element | null =
      root === null
        ? null
        : event instanceof MouseEvent && at.detail > 0
          ? root.elementFromPoint(at.clientX, at.clientY)
          : root.activeElement;
    if (inner === null || inner === element) return element;
    element = inner;
  }
}

const isBox = (element: Element): element is HTMLInputElement =>
  element.localName === "input" && /^(checkbox|radio)$/.test((element as HTMLInputElement).type);
const isButton = (element: Element): boolean =>
  element.localName === "input" && /^(button|submit|reset|image)$/.test((element as HTMLInputElement).type);

/** The text of an element that consists of little else. */
function shortText(element: Element): string | undefined {
  const text = textOf(element).replace(/\s+/g, " ").trim();
  return text !== "" && text.length <= NAME ? text : undefined;
}

/** The element that holds the text that is typed into an element: a field, or the root of what is editable. */
function textField(element: Element): HTMLElement | null {
  if (element.localName === "textarea") return element as HTMLElement;
  if (element.localName === "input")
    return isBox(element) || isButton(element) || (element as HTMLInputElement).type === "file"
      ? null
      : (element as HTMLElement);
  let host = element as HTMLElement;
  if (!host.isContentEditable) return null;
  while (host.parentElement?.isContentEditable) host = host.parentElement;
  return host;
}

/** Whether the value of a field belongs into no recording. A field stays secret when the page shows its text. */
function personal(field: Element): PersonalValue | null {
  const purpose = (field.getAttribute("autocomplete") ?? "").toLowerCase();
  const isCard = /\bcc-/.test(purpose);
  const to = outermost();
  // A password field that the page shows as a text is recognized by what its authors call it.
  const labels = Array.from((field as HTMLInputElement).labels ?? [], (label) => textOf(label));
  const names = [field.id, field.getAttribute("name"), field.getAttribute("aria-label"), ...labels];
  const hasPassword =
    to.isSecret(field) || /password|one-time-code/.test(purpose) || names.some((name) => PASSWORD.test(name ?? ""));
  if (!isCard && !hasPassword) return null;
  // From now on, captures do not contain its value.
  to.markSecret(field);
  return isCard ? "card" : "secret";
}

const textIn = (field: HTMLElement): string =>
  codeEditor(field) !== null || field.isContentEditable
    ? editorText(field).replace(/\n$/, "")
    : (field as HTMLInputElement).value;

class Listener {
  /** The element under the pressed button, and the page before the press. */
  private down: { description: Description; x: number; y: number; clicked: boolean } | null = null;
  /** The field that is being filled in. */
  private field: Element | null = null;
  /** The label of the last click, which may stand for its control. */
  private label: Element | null = null;
  /** Enter was pressed in a field: the click on a button that follows is the browser's doing. */
  private submits = false;
  /** Enter was pressed where it may be text. */
  private enter: { description: Description; key: string } | null = null;
  /** A press on an element that the page may have removed: whether a click follows is not known yet. */
  private undecided: (() => void) | null = null;
  private dragged: Element | null = null;
  private pointed: Element | null = null;

  start(): void {
    this.on("pointerdown", (event) => this.pressed(event));
    this.on("pointerup", (event) => this.released(event));
    this.on("pointermove", (event) => (this.pointed = innermost(event)));
    this.on("click", (event) => this.clicked(event));
    this.on("auxclick", (event) => event.button === 1 && this.clicked(event));
    this.on("contextmenu", (event) => this.clicked(event, 2));
    this.on("input", (event) => this.entered(event));
    this.on("change", (event) => this.changed(event));
    this.on("focusout", () => this.left());
    this.on("keydown", (event) => this.keyed(event));
    this.on("keyup", () => this.keyReleased());
    this.on("beforeinput", () => (this.enter = null));
    this.on("pagehide", () => this.keyReleased());
    this.on("dragstart", (event) => {
      this.dragged = innermost(event)?.closest("[draggable=true]") ?? null;
    });
    this.on("drop", (event) => this.dropped(event));
  }

  private on<Type extends keyof WindowEventMap>(type: Type, handle: (event: WindowEventMap[Type]) => unknown): void {
    const listen = (event: WindowEventMap[Type]) => {
      if (!event.isTrusted) return;
      try {
        // The next input may come before the timer of a click, on a busy machine even the next press.
        if (!FOLLOWS_PRESS.has(type)) this.decide();
        handle(event);
      } catch (error) {
        // The page must not notice, and the next input is reported as usual.
        console.debug("legwork: an input is not reported:", error);
      }
    };
    addEventListener(type, listen, { capture: true, passive: type.startsWith("pointer") });
  }

  private report(element: Element, input: UserInputKind, or?: Element | null): void {
    const to = outermost();
    to.send(to.describe(element, or), input);
    this.field = null;
  }

  private pressed(event: PointerEvent): void {
    this.submits = false;
    const element = innermost(event);
    if (element === null) return;
    personal(element);
    const control = clickedBy(element);
    const description = outermost().describe(isBox(control) ? control : element, element.closest("label"));
    this.down = { description, x: event.clientX, y: event.clientY, clicked: false };
  }

  private released(event: PointerEvent): void {
    const { down } = this;
    if (down === null || event.button !== 0) return;
    const moved = Math.hypot(event.clientX - down.x, event.clientY - down.y) >= MOVED;
    // The page may have removed the element as soon as it was pressed; then no click follows.
    const decide = () => {
      const { description } = down;
      if (down.clicked || moved || description.element.isConnected) return;
      this.sendClick(description, { kind: "click", count: 1, button: "left", modifiers: [] });
    };
    this.undecided = decide;
    setTimeout(() => this.undecided === decide && this.decide());
  }

  private decide(): void {
    const { undecided } = this;
    this.undecided = null;
    undecided?.();
  }

  /** Reports a click. If observations do not show the element, its text says which one it is. */
  private sendClick(description: Description, input: UserInputKind): void {
    outermost().send(description, input, undefined, shortText(description.element));
    this.field = null;
  }

  private clicked(event: MouseEvent, button = event.button): void {
    const element = innermost(event);
    if (element === null) return;
    const byKey = event.detail === 0 && button === 0;
    if (byKey && this.submits && element.matches("button,input")) {
      this.submits = false;
      return;
    }
    if (this.down !== null) this.down.clicked = true;
    if (button === 0) {
      const control = clickedBy(element);
      // The browser clicks on the control of a label next.
      if (control !== element && !element.contains(control) && element.closest("label") !== null) {
        this.label = element.closest("label");
        return;
      }
      if (control !== element && element.localName === "label") {
        this.label = element;
        return;
      }
      if (isBox(element)) {
        this.boxClicked(element, byKey);
        return;
      }
      // Their values are reported when they change.
      if (element.closest("select,option,optgroup") || this.isSetByValue(element)) return;
    }
    const held = [
      [event.altKey, "Alt"],
      [event.ctrlKey, "Control"],
      [event.metaKey, "Meta"],
      [event.shiftKey, "Shift"],
    ] as const;
    const buttons = ["left", "middle", "right"] as const;
    const input: UserInputKind = {
      kind: "click",
      count: button === 0 ? Math.max(event.detail, 1) : 1,
      button: buttons[button] ?? "left",
      modifiers: held.filter(([is]) => is).map(([, name]) => name),
    };
    this.reportPress(element, input, byKey);
  }

  /** Reports a pointer input together with the page as it was before the press, if the press was on this element. */
  private reportPress(element: Element, input: UserInputKind, byKey: boolean): void {
    const before = this.down?.description;
    if (byKey || before === undefined || !(before.element === element || element.contains(before.element)))
      return this.report(element, input);
    this.sendClick(before, input);
  }

  private boxClicked(box: HTMLInputElement, byKey: boolean): void {
    const input: UserInputKind = { kind: "check", on: box.checked };
    const before = this.down?.description;
    const label = this.label;
    this.label = null;
    if (!byKey && before !== undefined && (before.element === box || before.element === label))
      outermost().send(before, input);
    else this.report(box, input, label ?? box.labels?.[0]);
    this.field = null;
  }

  private isSetByValue(element: Element): boolean {
    return element.localName === "input" && /^(file|color|range)$/.test((element as HTMLInputElement).type);
  }

  private entered(event: Event): void {
    const element = innermost(event);
    if (element === null) return;
    if (element.localName === "select") {
      const chosen = Array.from(
        (element as HTMLSelectElement).selectedOptions,
        (option) => option.label || option.text,
      );
      this.report(element, { kind: "select", values: chosen.map((label) => label.replace(/\s+/g, " ").trim()) });
      return;
    }
    const field = textField(element);
    if (field === null) return;
    const secret = personal(field);
    const text = textIn(field);
    const input: UserInputKind =
      secret === null
        ? { kind: "fill", text, personal: null, concealed: null }
        : { kind: "fill", text: null, personal: secret, concealed: text };
    if (this.field !== field) this.report(field, input);
    else outermost().send({ element: field, path: [], selector: "" }, input);
    this.field = field;
  }

  private changed(event: Event): void {
    const element = innermost(event) as HTMLInputElement | null;
    if (element?.localName !== "input" || element.type !== "file" || !element.files) return;
    this.report(element, { kind: "upload", files: Array.from(element.files, (file) => file.name) });
  }

  private left(): void {
    if (this.field === null) return;
    outermost().send({ element: this.field, path: [], selector: "" }, { kind: "leave" });
    this.field = null;
  }

  private keyed(event: KeyboardEvent): void {
    this.submits = false;
    if (event.isComposing || event.repeat) return;
    if (event.altKey && event.shiftKey && !event.ctrlKey && event.code === "KeyC") {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.verify();
      return;
    }
    const element = innermost(event);
    if (element === null) return;
    const field = textField(element);
    if (field !== null) personal(field);
    const key = chordOf(event, element, field !== null);
    if (key === null) return;
    if (/^(Shift\+)?Enter$/.test(key) && field !== null && field.localName !== "input") {
      // It is text, unless the page does something else with it. Then no text follows.
      this.enter = { description: outermost().describe(field), key };
      return;
    }
    this.submits = isEnter(event) && field !== null;
    // A key that is no text has no element if nothing has the focus.
    this.report(element, { kind: "press", key });
  }

  private keyReleased(): void {
    if (this.enter === null) return;
    outermost().send(this.enter.description, { kind: "press", key: this.enter.key });
    this.enter = null;
    this.field = null;
  }

  private dropped(event: DragEvent): void {
    const onto = innermost(event);
    const source = this.dragged;
    this.dragged = null;
    if (source === null || onto === null) return;
    const to = outermost();
    to.send(to.describe(source), { kind: "drag" }, onto);
    this.field = null;
  }

  /** Records that the selected text is shown, or the text of the element under the pointer. */
  private verify(): void {
    const selection = getSelection();
    const selected = selection?.toString().replace(/\s+/g, " ").trim() ?? "";
    const element = selected === "" ? this.pointed : (selection?.anchorNode?.parentElement ?? null);
    if (element === null || !element.isConnected) return;
    const text = (selected || textOf(element)).slice(0, TEXT);
    if (text !== "") this.report(element, { kind: "verify", text });
  }
}

export function reportUserInput(): void {
  if (typeof globalThis.legworkReport !== "function") return;
  globalThis.legworkReporter = reporter;
  new Listener().start();
}
