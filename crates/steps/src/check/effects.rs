//! Evaluates conditions about effects of actions: downloads, dialogs, tabs.

use legwork_protocol::{DialogInfo, DownloadInfo, EvidenceKind, PageEffect};

use super::{
    compare::{fits, matches},
    finding::{Facts, Finding, cannot_tell, fails, holds},
};
use crate::{
    ast::{Comparison, TargetPhrase},
    describe::describe,
    element_kind::ElementKind,
    find,
    name_match::{self, MatchQuality, normalize_whitespace},
};

pub(super) fn downloaded(name: Option<&str>, effects: &[PageEffect]) -> Finding {
    let files: Vec<&DownloadInfo> = effects
        .iter()
        .filter_map(|effect| match effect {
            PageEffect::Downloaded(file) => Some(file),
            _ => None,
        })
        .collect();
    let found = files.iter().rev().find(|file| {
        name.is_none_or(|name| {
            file.name.eq_ignore_ascii_case(name) || (name.contains('*') && matches(&file.name, name))
        })
    });
    match found {
        Some(DownloadInfo { name, other_format: Some(format), .. }) => {
            fails(format!("{name} was downloaded, and contains {format} instead of the requested file"), Vec::new())
        }
        Some(file) => holds(
            EvidenceKind::Download,
            format!("{} was downloaded ({} bytes, sha256 {})", file.name, file.size, file.hash),
        ),
        None if files.is_empty() => fails("no file was downloaded", Vec::new()),
        None => fails(
            format!("{} was not downloaded", name.unwrap_or("the file")),
            files.iter().take(5).map(|file| file.name.clone()).collect(),
        ),
    }
}

pub(super) fn dialog(comparison: Comparison, value: Option<&str>, facts: &Facts<'_>) -> Finding {
    let answered = facts.effects.iter().filter_map(|effect| match effect {
        PageEffect::Dialog(dialog) => Some(dialog),
        _ => None,
    });
    let dialogs: Vec<&DialogInfo> = answered.chain(facts.page.dialog.as_ref()).collect();
    let fit = dialogs.iter().rev().find(|dialog| value.is_none_or(|value| fits(&dialog.message, comparison, value)));
    if let Some(dialog) = fit {
        return holds(EvidenceKind::Dialog, format!("the dialog said “{}”", dialog.message));
    }
    // A dialog that is a part of the page.
    let own = TargetPhrase { source_text: "dialog".into(), kind: Some(ElementKind::Dialog), ..TargetPhrase::default() };
    let found = find::matching(facts.page, &own, MatchQuality::Exact).unwrap_or_default();
    for at in &found {
        let text = format!("{} {}", facts.page.nodes[*at].name, name_match::content(facts.page, *at));
        if value.is_none_or(|value| {
            fits(&text, if comparison == Comparison::Is { Comparison::Contains } else { comparison }, value)
        }) {
            return holds(EvidenceKind::Element, format!("{} is open", describe(facts.page, *at)));
        }
    }
    // An alert can be a part of the page.
    let message =
        TargetPhrase { source_text: "message".into(), kind: Some(ElementKind::Alert), ..TargetPhrase::default() };
    for at in find::matching(facts.page, &message, MatchQuality::Exact).unwrap_or_default() {
        let node = &facts.page.nodes[at];
        let text = normalize_whitespace(&name_match::content(facts.page, at));
        if matches!(node.role.as_ref(), "alert" | "status" | "alertdialog")
            && value.is_some_and(|value| fits(&text, comparison, value))
        {
            return holds(EvidenceKind::Element, format!("{} says “{text}”", node.role));
        }
    }
    let seen: Vec<String> = dialogs
        .iter()
        .rev()
        .take(5)
        .map(|dialog| format!("“{}”", dialog.message))
        .chain(found.iter().map(|at| describe(facts.page, *at)))
        .take(5)
        .collect();
    match value {
        Some(value) if !seen.is_empty() => fails(format!("no dialog said “{value}”"), seen),
        // Without a dialog, no statement about its text is possible.
        Some(_) => cannot_tell("there was no dialog"),
        None => fails("there was no dialog", seen),
    }
}
