//! Parses a model's reply into a validated [`Decision`], or returns all of its problems.

use std::{collections::BTreeMap, sync::OnceLock};

use legwork_protocol::{Action, Call, Command, Decision, Reasoning, ResultValidation, Verdict};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{
    Mode, SchemaOptions, SchemaProblem, ToolOffer,
    generate::{command_schemas, signature_of},
    line, normalise, repair, safe, strict,
};
use crate::json_schema::{JsonSchema, Mismatch, MismatchKind};

/// The result of parsing a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedDecision {
    /// The decision, if there are no problems.
    pub decision: Option<Decision>,
    /// The problems.
    pub problems: Vec<SchemaProblem>,
    /// What was repaired or ignored.
    pub warnings: Vec<String>,
    /// Whether every command can be executed as it is.
    pub executor_compatible: bool,
}

/// Parses a reply.
///
/// # Errors
/// All problems of the reply, each with its field, path, expected and actual value.
pub fn read(text: &str, options: &SchemaOptions) -> Result<Decision, Vec<SchemaProblem>> {
    let reading = validate(text, options);
    reading.decision.ok_or(reading.problems)
}

/// Parses a reply and returns all information about it.
pub fn validate(text: &str, options: &SchemaOptions) -> ParsedDecision {
    let parsed = match repair::parse(text) {
        Ok(parsed) => parsed,
        Err(problem) => return refused(vec![problem]),
    };
    let cut_in = parsed.cut_in;
    let form = normalise::canonical(parsed.object);
    let mut judge = Judge { problems: Vec::new(), warnings: Vec::new(), tools: &options.tools };
    let commands: Vec<Command> = form
        .commands
        .iter()
        .enumerate()
        .filter_map(|(at, command)| judge.command(command, at, form.commands.len()))
        .collect();
    let executor_compatible = commands.len() == form.commands.len();
    for (path, value) in form.unknown {
        match options.mode {
            Mode::Strict => judge.problem(path, "no such field", &value),
            Mode::Lenient => judge.warnings.push(format!("{path} is no field and was left out")),
        }
    }
    let verdict = judge.verdict(form.verdict.as_deref(), &commands, options);
    if let Some(key) = cut_in {
        judge.cut(key, verdict, &commands);
    }
    let message = match form.message {
        Value::String(message) => message,
        Value::Null if options.mode == Mode::Lenient => String::new(),
        other => judge.wrong("decision.message", "a text", &other),
    };
    let confidence = match (form.confidence.as_f64(), &form.confidence) {
        (Some(number), _) if (0.0..=1.0).contains(&number) => number,
        (_, Value::Null) if options.mode == Mode::Lenient => 0.5,
        (_, other) => judge.wrong("confidence", "a number from 0 to 1", other),
    };
    let reasoning = match form.reasoning {
        Some(value) => judge.typed::<Reasoning>("reasoning", value, options.mode),
        None if options.require_reasoning && options.mode == Mode::Strict => {
            judge.wrong("reasoning", "an object with analysis, rationale, expectedOutcome", &Value::Null)
        }
        None => Reasoning::default(),
    };
    let validation =
        form.validation.map(|value| judge.typed::<ResultValidation>("decision.resultValidation", value, options.mode));
    let Some(verdict) = verdict.filter(|_| judge.problems.is_empty()) else {
        return ParsedDecision { executor_compatible, warnings: judge.warnings, ..refused(judge.problems) };
    };
    let decision = Decision { verdict, message, validation, reasoning, confidence, commands };
    ParsedDecision { decision: Some(decision), problems: Vec::new(), warnings: judge.warnings, executor_compatible }
}

fn refused(problems: Vec<SchemaProblem>) -> ParsedDecision {
    ParsedDecision { decision: None, problems, warnings: Vec::new(), executor_compatible: false }
}

struct Judge<'a> {
    problems: Vec<SchemaProblem>,
    warnings: Vec<String>,
    tools: &'a [ToolOffer],
}

impl Judge<'_> {
    fn problem(&mut self, path: impl Into<String>, expected: impl Into<String>, value: &Value) {
        self.problems.push(SchemaProblem::new(path, expected, value));
    }

    fn wrong<T: Default>(&mut self, path: &str, expected: &str, value: &Value) -> T {
        self.problem(path, expected, value);
        T::default()
    }

    fn typed<T: DeserializeOwned + Default + serde::Serialize>(
        &mut self,
        path: &str,
        mut value: Value,
        mode: Mode,
    ) -> T {
        if let (Mode::Lenient, Some(map)) = (mode, value.as_object_mut()) {
            let mut known = serde_json::to_value(T::default()).unwrap_or_default();
            let optional = ["alternatives", "issues"];
            map.retain(|key, _| {
                known.as_object_mut().is_some_and(|k| k.contains_key(key)) || optional.contains(&key.as_str())
            });
        }
        match serde_json::from_value(value.clone()) {
            Ok(typed) => typed,
            Err(error) => self.wrong(path, &error.to_string(), &value),
        }
    }

    fn command(&mut self, command: &Value, at: usize, of: usize) -> Option<Command> {
        let path = if of > 1 { format!("commands[{at}]") } else { "command".to_owned() };
        let Some(name) = command["action"].as_str() else {
            self.problem(format!("{path}.action"), "the name of an action", &command["action"]);
            return None;
        };
        let Some(schema) = compiled_schemas().get(name) else {
            let known: Vec<&str> = command_schemas().keys().map(String::as_str).collect();
            self.problem(format!("{path}.action"), format!("one of {}", known.join(", ")), &json!(name));
            return None;
        };
        let before = self.problems.len();
        let parameters = &command["parameters"];
        let mismatches = schema.mismatches(parameters);
        if let Some(line) = command["line"].as_str().filter(|_| !mismatches.is_empty()) {
            let reasons: Vec<String> = mismatches.into_iter().map(|one| line_problem(name, one, parameters)).collect();
            let mut expected = format!("{} ({})", line::form(name), reasons.join("; "));
            if let Some(text) = place_of_target(line) {
                expected.push_str(&format!("; T has no place: find {text} shows the refs there"));
            }
            self.problem(path, expected, &json!(line));
            return None;
        }
        for Mismatch { path: place, kind, found } in mismatches {
            let inner = format!("{path}.parameters{place}");
            match kind {
                MismatchKind::Missing(property) => {
                    self.problem(format!("{inner}.{property}"), format!("what {name} needs"), &Value::Null);
                }
                MismatchKind::Unexpected(key) => {
                    self.problem(format!("{inner}.{key}"), format!("no such parameter of {name}"), &found[&key]);
                }
                MismatchKind::Wrong(expected) => self.problem(inner, expected, &found),
            }
        }
        if self.problems.len() > before {
            return None;
        }
        let wire = json!({ "action": name, "parameters": parameters });
        let action: Action = match serde_json::from_value(wire) {
            Ok(Action::Call(call)) => Action::Call(self.tool_call(call, &path)?),
            Ok(action) => action,
            Err(error) => {
                self.problem(format!("{path}.parameters"), error.to_string(), parameters);
                return None;
            }
        };
        self.problems.extend(safe::check(&action, &path));
        (self.problems.len() == before)
            .then(|| Command { action, reasoning: command["reasoning"].as_str().map(str::to_owned) })
    }

    /// A call of one of the user's tools. Its arguments are checked against the tool's schema.
    fn tool_call(&mut self, mut call: Call, path: &str) -> Option<Call> {
        let Some(tool) = self.tools.iter().find(|tool| tool.name == call.tool) else {
            let known: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
            let expected = if known.is_empty() {
                "no tool: this run has none".to_owned()
            } else {
                format!("one of {}", known.join(", "))
            };
            self.problem(format!("{path}.parameters.tool"), expected, &json!(call.tool));
            return None;
        };
        if let Value::String(text) = &call.arguments {
            call.arguments = serde_json::from_str(text).unwrap_or_else(|_| call.arguments.clone());
        }
        if call.arguments.is_null() {
            call.arguments = json!({});
        }
        let schema: Value = serde_json::from_str(&tool.parameters).unwrap_or_default();
        // An invalid schema cannot check the arguments; the tool itself reports what it does not accept.
        let Ok(schema) = JsonSchema::compile(&schema) else { return Some(call) };
        let before = self.problems.len();
        for Mismatch { path: place, kind, found } in schema.mismatches(&call.arguments) {
            let expected = match kind {
                MismatchKind::Missing(name) => format!("what {} takes ({name} is missing)", call.tool),
                MismatchKind::Unexpected(name) => format!("what {} takes (it has no {name})", call.tool),
                MismatchKind::Wrong(expected) => format!("what {} takes ({expected})", call.tool),
            };
            self.problem(format!("{path}.parameters.arguments{place}"), expected, &found);
        }
        (self.problems.len() == before).then_some(call)
    }

    fn verdict(&mut self, word: Option<&str>, commands: &[Command], options: &SchemaOptions) -> Option<Verdict> {
        let verdict = match word {
            Some("PROCEED") => Verdict::Proceed,
            Some("RETRY") => Verdict::Retry,
            Some("ABORT") => Verdict::Abort,
            // Without a verdict, a command still states what to do. A reply without both does not state that the task
            // is done.
            None if !commands.is_empty() && options.mode == Mode::Lenient => {
                self.warnings.push("decision.action is missing; PROCEED is assumed".to_owned());
                Verdict::Proceed
            }
            // The problem of the command is the only one: without it, the command would have stated what to do.
            None if options.mode == Mode::Lenient && self.problems.iter().any(SchemaProblem::is_of_command) => {
                return None;
            }
            other => {
                self.problem("decision.action", "PROCEED, RETRY or ABORT", &other.map_or(Value::Null, Value::from));
                return None;
            }
        };
        let spoilt = self.problems.iter().any(SchemaProblem::is_of_command);
        let count = json!(format!("{} commands", commands.len()));
        match verdict {
            Verdict::Retry if commands.is_empty() && !spoilt => {
                self.problem("command", "a command that corrects it, as the verdict is RETRY", &Value::Null);
            }
            Verdict::Abort if !commands.is_empty() => {
                self.problem("command", "no command, as the verdict is ABORT", &count);
            }
            _ if commands.len() > options.max_commands.max(1) => {
                self.problem("commands", format!("at most {}", options.max_commands.max(1)), &count);
            }
            _ => {}
        }
        Some(verdict)
    }

    /// A truncated reply is valid only if the part that determines the decision is complete.
    fn cut(&mut self, key: Option<String>, verdict: Option<Verdict>, commands: &[Command]) {
        let in_command = matches!(key.as_deref(), Some("command" | "commands" | "action" | "actions" | "decision"));
        let decided = !commands.is_empty() || verdict == Some(Verdict::Abort);
        if in_command || !decided {
            self.problem("reply", "a whole JSON object", &json!("a reply that was cut off"));
        } else {
            self.warnings.push("the reply was cut off after its command".to_owned());
        }
    }
}

/// The text that a command names as the place of its target, in quotes: `check the box in the row of "24"`.
fn place_of_target(line: &str) -> Option<&str> {
    let words = [" in ", " next to ", " beside ", " under "];
    let at = words.iter().filter_map(|word| line.find(word)).min()?;
    let is_in_text = line[..at].matches('"').count() % 2 == 1;
    let place = (!is_in_text).then(|| &line[at..])?;
    let start = place.find('"')?;
    let end = start + 1 + place[start + 1..].find('"')?;
    Some(&place[start..=end])
}

/// What is wrong with a command line, beside its form.
fn line_problem(action: &str, Mismatch { path, kind, found }: Mismatch, parameters: &Value) -> String {
    match kind {
        MismatchKind::Missing(parameter) => format!("{parameter} is missing"),
        MismatchKind::Unexpected(key) if key.starts_with("extra ") => format!("{} has no place", parameters[&key]),
        MismatchKind::Unexpected(key) => format!("it has no {key}"),
        MismatchKind::Wrong(expected) => {
            let name = path.trim_start_matches('.');
            let words = signature_of(action).into_iter().find(|one| one.name == name).map(|one| one.words);
            let expected = words.filter(|words| !words.is_empty()).map_or(expected, |words| words.join(" or "));
            format!("{name} must be {expected}, not {found}")
        }
    }
}

fn compiled_schemas() -> &'static BTreeMap<&'static str, JsonSchema> {
    static SCHEMAS: OnceLock<BTreeMap<&'static str, JsonSchema>> = OnceLock::new();
    SCHEMAS.get_or_init(|| {
        let compile = |schema: &Value| JsonSchema::compile(schema).expect("schemars writes valid schemas");
        // A tagged union reports only that no variant matches; a single object reports the field.
        command_schemas().iter().map(|(name, schema)| (name.as_str(), compile(&strict::flattened(schema)))).collect()
    })
}
