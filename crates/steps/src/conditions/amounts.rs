//! How many and in which state: `at least 3 rows`, `ticked`.

use super::subjects::understood;
use crate::{
    check::{ElementState, Op, What},
    literal::ParseError,
    target_phrase,
    tokens::TokenStream,
    values,
};

/// `at least 3`, `no`, `exactly two`, `5 or more`: the comparison, the number and how many words say so.
pub(super) fn quantity(input: TokenStream<'_>) -> Option<(Op, usize, usize)> {
    let mut rest = input;
    let lead = rest.take_prefix(
        "at least|at most|more than|fewer than|less than|exactly|only|no more than|\
            no fewer than|not more than|up to",
    );
    let taken = input.len() - rest.len();
    let word = rest.lower(0);
    let number = values::count(word)?;
    if word.is_empty() || (word == "no" && rest.len() < 2) {
        return None;
    }
    let op = match lead {
        Some("at least" | "no fewer than") => Op::AtLeast,
        Some("at most" | "no more than" | "not more than" | "up to") => Op::AtMost,
        Some("more than") => Op::More,
        Some("fewer than" | "less than") => Op::Less,
        _ if rest.has(1, "or more") > 0 => return (rest.len() > 3).then_some((Op::AtLeast, number, taken + 3)),
        _ if rest.has(1, "or fewer") + rest.has(1, "or less") > 0 => {
            return (rest.len() > 3).then_some((Op::AtMost, number, taken + 3));
        }
        _ => Op::Is,
    };
    (rest.len() > 1).then_some((op, number, taken + 1))
}

pub(super) fn count_of((op, number, taken): (Op, usize, usize), input: TokenStream<'_>) -> Result<What, ParseError> {
    let things = input.from(taken);
    let text = things.text().to_lowercase();
    if matches!(text.as_str(), "tab" | "tabs" | "browser tab" | "browser tabs" | "open tabs" | "open tab" | "windows") {
        return Ok(What::Tabs { op, number });
    }
    if matches!(text.as_str(), "dialog" | "dialogs" | "alert" | "alerts" if number == 0) {
        return Ok(What::Not(Box::new(What::Shown(target_phrase::phrase(things)?))));
    }
    let things = understood(things, target_phrase::phrase(things)?)?;
    if things.kind.is_none() && !things.quoted {
        return Err(ParseError::new(
            input.source(),
            format!("`{}` is not a kind of element that can be counted", things.source_text),
        )
        .suggest("there are 3 rows in the table \"Users\""));
    }
    if number == 0 && op == Op::Is && things.quoted {
        return Ok(What::Not(Box::new(What::Shown(things))));
    }
    Ok(What::Count { things, op, number })
}

pub(super) fn state(input: &str) -> Option<ElementState> {
    Some(match input {
        "checked" | "ticked" | "on" | "switched on" | "turned on" | "marked" => ElementState::Checked,
        "unchecked" | "unticked" | "off" | "switched off" | "turned off" | "clear" | "cleared" => {
            ElementState::Unchecked
        }
        "enabled" | "active" | "clickable" => ElementState::Enabled,
        "disabled" | "greyed out" | "grayed out" | "inactive" => ElementState::Disabled,
        "selected" | "chosen" | "picked" => ElementState::Selected,
        "expanded" | "open" | "opened" | "unfolded" => ElementState::Expanded,
        "collapsed" | "closed" | "folded" => ElementState::Collapsed,
        "focused" | "in focus" | "focussed" => ElementState::Focused,
        "pressed" => ElementState::Pressed,
        "required" | "mandatory" => ElementState::Required,
        "read-only" | "readonly" | "read only" => ElementState::Readonly,
        "invalid" => ElementState::Invalid,
        "current" | "the current page" | "the current one" => ElementState::Current,
        "editable" => ElementState::Editable,
        "busy" => ElementState::Busy,
        _ => return None,
    })
}
