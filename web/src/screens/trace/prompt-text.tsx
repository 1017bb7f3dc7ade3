// A prompt as a list of messages.

import { prompt, SPEAKERS } from "../../record/prompt";
import { Text, useArtifact } from "../../ui/long";

export function PromptText({ hash }: { hash: string }) {
  const { text, problem } = useArtifact(hash);
  if (problem) return <p class="quiet">{problem}</p>;
  if (text === undefined) return <p class="quiet">Loading …</p>;
  return (
    <>
      {prompt(text).messages.map((message) => {
        const who = SPEAKERS[message.speaker] ?? message.speaker;
        return (
          <section>
            <h3>
              {who}{" "}
              {message.images > 0 && (
                <small class="quiet">with {message.images === 1 ? "a picture" : `${message.images} pictures`}</small>
              )}
            </h3>
            <Text text={message.text} label={who} />
          </section>
        );
      })}
    </>
  );
}
