//! The entries of a page's own storages, one at a time: what a person sees of them in a browser's tools.

use legwork_protocol::ActionFailure;
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{NameValue, Session, frames::dialog_open};

/// A storage of the page's origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    /// Kept, and the same in all tabs.
    Local,
    /// This tab's, while it is open.
    Session,
}

impl Area {
    /// What scripts call it.
    pub fn name(self) -> &'static str {
        match self {
            Area::Local => "localStorage",
            Area::Session => "sessionStorage",
        }
    }
}

impl Session {
    /// The entries of a storage of the current page's origin, by name, secrets masked.
    ///
    /// # Errors
    /// When the page has no storage, or does not answer.
    pub async fn entries(&self, area: Area) -> Result<Vec<NameValue>, ActionFailure> {
        let read = "Object.keys(s).sort().map((name)=>({name,value:s.getItem(name)}))";
        let entries: Vec<NameValue> = self.in_storage(area, read).await?;
        Ok(self.masked(entries))
    }

    /// The value of an entry, if there is one; secrets masked.
    ///
    /// # Errors
    /// As [`Session::entries`].
    pub async fn entry(&self, area: Area, name: &str) -> Result<Option<String>, ActionFailure> {
        let value: Option<String> = self.in_storage(area, &format!("s.getItem({})", json!(name))).await?;
        Ok(self.masked(value))
    }

    /// Sets an entry; a `${secret:NAME}` in it is put in where the secret may go.
    ///
    /// # Errors
    /// As [`Session::entries`]; and when the storage is full, or the page may not have the secret.
    pub async fn set_entry(&self, area: Area, name: &str, value: &str) -> Result<(), ActionFailure> {
        let at = self.in_page("origin").await?.as_str().map(str::to_owned).unwrap_or_default();
        let value = match (self.inner.guard().holds_secret(value), url::Url::parse(&at)) {
            (true, Ok(origin)) => self.inner.guard().reveal(value, &origin),
            (true, Err(_)) => Err(crate::RequestDenial::new("a page without an origin gets no secret")),
            (false, _) => Ok(value.into()),
        };
        let value = value.map_err(|refusal| ActionFailure::Refused { reason: refusal.reason })?;
        // The page may have become another since it was asked.
        let set = format!(
            "(()=>{{if(origin!=={})throw 'the page is another one by now';s.setItem({},{});return null}})()",
            json!(at),
            json!(name),
            json!(value.expose_secret()),
        );
        self.in_storage(area, &set).await
    }

    /// Takes an entry away, or all of them; answers how many there were.
    ///
    /// # Errors
    /// As [`Session::entries`].
    pub async fn delete_entries(&self, area: Area, name: Option<&str>) -> Result<usize, ActionFailure> {
        let delete = match name {
            Some(name) => format!("((had)=>(s.removeItem({0}),had))(+(s.getItem({0})!==null))", json!(name)),
            None => "((had)=>(s.clear(),had))(s.length)".to_owned(),
        };
        self.in_storage(area, &delete).await
    }

    /// The value of an expression with the storage as `s`.
    async fn in_storage<T: serde::de::DeserializeOwned>(&self, area: Area, script: &str) -> Result<T, ActionFailure> {
        let name = area.name();
        let script = format!(
            "(()=>{{let s;try{{s={name}}}catch{{return{{no:'this page has no storage'}}}}\
             try{{return{{value:{script}}}}}catch(e){{return{{no:String(e)}}}}}})()"
        );
        let mut answer = self.in_page(&script).await?;
        if let Some(reason) = answer["no"].as_str() {
            return Err(ActionFailure::NotAvailable { what: name.to_owned(), reason: reason.to_owned() });
        }
        Ok(crate::frames::value_of(answer["value"].take())?)
    }

    async fn in_page(&self, script: &str) -> Result<Value, ActionFailure> {
        let tab = self.inner.current_tab()?;
        if let Some(dialog) = self.inner.state().tab(tab).and_then(|tab| tab.dialog.clone()) {
            return Err(dialog_open(&dialog));
        }
        let frame = self.inner.main_frame(tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        Ok(self.inner.script(&exec_context, script.to_owned()).await?)
    }
}
