//! A run as files: its JSON, its page, its pictures. Used by `--trace` and `export`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use legwork::{
    record::{Export, RunRecord, html},
    store::Artifacts,
};
use legwork_protocol::Event;

use crate::error::CliError;

/// The maximum size of an artifact in or beside a page, in bytes.
const MAX_ARTIFACT_BYTES: u64 = 16 * 1024 * 1024;

/// The run as one JSON document.
pub(crate) fn json(record: &RunRecord, events: &[Event]) -> Result<String, CliError> {
    let mut text = serde_json::to_string_pretty(&Export::new(record, events))
        .map_err(|error| CliError::fault("cannot write the run as JSON").because(&error))?;
    text.push('\n');
    Ok(text)
}

/// The run as one HTML page.
pub(crate) async fn page(record: &RunRecord, artifacts: &dyn Artifacts) -> Result<String, CliError> {
    let bytes = bytes(record, artifacts).await;
    html(record, &bytes).map_err(|error| CliError::fault("cannot create the page").because(&error))
}

/// Artifacts that no longer exist are left out; the page shows a note in their place.
async fn bytes(record: &RunRecord, artifacts: &dyn Artifacts) -> BTreeMap<String, Vec<u8>> {
    let mut bytes = BTreeMap::new();
    for artifact in record.shown_artifacts() {
        if !bytes.contains_key(&artifact.hash)
            && let Ok(content) = artifacts.get(&artifact.hash, MAX_ARTIFACT_BYTES).await
        {
            bytes.insert(artifact.hash.clone(), content);
        }
    }
    bytes
}

/// Writes the files of the run to a folder and returns the path of the page.
pub(crate) async fn write(
    folder: &Path,
    record: &RunRecord,
    events: &[Event],
    artifacts: &dyn Artifacts,
) -> Result<PathBuf, CliError> {
    let pictures = folder.join("screenshots");
    std::fs::create_dir_all(&pictures)
        .map_err(|error| CliError::fault(format!("{} cannot be made", pictures.display())).because(&error))?;
    let bytes = bytes(record, artifacts).await;
    for (number, picture) in record.pictures().enumerate() {
        if let Some(content) = bytes.get(&picture.image.hash) {
            let ending = match picture.image.media_type.as_str() {
                "image/jpeg" => "jpg",
                "image/webp" => "webp",
                _ => "png",
            };
            // The name of the action is one of our constants, so it is safe in a path.
            save(&pictures.join(format!("{:03}-{}.{ending}", number + 1, picture.action_type)), content)?;
        }
    }
    save(&folder.join("run.json"), json(record, events)?.as_bytes())?;
    let page = html(record, &bytes).map_err(|error| CliError::fault("cannot create the page").because(&error))?;
    let path = folder.join("run.html");
    save(&path, page.as_bytes())?;
    Ok(path)
}

/// Refuses to replace a file that exists, unless `force` is set. A folder is never replaced.
pub(crate) fn check_output(output: Option<&Path>, force: bool) -> Result<(), CliError> {
    let Some(path) = output.filter(|path| path.as_os_str() != "-") else { return Ok(()) };
    if path.is_dir() {
        return Err(CliError::usage(format!("{} is a folder", path.display())).hint("name a file: --output FILE"));
    }
    // A device such as /dev/null is no file that could be lost.
    if path.is_file() && !force {
        return Err(CliError::usage(format!("{} exists already", path.display()))
            .hint("choose another --output, or overwrite the file with --force"));
    }
    Ok(())
}

/// Writes a file.
pub(crate) fn save(path: &Path, content: &[u8]) -> Result<(), CliError> {
    std::fs::write(path, content)
        .map_err(|error| CliError::fault(format!("{} cannot be written", path.display())).because(&error))
}
