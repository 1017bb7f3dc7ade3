//! Exports a run as OpenTelemetry spans: after the run, its journal is converted to OTLP and sent with one POST.
//!
//! The names follow OpenTelemetry's semantic conventions for generative AI: the run is `invoke_agent`, a model call
//! `chat`, an action `execute_tool`. No span contains text from pages, tasks or models. The endpoint comes from the
//! standard variables `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS` and `OTEL_SERVICE_NAME`; without an
//! endpoint nothing is sent.
//!
//! There is no SDK: the journal already contains every time, so an SDK with its processors and its own transport would
//! only pass the data along, and OTLP in JSON is a single value. It is a Cargo feature, because most users never need
//! it.

use std::{collections::HashMap, time::Duration};

use jiff::Timestamp;
use legwork_protocol::{ActionResult, AiCall, CommandId, Event, EventKind, RunId, Status};
use legwork_store::RunLog;
use serde_json::{Value, json};

/// Time limit for the collector.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends a run's spans if an endpoint is set. A collector that does not respond must not fail a run.
pub(crate) async fn export(log: &dyn RunLog, run: RunId) {
    let Ok(endpoint) = std::env::var("OTEL_EXPORTER_OTLP_ENDPOINT") else { return };
    let Ok(events) = log.read(run, 1).await else { return };
    let service = std::env::var("OTEL_SERVICE_NAME").unwrap_or_else(|_| "legwork".to_owned());
    let headers = std::env::var("OTEL_EXPORTER_OTLP_HEADERS").unwrap_or_default();
    match send(&endpoint, &headers, &spans(&events, &service)).await {
        Ok(()) => tracing::debug!(run = %run.hyphenated(), "its spans were sent"),
        Err(error) => tracing::warn!(%error, run = %run.hyphenated(), "its spans could not be sent"),
    }
}

async fn send(endpoint: &str, headers: &str, body: &Value) -> Result<(), reqwest::Error> {
    // Another part of the program may have installed its cryptography provider already; then that one is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client =
        reqwest::Client::builder().timeout(EXPORT_TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()?;
    let mut request = client.post(format!("{}/v1/traces", endpoint.trim_end_matches('/')));
    for (name, value) in headers.split(',').filter_map(|header| header.split_once('=')) {
        request = request.header(name.trim(), value.trim());
    }
    request.header("content-type", "application/json").body(body.to_string()).send().await?.error_for_status()?;
    Ok(())
}

/// The request body: OTLP's `ExportTraceServiceRequest`.
fn spans(events: &[Event], service: &str) -> Value {
    let (Some(first), Some(last)) = (events.first(), events.last()) else { return json!({}) };
    let of = Trace { id: first.run.to_string().replace('-', ""), root: span_id(first.seq) };
    let mut made = Vec::new();
    let mut steps: HashMap<usize, &Event> = HashMap::new();
    let mut commands: HashMap<CommandId, (&Event, &'static str)> = HashMap::new();
    let mut status = None;
    for event in events {
        let step = event.step.and_then(|step| steps.get(&step)).map_or(of.root.clone(), |began| span_id(began.seq));
        match &event.kind {
            EventKind::StepStarted { .. } => {
                steps.insert(event.step.unwrap_or_default(), event);
            }
            EventKind::StepCompleted(result) | EventKind::StepFailed(result) => {
                let Some(began) = steps.get(&result.index) else { continue };
                let about =
                    [("legwork.step", json!(result.index + 1)), ("legwork.status", json!(result.status.name()))];
                let times = (began.time, event.time);
                made.push(of.span(
                    began.seq,
                    &of.root,
                    &format!("step {}", result.index + 1),
                    1,
                    times,
                    about,
                    is_bad(result.status),
                ));
            }
            EventKind::AiResponseReceived(call) => {
                let began = event.time - Duration::from_millis(call.latency_ms);
                let name = format!("chat {}", model_of(call).1);
                made.push(of.span(event.seq, &step, &name, 3, (began, event.time), chat(call), call.error.is_some()));
            }
            EventKind::CommandStarted { command_id: command, action, .. } => {
                commands.insert(*command, (event, action.name()));
            }
            EventKind::CommandCompleted { command_id: command, result }
            | EventKind::CommandFailed { command_id: command, result } => {
                let Some((began, action)) = commands.remove(command) else { continue };
                let name = format!("execute_tool {action}");
                let times = (began.time, event.time);
                made.push(of.span(began.seq, &step, &name, 1, times, tool(action, result), !result.ok()));
            }
            kind => status = kind.outcome().map(|outcome| outcome.status).or(status),
        }
    }
    let about = [
        ("gen_ai.operation.name", json!("invoke_agent")),
        ("gen_ai.agent.name", json!("legwork")),
        ("gen_ai.conversation.id", json!(first.run.to_string())),
        ("legwork.status", json!(status.map_or("interrupted", Status::name))),
    ];
    let bad = status.is_none_or(is_bad);
    made.insert(0, of.span(first.seq, "", "invoke_agent legwork", 1, (first.time, last.time), about, bad));
    let version = env!("CARGO_PKG_VERSION");
    json!({ "resourceSpans": [{
        "resource": { "attributes": attributes([("service.name", json!(service)), ("service.version", json!(version))]) },
        "scopeSpans": [{ "scope": { "name": "legwork", "version": version }, "spans": made }],
    }] })
}

struct Trace {
    /// The run's id without dashes: 16 bytes, like the id of a trace.
    id: String,
    root: String,
}

impl Trace {
    #[expect(clippy::too_many_arguments, reason = "a span's fields, each once")]
    fn span(
        &self,
        seq: u64,
        parent: &str,
        name: &str,
        kind: u8,
        (from, to): (Timestamp, Timestamp),
        about: impl IntoIterator<Item = (&'static str, Value)>,
        bad: bool,
    ) -> Value {
        json!({
            "traceId": self.id,
            "spanId": span_id(seq),
            "parentSpanId": parent,
            "name": name,
            "kind": kind,
            "startTimeUnixNano": from.as_nanosecond().to_string(),
            "endTimeUnixNano": to.as_nanosecond().to_string(),
            "attributes": attributes(about),
            "status": { "code": if bad { 2 } else { 0 } },
        })
    }
}

/// The span id, derived from the event's number, which is unique within the run.
fn span_id(seq: u64) -> String {
    format!("{seq:016x}")
}

fn is_bad(status: Status) -> bool {
    matches!(status, Status::Failure | Status::Error)
}

/// The provider and the name of a model.
fn model_of(call: &AiCall) -> (&str, &str) {
    call.model.split_once('/').unwrap_or(("unknown", &call.model))
}

fn chat(call: &AiCall) -> Vec<(&'static str, Value)> {
    let (provider, model) = model_of(call);
    let mut about = vec![
        ("gen_ai.operation.name", json!("chat")),
        ("gen_ai.provider.name", json!(provider)),
        ("gen_ai.request.model", json!(model)),
        ("gen_ai.usage.input_tokens", json!(call.usage.prompt_tokens)),
        ("gen_ai.usage.output_tokens", json!(call.usage.completion_tokens)),
    ];
    about.extend(call.finish.as_ref().map(|finish| ("gen_ai.response.finish_reasons", json!([finish]))));
    about.extend(call.error.as_ref().map(|error| ("error.type", json!(error.name))));
    about
}

fn tool(action: &str, result: &ActionResult) -> Vec<(&'static str, Value)> {
    let mut about = vec![
        ("gen_ai.operation.name", json!("execute_tool")),
        ("gen_ai.tool.name", json!(action)),
        ("gen_ai.tool.type", json!("function")),
    ];
    let failure = result.failure.as_ref().and_then(|failure| serde_json::to_value(failure).ok());
    about.extend(failure.map(|failure| ("error.type", failure["kind"].clone())));
    about
}

/// OTLP's list of names and typed values. Whole numbers are written as strings.
fn attributes(about: impl IntoIterator<Item = (&'static str, Value)>) -> Vec<Value> {
    fn typed(value: Value) -> Value {
        match value {
            Value::Number(number) => json!({ "intValue": number.to_string() }),
            Value::Array(values) => {
                json!({ "arrayValue": { "values": values.into_iter().map(typed).collect::<Vec<_>>() } })
            }
            other => json!({ "stringValue": other }),
        }
    }
    about.into_iter().map(|(key, value)| json!({ "key": key, "value": typed(value) })).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(span: &Value) -> HashMap<String, String> {
        let pair = |one: &Value| {
            let value = one["value"].as_object().unwrap().values().next().unwrap();
            (one["key"].as_str().unwrap().to_owned(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        span["attributes"].as_array().unwrap().iter().map(pair).collect()
    }

    #[test]
    fn a_run_is_a_tree_of_spans_without_a_word_of_what_was_said() {
        let lines = include_str!("record/fixtures/shop.ndjson");
        let events: Vec<Event> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let sent = spans(&events, "shop");
        let made = sent["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
        let named = |name: &str| {
            made.iter().filter(|span| span["name"].as_str().unwrap().starts_with(name)).collect::<Vec<_>>()
        };
        let (roots, steps, chats, tools) =
            (named("invoke_agent"), named("step "), named("chat "), named("execute_tool "));
        let count = |kind: fn(&EventKind) -> bool| events.iter().filter(|event| kind(&event.kind)).count();
        assert_eq!(roots.len(), 1);
        assert_eq!(chats.len(), count(|kind| matches!(kind, EventKind::AiResponseReceived(_))));
        assert_eq!(
            tools.len(),
            count(|kind| matches!(kind, EventKind::CommandCompleted { .. } | EventKind::CommandFailed { .. }))
        );
        // Every span has a parent in the same trace, times increase, and no id occurs twice.
        let ids: HashMap<_, _> = made.iter().map(|span| (span["spanId"].as_str().unwrap(), span)).collect();
        assert_eq!(ids.len(), made.len());
        for span in made {
            let parent = span["parentSpanId"].as_str().unwrap();
            assert!(parent.is_empty() == (span["name"] == "invoke_agent legwork"), "{span}");
            assert!(parent.is_empty() || ids.contains_key(parent), "{span}");
            let time = |name: &str| span[name].as_str().unwrap().parse::<u64>().unwrap();
            assert!(time("startTimeUnixNano") <= time("endTimeUnixNano"), "{span}");
        }
        assert!(
            !steps.is_empty()
                && tools.iter().any(|span| steps.iter().any(|step| step["spanId"] == span["parentSpanId"]))
        );
        let chat = about(chats[0]);
        assert_eq!(chat["gen_ai.operation.name"], "chat");
        assert!(chat["gen_ai.usage.input_tokens"].parse::<u64>().unwrap() > 0, "{chat:?}");
        for event in &events {
            if let EventKind::StepStarted { text } = &event.kind {
                assert!(!sent.to_string().contains(text.as_str()), "{text}");
            }
        }
    }
}
