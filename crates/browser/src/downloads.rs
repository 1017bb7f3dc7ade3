//! Downloads: they are written to the session's folder under safe names, cancelled when they become too large, and
//! hashed when they are complete.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use legwork_observe::wording;
use legwork_protocol::DownloadInfo;
use sha2::{Digest, Sha256};

use crate::{action_epoch::ActionEpoch, driver_event::DownloadState};

/// The downloads of a session that are in progress or have ended and are not yet reported, by the browser's identifier.
#[derive(Default)]
pub(crate) struct Downloads {
    by_id: HashMap<String, Download>,
}

struct Download {
    name: String,
    url: String,
    begun: ActionEpoch,
    end: Option<End>,
    /// The download is being cancelled. It ends when the browser reports so, and its file is then complete or removed.
    too_large: bool,
}

/// A download that has ended, with the browser's name for it.
pub(crate) struct EndedDownload {
    id: String,
    download: Download,
}

/// How a download ended, before its file was processed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
    Arrived,
    Failed(String),
}

/// The effect of a progress event.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DownloadProgress {
    /// The download does not belong to this session.
    Foreign,
    Noted,
    /// The download has become too large and must be cancelled.
    TooLarge,
}

impl Downloads {
    pub(crate) fn begin(&mut self, id: String, url: String, name: &str, epoch: ActionEpoch) {
        let download = Download { name: safe_name(name), url, begun: epoch, end: None, too_large: false };
        self.by_id.insert(id, download);
    }

    pub(crate) fn progress(&mut self, id: &str, size: f64, reached: DownloadState, max: u64) -> DownloadProgress {
        let Some(download) = self.by_id.get_mut(id) else { return DownloadProgress::Foreign };
        let exceeds = size > max as f64 && !download.too_large;
        download.too_large |= exceeds;
        let end = match reached {
            DownloadState::InProgress => None,
            _ if download.too_large => Some(End::Failed(format!("it is larger than the limit of {max} bytes"))),
            DownloadState::Completed => Some(End::Arrived),
            DownloadState::Canceled => Some(End::Failed("it broke off".to_owned())),
        };
        download.end = download.end.take().or(end);
        if exceeds { DownloadProgress::TooLarge } else { DownloadProgress::Noted }
    }

    /// Whether a download began in this epoch or later.
    pub(crate) fn any_since(&self, epoch: ActionEpoch) -> bool {
        self.by_id.values().any(|download| download.begun >= epoch)
    }

    /// Whether a download that began in this epoch or later has not ended.
    pub(crate) fn is_pending_since(&self, epoch: ActionEpoch) -> bool {
        self.by_id.values().any(|download| download.begun >= epoch && download.end.is_none())
    }

    /// Marks the unfinished downloads that began in this epoch or later as failed, so that nothing waits for them any
    /// longer.
    pub(crate) fn give_up_since(&mut self, epoch: ActionEpoch) {
        for download in self.by_id.values_mut().filter(|download| download.begun >= epoch) {
            download.end.get_or_insert(End::Failed("it did not end in time".to_owned()));
        }
    }

    /// Takes the downloads that have ended, to be processed by [`finish`].
    pub(crate) fn take_ended(&mut self) -> Vec<EndedDownload> {
        let ended = self.by_id.extract_if(|_, download| download.end.is_some());
        ended.map(|(id, download)| EndedDownload { id, download }).collect()
    }
}

/// The number of bytes at the start of a file that are read to determine its format.
const BEGINNING: usize = 64 * 1024;

/// Names and hashes the downloads that arrived. Returns them, and the name and the reason of the first one that failed.
pub(crate) fn finish(ended: Vec<EndedDownload>, folder: &Path) -> (Vec<DownloadInfo>, Option<(String, String)>) {
    let mut arrived = Vec::new();
    let mut failed = None;
    for EndedDownload { id, download } in ended {
        let kept = match download.end {
            Some(End::Arrived) => keep(folder, &id, &download).map_err(|error| error.to_string()),
            Some(End::Failed(reason)) => Err(reason),
            None => continue,
        };
        match kept {
            Ok(info) => arrived.push(info),
            Err(reason) => {
                // The incomplete file is useless.
                let _ = std::fs::remove_file(folder.join(&id));
                failed.get_or_insert((download.name, reason));
            }
        }
    }
    (arrived, failed)
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
    let other_format = other_content(&name, &beginning);
    let (path, url) = (path.to_string_lossy().into_owned(), download.url.clone());
    Ok(DownloadInfo { name, path, size, hash, url, other_format })
}

/// What a server sent instead of a file of this name, or `None` if nothing speaks against the file.
fn other_content(name: &str, beginning: &[u8]) -> Option<String> {
    other_format(name, beginning)
        .or_else(|| is_login_page(beginning).then_some("a log-in page"))
        .map(str::to_owned)
        .or_else(|| refusal_in(name, beginning))
}

/// The sentence with which a server refused the file, if that is all that the file contains:
/// `You have reached your export limit for today.` in `report.csv`. In a text file, only a sentence that is said to a
/// person counts, because a log may state any failure.
fn refusal_in(name: &str, beginning: &[u8]) -> Option<String> {
    const MOST: usize = 300;
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let is_text = matches!(&*extension, "txt" | "text" | "md");
    let text = std::str::from_utf8(beginning).ok()?.trim_start_matches('\u{feff}').trim();
    // The header of a table has separators without a space after them.
    let is_table = text.contains(['\t', ';', '"', '|']) || text.replace(", ", "").contains(',');
    let is_sentence =
        text.chars().count() <= MOST && text.lines().count() <= 2 && text.split_whitespace().count() >= 3 && !is_table;
    let lower = text.to_lowercase();
    let is_format = FORMATS.contains(&&*extension);
    let refuses =
        (is_format || is_text) && wording::is_addressed_refusal(text, "") || is_format && wording::states_refusal(text);
    // `Nothing was sold in this period.` is the content of an empty report.
    let is_report = lower.starts_with("no ") || lower.starts_with("nothing ");
    // A whole sentence is no table, whatever it says: `Your export is being prepared.` in `report.csv`.
    let is_told = matches!(&*extension, "csv" | "tsv") && text.ends_with(['.', '!', '…']);
    let is_table_of_error = matches!(&*extension, "csv" | "tsv") && states_error_in_table(text);
    (is_sentence && !is_report && (refuses || is_told) || is_table_of_error)
        .then(|| format!("the message \"{}\"", text.replace(['\r', '\n'], " ")))
}

/// Whether a table consists of a column for an error and one row with a refusal: `error;message`, `1;Not available for
/// your role`.
fn states_error_in_table(text: &str) -> bool {
    const ERRORS: [&str; 8] = ["error", "errors", "error_code", "errorcode", "fehler", "erreur", "errore", "erro"];
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let [header, row] = lines.as_slice() else { return false };
    let separators = [';', ',', '\t', '|'];
    let is_of_error =
        header.to_lowercase().split(separators).any(|name| ERRORS.contains(&name.trim().trim_matches('"')));
    let refuses = |cell: &str| {
        let cell = cell.trim().trim_matches('"');
        wording::is_addressed_refusal(cell, "") || wording::states_refusal(cell)
    };
    is_of_error && row.split(separators).any(refuses)
}

/// The extensions of files that are never HTML, JSON or a message in words.
const FORMATS: [&str; 22] = [
    "csv", "tsv", "pdf", "xlsx", "docx", "pptx", "ods", "odt", "odp", "zip", "gz", "tgz", "7z", "rar", "png", "jpg",
    "jpeg", "gif", "webp", "mp3", "mp4", "ics",
];

/// The format of a document that a server sent instead of a file of this name. HTML and JSON are checked, because
/// servers report errors in them. Only file names whose format is certainly a different one are considered: a `.xls`
/// file, for example, often contains HTML on purpose.
fn other_format(name: &str, beginning: &[u8]) -> Option<&'static str> {
    let extension = name.rsplit_once('.')?.1.to_ascii_lowercase();
    if !FORMATS.contains(&&*extension) {
        return None;
    }
    let text = beginning.strip_prefix(b"\xef\xbb\xbf").unwrap_or(beginning).trim_ascii_start();
    if text.is_empty() {
        return Some("nothing");
    }
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
    // Errors are short. Only the beginning of a longer file was read, which does not parse as JSON.
    let is_object = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(text).is_ok();
    is_object.then_some("JSON")
}

/// Whether a file is a page with a field for a password, whatever its name: a server that has ended the session
/// redirects the download to its log-in page, which arrives as `login.html`.
fn is_login_page(beginning: &[u8]) -> bool {
    let text = String::from_utf8_lossy(beginning).to_lowercase();
    let is_page = text.trim_start_matches('\u{feff}').trim_start().starts_with('<') && text.contains("<form");
    let is_quoted = |quote: &str| text.contains(&format!("type={quote}password{quote}"));
    is_page && ["\"", "'", ""].into_iter().any(is_quoted)
}

/// `name`, or `name (2)` and so on if it is taken.
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

/// A name that stays in its folder and that every file system accepts.
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
    use super::*;

    #[test]
    fn a_download_is_pending_until_it_ends_or_is_given_up() {
        let mut downloads = Downloads::default();
        downloads.begin("a".to_owned(), "http://a.test/a.csv".to_owned(), "a.csv", 3);
        assert!(downloads.is_pending_since(3) && !downloads.is_pending_since(4));
        assert_eq!(downloads.progress("b", 1.0, DownloadState::Completed, 10), DownloadProgress::Foreign);
        assert_eq!(downloads.progress("a", 5.0, DownloadState::InProgress, 10), DownloadProgress::Noted);
        assert!(downloads.take_ended().is_empty());
        downloads.give_up_since(3);
        assert!(downloads.any_since(3) && !downloads.is_pending_since(3));
        assert_eq!(downloads.progress("a", 5.0, DownloadState::Completed, 10), DownloadProgress::Noted);
        let ended = downloads.take_ended();
        assert_eq!(
            ended[0].download.end,
            Some(End::Failed("it did not end in time".to_owned())),
            "the first end counts"
        );
        assert!(!downloads.any_since(0));
    }

    #[test]
    fn a_download_that_is_too_large_is_cancelled_once_and_has_failed() {
        let mut downloads = Downloads::default();
        downloads.begin("a".to_owned(), "http://a.test/a.csv".to_owned(), "a.csv", 1);
        assert_eq!(downloads.progress("a", 11.0, DownloadState::InProgress, 10), DownloadProgress::TooLarge);
        assert_eq!(downloads.progress("a", 12.0, DownloadState::InProgress, 10), DownloadProgress::Noted);
        assert_eq!(downloads.progress("a", 12.0, DownloadState::Completed, 10), DownloadProgress::Noted);
        assert!(
            matches!(&downloads.take_ended()[0].download.end, Some(End::Failed(why)) if why.contains("limit of 10 bytes"))
        );
    }

    #[test]
    fn a_log_in_page_is_no_file_whatever_its_name() {
        let page = "<!doctype html><title>Sign in</title><form><input name=pw type=password></form>";
        assert!(is_login_page(page.as_bytes()) && is_login_page(page.replace("=password", "=\"Password\"").as_bytes()));
        assert!(!is_login_page(b"<!doctype html><title>Report</title><p>The type=password of a <form>"[..40].as_ref()));
        assert!(!is_login_page(b"name,type=password\n<form>,1\n"));
        for name in ["login.html", "report"] {
            assert_eq!(other_content(name, page.as_bytes()).as_deref(), Some("a log-in page"), "{name}");
        }
    }

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
            ("report.csv", "", Some("nothing")),
            ("log.txt", "", None),
        ] {
            assert_eq!(other_format(name, content.as_bytes()), format, "{name}: {content}");
        }
    }

    #[test]
    fn a_sentence_that_refuses_is_no_file() {
        for (name, content) in [
            ("report.csv", "You have reached your export limit for today."),
            ("report.csv", "\u{feff}Sorry, this report could not be created.\r\n"),
            ("invoice.pdf", "Access denied for this invoice"),
            ("export.txt", "You do not have permission to export customers."),
            ("f.csv", "error;message\n1;Export is not available for your role\n"),
        ] {
            assert!(refusal_in(name, content.as_bytes()).is_some(), "{name}: {content}");
        }
        for (name, content) in [
            ("report.csv", "id,name\n1,Ada\n"),
            ("report.csv", "Name,Date of failed payment,Reason for which it was declined\n"),
            ("report.csv", "status\nfailed\n"),
            ("jobs.csv", "job;error\n1;Mail was declined\n2;Mail was declined\n"),
            ("jobs.csv", "job;error\n1;none\n"),
            ("report.csv", "order number\n12\n13\n"),
            ("errors.txt", "Import failed in row 7"),
            ("data.json", "You have reached your export limit for today."),
            ("report.csv", "Nothing was sold in this period."),
        ] {
            assert_eq!(refusal_in(name, content.as_bytes()), None, "{name}: {content}");
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
