//! Emulation: the media features that pages see, and whether the network is available. It applies to every tab of the
//! session, including those opened later.

use std::collections::BTreeMap;

use legwork_protocol::ActionFailure;
use serde::{Deserialize, Serialize};

use crate::{Capability, Session, driver::NetworkEmulation, page_script as script};

/// A media feature whose value can be emulated.
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
    /// The media type: `screen` or `print`.
    Media,
}

/// The features to change. `None` restores the browser's value; features that are not named keep their value.
pub type Emulation = BTreeMap<MediaFeature, Option<String>>;

impl MediaFeature {
    /// All features.
    pub const ALL: [MediaFeature; 5] = [
        MediaFeature::ColorScheme,
        MediaFeature::ReducedMotion,
        MediaFeature::ForcedColors,
        MediaFeature::Contrast,
        MediaFeature::Media,
    ];

    /// The name of the feature.
    pub fn name(self) -> &'static str {
        match self {
            MediaFeature::ColorScheme => "colorScheme",
            MediaFeature::ReducedMotion => "reducedMotion",
            MediaFeature::ForcedColors => "forcedColors",
            MediaFeature::Contrast => "contrast",
            MediaFeature::Media => "media",
        }
    }

    /// The values that the feature accepts.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            MediaFeature::ColorScheme => &["light", "dark"],
            MediaFeature::ReducedMotion => &["reduce", "no-preference"],
            MediaFeature::ForcedColors => &["active", "none"],
            MediaFeature::Contrast => &["more", "no-preference"],
            MediaFeature::Media => &["screen", "print"],
        }
    }

    /// The name of the feature in style sheets; `None` for the media type, which is not a media feature.
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
    /// Emulates or restores media features, and waits until the page has settled with them.
    ///
    /// # Errors
    /// If a feature does not have the value, or the browser does not answer.
    pub async fn emulate(&self, changes: &Emulation) -> Result<(), ActionFailure> {
        for (feature, value) in changes {
            if let Some(value) = value.as_deref().filter(|value| !feature.values().contains(value)) {
                return Err(ActionFailure::InvalidArgument {
                    what: feature.name().to_owned(),
                    reason: format!("it is {}, not {value}", feature.values().join(" or ")),
                });
            }
        }
        self.require(Capability::MediaEmulation)?;
        let scope = self.begin_action(false)?;
        self.update_emulation(|network_emulation| {
            for (feature, value) in changes {
                let value = value.clone().unwrap_or_default();
                match feature.in_css() {
                    None => network_emulation.media = value,
                    Some(name) => {
                        network_emulation.features.retain(|(known, _)| *known != name);
                        // An empty value is sent too, because it revokes an earlier emulation in the tab.
                        network_emulation.features.push((name, value));
                    }
                }
            }
        })
        .await?;
        // The page learns of the change when it is drawn next.
        let frame = self.inner.main_frame(scope.tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = self.inner.exec_context(&frame).await?;
        let redraw = script::Redraw { key: &self.inner.scripts.key };
        Self::input_done(self.inner.call(&exec_context, redraw).await)?;
        self.rest(scope, None).await
    }

    /// Disconnects every page from the network, or reconnects it.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub async fn set_offline(&self, offline: bool) -> Result<(), ActionFailure> {
        if offline {
            self.require(Capability::Offline)?;
        }
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
                // A frame that is removed in the meantime does not need the setting.
                Self::input_done(inner.answer(tab, set, inner.options.timeouts.script).await)?;
            }
        }
        Ok(())
    }
}
