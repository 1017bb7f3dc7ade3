// The first page: three steps from nothing to a paired browser.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { withoutToken } from "../../../web/src/api/client";
import type { PairedBrowser } from "../../../web/src/api/generated";
import { asRefused } from "../../../web/src/api/load";
import { Command } from "./command";
import { DEFAULT_SERVER, saveSettings, saveToken, serverOrigin } from "./settings";

interface PairProps {
  /** Whether a server answers. */
  answers: boolean;
  /** Whether the server does not accept the earlier pairing any more. */
  rejected: boolean;
  server: string;
}

export function Pair({ answers, rejected, server }: PairProps) {
  return (
    <main class="first">
      <h1>Set up Legwork</h1>
      {rejected && (
        <p class="note" role="alert">
          The pairing of this browser is no longer valid, or another program answers at {server}; it got no access. Pair
          it again, or change the address.
        </p>
      )}
      <ol class="setup">
        <li class={answers ? "done" : undefined} aria-current={answers ? undefined : "step"}>
          <strong>Start Legwork on this machine.</strong>
          {answers ? (
            <>
              <p class="hint">It answers at {server}.</p>
              <Elsewhere server={server} />
            </>
          ) : (
            <Absent server={server} />
          )}
        </li>
        <li aria-current={answers ? "step" : undefined}>
          <strong>Ask for a code</strong> in a terminal:
          <Command text="legwork panel pair" />
        </li>
        <li>
          <CodeForm server={server} disabled={!answers}>
            <strong>Enter the code.</strong> It is valid once, for ten minutes.
          </CodeForm>
        </li>
      </ol>
      <p class="hint">
        Legwork will work in this browser with your own logins. Keys of model providers stay with Legwork and never
        reach this browser.
      </p>
    </main>
  );
}

/** Exchanges a code for a pairing with a server. */
export function CodeForm({
  server,
  disabled = false,
  children,
}: {
  server: string;
  disabled?: boolean;
  children: ComponentChildren;
}) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState<{ message: string; next?: string }>();
  const [busy, setBusy] = useState(false);

  const pair = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { token } = await withoutToken.post<PairedBrowser>("/api/extension/pair", { code: code.trim() });
      await saveToken(server, token);
      location.reload();
    } catch (error) {
      const { message, suggestion } = asRefused(error);
      setProblem({ message, next: suggestion });
    }
    setBusy(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void pair();
      }}
    >
      <label for="code">{children}</label>
      <div class="actions">
        <input
          id="code"
          inputMode="numeric"
          autocomplete="off"
          placeholder="0000-0000"
          value={code}
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? "code-problem" : undefined}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={busy || disabled || !code.trim()}>
          Pair
        </button>
      </div>
      {problem && (
        <p id="code-problem" class="ill" role="alert">
          {problem.message}
          {problem.next && <span class="next"> {problem.next}</span>}
        </p>
      )}
    </form>
  );
}

/** No server answers: the command that starts one, and the address where it is looked for. */
export function Absent({ server }: { server: string }) {
  return (
    <div class="absent" role="status">
      <p>Nothing answers at {server}. Start Legwork:</p>
      <Command text="legwork serve" />
      <Elsewhere server={server} />
    </div>
  );
}

/** Where Legwork is looked for. */
export function Elsewhere({ server }: { server: string }) {
  const [address, setAddress] = useState(server);
  const [wrong, setWrong] = useState(false);
  return (
    <details>
      <summary>It listens at another address</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const origin = serverOrigin(address);
          setWrong(!origin);
          if (origin) void saveSettings({ server: origin }).then(() => location.reload());
        }}
      >
        <label for="server">Address of Legwork</label>
        <div class="actions">
          <input
            id="server"
            value={address}
            placeholder={DEFAULT_SERVER}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
          <button type="submit">Use it</button>
        </div>
        {wrong && (
          <p class="ill" role="alert">
            It must be an address of this machine, such as {DEFAULT_SERVER}
          </p>
        )}
      </form>
    </details>
  );
}
