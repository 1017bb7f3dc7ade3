use std::collections::BTreeMap;
use legwork::record::{RunRecord, html};
fn main() {
    let lines = std::fs::read_to_string(std::env::args().nth(1).unwrap()).unwrap();
    let events: Vec<legwork_protocol::Event> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let record = RunRecord::fold(&events).unwrap();
    let mut artifacts = BTreeMap::new();
    for a in record.shown_artifacts() {
        let bytes = if a.media_type == "image/png" { std::fs::read(format!("/tmp/shots/{}.png", &a.hash[..1])).unwrap_or_default() } else { "- banner\n  - link \"Harbor\" [ref=e1]\n- main\n  - heading \"Catalogue\" [level=1]\n  - button \"Add to basket\" [ref=e31]\n".repeat(5).into_bytes() };
        artifacts.insert(a.hash.clone(), bytes);
    }
    print!("{}", html(&record, &artifacts).unwrap());
}
