//! Reads and changes the entries of a page's storages individually, as the developer tools of a browser do.

use legwork_protocol::ActionFailure;
use secrecy::ExposeSecret;

use crate::{
    RequestDenial, Session,
    evaluate_error::dialog_open,
    page_script::{self as script, PageCall, StorageResult},
    storage_state::{Area, NameValue},
};

impl Session {
    /// The entries of a storage of the current page's origin, by name, secrets masked.
    ///
    /// # Errors
    /// If the page has no storage, or does not answer.
    pub async fn entries(&self, area: Area) -> Result<Vec<NameValue>, ActionFailure> {
        let entries = self.in_storage(area, script::StorageEntries { area }).await?;
        Ok(self.masked(entries))
    }

    /// The value of an entry, or `None` if there is none; secrets masked.
    ///
    /// # Errors
    /// As [`Session::entries`].
    pub async fn entry(&self, area: Area, name: &str) -> Result<Option<String>, ActionFailure> {
        let value = self.in_storage(area, script::StorageEntry { area, name }).await?;
        Ok(self.masked(value))
    }

    /// Sets an entry. A `${secret:NAME}` in the value is replaced by the secret if the secret is bound to the page's
    /// origin.
    ///
    /// # Errors
    /// As [`Session::entries`]; also if the storage is full, or the secret is not bound to the origin.
    pub async fn set_entry(&self, area: Area, name: &str, value: &str) -> Result<(), ActionFailure> {
        let origin = self.in_page(script::Origin {}).await?;
        let value = match (self.inner.guard().holds_secret(value), url::Url::parse(&origin)) {
            (true, Ok(origin)) => self.inner.guard().reveal(value, &origin),
            (true, Err(_)) => Err(RequestDenial::new("a page without an origin gets no secret")),
            (false, _) => Ok(value.into()),
        };
        let value = value?;
        let value = value.expose_secret();
        self.in_storage(area, script::SetStorageEntry { area, origin: &origin, name, value }).await
    }

    /// Deletes one entry or all of them. Returns how many were deleted.
    ///
    /// # Errors
    /// As [`Session::entries`].
    pub async fn delete_entries(&self, area: Area, name: Option<&str>) -> Result<usize, ActionFailure> {
        self.in_storage(area, script::DeleteStorageEntries { area, name }).await
    }

    async fn in_storage<T>(
        &self,
        area: Area,
        call: impl PageCall<Returns = StorageResult<T>>,
    ) -> Result<T, ActionFailure> {
        match self.in_page(call).await? {
            StorageResult::Value(value) => Ok(value),
            StorageResult::Error(reason) => Err(ActionFailure::NotAvailable { what: area.name().to_owned(), reason }),
        }
    }

    async fn in_page<C: PageCall>(&self, call: C) -> Result<C::Returns, ActionFailure> {
        let tab = self.inner.current_tab()?;
        if let Some(dialog) = self.inner.state().dialogs.open_in(tab).cloned() {
            return Err(dialog_open(&dialog));
        }
        let frame = self.inner.main_frame(tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        Ok(self.inner.call(&exec_context, call).await?)
    }
}
