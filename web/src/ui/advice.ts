// What errors and hints say about commands and flags of a terminal, in the words of the page. The server sends the same
// texts to programs and to the terminal. Pure.

/** A command or a flag of a terminal. */
const COMMAND = /`?\blegwork [a-z][^`;.]*`?|`?(?<![\w-])--[a-z][\w-]*/;

/** What to try instead, by the code of the error. */
const BY_CODE: Record<string, string> = {
  SP001: "Correct the lines that are marked.",
  SP002: "The start page shows whether a browser and a model are available.",
  TL002: "The run continues without this advice. Check the address and the key of the model.",
  EX001: "The start page shows whether a browser was found, and how to install one.",
  EX006: "“Resume” continues with a new browser.",
  AI002: "Set the key of the provider in the environment of the server; the start page names the variable.",
  CM001: "It may have been deleted. “Runs” lists those that are on record.",
  RS001: "Check on the site whether it was done, then choose what you found above.",
  US001: "“Resume” continues where it stopped.",
};

/** Hints that the page can follow in another way. */
const RULES: [RegExp, string][] = [
  [/give it with --var \w+=…/g, "give it a value in the form below"],
  [
    /\$\{secret:([\w.-]+)\} in (the step|its place) and give it with --secret(?: [\w.-]+)?/g,
    "${secret:$1} in $2 and store its value under “Settings”, “Secrets”",
  ],
  [
    /(?:add|give it with) `--secret ([\w.{}-]+)`(?:, or list it under `secrets` in a request)?/g,
    "store its value under “Settings”, “Secrets”",
  ],
  [
    /store it with `legwork vault add [\w.{}-]+`, set the variable [\w{}-]+, or use `--secret [\w.{}-]+=(?:FILE|…)`/g,
    "store its value under “Settings”, “Secrets”",
  ],
  [
    /; to change that: `legwork vault add [\w.{}-]+ --replace --origin [\w…]+`/g,
    "; change that under “Settings”, “Secrets”",
  ],
  [/or give `--url`/g, "or enter a start URL"],
  [/set (?:a model|one) with --model/g, "choose a model in the settings"],
  [/`legwork resume RUN`(?: in a terminal)?/g, "“Resume”"],
];

/** A text for the page: rules first, then without the clauses that name a command or a flag. */
export function plain(text: string): string {
  if (!COMMAND.test(text)) return text;
  const said = RULES.reduce((words, [found, instead]) => words.replace(found, instead), text);
  if (!COMMAND.test(said)) return said;
  const sentences = said.split(/(?<=[.!?])\s+/).map((sentence) => {
    const clauses = sentence
      .replace(/[.!?]$/, "")
      .split(/;\s*|,\s*(?=or\b|and\b|then\b)|(?<=\w)\s*\((?=[^)]*(?:legwork|--))/);
    const kept = clauses.filter((clause) => !COMMAND.test(clause)).map((clause) => clause.trim());
    return kept.join("; ");
  });
  return sentences
    .filter(Boolean)
    .map((sentence) => (/[.!?…]$/.test(text.trim()) ? `${sentence}.` : sentence))
    .join(" ");
}

/** What to try after an error; nothing if only a terminal could. */
export function advice(error: { code?: string; suggestedAction?: string }): string | undefined {
  const text = error.suggestedAction;
  if (!text) return undefined;
  if (!COMMAND.test(text)) return text;
  return (error.code && BY_CODE[error.code]) || plain(text) || undefined;
}

/** Whether a text names a command or a flag of a terminal. */
export const namesCommand = (text: string): boolean => COMMAND.test(text);
