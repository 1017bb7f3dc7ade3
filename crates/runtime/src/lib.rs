//! Legwork as a library: it runs tasks on the web in a real browser, checks the results, and remembers what worked.
//!
//! A [`Runtime`] owns what all work shares: the run log, the artifacts and one browser. It creates
//!
//! - **runs**: a run carries out a workflow or a task with the agent. It has its own browser context, limits, journal
//!   and evidence ([`Runtime::start`], [`Runtime::resume`], [`Runtime::replay`]);
//! - **pages**: a page is a browser context that you control yourself. Each action returns what it changed
//!   ([`Runtime::open_page`]).
//!
//! # Run a workflow
//!
//! ```
//! use legwork::{Runtime, StartRequest, protocol::Status, settings::{Settings, Sources}, workflow_file};
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (site, data) = (legwork_demo_site::DemoSite::start().await?, tempfile::tempdir()?);
//! # let address = site.signed_in_url("/products");
//! let sources = Sources::default();
//! # let sources = Sources { flags: vec![("data_dir".into(), data.path().display().to_string())], ..sources };
//! let settings = Settings::load(&sources).map_err(|problems| problems[0].clone())?;
//! let runtime = Runtime::open(settings).await?;
//! let steps = format!("Open {address}\nCheck that \"Products\" is shown");
//! let workflow = workflow_file::read(&steps, "example").map_err(|problems| problems[0].message.clone())?;
//! let run = runtime.start(StartRequest::workflow(workflow)).await?;
//! let mut events = runtime.log().follow(run.id(), 1);
//! println!("{:?}", events.next().await?);
//! assert_eq!(run.outcome().await.status, Status::Success);
//! runtime.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Control a page: act, observe, extract, validate
//!
//! ```
//! use legwork::{page::{PageRequest, PageTask}, protocol::{Action, Open, Validation, View}};
//! # use legwork::{Runtime, settings::{Settings, Sources}};
//! use tokio_util::sync::CancellationToken;
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (site, data) = (legwork_demo_site::DemoSite::start().await?, tempfile::tempdir()?);
//! # let address = site.signed_in_url("/orders");
//! # let sources = Sources { flags: vec![("data_dir".into(), data.path().display().to_string())], ..Sources::default() };
//! # let settings = Settings::load(&sources).map_err(|problems| problems[0].clone())?;
//! # let runtime = std::sync::Arc::new(Runtime::open(settings).await?);
//! let (page, never) = (runtime.open_page(PageRequest::default()).await?, CancellationToken::new());
//! let acted = page.act_with_diff(&Action::Open(Open { url: address }), &View::default(), &never).await;
//! println!("{}", acted.change.map(|page| page.text).unwrap_or_default());
//! // A step in plain language is a run of its own on this page. The page stays open afterwards.
//! page.run(PageTask::Step("Click \"New order\"".into()), &never).await?;
//! let holds = page.run(PageTask::Check("the address contains \"/orders/new\"".into()), &never).await?;
//! assert_eq!(holds.validation, Validation::Validated);
//! # page.close().await?;
//! # runtime.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! # Make decisions in your own code
//!
//! A [`decider::Decider`] of your own is called in each turn whose step does not state exactly what to do, before any
//! model. A model of your own implements [`model::ChatModel`] and is passed in [`StartRequest::model`].
//!
//! ```
//! use legwork::{decider::{DecideError, Decider, DecisionContext}, protocol::{Action, Click, Decision, Target}};
//!
//! /// Closes cookie banners and leaves all other decisions to the model.
//! struct NoBanners;
//!
//! #[async_trait::async_trait]
//! impl Decider for NoBanners {
//!     async fn decide(&self, context: &DecisionContext) -> Result<Option<Decision>, DecideError> {
//!         let banner = context.page.nodes.iter().find(|node| &*node.role == "button" && &*node.name == "Accept all");
//!         let close = |it| Action::Click(Click::on(Target::from(it)));
//!         Ok(banner.and_then(|node| node.reference).map(|it| Decision::act([close(it)], "a banner is in the way")))
//!     }
//! }
//!
//! let request = legwork::StartRequest { decider: Some(std::sync::Arc::new(NoBanners)), ..Default::default() };
//! # assert!(request.decider.is_some());
//! ```
//!
//! # Add a tool for the agent
//!
//! ```
//! use legwork::tools::{Tool, ToolError, ToolSpec};
//! use serde_json::{Value, json};
//!
//! struct Clock;
//!
//! #[async_trait::async_trait]
//! impl Tool for Clock {
//!     fn spec(&self) -> ToolSpec {
//!         ToolSpec {
//!             name: "clock".into(),
//!             about: "The time of day in a city".into(),
//!             parameters: json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}),
//!             reads: true,
//!         }
//!     }
//!
//!     async fn call(&self, arguments: Value) -> Result<Value, ToolError> {
//!         match arguments["city"].as_str() {
//!             Some("Oslo") => Ok(json!("12:00")),
//!             other => Err(ToolError(format!("unknown city {other:?}"))),
//!         }
//!     }
//! }
//!
//! let request = legwork::StartRequest { tools: vec![std::sync::Arc::new(Clock)], ..Default::default() };
//! assert_eq!(request.tools[0].spec().name, "clock");
//! ```

pub mod action_policy;
mod activity;
mod begin;
mod browsers;
mod compose;
mod control;
pub mod decider;
mod drive;
mod error;
mod executor;
mod guard;
mod guard_setup;
mod journal;
mod lessons;
pub mod live;
mod log_lines;
#[cfg(feature = "otel")]
mod otel;
mod own_server;
pub mod page;
pub mod playbooks;
pub mod policy;
mod readable;
pub mod record;
pub mod replay;
mod requests;
mod restore;
pub mod retention;
mod run_handle;
mod run_policy;
mod run_session;
mod runtime;
pub mod secrets;
pub mod settings;
pub mod tools;
pub mod workflow_file;

pub use browsers::RelayedBrowser;
pub use error::{Error, SavedOptionsError, SavedStateError};
#[doc(hidden)]
pub use legwork_agent::EvidenceRule;
pub use legwork_agent::{Assumption, ResumeError, unknown_inputs};
pub use legwork_protocol as protocol;
pub use requests::{AskSecret, ResumeRequest, StartRequest};
pub use restore::STATE_MEDIA_TYPE;
pub use run_handle::RunHandle;
pub use runtime::Runtime;

/// The browser of a page or a run: cookies, storage, screenshots.
pub mod browser {
    pub use legwork_browser::{
        Area, BrowserError, Capabilities, Capability, ConcealedText, Cookie, ElementFacts, Emulation, Engine, Evicted,
        Gesture, LimitedRequest, LimitedTab, Located, MediaFeature, NameValue, NetworkRecord, NotFound, OriginStorage,
        PersonalValue, Picture, PictureFormat, ProxyAddressError, RelayCarrier, RelayInput, RelayLink, RequestDenial,
        RequestLimit, Route, ScreenshotOptions, Session, StorageState, Support, UpstreamProxy, UserEvent,
        UserEventKind, UserInput, UserInputKind, ViewerInput, ViewerPress, ViewerState, find_companions,
        find_executable,
    };
}

/// The representation of a page, and queries on it.
pub mod observe {
    pub use legwork_observe::{
        Attributes, DocumentKey, FindError, Node, NodeIndex, NodeKey, Reversion, Snapshot, States, TextMatches, diff,
        find, fingerprint, full_text, render, tokens,
    };
}

/// Models: those of the settings, and your own.
pub mod model {
    pub use legwork_model::{
        Cassette, CassetteError, ChatModel, DeltaSink, ModelError, ModelSettings, Price, Provider, ProviderInfo,
        RateLimit, ReplyProblem, Retries, Timeouts, provider_of, providers,
    };
}

/// Storage for runs: the log of their events, and artifacts for content that is too large for an event.
pub mod store {
    pub use legwork_store::{
        AppendError, ArtifactError, Artifacts, DailyStats, FileArtifacts, Follower, Holder, IllegalTransition,
        KeyValueEntry, KeyValueStore, Lease, LeaseError, Lessons, NewEvent, RecalledLessons, RunFilter, RunLog,
        RunMatch, RunPage, RunQuery, RunState, RunStats, RunSummary, SqliteLog, StoreError, StoredLesson,
        WorkflowStats, short_id,
    };
}

/// What runs have learned about sites.
pub mod memory {
    pub use legwork_agent::memory::site_of;
}

/// The action that the words of a step state, if they state it exactly: such a step needs no model.
pub fn literal_action(step: &str) -> Option<String> {
    use legwork_steps::{Clause, read};
    read(step).ok().map(|sentence| {
        let words = sentence.clauses().iter().map(|clause| match clause {
            Clause::Do(instruction) => instruction.to_string(),
            Clause::Check(_) => "check".to_owned(),
        });
        words.collect::<Vec<_>>().join(", then ")
    })
}

/// The most similar sentence form for the words of a step that need a model, as an example; `None` if the words need no
/// model, or nothing is similar.
pub fn nearest_sentence(step: &str) -> Option<String> {
    legwork_steps::read(step).err().and_then(|error| error.suggestion).map(String::from)
}
