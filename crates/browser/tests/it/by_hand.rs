//! Tests operations that only callers use that control a page step by step.

use legwork_browser::{Capability, Cookie, PictureFormat, ScreenshotOptions};
use legwork_protocol::{ActionFailure, PageEffect};
use serde_json::{Value, json};

use crate::support::*;

async fn evaluate(visit: &Visit, script: &str) -> Value {
    visit.session.evaluate(script, None).await.unwrap_or_else(|failure| panic!("{script}: {failure}"))
}

#[test]
fn scripts_run_in_the_pages_own_world() {
    run(async {
        let visit = visit("<script>var mine={a:[1,2]}</script><button id=b name=go>Go</button><p id=p>one</p>").await;
        for (script, value) in [
            ("mine", json!({"a": [1, 2]})),
            ("() => mine.a.length", json!(2)),
            ("function () { return mine.a[1] }", json!(2)),
            ("async () => { await null; return 'later' }", json!("later")),
            ("Promise.resolve(7)", json!(7)),
            ("const x = 3; x * 2", json!(6)),
            ("{ a: 1 }", json!({"a": 1})),
            ("undefined", Value::Null),
            ("typeof legwork", json!("undefined")),
        ] {
            assert_eq!(evaluate(&visit, script).await, value, "{script}");
        }
        let button = visit.find("button", "Go").await;
        let named = visit.session.evaluate("element => element.name + mine.a.length", Some(&button)).await;
        assert_eq!(named, Ok(json!("go2")));
        let thrown = visit.session.evaluate("() => { throw new Error('no way') }", None).await.unwrap_err();
        assert!(matches!(&thrown, ActionFailure::ScriptFailed { reason } if reason.contains("no way")), "{thrown}");
        let broken = visit.session.evaluate("mine.", None).await.unwrap_err();
        assert!(
            matches!(&broken, ActionFailure::ScriptFailed { reason } if reason.contains("SyntaxError")),
            "{broken}"
        );
        assert!(visit.session.evaluate("1", Some(&at("#none"))).await.is_err());
        // After the script, the page settles as after an action.
        evaluate(&visit, "() => { setTimeout(() => document.getElementById('p').textContent = 'two', 100) }").await;
        assert_eq!(visit.read("#p").await, "two");
    });
}

#[test]
fn an_element_in_a_frame_is_handed_to_a_script_of_that_frame() {
    run(async {
        let visit = visit("<p>out</p>").await;
        visit.site.page("/inner", "<script>var where='inside'</script><button>In</button>");
        let frame = visit.site.elsewhere("/inner");
        visit.site.page("/outer", &format!("<script>var where='outside'</script><iframe src='{frame}'></iframe>"));
        visit.open("/outer").await;
        let button = visit.find("button", "In").await;
        assert_eq!(visit.session.evaluate("() => where", Some(&button)).await, Ok(json!("inside")));
        assert_eq!(evaluate(&visit, "where").await, json!("outside"));
    });
}

#[test]
fn the_view_is_resized_in_tabs_to_come_too() {
    run(async {
        let visit = visit("<a target=_blank href=/>More</a>").await;
        visit.session.resize(500, 400).await.unwrap();
        assert_eq!(evaluate(&visit, "[innerWidth, innerHeight]").await, json!([500, 400]));
        visit.does(click(visit.find("link", "More").await)).await;
        assert_eq!(visit.session.tabs().len(), 2);
        assert_eq!(evaluate(&visit, "innerWidth").await, json!(500));
        assert!(matches!(visit.session.resize(0, 5).await, Err(ActionFailure::InvalidArgument { .. })));
    });
}

#[test]
fn a_page_is_printed_and_shown_whole() {
    run(async {
        let visit = visit("<body style='margin:0'><div style='height:3000px;width:400px'>long</div>").await;
        match visit.session.pdf().await {
            Ok(pdf) => assert!(supports(Capability::Pdf) && pdf.starts_with(b"%PDF-") && pdf.len() > 1_000),
            Err(failure) => {
                assert!(
                    !supports(Capability::Pdf) && matches!(failure, ActionFailure::NotAvailable { .. }),
                    "{failure}"
                )
            }
        }
        let options = ScreenshotOptions { full_page: true, format: PictureFormat::Png, ..ScreenshotOptions::default() };
        let whole = visit.session.screenshot(options.clone()).await.unwrap();
        assert_eq!((whole.width, whole.height), (1280, 3000));
        // A PNG file states its size.
        assert_eq!(whole.bytes[16..24], [1280_u32.to_be_bytes(), 3000_u32.to_be_bytes()].concat());
        let view = visit.session.screenshot(ScreenshotOptions { full_page: false, ..options }).await.unwrap();
        assert_eq!((view.width, view.height), (1280, 720));
    });
}

#[test]
fn a_file_chooser_waits_for_files() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cv.txt"), "me").unwrap();
        let allowed = folder.path().to_owned();
        let visit = visit_with(
            "<input type=file id=f onchange='said.textContent=files[0].name'><button id=b onclick='f.click()'>Choose</button><p id=said></p>",
            |options| {
                options.uploads = vec![allowed];
                options.intercept_file_choosers = true;
            },
        )
        .await;
        let none = visit.session.choose_files(&["cv.txt".into()]).await.unwrap_err();
        assert!(none.to_string().contains("click what opens one"), "{none}");
        for _ in 0..2 {
            let clicked = visit.does(click(at("#b"))).await;
            assert!(clicked.effects.contains(&PageEffect::ChooserOpened { tab: 1, multiple: false }), "{clicked:?}");
        }
        let refused = visit.session.choose_files(&["/etc/passwd".into()]).await;
        assert!(matches!(refused, Err(ActionFailure::UploadNotAllowed { .. })));
        // The chooser stays open after an error. Once it has received the file, it is closed.
        visit.session.choose_files(&["cv.txt".into()]).await.unwrap();
        assert_eq!(visit.read("#said").await, "cv.txt");
        assert!(visit.session.choose_files(&[]).await.is_err());
        visit.does(click(at("#b"))).await;
        visit.session.choose_files(&[]).await.unwrap();
        assert!(visit.session.choose_files(&["cv.txt".into()]).await.is_err());
    });
}

#[test]
fn cookies_are_set_listed_and_cleared() {
    run(async {
        let visit = visit("<p>hello</p>").await;
        let cookie = Cookie {
            name: "a".into(),
            value: "b".into(),
            domain: "127.0.0.1".into(),
            path: "/".into(),
            expires: -1.0,
            ..Cookie::default()
        };
        visit.session.set_cookies(std::slice::from_ref(&cookie)).await.unwrap();
        let kept = visit.session.cookies().await.unwrap();
        assert_eq!(kept.iter().map(|cookie| (&*cookie.name, &*cookie.value)).collect::<Vec<_>>(), [("a", "b")]);
        assert_eq!(evaluate(&visit, "document.cookie").await, json!("a=b"));
        visit.session.clear_cookies().await.unwrap();
        assert_eq!(visit.session.cookies().await.unwrap(), []);
    });
}
