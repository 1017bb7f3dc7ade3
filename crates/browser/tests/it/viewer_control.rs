//! Tests the control of a tab by a person who sees it in pictures.

use std::{sync::Arc, time::Duration};

use legwork_browser::{Session, ViewerControl, ViewerInput, ViewerPress};
use legwork_protocol::*;
use tokio_util::sync::CancellationToken;

use crate::support::*;

const PAGE: &str = "<title>Login</title><style>body { margin: 0 } body > * { position: absolute; left: 0; width: 400px; height: 60px }</style>
  <input id=name style='top:0'><button id=in style='top:100px'>Sign in</button>
  <button id=ask style='top:200px' onclick=\"out.textContent += prompt('Code?') + ' '\">Ask</button>
  <button id=other style='top:300px' onclick=\"window.open('/two')\">Window</button><div style='top:3000px'></div>
  <p id=out style='top:400px'></p><script>
    const note = text => out.textContent += text + ' ';
    for (const kind of ['mousedown', 'mouseup', 'click', 'dblclick'])
      document.getElementById('in').addEventListener(kind, e => note(`${kind}${e.detail}${e.shiftKey ? '+shift' : ''}`));
    document.getElementById('name').addEventListener('keydown', e => note((e.ctrlKey ? 'Control+' : '') + e.key));
    onscroll = () => note('scrolled');
  </script>";

/// Calls `work` with the control of a page of which pictures are taken.
async fn controlled(work: impl AsyncFnOnce(&mut ViewerControl, &Session, &Site)) {
    let Visit { site, session, folder: _folder } = visit(PAGE).await;
    site.page("/two", "<title>Two</title><p>two</p>");
    let session = Arc::new(session);
    let (drawn, mut pictures) = tokio::sync::mpsc::unbounded_channel();
    let watched = session.watch(960, Duration::from_millis(20), |picture| drawn.send(picture.width).unwrap());
    let operated = async {
        pictures.recv().await.unwrap();
        let mut control = ViewerControl::begin(session.clone());
        work(&mut control, &session, &site).await;
    };
    tokio::select! {
        () = watched => unreachable!("it watches until it is dropped"),
        () = operated => {}
    }
}

/// A position of the page as fractions of its picture.
fn place(x: f64, y: f64) -> (f64, f64) {
    let (width, height) = legwork_browser::SessionOptions::new(std::env::temp_dir()).viewport;
    (x / f64::from(width), y / f64::from(height))
}

fn click_on(x: f64, y: f64) -> [ViewerInput; 2] {
    let (x, y) = place(x, y);
    let press = ViewerPress { x, y, button: Button::Left, count: 1, modifiers: Vec::new() };
    [ViewerInput::Down(press.clone()), ViewerInput::Up(press)]
}

/// The page's own notes, as soon as they contain a text.
async fn notes(session: &Session, wanted: &str) -> String {
    let look = format!(
        "new Promise(is => {{ const look = () => document.getElementById('out').textContent.includes({wanted:?}) \
         ? is(document.getElementById('out').textContent.trim()) : setTimeout(look, 20); look() }})"
    );
    session.evaluate(&look, None).await.unwrap().as_str().unwrap().to_owned()
}

#[test]
fn a_person_clicks_types_and_scrolls_in_the_picture() {
    run(async {
        controlled(async |control, session, _| {
            control.send(&click_on(20.0, 20.0)).await.unwrap();
            control.send(&[ViewerInput::Text { text: "Zoë".into() }]).await.unwrap();
            control
                .send(&["Control+a", "Backspace", "x"].map(|key| ViewerInput::Key { key: key.into() }))
                .await
                .unwrap();
            let noted = notes(session, "x").await;
            assert!(noted.starts_with("Z o") && noted.ends_with("Control+a Backspace x"), "{noted}");
            let value = session.evaluate("document.getElementById('name').value", None).await.unwrap();
            assert_eq!(value, "x");

            let (x, y) = place(30.0, 120.0);
            for count in [1, 2] {
                let press = ViewerPress { x, y, button: Button::Left, count, modifiers: vec![Modifier::Shift] };
                control.send(&[ViewerInput::Down(press.clone()), ViewerInput::Up(press)]).await.unwrap();
            }
            let noted = notes(session, "dblclick").await;
            assert!(
                noted.contains("click1+shift")
                    && noted.contains("mousedown2+shift mouseup2+shift click2+shift dblclick2+shift"),
                "{noted}"
            );

            control.send(&[ViewerInput::Wheel { x, y, across: 0.0, down: 500.0 }]).await.unwrap();
            notes(session, "scrolled").await;
            let activity = control.activity();
            assert_eq!((activity.clicks, activity.typed, activity.other), (3, true, true));
        })
        .await;
    });
}

#[test]
fn a_person_answers_a_dialog_and_continues_in_the_tab_that_a_click_opened() {
    run(async {
        controlled(async |control, session, _| {
            control.send(&click_on(20.0, 220.0)).await.unwrap();
            let dialog = loop {
                if let Some(dialog) = control.state().dialog {
                    break dialog;
                }
                tokio::task::yield_now().await;
            };
            assert_eq!((dialog.kind, dialog.message.as_str()), (DialogKind::Prompt, "Code?"));
            let blocked = control.send(&[ViewerInput::Key { key: "a".into() }]).await.unwrap_err();
            assert!(matches!(blocked, ActionFailure::DialogOpen { .. }), "{blocked}");
            control.send(&[ViewerInput::Dialog { accept: true, text: Some("4711".into()) }]).await.unwrap();
            notes(session, "4711").await;

            control.send(&click_on(20.0, 320.0)).await.unwrap();
            let current = async |control: &ViewerControl, title: &str| loop {
                control.refresh_titles().await;
                let tabs = control.state().tabs;
                if let Some(tab) = tabs.iter().find(|tab| tab.current && tab.title == title) {
                    break tab.number;
                }
            };
            let popup = current(control, "Two").await;
            assert_ne!(popup, 1);
            control.send(&[ViewerInput::Tab { number: 1 }]).await.unwrap();
            assert_eq!(current(control, "Login").await, 1);
        })
        .await;
    });
}

#[test]
fn an_invalid_input_is_refused_before_any_is_sent() {
    run(async {
        controlled(async |control, session, _| {
            let invalid = [
                ViewerInput::Move { x: 1.2, y: 0.5 },
                ViewerInput::Move { x: f64::NAN, y: 0.5 },
                ViewerInput::Key { key: "Hyperspace".into() },
                ViewerInput::Wheel { x: 0.5, y: 0.5, across: 0.0, down: f64::INFINITY },
                ViewerInput::Text { text: "a".repeat(10_001) },
                ViewerInput::Down(ViewerPress {
                    x: 0.5,
                    y: 0.5,
                    button: Button::Left,
                    count: 9,
                    modifiers: Vec::new(),
                }),
            ];
            for input in invalid {
                let [down, up] = click_on(20.0, 120.0);
                let refused = control.send(&[down, up, input]).await.unwrap_err();
                assert!(matches!(refused, ActionFailure::InvalidArgument { .. }), "{refused}");
            }
            assert!(control.activity().is_empty());
            let noted = session.evaluate("document.getElementById('out').textContent", None).await.unwrap();
            assert_eq!(noted, "");
        })
        .await;
    });
}

/// The effects of a person's input are not those of the next action.
#[test]
fn what_a_person_did_belongs_to_no_action() {
    run(async {
        let Visit { site, session, folder: _folder } = visit("<title>One</title><button id=b>B</button>").await;
        site.page("/two", "<title>Two</title><p>two</p>");
        let session = Arc::new(session);
        let control = ViewerControl::begin(session.clone());
        // The person's input led to another page and to a dialog.
        session.evaluate(&format!("location.href = {:?}", site.url("/two")), None).await.ok();
        while !session.url().ends_with("/two") {
            tokio::task::yield_now().await;
        }
        let activity = control.end();
        assert!(activity.is_empty());
        let read = session
            .act(&Action::Wait(Wait { seconds: Some(0.01), ..Wait::default() }), &CancellationToken::new())
            .await;
        assert!(read.ok() && read.effects.is_empty(), "{read:?}");
    });
}
