// A person operates the browser of a run that is paused or waits for an answer: mouse and keys over the live picture,
// and what the picture does not show, which are dialogs and other tabs. What is typed goes to the page only and is on
// no record.

import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../../api/client";
import type { Picture } from "../../api/frames";
import type { InputReply, ViewerInput } from "../../api/generated";
import { asRefused } from "../../api/load";

/** The time between two requests while the pointer moves, in ms; shorter intervals make no visible difference. */
const MOVE_INTERVAL = 40;
/** The time between two looks for a dialog or a new tab, in ms. */
const LOOK_INTERVAL = 1_000;

const MODIFIERS = ["Alt", "Control", "Meta", "Shift"] as const;

type ModifierState = Pick<MouseEvent, "altKey" | "ctrlKey" | "metaKey" | "shiftKey">;

function modifiersOf(event: ModifierState): (typeof MODIFIERS)[number][] {
  const held = { Alt: event.altKey, Control: event.ctrlKey, Meta: event.metaKey, Shift: event.shiftKey };
  return MODIFIERS.filter((modifier) => held[modifier]);
}

/** The input of a key; undefined for one that is no input by itself. */
export function inputOfKey(event: ModifierState & Pick<KeyboardEvent, "key">): ViewerInput | undefined {
  const { key } = event;
  if (key === "Dead" || key === "Process" || key === "Unidentified" || MODIFIERS.some((one) => one === key))
    return undefined;
  const isCharacter = [...key].length === 1;
  // With AltGr, a keyboard types a character, and reports Control and Alt.
  const types = isCharacter && !event.metaKey && event.ctrlKey === event.altKey;
  if (types) return { type: "text", text: key };
  const held = modifiersOf(event).filter((modifier) => !(isCharacter && modifier === "Shift"));
  return { type: "key", key: [...held, key === " " ? "Space" : key].join("+") };
}

/** Adds an input to those that wait to be sent. A move or turn of the wheel continues the one before. */
export function enqueue(waiting: ViewerInput[], input: ViewerInput): void {
  const last = waiting.at(-1);
  if (input.type === "move" && last?.type === "move") waiting[waiting.length - 1] = input;
  else if (input.type === "wheel" && last?.type === "wheel") {
    const sum = (one = 0, other = 0) => one + other;
    waiting[waiting.length - 1] = {
      ...input,
      across: sum(last.across, input.across),
      down: sum(last.down, input.down),
    };
  } else waiting.push(input);
}

/** Sends inputs in their order, one request at a time. */
function useInputs(id: string) {
  const [state, setState] = useState<InputReply>();
  const [problem, setProblem] = useState<string>();
  const sender = useRef<{ send(input?: ViewerInput): void; stop(): void }>(undefined);
  useEffect(() => {
    const waiting: ViewerInput[] = [];
    let busy = false;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = async () => {
      clearTimeout(timer);
      if (busy || stopped) return;
      busy = true;
      const inputs = waiting.splice(0, 200);
      try {
        const reply = await change<InputReply>("POST", `/api/automation/sessions/${encodeURIComponent(id)}/input`, {
          inputs,
        });
        if (!stopped) setState(reply);
        if (inputs.length > 0) setProblem(undefined);
      } catch (error) {
        waiting.length = 0;
        if (!stopped) setProblem(asRefused(error).message);
      }
      busy = false;
      if (stopped) return;
      const next =
        waiting.length === 0 ? LOOK_INTERVAL : waiting.every(({ type }) => type === "move") ? MOVE_INTERVAL : 0;
      timer = setTimeout(() => void flush(), next);
    };
    sender.current = {
      send: (input) => {
        if (input) enqueue(waiting, input);
        // A move waits for the request before it. Everything else is sent as soon as possible.
        if (!busy && (input?.type !== "move" || timer === undefined || waiting.length === 1)) void flush();
      },
      stop: () => {
        stopped = true;
        clearTimeout(timer);
      },
    };
    void flush();
    return () => sender.current?.stop();
  }, [id]);
  return { state, problem, send: (input: ViewerInput) => sender.current?.send(input) };
}

/** The live picture with the input of a person, and what it does not show. */
export function ControlledBrowser({ id, picture, alt }: { id: string; picture?: Picture; alt: string }) {
  const { state, problem, send } = useInputs(id);
  const surface = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => surface.current?.focus(), []);

  const position = (event: MouseEvent) => {
    const box = image.current?.getBoundingClientRect();
    if (!box?.width || !box.height) return undefined;
    const part = (at: number, from: number, length: number) => Math.min(1, Math.max(0, (at - from) / length));
    return { x: part(event.clientX, box.left, box.width), y: part(event.clientY, box.top, box.height) };
  };
  const press = (type: "down" | "up") => (event: MouseEvent) => {
    const at = position(event);
    if (!at) return;
    if (type === "down") surface.current?.focus();
    event.preventDefault();
    const button = (["left", "middle", "right"] as const)[event.button] ?? "left";
    send({ type, ...at, button, count: Math.min(3, Math.max(1, event.detail)), modifiers: modifiersOf(event) });
  };
  return (
    <>
      {/* Keys belong to the page in the picture, Tab too. Shift+Escape leaves it. */}
      <div
        ref={surface}
        class="surface"
        role="application"
        tabIndex={0}
        aria-label={`${alt}. Your mouse and keys go to this page; Shift+Escape leaves it.`}
        onMouseMove={(event) => {
          const at = position(event);
          if (at) send({ type: "move", ...at });
        }}
        onMouseDown={press("down")}
        onMouseUp={press("up")}
        onContextMenu={(event) => event.preventDefault()}
        onWheel={(event) => {
          const at = position(event);
          event.preventDefault();
          const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
          if (at) send({ type: "wheel", ...at, across: event.deltaX * lines, down: event.deltaY * lines });
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && event.shiftKey) {
            event.preventDefault();
            surface.current?.parentElement?.querySelector<HTMLElement>(".control-bar input")?.focus();
            return;
          }
          // The browser reports the text of this chord as a paste event.
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "v") return;
          const input = inputOfKey(event);
          if (!input) return;
          event.preventDefault();
          send(input);
        }}
        onPaste={(event) => {
          event.preventDefault();
          const text = event.clipboardData?.getData("text/plain");
          if (text) send({ type: "text", text: text.slice(0, 10_000) });
        }}
      >
        {picture ? (
          <img ref={image} src={picture.url} width={picture.width} height={picture.height} alt="" draggable={false} />
        ) : (
          <div class="blank">Waiting for the picture</div>
        )}
      </div>
      <ControlBar state={state} send={send} />
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}

interface ControlBarProps {
  state?: InputReply;
  send(input: ViewerInput): void;
}

function ControlBar({ state, send }: ControlBarProps) {
  const [text, setText] = useState("");
  const [answer, setAnswer] = useState("");
  const dialog = state?.dialog;
  const tabs = state?.tabs ?? [];
  const key = (name: string) => () => send({ type: "key", key: name });
  return (
    <div class="control-bar">
      {dialog && (
        <section class="question" role="alertdialog" aria-label="The page asks">
          <p>
            <span class="quiet">The page asks</span> <strong>{dialog.message || "May this page be left?"}</strong>
          </p>
          {dialog.dialog === "prompt" && (
            <input
              type="text"
              aria-label="Answer to the page"
              value={answer}
              onInput={(event) => setAnswer(event.currentTarget.value)}
            />
          )}
          <div class="actions">
            <button
              type="button"
              class="primary"
              onClick={() => send({ type: "dialog", accept: true, text: dialog.dialog === "prompt" ? answer : null })}
            >
              OK
            </button>
            {dialog.dialog !== "alert" && (
              <button type="button" onClick={() => send({ type: "dialog", accept: false })}>
                Cancel
              </button>
            )}
          </div>
        </section>
      )}
      {tabs.length > 1 && (
        <label>
          Tab
          <select
            value={tabs.find((tab) => tab.current)?.number}
            onChange={(event) => send({ type: "tab", number: Number(event.currentTarget.value) })}
          >
            {tabs.map((tab) => (
              <option key={tab.number} value={tab.number}>
                {tab.title || tab.url}
              </option>
            ))}
          </select>
        </label>
      )}
      {/* For touch screens, screen readers and input methods, which cannot type into the picture. */}
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          if (text) send({ type: "text", text });
          setText("");
        }}
      >
        <input
          type="text"
          aria-label="Text for the focused field of the page"
          placeholder="Text for the focused field"
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">Type</button>
        <button type="button" onClick={key("Enter")}>
          Enter
        </button>
        <button type="button" onClick={key("Tab")}>
          Tab
        </button>
        <button type="button" onClick={key("Backspace")}>
          Backspace
        </button>
      </form>
    </div>
  );
}
