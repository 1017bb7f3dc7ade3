// The side panel: one conversation for the tab beside it. What can be done now follows from three states: that of the
// server, that of the tab, and that of the newest run.

import { useEffect, useState } from "preact/hooks";
import { change } from "../../../web/src/api/client";
import type { TabRequester } from "../../../web/src/api/generated";
import { asRefused } from "../../../web/src/api/load";
import { Announcer } from "../../../web/src/ui/announce";
import { quotable } from "../../../web/src/ui/visible";
import { HELD_TEXT, isRestricted, STATE_TEXTS, type TabState } from "../relay/states";
import { Command } from "./command";
import { Composer } from "./composer";
import { Absent, Pair } from "./pair";
import { RunView } from "./run-view";
import { useServer } from "./server";
import { type PanelSettings, saveToken } from "./settings";
import { Settings } from "./settings-view";
import { offerTab, resumeWork, startWork, type Work } from "./start";
import { askWorker, clearUserInput, useConversation, useTab, useTabState } from "./tab";

export function Panel({ settings }: { settings: PanelSettings }) {
  const { server } = useServer(settings);
  const tab = useTab();
  const state = useTabState(tab?.id);
  const conversation = useConversation(tab?.id);

  if (server.kind === "looking") return <p class="now">Looking for Legwork…</p>;
  if (server.kind === "unpaired" || (server.kind === "absent" && !settings.token))
    return (
      <Pair
        answers={server.kind === "unpaired"}
        rejected={server.kind === "unpaired" && server.rejected}
        server={settings.server}
      />
    );
  if (server.kind === "other_version") return <OtherVersion version={server.version} isNewer={server.isNewer} />;
  const info = server.kind === "ready" ? server.info : undefined;
  return (
    <>
      <Announcer />
      <header class="top">
        <h1>Legwork</h1>
        <p class="quiet">{tab?.title ?? "No tab"}</p>
      </header>
      <main>
        {server.kind === "refused" && (
          <section class="state" role="alert">
            <strong>Legwork refuses this browser</strong>
            <p>
              {server.message} {server.suggestion}
            </p>
            <button type="button" onClick={() => void saveToken(settings.server).then(() => location.reload())}>
              Pair again
            </button>
          </section>
        )}
        {server.kind === "absent" && (
          <section class="state">
            <strong>Legwork does not answer</strong>
            <Absent server={settings.server} />
          </section>
        )}
        <TabNote tab={tab} state={state} />
        {info?.request && tab && <Request requester={info.request} tab={tab} server={settings.server} />}
        {info?.run && state?.kind === "working" && state.relay === info.run.tab && (
          <Adopt run={info.run.id} name={state.requester?.name ?? "Asked for at a terminal"} add={conversation.add} />
        )}
        {conversation.entries.map(({ run, text }, index) => (
          <RunView
            key={run}
            id={run}
            text={text}
            isNewest={index === conversation.entries.length - 1}
            hasUserInput={state?.kind === "working" && state.hasUserInput === true}
            onContinue={() => (tab ? clearUserInput(tab.id!) : Promise.resolve())}
            onResume={async (assume) => {
              if (tab) await resumeWork(tab, settings.server, run, assume);
            }}
          />
        ))}
        {info && tab && !info.request && !isAgents(state) && (
          <Composer
            hasModel={info.hasModel}
            disabled={isRestricted(tab.url ?? "")}
            onSubmit={async (work: Work, text: string) => {
              const run = await startWork(tab, settings.server, work, conversation.entries.at(-1)?.run);
              await conversation.add({ run, text });
            }}
          />
        )}
        {info && <Settings settings={settings} />}
      </main>
    </>
  );
}

/** The state of the tab, if there is something to know or to do about it. */
function TabNote({ tab, state }: { tab: chrome.tabs.Tab | undefined; state: TabState | undefined }) {
  if (!tab) return <StateNote reason="no_tab" />;
  if (state?.kind === "working")
    return (
      <section class="state busy" aria-label="Control">
        <p>
          <strong>{controller(state.requester)} controls this tab</strong> through {state.server}. Requests are sent by
          your browser with your logins; Legwork's proxy does not check them.
        </p>
        <button type="button" onClick={() => void askWorker({ type: "disconnect", tab: tab.id! })}>
          Disconnect
        </button>
      </section>
    );
  if (state?.kind === "waiting")
    return (
      <section class="state busy" aria-label="Control">
        <p>
          <strong>{controller(state.requester)} waits to work in this tab</strong> through {state.server}. It does
          nothing here before its turn.
        </p>
        <button type="button" onClick={() => void askWorker({ type: "disconnect", tab: tab.id! })}>
          Disconnect
        </button>
      </section>
    );
  if (state?.kind === "held")
    return (
      <section class="state" role="alert" data-reason="held">
        <strong>{HELD_TEXT.title}</strong>
        <p>{HELD_TEXT.next}</p>
        <button type="button" onClick={() => void askWorker({ type: "leave", tab: tab.id! })}>
          Load the page again
        </button>
      </section>
    );
  if (isRestricted(tab.url ?? "")) return <StateNote reason="restricted_page" />;
  if (state?.kind === "ended") return <StateNote reason={state.reason} />;
  return null;
}

/** Who controls a tab. What an agent calls itself is a claim, so it is quoted. */
function controller(requester: TabRequester | undefined): string {
  if (!requester) return "Legwork";
  return requester.kind === "agent" ? `An agent (“${quotable(requester.name)}”)` : "A run at a terminal";
}

/** Whether an agent works in the tab, which a task of the panel would disturb. */
const isAgents = (state: TabState | undefined) =>
  (state?.kind === "working" || state?.kind === "waiting") && state.requester?.kind === "agent";

function StateNote({ reason }: { reason: keyof typeof STATE_TEXTS }) {
  const { title, next } = STATE_TEXTS[reason];
  return (
    <section class="state" role="status" data-reason={reason}>
      <strong>{title}</strong>
      <p>{next}</p>
      {reason === "server_lost" && <Command text="legwork serve" />}
    </section>
  );
}

/** A program waits for a tab. */
function Request({ requester, tab, server }: { requester: TabRequester; tab: chrome.tabs.Tab; server: string }) {
  const { kind, name } = requester;
  const [problem, setProblem] = useState<string>();
  return (
    <section class="state busy" role="status" aria-label="Request">
      <strong>{kind === "agent" ? "An agent asks for a tab" : "A terminal asks for a tab"}</strong>
      {kind === "agent" ? (
        <p>
          An agent that calls itself “<bdi>{quotable(name)}</bdi>” wants to work in this tab, with your logins, until
          you disconnect it (<code>legwork mcp --extension</code>).
        </p>
      ) : (
        <p>
          <code>legwork run --extension</code> wants to carry out “<bdi>{quotable(name)}</bdi>” in this tab, with your
          logins.
        </p>
      )}
      <button
        type="button"
        class="primary"
        disabled={isRestricted(tab.url ?? "")}
        onClick={() => void offerTab(tab, server, requester).catch((error) => setProblem(asRefused(error).message))}
      >
        Let it work in this tab
      </button>
      <button
        type="button"
        onClick={() => {
          const refusal = change("POST", "/api/extension/refuse");
          refusal.catch((error) => setProblem(asRefused(error).message));
        }}
      >
        Refuse
      </button>
      {problem && (
        <p class="ill" role="alert">
          {problem}
        </p>
      )}
    </section>
  );
}

/** Adds the run of a terminal to the conversation. */
function Adopt({
  run,
  name,
  add,
}: {
  run: string;
  name: string;
  add(entry: { run: string; text: string }): Promise<void>;
}) {
  useEffect(() => void add({ run, text: name }), [run]);
  return null;
}

function OtherVersion({ version, isNewer }: { version: string; isNewer: boolean }) {
  return (
    <main class="first">
      <section class="state" role="alert" data-reason="other_version">
        <strong>Legwork and this extension have different versions</strong>
        <p>
          The server is version {version}. {isNewer ? "Update this extension" : "Update Legwork"}, and reload the
          extension on the page chrome://extensions.
        </p>
      </section>
    </main>
  );
}
