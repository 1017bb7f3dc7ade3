//! Tests settling: effects of an action are observed, and unrelated work is not waited for.

use std::time::{Duration, Instant};

use legwork_browser::{PictureFormat, ScreenshotOptions};
use legwork_protocol::*;

use crate::support::*;

/// Clicks the button and returns the text of `#out` in the next observation.
async fn after_click(script: &str) -> (String, ActionResult) {
    let visit = visit(&format!(
        "<button id=b>Go</button><p id=out>before</p><script>const set=t=>out.textContent=t;{script}</script>"
    ))
    .await;
    visit.site.put(
        "/slow",
        Page { body: b"{\"v\":\"fetched\"}".to_vec(), delay: Duration::from_millis(200), ..Page::default() },
    );
    let result = visit.does(click(at("#b"))).await;
    let page = visit.see().await;
    let text = page.text_of(0).replacen("Go ", "", 1);
    (text, result)
}

#[test]
fn what_comes_later_is_seen() {
    run(async {
        for (script, seen) in [
            ("b.onclick=()=>setTimeout(()=>set('timer'),150)", "timer"),
            ("b.onclick=()=>setTimeout(()=>setTimeout(()=>set('chain'),150),150)", "chain"),
            ("b.onclick=()=>fetch('/slow').then(r=>r.json()).then(j=>set(j.v))", "fetched"),
            (
                "b.onclick=()=>setTimeout(async()=>{const r=await fetch('/slow');const j=await r.json();setTimeout(()=>set(j.v+' late'),100)},150)",
                "fetched late",
            ),
            ("b.onclick=()=>requestAnimationFrame(()=>requestAnimationFrame(()=>set('frames')))", "frames"),
            (
                "b.onclick=()=>{const c=new MessageChannel;c.port1.onmessage=()=>set('message');c.port2.postMessage(0)}",
                "message",
            ),
            (
                "b.onclick=()=>{const x=new XMLHttpRequest;x.open('GET','/slow');x.onload=()=>set('xhr');x.send()}",
                "xhr",
            ),
            ("b.onclick=()=>{const a=out.animate([{opacity:0},{opacity:1}],300);a.onfinish=()=>set('faded')}", "faded"),
            (
                "b.onclick=()=>{let n=0;const i=setInterval(()=>{if(++n===3){clearInterval(i);set('ticked')}},50)}",
                "ticked",
            ),
            ("b.onclick=()=>{location.href='/?'+1;}", "before"),
            // Work that no list of scheduled tasks contains, and work that waits for the next frame.
            (
                "const w=new Worker(URL.createObjectURL(new Blob(['onmessage=()=>postMessage(1)'])));w.onmessage=()=>set('worked');b.onclick=()=>w.postMessage(0)",
                "worked",
            ),
            (
                "new ResizeObserver(()=>b.style.width&&set('resized')).observe(b);b.onclick=()=>b.style.width='200px'",
                "resized",
            ),
            ("b.onclick=()=>new Blob(['blob']).text().then(set)", "blob"),
            (
                "b.onclick=()=>{const d=document.createElement('dialog');d.onclose=()=>set('closed');document.body.append(d);d.show();d.close()}",
                "closed",
            ),
            ("b.onclick=()=>{window.onmessage=()=>set('posted');postMessage(0,'*')}", "posted"),
            (
                "history.replaceState(1,'');history.pushState(2,'');onpopstate=()=>set('popped');b.onclick=()=>history.back()",
                "popped",
            ),
            ("b.onclick=()=>{indexedDB.open('d').onsuccess=()=>set('opened')}", "opened"),
        ] {
            let (text, result) = after_click(script).await;
            assert_eq!(text, seen, "{script}: {result:?}");
            assert!(!result.effects.iter().any(|e| matches!(e, PageEffect::Unsettled { .. })), "{script}: {result:?}");
        }
    });
}

#[test]
fn what_polls_or_never_ends_is_not_waited_for() {
    run(async {
        for script in [
            "setInterval(()=>{},40)",
            "(function poll(){setTimeout(poll,120)})()",
            "(function frame(){requestAnimationFrame(frame)})()",
            "out.animate([{opacity:0},{opacity:1}],{duration:300,iterations:Infinity})",
            "b.onclick=()=>setTimeout(()=>{},60000)",
            "b.onclick=()=>(function again(){requestIdleCallback(again)})()",
            "new EventSource('/slow')",
        ] {
            let visit = visit(&format!("<button id=b>Go</button><p id=out>before</p><script>{script}</script>")).await;
            // Work that the page starts while it loads is attributed to opening it; this is over now.
            tokio::time::sleep(Duration::from_millis(300)).await;
            visit.does(click(at("#b"))).await;
            let begun = Instant::now();
            visit.does(click(at("#b"))).await;
            let took = begun.elapsed();
            assert!(took < Duration::from_millis(700), "{script}: {took:?}");
        }
    });
}

#[test]
fn a_page_that_never_rests_is_given_up_and_said() {
    run(async {
        let visit = visit_with("<button onclick=\"fetch('/never')\">Go</button>", |options| {
            options.timeouts.settle = Duration::from_millis(600);
        })
        .await;
        visit.site.put("/never", Page { delay: Duration::from_secs(60), ..Page::default() });
        let result = visit.does(click(at("button"))).await;
        let [PageEffect::Unsettled { pending }] = result.effects.as_slice() else { panic!("{result:?}") };
        assert!(pending.ends_with("/never"), "{pending}");
    });
}

#[test]
fn a_form_that_posts_is_settled_on_its_answer() {
    run(async {
        let visit = visit("<form method=post action=/post><input name=a value=1><button>Send</button></form>").await;
        visit.site.put(
            "/post",
            Page { body: b"<p>thanks</p>".to_vec(), delay: Duration::from_millis(400), ..Page::default() },
        );
        let result = visit.does(click(at("button"))).await;
        assert!(
            result
                .effects
                .iter()
                .any(|e| matches!(e, PageEffect::Navigated { status, .. } if *status == document_status(200))),
            "{result:?}"
        );
        assert_eq!(visit.text().await, "thanks");
        assert_eq!(*visit.site.posts.lock().unwrap(), ["a=1"]);
    });
}

#[test]
fn observing_after_a_change_waits_for_it() {
    run(async {
        let visit = visit("<p id=p>one</p><script>setTimeout(()=>p.textContent='two',1800)</script>").await;
        assert_eq!(visit.text().await, "one");
        let page = visit.session.observe(Some(Duration::from_secs(10))).await.unwrap();
        assert_eq!(page.text_of(0), "two");
        let begun = Instant::now();
        visit.session.observe(Some(Duration::from_millis(200))).await.unwrap();
        assert!(begun.elapsed() < Duration::from_secs(2));
    });
}

/// The change may be the last one.
#[test]
fn a_change_between_an_observation_and_the_wait_for_it_is_not_missed() {
    run(async {
        let visit = visit("<p id=p>one</p>").await;
        assert_eq!(visit.text().await, "one");
        visit.session.evaluate("document.querySelector('p').textContent = 'two'", None).await.unwrap();
        let hour = Duration::from_secs(3_600);
        let page = tokio::time::timeout(Duration::from_secs(120), visit.session.observe(Some(hour))).await;
        assert_eq!(page.expect("the change was missed").unwrap().text_of(0), "two");
    });
}

#[test]
fn what_a_dialog_held_up_is_settled_once_it_is_answered() {
    run(async {
        let accept = || Action::Dialog(Dialog::answer(true, None));
        for (script, seen) in [
            ("b.onclick=()=>{if(confirm('Sure?'))location.href='/next'}", "the next page"),
            ("b.onclick=()=>{if(confirm('Sure?'))setTimeout(()=>location.href='/next',100)}", "the next page"),
            (
                "b.onclick=()=>{if(confirm('Sure?'))fetch('/next').then(r=>r.text()).then(t=>set(t.replace(/<.*?>/g,'')))}",
                "the next page",
            ),
            ("b.onclick=()=>{if(confirm('Sure?'))setTimeout(()=>set('timer'),150)}", "timer"),
            ("f.onsubmit=()=>confirm('Sure?')", "the next page"),
            ("onbeforeunload=e=>e.preventDefault();b.onclick=()=>location.href='/next'", "the next page"),
        ] {
            let visit = visit(&format!(
                "<form id=f action=/next><button id=b type=\"{}\">Go</button></form><p id=out>before</p><script>const set=t=>out.textContent=t;{script}</script>",
                if script.starts_with('f') { "submit" } else { "button" }
            ))
            .await;
            let next =
                Page { body: b"<p>the next page</p>".to_vec(), delay: Duration::from_millis(250), ..Page::default() };
            visit.site.put("/next", next);
            let clicked = visit.act(click(at("#b"))).await;
            // A page that asks before it is left was not left.
            let blocked = script.starts_with("onbeforeunload");
            assert_eq!(matches!(clicked.failure, Some(ActionFailure::DialogOpen { .. })), blocked, "{clicked:?}");
            assert!(visit.see().await.dialog.is_some(), "{script}");
            let result = visit.does(accept()).await;
            let text = visit.text().await;
            assert_eq!(text.replacen("Go ", "", 1), seen, "{script}: {result:?}");
        }
    });
}

#[test]
fn a_click_answers_after_the_download_it_sets_off() {
    run(async {
        let html = "<a id=plain href=/file>Plain</a> <a id=named href=/file download>Named</a> <a id=tab href=/file target=_blank>Tab</a>
            <button id=blob>Blob</button> <button id=later>Later</button><form action=/file method=post><button id=post>Post</button></form><script>
            const save=()=>{const a=document.createElement('a');a.href=URL.createObjectURL(new Blob(['made']));a.download='made.txt';return a};
            blob.onclick=()=>save().click();
            later.onclick=()=>setTimeout(()=>save().dispatchEvent(new MouseEvent('click')),100)</script>";
        let visit = visit(html).await;
        let headers = vec![("Content-Disposition".to_owned(), "attachment; filename=file.txt".to_owned())];
        let file = Page { headers, body: b"a file".to_vec(), delay: Duration::from_millis(150), ..Page::default() };
        visit.site.put("/file", file);
        for id in ["plain", "named", "tab", "blob", "later", "post"] {
            let result = visit.does(click(at(&format!("#{id}")))).await;
            let arrived = result.effects.iter().filter(|e| matches!(e, PageEffect::Downloaded(_))).count();
            assert_eq!(arrived, 1, "{id}: {result:?}");
        }
    });
}

#[test]
fn a_picture_after_a_click_shows_the_new_page() {
    run(async {
        let filled = |colour: &str, more: &str| {
            format!("<body style='margin:0;background:{colour}'><p style='color:{colour}'>text</p>{more}")
        };
        let visit = visit("").await;
        visit.site.page("/red", &filled("#f00", "<a href=/blue style='color:#f00'>go</a>"));
        visit.site.page("/blue", &filled("#00f", ""));
        let take = || ScreenshotOptions { format: PictureFormat::Png, ..ScreenshotOptions::default() };
        visit.open("/blue").await;
        let blue = visit.session.screenshot(take()).await.unwrap();
        for round in 0..5 {
            visit.open("/red").await;
            let red = visit.session.screenshot(take()).await.unwrap();
            visit.does(click(at("a"))).await;
            let now = visit.session.screenshot(take()).await.unwrap();
            assert!(now.bytes == blue.bytes, "round {round}");
            assert!(now.bytes != red.bytes, "round {round}");
        }
    });
}

/// A page that does not settle before its request is answered.
async fn late_visit(script: &str) -> Visit {
    let html =
        format!("<button id=b>Go</button><p id=out>before</p><script>const set=t=>out.textContent=t;{script}</script>");
    let impatient = |options: &mut legwork_browser::SessionOptions| {
        options.timeouts.settle = Duration::ZERO;
        options.timeouts.answer = Duration::from_secs(60);
    };
    let visit = visit_with(&html, impatient).await;
    visit.site.put("/late", Page { body: b"{}".to_vec(), delay: Duration::from_millis(1500), ..Page::default() });
    // The page's own request is sent before the action.
    visit.does(Action::Wait(Wait { url: Some("/".to_owned()), ..Wait::default() })).await;
    visit
}

/// The status of the request that an action sent, if it was awaited, and the text of the page.
async fn late_answer(visit: &Visit, result: &ActionResult) -> (Option<u16>, String) {
    let status = result.effects.iter().find_map(|effect| match effect {
        PageEffect::Request { status, .. } => *status,
        _ => None,
    });
    (status, visit.text().await.replacen("Go ", "", 1))
}

async fn after_a_late_answer(script: &str) -> (Option<u16>, String) {
    let visit = late_visit(script).await;
    let result = visit.does(click(at("#b"))).await;
    late_answer(&visit, &result).await
}

#[test]
fn the_answer_to_a_change_is_awaited_longer_than_the_page_may_take_to_settle() {
    run(async {
        let script = "b.onclick=async()=>{set('sending');await fetch('/late',{method:'POST'});set('done')}";
        assert_eq!(after_a_late_answer(script).await, (Some(200), "done".to_owned()));
    });
}

#[test]
fn the_answer_to_a_change_that_a_dialog_held_up_is_awaited_longer() {
    run(async {
        let script = "b.onclick=async()=>{if(!confirm('Sure?'))return;set('sending');await fetch('/late',{method:'POST'});set('done')}";
        let visit = late_visit(script).await;
        visit.does(click(at("#b"))).await;
        let result = visit.does(Action::Dialog(Dialog::answer(true, None))).await;
        assert_eq!(late_answer(&visit, &result).await, (Some(200), "done".to_owned()));
    });
}

#[test]
fn a_poll_or_a_lookup_is_not_awaited_longer() {
    run(async {
        let polls = "const poll=()=>fetch('/late',{method:'POST'});poll();b.onclick=poll";
        assert_eq!(after_a_late_answer(polls).await.0, None);
        let looks_up = "b.onclick=()=>fetch('/late').then(()=>set('found'))";
        assert_eq!(after_a_late_answer(looks_up).await, (None, "before".to_owned()));
        let elsewhere = "b.onclick=()=>fetch(location.href.replace('127.0.0.1','localhost')+'late',{method:'POST',mode:'no-cors'}).then(()=>set('sent'))";
        assert_eq!(after_a_late_answer(elsewhere).await, (None, "before".to_owned()));
    });
}
