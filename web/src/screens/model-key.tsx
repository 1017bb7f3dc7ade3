// Stores the key of a model's provider in the vault of the server. It is only sent, and no response contains it.

import { useState } from "preact/hooks";
import { change, type Refused } from "../api/client";
import type { SecretToStore } from "../api/generated";
import { asRefused } from "../api/load";
import { announce } from "../ui/announce";
import { Problem } from "../ui/screen";

interface ModelKeyProps {
  /** The name of the key, which is also that of its variable. */
  variable: string;
  /** The origin to which the key is sent with each request. */
  origin: string;
  onStored(): void;
}

export function ModelKeyForm({ variable, origin, onStored }: ModelKeyProps) {
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<Refused>();
  const save = async () => {
    setProblem(undefined);
    const body: SecretToStore = { value: value.trim(), origins: [origin] };
    try {
      await change("PUT", `/api/secrets/${encodeURIComponent(variable)}`, body);
      setValue("");
      announce(`${variable} stored`);
      onStored();
    } catch (error) {
      setProblem(asRefused(error));
    }
  };
  return (
    <form
      class="model-form"
      autocomplete="off"
      aria-label={`Key ${variable}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        <span>{variable}</span>
        <input
          type="password"
          required
          autocomplete="new-password"
          value={value}
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <small class="hint">Encrypted on the server, and sent only to {origin}</small>
      </label>
      <button type="submit">Store key</button>
      {problem && <Problem problem={problem} />}
    </form>
  );
}
