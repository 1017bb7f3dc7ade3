//! What goes over the socket: who speaks, one request, one reply. A line each.
//!
//! The client writes its greeting and its request; the host answers with its own greeting and how it takes the request, then
//! with the reply. The greetings are the same in all versions, so that a program that was replaced while its host runs can
//! tell, and so can `close --all`, which is all that another version understands.

use std::{collections::BTreeMap, path::PathBuf};

use legwork::{
    browser::StorageState,
    settings::{Sources, TextFile},
};
use legwork_verbs::{CommandRequest, PageReply};
use serde::{Deserialize, Serialize};

use crate::exit::Exit;

/// What both sides say first.
pub(super) const GREETING: &str = concat!("legwork ", env!("CARGO_PKG_VERSION"), " terminal 2");
/// The host's word behind its greeting when it takes the request.
pub(super) const TAKEN: &str = "taken";
/// When it is another version and ends for the client's.
pub(super) const ENDED: &str = "ended";
/// When it is another version and has sessions.
pub(super) const BUSY: &str = "busy";
/// The request that every version understands: close all, and end.
pub(super) const END: &str = "end";

/// What is asked of the host. Never shown: it may hold secrets.
#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(super) enum Request {
    /// Something of a session's page.
    Ask {
        /// The session.
        session: String,
        /// What.
        ask: CommandRequest,
        /// How the session begins, if this may begin it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<Box<Opening>>,
    },
    /// Which sessions there are.
    Sessions,
    /// Close a session.
    Close {
        /// Its name.
        session: String,
    },
}

/// How a session begins.
#[derive(Serialize, Deserialize)]
pub(super) struct Opening {
    /// What its settings are read from: the client's environment and files, not the host's.
    pub(super) sources: SourceValues,
    /// The folder that relative paths in them are meant from.
    pub(super) folder: PathBuf,
    /// What the command line chose; a session that is open must have been opened with the same.
    pub(super) chosen: BTreeMap<String, String>,
    /// Secrets, read by the client.
    #[serde(default)]
    pub(super) secrets: Vec<Given>,
    /// Where secrets without an origin go.
    pub(super) site: Option<String>,
    /// Folders whose files may be uploaded.
    pub(super) uploads: Vec<PathBuf>,
    /// Cookies and storage to begin with.
    pub(super) storage_state: Option<StorageState>,
}

/// A secret with its value.
#[derive(Serialize, Deserialize)]
pub(super) struct Given {
    /// Its name.
    pub(super) name: String,
    /// `@` and where it may go; empty for the site.
    pub(super) places: String,
    /// Its value.
    pub(super) value: String,
}

/// [`Sources`], without what is no setting.
#[derive(Serialize, Deserialize)]
pub(super) struct SourceValues {
    flags: Vec<(String, String)>,
    env: BTreeMap<String, String>,
    project: Option<(PathBuf, String)>,
    user: Option<(PathBuf, String)>,
}

impl From<Sources> for SourceValues {
    fn from(sources: Sources) -> Self {
        let file = |file: TextFile| (file.path, file.text);
        SourceValues {
            flags: sources.flags,
            env: sources.env,
            project: sources.project.map(file),
            user: sources.user.map(file),
        }
    }
}

impl From<SourceValues> for Sources {
    fn from(read: SourceValues) -> Self {
        let file = |(path, text)| TextFile { path, text };
        Sources { flags: read.flags, env: read.env, project: read.project.map(file), user: read.user.map(file) }
    }
}

/// What the host answers.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum HostReply {
    /// The command was carried out, whether or not it succeeded.
    Executed(PageReply),
    /// It was not carried out.
    Refused(Refusal),
}

/// Why the host did not carry out a command.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Refusal {
    /// Why, in words.
    pub(super) text: String,
    /// The exit code that fits.
    pub(super) exit: Exit,
    /// What to try next.
    pub(super) hint: String,
}
