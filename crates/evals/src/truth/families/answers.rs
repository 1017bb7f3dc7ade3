//! Responses to a click that do not execute it: a question, a request for proof, another name of the button, a partial
//! result; and texts that are no such response, such as an entry about failures. An independent trial found these
//! cases.

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, each, fill_and_click},
    site::{agrees, html, redirect},
};

/// A button that deletes a report. In the failing variant it asks for confirmation first.
fn delete(name: &'static str, about: &'static str, page: &'static str) -> Behaviour {
    behaviour("answers", name, about)
        .page(page)
        .server(agrees)
        .ask(click("Delete report"))
        .commands(["click button \"Delete report\""])
}

/// A button on a page whose site answers 200 to every request.
fn pressed(name: &'static str, about: &'static str, button: &'static str, page: &'static str) -> Behaviour {
    behaviour("answers", name, about)
        .page(page)
        .server(agrees)
        .ask(click(button))
        .commands([format!("click button {button:?}")])
}

/// An item that opens and contains a text about a failure. Opening it succeeds nevertheless.
fn opened(name: &'static str, about: &'static str, target: &'static str, page: &'static str) -> Behaviour {
    behaviour("answers", name, about)
        .page(page)
        .ask(each(&[target]))
        .done(|facts| facts.books.state("opened") == Some("1"))
        .only(&[Variant::Genuine])
}

macro_rules! report {
    ($asks:literal) => {
        concat!(
            r#"<h1>Reports</h1><ul><li>May 2026 <button id="b">Delete report</button></li></ul><div id="r"></div><script>
  const remove = () => { $('li').remove(); return send('change'); };
  on('#b', 'click', () => { if (FAILS) { "#,
            $asks,
            " } else remove(); });\n</script>"
        )
    };
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        delete("sure_button", "the button asks whether one is sure", report!("$('#b').textContent = 'Sure?';")),
        delete(
            "press_again",
            "the button asks to be pressed again",
            report!("$('#b').textContent = 'Click again to confirm';"),
        ),
        delete(
            "type_to_confirm",
            "a panel asks for the name before it deletes",
            report!("$('#r').innerHTML = '<h3>Delete report</h3><p>To confirm, type the name of the report</p><input aria-label=Name><button disabled>Delete forever</button>';"),
        ),
        delete(
            "popconfirm",
            "a bubble asks whether one is sure",
            report!("$('#r').innerHTML = '<div role=tooltip><div>Are you sure to delete this report?</div><button>No</button><button>Yes</button></div>';"),
        ),
        delete(
            "confirm_without_question",
            "a dialog offers to cancel or to delete",
            report!("$('#r').innerHTML = '<div role=dialog aria-modal=true><h2>Delete</h2><p>This will remove the report for everyone.</p><button>Cancel</button><button>Delete</button></div>';"),
        ),
        delete(
            "modal_without_role",
            "a modal without a role asks whether one really wants to, and its buttons are named by a style sheet",
            report!("$('#r').innerHTML = '<style>b.x::before{content:attr(label)}</style><div><h5>Do you really want to remove this item?</h5><button><b class=x label=Cancel></b></button><button><b class=x label=Confirm></b></button></div>';"),
        ),
        pressed(
            "sold_out",
            "the site answers 200, and the button is called by a refusal",
            "Add to cart",
            r#"<h1>Lamp</h1><button id="b">Add to cart</button><script>
  on('#b', 'click', async () => { await send('change'); $('#b').textContent = FAILS ? 'Sold out' : 'In cart'; });
</script>"#,
        ),
        pressed(
            "requested",
            "the site answers 200, and the button says that it was requested only",
            "Follow",
            r#"<h1>Grace</h1><button id="b">Follow</button><script>
  on('#b', 'click', async () => { await send('change'); $('#b').textContent = FAILS ? 'Requested' : 'Following'; });
</script>"#,
        )
        .silent(),
        pressed(
            "code",
            "the site answers 200, and the page asks for a code",
            "Withdraw $50",
            r#"<h1>Account</h1><button id="b">Withdraw $50</button><div id="r"></div><script>
  on('#b', 'click', async () => {
    await send('change');
    $('#r').innerHTML = FAILS ? '<h3>One more thing</h3><p>We texted you six digits.</p><input aria-label=Code><button>Continue</button>' : '<p>$50 withdrawn</p>';
  });
</script>"#,
        ),
        pressed(
            "robot",
            "the site answers 200, and the page asks for a test for machines",
            "Sign up",
            r#"<h1>News</h1><button id="b">Sign up</button><div id="r"></div><script>
  on('#b', 'click', async () => {
    await send('change');
    $('#r').innerHTML = FAILS ? '<label><input type=checkbox> I am not a robot</label>' : '<p>Signed up</p>';
  });
</script>"#,
        ),
        pressed(
            "part",
            "the site answers 200, and the page says that it did a part",
            "Archive all",
            r#"<h1>Mail</h1><ul><li>One<li>Two<li>Three</ul><button id="b">Archive all</button><p id="r"></p><script>
  on('#b', 'click', async () => { await send('change'); $('#r').textContent = FAILS ? 'Archived 2 of 3' : 'Archived 3 of 3'; });
</script>"#,
        ),
        behaviour("answers", "login_by_script", "a script's request is led to the log-in page, and the page shows the new name")
            .page(
                r#"<h1 id="t">Untitled</h1><label>Title <input id="i"></label><button>Rename</button><script>
  on('button', 'click', async () => { $('#t').textContent = $('#i').value; await send('change'); });
</script>"#,
            )
            .server(|call| match call.path {
                "change" if call.fails => redirect("login"),
                "login" => html(200, "<h1>Log in</h1><form><input type=password name=p></form>"),
                _ => agrees(call),
            })
            .ask(fill_and_click("Plan B", "Title", "Rename"))
            .commands(["fill textbox \"Title\" \"Plan B\"", "click button \"Rename\""]),
        opened(
            "mail",
            "a mail that was opened speaks of a card that was declined",
            "Click \"Your statement\"",
            r##"<h1>Inbox</h1><a href="#" id="a">Your statement</a><div id="r"></div><script>
  on('#a', 'click', event => { event.preventDefault(); tell({ opened: 1 }); $('#r').innerHTML = '<h2>Your statement</h2><p>Dear Ada, your card payment of $9 was declined on Friday.</p>'; });
</script>"##,
        ),
        opened(
            "failed_builds",
            "a tab lists builds that failed",
            "Click \"Failing\"",
            r#"<div role="tablist"><button role="tab" aria-selected="true">All</button><button role="tab" aria-selected="false" id="f">Failing</button></div><ul id="l"><li>Build 12 passed</ul><script>
  on('#f', 'click', () => { $('#f').setAttribute('aria-selected', true); tell({ opened: 1 }); $('#l').innerHTML = '<li>Build 11 failed</li><li>Build 9 could not be saved: error, timeout</li>'; });
</script>"#,
        ),
        opened(
            "examination",
            "what is tested has errors",
            "Click \"Run checks\"",
            r#"<button id="b">Run checks</button><ul id="l"></ul><script>
  on('#b', 'click', async () => { tell({ opened: 1 }); $('#l').innerHTML = '<li>DNS passed<li>The TLS check failed'; });
</script>"#,
        ),
        behaviour("answers", "sorted_by_drag", "a list is sorted while an entry is dragged over it, and saved when it is dropped")
            .page(
                r#"<ul id="l"><li draggable="true">One<li draggable="true">Two<li draggable="true">Three</ul><script>
  let dragged;
  on('#l', 'dragstart', event => { dragged = event.target; });
  on('#l', 'dragover', event => { event.preventDefault(); const over = event.target.closest('li'); if (over && over !== dragged) over.before(dragged); });
  on('#l', 'drop', event => { event.preventDefault(); send('change'); });
</script>"#,
            )
            .server(agrees)
            .ask(each(&["Drag \"Three\" onto \"One\"", "Drag \"Three\" to \"One\""]))
            .commands(["drag \"Three\" \"One\""])
            .only(&[Variant::Genuine]),
    ]
}
