// The stored secrets: names and sites. A value is only sent, and no response contains one.

import { useState } from "preact/hooks";
import { change, type Refused } from "../api/client";
import type { SecretToStore, StoredSecretView } from "../api/generated";
import { asRefused, useLoad } from "../api/load";
import { useHas } from "../api/scopes";
import { announce } from "../ui/announce";
import { Ask } from "../ui/ask";
import { Problem } from "../ui/screen";

export function Secrets() {
  const [runs, admin] = [useHas("run"), useHas("admin")];
  return runs ? <SecretList admin={admin} /> : null;
}

function SecretList({ admin }: { admin: boolean }) {
  const secrets = useLoad("/api/secrets");
  const [adding, setAdding] = useState(false);
  const [gone, setGone] = useState<StoredSecretView>();
  const [problem, setProblem] = useState<Refused>();
  const list = secrets.data ?? [];
  const remove = async ({ name }: StoredSecretView) => {
    setProblem(undefined);
    try {
      await change("DELETE", `/api/secrets/${encodeURIComponent(name)}`);
      announce(`${name} removed`);
    } catch (error) {
      setProblem(asRefused(error));
    }
    secrets.reload();
  };
  return (
    <section class="card" aria-labelledby="secrets">
      <div class="head">
        <h2 id="secrets">Secrets</h2>
        {admin && !adding && (
          <button type="button" onClick={() => setAdding(true)}>
            New secret
          </button>
        )}
      </div>
      <p class="hint">
        Passwords and one-time codes, encrypted on the server. A step writes one as <code>{"${secret:NAME}"}</code>. It
        is typed only into its own sites, and never shown.
      </p>
      {secrets.problem && <Problem problem={secrets.problem} again={secrets.reload} />}
      {problem && <Problem problem={problem} />}
      {adding && (
        <SecretForm
          onClose={() => setAdding(false)}
          onSaved={() => {
            setAdding(false);
            secrets.reload();
          }}
        />
      )}
      {secrets.data && list.length === 0 && !adding && <p class="quiet">No secrets are stored.</p>}
      {list.length > 0 && (
        <ul class="keys" aria-labelledby="secrets">
          {list.map((one) => (
            <li key={one.name}>
              <b>{one.name}</b> {one.oneTimeCode && <span class="tag">one-time code</span>}{" "}
              <span class="quiet">
                {one.origins.join(", ")}
                {one.username && ` · ${one.username}`}
              </span>{" "}
              {admin && (
                <button type="button" class="link" onClick={() => setGone(one)}>
                  Remove<span class="unseen"> {one.name}</span>
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {gone && (
        <Ask
          title={`Remove ${gone.name}?`}
          text="Runs and schedules that use it will fail."
          yes="Remove"
          onYes={() => void remove(gone)}
          onClose={() => setGone(undefined)}
        />
      )}
    </section>
  );
}

function SecretForm({ onClose, onSaved }: { onClose(): void; onSaved(): void }) {
  const [name, setName] = useState("");
  const [site, setSite] = useState("");
  const [username, setUsername] = useState("");
  const [value, setValue] = useState("");
  const [code, setCode] = useState(false);
  const [problem, setProblem] = useState<Refused>();
  const save = async () => {
    setProblem(undefined);
    const body: SecretToStore = {
      value,
      origins: site
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(originOf),
      oneTimeCode: code,
      ...(username.trim() ? { username: username.trim() } : {}),
    };
    try {
      await change("PUT", `/api/secrets/${encodeURIComponent(name.trim())}`, body);
      announce(`${name.trim()} stored`);
      onSaved();
    } catch (error) {
      setProblem(asRefused(error));
    }
  };
  return (
    <form
      aria-label="New secret"
      autocomplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="fields">
        <label>
          <span>Name</span>
          <input
            type="text"
            required
            spellcheck={false}
            pattern="[A-Za-z_][A-Za-z0-9_.\-]*"
            title="Letters, digits, _, . and -; the first one is a letter or _"
            placeholder="shop_password"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>Site</span>
          <input
            type="text"
            required
            spellcheck={false}
            inputMode="url"
            placeholder="https://shop.example"
            value={site}
            onInput={(event) => setSite(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>User name (a note)</span>
          <input
            type="text"
            spellcheck={false}
            value={username}
            onInput={(event) => setUsername(event.currentTarget.value)}
          />
        </label>
        <label>
          <span>{code ? "Key of the authenticator app" : "Value"}</span>
          <input
            type="password"
            required
            autocomplete="new-password"
            value={value}
            onInput={(event) => setValue(event.currentTarget.value)}
          />
        </label>
      </div>
      <label class="check">
        <input type="checkbox" checked={code} onChange={(event) => setCode(event.currentTarget.checked)} />
        Type one-time codes, computed from this key
      </label>
      {problem && <Problem problem={problem} />}
      <div class="actions">
        <button type="submit" class="main">
          Store
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** `https://shop.example` for an address that was pasted from the browser. What is no address is sent as it is, so that
 * the server explains it. */
export function originOf(text: string): string {
  try {
    return new URL(text).origin;
  } catch {
    return text;
  }
}
