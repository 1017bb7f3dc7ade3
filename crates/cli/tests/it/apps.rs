//! Literal workflows on two third-party applications. The final state is read without the browser.

use legwork_testing::apps::{DjangoAdmin, TiddlyWiki};
use serde_json::{Value, json};

use crate::support::{Ended, Program, finish};

/// Runs a workflow, asserts success and returns the summary.
#[track_caller]
fn succeeds(program: &Program, workflow: &str, url: &str, secrets: &[(&str, &str)]) -> Value {
    let file = program.write("workflow.yaml", workflow);
    let mut command = program.command(&["run", file.to_str().unwrap(), "--url", url, "--decider", "literal", "--json"]);
    for (name, value) in secrets {
        command.args(["--secret", name]).env(format!("LEGWORK_SECRET_{}", name.to_uppercase()), value);
    }
    let Ended { code, out, err } = finish(command);
    assert_eq!(code, 0, "{out}\n{err}\n{}", program.show_last());
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["status"], "success");
    for step in summary["steps"].as_array().unwrap() {
        assert_eq!((&step["status"], &step["decider"]), (&json!("success"), &json!("literal")), "{step}");
    }
    assert_eq!(summary["usage"]["calls"], 0, "no model was asked");
    summary
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_librarians_round_in_djangos_admin() {
    let library = DjangoAdmin::start().await.unwrap();
    let program = Program::new();
    let before = library.state().await.unwrap();
    let secret = [("library_password", DjangoAdmin::PASSWORD)];
    let summary = succeeds(&program, DjangoAdmin::WORKFLOW, &library.url(), &secret);
    assert!(summary["steps"].as_array().unwrap().len() >= 10);

    let state = library.state().await.unwrap();
    let authors = state["authors"].as_array().unwrap();
    let added: Vec<_> = authors.iter().filter(|author| author["name"] == "Clarice Lispector").collect();
    assert_eq!(added.len(), 1, "added once: {authors:?}");
    assert_eq!(added[0]["born"], "1920-12-10");
    let books = state["books"].as_array().unwrap();
    let titles: Vec<_> = books.iter().map(|book| book["title"].as_str().unwrap()).collect();
    assert_eq!(titles, ["Flush", "The Hour of the Star"], "one deleted, one added");
    assert_eq!(books[0]["genre"], "essay");
    assert_eq!(
        books[1],
        json!({
            "title": "The Hour of the Star", "author": "Clarice Lispector", "genre": "novel", "published": "1977-10-26",
            "pages": 96, "in_print": true, "summary": "A typist in Rio."
        })
    );
    // Two additions, a change and a deletion: no change was made twice.
    assert_eq!(state["changes"].as_u64().unwrap() - before["changes"].as_u64().unwrap(), 4);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_note_in_tiddlywiki() {
    let wiki = TiddlyWiki::start().await.unwrap();
    let program = Program::new();
    let summary = succeeds(&program, TiddlyWiki::WORKFLOW, &wiki.url(), &[]);
    assert!(summary["steps"].as_array().unwrap().len() >= 10);

    let note = wiki.tiddler("Harbour tides").await.unwrap().expect("the note was kept");
    assert_eq!(note["text"], "High water at noon, low water at six. See [[Kirkholm]].");
    assert_eq!(note["tags"], "tides");
    let title = wiki.tiddler("$:/SiteTitle").await.unwrap().expect("the wiki was renamed");
    assert_eq!(title["text"], "Harbour log");
    let files = wiki.files().unwrap();
    assert!(files.iter().any(|name| name == "Harbour tides.tid"), "{files:?}");
    assert!(!files.iter().any(|name| name.contains("Draft")), "no draft is left: {files:?}");
}
