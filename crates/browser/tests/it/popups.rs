//! Tests tabs that open: those opened by an action's input become the current tab, those that a page opens by itself do
//! not.

use std::time::Duration;

use legwork_protocol::*;

use crate::support::*;

/// For each opened tab in a result, whether it became the current one.
fn opened(result: &ActionResult) -> Vec<bool> {
    let opened = result.effects.iter().filter_map(|effect| match effect {
        PageEffect::TabOpened { current, .. } => Some(*current),
        _ => None,
    });
    opened.collect()
}

async fn home(html: &str) -> Visit {
    let visit = visit("").await;
    visit.site.page("/two", "<title>Two</title><p>two</p>");
    visit.site.page("/", &format!("<title>Home</title>{html}"));
    visit.open("/").await;
    visit
}

impl Visit {
    fn current(&self) -> u32 {
        self.session.tabs().iter().find(|tab| tab.current).map_or(0, |tab| tab.number)
    }

    /// Waits until this number of tabs are open and have loaded their addresses.
    async fn tabs(&self, count: usize) {
        while self.session.tabs().iter().filter(|tab| tab.url.starts_with("http")).count() < count {
            self.does(Action::Wait(Wait { seconds: Some(0.02), ..Wait::default() })).await;
        }
    }
}

#[test]
fn a_tab_that_our_click_opens_becomes_the_current_one() {
    run(async {
        for html in [
            "<a id=b href='/two' target=_blank>B</a>",
            "<a id=b href='/two' target=_blank rel='noopener noreferrer'>B</a>",
            "<button id=b onclick=\"window.open('/two')\">B</button>",
            "<button id=b onclick=\"window.open('/two','_blank','noopener')\">B</button>",
            "<button id=b onclick=\"fetch('/two').then(r=>r.text()).then(()=>window.open('/two'))\">B</button>",
            "<button id=b onclick=\"setTimeout(()=>window.open('/two'),200)\">B</button>",
            "<form action='/two' target=_blank><button id=b>B</button></form>",
            "<iframe id=f srcdoc=\"<button id=b onclick=&quot;parent.open('/two')&quot;>B</button>\"></iframe>",
        ] {
            let visit = home(html).await;
            let target = if html.starts_with("<iframe") { visit.find("button", "B").await } else { at("#b") };
            let result = visit.does(click(target)).await;
            assert_eq!(opened(&result), [true], "{html}: {result:?}");
            assert_eq!(visit.see().await.title, "Two", "{html}");
        }
    });
}

/// The browser reports the end of a response before the page has read all of it.
#[test]
fn the_body_of_a_response_is_waited_for() {
    run(async {
        let visit = home(
            "<button id=b onclick=\"read()\">B</button><script>
            function read() {
                let frames = 0;
                const pull = async (body) => {
                    await new Promise((resolve) => {
                        const next = () => (++frames < 20 ? requestAnimationFrame(next) : resolve());
                        next();
                    });
                    body.enqueue(new Uint8Array(1));
                    body.close();
                };
                new Response(new ReadableStream({ pull })).text().then(() => window.open('/two'));
            }</script>",
        )
        .await;
        let result = visit.does(click(at("#b"))).await;
        assert_eq!(opened(&result), [true], "{result:?}");
        assert_eq!(visit.see().await.title, "Two");
    });
}

#[test]
fn a_key_and_a_click_with_control_open_tabs_of_ours() {
    run(async {
        let visit = home("<a id=b href='/two' target=_blank>B</a><a id=c href='/two'>C</a>").await;
        let enter = Action::Press(Press { key: "Enter".into(), target: Some(at("#b")) });
        assert_eq!(opened(&visit.does(enter).await), [true]);
        visit.does(Action::Tab(Tab::Switch { to: "1".into() })).await;
        let held = Click { modifiers: vec![Modifier::Control], ..Click::on(at("#c")) };
        assert_eq!(opened(&visit.does(Action::Click(held)).await), [true]);
        assert_eq!(visit.current(), 3);
    });
}

#[test]
fn a_tab_opened_on_a_timer_does_not_become_the_current_one() {
    run(async {
        let visit = home("<button id=b>B</button><script>setTimeout(()=>window.open('/two'),300)</script>").await;
        visit.tabs(2).await;
        assert_eq!(visit.current(), 1);
        visit.does(click(at("#b"))).await;
        assert_eq!(visit.see().await.title, "Home");
        // After switching to the tab, it is like any other.
        visit.does(Action::Tab(Tab::Switch { to: "2".into() })).await;
        assert_eq!(visit.see().await.title, "Two");
    });
}

/// The timer was set before the click and fires while the click settles. The page reports that its own timer opened the
/// tab.
#[test]
fn a_timer_that_opens_a_tab_during_our_click_is_not_our_doing() {
    run(async {
        for opens in
            ["window.open('/two')", "link.click()", "link.dispatchEvent(new MouseEvent('click'))", "form.submit()"]
        {
            let visit = home(&format!(
                "<a id=link href='/two' target=_blank>L</a><form id=form action='/two' target=_blank></form>
                <button id=b onclick=\"clicked=true;fetch('/slow')\">B</button>
                <script>let clicked=false;const t=setInterval(()=>{{if(clicked){{clearInterval(t);{opens}}}}},30)</script>"
            ))
            .await;
            visit.site.put("/slow", Page { delay: Duration::from_millis(400), ..Page::default() });
            let result = visit.does(click(at("#b"))).await;
            assert_eq!(opened(&result), [false], "{opens}: {result:?}");
            assert_eq!(visit.see().await.title, "Home", "{opens}");
        }
    });
}

#[test]
fn a_tab_that_a_third_party_frame_opens_during_our_click_is_not_our_doing() {
    run(async {
        for features in ["", ",'_blank','noopener'"] {
            let visit = home("").await;
            visit.site.page(
                "/ad",
                &format!(
                    "<script>onmessage=()=>{{window.open('/two'{features});parent.postMessage(1,'*')}}</script>ad"
                ),
            );
            let frame = visit.site.elsewhere("/ad");
            visit.site.page(
                "/",
                &format!(
                    "<title>Home</title><iframe id=f src='{frame}'></iframe>
                    <button id=b onclick=\"f.contentWindow.postMessage(1,'*');return new Promise(r=>onmessage=r)\">B</button>"
                ),
            );
            visit.open("/").await;
            visit.does(click(at("#b"))).await;
            visit.tabs(2).await;
            assert_eq!(visit.current(), 1, "{features}");
            assert_eq!(visit.see().await.title, "Home");
        }
    });
}

#[test]
fn a_click_in_a_third_party_frame_opens_a_tab_of_ours() {
    run(async {
        let visit = home("").await;
        visit.site.page("/inner", "<button onclick=\"window.open('/two')\">Pay</button>");
        let frame = visit.site.elsewhere("/inner");
        visit.site.page("/", &format!("<title>Home</title><iframe src='{frame}'></iframe>"));
        visit.open("/").await;
        let pay = visit.find("button", "Pay").await;
        assert_eq!(opened(&visit.does(click(pay)).await), [true]);
        assert_eq!(visit.see().await.title, "Two");
    });
}

#[test]
fn a_tab_of_the_page_does_not_become_the_current_one_when_ours_closes() {
    run(async {
        let visit = home("<script>setTimeout(()=>window.open('/two'),50)</script>").await;
        visit.tabs(2).await;
        visit.does(Action::Tab(Tab::Close { tab: None })).await;
        match visit.fails(click(at("p"))).await {
            ActionFailure::NotFound { candidates, .. } => assert!(candidates[0].contains("tab 2"), "{candidates:?}"),
            other => panic!("{other}"),
        }
        visit.does(Action::Tab(Tab::Switch { to: "2".into() })).await;
        assert_eq!(visit.see().await.title, "Two");
    });
}

/// Found by `cargo xtask attack`: "close tab 7" closed the only tab, because its address contained a 7.
#[test]
fn a_number_names_a_tab_and_never_part_of_an_address() {
    run(async {
        let visit = home("<p>Home 7</p>").await;
        visit.site.page("/7", "<title>7</title><p>seven</p>");
        visit.open("/7").await;
        for action in [Tab::Close { tab: Some("7".to_owned()) }, Tab::Switch { to: "7".to_owned() }] {
            let failure = visit.fails(Action::Tab(action)).await;
            assert!(matches!(failure, ActionFailure::NotFound { .. }), "{failure}");
        }
        assert_eq!(visit.see().await.title, "7", "the tab is still open");
    });
}
