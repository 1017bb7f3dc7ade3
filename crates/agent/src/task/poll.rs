//! A check that may need time: looked at on each change of the page until it holds or its time is over.

use std::{collections::BTreeMap, time::Duration};

use legwork_observe::Snapshot;
use legwork_protocol::{Evidence, PageEffect};
use serde_json::Value;

use super::known::Context;
use crate::{Got, Look, decide::check::Check};

/// Looks after which a check is given up even if the clock stands still.
const LOOKS: u32 = 500;

/// A check under way.
pub(crate) struct Poll {
    check: Check,
    until: Duration,
    looks: u32,
}

/// What became of it.
pub(crate) enum Judged {
    Look(Look),
    Holds(Vec<Evidence>),
    Fails(String),
}

impl Poll {
    pub(crate) fn new(check: Check, until: Duration) -> Poll {
        Poll { check, until, looks: 0 }
    }

    /// Judges the page that was seen.
    pub(crate) fn give(&mut self, got: Got, cx: &Context<'_>) -> Judged {
        let Got::Observed(page) = got else { return Judged::Look(Look::default()) };
        self.judge(&page, &cx.known.variables, &cx.known.effects, cx.now)
    }

    /// Judges a page.
    pub(crate) fn judge(
        &mut self,
        page: &Snapshot,
        variables: &BTreeMap<String, Value>,
        effects: &[PageEffect],
        now: Duration,
    ) -> Judged {
        self.looks += 1;
        match super::words::judge(&self.check, page, variables, effects) {
            Ok(evidence) => Judged::Holds(evidence),
            Err(why) => match self.until.checked_sub(now).filter(|left| !left.is_zero() && self.looks < LOOKS) {
                Some(left) => Judged::Look(Look { after_change_within: Some(left) }),
                None => Judged::Fails(why),
            },
        }
    }
}
