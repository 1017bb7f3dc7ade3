//! Every action, on a page made for it.

use legwork_protocol::*;
use serde_json::json;

use crate::support::*;

#[test]
fn a_click_is_seen_in_the_next_observation() {
    run(async {
        let visit = visit("<button onclick=\"out.textContent='clicked'\">Go</button><p id=out>waiting</p>").await;
        let go = visit.find("button", "Go").await;
        let done = visit.does(click(go)).await;
        assert_eq!(done.element.as_deref(), Some("button \"Go\""));
        assert_eq!(visit.text().await, "Go clicked");
    });
}

#[test]
fn filling_replaces_and_typing_appends() {
    run(async {
        let visit = visit(
            "<label>Name <input id=n value=old></label><textarea id=t>one</textarea><div id=e contenteditable>draft</div>",
        )
        .await;
        let name = visit.find("textbox", "Name").await;
        visit.does(fill(name.clone(), "new")).await;
        assert_eq!(visit.read("#n").await, "new");
        visit.does(Action::Type(Type { target: Some(name.clone()), text: "er!".into() })).await;
        assert_eq!(visit.read("#n").await, "newer!");
        visit.does(fill(name, "")).await;
        assert_eq!(visit.read("#n").await, "");
        visit.does(fill(at("#t"), "two\nthree")).await;
        assert_eq!(visit.read("#t").await, "two\nthree");
        visit.does(fill(at("#e"), "final")).await;
        assert_eq!(visit.read("#e").await, "final");
    });
}
