//! Files and folders that only their owner can read.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::Path,
};

/// Writes a file that only its owner can read, and one line feed after the text. The file is replaced as a whole: a
/// reader finds the former content or the new one, also after a crash.
///
/// # Errors
/// Those of the file system.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Such a file has mode 0600 from the beginning.
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.write_all(b"\n")?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    sync_folder(folder)
}

/// Without it, a crash could bring the former file back, and with it a revoked token.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Opens a file that only its owner can read, to add to its end. Creates it if there is none.
///
/// # Errors
/// Those of the file system.
pub fn append_private(path: &Path) -> io::Result<File> {
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

/// Whether other users of this machine can read or write the file.
///
/// # Errors
/// Those of the file system.
#[cfg(unix)]
pub fn is_accessible_by_others(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(fs::metadata(path)?.mode() & 0o077 != 0)
}

/// Whether other users of this machine can read or write the file.
///
/// # Errors
/// None here: the data folder is in the user's profile, which other users cannot open.
#[cfg(not(unix))]
pub fn is_accessible_by_others(_: &Path) -> io::Result<bool> {
    Ok(false)
}

/// Creates a folder that only its owner can read, with its parents. An existing folder keeps its permissions.
///
/// # Errors
/// Those of the file system.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}
