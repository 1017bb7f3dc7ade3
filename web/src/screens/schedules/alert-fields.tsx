// The receivers of the alerts of a schedule, and a test message to them.

import { useState } from "preact/hooks";
import { change } from "../../api/client";
import type { AlertChannel, AlertTestResult, SchedulePlan } from "../../api/generated";
import { asRefused } from "../../api/load";
import { plain } from "../../ui/advice";

/** The fields as they are typed. */
export interface Alerts {
  /** Addresses, separated by commas. */
  email: string;
  slackHook: string;
  webhook: string;
}

export const EMPTY_ALERTS: Alerts = { email: "", slackHook: "", webhook: "" };

export const alertsOf = ({ email, slackHook, webhook }: SchedulePlan): Alerts => ({
  email: email?.join(", ") ?? "",
  slackHook: slackHook ?? "",
  webhook: webhook ?? "",
});

/** The fields of the request; empty ones are left out. */
export function alertsBody({
  email,
  slackHook,
  webhook,
}: Alerts): Pick<SchedulePlan, "email" | "slackHook" | "webhook"> {
  const addresses = email
    .split(/[,;\n]/)
    .map((address) => address.trim())
    .filter(Boolean);
  return {
    ...(addresses.length ? { email: addresses } : {}),
    ...(slackHook.trim() ? { slackHook: slackHook.trim() } : {}),
    ...(webhook.trim() ? { webhook: webhook.trim() } : {}),
  };
}

/** The channels as they are called in sentences. */
export const CHANNELS: Record<AlertChannel, string> = {
  webhook: "the webhook",
  slack: "the Slack-compatible hook",
  email: "e-mail",
};

interface AlertFieldsProps {
  alerts: Alerts;
  onAlerts(alerts: Alerts): void;
  /** The name of the schedule. */
  name: string;
  /** The id of a stored schedule. */
  schedule?: string;
}

export function AlertFields({ alerts, onAlerts, name, schedule }: AlertFieldsProps) {
  const [results, setResults] = useState<AlertTestResult[]>([]);
  const [problems, setProblems] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const put = (next: Partial<Alerts>) => {
    setResults([]);
    setProblems([]);
    onAlerts({ ...alerts, ...next });
  };
  const body = alertsBody(alerts);
  const test = async () => {
    setResults([]);
    setProblems([]);
    setBusy(true);
    try {
      const request = { name: name.trim() || "Unnamed", ...(schedule ? { schedule } : {}), ...body };
      setResults(await change<AlertTestResult[]>("POST", "/api/alerts/test", request));
    } catch (error) {
      const refused = asRefused(error);
      setProblems(refused.details.length ? refused.details : [refused.message]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <fieldset class="alerts">
      <legend>Alerts</legend>
      <p class="hint">Sends a message when a run fails and when it succeeds again.</p>
      <div class="fields">
        <label>
          <span>E-mail addresses</span>
          <input
            type="text"
            value={alerts.email}
            placeholder="ops@example.org"
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => put({ email: event.currentTarget.value })}
          />
          <small class="hint">Separated by commas; the mail server is in the settings</small>
        </label>
        <label>
          <span>Slack-compatible hook</span>
          <input
            type="url"
            value={alerts.slackHook}
            placeholder="https://hooks.slack.com/services/…"
            autocomplete="off"
            onInput={(event) => put({ slackHook: event.currentTarget.value })}
          />
          <small class="hint">An incoming webhook of Slack, Mattermost or another chat</small>
        </label>
        <label>
          <span>Webhook URL</span>
          <input
            type="url"
            value={alerts.webhook}
            placeholder="https://…"
            onInput={(event) => put({ webhook: event.currentTarget.value })}
          />
          <small class="hint">Receives the result of each run</small>
        </label>
      </div>
      <button type="button" disabled={busy || Object.keys(body).length === 0} onClick={() => void test()}>
        Send a test message
      </button>
      <div role="status">
        {results.map((one) => (
          <p key={one.channel} class={one.delivered ? "quiet" : "ill"}>
            {one.delivered
              ? `Sent by ${CHANNELS[one.channel]}`
              : `Not sent by ${CHANNELS[one.channel]}: ${plain(one.problem ?? "")}`}
            {one.advice && <small class="advice">What to try: {plain(one.advice)}</small>}
          </p>
        ))}
        {problems.map((problem) => (
          <p key={problem} class="ill">
            {plain(problem)}
          </p>
        ))}
      </div>
    </fieldset>
  );
}
