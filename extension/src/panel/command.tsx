// A command for the terminal, with a button that copies it.

import { useState } from "preact/hooks";

export function Command({ text }: { text: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div class="shell">
      <code>{text}</code>
      <button
        type="button"
        aria-label={`Copy ${text}`}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
