//! TEMPORARY until observe lands.
use legwork_observe::Snapshot;
use legwork_protocol::{Observation, View};

pub(crate) use legwork_observe::{render, tokens::count};
pub(crate) fn fingerprint(page: &Snapshot) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut h = DefaultHasher::new();
    (format!("{:?}", page.nodes), &page.url).hash(&mut h);
    h.finish()
}
pub(crate) fn diff(before: &Snapshot, now: &Snapshot, view: &View) -> Observation {
    let (a, b) = (render(before, view), render(now, view));
    if before.url != now.url {
        return b;
    }
    let text: String = b.text.lines().filter(|l| !a.text.contains(l)).map(|l| format!("+ {l}\n")).collect();
    Observation { tokens: count(&text), text, diff: true, ..b }
}
