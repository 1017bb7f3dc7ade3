//! Resolves references to browser tabs.

use legwork_observe::Snapshot;
use legwork_protocol::{Action, Tab};

use super::choosing::switch_on;
use crate::{
    ast::TabReference,
    describe::{describe, tab_list},
    error::{Actions, ResolveError},
    find,
    name_match::{MatchQuality, NameMatcher},
};

pub(super) fn switch(page: &Snapshot, tab: &TabReference) -> Actions {
    // Pages have tabs as well: a name can refer to one of those.
    if let TabReference::Named(phrase) = tab {
        let on_page = find::matching(page, phrase, MatchQuality::Bare).unwrap_or_default();
        match (on_page.as_slice(), tab_number(page, tab)) {
            ([_, ..], Ok(_)) => {
                return Err(ResolveError::ambiguous(
                    phrase.source_text.clone(),
                    2,
                    vec![describe(page, on_page[0]), format!("browser tab {}", phrase.source_text)],
                    "for the page's own say `Click the tab \"…\"`, for the browser's `Switch to tab 2`",
                ));
            }
            ([one], Err(_)) => return Ok(vec![switch_on(page, *one)]),
            _ => {}
        }
    }
    Ok(vec![Action::Tab(Tab::Switch { to: tab_number(page, tab)? })])
}

pub(super) fn tab_number(page: &Snapshot, tab: &TabReference) -> Result<String, ResolveError> {
    let tabs = &page.tabs;
    let current = tabs.iter().position(|tab| tab.current).unwrap_or_default();
    let at = match tab {
        TabReference::Nth(n) => n.checked_sub(1),
        TabReference::FromEnd(n) => tabs.len().checked_sub(*n),
        TabReference::Newest => tabs.iter().enumerate().max_by_key(|(_, tab)| tab.number).map(|(at, _)| at),
        TabReference::Previous => current.checked_sub(1),
        TabReference::Next => Some(current + 1),
        TabReference::Other if tabs.len() == 2 => Some(1 - current.min(1)),
        TabReference::Other => None,
        TabReference::Named(phrase) => {
            let wanted = NameMatcher::new(phrase.name.as_deref().unwrap_or_default());
            let mut fits: Vec<(MatchQuality, usize)> = tabs
                .iter()
                .enumerate()
                .filter_map(|(at, tab)| {
                    wanted
                        .quality(&tab.title)
                        .into_iter()
                        .chain(wanted.quality(&tab.url))
                        .min()
                        .map(|quality| (quality, at))
                })
                .collect();
            fits.sort();
            match fits.as_slice() {
                [] => None,
                [(best, _), (next, _), ..] if best == next => {
                    return Err(ResolveError::ambiguous(
                        format!("browser tab {}", phrase.source_text),
                        fits.iter().filter(|(quality, _)| quality == best).count(),
                        tab_list(page),
                        "say its number: `Switch to tab 2`",
                    ));
                }
                [(_, at), ..] => Some(*at),
            }
        }
    };
    at.and_then(|at| tabs.get(at)).map(|tab| tab.number.to_string()).ok_or_else(|| {
        ResolveError::not_found(
            match tab {
                TabReference::Named(phrase) => format!("browser tab {}", phrase.source_text),
                _ => "such browser tab".into(),
            },
            tab_list(page),
            "",
        )
    })
}
