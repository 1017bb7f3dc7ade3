// What errors and hints say about commands and flags of a terminal, about routes of the API and about files of the
// documentation, in the words of the page. The server sends the same texts to programs and to the terminal. Pure.

/** A command or a flag of a terminal, a route of the API, or a file of the documentation. */
const FOREIGN =
  /`?\blegwork [a-z][^`;.]*`?|`?(?<![\w-])--[a-z][\w-]*|\/api\/[a-z]|\bdocs\/[\w-]+\.md|`(?:inputs|secrets)` of the request|or give `url`|`run "…"`|\brun "…"/;

/** A clause about the request that a program sends. Whoever uses the page fills a form. */
const REQUEST = /\bthe (?:same )?(?:request|body)\b|\bthe details name\b/;

/** What to try instead, by the code of the error. */
const BY_CODE: Record<string, string> = {
  SP001: "Correct the lines that are marked.",
  SP002: "The start page shows whether a browser and a model are available.",
  TL002: "The run continues without this advice. Check the address and the key of the model.",
  EX001: "The start page shows whether a browser was found, and how to install one.",
  EX008:
    "If this is intended: “Allowed sites” is among the options of a run, and the sites of a secret are under “Settings”, “Secrets”.",
  EX006: "“Resume” continues with a new browser.",
  AI002: "Store the key of the provider under “Settings”, “Keys”.",
  CM001: "It may have been deleted. “Runs” lists those that are on record.",
  RS001: "Check on the site whether it was done, then choose what you found above.",
  US001: "“Resume” continues where it stopped.",
};

/** The same in the side panel, which has no such pages, and beside which there is a terminal. */
const BY_CODE_IN_PANEL: Record<string, string> = {
  SP001: "Correct the lines that are named.",
  SP002: "Set a model in the settings, or turn on “Steps” and state what to do in sentences that need none.",
  TL002: "The run continues without this advice. Check the address and the key of the model.",
  EX001: "`legwork doctor` in a terminal shows what is missing.",
  EX008: "If this is intended, start the run in a terminal, where sites can be allowed.",
  EX006: "“Resume in this tab” continues.",
  AI002:
    "Store the key of the provider with `legwork vault add` in a terminal; the next run uses it. A key in the environment of `legwork serve` is read when that starts.",
  CM001: "It may have been deleted. `legwork runs` lists those that are on record.",
  RS001: "Check on the site whether it was done, then choose what you found above.",
  US001: "“Resume in this tab” continues where it stopped.",
};

/** What the texts for the page say about its other pages, in the words of the side panel. */
const PANEL_RULES: [RegExp, string][] = [
  [/(store|change) (its value|that) under “Settings”, “Secrets”/g, "$1 $2 with `legwork vault` in a terminal"],
  [/or store the secret for its site under “Settings”, “Secrets”/g, "or store it for its site with `legwork vault`"],
  [/under “Settings”, “(?:Keys|Secrets)”/g, "on the machine of Legwork"],
  [/give it a value in the form below/g, "state its value in the step"],
  [/enter a start URL/g, "open the page in this tab"],
  [/“Resume”/g, "“Resume in this tab”"],
];

let isPanel = false;

/** From now on, texts are in the words of the side panel. */
export function speakForPanel(): void {
  isPanel = true;
}

const words = (text: string): string =>
  isPanel ? PANEL_RULES.reduce((said, [found, instead]) => said.replace(found, instead), text) : text;

/** Hints that the page can follow in another way. */
const RULES: [RegExp, string][] = [
  [/give it (?:with --var \w+=…|a value under `inputs` of the request)/g, "give it a value in the form below"],
  [
    /\$\{secret:([\w.-]+)\} in (the step|its place) and (?:give it with --secret(?: [\w.-]+)?|name it under `secrets` of the request)/g,
    "${secret:$1} in $2 and store its value under “Settings”, “Secrets”",
  ],
  [
    /(?:add|give it with) `--secret ([\w.{}-]+)`(?:, or list it under `secrets` in a request)?/g,
    "store its value under “Settings”, “Secrets”",
  ],
  [
    /store it with `legwork vault add [\w.{}-]+ --origin ORIGIN`, set the variable [\w{}-]+, or use `--secret [\w.{}-]+=(?:FILE|…)`/g,
    "store its value under “Settings”, “Secrets”",
  ],
  [
    /; to change that: `legwork vault add [\w.{}-]+ --replace --origin [\w…]+`/g,
    "; change that under “Settings”, “Secrets”",
  ],
  [/ \((?:see )?`?docs\/[\w-]+\.md`?\)/g, ""],
  [
    /give the run a start address, or use `--secret [^`]+`(?:, or list `[^`]+` under `secrets` in a request)?/g,
    "enter a start URL, or store the secret for its site under “Settings”, “Secrets”",
  ],
  [/or give `(?:--)?url`/g, "or enter a start URL"],
  [/set (?:a model|one) with --model/g, "choose a model in the settings"],
  [/`legwork resume RUN`(?: in a terminal)?/g, "“Resume”"],
];

/** A field of a request that the server names: `options: limits.max_cost: …` or `options.timeout: …`. */
const OPTION = /^options(?:\.|: )([\w.]+): /;

/** The labels that the page has for options, where they differ from the name of the field. */
const LABELS: Record<string, string> = {
  timeout: "time limit",
  "allowed domains": "allowed sites",
  "model name": "model",
  decider: "decisions",
};

/** `limits.max_cost` and `maxCost` as the label of the field: “Maximum cost”. */
function label(name: string): string {
  const words = name
    .replace(/^limits\./, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/[._]/g, " ")
    .replace(/\bmax\b/, "maximum");
  const text = LABELS[words] ?? words;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A clause that continues the one before it, and says nothing without it: `or from a file`. */
const FRAGMENT = /^(?:or|and|then) (?:from|with|in|by|to|at|on|of)\b/;

/** The clauses of a sentence without those that `dropped` finds and those that only continue these. */
function clauses(sentence: string, dropped: RegExp): string {
  const kept: string[] = [];
  let gone = false;
  for (const clause of sentence.split(/;\s*|,\s*(?=or\b|and\b|then\b)|(?<=\w)\s*\((?=[^)]*(?:legwork|--))/)) {
    const text = clause.trim();
    gone = dropped.test(text) || (gone && FRAGMENT.test(text));
    if (!gone) kept.push(kept.length ? text : text.replace(/^(?:or|and|then) /, ""));
  }
  return kept.join("; ");
}

function without(text: string, dropped: RegExp): string {
  return text
    .split(/(?<=[.!?])\s+/)
    .map((sentence) => clauses(sentence.replace(/[.!?]$/, ""), dropped))
    .filter(Boolean)
    .map((sentence) => (/[.!?…]$/.test(text.trim()) ? `${sentence}.` : sentence))
    .join(" ");
}

/** A text for the page: rules first, then without the clauses that name something foreign to the page. */
export function plain(text: string): string {
  if (text === "the request is invalid") return "what was entered cannot be used";
  const named = text
    .replace(OPTION, (_, name: string) => `${label(name)}: `)
    .replace(/^(?:text: )?(line \d+), column \d+/, "$1");
  if (!FOREIGN.test(named)) return words(named);
  const said = RULES.reduce((text, [found, instead]) => text.replace(found, instead), named);
  return words(FOREIGN.test(said) ? without(said, FOREIGN) : said);
}

/** What to try after an error; nothing if only a terminal or a program could. */
export function advice(error: { code?: string; suggestedAction?: string }): string | undefined {
  const text = error.suggestedAction;
  if (!text) return undefined;
  const byCode = isPanel ? BY_CODE_IN_PANEL : BY_CODE;
  if (FOREIGN.test(text)) return (error.code && byCode[error.code]) || without(plain(text), REQUEST) || undefined;
  return REQUEST.test(text) ? undefined : words(text);
}

/** Whether a text names something foreign to the page: a command, a flag, a route, or a file of the documentation. */
export const namesCommand = (text: string): boolean => FOREIGN.test(text);
