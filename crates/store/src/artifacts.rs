//! Content that is too large for an event, stored as files named by their SHA-256 (`ab/cdef…`), each with its media
//! type in a second file. The same content is stored once.
//!
//! [`Artifacts`] is the interface behind which an object store can replace the folder when several machines share a
//! log; plain files need no library.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, SystemTime},
};

use async_trait::async_trait;
use legwork_protocol::Artifact;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// Why an artifact could not be stored or read.
#[derive(Debug, Error)]
pub enum ArtifactError {
    /// The name is not a SHA-256 in lower-case hexadecimal.
    #[error("{hash:?} is not the name of an artifact")]
    Name {
        /// The given name.
        hash: String,
    },
    /// The artifact does not exist.
    #[error("artifact {hash} does not exist; its run may have been pruned")]
    Missing {
        /// The name of the artifact.
        hash: String,
    },
    /// The artifact is larger than the caller accepts.
    #[error("artifact {hash} has {size} bytes, more than {limit}")]
    TooLarge {
        /// The name of the artifact.
        hash: String,
        /// Its size in bytes.
        size: u64,
        /// The caller's limit in bytes.
        limit: u64,
    },
    /// The content does not match the name.
    #[error("artifact {hash} is damaged")]
    Damaged {
        /// The name of the artifact.
        hash: String,
    },
    /// The disk is full.
    #[error("the disk that contains {path} is full; free some space, or delete old runs")]
    DiskFull {
        /// The folder.
        path: PathBuf,
    },
    /// The file system returned an error.
    #[error("{path} cannot be read or written")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

/// Stores content by its hash.
#[async_trait]
pub trait Artifacts: Send + Sync + 'static {
    /// Stores `bytes`. They are on the disk when this returns.
    async fn put(&self, bytes: Vec<u8>, media_type: &str) -> Result<Artifact, ArtifactError>;

    /// The content, if it has at most `limit` bytes.
    async fn get(&self, hash: &str, limit: u64) -> Result<Vec<u8>, ArtifactError>;

    /// The size and media type of an artifact.
    async fn stat(&self, hash: &str) -> Result<Artifact, ArtifactError>;

    /// The file of an artifact, if it is stored as a file.
    fn path(&self, hash: &str) -> Option<PathBuf>;

    /// Deletes everything except `keep` and what was stored within `fresh`; returns the number of freed bytes.
    ///
    /// May run while artifacts are stored. A stored artifact counts as fresh, even if it existed before, because an
    /// event that names it will follow soon. `fresh` must be longer than the time until that event.
    async fn sweep(&self, keep: Vec<String>, fresh: Duration) -> Result<u64, ArtifactError>;
}

/// Artifacts in a folder.
#[derive(Clone, Debug)]
pub struct FileArtifacts {
    folder: PathBuf,
}

impl FileArtifacts {
    /// Uses `folder`, which is created when it is needed.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        FileArtifacts { folder: folder.into() }
    }

    fn place(&self, hash: &str) -> Result<PathBuf, ArtifactError> {
        // Only the output of our own hash function becomes a path, so that a name cannot contain separators or dots.
        let named = hash.len() == 64 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !named {
            return Err(ArtifactError::Name { hash: hash.to_owned() });
        }
        Ok(self.folder.join(&hash[..2]).join(&hash[2..]))
    }

    fn put_now(&self, bytes: &[u8], media_type: &str) -> Result<Artifact, ArtifactError> {
        let hash = hash_of(bytes);
        let path = self.place(&hash)?;
        let size = bytes.len() as u64;
        let artifact = Artifact { hash, media_type: media_type.to_owned(), size };
        // The lock prevents a sweep from removing the file while it is stored.
        let _lock = self.lock(File::lock_shared)?;
        // The file exists and is complete, because a file gets its name only when all of it is on the disk. It counts
        // as fresh again.
        if fs::metadata(&path).is_ok_and(|found| found.len() == size)
            && File::options().append(true).open(&path).and_then(|file| file.set_modified(SystemTime::now())).is_ok()
        {
            return Ok(artifact);
        }
        let folder = path.parent().unwrap_or(&self.folder);
        let write = || -> io::Result<()> {
            fs::create_dir_all(folder)?;
            // The media type is written first, so that existing content always has its type.
            write_atomically(&type_path(&path), media_type.as_bytes())?;
            write_atomically(&path, bytes)?;
            sync_folder(folder)
        };
        write().map_err(|source| io_error(&path, source))?;
        Ok(artifact)
    }

    fn get_now(&self, hash: &str, limit: u64) -> Result<Vec<u8>, ArtifactError> {
        let path = self.place(hash)?;
        let file = File::open(&path).map_err(|source| missing_or(hash, &path, source))?;
        let size = file.metadata().map_err(|source| io_error(&path, source))?.len();
        if size > limit {
            return Err(ArtifactError::TooLarge { hash: hash.to_owned(), size, limit });
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
        file.take(limit).read_to_end(&mut bytes).map_err(|source| io_error(&path, source))?;
        if hash_of(&bytes) != hash {
            return Err(ArtifactError::Damaged { hash: hash.to_owned() });
        }
        Ok(bytes)
    }

    fn stat_now(&self, hash: &str) -> Result<Artifact, ArtifactError> {
        let path = self.place(hash)?;
        let size = fs::metadata(&path).map_err(|source| missing_or(hash, &path, source))?.len();
        let media_type = fs::read_to_string(type_path(&path)).unwrap_or_else(|_| "application/octet-stream".to_owned());
        Ok(Artifact { hash: hash.to_owned(), media_type, size })
    }

    fn sweep_now(&self, keep: &[String], fresh: Duration) -> Result<u64, ArtifactError> {
        let kept: HashSet<PathBuf> =
            keep.iter().filter_map(|hash| self.place(hash).ok()).flat_map(|path| [type_path(&path), path]).collect();
        let mut freed = 0;
        for shelf in entries(&self.folder)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&shelf)?.into_iter().filter(|path| !kept.contains(path)) {
                // The file of the media type is as old as the content.
                let content = path.with_extension("");
                // The lock is taken for each file separately, so that storing waits for at most one removal.
                let _lock = self.lock(File::lock)?;
                let about = |path: &Path| fs::metadata(path).ok();
                let touched = about(&content).or_else(|| about(&path)).and_then(|about| about.modified().ok());
                let age = touched.and_then(|touched| touched.elapsed().ok()).unwrap_or_default();
                // A file with a modification time in the future has no age; it is removed only if everything is
                // removed.
                if age < fresh {
                    continue;
                }
                let size = about(&path).map_or(0, |about| about.len());
                fs::remove_file(&path).map_err(|source| io_error(&path, source))?;
                freed += size;
            }
        }
        Ok(freed)
    }

    /// The lock between storing and sweeping, across processes.
    fn lock(&self, how: impl Fn(&File) -> io::Result<()>) -> Result<File, ArtifactError> {
        let path = self.folder.join("lock");
        let lock = || -> io::Result<File> {
            fs::create_dir_all(&self.folder)?;
            let file = File::options().write(true).create(true).truncate(false).open(&path)?;
            how(&file)?;
            Ok(file)
        };
        lock().map_err(|source| io_error(&path, source))
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&FileArtifacts) -> Result<T, ArtifactError> + Send + 'static,
    ) -> Result<T, ArtifactError> {
        let (this, folder) = (self.clone(), self.folder.clone());
        tokio::task::spawn_blocking(move || work(&this))
            .await
            .map_err(|stopped| ArtifactError::Io { path: folder, source: io::Error::other(stopped) })?
    }
}

#[async_trait]
impl Artifacts for FileArtifacts {
    async fn put(&self, bytes: Vec<u8>, media_type: &str) -> Result<Artifact, ArtifactError> {
        let media_type = media_type.to_owned();
        self.off_thread(move |this| this.put_now(&bytes, &media_type)).await
    }

    async fn get(&self, hash: &str, limit: u64) -> Result<Vec<u8>, ArtifactError> {
        let hash = hash.to_owned();
        self.off_thread(move |this| this.get_now(&hash, limit)).await
    }

    async fn stat(&self, hash: &str) -> Result<Artifact, ArtifactError> {
        let hash = hash.to_owned();
        self.off_thread(move |this| this.stat_now(&hash)).await
    }

    fn path(&self, hash: &str) -> Option<PathBuf> {
        self.place(hash).ok()
    }

    async fn sweep(&self, keep: Vec<String>, fresh: Duration) -> Result<u64, ArtifactError> {
        self.off_thread(move |this| this.sweep_now(&keep, fresh)).await
    }
}

fn hash_of(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The file next to the content that contains the media type.
fn type_path(content: &Path) -> PathBuf {
    content.with_extension("type")
}

/// Writes to a temporary file, syncs and renames it: after a crash, the file is either complete or absent.
fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let aside = path.with_extension(format!("{}-{}.part", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
    let written = File::create(&aside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_data()))
        .and_then(|()| fs::rename(&aside, path));
    if written.is_err() {
        // Best effort; the error above is reported.
        let _ = fs::remove_file(&aside);
    }
    written
}

/// A rename is durable only after its folder is synced.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, ArtifactError> {
    match fs::read_dir(folder) {
        Ok(found) => Ok(found.flatten().map(|entry| entry.path()).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(source) => Err(io_error(folder, source)),
    }
}

fn missing_or(hash: &str, path: &Path, source: io::Error) -> ArtifactError {
    if source.kind() == io::ErrorKind::NotFound {
        ArtifactError::Missing { hash: hash.to_owned() }
    } else {
        io_error(path, source)
    }
}

fn io_error(path: &Path, source: io::Error) -> ArtifactError {
    let path = path.to_owned();
    if source.kind() == io::ErrorKind::StorageFull {
        ArtifactError::DiskFull { path }
    } else {
        ArtifactError::Io { path, source }
    }
}
