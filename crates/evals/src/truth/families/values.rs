//! Values that are saved from a page, and pages that do not contain them. The truth is the value on the page.

use crate::truth::{
    case::{Behaviour, Facts, behaviour},
    phrase::each,
};

/// The run saved exactly this value, in the variant whose page contains it.
macro_rules! is {
    ($($value:literal)|+) => {
        |facts: &Facts<'_>| {
            let saved = facts.variables.get("value").map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
            !facts.fails && matches!(saved.as_deref().map(str::trim), Some($($value)|+))
        }
    };
}

fn value(name: &'static str, about: &'static str, words: &[&str]) -> Behaviour {
    behaviour("value", name, about).ask(each(words))
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        value(
            "missing-column",
            "the table has no column of this name",
            &[
                "Save the amount of Initech as value",
                "Save the amount of \"Initech\" as value",
                "Save the Amount in the row of \"Initech\" as value",
            ],
        )
        .page("<table><tr><th>Customer</th><th>Seats</th><th>Amount</th></tr><tr><td>Acme</td><td>3</td><td>$12.00</td></tr><tr><td>Initech</td><td>2</td><td>$734.50</td></tr></table>")
        .failing_page("<table><tr><th>Customer</th><th>Seats</th><th>Town</th></tr><tr><td>Acme</td><td>3</td><td>Oslo</td></tr><tr><td>Initech</td><td>2</td><td>Ghent</td></tr></table>")
        .done(is!("$734.50" | "734.50" | "734.5")),
        value(
            "no-price",
            "there is no price at all",
            &["Save the price of Ada as value", "Save the price of \"Ada\" as value"],
        )
        .page("<table><tr><th>Name</th><th>Price</th></tr><tr><td>Ada</td><td>$5</td></tr><tr><td>Bob</td><td>$6</td></tr></table>")
        .failing_page("<table><tr><th>Name</th><th>Team</th></tr><tr><td>Ada</td><td>Blue</td></tr><tr><td>Bob</td><td>Red</td></tr></table>")
        .done(is!("$5" | "5")),
        value("text-of-missing", "there is nothing of this name", &["Save the text of \"Total\" as value", "Save the \"Total\" as value"])
            .page("<dl><dt>Total</dt><dd id=t aria-label=Total role=status>$12.40</dd></dl>")
            .failing_page("<dl><dt>Subtotal</dt><dd aria-label=Subtotal role=status>$9.10</dd></dl>")
            .done(is!("$12.40" | "12.40")),
        value("two-totals", "two things have the name", &["Save the text of \"Total\" as value"])
            .page("<p role=status aria-label=Total>$12.40</p>")
            .failing_page("<p role=status aria-label=Total>$12.40</p><p role=status aria-label=Total>$99.00</p>")
            .done(is!("$12.40" | "12.40")),
        value("count-paged", "only a part of the list is shown", &["Save the number of people as value"])
            .page("<h1>People</h1><p>Showing 3 people</p><ul><li>A</li><li>B</li><li>C</li></ul>")
            .failing_page("<h1>People</h1><p>Showing 1–3 of 24 people</p><ul><li>A</li><li>B</li><li>C</li></ul><button>Next</button>")
            .done(|facts| {
                let saved = facts.variables.get("value").and_then(serde_json::Value::as_i64);
                saved == Some(if facts.fails { 24 } else { 3 })
            })
            // The page states the number of people, although it shows only three.
            .may_happen(),
        value("rows", "there is no table", &["Save the number of rows as value", "Save the number of rows in the table as value"])
            .page("<table><tr><th>Name</th></tr><tr><td>A</td></tr><tr><td>B</td></tr></table>")
            .failing_page("<h1>Nothing here</h1>")
            .done(is!("2")),
        value("href-missing", "the link is none", &["Save the href of \"Next\" as value"])
            .page("<a href='page2'>Next</a>")
            .failing_page("<button>Next</button>")
            .done(|facts| {
                let saved = facts.variables.get("value").and_then(|value| value.as_str());
                !facts.fails && saved.is_some_and(|saved| saved.ends_with("page2"))
            }),
        value("late", "the value never comes", &["Save the text of \"Balance\" as value"])
            .page("<p role=status aria-label=Balance id=b>€ 7</p>")
            .failing_page("<p>Your account cannot be shown now</p>")
            .done(is!("€ 7" | "7")),
    ]
}
