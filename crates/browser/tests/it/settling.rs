//! Settling: what comes after an action is seen, and what has nothing to do with it is not waited for.

use std::time::{Duration, Instant};

use legwork_protocol::*;

use crate::support::*;

/// Clicks the button and answers the text of `#out` as the next observation has it.
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
            // The page's own beginning counts as its opening's doing; that is over now.
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
            result.effects.iter().any(|e| matches!(e, PageEffect::Navigated { status: Some(200), .. })),
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
