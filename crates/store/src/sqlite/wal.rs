//! Checks whether the write-ahead log contains transactions that SQLite would drop without an error.
//!
//! After a crash, SQLite reads the log up to the first frame whose checksum or salts do not match, and treats the
//! rest as remains of an earlier generation. This is right if a kill truncated the end, and wrong if a byte before
//! confirmed transactions is damaged: a journal that lost its last events makes a resume repeat actions. This module
//! therefore reads the file before SQLite does (<https://www.sqlite.org/fileformat2.html#the_write_ahead_log>). The
//! number of confirmed frames is in the index file (`-shm`, <https://www.sqlite.org/walformat.html#wal_index_header>),
//! which remains after a kill: a log that is shorter has lost its end. Pure except for `check` and the copy that it
//! keeps.

use std::{
    fs, io,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use crate::StoreError;

const SUFFIX: &str = "-wal";
const INDEX_SUFFIX: &str = "-shm";
const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
const INDEX_HEADER: usize = 48;

/// How often a log that looks damaged is read again, because another process may be in the middle of writing a frame.
const MAX_READS: u32 = 4;
const READ_INTERVAL: Duration = Duration::from_millis(50);

/// The position of damage that transactions follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Damage {
    offset: usize,
    /// The number of transactions behind it, as far as their ends can be found.
    lost: usize,
}

/// The path of the write-ahead log of a database.
pub(super) fn path_of(database: &Path) -> PathBuf {
    with_suffix(database, SUFFIX)
}

/// Refuses a database whose log is damaged, and keeps a copy of the log, because SQLite overwrites it once it is
/// opened.
pub(super) fn check(database: &Path) -> Result<(), StoreError> {
    let wal = path_of(database);
    let failed = |source| StoreError::Open { path: wal.clone(), source };
    let mut found = None;
    for read in 0..MAX_READS {
        if read > 0 {
            thread::sleep(READ_INTERVAL);
        }
        // The index is read before the log, because another process may be appending to the log.
        let index = fs::read(with_suffix(database, INDEX_SUFFIX)).unwrap_or_default();
        let bytes = match fs::read(&wal) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(error)),
        };
        // The first page of a database is written before the log.
        if bytes.len() > HEADER && fs::metadata(database).is_ok_and(|file| file.len() == 0) {
            let copy = keep_copy(&wal, &bytes).map_err(failed)?;
            let detail =
                format!("the file is empty, but its log is not; a copy of the log is kept as {}", copy.display());
            return Err(StoreError::Corrupt { path: database.to_owned(), detail });
        }
        let Some(damage) = damage(&bytes).or_else(|| lost_end(&bytes, &index)) else { return Ok(()) };
        found = Some((damage, bytes));
    }
    let Some((Damage { offset, lost }, bytes)) = found else { return Ok(()) };
    let copy = keep_copy(&wal, &bytes).map_err(failed)?;
    let detail = format!(
        "it cannot be read from byte {offset} on, and {lost} transactions follow; a copy of the log is kept as {}",
        copy.display()
    );
    Err(StoreError::Corrupt { path: wal, detail })
}

/// Copies a log to a file next to it, unless this copy exists already. Copies of other damage are kept.
fn keep_copy(wal: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut number = 1;
    loop {
        let suffix = if number == 1 { ".damaged".to_owned() } else { format!(".damaged-{number}") };
        let copy = with_suffix(wal, &suffix);
        match fs::read(&copy) {
            Ok(known) if known == bytes => return Ok(copy),
            Ok(_) => number += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return fs::write(&copy, bytes).map(|()| copy),
            Err(error) => return Err(error),
        }
    }
}

/// Whether the name of a file is that of a database's write-ahead log.
pub(crate) fn is_wal(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(SUFFIX)
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The first frame that does not match, if the end of a transaction of the same generation of the log follows it.
/// Otherwise the frames behind it are a truncated write, or the rest of a transaction that was rolled back.
fn damage(wal: &[u8]) -> Option<Damage> {
    let header = wal.get(..HEADER)?;
    let (page, words) = (word(header, 8) as usize, Words::of(word(header, 0)));
    let frame = FRAME_HEADER + page;
    let sound = words.is_some_and(|words| words.sum((0, 0), &header[..24]) == pair(header, 24));
    let (Some(words), true) = (words, sound) else {
        // The header is on the disk before any frame is written.
        let smallest = FRAME_HEADER + 512;
        let lost = wal.len().saturating_sub(HEADER) / if page.is_power_of_two() { frame } else { smallest };
        return (lost > 0).then_some(Damage { offset: 0, lost });
    };
    let salts = pair(header, 16);
    let (mut sum, mut first_bad, mut lost) = (pair(header, 24), None, 0);
    for (at, frame) in wal[HEADER..].chunks_exact(frame).enumerate() {
        let is_current = pair(frame, 8) == salts;
        if first_bad.is_none() {
            sum = words.sum(words.sum(sum, &frame[..8]), &frame[FRAME_HEADER..]);
            if is_current && sum == pair(frame, 16) {
                continue;
            }
            first_bad = Some(HEADER + at * frame.len());
            continue;
        }
        // A non-zero value is the size of the database after a transaction that ends here.
        lost += usize::from(is_current && word(frame, 4) != 0);
    }
    first_bad.filter(|_| lost > 0).map(|offset| Damage { offset, lost })
}

/// Detects a truncated log: the index belongs to the same generation of the log and counts more frames. A transaction
/// is on the disk before the index counts it.
fn lost_end(wal: &[u8], index: &[u8]) -> Option<Damage> {
    let (header, index) = (wal.get(..HEADER)?, index.get(..INDEX_HEADER)?);
    let is_begun = index[12] == 1;
    let frames = u32::from_ne_bytes([index[16], index[17], index[18], index[19]]) as usize;
    let there = (wal.len() - HEADER) / (FRAME_HEADER + word(header, 8) as usize);
    let is_of_this_generation = index[32..40] == header[16..24];
    (is_begun && is_of_this_generation && there < frames).then(|| Damage { offset: wal.len(), lost: frames - there })
}

/// The byte order in which checksums read words. Words in the headers are always big-endian.
#[derive(Clone, Copy)]
enum Words {
    Little,
    Big,
}

impl Words {
    fn of(magic: u32) -> Option<Words> {
        match magic {
            0x377f_0682 => Some(Words::Little),
            0x377f_0683 => Some(Words::Big),
            _ => None,
        }
    }

    fn sum(self, (mut first, mut second): (u32, u32), bytes: &[u8]) -> (u32, u32) {
        let read = |bytes: &[u8]| {
            let bytes = [bytes[0], bytes[1], bytes[2], bytes[3]];
            match self {
                Words::Little => u32::from_le_bytes(bytes),
                Words::Big => u32::from_be_bytes(bytes),
            }
        };
        for two in bytes.chunks_exact(8) {
            first = first.wrapping_add(read(&two[..4])).wrapping_add(second);
            second = second.wrapping_add(read(&two[4..])).wrapping_add(first);
        }
        (first, second)
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn pair(bytes: &[u8], at: usize) -> (u32, u32) {
    (word(bytes, at), word(bytes, at + 4))
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    /// The log of a database with this many transactions, as a kill leaves it, and the number of bytes of a frame.
    fn written(transactions: usize) -> (Vec<u8>, usize) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).expect("opens");
        connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a)").expect("writes");
        for at in 1..transactions {
            connection.execute("INSERT INTO t VALUES (?1)", [at as i64]).expect("writes");
        }
        let bytes = fs::read(path_of(&path)).expect("reads");
        let frame = FRAME_HEADER + word(&bytes, 8) as usize;
        (bytes, frame)
    }

    #[test]
    fn a_whole_log_and_one_that_a_kill_cut_off_are_sound() {
        let (whole, frame) = written(8);
        assert_eq!(damage(&whole), None);
        for end in 0..whole.len() / 64 {
            assert_eq!(damage(&whole[..end * 64]), None, "cut off at {}", end * 64);
        }
        // The last write reached the disk only in part.
        let mut torn = whole.clone();
        let last = torn.len() - frame + FRAME_HEADER;
        torn[last..].fill(0);
        assert_eq!(damage(&torn), None);
    }

    #[test]
    fn a_flipped_byte_before_the_end_of_a_transaction_is_damage() {
        let (whole, frame) = written(8);
        let frames = (whole.len() - HEADER) / frame;
        for at in 0..frames - 1 {
            // In the page, its number, the salts and the checksum.
            for byte in [FRAME_HEADER + 100, 1, 9, 17] {
                let mut damaged = whole.clone();
                damaged[HEADER + at * frame + byte] ^= 0x10;
                let found = damage(&damaged).unwrap_or_else(|| panic!("frame {at}, byte {byte}"));
                assert_eq!(found.offset, HEADER + at * frame);
                assert!(found.lost > 0 && found.lost < frames - at, "{found:?}");
            }
        }
        for byte in 0..HEADER {
            let mut damaged = whole.clone();
            damaged[byte] ^= 0x10;
            assert_eq!(damage(&damaged).map(|found| found.offset), Some(0), "byte {byte} of the header");
        }
    }

    #[test]
    fn a_log_that_has_lost_its_end_is_damaged() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).expect("opens");
        connection.execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a)").expect("writes");
        for number in 0..8 {
            connection.execute("INSERT INTO t VALUES (?1)", [number]).expect("writes");
        }
        // As a kill leaves it.
        let killed = folder.path().join("killed.db");
        for suffix in ["", SUFFIX, INDEX_SUFFIX] {
            fs::copy(with_suffix(&path, suffix), with_suffix(&killed, suffix)).expect("copies");
        }
        assert!(check(&killed).is_ok());
        let whole = fs::read(path_of(&killed)).expect("reads");
        for part in [whole.len() / 2, whole.len() - 1, HEADER] {
            fs::write(path_of(&killed), &whole[..part]).expect("writes");
            assert!(matches!(check(&killed), Err(StoreError::Corrupt { .. })), "{part}");
        }
        // The log was restarted: the index belongs to an earlier generation, or is empty.
        fs::write(with_suffix(&killed, INDEX_SUFFIX), b"").expect("writes");
        assert!(check(&killed).is_ok());
    }

    #[test]
    fn each_damage_has_its_own_copy() {
        let folder = tempfile::tempdir().expect("a folder");
        let wal = folder.path().join("x.db-wal");
        let copy = |bytes: &[u8]| keep_copy(&wal, bytes).expect("writes");
        let first = copy(b"first");
        assert_eq!(copy(b"first"), first);
        let second = copy(b"second");
        assert_ne!(first, second);
        assert_eq!(
            (fs::read(first).expect("reads"), fs::read(second).expect("reads")),
            (b"first".into(), b"second".into())
        );
    }

    #[test]
    fn frames_of_an_older_generation_and_of_a_rolled_back_transaction_are_no_damage() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.db");
        let connection = Connection::open(&path).expect("opens");
        connection
            .execute_batch("PRAGMA journal_mode = WAL; PRAGMA cache_size = 4; CREATE TABLE t (a)")
            .expect("writes");
        let large = "x".repeat(100_000);
        connection.execute_batch("BEGIN").expect("begins");
        connection.execute("INSERT INTO t VALUES (?1)", [&large]).expect("writes");
        connection.execute_batch("ROLLBACK; INSERT INTO t VALUES (1)").expect("writes");
        let bytes = fs::read(path_of(&path)).expect("reads");
        assert!(bytes.len() > 50_000, "pages were written before the transaction was rolled back");
        assert_eq!(damage(&bytes), None);
        // The log restarts and overwrites its content.
        connection.execute("INSERT INTO t VALUES (?1)", [&large]).expect("writes");
        connection.execute_batch("PRAGMA wal_checkpoint(RESTART); INSERT INTO t VALUES (2)").expect("writes");
        assert_eq!(damage(&fs::read(path_of(&path)).expect("reads")), None);
    }
}
