// Where the values of the secrets of a workflow come from, and which of them are stored. Somebody may store one in
// another tab, so the list is loaded again whenever the window gets the focus.

import { useEffect } from "preact/hooks";
import { useLoad } from "../../api/load";
import { useHas } from "../../api/scopes";
import { Link } from "../../router";

export function SecretsNote({ names }: { names: string[] }) {
  const lists = useHas("run");
  if (names.length === 0) return null;
  return lists ? <CheckedNote names={names} /> : <MissingNote names={names} />;
}

function CheckedNote({ names }: { names: string[] }) {
  const { data, reload } = useLoad("/api/secrets");
  useEffect(() => {
    addEventListener("focus", reload);
    return () => removeEventListener("focus", reload);
  }, []);
  const known = new Set(data?.map((one) => one.name));
  const stored = names.filter((name) => known.has(name));
  const missing = names.filter((name) => !known.has(name));
  return (
    <>
      {stored.length > 0 && (
        <p class="hint">
          {stored.length === 1 ? "The secret " : "The secrets "}
          <Names names={stored} /> {stored.length === 1 ? "is stored." : "are stored."}
        </p>
      )}
      {missing.length > 0 && <MissingNote names={missing} />}
    </>
  );
}

function MissingNote({ names }: { names: string[] }) {
  const one = names.length === 1;
  return (
    <p class="hint">
      {one ? "The secret " : "The secrets "}
      <Names names={names} /> {one ? "is" : "are"} never typed here: store {one ? "its value" : "their values"} in the{" "}
      <Link to="/settings">settings</Link>, under “Secrets”.
    </p>
  );
}

const Names = ({ names }: { names: string[] }) => (
  <>
    {names.map((name, at) => (
      <>
        {at > 0 && ", "}
        <code>{name}</code>
      </>
    ))}
  </>
);
