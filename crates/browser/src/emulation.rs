//! What pages are made to believe of the world: which media they are shown on, whether there is a network. It holds for
//! every tab of the session, those that open later too.

use std::collections::BTreeMap;

use legwork_protocol::ActionFailure;
use serde::{Deserialize, Serialize};

use crate::{Session, driver::NetworkEmulation, page_script as script};

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
                return Err(ActionFailure::InvalidArgument {
                    what: feature.name().to_owned(),
                    reason: format!("it is {}, not {value}", feature.values().join(" or ")),
                });
            }
        }
        let scope = self.begin_action(false)?;
        self.update_emulation(|network_emulation| {
            for (feature, value) in changes {
                let value = value.clone().unwrap_or_default();
                match feature.in_css() {
                    None => network_emulation.media = value,
                    Some(name) => {
                        network_emulation.features.retain(|(known, _)| *known != name);
                        // An empty one stays: it takes back what a tab was told before.
                        network_emulation.features.push((name, value));
                    }
                }
            }
        })
        .await?;
        // The page is told of it when it is drawn next.
        let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        let redraw = script::Redraw { key: &self.inner.scripts.key };
        Self::input_done(self.inner.call(&exec_context, redraw).await)?;
        self.rest(scope, None).await
    }

    /// Takes the network away from every page, or gives it back.
    ///
    /// # Errors
    /// When the browser does not answer.
    pub async fn set_offline(&self, offline: bool) -> Result<(), ActionFailure> {
        self.update_emulation(|network_emulation| network_emulation.offline = offline).await
    }

    async fn update_emulation(&self, change: impl FnOnce(&mut NetworkEmulation)) -> Result<(), ActionFailure> {
        let inner = &*self.inner;
        let (network_emulation, tabs) = {
            let mut state = inner.state();
            let network_emulation = state.network_emulation.get_or_insert_default();
            change(network_emulation);
            let network_emulation = network_emulation.clone();
            let tabs: Vec<_> = state.tabs.iter().map(|tab| (tab.number(), tab.sessions())).collect();
            (network_emulation, tabs)
        };
        for (tab, sessions) in tabs {
            for session in sessions {
                let set = inner.driver.set_conditions(&session, &network_emulation);
                // A frame that goes meanwhile need not know.
                Self::input_done(inner.answer(tab, set, inner.options.timeouts.script).await)?;
            }
        }
        Ok(())
    }
}
