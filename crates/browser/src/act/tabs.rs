//! Actions on tabs: resolving names, opening, switching and closing.

use std::time::Duration;

use futures_util::future::join_all;
use legwork_protocol::{ActionFailure, Tab};
use serde_json::json;

use super::{ActionOutput, ActionScope, pages::address};
use crate::{Session, page_script as script};

/// The longest wait for the title of a page.
const TITLE_LIMIT: Duration = Duration::from_millis(500);

impl Session {
    pub(crate) async fn tab(&self, action: &Tab) -> Result<ActionOutput, ActionFailure> {
        self.refresh_titles().await;
        match action {
            Tab::List => {}
            Tab::Open { url } => {
                if let Some(url) = url {
                    // The address is checked first, so that an address that must not be opened leaves no empty tab.
                    address(url)?;
                }
                self.fresh_tab().await?;
                if let Some(url) = url {
                    self.open(url).await?;
                }
            }
            Tab::Switch { to } => {
                let number = self.tab_named(to)?;
                let session = self.tab_session(number)?;
                let epoch = {
                    let mut state = self.inner.state();
                    state.tabs.adopt(number);
                    state.begin_epoch()
                };
                let limit = self.inner.options.timeouts.script;
                Self::input_done(self.inner.answer(number, self.inner.driver.activate(&session), limit).await)?;
                self.rest(ActionScope { tab: number, epoch, awaits_answer: false }, None).await?;
            }
            Tab::Close { tab } => {
                let number = match tab {
                    Some(name) => self.tab_named(name)?,
                    None => self.inner.current_tab()?,
                };
                self.drop_tab(number).await;
            }
        }
        Ok(ActionOutput { element: None, value: Some(json!(self.tabs())) })
    }

    /// Requests the current titles, because events report them late. A tab that does not answer keeps its known title.
    pub(crate) async fn refresh_titles(&self) {
        let tabs: Vec<u32> = self.inner.state().tabs.iter().map(|tab| tab.number()).collect();
        join_all(tabs.into_iter().map(|number| self.refresh_title(number))).await;
    }

    async fn refresh_title(&self, number: u32) -> Option<()> {
        let frame = self.inner.main_frame(number)?;
        let exec_context = self.inner.exec_context(&frame).await.ok()?;
        let title = self.inner.call_within(&exec_context, script::Title {}, TITLE_LIMIT).await.ok()?;
        self.inner.state().tabs.get_mut(number)?.set_title(&title);
        Some(())
    }

    /// The title of the current tab now, secrets masked. A page that does not answer has its known title.
    pub async fn title(&self) -> String {
        let Ok(number) = self.inner.current_tab() else { return String::new() };
        self.refresh_title(number).await;
        let tabs = self.inner.tab_list();
        tabs.into_iter().find(|tab| tab.number == number).map(|tab| tab.title).unwrap_or_default()
    }

    fn tab_named(&self, name: &str) -> Result<u32, ActionFailure> {
        let tabs = self.tabs();
        let wanted = name.trim().to_lowercase();
        let fits = |text: &str| text.to_lowercase().contains(&wanted);
        // A number is the number of a tab and nothing else: as a text, it would also match the port of another tab's
        // address, and that tab would be closed.
        let found: Vec<_> = match wanted.parse::<u32>() {
            Ok(number) => tabs.iter().filter(|tab| tab.number == number).collect(),
            Err(_) => tabs.iter().filter(|tab| fits(&tab.title) || fits(&tab.url)).collect(),
        };
        let shown = |tab: &legwork_protocol::TabInfo| format!("{}: {:?} {}", tab.number, tab.title, tab.url);
        let target = format!("the tab {name:?}");
        match found.as_slice() {
            [only] => Ok(only.number),
            [] => Err(ActionFailure::NotFound { target, candidates: tabs.iter().map(shown).collect() }),
            several => Err(ActionFailure::Ambiguous {
                target,
                count: several.len(),
                candidates: several.iter().map(|tab| shown(tab)).collect(),
            }),
        }
    }
}
