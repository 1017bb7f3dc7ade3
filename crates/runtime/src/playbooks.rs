//! The playbooks of the data folder: one folder for each workflow on a site, with a file for each version.
//!
//! A file contains the format, a checksum and the playbook. Versions are never overwritten: a healed playbook, and one
//! that a person rolled back to, are new versions.

mod choice;
mod difference;
mod drift;
mod setting;

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use legwork_agent::playbook::{PLAYBOOK_FORMAT, site_of};
use legwork_protocol::{RunId, RunStart, Step, Workflow, is_variable_name};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

pub use choice::validate_with_playbook;
pub(crate) use choice::{ChosenPlaybook, choose, is_worth_saving};
pub use difference::differences;
pub use drift::{DriftError, DriftMark, DriftRun, DriftStep, PlaybookDrift, drift, recent_drift};
pub use legwork_agent::playbook::{
    ExpectedEffect, ExpectedRequest, OmittedStep, Playbook, PlaybookAction, PlaybookStep, RecordingError, record,
};
pub use setting::PlaybookChoice;

/// The number of hexadecimal digits of a hash in the name of a folder.
const HASH_DIGITS: usize = 10;
/// How often a new version is tried while other processes save the same playbook.
const SAVE_ATTEMPTS: u32 = 100;
/// The number of versions of a playbook that are kept. Older ones are deleted when a new one is saved.
const MAX_VERSIONS: usize = 20;
/// The number of playbooks that are kept. A changed workflow has a new one, so that those that no run used for longest
/// are deleted when another one is saved.
const MAX_PLAYBOOKS: usize = 500;

/// Why a playbook cannot be used.
#[derive(Debug, Error)]
pub enum PlaybookError {
    /// The file cannot be read or written.
    #[error("the playbook {path} cannot be {what}")]
    File {
        /// The path.
        path: PathBuf,
        /// `read`, `written` or `deleted`.
        what: &'static str,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
    /// Other processes saved versions of the playbook faster than this one.
    #[error("the playbook {id} could not be saved, because other runs keep saving it")]
    Contended {
        /// The id.
        id: String,
    },
    /// The file is not a playbook.
    #[error("{path} is not a playbook")]
    Content {
        /// The path.
        path: PathBuf,
        /// The parse error.
        #[source]
        source: serde_json::Error,
    },
    /// The playbook has the format of another version of Legwork.
    #[error("the playbook {path} has format {found}; this version reads format {PLAYBOOK_FORMAT}")]
    Format {
        /// The path.
        path: PathBuf,
        /// Its format.
        found: u64,
    },
    /// The content does not have its checksum.
    #[error("the playbook {path} was changed after it was saved: its checksum is wrong")]
    Checksum {
        /// The path.
        path: PathBuf,
    },
    /// The playbook was recorded on another site.
    #[error("the playbook was recorded on {recorded}, and the workflow begins on {wanted}")]
    Site {
        /// The site of the playbook.
        recorded: String,
        /// The site of the workflow.
        wanted: String,
    },
    /// The playbook was recorded from another workflow.
    #[error("the playbook was recorded from another workflow or another version of it: {recorded:?}")]
    Workflow {
        /// The name of the recorded workflow.
        recorded: String,
    },
    /// Parameters have no value.
    #[error("the playbook needs values that are missing: {}", .missing.join(", "))]
    Parameters {
        /// The inputs, and the secrets as `secret:NAME`.
        missing: Vec<String>,
    },
    /// There is no playbook for the workflow.
    #[error("there is no playbook for this workflow on {site}")]
    None {
        /// The site.
        site: String,
    },
    /// The text names no playbook, or several.
    #[error("{text:?} names {} playbooks", if .matches.is_empty() { "no".to_owned() } else { .matches.len().to_string() })]
    Unknown {
        /// The text.
        text: String,
        /// The ids of the playbooks that it matches.
        matches: Vec<String>,
    },
    /// The playbook has no such version.
    #[error("the playbook {id} has no version {version}")]
    NoVersion {
        /// The id.
        id: String,
        /// The version.
        version: u32,
    },
}

impl PlaybookError {
    /// What the user can try.
    pub fn hint(&self) -> &'static str {
        match self {
            PlaybookError::File { .. } => "check the path, and that this user may read and write it",
            PlaybookError::Contended { .. } => "run it when fewer runs of the workflow are in progress",
            PlaybookError::Content { .. } => {
                "the setting `playbook` takes auto, off, only, or a file of `legwork playbook export`"
            }
            PlaybookError::Format { .. } => "set `playbook` to `off` for the run, and record it again",
            PlaybookError::Checksum { .. } => {
                "restore the file, go back with `legwork playbook rollback`, delete it with `legwork playbook remove`, or \
                 set `playbook` to `off` for the run"
            }
            PlaybookError::Site { .. } => "run it on the recorded site, or set `playbook` to `off` for the run",
            PlaybookError::Workflow { .. } => "run the recorded workflow, or set `playbook` to `off` for the run",
            PlaybookError::Parameters { .. } => "give the values under `inputs` and `secrets`",
            PlaybookError::None { .. } => {
                "run the workflow once with a model, and with `playbook` set to `auto`, so that one is recorded"
            }
            PlaybookError::Unknown { .. } | PlaybookError::NoVersion { .. } => "`legwork playbook list` lists them",
        }
    }
}

/// A stored playbook, with its versions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlaybookEntry {
    /// The name of its folder, which identifies it.
    pub id: String,
    /// The versions, oldest first.
    pub versions: Vec<u32>,
    /// The newest version; absent if it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub newest: Option<Playbook>,
    /// Why it cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The playbooks of a data folder.
#[derive(Clone, Debug)]
pub struct Playbooks {
    folder: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct PlaybookFile {
    format: u64,
    checksum: String,
    playbook: Value,
}

impl Playbooks {
    /// The playbooks of the data folder at this path.
    pub fn new(data_dir: &Path) -> Self {
        Playbooks { folder: data_dir.join("playbooks") }
    }

    /// The newest version for a workflow on a site. Without a site, the only playbook of the workflow.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn find(&self, workflow: &str, site: Option<&str>) -> Result<Option<Playbook>, PlaybookError> {
        let Some(id) = self.id_of(workflow, site)? else { return Ok(None) };
        let Some(version) = self.versions(&id)?.pop() else { return Ok(None) };
        self.read(&id, version).map(Some)
    }

    /// The id and the version of the playbook that this run recorded, if it is the newest version.
    pub fn recorded_by(&self, run: RunId, start: &RunStart) -> Option<(String, u32)> {
        let site = start_site(&start.workflow, &start.inputs);
        let id = self.id_of(&workflow_hash(&start.workflow), site.as_deref()).ok()??;
        let newest = self.read(&id, self.versions(&id).ok()?.pop()?).ok()?;
        (newest.run == run).then_some((id, newest.version))
    }

    /// A version of the playbook for the workflow of a run, if it can be read.
    pub(crate) fn version_for(&self, start: &RunStart, version: u32) -> Option<Playbook> {
        let site = start_site(&start.workflow, &start.inputs);
        let id = self.id_of(&workflow_hash(&start.workflow), site.as_deref()).ok()??;
        self.read(&id, version).ok()
    }

    /// The id for a workflow on a site; without a site, the only one of the workflow.
    fn id_of(&self, workflow: &str, site: Option<&str>) -> Result<Option<String>, PlaybookError> {
        let suffix = |id: &str| match site {
            Some(site) => id.ends_with(&folder_hash(workflow, site)),
            None => id.contains(&format!("-{}-", &workflow[..HASH_DIGITS.min(workflow.len())])),
        };
        let mut ids: Vec<String> = self.ids()?.into_iter().filter(|id| suffix(id)).collect();
        Ok(ids.pop().filter(|_| ids.is_empty()))
    }

    /// Notes that a run uses the playbook, so that it is not among the first to be deleted.
    pub(crate) fn note_use(&self, playbook: &Playbook) {
        let Ok(Some(id)) = self.id_of(&playbook.workflow, Some(&playbook.site)) else { return };
        // If this fails, the playbook counts as last used when its newest version was saved.
        let _ = fs::File::open(self.folder.join(id)).and_then(|folder| folder.set_modified(SystemTime::now()));
    }

    /// Deletes old versions of a playbook, and the playbooks that no run used for longest.
    fn limit(&self, saved: &str) -> Result<(), PlaybookError> {
        self.prune(saved, MAX_VERSIONS)?;
        let ids = self.ids()?;
        let Some(over) = ids.len().checked_sub(MAX_PLAYBOOKS).filter(|over| *over > 0) else { return Ok(()) };
        let used = |id: &String| fs::metadata(self.folder.join(id)).and_then(|folder| folder.modified()).ok();
        let mut by_use: Vec<(Option<SystemTime>, &String)> = ids.iter().map(|id| (used(id), id)).collect();
        by_use.sort();
        let old = by_use.into_iter().map(|(_, id)| id).filter(|id| *id != saved).take(over);
        old.into_iter().try_for_each(|id| self.remove(id))
    }

    /// Saves a playbook as the next version; returns the id and the version.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, playbook: Playbook) -> Result<(String, u32), PlaybookError> {
        let id = self.id_for(&playbook)?;
        let next = self.versions(&id)?.last().map_or(1, |last| last + 1);
        for version in next..next.saturating_add(SAVE_ATTEMPTS) {
            if self.write(&id, &playbook, version)? {
                self.limit(&id)?;
                return Ok((id, version));
            }
        }
        Err(PlaybookError::Contended { id })
    }

    /// Saves the playbook of a run as the next version, unless another run has saved one since this run began. `used`
    /// is the playbook that the run used.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn save_after(
        &self,
        playbook: &Playbook,
        used: Option<&Playbook>,
    ) -> Result<Option<(String, u32)>, PlaybookError> {
        let id = self.id_for(playbook)?;
        let newest = self.versions(&id)?.pop();
        let is_readable = newest.is_some_and(|newest| self.read(&id, newest).is_ok());
        if is_readable && newest != used.map(|used| used.version) {
            return Ok(None);
        }
        let version = newest.map_or(1, |newest| newest + 1);
        let is_saved = self.write(&id, playbook, version)?;
        self.limit(&id)?;
        Ok(is_saved.then_some((id, version)))
    }

    /// The id under which a playbook is stored, or will be.
    fn id_for(&self, playbook: &Playbook) -> Result<String, PlaybookError> {
        let hash = folder_hash(&playbook.workflow, &playbook.site);
        let known = self.ids()?.into_iter().find(|id| id.ends_with(&hash));
        Ok(known.unwrap_or_else(|| format!("{}{hash}", slug(&playbook.name))))
    }

    /// Writes a version; `false` if it exists.
    fn write(&self, id: &str, playbook: &Playbook, version: u32) -> Result<bool, PlaybookError> {
        let folder = self.folder.join(id);
        fs::create_dir_all(&folder).map_err(file_error(&folder, "written"))?;
        let draft = folder.join(format!(".{}.draft", playbook.run));
        let playbook = Playbook { version, ..playbook.clone() };
        let text = written(&playbook).map_err(|source| PlaybookError::Content { path: draft.clone(), source })?;
        fs::write(&draft, text).map_err(file_error(&draft, "written"))?;
        let path = self.path(id, version);
        // A link fails if the file exists: another run has saved this version.
        let linked = fs::hard_link(&draft, &path);
        fs::remove_file(&draft).map_err(file_error(&draft, "deleted"))?;
        match linked {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(source) => Err(PlaybookError::File { path, what: "written", source }),
        }
    }

    /// All playbooks by id.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self) -> Result<Vec<PlaybookEntry>, PlaybookError> {
        let mut entries = Vec::new();
        for id in self.ids()? {
            let versions = self.versions(&id)?;
            let Some(newest) = versions.last() else { continue };
            let (newest, problem) = match self.read(&id, *newest) {
                Ok(playbook) => (Some(playbook), None),
                Err(error) => (None, Some(error.to_string())),
            };
            entries.push(PlaybookEntry { id, versions, newest, problem });
        }
        Ok(entries)
    }

    /// The playbooks of a workflow, one for each site on which it was recorded.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn of_workflow(&self, workflow: &Workflow) -> Result<Vec<PlaybookEntry>, PlaybookError> {
        let hash = workflow_hash(workflow);
        let part = format!("-{}-", &hash[..HASH_DIGITS]);
        let mut entries = self.list()?;
        entries.retain(|entry| match &entry.newest {
            Some(newest) => newest.workflow == hash,
            None => entry.id.contains(&part),
        });
        Ok(entries)
    }

    /// The id that a person means: the id, a part of it, or a part of the name of the workflow.
    ///
    /// # Errors
    /// If no playbook or several match.
    pub fn find_id(&self, text: &str) -> Result<String, PlaybookError> {
        let ids = self.ids()?;
        if let Some(id) = ids.iter().find(|id| *id == text) {
            return Ok(id.clone());
        }
        let mut matches: Vec<String> =
            ids.into_iter().filter(|id| id.contains(text) || id.contains(&slug(text))).collect();
        match matches.pop() {
            Some(id) if matches.is_empty() => Ok(id),
            last => {
                matches.extend(last);
                Err(PlaybookError::Unknown { text: text.to_owned(), matches })
            }
        }
    }

    /// The versions of a playbook, oldest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn versions(&self, id: &str) -> Result<Vec<u32>, PlaybookError> {
        let number = |name: String| name.strip_prefix('v')?.strip_suffix(".json")?.parse().ok();
        let mut versions: Vec<u32> = names_in(&self.folder.join(id))?.into_iter().filter_map(number).collect();
        versions.sort_unstable();
        Ok(versions)
    }

    /// Reads a version.
    ///
    /// # Errors
    /// If there is none, or it is damaged.
    pub fn read(&self, id: &str, version: u32) -> Result<Playbook, PlaybookError> {
        let path = self.path(id, version);
        if !path.exists() {
            return Err(PlaybookError::NoVersion { id: id.to_owned(), version });
        }
        read_playbook(&path)
    }

    /// Makes an earlier version the newest one; returns the new version.
    ///
    /// # Errors
    /// If the version cannot be read, or the new one cannot be written.
    pub fn roll_back(&self, id: &str, version: u32) -> Result<u32, PlaybookError> {
        self.save(self.read(id, version)?).map(|(_, version)| version)
    }

    /// Deletes all versions except for the newest `keep`; returns their number.
    ///
    /// # Errors
    /// If a file cannot be deleted.
    pub fn prune(&self, id: &str, keep: usize) -> Result<usize, PlaybookError> {
        let versions = self.versions(id)?;
        let old = &versions[..versions.len().saturating_sub(keep.max(1))];
        for version in old {
            let path = self.path(id, *version);
            fs::remove_file(&path).map_err(file_error(&path, "deleted"))?;
        }
        Ok(old.len())
    }

    /// Deletes a playbook with all versions.
    ///
    /// # Errors
    /// If it cannot be deleted.
    pub fn remove(&self, id: &str) -> Result<(), PlaybookError> {
        let folder = self.folder.join(id);
        fs::remove_dir_all(&folder).map_err(file_error(&folder, "deleted"))
    }

    fn path(&self, id: &str, version: u32) -> PathBuf {
        self.folder.join(id).join(format!("v{version}.json"))
    }

    fn ids(&self) -> Result<Vec<String>, PlaybookError> {
        let mut ids = names_in(&self.folder)?;
        ids.sort_unstable();
        Ok(ids)
    }
}

/// The content of a file for a playbook.
///
/// # Errors
/// Never for a playbook that was recorded or read; the error is that of the serializer.
pub fn written(playbook: &Playbook) -> Result<String, serde_json::Error> {
    let playbook = serde_json::to_value(playbook)?;
    let file = PlaybookFile { format: PLAYBOOK_FORMAT.into(), checksum: checksum(&playbook), playbook };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

/// Reads the file of a playbook, and checks its format and checksum.
///
/// # Errors
/// If it cannot be read, has another format, or was changed.
pub fn read_playbook(path: &Path) -> Result<Playbook, PlaybookError> {
    let text = fs::read_to_string(path).map_err(file_error(path, "read"))?;
    let content = |source| PlaybookError::Content { path: path.to_owned(), source };
    let file: PlaybookFile = serde_json::from_str(&text).map_err(content)?;
    if file.format != u64::from(PLAYBOOK_FORMAT) {
        return Err(PlaybookError::Format { path: path.to_owned(), found: file.format });
    }
    if checksum(&file.playbook) != file.checksum {
        return Err(PlaybookError::Checksum { path: path.to_owned() });
    }
    serde_json::from_value(file.playbook).map_err(content)
}

/// The hash of what a workflow does: its steps and the names of its inputs. Its name, its address and its time limits
/// are no part of it.
pub fn workflow_hash(workflow: &Workflow) -> String {
    let content = |step: &Step| match step.group {
        Some(_) => serde_json::to_value(step).unwrap_or_default(),
        None => serde_json::json!([step.step, step.expect, step.when, step.action]),
    };
    let steps: Vec<Value> = workflow.steps.iter().map(content).collect();
    let inputs: Vec<&String> = workflow.inputs.keys().collect();
    hex(&Sha256::digest(serde_json::json!([steps, inputs]).to_string()))
}

/// A recorded playbook with its workflow, and with the site on which the workflow begins. A site that redirects (`http`
/// to `https`) opens another page than the workflow names.
pub(crate) fn of_workflow(recorded: Playbook, start: &RunStart) -> Playbook {
    let site = start_site(&start.workflow, &start.inputs);
    Playbook { workflow: workflow_hash(&start.workflow), site: site.unwrap_or(recorded.site.clone()), ..recorded }
}

/// The site on which a workflow begins: its address, or the first address in its steps. `None` if no address is known
/// before the run.
pub fn start_site(workflow: &Workflow, inputs: &BTreeMap<String, Value>) -> Option<String> {
    let steps = workflow.all_steps();
    let actions = steps.iter().filter_map(|step| match &step.action {
        Some(legwork_protocol::Action::Open(open)) => Some(&open.url),
        _ => None,
    });
    let texts = workflow.url.iter().chain(actions).chain(steps.iter().map(|step| &step.step));
    texts.map(|text| with_inputs(text, workflow, inputs)).find_map(|text| {
        text.split_whitespace().map(|word| word.trim_matches(['"', '\'', '“', '”', ',', ';'])).find_map(site_of)
    })
}

fn with_inputs(text: &str, workflow: &Workflow, inputs: &BTreeMap<String, Value>) -> String {
    let mut filled = text.to_owned();
    for (name, input) in workflow.inputs.iter().filter(|(name, _)| is_variable_name(name)) {
        if let Some(value) = inputs.get(name).or(input.default.as_ref()) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            filled = filled.replace(&format!("${{{name}}}"), &value);
        }
    }
    filled
}

fn checksum(playbook: &Value) -> String {
    hex(&Sha256::digest(playbook.to_string()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn folder_hash(workflow: &str, site: &str) -> String {
    let site = hex(&Sha256::digest(site));
    format!("-{}-{}", &workflow[..HASH_DIGITS.min(workflow.len())], &site[..HASH_DIGITS])
}

/// A name as a part of a file name.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.chars().take(40) {
        match c {
            c if c.is_ascii_alphanumeric() => slug.push(c.to_ascii_lowercase()),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "workflow".to_owned() } else { slug.to_owned() }
}

fn names_in(folder: &Path) -> Result<Vec<String>, PlaybookError> {
    match fs::read_dir(folder) {
        Ok(entries) => Ok(entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(PlaybookError::File { path: folder.to_owned(), what: "read", source }),
    }
}

fn file_error(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> PlaybookError + use<> {
    let path = path.to_owned();
    move |source| PlaybookError::File { path, what, source }
}

#[cfg(test)]
#[path = "playbooks/tests.rs"]
mod tests;
