// Everything known of one moment: pictures before and after, and in tabs what was thought, what the page looked like to
// the model and what changed on it, the prompt and the reply, the evidence.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { failureWords } from "../../record/failure";
import type { Moment } from "../../record/moments";
import { commandWords, took, usageWords, valueWords } from "../../record/words";
import { Badge } from "../../ui/badges";
import { EvidenceList } from "../../ui/evidence";
import { ArtifactText } from "../../ui/long";
import { Prose } from "../../ui/prose";
import { TabPanel, Tabs } from "../../ui/tabs";
import { Trouble } from "../../ui/trouble";
import { Effect, Reasoning } from "../run/turn";
import { ConsoleLines, Requests } from "./activity";
import { PageText } from "./page-text";
import { PromptText } from "./prompt-text";
import { Shots } from "./shots";

export function Detail({ moment }: { moment: Moment }) {
  const [wanted, want] = useState("what");
  const tabs = tabsOf(moment);
  const shown = tabs.find((tab) => tab.id === wanted) ?? tabs[0]!;
  return (
    <section class="detail" aria-label="Event">
      <h2>{moment.title}</h2>
      <p class="quiet">
        at {took(moment.from)}
        {moment.took !== undefined && `, took ${took(moment.took)}`}
        {moment.step !== undefined && `, step ${moment.step + 1}`}
        {moment.observed && ` · ${moment.observed.title || moment.observed.url}`}
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

function tabsOf(moment: Moment): Tab[] {
  const tabs: Tab[] = [{ id: "what", name: "What happened", content: () => <What moment={moment} /> }];
  if (moment.reading || moment.page)
    tabs.push({ id: "page", name: "Page as read", content: () => <PageText moment={moment} /> });
  const { call, activity } = moment;
  if (call) {
    tabs.push({ id: "prompt", name: "Prompt", content: () => <PromptText hash={call.request.hash} /> });
    if (call.reply)
      tabs.push({
        id: "reply",
        name: "Reply",
        content: () => <ArtifactText hash={call.reply!.hash} label="Reply" read={pretty} />,
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

function What({ moment }: { moment: Moment }) {
  const { command, decided, call, error, question, result } = moment;
  return (
    <>
      {command && (
        <>
          <p class="command-words">{commandWords(command)}</p>
          <dl class="reasons">
            {command.result?.failure && <Row label="Failed">{failureWords(command.result.failure)}</Row>}
            {!command.result && <Row label="Result">None is on record: nobody knows whether it was done.</Row>}
            {command.result?.effects && command.result.effects.length > 0 && (
              <Row label="Set off">
                {command.result.effects.map((one) => (
                  <Effect effect={one} />
                ))}
              </Row>
            )}
            {command.result?.value != null && <Row label="Read">{valueWords(command.result.value)}</Row>}
            {command.result?.url && <Row label="Page after">{command.result.url}</Row>}
            <Row label="Decided by">{command.decider}</Row>
          </dl>
        </>
      )}
      {decided?.decider === "model" && <Reasoning decision={decided.decision} />}
      {moment.kind === "model" && call && (
        <p>
          {call.model}: {usageWords(call.usage) ?? "nothing used"}, {took(call.latency_ms)}
          {call.finish && `, ended with “${call.finish}”`}
        </p>
      )}
      {question && (
        <p>
          <Prose text={question.text} />
          <span class="quiet">
            {question.answer === undefined ? "No answer" : `Answered: ${question.secret ? "••••••" : question.answer}`}
          </span>
        </p>
      )}
      {moment.kind === "thought" && moment.note && <Prose text={moment.note} />}
      {moment.kind === "warning" && <p class="warning">{moment.title}</p>}
      {result && (
        <>
          <p>
            {moment.verdict && <Badge verdict={moment.verdict} />} {result.text}
          </p>
          {result.message && result.message !== result.error?.message && <Prose text={result.message} />}
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

/** JSON with its lines and indents, anything else as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
