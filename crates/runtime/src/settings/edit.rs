//! Changes one setting in a settings file. Comments, order and blank lines are preserved.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use thiserror::Error;
use toml_edit::{DocumentMut, Item, Table};

use super::{Origin, SettingsProblem, TextFile, find, sources::unknown};

/// The file to change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The user's file.
    User(PathBuf),
    /// The project's file, which accepts safe settings only.
    Project(PathBuf),
}

/// Why a setting was not changed. The file is unchanged then.
#[derive(Debug, Error)]
pub enum EditError {
    /// The name or the value is invalid, or the file may not set it.
    #[error(transparent)]
    Refused(#[from] SettingsProblem),
    /// The settings would contradict each other, or another line of the file is invalid.
    #[error("with this change, the settings would be invalid")]
    Contradiction(Vec<SettingsProblem>),
    /// The file is not valid TOML.
    #[error("{path} is not valid TOML; fix it first")]
    Broken {
        /// The path of the file.
        path: PathBuf,
        /// The position of the error.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file cannot be read or written.
    #[error("{path} cannot be read or written")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        source: io::Error,
    },
}

/// Sets a setting in a file, and creates the file if necessary; `None` removes the setting.
pub fn set(name: &str, value: Option<&str>, scope: &Scope) -> Result<(), EditError> {
    set_checked(name, value, scope, |_| Ok(()))
}

/// As [`set`], if `check` accepts the changed file. Returns the result of the check.
///
/// # Errors
/// The file is unchanged then, also if the check failed ([`EditError::Contradiction`]).
pub fn set_checked<T>(
    name: &str,
    value: Option<&str>,
    scope: &Scope,
    check: impl FnOnce(TextFile) -> Result<T, Vec<SettingsProblem>>,
) -> Result<T, EditError> {
    let (path, in_project) = match scope {
        Scope::User(path) => (path, false),
        Scope::Project(path) => (path, true),
    };
    let failed = |source| EditError::Io { path: path.clone(), source };
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(failed(error)),
    };
    let changed = change(&text, name, value, in_project, path)?;
    let checked = check(TextFile { path: path.clone(), text: changed.clone() }).map_err(EditError::Contradiction)?;
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    // Writes a second file and renames it, so that a full disk does not destroy the old file.
    let aside = path.with_extension("toml.new");
    fs::write(&aside, changed).and_then(|()| fs::rename(&aside, path)).map_err(failed)?;
    Ok(checked)
}

fn change(text: &str, name: &str, value: Option<&str>, in_project: bool, path: &Path) -> Result<String, EditError> {
    let setting = find(name).ok_or_else(|| unknown(Origin::Flag, name))?;
    if in_project && !setting.is_project_safe() {
        let mut problem = SettingsProblem::new(Origin::Flag, name, "a project's file may not set this");
        problem.hint = Some("set it for yourself, without --project".to_owned());
        return Err(problem.into());
    }
    let value = match value {
        None => None,
        Some(text) => Some(
            setting
                .kind
                .read(text)
                .map(|value| setting.kind.to_toml(&value))
                .map_err(|error| SettingsProblem::new(Origin::Flag, name, error.to_string()))?,
        ),
    };
    let mut document: DocumentMut = text.parse().map_err(|source: toml_edit::TomlError| EditError::Broken {
        path: path.to_owned(),
        source: Box::new(source),
    })?;
    let (section, key) = name.rsplit_once('.').map_or((None, name), |(section, key)| (Some(section), key));
    let not_a_table = || {
        SettingsProblem::new(
            Origin::Flag,
            name,
            format!("`{}` in {} is not a table", section.unwrap_or_default(), path.display()),
        )
    };
    let table: &mut dyn toml_edit::TableLike = match section {
        None => document.as_table_mut(),
        Some(section) => document
            .entry(section)
            .or_insert_with(|| Item::Table(Table::new()))
            .as_table_like_mut()
            .ok_or_else(not_a_table)?,
    };
    match (value, table.get_mut(key)) {
        (None, _) => {
            table.remove(key);
        }
        // Replaces the value in place, so that a comment after the old value is preserved.
        (Some(value), Some(Item::Value(old))) => {
            let decor = old.decor().clone();
            *old = value;
            *old.decor_mut() = decor;
        }
        (Some(value), _) => {
            table.insert(key, Item::Value(value));
        }
    }
    Ok(document.to_string())
}
