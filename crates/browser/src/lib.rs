//! The executor: actions, waiting, hit-testing and settling, written once above thin browser drivers.
//!
//! A [`Browser`] is a process of ours, or one that somebody else started. Each [`Session`] has a browser context of its own:
//! cookies, storage, tabs. A session is observed as a snapshot and acted upon with the protocol's actions, and answers with
//! values: what failed on a page is an `ActionFailure`, never an error. What a run allows is asked of its [`Guard`].

mod act;
mod activity;
mod altered_values;
mod bounded_log;
mod browser;
mod cdp;
mod doubtful_body;
mod downloads;
mod driver;
mod driver_event;
mod egress;
mod emulation;
mod entries;
mod error;
mod evaluate;
mod events;
mod flush;
mod frames;
mod gesture;
mod guard;
mod interception;
mod keys;
mod launch;
mod mask;
mod network_records;
mod observe;
mod options;
mod page_script;
mod refs;
mod request_outcomes;
mod screencast;
mod screenshot;
mod session;
mod session_inner;
mod settle;
mod state;
mod storage;
mod tabs;
mod targets;
mod uploads;
mod view;
mod wait;

pub use activity::Evicted;
pub use browser::Browser;
pub use emulation::{Emulation, MediaFeature};
pub use entries::Area;
pub use error::{BrowserError, NotFound};
pub use gesture::Gesture;
pub use guard::{Guard, NoRules, RequestDenial};
pub use interception::Route;
pub use launch::{find_executable, reap_orphans};
pub use mask::masked;
pub use network_records::NetworkRecord;
pub use options::{LaunchOptions, Picture, PictureFormat, ScreenshotOptions, SessionOptions, Timeouts};
pub use page_script::page_script_schema;
pub use session::Session;
pub use storage::{Cookie, NameValue, OriginStorage, StorageState};
pub use view::Located;
