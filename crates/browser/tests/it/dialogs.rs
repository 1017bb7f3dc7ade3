//! Tests dialogs: they are answered while they are open, or by the one action that carries their answer. No answer is
//! kept for a later dialog.

use legwork_browser::Capability;
use legwork_protocol::*;

use crate::support::*;

fn with_answer(action: Action, accept: bool, text: Option<&str>) -> Action {
    Action::Dialog(Dialog { accept, text: text.map(Into::into), opened_by: Some(Box::new(action)) })
}

fn told(result: &ActionResult) -> Vec<(&str, Option<bool>)> {
    let dialogs = result.effects.iter().filter_map(|effect| match effect {
        PageEffect::Dialog(dialog) => Some((dialog.message.as_str(), dialog.accepted)),
        _ => None,
    });
    dialogs.collect()
}

#[test]
fn an_action_answers_the_dialog_that_it_opens() {
    run(async {
        let visit = visit(
            "<button id=c onclick=\"said.textContent=confirm('sure?')\">C</button>
            <button id=p onclick=\"said.textContent=prompt('who?')\">P</button><p id=said></p>",
        )
        .await;
        for (button, accept, text, said) in
            [("#c", true, None, "true"), ("#c", false, None, "false"), ("#p", true, Some("Ada"), "Ada")]
        {
            let result = visit.does(with_answer(click(at(button)), accept, text)).await;
            assert_eq!(told(&result).iter().map(|(_, accepted)| *accepted).collect::<Vec<_>>(), [Some(accept)]);
            assert_eq!(visit.read("#said").await, said);
        }
    });
}

#[test]
fn the_second_of_two_dialogs_is_left_open_and_told() {
    run(async {
        let visit = visit(
            "<button id=b onclick=\"said.textContent=[confirm('first?'),confirm('second?')].join()\">B</button><p id=said>none</p>",
        )
        .await;
        let result = visit.does(with_answer(click(at("#b")), true, None)).await;
        assert_eq!(told(&result), [("first?", Some(true)), ("second?", None)]);
        assert_eq!(visit.see().await.dialog.as_ref().unwrap().message, "second?");
        assert!(matches!(visit.fails(click(at("#b"))).await, ActionFailure::DialogOpen { .. }));
        visit.does(Action::Dialog(Dialog::answer(false, None))).await;
        assert_eq!(visit.read("#said").await, "true,false");
    });
}

#[test]
fn an_answer_that_no_dialog_took_is_discarded_with_its_action() {
    run(async {
        let visit = visit(
            "<button id=quiet>Quiet</button><button id=b onclick=\"said.textContent=confirm('sure?')\">B</button><p id=said></p>",
        )
        .await;
        // The action succeeds without a dialog, fails, or is cancelled.
        assert_eq!(told(&visit.does(with_answer(click(at("#quiet")), true, None)).await), []);
        visit.fails(with_answer(click(at("#absent")), true, None)).await;
        let cancel = tokio_util::sync::CancellationToken::new();
        cancel.cancel();
        visit.session.act(&with_answer(click(at("#quiet")), true, None), &cancel).await;
        // An answer without an open dialog fails and is not kept for a later one.
        let failure = visit.fails(Action::Dialog(Dialog::answer(true, None))).await;
        assert_eq!(failure, ActionFailure::NoDialog);
        assert!(failure.to_string().contains("and accept the dialog"), "{failure}");
        assert_eq!(told(&visit.does(click(at("#b"))).await), [("sure?", None)]);
        visit.does(Action::Dialog(Dialog::answer(false, None))).await;
        assert_eq!(visit.read("#said").await, "false");
    });
}

#[test]
fn an_answer_is_not_for_the_dialog_of_another_tab() {
    run(async {
        let visit = visit("<title>Home</title><button id=b>B</button>").await;
        visit.site.page(
            "/other",
            "<title>Other</title><script>new BroadcastChannel('x').onmessage=()=>document.title=confirm('other?')</script>",
        );
        visit.does(Action::Tab(Tab::Open { url: Some(visit.site.url("/other")) })).await;
        visit.does(Action::Tab(Tab::Switch { to: "1".into() })).await;
        visit.site.page("/", "<title>Home</title><button id=b onclick=\"const c=new BroadcastChannel('x');c.postMessage(1);return new Promise(r=>setTimeout(r,300))\">B</button>");
        visit.open("/").await;
        let result = visit.act(with_answer(click(at("#b")), true, None)).await;
        assert!(!told(&result).iter().any(|(_, accepted)| *accepted == Some(true)), "{result:?}");
    });
}

#[test]
fn a_page_that_does_not_let_itself_be_left_is_no_success() {
    run(async {
        let leave = "<button id=touch>Touch</button><a id=go href=/next>Go</a><script>onbeforeunload=e=>e.preventDefault()</script>";
        if !supports(Capability::LeaveQuestions) {
            let visit = visit(leave).await;
            visit.site.page("/next", "<p>next</p>");
            visit.does(click(at("#touch"))).await;
            visit.does(click(at("#go"))).await;
            assert_eq!(visit.session.url(), visit.site.url("/next"));
            return;
        }
        for (what, by) in
            [("open", None), ("link", Some(click(at("#go")))), ("reload", Some(Action::Reload(NoParams {})))]
        {
            let visit = visit(leave).await;
            visit.site.page("/next", "<p>next</p>");
            let action = by.unwrap_or_else(|| open(&visit.site.url("/next")));
            visit.does(click(at("#touch"))).await;
            let failure = visit.fails(action.clone()).await;
            assert!(
                matches!(&failure, ActionFailure::DialogOpen { dialog, .. } if dialog == "beforeunload"),
                "{failure}"
            );
            // The page stays: it can be used, and asks again.
            visit.does(Action::Dialog(Dialog::answer(false, None))).await;
            assert_eq!(visit.session.url(), visit.site.url("/"), "{what}");
            if !matches!(action, Action::Click(_)) {
                visit.fails(with_answer(action.clone(), false, None)).await;
            }
            visit.does(click(at("#touch"))).await;
            visit.does(with_answer(action, true, None)).await;
            let there = if what == "reload" { "/" } else { "/next" };
            assert_eq!(visit.session.url(), visit.site.url(there), "{what}");
        }
    });
}
