// Announcements for screen readers about changes that the user did not cause. There is one polite and one urgent region
// for the whole page, so that messages do not interrupt each other.

import { useEffect, useState } from "preact/hooks";

type Saying = { text: string; urgent: boolean };
let tell: (saying: Saying) => void = () => {};

export function announce(text: string, urgent = false): void {
  tell({ text, urgent });
}

export function Announcer() {
  const [said, say] = useState<Saying>({ text: "", urgent: false });
  useEffect(() => {
    let clear: ReturnType<typeof setTimeout>;
    tell = (saying) => {
      say(saying);
      clearTimeout(clear);
      // The message is removed afterwards, so that a user who reads the page later does not find it.
      clear = setTimeout(() => say({ text: "", urgent: false }), 8_000);
    };
    return () => {
      tell = () => {};
      clearTimeout(clear);
    };
  }, []);
  return (
    <div class="unseen">
      <div role="status">{said.urgent ? "" : said.text}</div>
      <div role="alert">{said.urgent ? said.text : ""}</div>
    </div>
  );
}
