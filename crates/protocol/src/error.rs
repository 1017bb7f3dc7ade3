//! The common shape of errors in the API, events and logs, and the table of error codes.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{CommandId, RunId, clock};

/// The category of an error, by the part that caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Category {
    /// The input is not valid.
    Validation,
    /// The page or an action did not behave as intended.
    Execution,
    /// Another program failed: the browser or a model provider.
    Integration,
    /// Legwork or the machine failed.
    System,
    /// A person caused it by a decision.
    User,
}

/// The severity of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Severity {
    /// Informational.
    Low,
    /// It affects a step.
    Medium,
    /// It affects the run.
    High,
    /// It affects more than the run.
    Critical,
}

macro_rules! codes {
    ($($variant:ident $code:literal $name:literal $category:ident $severity:ident $recoverable:literal $retryable:literal $hint:literal;)*) => {
        /// An error code, with its name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum Code {
            $(#[doc = $name] #[serde(rename = $code)] $variant,)*
        }

        impl Code {
            /// All codes, for the generated table.
            pub const ALL: &[Code] = &[$(Code::$variant),*];

            /// The code on the wire: `EX002`.
            pub fn code(self) -> &'static str {
                match self { $(Code::$variant => $code,)* }
            }

            /// The name of the code: `SELECTOR_NOT_FOUND`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The category.
            pub fn category(self) -> Category {
                match self { $(Code::$variant => Category::$category,)* }
            }

            /// The severity.
            pub fn severity(self) -> Severity {
                match self { $(Code::$variant => Severity::$severity,)* }
            }

            /// Whether a run can continue after the error.
            pub fn recoverable(self) -> bool {
                match self { $(Code::$variant => $recoverable,)* }
            }

            /// Whether the same operation may succeed later.
            pub fn retryable(self) -> bool {
                match self { $(Code::$variant => $retryable,)* }
            }

            /// The suggestion for errors that have no better one.
            pub fn suggestion(self) -> &'static str {
                match self { $(Code::$variant => $hint,)* }
            }
        }
    };
}

codes! {
    WorkflowInvalid "SP001" "WORKFLOW_INVALID" Validation High false false "Fix the workflow; `legwork validate FILE` lists every problem.";
    SessionCreation "SP002" "SESSION_CREATION_FAILED" System High false true "Run `legwork doctor`.";
    StepTimeout "SP003" "TASK_LOOP_TIMEOUT" Execution High true true "Raise `timeouts.step` (for the run: `--timeout`), or split the step.";
    TooManyRuns "SP004" "CONCURRENT_LIMIT_EXCEEDED" System Medium true true "Wait until a run ends, or raise `server.max_concurrent_runs`.";
    Prompt "TL001" "PROMPT_GENERATION_ERROR" System High false false "This is a bug; please report it with the run's export.";
    AiCommunication "TL002" "AI_COMMUNICATION_ERROR" Integration Medium true true "The run continues without this advice; check the model's endpoint and key with `legwork doctor`.";
    ResponseParsing "TL003" "RESPONSE_PARSING_ERROR" Integration Medium true true "Use a stronger model, or one that supports structured output.";
    CommandFailed "TL004" "COMMAND_EXECUTION_ERROR" Execution Medium true true "The message says what prevented the action.";
    ReflectionFailed "TL005" "REFLECTION_FAILED" Integration Low true true "The decision stands without the reflection; check the model with `legwork doctor`.";
    UnsupportedCommand "TL006" "UNSUPPORTED_COMMAND" Validation Medium true false "Use another action: `docs/protocol.md` lists them, and `docs/engines.md` states what each browser can do.";
    LoopDetected "TL007" "LOOP_DETECTED" Execution High false false "The same action was repeated without changing the page; reword the step or name its target.";
    BudgetExceeded "TL008" "BUDGET_EXCEEDED" User High false false "Raise the limit that the message names, or split the task.";
    NotUnderstood "TL009" "STEP_NOT_UNDERSTOOD" Validation High false false "Write the step as an instruction such as `Click \"Sign in\"`, or configure a model.";
    InvestigationCycle "TL010" "INVESTIGATION_CYCLE_FAILED" Execution Low true true "The run continues without the investigation.";
    InvestigationTool "TL011" "INVESTIGATION_TOOL_FAILED" Execution Low true true "The next tool of `investigation.tools` is tried.";
    InvestigationTimeout "TL012" "INVESTIGATION_TIMEOUT" Execution Low true true "The results so far are used; `investigation.timeout` sets the limit.";
    InvestigationToolUnsupported "TL013" "UNSUPPORTED_INVESTIGATION_TOOL" Execution Low true false "Add it to `investigation.tools`; `look` needs a model with vision.";
    ElementDiscovery "TL014" "ELEMENT_DISCOVERY_FAILED" Execution Low true true "The run continues with the elements that are known.";
    Contradicted "TL015" "EVIDENCE_CONTRADICTS_SUCCESS" Execution Medium true true "See the contradicting evidence. If the step tests this refusal, state it in the step's `expect`.";
    NotValidated "TL016" "NOT_VALIDATED" Execution Medium false false "Add an `expect` to the steps named in the details, or remove `--require validated`.";
    ExpectationNotMet "TL017" "EXPECTATION_NOT_MET" Execution Medium true true "The expectation does not hold on the page; see the step's evidence.";
    BrowserLaunch "EX001" "BROWSER_LAUNCH_FAILED" Integration Critical false true "Run `legwork doctor`.";
    NotFound "EX002" "SELECTOR_NOT_FOUND" Execution Medium true true "Use the name that the page shows; the message lists similar elements.";
    NotInteractable "EX003" "ELEMENT_NOT_INTERACTABLE" Execution Medium true true "Remove the obstacle: close what covers the element, or fill in what it depends on.";
    PageLoad "EX004" "PAGE_LOAD_TIMEOUT" Integration High true true "Check that the server responds; `timeouts.request` sets the limit.";
    Screenshot "EX005" "SCREENSHOT_FAILED" Execution Low true true "The run continues without the screenshot.";
    BrowserGone "EX006" "BROWSER_GONE" Integration Critical false true "`legwork resume RUN` continues with a new browser.";
    PageUnresponsive "EX007" "PAGE_UNRESPONSIVE" Execution High true true "Reload the page, or open another one.";
    Refused "EX008" "REFUSED_BY_POLICY" Validation High true false "If this is intended, allow it explicitly (`--allowed-domains`, `--allow-write`, a rule of the user's policy, a secret's origin).";
    Download "EX009" "DOWNLOAD_FAILED" Execution Medium true true "Raise `downloads.max_size`, or check the file on the server.";
    SiteUnreachable "EX010" "SITE_UNREACHABLE" Integration High true true "Check the address, the server and its certificate, and this machine's network.";
    TabUnusable "EX011" "TAB_NOT_USABLE" Integration High false true "Remove what the message names, or use another tab; then start it again in the side panel.";
    ModelConnection "AI001" "CONNECTION_FAILED" Integration High true true "Check the model's endpoint.";
    ModelAuth "AI002" "AUTHENTICATION_ERROR" Integration High false false "Set the provider's key; `legwork doctor` names the variable.";
    ModelRateLimit "AI003" "MODEL_RATE_LIMIT_EXCEEDED" Integration Medium true true "Wait and try again, or use another model.";
    ModelReply "AI004" "INVALID_RESPONSE" Integration Medium true true "Use a stronger model, or one that supports structured output.";
    ModelError "AI005" "MODEL_ERROR" Integration High true true "Read the provider's message.";
    ReplyEmpty "AI006" "RESPONSE_EMPTY" Integration Medium true true "Try again or use another model; a reasoning model may have used up the tokens of its reply.";
    ReplyTooLarge "AI007" "RESPONSE_TOO_LARGE" Integration Medium true true "Use a model that follows the requested format, or check the server at `model.base_url`.";
    ReplyCutOff "AI008" "RESPONSE_CUT_OFF" Integration Medium true true "Use a model that gives shorter replies, or split the step.";
    RunNotFound "CM001" "SESSION_NOT_FOUND" Validation Medium false false "`legwork runs` lists the runs.";
    Storage "CM002" "CONTEXT_STORAGE_ERROR" System Critical false true "Check the disk; `legwork doctor` shows the data folder.";
    ContextGeneration "CM003" "CONTEXT_GENERATION_FAILED" Integration Low true true "The run continues; a fixed rule shortens the history instead of the model.";
    DataCorruption "CM004" "DATA_CORRUPTION" System Critical false false "The run's record is damaged; export what is left and start a new run.";
    SchemaGeneration "SM001" "SCHEMA_GENERATION_FAILED" Validation Medium true false "Provide a JSON Schema or the names of the fields.";
    SchemaValidation "SM002" "SCHEMA_VALIDATION_ERROR" Integration Medium true true "The reply does not match the schema; the details name each field.";
    SchemaVersion "SM003" "SCHEMA_VERSION_MISMATCH" Validation High false false "Use the version of Legwork that wrote this.";
    TemplateNotFound "PM001" "TEMPLATE_NOT_FOUND" System High false false "This is a bug; please report it.";
    PromptContext "PM002" "CONTEXT_UNAVAILABLE" System Low true true "The run continues without lessons from earlier runs; `legwork doctor` shows where they are stored.";
    TemplateRendering "PM003" "TEMPLATE_RENDERING_FAILED" System High false false "This is a bug; please report it with the run's export.";
    StreamCreation "ES001" "STREAM_CREATION_FAILED" System Medium true true "Connect again.";
    ClientConnection "ES002" "CLIENT_CONNECTION_ERROR" Integration Low true true "Connect again; events are replayed from the given number.";
    EventPublishing "ES003" "STREAMING_ERROR" System High true true "Check the disk, and that no other process is running this run.";
    RequestInvalid "FA001" "REQUEST_VALIDATION_FAILED" Validation Medium false false "Correct what the message and its details name.";
    Unauthenticated "FA002" "AUTHENTICATION_FAILED" User High false false "Send the server's token.";
    ApiRateLimit "FA003" "REQUEST_RATE_LIMIT_EXCEEDED" User Medium true true "Wait and try again.";
    PermissionDenied "FA004" "PERMISSION_DENIED" User High false false "Use a token that has the scope which the message names.";
    SettingsInvalid "CF001" "SETTINGS_INVALID" Validation High false false "Fix the settings; every problem is listed.";
    OutcomeUnknown "RS001" "OUTCOME_UNKNOWN" Execution High true false "Check on the site whether it was done, then run `legwork resume RUN --assume done` or `--assume not-done`.";
    PageNotRestorable "RS002" "PAGE_NOT_RESTORABLE" Execution High false false "Check on the site what was done, then run the workflow again from the step that the message names.";
    Cancelled "US001" "CANCELLED" User Low true false "`legwork resume RUN` continues where it stopped.";
    Internal "SY001" "INTERNAL_ERROR" System Critical false false "This is a bug; please report it with the run's export.";
}

/// An error in the API, in events and in logs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ErrorReport {
    /// The id of this occurrence.
    pub id: Uuid,
    /// The time at which it occurred; 1970 in journals of programs that did not record it.
    #[serde(default)]
    #[schemars(with = "String")]
    pub timestamp: Timestamp,
    /// The category.
    pub category: Category,
    /// The severity.
    pub severity: Severity,
    /// The code.
    pub code: Code,
    /// The code's name.
    pub name: String,
    /// The message, without secrets.
    pub message: String,
    /// Details, one per line, such as all problems that were found, or the candidates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// The causes, the direct cause first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<String>,
    /// Whether the run can continue.
    pub recoverable: bool,
    /// Whether the same operation may succeed later.
    pub retryable: bool,
    /// The suggested action.
    pub suggested_action: String,
    /// The run in which it occurred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunId>,
    /// The step in which it occurred, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The command in which it occurred.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_id: Option<CommandId>,
}

impl ErrorReport {
    /// Creates an error with the properties of its code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        ErrorReport {
            id: clock::new_id(),
            timestamp: clock::now(),
            category: code.category(),
            severity: code.severity(),
            code,
            name: code.name().to_owned(),
            message: message.into(),
            details: Vec::new(),
            causes: Vec::new(),
            recoverable: code.recoverable(),
            retryable: code.retryable(),
            suggested_action: code.suggestion().to_owned(),
            run: None,
            step: None,
            command_id: None,
        }
    }

    /// Adds the error and the chain of its causes. A text that the message or the previous cause states already is left
    /// out.
    pub fn caused_by(mut self, error: &dyn std::error::Error) -> Self {
        let mut next = Some(error);
        while let Some(cause) = next {
            let text = cause.to_string();
            if text != *self.causes.last().unwrap_or(&self.message) {
                self.causes.push(text);
            }
            next = cause.source();
        }
        self
    }

    /// Adds details.
    pub fn with_details(mut self, details: impl IntoIterator<Item = String>) -> Self {
        self.details.extend(details);
        self
    }

    /// The message and the suggestion as one text.
    pub fn with_advice(&self) -> String {
        let ends = self.message.ends_with(['.', '!', '?', ':', '…']);
        format!("{}{} {}", self.message, if ends { "" } else { "." }, self.suggested_action).trim_end().to_owned()
    }

    /// Replaces the suggestion of the code.
    pub fn suggest(mut self, action: impl Into<String>) -> Self {
        self.suggested_action = action.into();
        self
    }
}

impl std::fmt::Display for ErrorReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({} {})", self.message, self.code.code(), self.name)
    }
}

impl std::error::Error for ErrorReport {}

/// The code of an action's failure.
impl From<&crate::ActionFailure> for Code {
    fn from(failure: &crate::ActionFailure) -> Code {
        use crate::ActionFailure as F;
        match failure {
            F::StaleRef { .. } | F::NotFound { .. } | F::Ambiguous { .. } => Code::NotFound,
            F::Covered { .. }
            | F::NotVisible { .. }
            | F::Disabled { .. }
            | F::NotEditable { .. }
            | F::Moving { .. }
            | F::NoOption { .. }
            | F::NotAccepted { .. }
            | F::FocusLost { .. }
            | F::NotClickable { .. }
            | F::WrongKind { .. } => Code::NotInteractable,
            F::Unreachable { .. } => Code::SiteUnreachable,
            F::LoadTimeout { .. } => Code::PageLoad,
            F::Refused { .. } | F::PolicyRefused { .. } | F::Forbidden { .. } | F::UploadNotAllowed { .. } => {
                Code::Refused
            }
            F::Download { .. } => Code::Download,
            F::NotAvailable { .. } => Code::UnsupportedCommand,
            F::Unresponsive => Code::PageUnresponsive,
            F::Crashed | F::BrowserGone { .. } => Code::BrowserGone,
            F::Cancelled => Code::Cancelled,
            F::Timeout { .. }
            | F::DialogOpen { .. }
            | F::NoDialog
            | F::ValueDiffers { .. }
            | F::InvalidArgument { .. }
            | F::TooLarge { .. }
            | F::Unreadable { .. }
            | F::ScriptFailed { .. }
            | F::BrowserRefused { .. }
            | F::NotToggled { .. }
            | F::LeaveDeclined { .. }
            | F::ToolFailed { .. }
            | F::NotPerformed { .. }
            | F::Interrupted { .. } => Code::CommandFailed,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::ActionFailure;

    use super::*;

    #[test]
    fn a_cause_that_the_message_states_is_not_repeated() {
        let disk = std::io::Error::other("the disk is full");
        let told = |message: &str| ErrorReport::new(Code::Storage, message).caused_by(&disk).causes;
        assert_eq!(told("the disk is full"), Vec::<String>::new());
        assert_eq!(told("the run log cannot be written"), ["the disk is full"]);
    }

    #[test]
    fn a_server_without_an_answer_and_a_site_without_a_server_have_codes_of_their_own() {
        let url = "http://127.0.0.1:1/".to_owned();
        let late = ActionFailure::LoadTimeout { url: url.clone(), ms: 30_000 };
        assert_eq!(Code::from(&late).code(), "EX004");
        assert_eq!(late.to_string(), "http://127.0.0.1:1/ did not answer within 30000 ms");
        let refused = ActionFailure::Unreachable { url, reason: "net::ERR_CONNECTION_REFUSED".into() };
        assert_eq!(Code::from(&refused).code(), "EX010");
        assert_eq!(Code::from(&ActionFailure::Unresponsive).code(), "EX007");
        assert!(late.is_site_fault() && refused.is_site_fault() && !ActionFailure::Unresponsive.is_site_fault());
    }
}
