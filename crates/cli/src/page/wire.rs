//! The protocol of the socket: greetings, one request and one reply, each on a line.
//!
//! The client writes its greeting and its request. The host writes its own greeting with a status, then the reply. The
//! form of a greeting is the same in all versions: a client and a host of different versions detect it, for example
//! after an update while the host runs, and `close --all` works between all versions. No other request does.

use std::{collections::BTreeMap, path::PathBuf};

use legwork::{
    browser::StorageState,
    settings::{Sources, TextFile},
};
use legwork_verbs::{CommandRequest, PageReply};
use serde::{Deserialize, Serialize};

use crate::exit::Exit;

/// The first line of both sides.
pub(super) const GREETING: &str = concat!("legwork ", env!("CARGO_PKG_VERSION"), " terminal 2");
/// The status after the host's greeting: the request is accepted.
pub(super) const TAKEN: &str = "taken";
/// The status if the versions differ and the host has no sessions. It ends so that the client can start another one.
pub(super) const ENDED: &str = "ended";
/// The status if the versions differ and the host has sessions.
pub(super) const BUSY: &str = "busy";
/// The request that every version understands: close all sessions, and end.
pub(super) const END: &str = "end";

/// A request to the host. It implements no `Debug`, because it may contain secrets.
#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Request {
    /// A command for the page of a session.
    Ask {
        /// The session.
        session: String,
        /// The command.
        ask: CommandRequest,
        /// The options of the session, if the request may open it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<Box<OpenRequest>>,
    },
    /// Lists the sessions.
    Sessions,
    /// Closes a session.
    Close {
        /// The session.
        session: String,
    },
}

/// The options of a new session.
#[derive(Serialize, Deserialize)]
pub(super) struct OpenRequest {
    /// The sources of its settings: the client's environment and files, not the host's.
    pub(super) sources: SourceValues,
    /// The working directory of the client, for relative paths in the settings.
    pub(super) folder: PathBuf,
    /// Values chosen on the command line. An open session must have been opened with the same values.
    pub(super) chosen: BTreeMap<String, String>,
    /// Secrets with values that the client has read.
    #[serde(default)]
    pub(super) secrets: Vec<SecretValue>,
    /// The origin for secrets without an origin.
    pub(super) site: Option<String>,
    /// Folders whose files may be uploaded.
    pub(super) uploads: Vec<PathBuf>,
    /// Initial cookies and storage.
    pub(super) storage_state: Option<StorageState>,
}

/// A secret with its value.
#[derive(Serialize, Deserialize)]
pub(super) struct SecretValue {
    /// The name.
    pub(super) name: String,
    /// `@` and the allowed origins. Empty for the site.
    pub(super) places: String,
    /// The value.
    pub(super) value: String,
}

/// [`Sources`] in a serializable form.
#[derive(Serialize, Deserialize)]
pub(super) struct SourceValues {
    flags: Vec<(String, String)>,
    env: BTreeMap<String, String>,
    project: Option<(PathBuf, String)>,
    user: Option<(PathBuf, String)>,
    #[serde(default)]
    policy: Option<(PathBuf, String)>,
    #[serde(default)]
    project_policy: Option<(PathBuf, String)>,
}

impl From<Sources> for SourceValues {
    fn from(sources: Sources) -> Self {
        let file = |file: TextFile| (file.path, file.text);
        SourceValues {
            flags: sources.flags,
            env: sources.env,
            project: sources.project.map(file),
            user: sources.user.map(file),
            policy: sources.policy.map(file),
            project_policy: sources.project_policy.map(file),
        }
    }
}

impl From<SourceValues> for Sources {
    fn from(read: SourceValues) -> Self {
        let file = |(path, text)| TextFile { path, text };
        Sources {
            flags: read.flags,
            env: read.env,
            project: read.project.map(file),
            user: read.user.map(file),
            policy: read.policy.map(file),
            project_policy: read.project_policy.map(file),
            request_policy: None,
        }
    }
}

/// The reply of the host.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HostReply {
    /// The command was executed, whether or not it succeeded.
    Executed(PageReply),
    /// The command was not executed.
    Refused(Refusal),
}

/// Why the host did not execute a command.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Refusal {
    /// The message.
    pub(super) text: String,
    /// The exit code for the failure.
    pub(super) exit: Exit,
    /// What to try next.
    pub(super) hint: String,
}
