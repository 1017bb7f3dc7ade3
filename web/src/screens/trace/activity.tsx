// Console lines and requests of the page during an action. This is untrusted text of pages: it becomes text nodes
// without links.

import type { ActivityRow, ConsoleLine, RequestLine } from "../../api/generated";
import { bytes, took } from "../../ui/format";

export function Requests({ activity }: { activity: ActivityRow }) {
  return (
    <>
      {activity.requestsLeftOut > 0 && <LeftOut count={activity.requestsLeftOut} what="requests" />}
      <div class="wide" tabIndex={0} role="region" aria-label="Requests">
        <table class="requests">
          <thead>
            <tr>
              <th scope="col">Answer</th>
              <th scope="col">Request</th>
              <th scope="col">For</th>
              <th scope="col">Time</th>
              <th scope="col">Size</th>
            </tr>
          </thead>
          <tbody>
            {activity.requests.map((line) => (
              <tr key={line.number} class={hasFailed(line) ? "bad" : ""}>
                <td>{line.failure ?? line.status ?? (line.durationMs == null ? "not yet" : "none")}</td>
                <td class="address">
                  {line.method} {line.url}
                </td>
                <td>{line.kind}</td>
                <td>{line.durationMs == null ? "" : took(line.durationMs)}</td>
                <td>{line.bytes == null ? "" : bytes(line.bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const hasFailed = (line: RequestLine) => line.failure != null || (line.status ?? 0) >= 400;

export function ConsoleLines({ activity }: { activity: ActivityRow }) {
  return (
    <>
      {activity.consoleLeftOut > 0 && <LeftOut count={activity.consoleLeftOut} what="lines" />}
      <ul class="console">
        {activity.console.map((line) => (
          <li key={line.number} class={`of-${line.level}`}>
            <span class="level">{line.level}</span>
            <span class="said">{line.text}</span>
            <span class="quiet">{place(line)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

const place = (line: ConsoleLine) => `${line.url ?? ""}${line.line ? `:${line.line}` : ""}`;

function LeftOut({ count, what }: { count: number; what: string }) {
  return <p class="quiet">{`${count} more ${what} are not on record.`}</p>;
}
