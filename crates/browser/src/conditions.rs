//! What pages are made to believe of the world: which media they are shown on, whether there is a network. It holds for
//! every tab of the session, those that open later too.

use std::collections::BTreeMap;

use legwork_protocol::ActionFailure;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Session, driver::Conditions};

/// A medium's feature that can be given another value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MediaFeature {
    /// `light` or `dark`.
    ColorScheme,
    /// `reduce` or `no-preference`.
    ReducedMotion,
    /// `active` or `none`.
    ForcedColors,
    /// `more` or `no-preference`.
    Contrast,
    /// The medium itself: `screen` or `print`.
    Media,
}

/// Features to change; `None` gives a feature back to the browser, and those not named stay.
pub type Emulation = BTreeMap<MediaFeature, Option<String>>;

impl MediaFeature {
    /// All of them.
    pub const ALL: [MediaFeature; 5] = [
        MediaFeature::ColorScheme,
        MediaFeature::ReducedMotion,
        MediaFeature::ForcedColors,
        MediaFeature::Contrast,
        MediaFeature::Media,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            MediaFeature::ColorScheme => "colorScheme",
            MediaFeature::ReducedMotion => "reducedMotion",
            MediaFeature::ForcedColors => "forcedColors",
            MediaFeature::Contrast => "contrast",
            MediaFeature::Media => "media",
        }
    }

    /// The values that it can have.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            MediaFeature::ColorScheme => &["light", "dark"],
            MediaFeature::ReducedMotion => &["reduce", "no-preference"],
            MediaFeature::ForcedColors => &["active", "none"],
            MediaFeature::Contrast => &["more", "no-preference"],
            MediaFeature::Media => &["screen", "print"],
        }
    }

    /// As style sheets call it.
    fn in_css(self) -> Option<&'static str> {
        match self {
            MediaFeature::ColorScheme => Some("prefers-color-scheme"),
            MediaFeature::ReducedMotion => Some("prefers-reduced-motion"),
            MediaFeature::ForcedColors => Some("forced-colors"),
            MediaFeature::Contrast => Some("prefers-contrast"),
            MediaFeature::Media => None,
        }
    }
}

impl Session {
    /// Gives media features other values, or gives them back, and waits until the page has come to rest with them.
    ///
    /// # Errors
    /// When a feature has no such value, or the browser does not answer.
    pub async fn emulate(&self, changes: &Emulation) -> Result<(), ActionFailure> {
        for (feature, value) in changes {
            if let Some(value) = value.as_deref().filter(|value| !feature.values().contains(value)) {
                return Err(ActionFailure::Value {
                    what: feature.name().to_owned(),
                    reason: format!("it is {}, not {value}", feature.values().join(" or ")),
                });
            }
        }
        let turn = self.turn(false)?;
        self.believe(|conditions| {
            for (feature, value) in changes {
                let value = value.clone().unwrap_or_default();
                match feature.in_css() {
                    None => conditions.media = value,
                    Some(name) => {
                        conditions.features.retain(|(known, _)| *known != name);
                        // An empty one stays: it takes back what a tab was told before.
                        conditions.features.push((name, value));
                    }
                }
            }
        })
        .await?;
        // The page is told of it when it is drawn next.
        let frame = self.shared.main_frame(turn.tab).ok_or(ActionFailure::Crashed)?;
        let place = self.shared.place(&frame).await?;
        let drawn = format!(
            "legwork.begin({});new Promise(r=>{{requestAnimationFrame(()=>r(true));setTimeout(r,200,false)}})",
            json!(self.shared.scripts.key)
        );
        Self::input_done(self.shared.script::<bool>(&place, drawn).await)?;
        self.rest(turn, None).await
    }

    /// Takes the network away from every page, or gives it back.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn set_offline(&self, offline: bool) -> Result<(), ActionFailure> {
        self.believe(|conditions| conditions.offline = offline).await
    }

    async fn believe(&self, change: impl FnOnce(&mut Conditions)) -> Result<(), ActionFailure> {
        let shared = &*self.shared;
        let (conditions, tabs) = {
            let mut state = shared.state();
            let conditions = state.conditions.get_or_insert_default();
            change(conditions);
            let conditions = conditions.clone();
            let tabs: Vec<_> = state.tabs.iter().map(|tab| (tab.number, tab.sessions())).collect();
            (conditions, tabs)
        };
        for (tab, sessions) in tabs {
            for session in sessions {
                let set = shared.driver.set_conditions(&session, &conditions);
                // A frame that goes meanwhile need not know.
                Self::input_done(shared.answer(tab, set, shared.options.timeouts.script).await)?;
            }
        }
        Ok(())
    }
}
