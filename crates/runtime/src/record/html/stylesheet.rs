//! The stylesheet of the page, and the policy that permits this stylesheet and no other style.
//!
//! Positions of bars, marks and outlines are rules of the stylesheet. As `style` attributes they would need
//! `unsafe-inline`, with which markup that gets past the escaping could style the page too.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

/// A rule that places the element with this id, or the element with the class in it.
pub(super) struct Placement<'a> {
    pub(super) id: String,
    pub(super) class: Option<&'static str>,
    /// Properties, and lengths in percent.
    pub(super) lengths: Vec<(&'static str, &'a str)>,
}

/// The stylesheet with a rule for each placement. Ids and lengths that are none are left out: a rule must not end the
/// stylesheet.
pub(super) fn with_rules<'a>(stylesheet: &str, placements: impl IntoIterator<Item = Placement<'a>>) -> String {
    let mut text = stylesheet.to_owned();
    for Placement { id, class, lengths } in placements {
        if !id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            continue;
        }
        let class = class.map_or(String::new(), |class| format!(" .{class}"));
        // Writing to a string does not fail.
        let _ = write!(text, "#{id}{class} {{ ");
        for (property, length) in lengths.into_iter().filter(|(_, length)| length.parse::<f64>().is_ok()) {
            let _ = write!(text, "{property}: {length}%; ");
        }
        text.push_str("}\n");
    }
    text
}

/// The content security policy of a page with this stylesheet.
pub(super) fn policy(stylesheet: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(stylesheet));
    format!("default-src 'none'; style-src 'sha256-{hash}'; img-src data:; form-action 'none'; base-uri 'none'")
}
