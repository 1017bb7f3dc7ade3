// The side panel: one conversation for the tab beside it. What can be done now follows from three states: that of the
// server, that of the tab, and that of the newest run.

import { useEffect, useState } from "preact/hooks";
import { asRefused } from "../../../web/src/api/load";
import { Announcer } from "../../../web/src/ui/announce";
import { isRestricted, STATE_TEXTS, type TabState } from "../relay/states";
import { Command } from "./command";
import { Composer } from "./composer";
import { Absent, Pair } from "./pair";
import { RunView } from "./run-view";
import { useServer } from "./server";
import { forgetToken, type PanelSettings } from "./settings";
import { offerTab, resumeWork, startWork, type Work } from "./start";
import { askWorker, useConversation, useTab, useTabState } from "./tab";

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
            <button type="button" onClick={() => void forgetToken().then(() => location.reload())}>
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
        {info?.request && tab && <Request name={info.request} tab={tab} server={settings.server} />}
        {info?.run && tab && state?.kind === "working" && (
          <Adopt run={info.run} name="Asked for at a terminal" add={conversation.add} />
        )}
        {conversation.entries.map(({ run, text }) => (
          <RunView
            key={run}
            id={run}
            text={text}
            onResume={async (assume) => {
              if (tab) await resumeWork(tab, settings.server, run, assume);
            }}
          />
        ))}
        {info && tab && !info.request && (
          <Composer
            hasModel={info.hasModel}
            disabled={isRestricted(tab.url ?? "")}
            onSubmit={async (work: Work, text: string) => {
              const run = await startWork(tab, settings.server, work, conversation.entries.at(-1)?.run);
              await conversation.add({ run, text });
            }}
          />
        )}
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
          <strong>Legwork controls this tab</strong> through {state.server}. Its requests pass your browser as your own;
          no proxy of Legwork checks them.
        </p>
        <button type="button" onClick={() => void askWorker({ type: "disconnect", tab: tab.id! })}>
          Disconnect
        </button>
      </section>
    );
  if (isRestricted(tab.url ?? "")) return <StateNote reason="restricted_page" />;
  if (state?.kind === "ended") return <StateNote reason={state.reason} />;
  return null;
}

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

/** A program at a terminal waits for a tab. */
function Request({ name, tab, server }: { name: string; tab: chrome.tabs.Tab; server: string }) {
  const [problem, setProblem] = useState<string>();
  return (
    <section class="state busy" role="status" aria-label="Request">
      <strong>A terminal asks for a tab</strong>
      <p>
        <code>legwork run --extension</code> wants to carry out “{name}” in this tab, with your logins.
      </p>
      <button
        type="button"
        class="primary"
        disabled={isRestricted(tab.url ?? "")}
        onClick={() => void offerTab(tab, server, true).catch((error) => setProblem(asRefused(error).message))}
      >
        Let it work in this tab
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
