//! The executor: actions, waiting, hit-testing and settling, written once above thin browser drivers.
//!
//! A [`Browser`] is a process that Legwork started, or a running one that it is connected to. Each [`Session`] has its
//! own browser context with cookies, storage and tabs. A session is observed as a snapshot and carries out the
//! protocol's actions. Its results are values: a failure on a page is an `ActionFailure`, not an error. The [`Guard`]
//! decides what a run may do.

mod act;
mod action_epoch;
mod action_events;
mod activity;
mod activity_log;
mod altered_values;
mod background_requests;
mod bidi;
mod body_formats;
mod bounded_log;
mod browser;
mod capabilities;
mod cdp;
mod dialogs;
mod doubtful_body;
mod downloads;
mod driver;
mod driver_event;
mod egress;
mod element_facts;
mod emulation;
mod entries;
mod error;
mod evaluate;
mod evaluate_error;
mod events;
mod flush;
mod frame_tree;
mod frames;
mod gesture;
mod guard;
mod interception;
mod keys;
mod launch;
mod located;
mod mask;
mod mouse;
mod network_records;
mod observe;
mod options;
mod page_script;
mod point;
mod recorded_requests;
mod refs;
mod relay;
mod request_limit;
mod request_outcomes;
mod route_table;
mod screencast;
mod screenshot;
mod scripts;
mod session;
mod session_dispatcher;
mod session_inner;
mod settle;
mod state;
mod storage;
mod storage_state;
mod tabs;
mod targets;
mod transport;
mod unsaved_work;
mod uploads;
mod upstream_proxy;
mod user_event_queue;
mod user_events;
mod user_input;
mod view;
mod viewer_control;
mod wait;
mod webdriver;

pub use activity::Evicted;
pub use browser::Browser;
pub use capabilities::{Capabilities, Capability, Support};
pub use element_facts::ElementFacts;
pub use emulation::{Emulation, MediaFeature};
pub use error::{BrowserError, NotFound};
pub use gesture::Gesture;
pub use guard::{Guard, LimitedRequest, LimitedTab, NoRules, RequestDenial, RequestLimit};
pub use launch::{find_companions, find_executable, reap_orphans};
pub use located::Located;
pub use mask::masked;
pub use network_records::NetworkRecord;
pub use options::{
    Engine, LaunchOptions, Picture, PictureFormat, PrivateFolder, ScreenshotOptions, SessionOptions, Timeouts,
};
pub use page_script::page_script_schema;
pub use relay::{RelayCarrier, RelayInput, RelayLink};
pub use route_table::Route;
pub use session::Session;
pub use storage_state::{Area, Cookie, NameValue, OriginStorage, StorageState};
pub use upstream_proxy::{ProxyAddressError, UpstreamProxy};
pub use user_events::{UserEvent, UserEventKind, UserInput};
pub use user_input::{ConcealedText, PersonalValue, UserInputKind};
pub use viewer_control::{ViewerActivity, ViewerControl, ViewerInput, ViewerPress, ViewerState};
