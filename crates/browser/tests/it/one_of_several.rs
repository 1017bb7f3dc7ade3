//! Targets that name one of several matches, and targets as an observation shows them.

use legwork_protocol::{Action, ActionFailure, Select};

use crate::support::*;

#[test]
fn one_of_several_matches_is_named_by_its_position() {
    run(async {
        let visit = visit(
            "<button onclick=\"said.textContent='first'\">Add</button><iframe srcdoc='<button>Add</button>'></iframe>\
             <button onclick=\"said.textContent='last'\">Add</button><p id=said></p>",
        )
        .await;
        visit.does(click(at("button \"Add\" >> nth=0"))).await;
        assert_eq!(visit.read("#said").await, "first");
        // The frame comes after the page.
        visit.does(click(at("css=body > button >> nth=1"))).await;
        assert_eq!(visit.read("#said").await, "last");
        visit.does(click(at("css=body > button >> nth=-3"))).await;
        assert_eq!(visit.read("#said").await, "first");
        assert_eq!(visit.read("text=Add >> nth=1").await, "Add");
        let several = visit.fails(click(at("button \"Add\""))).await;
        assert!(matches!(several, ActionFailure::Ambiguous { count: 3, .. }), "{several}");
        let report = several.to_string();
        assert!(report.contains(">> nth=0"), "{report}");
        assert!(matches!(visit.fails(click(at("button \"Add\" >> nth=3"))).await, ActionFailure::NotFound { .. }));
        assert!(matches!(visit.fails(click(at("button \"Add\" >> nth=-4"))).await, ActionFailure::NotFound { .. }));
    });
}

/// A playbook records the element, because a position means another one on the next page.
#[test]
fn the_result_states_the_ref_of_the_element_that_a_position_or_a_selector_meant() {
    run(async {
        let visit = visit(
            "<ul><li><button>Add</button><li><button><b>Add</b></button><li><button>Add</button></ul>\
             <label>Name <input id=n></label><p>Plain text</p><iframe srcdoc='<button>Send</button>'></iframe>",
        )
        .await;
        let page = visit.see().await;
        let buttons: Vec<_> =
            page.nodes.iter().filter(|node| &*node.name == "Add").filter_map(|node| node.reference).collect();
        let [_, second, third] = buttons[..] else { panic!("{buttons:?}") };
        for (target, meant) in [
            ("button \"Add\" >> nth=1", second),
            ("\"Add\" >> nth=-1", third),
            // The text is in an element of the button.
            ("text=Add >> nth=1", second),
            ("xpath=(//button)[2]", second),
            ("li:nth-of-type(2) b", second),
            ("css=li:last-child button", third),
        ] {
            let result = visit.does(click(at(target))).await;
            assert_eq!(result.refs.get(target), Some(&meant.into()), "{target}");
        }
        let name = visit.find("textbox", "Name").await;
        assert_eq!(visit.does(fill(at("text=Name"), "Ada")).await.refs.get("text=Name"), Some(&name));
        let send = visit.find("button", "Send").await;
        assert_eq!(visit.does(click(at("button \"Send\""))).await.refs.get("button \"Send\""), Some(&send));
        // No observation shows them as elements that can be acted on, and a ref needs no other one.
        assert_eq!(visit.does(click(at("css=body > p"))).await.refs.len(), 0);
        assert_eq!(visit.does(click(name)).await.refs.len(), 0);
    });
}

#[test]
fn a_text_that_several_elements_contain_names_the_field_that_it_labels() {
    run(async {
        let visit = visit(
            "<table><tr><th>Model name</th></tr></table><label>Name: <input id=n></label>\
             <p>The name is shown to all.</p><label>City <input id=c></label><label>City of birth <input></label>\
             <span id=l>Size</span><div role=combobox aria-labelledby=l tabindex=0 id=s>Small</div>\
             <ul role=listbox aria-labelledby=l><li role=option onclick=\"s.textContent='Large'\">Large</li></ul>",
        )
        .await;
        let size = Select { target: at("text=Size"), values: vec!["Large".into()] };
        visit.does(Action::Select(size)).await;
        assert_eq!(visit.read("#s").await, "Large");
        let name = fill(at("text=Name"), "Ada");
        let facts = visit.session.facts_for(&name).await.unwrap();
        assert_eq!(facts.role, "textbox", "the rules of a run judge the field that is filled in");
        visit.does(name).await;
        assert_eq!(visit.read("#n").await, "Ada");
        assert!(matches!(visit.fails(click(at("text=Name"))).await, ActionFailure::Ambiguous { count: 3, .. }));
        visit.does(fill(at("text=City"), "Rome")).await;
        assert_eq!(visit.read("#c").await, "Rome");
    });
}

#[test]
fn a_line_of_an_observation_is_a_target() {
    run(async {
        let visit = visit(
            "<table><tr><th onclick=\"said.textContent='sorted'\">City</th></tr></table><p id=said></p>\
             <iframe src='data:text/html,<button>Far</button>'></iframe>",
        )
        .await;
        visit.does(click(at("columnheader \"City\""))).await;
        assert_eq!(visit.read("#said").await, "sorted");
        assert_eq!(visit.read("button \"Far\" [disabled]:").await, "Far");
        assert_eq!(visit.read("button \"Far\" >> nth=0").await, "Far");
        let reference = visit.find("columnheader", "City").await;
        visit.does(click(at(&format!("columnheader \"Other\" [ref={reference}]")))).await;
    });
}
