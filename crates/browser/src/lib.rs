//! The executor: actions, waiting, hit-testing and settling, written once above thin browser drivers.
//!
//! A [`Browser`] is a process of ours, or one that somebody else started. Each [`Session`] has a browser context of its own:
//! cookies, storage, tabs. A session is observed as a snapshot and acted upon with the protocol's actions, and answers with
//! values: what failed on a page is an `ActionFailure`, never an error. What a run allows is asked of its [`Guard`].

mod act;
mod activity;
mod browser;
mod cast;
mod cdp;
mod conditions;
mod downloads;
mod driver;
mod entries;
mod error;
mod evaluate;
mod events;
mod exchange;
mod frames;
mod gesture;
mod guard;
mod keys;
mod launch;
mod lines;
mod mask;
mod mock;
mod observe;
mod options;
mod request_outcomes;
mod screenshot;
mod session;
mod settle;
mod shared;
mod state;
mod storage;
mod tabs;
mod targets;
mod told;
mod uploads;
mod view;
mod wait;

pub use activity::LetGo;
pub use browser::Browser;
pub use conditions::{Emulation, MediaFeature};
pub use entries::Area;
pub use error::{BrowserError, NotFound};
pub use exchange::Exchange;
pub use gesture::Gesture;
pub use guard::{Guard, NoRules, Refusal};
pub use launch::{find_executable, reap_orphans};
pub use mask::masked;
pub use mock::Route;
pub use options::{LaunchOptions, Picture, PictureFormat, ScreenshotOptions, SessionOptions, Timeouts};
pub use session::Session;
pub use storage::{Cookie, NameValue, OriginStorage, StorageState};
pub use view::Located;
