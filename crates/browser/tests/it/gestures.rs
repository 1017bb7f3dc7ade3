//! Tests the mouse at points, and drops from outside the page.

use std::{collections::BTreeMap, sync::Arc};

use legwork_browser::{Capability, Gesture, Guard, RequestDenial};
use legwork_protocol::*;
use tokio_util::sync::CancellationToken;

use crate::support::*;

const BOARD: &str = "<title>Board</title><style>body { margin: 0 } canvas, #box, #basket { position: absolute }</style>
  <canvas id=board width=300 height=200 style='left:0;top:0;background:#eee'></canvas>
  <div id=box draggable=true style='left:0;top:300px;width:80px;height:40px;background:#ccc'>Box</div>
  <div id=basket style='left:300px;top:300px;width:120px;height:80px;background:#ddd'>Basket</div>
  <div style='height:4000px'></div><p id=out style='position:fixed;left:0;top:220px;margin:0'></p><script>
    let heard = 0; onscroll = () => heard = scrollY;
    const say = text => out.textContent += text + ' ';
    for (const kind of ['mousedown', 'mouseup', 'dblclick', 'contextmenu']) board.addEventListener(kind, e => {
      e.preventDefault(); say(`${kind}@${e.offsetX},${e.offsetY}/${e.button}`);
    });
    board.addEventListener('mousemove', e => { if (e.buttons) say(`drawn@${e.offsetX},${e.offsetY}`) });
    board.addEventListener('click', e => setTimeout(() => say('later'), 50));
    box.ondragstart = e => e.dataTransfer.setData('text/plain', 'a box');
    basket.ondragover = e => e.preventDefault();
    basket.ondrop = async e => {
      e.preventDefault();
      const texts = await Promise.all([...e.dataTransfer.files].map(f => f.text().then(t => f.name + '=' + t)));
      say(['got', e.isTrusted, e.dataTransfer.getData('text/plain'), e.dataTransfer.getData('text/uri-list'), ...texts].join('|'));
    };
  </script>";

async fn make(visit: &Visit, gesture: Gesture) -> ActionResult {
    visit.session.gesture(&gesture, &CancellationToken::new()).await
}

const READ: &str = "const said = out.textContent.trim(); out.textContent = ''; said";

async fn done(visit: &Visit, gesture: Gesture) -> String {
    said_once(visit, gesture, READ).await
}

/// For pages that read the dropped files: no event tells when they have finished, so the page waits for its output.
async fn dropped(visit: &Visit, gesture: Gesture) -> String {
    said_once(visit, gesture, "new Promise(is => {
        const look = () => out.textContent ? (is(out.textContent.trim()), out.textContent = '') : requestAnimationFrame(look);
        look() })").await
}

async fn said_once(visit: &Visit, gesture: Gesture, read: &str) -> String {
    let result = make(visit, gesture.clone()).await;
    assert!(result.ok(), "{gesture:?}: {:?}", result.failure);
    visit.session.evaluate(read, None).await.unwrap().as_str().unwrap().to_owned()
}

fn click_at(x: f64, y: f64) -> Gesture {
    Gesture::Click { at: [x, y], button: Button::Left, count: 1, delay: 0 }
}

#[test]
fn the_mouse_goes_where_it_is_sent_and_what_follows_is_waited_for() {
    run(async {
        let visit = visit(BOARD).await;
        assert_eq!(done(&visit, click_at(40.0, 50.0)).await, "mousedown@40,50/0 mouseup@40,50/0 later");
        let twice = Gesture::Click { at: [10.0, 10.0], button: Button::Left, count: 2, delay: 0 };
        assert!(done(&visit, twice).await.contains("dblclick@10,10/0"));
        let right = Gesture::Click { at: [20.0, 20.0], button: Button::Right, count: 1, delay: 0 };
        assert!(done(&visit, right).await.contains("contextmenu@20,20/2"));

        // A drawing: the button goes down, the pointer moves in steps, and the button goes up, each as its own gesture.
        assert_eq!(done(&visit, Gesture::Move { to: [100.0, 100.0] }).await, "");
        assert_eq!(done(&visit, Gesture::Down { button: Button::Left }).await, "mousedown@100,100/0");
        assert_eq!(done(&visit, Gesture::Move { to: [120.0, 110.0] }).await, "drawn@120,110");
        assert!(done(&visit, Gesture::Up { button: Button::Left }).await.starts_with("mouseup@120,110/0"));
        assert_eq!(done(&visit, Gesture::Move { to: [130.0, 110.0] }).await, "", "nothing is held any more");

        let wheel = make(&visit, Gesture::Wheel { across: 0.0, down: 300.0 }).await;
        assert!(wheel.ok(), "{wheel:?}");
        assert_eq!(visit.session.evaluate("heard", None).await.unwrap(), 300, "it was not waited for");
        visit.session.close().await.unwrap();
    });
}

#[test]
fn what_can_be_dragged_is_dropped_where_the_mouse_lets_go() {
    run(async {
        let visit = visit(BOARD).await;
        let drag = Gesture::Drag { from: [20.0, 320.0], to: [350.0, 340.0] };
        if !supports(Capability::HtmlDrags) {
            let failure = make(&visit, drag).await.failure.unwrap();
            assert!(matches!(failure, ActionFailure::NotAvailable { .. }), "{failure}");
            return;
        }
        assert_eq!(done(&visit, drag).await, "got|true|a box|");
        done(&visit, Gesture::Move { to: [20.0, 320.0] }).await;
        done(&visit, Gesture::Down { button: Button::Left }).await;
        done(&visit, Gesture::Move { to: [40.0, 330.0] }).await;
        done(&visit, Gesture::Move { to: [340.0, 340.0] }).await;
        assert_eq!(done(&visit, Gesture::Up { button: Button::Left }).await, "got|true|a box|");
        visit.session.close().await.unwrap();
    });
}

/// A press that is cancelled halfway still ends: no button is held, and drags are no longer intercepted.
#[test]
fn what_is_cut_short_leaves_no_button_held() {
    const PRESSED: &str = "new Promise(is => {
        const look = () => /mousedown/.test(out.textContent) ? is(true) : requestAnimationFrame(look); look() })";
    run(async {
        let visit = visit(BOARD).await;
        let long = Gesture::Click { at: [40.0, 50.0], button: Button::Left, count: 1, delay: 10_000 };
        // A drop target that is hidden may be shown once something is dragged.
        visit
            .session
            .evaluate("document.body.insertAdjacentHTML('beforeend', '<p id=later hidden>')", None)
            .await
            .unwrap();
        let nowhere = Action::Drag(Drag { target: at("#board"), to: at("#later") });
        for gesture in [Some(long), None] {
            let cancel = CancellationToken::new();
            let cut = async {
                visit.session.evaluate(PRESSED, None).await.unwrap();
                cancel.cancel();
            };
            let made = async {
                match &gesture {
                    Some(gesture) => visit.session.gesture(gesture, &cancel).await,
                    None => visit.session.act(&nowhere, &cancel).await,
                }
            };
            let (result, ()) = tokio::join!(made, cut);
            assert_eq!(result.failure, Some(ActionFailure::Cancelled));
            let after = done(&visit, Gesture::Move { to: [60.0, 60.0] }).await;
            assert!(after.contains("mouseup@") && !after.contains("drawn@60,60"), "{after}");
        }
        let dragged = done(&visit, Gesture::Drag { from: [20.0, 320.0], to: [350.0, 340.0] }).await;
        assert!(dragged.ends_with("got|true|a box|"), "{dragged}");
        visit.session.close().await.unwrap();
    });
}

#[test]
fn a_drag_to_nowhere_presses_nothing() {
    const PAGE: &str = "<div id=a style='width:60px;height:40px'>DragMe</div><div>Part</div><div>Part</div>
        <div id=zone style='position:absolute;left:300px;top:0;width:90px;height:60px'>Zone</div>
        <div style='position:absolute;left:290px;top:0;width:120px;height:80px;z-index:1;background:#eee'>cover</div>
        <p id=said></p><script>onmousedown = onmouseup = e => said.textContent += e.type + ' '</script>";
    run(async {
        let visit = visit_with(PAGE, |options| options.timeouts.action = std::time::Duration::from_millis(300)).await;
        for to in ["text=Nowhere", "text=Part", "#zone"] {
            let drag = Action::Drag(Drag { target: at("text=DragMe"), to: at(to) });
            let result = visit.act(drag).await;
            assert!(result.failure.is_some() && !result.outcome_unknown, "{to}: {result:?}");
            assert_eq!(visit.read("#said").await, "", "{to}: something was pressed");
        }
    });
}

#[test]
fn a_drop_target_may_be_shown_by_the_drag() {
    run(async {
        let visit = visit(
            "<body style='margin:0'><div id=a style='width:60px;height:40px'>A</div><div id=bin hidden style='position:absolute;left:200px;top:90px;width:90px;height:60px'>Bin</div>
            <p id=said></p><script>a.onmousedown=()=>bin.hidden=false;bin.onmouseup=()=>said.textContent='dropped'</script>",
        )
        .await;
        visit.does(Action::Drag(Drag { target: at("#a"), to: at("#bin") })).await;
        assert_eq!(visit.read("#said").await, "dropped");
    });
}

#[test]
fn a_gesture_names_what_lies_there_and_stays_in_the_view() {
    run(async {
        let visit = visit(
            "<body style='margin:0'><button style='width:100px;height:50px'><i>Save</i></button>
            <a href='/next' style='position:absolute;left:0;top:100px'>Next</a>",
        )
        .await;
        visit.site.page("/next", "<title>Next</title>there");
        let pressed = make(&visit, click_at(50.0, 25.0)).await;
        assert_eq!(pressed.element.as_deref(), Some("button \"Save\""));
        for outside in [click_at(50.0, 5000.0), click_at(-1.0, 2.0), click_at(f64::NAN, 2.0)] {
            let failure = make(&visit, outside).await.failure.unwrap();
            assert!(failure.to_string().contains("outside of the view, which is 1280×720"), "{failure}");
        }
        let left = make(&visit, click_at(10.0, 108.0)).await;
        assert_eq!(left.url, visit.site.url("/next"), "{left:?}");
        assert!(left.effects.iter().any(|effect| matches!(effect, PageEffect::Navigated { .. })), "{left:?}");
        let opened = visit.session.evaluate("setTimeout(() => confirm('Sure?')), 1", None).await;
        assert!(opened.is_ok());
        let failure = make(&visit, click_at(1.0, 1.0)).await.failure.unwrap();
        assert!(matches!(failure, ActionFailure::DialogOpen { .. }), "{failure}");
        visit.session.close().await.unwrap();
    });
}

fn drop_on(target: &str, files: &[&str], data: &[(&str, &str)]) -> Gesture {
    let data: BTreeMap<_, _> = data.iter().map(|(kind, data)| ((*kind).to_owned(), (*data).to_owned())).collect();
    Gesture::Drop { target: at(target), files: files.iter().map(|file| (*file).to_owned()).collect(), data }
}

#[test]
fn files_and_data_are_dropped_from_outside_where_the_page_takes_them() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.txt"), "rope").unwrap();
        let uploads = vec![folder.path().to_owned()];
        let visit = visit_with(BOARD, |options| options.uploads = uploads).await;
        if !supports(Capability::OutsideDrops) {
            let failure = make(&visit, drop_on("#basket", &["a.txt"], &[])).await.failure.unwrap();
            assert!(matches!(failure, ActionFailure::NotAvailable { .. }), "{failure}");
            return;
        }
        assert_eq!(dropped(&visit, drop_on("#basket", &["a.txt"], &[])).await, "got|true|||a.txt=rope");
        let data = [("text/plain", "hello"), ("text/uri-list", "https://example.org/")];
        assert_eq!(dropped(&visit, drop_on("#basket", &[], &data)).await, "got|true|hello|https://example.org/");

        let outside = make(&visit, drop_on("#basket", &["/etc/hostname"], &[])).await.failure.unwrap();
        assert!(matches!(outside, ActionFailure::UploadNotAllowed { .. }), "{outside}");
        // The browser would navigate to a file that no handler accepts.
        for gesture in [drop_on("#box", &["a.txt"], &[]), drop_on("#box", &[], &data[1..])] {
            let failure = make(&visit, gesture).await.failure.unwrap();
            assert!(failure.to_string().contains("nothing that takes what is dropped"), "{failure}");
            assert_eq!(visit.session.url(), visit.site.url("/"));
        }
        assert_eq!(visit.session.tabs().len(), 1);
        visit.session.close().await.unwrap();
    });
}

/// Allows only the first site, and reveals the secret nowhere.
struct Home(std::sync::Mutex<String>);

impl Guard for Home {
    fn allows(&self, url: &url::Url) -> Result<(), RequestDenial> {
        let home = self.0.lock().unwrap().clone();
        if url.as_str().starts_with(&home) { Ok(()) } else { Err(RequestDenial::new("elsewhere")) }
    }
    fn reveal(&self, _: &str, _: &url::Url) -> Result<secrecy::SecretString, RequestDenial> {
        Err(RequestDenial::new("no secret goes there"))
    }
    fn holds_secret(&self, text: &str) -> bool {
        text.contains("${secret:")
    }
    fn mask(&self, _: &mut String) {}
}

#[test]
fn a_gesture_is_held_to_the_same_rules_as_an_action() {
    run(async {
        let home = Arc::new(Home(std::sync::Mutex::default()));
        let guard = home.clone();
        let visit = visit_with(BOARD, |options| options.guard = guard).await;
        *home.0.lock().unwrap() = visit.site.url("");
        let away = visit.site.elsewhere("/");
        let script =
            format!("document.body.innerHTML = '<a href=\"{away}\" style=\"position:fixed;left:0;top:0\">Away</a>'");
        visit.session.evaluate(&script, None).await.unwrap();
        let left = make(&visit, click_at(5.0, 8.0)).await;
        assert!(left.effects.contains(&PageEffect::Blocked { url: away.clone(), reason: String::new() }), "{left:?}");
        let secret = make(&visit, drop_on("a", &[], &[("text/plain", "${secret:PIN}")])).await.failure.unwrap();
        assert!(matches!(secret, ActionFailure::Refused { .. }), "{secret}");
        visit.session.close().await.unwrap();
    });
}
