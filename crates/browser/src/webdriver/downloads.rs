//! Downloads, which WebDriver does not report: they arrive in a folder of the context that nothing else writes to.

use std::{fs, path::Path};

use super::context::Context;
use crate::driver_event::{DownloadState, DriverEvent};

/// The end of the name of a file that is still arriving.
const PARTIAL: &str = ".wkdownload";

/// A download that is under way.
pub(super) struct Arriving {
    id: String,
    size: u64,
}

impl Context {
    /// Reports the files in the folder of the context. What has arrived is moved to the folder for downloads.
    pub(super) fn look_for_downloads(&mut self) {
        let Some(folder) = self.server.downloads().map(Path::to_owned) else { return };
        let Ok(entries) = fs::read_dir(&folder) else { return };
        let mut present = Vec::new();
        for entry in entries.flatten() {
            let file = entry.file_name().to_string_lossy().into_owned();
            let (name, is_partial) = match file.strip_suffix(PARTIAL) {
                Some(name) => (name.to_owned(), true),
                None => (file.clone(), false),
            };
            let size = entry.metadata().map_or(0, |metadata| metadata.len());
            present.push((name, is_partial, size));
        }
        // A name that is partly there is not complete, although its final file exists from the start.
        let partial: Vec<String> =
            present.iter().filter(|(_, partial, _)| *partial).map(|(name, ..)| name.clone()).collect();
        for (name, is_partial, size) in &present {
            if !is_partial && partial.contains(name) {
                continue;
            }
            if !self.downloads.contains_key(name) {
                let id = format!("download-{}", self.next_id());
                self.downloads.insert(name.clone(), Arriving { id: id.clone(), size: 0 });
                let frame = self.last_tab.clone().unwrap_or_default();
                let url = self.tabs.get(&frame).and_then(|tab| tab.frames.get(&frame)).map(|frame| frame.url.clone());
                let started = DriverEvent::DownloadStarted {
                    download: id,
                    frame,
                    url: url.unwrap_or_default(),
                    name: name.clone(),
                };
                self.report(None, started);
            }
            let Some(arriving) = self.downloads.get_mut(name) else { continue };
            let (id, grew) = (arriving.id.clone(), arriving.size != *size);
            arriving.size = *size;
            let mut state = DownloadState::InProgress;
            if !is_partial {
                let moved = self.folder.as_ref().map(|to| fs::rename(folder.join(name), to.join(&id)));
                state = match moved {
                    Some(Ok(())) => DownloadState::Completed,
                    _ => DownloadState::Canceled,
                };
                self.downloads.remove(name);
            }
            if grew || !is_partial {
                self.report(None, DriverEvent::DownloadProgress { download: id, size: *size as f64, state });
            }
        }
        // The browser removes the file of a download that failed.
        let lost: Vec<String> =
            self.downloads.keys().filter(|name| !present.iter().any(|(known, ..)| known == *name)).cloned().collect();
        for name in lost {
            if let Some(Arriving { id, size }) = self.downloads.remove(&name) {
                let state = DownloadState::Canceled;
                self.report(None, DriverEvent::DownloadProgress { download: id, size: size as f64, state });
            }
        }
    }
}
