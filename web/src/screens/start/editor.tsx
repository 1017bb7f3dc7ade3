// The editor for steps: a plain text area with a margin that shows the result of the check for each line.

import { useEffect, useRef, useState } from "preact/hooks";
import { plain } from "../../ui/advice";
import { announce } from "../../ui/announce";
import type { Check } from "./check";
import { replaced } from "./completions";
import { isError, type Mark, marks, problemWords, summary } from "./marks";
import { listAttributes, SuggestionList, useSuggestions } from "./suggestions";

interface EditorProps {
  text: string;
  /** The start URL: the names of its elements are offered. */
  url?: string;
  check: Check;
  onText(text: string): void;
  onRun?: () => void;
}

/** How many nearest sentences are shown. */
const NEAREST = 4;

const SIGNS: Record<Mark["kind"], string> = { literal: "✓", model: "✦", wrong: "✗", doubt: "!" };

export function Editor({ text, url = "", check, onText, onRun }: EditorProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const margin = useRef<HTMLDivElement>(null);
  // Where the caret is while somebody types; elsewhere nothing is offered.
  const [caret, setCaret] = useState<number>();
  const lines = text.split("\n");
  const known = marks(text, check.verdict);
  /** Puts a new text into the box and selects a part of it. The box has the text only after it was drawn. */
  const put = (next: string, from: number, to: number) => {
    onText(next);
    requestAnimationFrame(() => {
      box.current?.focus();
      box.current?.setSelectionRange(from, to);
    });
  };
  const suggestions = useSuggestions(text, url, caret, (one) => {
    setCaret(undefined);
    put(one.text, one.end, one.end);
  });
  const follow = () => {
    if (box.current && margin.current) margin.current.scrollTop = box.current.scrollTop;
  };
  useEffect(follow, [text]);

  return (
    <div class="editor-part">
      <label for="steps">Steps</label>
      <p class="hint" id="steps-hint">
        One instruction a line.
        {onRun && (
          <>
            {" "}
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> starts the run.
          </>
        )}
      </p>
      <div class="editor">
        <div class="margin" ref={margin} aria-hidden="true">
          {lines.map((_, at) => {
            const mark = known.get(at);
            return (
              <div class={mark?.kind ?? "none"} title={mark?.words}>
                <span>{at + 1}</span>
                <b>{mark ? SIGNS[mark.kind] : ""}</b>
              </div>
            );
          })}
        </div>
        <textarea
          id="steps"
          ref={box}
          value={text}
          rows={Math.min(24, Math.max(8, lines.length + 1))}
          wrap="off"
          spellcheck={false}
          autocomplete="off"
          aria-describedby="steps-hint steps-check"
          aria-invalid={check.verdict?.problems.some(isError) ?? false}
          placeholder={'Open https://example.org\nClick "Sign in"\nCheck that "Welcome" is shown'}
          onScroll={follow}
          onInput={(event) => {
            setCaret(event.currentTarget.selectionEnd);
            onText(event.currentTarget.value);
          }}
          onSelect={(event) => setCaret((known) => (known === undefined ? known : event.currentTarget.selectionEnd))}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              onRun?.();
            } else if (suggestions.onKey(event)) event.preventDefault();
          }}
          onBlur={() => setCaret(undefined)}
          {...listAttributes(suggestions)}
        />
      </div>
      <SuggestionList suggestions={suggestions} />
      <Findings
        check={check}
        text={text}
        onLine={(line) => toLine(box.current, line)}
        onApply={(line, { text: words, suggestion }) => {
          const next = replaced(text, line, words, suggestion);
          put(next.text, next.from, next.to);
          announce(`Line ${line + 1} is now: ${suggestion}`);
        }}
      />
    </div>
  );
}

interface FindingsProps {
  check: Check;
  text: string;
  onLine?(line: number): void;
  /** Puts the nearest sentence in place of the words of a line (from 0). */
  onApply?(line: number, sentence: { text: string; suggestion: string }): void;
}

export function Findings({ check, text, onLine, onApply }: FindingsProps) {
  const { verdict, problem } = check;
  const near = [...marks(text, verdict)].filter(([, mark]) => mark.kind === "model" && mark.suggestion);
  return (
    <div class="findings" id="steps-check">
      <p role="status" class={verdict && !verdict.valid ? "ill" : "quiet"}>
        {problem ? `Not checked: ${plain(problem.message)}` : verdict && text.trim() ? summary(verdict) : ""}
      </p>
      {verdict && verdict.problems.length > 0 && (
        <ul class="problems">
          {verdict.problems.map((one) => (
            <li class={isError(one) ? "error" : "doubt"}>
              {one.line && onLine ? (
                <button type="button" class="link" onClick={() => onLine(one.line!)}>
                  {problemWords(one)}
                </button>
              ) : (
                problemWords(one)
              )}
            </li>
          ))}
        </ul>
      )}
      {onLine && near.length > 0 && (
        <>
          <p class="hint">
            A line with <span class="mark-model">✦</span> is left to a model. The nearest sentence that needs none:
          </p>
          <ul class="nearest">
            {near.slice(0, NEAREST).map(([line, mark]) => (
              <li key={line}>
                <button type="button" class="link" onClick={() => onLine(line + 1)}>
                  Line {line + 1}
                </button>{" "}
                <code>{mark.suggestion}</code>{" "}
                {onApply && (
                  <button
                    type="button"
                    class="small"
                    onClick={() => onApply(line, { text: mark.text ?? "", suggestion: mark.suggestion! })}
                  >
                    Use
                    <span class="unseen">
                      {" "}
                      {mark.suggestion} in line {line + 1}
                    </span>
                  </button>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Moves the caret to a line (from 1). */
function toLine(box: HTMLTextAreaElement | null, line: number): void {
  if (!box) return;
  const lines = box.value.split("\n");
  const from = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  box.focus();
  box.setSelectionRange(from, from + (lines[line - 1]?.length ?? 0));
}
