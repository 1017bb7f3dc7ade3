// Splits a stored prompt into its messages and the parts of the page between fences. Pure.

export interface Prompt {
  messages: { speaker: string; text: string; images: number }[];
  /** The page as the model received it. */
  page?: string;
  /** The changes of the page that the model received. */
  changes?: string;
}

export function prompt(kept: string): Prompt {
  const messages = readMessages(kept);
  const last = messages.findLast((message) => message.speaker === "user")?.text ?? "";
  return { messages, page: fenced(last, "page"), changes: fenced(last, "changes") };
}

function readMessages(kept: string): Prompt["messages"] {
  try {
    const request = JSON.parse(kept) as { messages?: { speaker?: unknown; text?: unknown; images?: unknown[] }[] };
    if (!Array.isArray(request.messages)) throw new TypeError("no messages");
    return request.messages.map(({ speaker, text, images }) => ({
      speaker: String(speaker),
      text: String(text),
      images: images?.length ?? 0,
    }));
  } catch {
    return [{ speaker: "prompt", text: kept, images: 0 }];
  }
}

/** The last text between fences with this label. A fence is longer than any run of backticks inside it. */
export function fenced(text: string, label: string): string | undefined {
  const found = [...text.matchAll(new RegExp(`^(\`{3,})${label}\\n([\\s\\S]*?)\\n\\1$`, "gm"))].at(-1);
  return found?.[2];
}

export const SPEAKERS: Record<string, string> = {
  system: "System prompt",
  user: "Legwork",
  assistant: "Model",
  prompt: "Prompt",
};
