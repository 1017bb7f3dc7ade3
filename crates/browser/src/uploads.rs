//! Uploads: only files inside the allowed folders are accepted, and symbolic links are resolved first. Files are set on
//! the file field itself, or through the file chooser that a button opens.

use std::path::{Path, PathBuf};

use legwork_protocol::{ActionFailure, Button, Upload};

use crate::{
    PrivateFolder, Session,
    act::{ActionOutput, ActionScope},
    page_script::{ElementOf, Need, PageExpression, Ready},
    state::SessionState,
    tabs::FileChooser,
};

impl Session {
    pub(crate) async fn upload(&self, scope: ActionScope, upload: &Upload) -> Result<ActionOutput, ActionFailure> {
        let files = self.allowed_files(&upload.files)?;
        let (exec_context, ready) = self.wait_actionable(scope.tab, &upload.target, Need::File).await?;
        let limit = self.inner.options.timeouts.script;
        let single = |multiple: bool| takes(files.len(), multiple, || ready.named(&upload.target.0));
        if let Some(field) = ready.file_field {
            single(field.multiple)?;
            let field = ElementOf { element: ready.element }.expression();
            let set = self.inner.driver.set_files_of(exec_context.context_ref(), field, files);
            self.inner.answer(scope.tab, set, limit).await?;
        } else {
            let session = self.tab_session(scope.tab)?;
            let intercept = |on| self.inner.driver.intercept_choosers(&session, on);
            self.inner.answer(scope.tab, intercept(true), limit).await?;
            let chosen = self.chooser(scope, &exec_context, &ready, upload).await;
            drop(intercept(self.inner.options.intercept_file_choosers));
            let chooser = chosen?;
            single(chooser.multiple)?;
            let set = self.inner.driver.set_files(&chooser.session, &chooser.node, files);
            self.inner.answer(scope.tab, set, limit).await?;
        }
        self.rest(scope, Some((&exec_context, Some(ready.element)))).await?;
        Ok(ActionOutput { element: Some(ready.what), value: None })
    }

    /// Sets files on the open file chooser, which [`SessionOptions::intercept_file_choosers`](crate::SessionOptions)
    /// keeps open. Without files, the chooser is cancelled.
    ///
    /// # Errors
    /// If no chooser is open, or a file must not be uploaded; the chooser then stays open.
    pub async fn choose_files(&self, files: &[String]) -> Result<(), ActionFailure> {
        let tab = self.inner.current_tab()?;
        let waiting = self.inner.state().tabs.get(tab).and_then(|tab| tab.chooser().cloned());
        let chooser = waiting.ok_or_else(|| ActionFailure::NotFound {
            target: "an open file chooser: click what opens one first".to_owned(),
            candidates: vec![],
        })?;
        let files = self.allowed_files(files)?;
        takes(files.len(), chooser.multiple, || "the file chooser".to_owned())?;
        // Beginning an epoch closes the chooser, and later effects are attributed to this action.
        let epoch = self.inner.state().begin_epoch();
        if files.is_empty() {
            return Ok(());
        }
        let set = self.inner.driver.set_files(&chooser.session, &chooser.node, files);
        self.inner.answer(tab, set, self.inner.options.timeouts.script).await?;
        self.rest(ActionScope { tab, epoch, awaits_answer: true }, None).await
    }

    /// Replaces the folders whose files may be uploaded.
    pub fn allow_uploads(&self, folders: Vec<PathBuf>) {
        self.inner.state().uploads = Some(folders);
    }

    pub(crate) fn allowed_files(&self, files: &[String]) -> Result<Vec<String>, ActionFailure> {
        let folders = self.inner.state().uploads.clone().unwrap_or_else(|| self.inner.options.uploads.clone());
        let private = &self.inner.options.private;
        let real = |file: &String| Ok(allowed(file, &folders, private)?.to_string_lossy().into_owned());
        files.iter().map(real).collect()
    }

    /// Clicks the element that opens a file chooser, and waits for the chooser.
    async fn chooser(
        &self,
        scope: ActionScope,
        exec_context: &crate::frame_tree::ExecutionContext,
        ready: &Ready,
        upload: &Upload,
    ) -> Result<FileChooser, ActionFailure> {
        let point = self.aimed(exec_context, ready, &upload.target).await?;
        self.press_mouse(scope.tab, point, Button::Left, 1, 0, false).await?;
        let opened = |state: &mut SessionState| state.tabs.get_mut(scope.tab)?.take_chooser();
        self.inner.within(self.inner.options.timeouts.action, opened).await.ok_or_else(|| ActionFailure::WrongKind {
            target: ready.named(&upload.target.0),
            is: "no file field".to_owned(),
            hint: "clicking it opened no file chooser; name the file field or the button that opens one".to_owned(),
        })
    }
}

/// Checks whether a field accepts this number of files.
fn takes(files: usize, multiple: bool, what: impl Fn() -> String) -> Result<(), ActionFailure> {
    if files <= 1 || multiple {
        return Ok(());
    }
    Err(ActionFailure::InvalidArgument { what: what(), reason: format!("it takes one file, not {files}") })
}

/// The file's real path, if it is inside an allowed folder and not private. A relative path is tried in each folder.
fn allowed(file: &str, folders: &[PathBuf], private: &[PrivateFolder]) -> Result<PathBuf, ActionFailure> {
    let refused = |reason: String| ActionFailure::UploadNotAllowed { reason };
    if folders.is_empty() {
        return Err(refused(
            "this run allows no uploads; name the folder that they come from: `--uploads DIR`, setting `uploads.roots`"
                .to_owned(),
        ));
    }
    let given = Path::new(file);
    let (mut outside, mut hidden) = (false, None);
    for folder in folders {
        let Ok(folder) = folder.canonicalize() else { continue };
        // `join` with an absolute path returns that path.
        let Ok(real) = folder.join(given).canonicalize() else { continue };
        if !real.starts_with(&folder) {
            outside = true;
        } else if real.is_file() {
            match private.iter().find(|private| private.hides(&real, &folder)) {
                Some(private) => hidden = Some(private),
                None => return Ok(real),
            }
        }
    }
    if let Some(private) = hidden {
        return Err(refused(format!(
            "{file} belongs to the private data of this program ({}), which is never uploaded; copy what is to be uploaded to \
             another folder",
            private.path.display()
        )));
    }
    if outside {
        let names: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        return Err(refused(format!("{file} lies outside of the folders for uploads ({})", names.join(", "))));
    }
    Err(ActionFailure::NotAvailable {
        what: file.to_owned(),
        reason: "there is no such file in the folders for uploads".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_inside_is_allowed() {
        let home = tempfile::tempdir().unwrap();
        let inside = home.path().join("in");
        std::fs::create_dir(&inside).unwrap();
        std::fs::write(inside.join("a.txt"), "a").unwrap();
        std::fs::write(home.path().join("secret.txt"), "s").unwrap();
        std::os::unix::fs::symlink(home.path().join("secret.txt"), inside.join("link.txt")).unwrap();
        let folders = [inside.clone()];
        assert!(allowed("a.txt", &folders, &[]).is_ok());
        assert!(allowed(inside.join("a.txt").to_str().unwrap(), &folders, &[]).is_ok());
        for outside in ["../secret.txt", "link.txt", "/etc/passwd"] {
            assert!(
                matches!(allowed(outside, &folders, &[]), Err(ActionFailure::UploadNotAllowed { .. })),
                "{outside}"
            );
        }
        assert!(matches!(allowed("none.txt", &folders, &[]), Err(ActionFailure::NotAvailable { .. })));
        assert!(matches!(allowed("a.txt", &[], &[]), Err(ActionFailure::UploadNotAllowed { .. })));
    }

    #[test]
    fn private_files_are_never_allowed_whichever_folder_contains_them() {
        let home = tempfile::tempdir().unwrap();
        let data = home.path().join("data");
        for folder in ["states", "downloads/1"] {
            std::fs::create_dir_all(data.join(folder)).unwrap();
        }
        for file in ["data/runs.db", "data/states/a.json", "data/downloads/1/b.pdf", "key", "mine.txt"] {
            std::fs::write(home.path().join(file), "x").unwrap();
        }
        std::os::unix::fs::symlink(&data, home.path().join("link")).unwrap();
        let private = [
            PrivateFolder { path: data.clone(), exceptions: vec![data.join("downloads")] },
            PrivateFolder { path: home.path().join("key"), exceptions: Vec::new() },
        ];
        let is_allowed = |file: &str, folder: &Path| match allowed(file, &[folder.to_owned()], &private) {
            Ok(_) => true,
            Err(ActionFailure::UploadNotAllowed { reason }) => {
                assert!(reason.contains("never uploaded"), "{reason}");
                false
            }
            Err(other) => panic!("{other:?}"),
        };
        let home = home.path();
        assert!(is_allowed("mine.txt", home));
        for file in ["key", "data/runs.db", "data/states/a.json", "link/runs.db", "data/downloads/1/b.pdf"] {
            assert!(!is_allowed(file, home), "{file}");
        }
        assert!(!is_allowed("runs.db", &data) && !is_allowed("a.json", &data.join("states")));
        assert!(is_allowed("b.pdf", &data.join("downloads/1")), "the user named the downloads");
    }
}
