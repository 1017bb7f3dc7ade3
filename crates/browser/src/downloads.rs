//! Downloads: into the session's folder under safe names, ended when they grow too large, hashed when they are there.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use legwork_protocol::{DownloadInfo, PageEffect};
use sha2::{Digest, Sha256};

use crate::{driver_event::DownloadState, session_inner::SessionInner};

/// A download under way, or one that broke off and is to be told of.
pub(crate) struct Download {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) begun: u64,
    pub(crate) end: Option<End>,
    /// It is being broken off; it has ended when the browser says so, and its file is then complete or gone.
    pub(crate) too_large: bool,
}

/// How a download ended, before its file was seen to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Arrived,
    Failed(String),
}

/// The bytes of a file that are looked at to tell its format, at least.
const BEGINNING: usize = 64 * 1024;

impl SessionInner {
    pub(crate) fn download_begun(&self, id: String, url: String, name: &str) {
        let mut state = self.state();
        let clock = state.clock;
        let download = Download { name: safe_name(name), url, begun: clock, end: None, too_large: false };
        state.downloads.insert(id, download);
    }

    /// Notes progress; false when the download is not ours.
    pub(crate) fn download_progress(&self, id: &str, size: f64, reached: DownloadState) -> bool {
        let max = self.options.max_download_bytes;
        let mut state = self.state();
        let Some(download) = state.downloads.get_mut(id) else { return false };
        if size > max as f64 && !download.too_large {
            drop(self.driver.cancel_download(self.context.as_deref(), id));
            download.too_large = true;
        }
        let end = match reached {
            DownloadState::InProgress => return true,
            _ if download.too_large => End::Failed(format!("it is larger than the limit of {max} bytes")),
            DownloadState::Completed => End::Arrived,
            DownloadState::Canceled => End::Failed("it broke off".to_owned()),
        };
        download.end.get_or_insert(end);
        true
    }

    /// Takes the downloads that have ended: names, hashes and tells of those that arrived; answers the first that failed.
    pub(crate) fn collect_downloads(&self) -> Option<(String, String)> {
        let folder = self.options.downloads.clone();
        let ended: Vec<(String, Download)> = {
            let mut state = self.state();
            let guids: Vec<String> =
                state.downloads.iter().filter(|(_, d)| d.end.is_some()).map(|(guid, _)| guid.clone()).collect();
            guids.into_iter().filter_map(|guid| state.downloads.remove(&guid).map(|d| (guid, d))).collect()
        };
        let mut failed = None;
        for (guid, download) in ended {
            let kept = match download.end {
                Some(End::Arrived) => keep(&folder, &guid, &download).map_err(|error| error.to_string()),
                Some(End::Failed(reason)) => Err(reason),
                None => continue,
            };
            match kept {
                Ok(info) => self.state().effects.push(PageEffect::Downloaded(info)),
                Err(reason) => {
                    // What did arrive of it is of no use.
                    let _ = std::fs::remove_file(folder.join(&guid));
                    failed.get_or_insert((download.name, reason));
                }
            }
        }
        failed
    }
}

fn keep(folder: &Path, guid: &str, download: &Download) -> io::Result<DownloadInfo> {
    let arrived = folder.join(guid);
    let mut file = File::open(&arrived)?;
    let mut hash = Sha256::new();
    let mut size = 0;
    let mut chunk = vec![0; 64 * 1024];
    let mut beginning = Vec::new();
    loop {
        let count = file.read(&mut chunk)?;
        if count == 0 {
            break;
        }
        size += count as u64;
        hash.update(&chunk[..count]);
        if beginning.len() < BEGINNING {
            beginning.extend_from_slice(&chunk[..count]);
        }
    }
    let path = free_path(folder, &download.name);
    std::fs::rename(&arrived, &path)?;
    let hash = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let name = path.file_name().map_or_else(|| download.name.clone(), |name| name.to_string_lossy().into_owned());
    let other_format = other_format(&name, &beginning).map(str::to_owned);
    let (path, url) = (path.to_string_lossy().into_owned(), download.url.clone());
    Ok(DownloadInfo { name, path, size, hash, url, other_format })
}

/// The format of a document that a server sent in place of a file of this name: pages and the answers of interfaces are what
/// errors are told in. Only for names whose format is certainly another one: a `.xls` is often a page, by intent.
fn other_format(name: &str, beginning: &[u8]) -> Option<&'static str> {
    const FORMATS: [&str; 22] = [
        "csv", "tsv", "pdf", "xlsx", "docx", "pptx", "ods", "odt", "odp", "zip", "gz", "tgz", "7z", "rar", "png",
        "jpg", "jpeg", "gif", "webp", "mp3", "mp4", "ics",
    ];
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    if !FORMATS.contains(&&*extension) {
        return None;
    }
    let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning).trim_ascii_start();
    let begins_with = |tag: &str| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()));
    const TAGS: [&str; 12] = [
        "<!doctype html",
        "<html",
        "<head",
        "<body",
        "<title",
        "<meta",
        "<script",
        "<!--",
        "<h1",
        "<h2",
        "<div",
        "<p>",
    ];
    if TAGS.iter().any(|tag| begins_with(tag)) {
        return Some("HTML");
    }
    // Errors are short; what is longer is not read to its end, and may be anything.
    let is_object = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(text).is_ok();
    is_object.then_some("JSON")
}

/// `name`, or `name (2)` and so on when it is taken.
fn free_path(folder: &Path, name: &str) -> PathBuf {
    let (stem, extension) = match name.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, format!(".{extension}")),
        _ => (name, String::new()),
    };
    let candidates = (2u32..).map(|number| folder.join(format!("{stem} ({number}){extension}")));
    std::iter::once(folder.join(name))
        .chain(candidates)
        .find(|path| !path.exists())
        .expect("no folder holds four billion files")
}

/// A name that stays in its folder and that any file system takes.
fn safe_name(given: &str) -> String {
    let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
    let cleaned: String =
        last.chars().map(|c| if c.is_control() || "<>:\"|?*".contains(c) { '_' } else { c }).collect();
    let mut name = cleaned.trim().trim_start_matches('.').to_owned();
    while name.len() > 180 {
        name.pop();
    }
    if name.is_empty() { "download".to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::{other_format, safe_name};

    #[test]
    fn a_document_in_place_of_a_file_is_known_by_its_first_bytes() {
        for (name, content, format) in [
            ("report.csv", "{\"error\": \"no such report\"}", Some("JSON")),
            ("report.CSV", "\u{feff} <!DOCTYPE html><title>Sign in</title>", Some("HTML")),
            ("invoice.pdf", "<html><body>502</body></html>", Some("HTML")),
            ("x.csv", "<h1>Sign in first</h1>", Some("HTML")),
            ("x.csv", "<5,more than 5", None),
            ("invoice.pdf", "%PDF-1.7 {}", None),
            ("report.csv", "{id},name\n1,Ada\n", None),
            ("report.csv", "id,name\n", None),
            ("data.json", "{}", None),
            ("page.html", "<html>", None),
            ("old.xls", "<html><table>", None),
            ("noname", "<html>", None),
            ("report.csv", "", None),
        ] {
            assert_eq!(other_format(name, content.as_bytes()), format, "{name}: {content}");
        }
    }

    #[test]
    fn names_stay_in_their_folder() {
        assert_eq!(safe_name("../../etc/passwd"), "passwd");
        assert_eq!(safe_name("..\\..\\boot.ini"), "boot.ini");
        assert_eq!(safe_name(".bashrc"), "bashrc");
        assert_eq!(safe_name("a\u{0}b:c?.txt"), "a_b_c_.txt");
        assert_eq!(safe_name(""), "download");
    }
}
