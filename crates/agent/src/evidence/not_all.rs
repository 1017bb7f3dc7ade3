//! Several items were requested with different results: two of three ticked rows disappear, one of two addresses is
//! mentioned, one of two files is listed. Whatever the page states about the whole, a part was left out.

use std::collections::HashSet;

use legwork_observe::{NodeIndex, Snapshot, wording};
use legwork_protocol::{Action, EvidenceKind};

use super::{
    EvidenceRule, Finding, Observed,
    changes::only_in,
    clipped,
    fields::{position, target},
    lesser_number::lesser_number,
    outweigh,
    ticked_entries::{entries, ticked_entries},
    whole_words::contains_whole,
};

/// The parts of a list of values have at least this many characters.
const TELLING: usize = 3;

/// Removes the support from all findings if a part was left out, and adds a finding that names it.
pub(super) fn neutralize_on_part_left_out(observed: &Observed<'_>, findings: &mut Vec<Finding>) {
    let Some(before) = observed.before else { return };
    if observed.disabled.contains(&EvidenceRule::NotAll) || !observed.sends_change() {
        return;
    }
    let fact = ticked_entry_left(observed, before)
        .or_else(|| part_not_named(observed, before))
        .or_else(|| part_stated(observed, before))
        .or_else(|| choice_not_named(observed, before))
        .or_else(|| lesser_number(observed, before))
        .or_else(|| entry_lost_by_saving(observed, before))
        .or_else(|| chip_lost_by_saving(observed, before));
    let Some(fact) = fact else { return };
    outweigh(findings, Finding::new(EvidenceRule::NotAll, EvidenceKind::Text, fact));
}

/// Of several ticked entries, one that is unchanged while another disappeared or changed.
fn ticked_entry_left(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    let ticked: Vec<NodeIndex> = ticked_entries(before).collect();
    let is_own = |action: &Action| {
        position(action, before).is_some_and(|at| before.ancestors(at).any(|up| ticked.contains(&up)))
    };
    if ticked.len() < 2 || !observed.submits() || observed.actions.iter().any(is_own) {
        return None;
    }
    let now: HashSet<String> = entries(observed.after).map(|at| observed.after.text_of(at)).collect();
    let texts: Vec<String> = ticked.into_iter().map(|at| before.text_of(at)).collect();
    let (left, gone): (Vec<&String>, Vec<&String>) = texts.iter().partition(|text| now.contains(*text));
    let first = left.first().filter(|_| !gone.is_empty())?;
    let (left, all) = (left.len(), texts.len());
    Some(format!("{left} of {all} selected entries did not change, such as {:?}", clipped(first.trim())))
}

/// Of several addresses in one field, or several files, one that the page does not mention although it newly mentions
/// another.
fn part_not_named(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    const TEXTS: [&str; 10] =
        ["alert", "status", "heading", "text", "paragraph", "link", "cell", "gridcell", "listitem", "button"];
    let after = observed.after;
    let new: Vec<&str> = only_in(after, before, &TEXTS).map(|(_, text)| text).collect();
    let is_named = |part: &str| after.nodes.iter().any(|node| node.name.contains(part));
    parts_of_values(observed).find_map(|parts| {
        let is_any_new = parts.iter().any(|part| new.iter().any(|text| text.contains(part.as_str())));
        let missing = parts.iter().find(|part| !is_named(part))?;
        is_any_new.then(|| {
            format!("the page does not mention {:?}, but mentions other values entered with it", clipped(missing))
        })
    })
}

/// Of several choices of one list, one that the page names nowhere although a new text lists others of them: `Current
/// roles: Sales, Support` after three were chosen. `Sales and 2 more` names no other.
fn choice_not_named(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    const TEXTS: [&str; 6] = ["alert", "status", "text", "paragraph", "cell", "definition"];
    if !observed.presses_button(before) {
        return None;
    }
    let after = observed.after;
    let is_shown = |choice: &str| {
        let is_text = |node: &&legwork_observe::Node| {
            !matches!(node.role.as_ref(), "option" | "listbox" | "combobox") && !node.states.editable()
        };
        after.nodes.iter().filter(is_text).any(|node| node.name.contains(choice))
    };
    let lists = (1..before.nodes.len()).filter(|at| before.role(*at) == "listbox");
    lists.into_iter().find_map(|list| {
        let is_chosen = |at: &NodeIndex| before.role(*at) == "option" && before.nodes[*at].states.selected();
        let chosen: Vec<&str> = before.below(list).filter(is_chosen).map(|at| before.nodes[at].name.trim()).collect();
        let missing = chosen.iter().find(|choice| choice.chars().count() >= TELLING && !is_shown(choice))?;
        let is_list = |text: &str| {
            let named = chosen.iter().filter(|choice| contains_whole(text, choice)).count();
            // A label and one choice, or several of them, and nothing that stands for the others.
            let is_labelled = text.split_once(':').is_some_and(|(_, shown)| chosen.contains(&shown.trim()));
            (named > 1 || is_labelled) && !text.contains(['…', '+']) && !text.contains(|c: char| c.is_ascii_digit())
        };
        let (_, text) = only_in(after, before, &TEXTS).find(|(_, text)| is_list(text))?;
        Some(format!("{:?} does not mention {missing:?}, which was chosen as well", clipped(text)))
    })
}

/// A new text that counts a part of the number that was requested (`24 of 40` after 40 was entered, `50 archived` after
/// `Archive all 120`) or ticked (`Picked 1/2`).
fn part_stated(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    const TEXTS: [&str; 7] = ["alert", "status", "heading", "text", "paragraph", "cell", "gridcell"];
    const POSITIONS: [&str; 6] = ["page", "step", "seite", "schritt", "part", "slide"];
    let names = observed.target_names();
    if !observed.presses_button(before) {
        return None;
    }
    let numbers = |text: &str| -> Vec<u32> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).filter(|n| *n > 1).collect()
    };
    let named = numbers(&names);
    let entered: Vec<u32> = observed.values_put_in().filter_map(|value| value.parse().ok()).collect();
    let is_ticked = |node: &&legwork_observe::Node| node.role.as_ref() == "checkbox" && node.states.checked();
    let ticked = before.nodes.iter().filter(is_ticked).count();
    only_in(observed.after, before, &TEXTS).find_map(|(_, text)| {
        let is_position = POSITIONS.iter().any(|word| wording::normalized(text).contains(word));
        let is_part = wording::stated_part(text).is_some_and(|(_, whole)| {
            let is_of_ticked = ticked > 1 && whole as usize == ticked && wording::names_action(text, &names);
            named.contains(&whole) || entered.contains(&whole) || is_of_ticked
        });
        let is_fewer = || {
            let is_done = wording::states_done(text, &names);
            is_done && named.iter().any(|whole| wording::begins_with_fewer(text, *whole as usize))
        };
        (!is_position && (is_part || is_fewer()))
            .then(|| format!("{:?} counts a part of what was requested", clipped(text)))
    })
}

/// The parts of each value with several parts: addresses separated by commas, or files.
pub(super) fn parts_of_values<'a>(observed: &'a Observed<'_>) -> impl Iterator<Item = Vec<String>> + 'a {
    let lists = observed.values_put_in().map(|value| {
        let parts = value.split([',', ';', '\n']).map(|part| part.trim().to_owned());
        parts.collect::<Vec<String>>()
    });
    // Prose contains commas as well, and `Vienna, Austria` is one place.
    let is_list = |parts: &Vec<String>| {
        let are_words = parts.iter().all(|part| part.chars().count() >= TELLING && !part.contains(char::is_whitespace));
        are_words && (parts.len() > 2 || parts.iter().all(|part| part.contains('@')))
    };
    let files = observed.actions.iter().filter_map(|action| match action.carried_out() {
        Action::Upload(upload) => {
            let names = upload.files.iter().filter_map(|file| std::path::Path::new(file).file_name()?.to_str());
            Some(names.map(str::to_owned).collect())
        }
        _ => None,
    });
    lists.filter(is_list).chain(files).filter(|parts: &Vec<String>| parts.len() > 1)
}

/// A list entry that disappeared when the list was saved, while its neighbours stay and no other entry replaced it: the
/// server dropped a tag.
fn entry_lost_by_saving(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    if !saves(observed, before) || observed.is_reloaded() {
        return None;
    }
    let texts = |page: &Snapshot, list: NodeIndex| -> Vec<String> {
        let items =
            page.below(list).filter(|at| page.nodes[*at].role.as_ref() == "listitem" && page.nodes[*at].parent == list);
        items.map(|at| page.text_of(at).trim().to_owned()).collect()
    };
    let lists = |page: &Snapshot| -> Vec<Vec<String>> {
        let lists = (1..page.nodes.len()).filter(|at| page.nodes[*at].role.as_ref() == "list");
        lists.map(|at| texts(page, at)).collect()
    };
    let now = lists(observed.after);
    lists(before).iter().find_map(|was| {
        // The same list: it contains some of its previous entries and no others.
        let is_shortened = |is: &&Vec<String>| !is.is_empty() && is.iter().all(|text| was.contains(text));
        let is = now.iter().filter(|is| !is.iter().eq(was.iter())).find(is_shortened)?;
        let lost = was.iter().find(|text| !is.contains(text))?;
        (!now.contains(was)).then(|| format!("{:?} is gone from its list since it was saved", clipped(lost)))
    })
}

/// A chip outside of a list, known by its button (`Remove red`), that disappeared when it was saved, while another one
/// stays.
fn chip_lost_by_saving(observed: &Observed<'_>, before: &Snapshot) -> Option<String> {
    const REMOVES: [&str; 6] = ["remove ", "delete ", "× ", "✕ ", "entferne ", "supprimer "];
    if !saves(observed, before) {
        return None;
    }
    let chips = |page: &Snapshot| -> Vec<String> {
        let buttons = page.nodes.iter().filter(|node| node.role.as_ref() == "button");
        let names = buttons.map(|node| wording::normalized(&node.name));
        names.filter(|name| REMOVES.iter().any(|begin| name.starts_with(begin))).collect()
    };
    let (was, is) = (chips(before), chips(observed.after));
    let lost = was.iter().find(|chip| !is.contains(chip))?;
    // A page that shows other entries has other buttons.
    let is_shortened = !is.is_empty() && is.iter().all(|chip| was.contains(chip));
    is_shortened.then(|| format!("the button {lost:?} is gone since its entry was saved, and others are not"))
}

fn saves(observed: &Observed<'_>, before: &Snapshot) -> bool {
    let is_saving = |action: &Action| target(action, before).is_some_and(|node| wording::saves(&node.name));
    observed.actions.iter().any(is_saving)
}
