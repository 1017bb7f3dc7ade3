//! The JSON object of `--json`. Scripts rely on its field names.

use std::collections::BTreeMap;

use legwork::record::RunRecord;
use legwork_protocol::{ErrorReport, Evidence, RunId, Usage, Validation};
use serde::Serialize;
use serde_json::Value;

/// A run for scripts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Summary<'a> {
    run: RunId,
    status: &'static str,
    validation: Option<Validation>,
    steps: Vec<Step<'a>>,
    variables: BTreeMap<&'a str, &'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a str>,
    usage: Used,
    /// The warnings that a person sees with `!`, without duplicates, including those about possible losses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Step<'a> {
    index: usize,
    text: &'a str,
    status: &'static str,
    validation: Option<Validation>,
    decider: Option<&'static str>,
    iterations: u32,
    evidence: &'a [Evidence],
    duration_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a ErrorReport>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Used {
    calls: u32,
    prompt_tokens: u64,
    completion_tokens: u64,
    cost_usd: Option<f64>,
    /// Estimated by Legwork, because the provider reported no usage.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    estimated: bool,
}

impl From<Usage> for Used {
    fn from(usage: Usage) -> Self {
        let Usage { calls, prompt_tokens, completion_tokens, cost_usd, estimated, cached_tokens: _ } = usage;
        Used { calls, prompt_tokens, completion_tokens, cost_usd, estimated }
    }
}

impl<'a> Summary<'a> {
    pub(crate) fn of(record: &'a RunRecord) -> Self {
        let outcome = record.outcome.as_ref();
        let mut variables: BTreeMap<_, _> =
            record.variables.iter().map(|(name, variable)| (name.as_str(), &variable.value)).collect();
        if let Some(outcome) = outcome {
            variables.extend(outcome.variables.iter().map(|(name, value)| (name.as_str(), value)));
        }
        let mut warnings: Vec<&str> = Vec::new();
        for warning in &record.warnings {
            if !warnings.contains(&warning.message.as_str()) {
                warnings.push(&warning.message);
            }
        }
        Summary {
            run: record.run,
            status: record.state.name(),
            validation: outcome.map(|outcome| outcome.validation),
            steps: record
                .steps
                .iter()
                .map(|step| {
                    let result = step.result.as_ref();
                    Step {
                        index: step.index,
                        text: &step.text,
                        status: step.state.name(),
                        validation: result.map(|result| result.validation),
                        decider: step.decider().map(|decider| decider.name()),
                        iterations: result.map_or(step.turns.len() as u32, |result| result.iterations),
                        evidence: result.map_or(&[], |result| &result.evidence),
                        duration_ms: step.duration(record.last).as_millis() as u64,
                        error: result.and_then(|result| result.error.as_ref()),
                    }
                })
                .collect(),
            variables,
            answer: outcome.and_then(|outcome| outcome.answer.as_deref()),
            usage: outcome.map_or(record.totals.usage, |outcome| outcome.usage).into(),
            warnings,
            error: outcome.and_then(|outcome| outcome.error.as_ref()),
        }
    }
}
