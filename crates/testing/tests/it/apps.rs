//! The third-party applications start, report their state, and end. The first installation needs the network.

use legwork_testing::{
    apps::{DjangoAdmin, TiddlyWiki},
    is_gone,
};
use serde_json::json;

#[tokio::test]
async fn django_serves_its_admin_and_ends() {
    let library = DjangoAdmin::start().await.expect("Django installs and starts");
    let url = library.url();
    let asked = legwork_testing::http().build().unwrap().get(&url);
    let page = asked.send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Django administration"), "{page}");
    let state = library.state().await.expect("the ORM answers");
    assert_eq!(state["authors"][1], json!({ "name": "Fernando Pessoa", "born": "1888-06-13" }));
    assert_eq!(state["books"].as_array().map(Vec::len), Some(2));
    assert_eq!(state["changes"], 0);
    drop(library);
    is_gone(&url).await;
}

#[tokio::test]
async fn tiddlywiki_serves_its_notes_and_ends() {
    let wiki = TiddlyWiki::start().await.expect("TiddlyWiki installs and starts");
    let url = wiki.url();
    assert_eq!(wiki.tiddler("Nobody wrote this").await.unwrap(), None);
    let note = json!({ "title": "Rope & knots", "text": "Bowline", "tags": "deck" });
    let put = legwork_testing::http().build().unwrap().put(format!("{url}recipes/default/tiddlers/Rope%20%26%20knots"));
    let answer = put.header("X-Requested-With", "TiddlyWiki").json(&note).send().await.unwrap();
    assert!(answer.status().is_success(), "{answer:?}");
    let kept = wiki.tiddler("Rope & knots").await.unwrap().expect("the note was kept");
    assert_eq!(kept["text"], "Bowline");
    drop(wiki);
    is_gone(&url).await;
}
