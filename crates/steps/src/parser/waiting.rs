//! Builders of instructions that wait.

use legwork_protocol::{Action, LoadState, Wait};

use super::{
    form::{FormError, FormResult, Matched},
    lists::{checked, phrase},
};
use crate::{
    ast::{Check, Condition},
    conditions,
    error::ParseError,
    tokens::TokenStream,
    values,
};

/// What stands before the longest time to wait.
const LIMITS: &str =
    "for up to|for at most|for no longer than|for a maximum of|up to|at most|no longer than|a maximum of|max|within";

/// What can be waited for besides a condition.
const STATES: [(LoadState, &str); 3] = [
    (
        LoadState::Load,
        "page to load|page to be loaded|page to finish loading|page is loaded|page has loaded|page loads|\
         page load|page to be fully loaded|load|page is fully loaded|page to load completely|loading to finish|next page|\
         new page|next page to load|new page to load",
    ),
    (
        LoadState::Idle,
        "network to be idle|network is idle|network to settle|network idle|page to settle|page is idle|\
         page to be idle|page to be ready|page is ready|page to become idle|page to be quiet|page to stop loading|\
         requests to finish|page has settled",
    ),
    (LoadState::Dom, "document to be ready|document is ready|dom to be ready|dom is ready"),
];
const DOWNLOADS: &str = "download|download to finish|download to complete|file to download|file|download is finished|\
    download is complete|file to be downloaded";

/// `Wait for "Done"`, `Wait up to 20 seconds until there are 3 rows`, `Wait 2 seconds`.
pub(super) fn wait(found: &Matched<'_>) -> FormResult {
    let (rest, limit) = without_limit(found.words("words"));
    let mut rest = rest.trim();
    let until = rest.strip_prefix("for|until|till|that") == Some("until");
    let bare = rest.strip_articles();
    let act = |wait: Wait| found.act_alone(Action::Wait(wait));
    if let Some((seconds, count)) = values::seconds(rest)
        && count == rest.len()
        && !until
    {
        return act(Wait { seconds: Some(seconds), ..Wait::default() });
    }
    let missing = |what: &str, form: String| Err(FormError::Parse(found.missing(what).suggest(form)));
    match rest.tokens() {
        [] => return Err(found.missing("what to wait for").into()),
        [number] if number.lower.parse::<f64>().is_ok() => {
            return missing("of what", format!("Wait {} seconds", number.lower));
        }
        _ if bare.word_is(0, "moment|bit|while") => return missing("how long", "Wait 2 seconds".into()),
        _ => {}
    }
    if let Some((state, _)) = STATES.into_iter().find(|(_, phrases)| bare.is(phrases)) {
        return act(Wait { state: Some(state), seconds: limit, ..Wait::default() });
    }
    let check = if bare.is(DOWNLOADS) {
        Check::new(found.clause.whole.source(), Condition::Downloaded(None))
    } else {
        condition_of(rest).map_err(ParseError::with_example)?
    };
    let check = check.with_timeout(limit);
    // If the browser has an equivalent wait, it is used.
    check.as_wait(limit).map_or_else(|| Ok(vec![checked(check)]), act)
}

/// The words without the time limit, which can precede or follow the condition.
fn without_limit(words: TokenStream<'_>) -> (TokenStream<'_>, Option<f64>) {
    let limit = LIMITS.split('|').find_map(|lead| {
        let at = if words.match_at(0, lead) > 0 { 0 } else { words.find_phrase(1, lead)?.0 };
        let start = at + words.match_at(at, lead);
        let (seconds, count) = values::seconds(words.skip(start))?;
        let rest = if at == 0 { words.skip(start + count) } else { words.take(at) };
        (at == 0 || start + count == words.len()).then_some((rest, Some(seconds)))
    });
    limit.unwrap_or((words, None))
}

/// `"Done" to appear`, `the dialog to close`, `"Done"`.
fn condition_of(words: TokenStream<'_>) -> Result<Check, ParseError> {
    let mut rest = words;
    let appears = rest.strip_suffix(
        "to appear|to be shown|to be visible|to be displayed|to show up|to show|to come up|to open|to become visible|\
         to be present|to load|to be there",
    );
    let disappears = rest.strip_suffix(
        "to disappear|to be gone|to go away|to vanish|to close|to be hidden|to be removed|to finish|to be closed|\
         to not be visible|disappears|goes away|vanishes|closes",
    );
    if appears.is_none() && disappears.is_none() {
        if let Some((at, _)) = rest.find_phrase(1, "to be|to become|to contain|to say|to have|to equal|to read|to show")
        {
            return conditions::infinitive(rest.take(at), rest.skip(at + 1));
        }
        if conditions::has_predicate(rest) {
            return conditions::read(rest);
        }
    }
    let shown = Condition::Shown(phrase(rest)?);
    Ok(Check::new(words.source(), if disappears.is_some() { shown.negated() } else { shown }))
}
