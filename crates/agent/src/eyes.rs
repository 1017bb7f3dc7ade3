//! TEMPORARY until observe lands.
use legwork_observe::Snapshot;
use legwork_protocol::{Observation, View};

pub(crate) fn count(text: &str) -> usize {
    text.len().div_ceil(4)
}
pub(crate) fn fingerprint(page: &Snapshot) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut h = DefaultHasher::new();
    (format!("{:?}", page.nodes), &page.url).hash(&mut h);
    h.finish()
}
pub(crate) fn render(page: &Snapshot, _view: &View) -> Observation {
    let text: String = page.nodes[1..]
        .iter()
        .map(|n| {
            format!(
                "- {} {:?}{}{}\n",
                n.role,
                n.name,
                n.reference.map(|r| format!(" [ref={r}]")).unwrap_or_default(),
                n.value.as_deref().map(|v| format!(": {v}")).unwrap_or_default()
            )
        })
        .collect();
    Observation {
        url: page.url.clone(),
        title: page.title.clone(),
        tokens: count(&text),
        text,
        diff: false,
        left_out: vec![],
    }
}
pub(crate) fn diff(before: &Snapshot, now: &Snapshot, view: &View) -> Observation {
    let (a, b) = (render(before, view), render(now, view));
    if before.url != now.url {
        return b;
    }
    let text: String = b.text.lines().filter(|l| !a.text.contains(l)).map(|l| format!("+ {l}\n")).collect();
    Observation { tokens: count(&text), text, diff: true, ..b }
}
