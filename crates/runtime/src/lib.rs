//! Legwork, the library: tell it what to do on the web, it does it in a real browser, proves it, and remembers how.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use legwork::{Runtime, StartRequest, settings::{Settings, Sources}, workflow_file};
//!
//! let settings = Settings::load(&Sources::default()).map_err(|problems| problems[0].clone())?;
//! let runtime = Runtime::open(settings).await?;
//! let steps = "Open https://example.org\nCheck that \"Example Domain\" is shown";
//! let workflow = workflow_file::read(steps, "example").map_err(|problems| problems[0].message.clone())?;
//! let run = runtime.start(StartRequest::workflow(workflow)).await?;
//! println!("{:?}", run.outcome().await.status);
//! runtime.close().await;
//! # Ok(())
//! # }
//! ```

mod browsers;
mod compose;
mod drive;
mod ears;
mod error;
mod guard;
mod hands;
mod journal;
mod lessons;
pub mod live;
mod own_server;
pub mod page;
pub mod policy;
mod readable;
pub mod record;
pub mod replay;
mod restore;
pub mod retention;
mod runtime;
mod seat;
pub mod settings;
pub mod tools;
pub mod vault;
pub mod workflow_file;

pub use error::Error;
pub use legwork_agent::{Assumption, memory};
pub use legwork_browser as browser;
pub use legwork_model as model;
pub use legwork_observe as observe;
pub use legwork_protocol as protocol;
pub use legwork_store as store;
pub use runtime::{AskSecret, ResumeRequest, RunHandle, Runtime, StartRequest};

/// What a step's own words say is to be done, when they say it exactly: such a step needs no model.
pub fn literal_action(step: &str) -> Option<String> {
    use legwork_agent::decide::literal::{Clause, read};
    read(step).ok().map(|sentence| {
        let words = sentence.clauses().iter().map(|clause| match clause {
            Clause::Do(instruction) => instruction.to_string(),
            Clause::Check(_) => "check".to_owned(),
        });
        words.collect::<Vec<_>>().join(", then ")
    })
}
