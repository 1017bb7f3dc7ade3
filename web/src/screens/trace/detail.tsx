// The details of one moment: screenshots before and after, and in tabs the model's work, the page as text with its
// changes, the prompt and the reply, the evidence.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { DecisionRow, MomentRow } from "../../api/generated";
import { Badge } from "../../ui/badges";
import { EvidenceList } from "../../ui/evidence";
import { took } from "../../ui/format";
import { ArtifactText } from "../../ui/long";
import { Prose } from "../../ui/prose";
import { TabPanel, Tabs } from "../../ui/tabs";
import { Trouble } from "../../ui/trouble";
import { Effect, Reasoning } from "../run/turn";
import { ConsoleLines, Requests } from "./activity";
import { PageText } from "./page-text";
import { PromptText } from "./prompt-text";
import { Shots } from "./shots";

/** `model` is the moment's own call or the call that it resulted from. */
export function Detail({ moment, model }: { moment: MomentRow; model?: MomentRow }) {
  const [wanted, want] = useState("what");
  const tabs = tabsOf(moment, model);
  const shown = tabs.find((tab) => tab.id === wanted) ?? tabs[0]!;
  return (
    <section class="detail" aria-label="Event">
      <h2>{moment.title}</h2>
      <p class="quiet">
        at {took(moment.from)}
        {moment.took != null && `, took ${took(moment.took)}`}
        {moment.step != null && `, step ${moment.step + 1}`}
        {moment.place && ` · ${moment.place}`}
      </p>
      <Shots moment={moment} />
      <Tabs label="State" tabs={tabs} shown={shown.id} onShow={want} />
      <TabPanel id={shown.id} key={`${moment.seq}-${shown.id}`}>
        {shown.content()}
      </TabPanel>
    </section>
  );
}

interface Tab {
  id: string;
  name: string;
  content(): ComponentChildren;
}

function tabsOf(moment: MomentRow, model: MomentRow | undefined): Tab[] {
  const tabs: Tab[] = [
    { id: "what", name: "What happened", content: () => <What moment={moment} decision={model?.decision} /> },
  ];
  if (moment.reading || moment.page)
    tabs.push({
      id: "page",
      name: "Page as read",
      content: () => <PageText moment={moment} isModels={!!model?.call} />,
    });
  const { activity } = moment;
  const call = model?.call;
  if (call) {
    tabs.push({ id: "prompt", name: "Prompt", content: () => <PromptText hash={call.request} /> });
    if (call.reply)
      tabs.push({
        id: "reply",
        name: "Reply",
        content: () => <ArtifactText hash={call.reply!} label="Reply" read={pretty} />,
      });
  }
  const requests = activity ? activity.requests.length + activity.requestsLeftOut : 0;
  if (activity && requests > 0)
    tabs.push({ id: "network", name: `Network (${requests})`, content: () => <Requests activity={activity} /> });
  const lines = activity ? activity.console.length + activity.consoleLeftOut : 0;
  if (activity && lines > 0)
    tabs.push({ id: "console", name: `Console (${lines})`, content: () => <ConsoleLines activity={activity} /> });
  if (moment.result)
    tabs.push({
      id: "evidence",
      name: `Evidence (${moment.result.evidence.length})`,
      content: () => <EvidenceList result={moment.result!} />,
    });
  return tabs;
}

function What({ moment, decision }: { moment: MomentRow; decision?: DecisionRow | null }) {
  const { command, call, error, question, result } = moment;
  return (
    <>
      {command && (
        <>
          <p class="command-words">{command.words}</p>
          <dl class="reasons">
            {command.failure && <Row label="Failed">{command.failure}</Row>}
            {command.state === "open" && (
              <Row label="Result">No result is on record: it is unknown whether it was done.</Row>
            )}
            {command.effects.length > 0 && (
              <Row label="Effects">
                {command.effects.map((one) => (
                  <Effect effect={one} />
                ))}
              </Row>
            )}
            {command.value != null && <Row label="Read">{command.value}</Row>}
            {command.url && <Row label="Page after">{command.url}</Row>}
            <Row label="Decided by">{command.decider}</Row>
          </dl>
        </>
      )}
      {decision && <Reasoning decision={decision} />}
      {moment.kind === "model" && call && (
        <p>
          {call.model}: {call.usage}, {took(call.durationMs)}
          {call.finish && `, ended with “${call.finish}”`}
        </p>
      )}
      {question && (
        <p>
          <Prose text={question.question.text} />
          <span class="quiet">
            {question.answer == null
              ? "No answer"
              : `Answered: ${question.question.secret ? "••••••" : question.answer}`}
          </span>
        </p>
      )}
      {moment.kind === "thought" && moment.note && <Prose text={moment.note} />}
      {moment.kind === "warning" && <p class="warning">{moment.title}</p>}
      {result && (
        <>
          <p>
            <Badge verdict={result.verdict} /> {result.text}
          </p>
          {result.message && <Prose text={result.message} />}
          {result.error && <Trouble error={result.error} fatal={moment.tone === "bad"} />}
        </>
      )}
      {error && <Trouble error={error} />}
    </>
  );
}

function Row({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** JSON with line breaks and indents; any other text unchanged. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
