//! Playbooks as files.

use std::time::Duration;

use legwork_agent::playbook::{PLAYBOOK_FORMAT, PlaybookStep};
use legwork_protocol::{Input, RunId, Step};
use serde_json::json;

use super::*;

fn playbook(name: &str, site: &str) -> Playbook {
    let workflow = Workflow { name: name.into(), steps: vec![Step::new(name)], ..Workflow::default() };
    Playbook {
        format: PLAYBOOK_FORMAT,
        name: name.into(),
        workflow: workflow_hash(&workflow),
        site: site.into(),
        version: 0,
        run: RunId::new(),
        parameters: Default::default(),
        secrets: Default::default(),
        steps: vec![PlaybookStep { text: name.into(), ..PlaybookStep::default() }],
    }
}

#[test]
fn versions_are_kept_and_an_earlier_one_becomes_the_newest_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let playbooks = Playbooks::new(folder.path());
    let first = playbook("Order a lamp", "https://a.test");
    let (id, version) = playbooks.save(first.clone()).expect("saves");
    assert_eq!((id.starts_with("order-a-lamp-"), version), (true, 1));
    let changed = Playbook { steps: Vec::new(), ..first.clone() };
    assert_eq!(playbooks.save(changed.clone()).expect("saves"), (id.clone(), 2));
    let newest = playbooks.find(&first.workflow, Some("https://a.test")).expect("reads").expect("a playbook");
    assert_eq!((newest.version, newest.steps.len()), (2, 0));
    assert_eq!(playbooks.roll_back(&id, 1).expect("saves"), 3);
    let newest = playbooks.find(&first.workflow, None).expect("reads").expect("a playbook");
    assert_eq!((newest.version, newest.steps.len()), (3, 1));
    assert_eq!(playbooks.versions(&id).expect("reads"), [1, 2, 3]);
    assert_eq!(playbooks.prune(&id, 1).expect("deletes"), 2);
    assert_eq!(playbooks.versions(&id).expect("reads"), [3]);
    assert!(matches!(playbooks.read(&id, 1), Err(PlaybookError::NoVersion { version: 1, .. })));
    playbooks.remove(&id).expect("deletes");
    assert!(playbooks.list().expect("reads").is_empty());
}

#[test]
fn old_versions_and_playbooks_that_no_run_uses_are_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let playbooks = Playbooks::new(folder.path());
    let first = playbook("Order", "https://a.test");
    let (id, _) = playbooks.save(first.clone()).expect("saves");
    for _ in 0..MAX_VERSIONS {
        playbooks.save(first.clone()).expect("saves");
    }
    let versions = playbooks.versions(&id).expect("reads");
    assert_eq!((versions.len(), versions[0]), (MAX_VERSIONS, 2));
    // Each folder is older than the next one; the first is used again.
    let long_ago = SystemTime::now() - Duration::from_secs(86_400);
    for at in 0..MAX_PLAYBOOKS {
        let (other, _) = playbooks.save(playbook(&format!("Other {at}"), "https://a.test")).expect("saves");
        if at == 0 {
            playbooks.note_use(&first);
        }
        if at < MAX_PLAYBOOKS - 1 {
            let changed = long_ago + Duration::from_secs(at as u64);
            fs::File::open(folder.path().join("playbooks").join(other))
                .and_then(|file| file.set_modified(changed))
                .expect("sets");
        }
    }
    let names: Vec<String> =
        playbooks.list().expect("reads").into_iter().filter_map(|entry| Some(entry.newest?.name)).collect();
    assert_eq!(names.len(), MAX_PLAYBOOKS);
    assert!(names.contains(&"Order".to_owned()) && !names.contains(&"Other 0".to_owned()));
}

#[test]
fn sites_have_playbooks_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let playbooks = Playbooks::new(folder.path());
    let hash = playbook("Order", "https://a.test").workflow;
    playbooks.save(playbook("Order", "https://a.test")).expect("saves");
    assert!(playbooks.find(&hash, Some("https://b.test")).expect("reads").is_none());
    playbooks.save(playbook("Order", "https://b.test")).expect("saves");
    assert_eq!(playbooks.find(&hash, Some("https://b.test")).expect("reads").expect("one").site, "https://b.test");
    // It is not known which of them is meant.
    assert!(playbooks.find(&hash, None).expect("reads").is_none());
    assert!(matches!(playbooks.find_id("order"), Err(PlaybookError::Unknown { matches, .. }) if matches.len() == 2));
}

#[test]
fn a_changed_file_and_another_format_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("one.json");
    let text = written(&playbook("Order", "https://a.test")).expect("a text");
    let read = |text: &str| {
        std::fs::write(&path, text).expect("writes");
        read_playbook(&path)
    };
    assert_eq!(read(&text).expect("reads").name, "Order");
    assert!(matches!(read(&text.replace("a.test", "b.test")), Err(PlaybookError::Checksum { .. })));
    let own = format!("\"format\": {PLAYBOOK_FORMAT}");
    let other = text.replacen(&own, "\"format\": 99", 1);
    assert!(matches!(read(&other), Err(PlaybookError::Format { found: 99, .. })));
    assert!(matches!(read("{}"), Err(PlaybookError::Content { .. })));
    assert!(matches!(read_playbook(&folder.path().join("none")), Err(PlaybookError::File { .. })));
}

#[test]
fn a_workflow_begins_on_the_site_of_its_first_address() {
    let step = |text: &str| Workflow { steps: vec![Step::new(text)], ..Workflow::default() };
    let none = BTreeMap::new();
    assert_eq!(start_site(&step("Open \"https://a.test/x\""), &none).as_deref(), Some("https://a.test"));
    assert_eq!(start_site(&step("Click \"Save\""), &none), None);
    let mut with_input = Workflow { url: Some("https://${host}/".into()), ..step("Click \"Save\"") };
    with_input.inputs.insert("host".into(), Input { default: Some(json!("a.test")), ..Input::default() });
    assert_eq!(start_site(&with_input, &none).as_deref(), Some("https://a.test"));
    let given = BTreeMap::from([("host".to_owned(), json!("b.test"))]);
    assert_eq!(start_site(&with_input, &given).as_deref(), Some("https://b.test"));
}

#[test]
fn a_workflow_is_identified_by_what_it_does() {
    let one = Workflow { name: "a".into(), steps: vec![Step::new("Click \"Save\"")], ..Workflow::default() };
    let named = Workflow { name: "b".into(), url: Some("https://a.test".into()), ..one.clone() };
    assert_eq!(workflow_hash(&one), workflow_hash(&named));
    let changed = Workflow { steps: vec![Step::new("Click \"Send\"")], ..one.clone() };
    assert_ne!(workflow_hash(&one), workflow_hash(&changed));
}
