// Lessons that runs have learned about sites, with a way to delete each of them.

import { useState } from "preact/hooks";
import { change } from "../api/client";
import type { LessonView } from "../api/generated";
import { asRefused, useLoad } from "../api/load";
import { Denied, useMay } from "../api/scopes";
import { announce } from "../ui/announce";
import { Ask } from "../ui/ask";
import { percent } from "../ui/format";
import { Empty, Loading, Problem, Screen } from "../ui/screen";
import { Ago } from "../ui/time";

const KINDS: Record<string, string> = {
  element_discovery: "element",
  page_insight: "page",
  variable_extraction: "value",
  pattern_learning: "pattern",
  investigation_preference: "tool",
};

export function MemoryScreen() {
  const memory = useLoad("/api/memory");
  const admin = useMay()("admin");
  const [words, setWords] = useState("");
  const [sure, setSure] = useState<{ what: string; lessons: LessonView[] }>();
  const [problem, setProblem] = useState<string>();
  const lessons = memory.data ?? [];
  const wanted = words.trim().toLowerCase();
  const shown = lessons.filter(
    (one) => !wanted || `${one.site} ${one.text} ${one.pattern}`.toLowerCase().includes(wanted),
  );
  const sites = [...new Set(shown.map((one) => one.site))];

  const forget = async (gone: LessonView[]) => {
    setProblem(undefined);
    try {
      for (const one of gone) await change("DELETE", `/api/memory/${encodeURIComponent(one.id)}`);
      announce(gone.length === 1 ? "Deleted" : `${gone.length} lessons deleted`);
    } catch (error) {
      setProblem(asRefused(error).message);
    }
    memory.reload();
  };

  return (
    <Screen title="Memory">
      <p class="lead">
        What runs have learned about sites. A lesson is a hint for the model, never an action. Lessons that do not prove
        useful lose trust.
      </p>
      {!admin && lessons.length > 0 && <Denied scope="admin">delete lessons</Denied>}
      {memory.problem && <Problem problem={memory.problem} again={memory.reload} />}
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
      {!memory.data && memory.loading && <Loading />}
      {memory.data && lessons.length === 0 && <Empty>No lessons yet.</Empty>}
      {lessons.length > 0 && (
        <search class="filters">
          <label>
            <span class="unseen">Search lessons</span>
            <input
              type="search"
              value={words}
              placeholder="Search lessons"
              onInput={(event) => setWords(event.currentTarget.value)}
            />
          </label>
          <p class="quiet" role="status">
            {shown.length} of {lessons.length} lessons
          </p>
        </search>
      )}
      {sites.map((site) => {
        const ofSite = shown.filter((one) => one.site === site);
        return (
          <section class="card" key={site} aria-label={site}>
            <div class="head">
              <h2>{site}</h2>
              {admin && (
                <button
                  type="button"
                  onClick={() => setSure({ what: `all ${ofSite.length} lessons of ${site}`, lessons: ofSite })}
                >
                  Delete these<span class="unseen"> of {site}</span>
                </button>
              )}
            </div>
            <ul class="lessons">
              {ofSite.map((one) => (
                <LessonItem
                  key={one.id}
                  lesson={one}
                  onForget={admin ? () => setSure({ what: `“${one.text || one.key}”`, lessons: [one] }) : undefined}
                />
              ))}
            </ul>
          </section>
        );
      })}
      {sure && (
        <Ask
          title="Forget?"
          text={`Later runs will no longer use ${sure.what}.`}
          yes="Forget"
          onYes={() => void forget(sure.lessons)}
          onClose={() => setSure(undefined)}
        />
      )}
    </Screen>
  );
}

function LessonItem({ lesson, onForget }: { lesson: LessonView; onForget?: () => void }) {
  const { text, key, kind, pattern, trust, successes, failures, proved } = lesson;
  return (
    <li>
      <div class="lesson-words">
        <span class="tag">{KINDS[kind] ?? kind}</span> {text || key}
        {pattern && <small class="quiet">for steps like “{pattern}”</small>}
      </div>
      <div class="lesson-facts quiet">
        <meter min={0} max={1} value={trust} aria-label={`Trust of “${text || key}”`} /> {percent(trust)}
        <small>
          {successes} ✓ <span class="unseen">helped</span> {failures} ✗ <span class="unseen">did not</span>
          {proved && (
            <>
              {" · "}
              <Ago time={proved} now={Date.now()} />
            </>
          )}
        </small>
      </div>
      {onForget && (
        <button type="button" class="link" onClick={onForget}>
          Forget<span class="unseen"> “{text || key}”</span>
        </button>
      )}
    </li>
  );
}
