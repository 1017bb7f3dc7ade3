// A run that waits for a person: the question, and a field for the answer. The answer to a secret question is masked
// while it is typed, and is stored in the vault without reaching a model or the journal.

import { useEffect, useRef, useState } from "preact/hooks";
import { change } from "../../api/client";
import type { Question } from "../../api/generated";
import { asRefused } from "../../api/load";
import { Denied, useMay } from "../../api/scopes";
import { announce } from "../../ui/announce";

/** The labels of answers that a person chooses, where they differ from the answer. */
const LABELS: Record<string, string> = {
  done: "It was done: continue",
  "not done": "It was not done",
  yes: "Yes",
  no: "No",
};

/** The question without the list of its answers at the end, which are buttons here. */
const withoutOptions = ({ text, options = [] }: Question) => {
  const list = ` (${options.join(" / ")})`;
  return text.endsWith(list) ? text.slice(0, -list.length) : text.replace(/\s*Answer yes or no\.\s*$/, "");
};

interface QuestionBoxProps {
  id: string;
  question?: Question | null;
  onAnswered(): void;
}

export function QuestionBox({ id, question, onAnswered }: QuestionBoxProps) {
  const [answer, setAnswer] = useState("");
  const [sent, setSent] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const may = useMay();
  const text = question?.text;
  useEffect(() => {
    setSent(undefined);
    if (text) announce(`The run asks: ${text}`, true);
  }, [text]);
  if (!question || sent === question.text) return null;

  if (!may("steer")) {
    return (
      <section class="question" aria-label="The run asks">
        <strong>{question.text}</strong>
        <Denied scope="steer">answer</Denied>
      </section>
    );
  }

  const send = async (words: string) => {
    if (!words) return field.current?.focus();
    setProblem(undefined);
    try {
      await change("POST", `/api/automation/sessions/${encodeURIComponent(id)}/answer`, { text: words });
      setAnswer("");
      setSent(question.text);
      onAnswered();
    } catch (error) {
      setProblem(asRefused(error).message);
    }
  };
  const options = question.options ?? [];
  const buttons = options.map((option) => (
    <button key={option} type="button" onClick={() => void send(option)}>
      {LABELS[option] ?? option}
    </button>
  ));
  // To a model's question a person may have an answer that it did not think of.
  if (question.closed)
    return (
      <section class="question" aria-label="The run asks">
        <p>
          <span class="quiet">The run asks</span> <strong>{withoutOptions(question)}</strong>
        </p>
        <div class="actions">{buttons}</div>
        {problem && (
          <p class="ill" role="alert">
            {problem}
          </p>
        )}
      </section>
    );
  return (
    <form
      class="question"
      aria-label="The run asks"
      onSubmit={(event) => {
        event.preventDefault();
        void send(answer);
      }}
    >
      <label for="answer">
        <span class="quiet">The run asks</span>
        <strong>{options.length ? withoutOptions(question) : question.text}</strong>
      </label>
      {buttons.length > 0 && <div class="actions">{buttons}</div>}
      <div class="actions">
        {question.secret ? (
          <input
            id="answer"
            ref={field}
            type="password"
            autocomplete="one-time-code"
            value={answer}
            onInput={(event) => setAnswer(event.currentTarget.value)}
          />
        ) : (
          <input
            id="answer"
            ref={field}
            type="text"
            autocomplete="off"
            value={answer}
            onInput={(event) => setAnswer(event.currentTarget.value)}
          />
        )}
        <button type="submit" class="primary">
          Answer
        </button>
      </div>
      {question.secret && <p class="hint">Stored in the vault; never shown to a model or written to a log.</p>}
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}
