//! The files that tools create, inside the server's output folder only. A file is overwritten only if the caller names
//! it.

use std::path::{Component, Path, PathBuf};

use thiserror::Error;

/// Why a file was not written or read.
#[derive(Debug, Error)]
pub(crate) enum FileError {
    #[error("{name:?} is outside of the output folder {}; give a name inside it", .folder.display())]
    Outside { name: String, folder: PathBuf },
    #[error("{} cannot be written: {source}", .path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{} cannot be read: {source}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
}

/// The path of a file in the folder.
pub(crate) fn place(folder: &Path, name: &str) -> Result<PathBuf, FileError> {
    let outside = || FileError::Outside { name: name.to_owned(), folder: folder.to_owned() };
    let given = Path::new(name);
    let inside = given.strip_prefix(folder).unwrap_or(given);
    let plain = inside.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain || inside.file_name().is_none() {
        return Err(outside());
    }
    let path = folder.join(inside);
    // A link whose target does not exist yet would be followed when the file is written.
    if path.ancestors().take_while(|at| *at != folder).any(|at| at.is_symlink() && at.canonicalize().is_err()) {
        return Err(outside());
    }
    let failed = |source| FileError::Write { path: folder.to_owned(), source };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let home = folder.canonicalize().map_err(failed)?;
    // A symbolic link inside the folder may lead out of it.
    let nearest = path.ancestors().find_map(|at| at.canonicalize().ok());
    if nearest.is_some_and(|real| real.starts_with(home)) { Ok(path) } else { Err(outside()) }
}

/// Writes a file under the given name or, without a name, under a new numbered one. Returns its path.
pub(crate) fn write(
    folder: &Path,
    name: Option<&str>,
    stem: &str,
    extension: &str,
    bytes: &[u8],
) -> Result<PathBuf, FileError> {
    let path = match name {
        Some(name) => place(folder, name)?,
        None => (1..)
            .map(|at| folder.join(format!("{stem}-{at}.{extension}")))
            .find(|path| path.symlink_metadata().is_err())
            .unwrap_or_default(),
    };
    let failed = |source| FileError::Write { path: path.clone(), source };
    std::fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
    std::fs::write(&path, bytes).map_err(failed)?;
    Ok(path)
}

pub(crate) fn read(folder: &Path, name: &str) -> Result<Vec<u8>, FileError> {
    let path = place(folder, name)?;
    std::fs::read(&path).map_err(|source| FileError::Read { path, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_stay_inside_the_output_folder() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("out");
        std::fs::create_dir(&folder).unwrap();
        std::os::unix::fs::symlink(home.path(), folder.join("up")).unwrap();
        assert_eq!(write(&folder, Some("a/b.png"), "page", "png", b"x").unwrap(), folder.join("a/b.png"));
        assert_eq!(write(&folder, None, "page", "png", b"x").unwrap(), folder.join("page-1.png"));
        assert_eq!(write(&folder, None, "page", "png", b"y").unwrap(), folder.join("page-2.png"));
        let absolute = folder.join("c.png");
        assert_eq!(write(&folder, absolute.to_str(), "page", "png", b"x").unwrap(), absolute);
        for outside in ["../c.png", "/etc/c.png", "a/../../c.png", "up/c.png", "..", ""] {
            let refused = write(&folder, Some(outside), "page", "png", b"x");
            assert!(matches!(refused, Err(FileError::Outside { .. })), "{outside}: {refused:?}");
        }
        assert!(!home.path().join("c.png").exists());
        // Links to files that do not exist yet.
        for link in ["new.png", "page-3.png"] {
            std::os::unix::fs::symlink(home.path().join("new.png"), folder.join(link)).unwrap();
        }
        let refused = write(&folder, Some("new.png"), "page", "png", b"x");
        assert!(matches!(refused, Err(FileError::Outside { .. })), "{refused:?}");
        assert_eq!(write(&folder, None, "page", "png", b"x").unwrap(), folder.join("page-4.png"));
        assert!(!home.path().join("new.png").exists());
        assert_eq!(read(&folder, "page-2.png").unwrap(), b"y");
    }
}
