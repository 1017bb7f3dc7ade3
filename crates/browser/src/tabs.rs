//! Tabs: naming, opening, switching and closing them.

use futures_util::future::join_all;
use legwork_protocol::{ActionFailure, Tab};
use serde_json::json;

use crate::{
    Session,
    act::{Did, Turn},
    frames::value_of,
};

impl Session {
    pub(crate) async fn tab(&self, action: &Tab) -> Result<Did, ActionFailure> {
        self.refresh_titles().await;
        match action {
            Tab::List => {}
            Tab::Open { url } => {
                if let Some(url) = url {
                    // What may not be opened opens no tab either.
                    crate::act::address(url)?;
                }
                self.fresh_tab().await?;
                if let Some(url) = url {
                    self.open(url).await?;
                }
            }
            Tab::Switch { to } => {
                let number = self.tab_named(to)?;
                let session = self.tab_session(number)?;
                let mark = {
                    let mut state = self.shared.state();
                    state.adopt(number);
                    state.mark()
                };
                let limit = self.shared.options.timeouts.script;
                Self::input_done(self.shared.answer(number, self.shared.driver.activate(&session), limit).await)?;
                self.rest(Turn { tab: number, mark }, None).await?;
            }
            Tab::Close { tab } => {
                let number = match tab {
                    Some(name) => self.tab_named(name)?,
                    None => self.shared.current_tab()?,
                };
                self.drop_tab(number).await;
            }
        }
        Ok(Did { element: None, value: Some(json!(self.tabs())) })
    }

    /// Titles are told of late; a tab that does not answer keeps the one we know.
    async fn refresh_titles(&self) {
        let tabs: Vec<u32> = self.shared.state().tabs.iter().map(|tab| tab.number).collect();
        let ask = async |number: u32| {
            let frame = self.shared.main_frame(number)?;
            let place = self.shared.place(&frame).await.ok()?;
            let limit = std::time::Duration::from_millis(500);
            let reply = self.shared.send_script(&place, "document.title".to_owned());
            let answer = self.shared.answer(number, reply, limit).await.ok()?;
            let title = value_of::<String>(answer).ok()?;
            self.shared.state().tab_mut(number)?.title = title;
            Some(())
        };
        join_all(tabs.into_iter().map(ask)).await;
    }

    fn tab_named(&self, name: &str) -> Result<u32, ActionFailure> {
        let tabs = self.tabs();
        if let Ok(number) = name.trim().parse::<u32>()
            && tabs.iter().any(|tab| tab.number == number)
        {
            return Ok(number);
        }
        let wanted = name.trim().to_lowercase();
        let fits = |text: &str| text.to_lowercase().contains(&wanted);
        let found: Vec<_> = tabs.iter().filter(|tab| fits(&tab.title) || fits(&tab.url)).collect();
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
