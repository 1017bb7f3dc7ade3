//! Tests what a session waits for before it closes. Settling has a short limit in these tests, so that only the flush
//! waits.

use std::{future::Future, time::Duration};

use futures_util::StreamExt;
use legwork_browser::{Capability, SessionOptions};
use legwork_protocol::*;

use crate::support::*;

/// Limits settling to a short time, and allows the flush the whole time of a test.
fn patient(options: &mut SessionOptions) {
    options.timeouts.settle = Duration::from_millis(50);
    options.timeouts.answer = Duration::ZERO;
    options.timeouts.flush = Duration::from_secs(60);
}

async fn page(html: &str) -> Visit {
    let visit = visit_with(html, patient).await;
    visit.site.page("/save", "saved");
    visit
}

impl Visit {
    fn posted(&self) -> Vec<String> {
        self.site.posts.lock().unwrap().clone()
    }

    /// Clicks the button and waits for the effects; nothing may be pending afterwards.
    async fn click_and_flush(&self) {
        self.does(click(at("#b"))).await;
        assert_eq!(self.session.flush().await, Vec::<String>::new());
    }

    /// Waits until the server has received this number of requests for a path.
    async fn asked(&self, path: &str, times: usize) {
        let count = || self.site.heads.lock().unwrap().iter().filter(|head| head.contains(path)).count();
        while count() < times {
            self.does(Action::Wait(Wait { seconds: Some(0.02), ..Wait::default() })).await;
        }
    }
}

#[test]
fn a_save_that_is_put_off_arrives_before_the_close() {
    run(async {
        for delay in [400, 2_000] {
            let visit = page(&format!(
                "<button id=b onclick=\"setTimeout(()=>fetch('/save',{{method:'POST',body:'saved'}}),{delay})\">B</button>"
            ))
            .await;
            visit.click_and_flush().await;
            assert_eq!(visit.posted(), ["saved"], "{delay}");
        }
    });
}

#[test]
fn closing_waits_as_well() {
    run(async {
        let visit =
            page("<button id=b onclick=\"setTimeout(()=>navigator.sendBeacon('/save','saved'),600)\">B</button>").await;
        visit.does(click(at("#b"))).await;
        let Visit { site, session, .. } = visit;
        session.close().await.unwrap();
        assert_eq!(*site.posts.lock().unwrap(), ["saved"]);
    });
}

#[test]
fn a_database_write_and_the_sync_after_it_arrive_before_the_close() {
    run(async {
        let visit = page(
            "<button id=b>B</button><script>b.onclick=()=>{const o=indexedDB.open('d',1);
            o.onupgradeneeded=()=>o.result.createObjectStore('s');
            o.onsuccess=()=>{const t=o.result.transaction('s','readwrite'),s=t.objectStore('s'),begun=performance.now();
              const put=()=>{s.put('x','k').onsuccess=()=>performance.now()-begun<600&&put()};put();
              t.oncomplete=()=>fetch('/save',{method:'POST',body:'synced'})}}</script>",
        )
        .await;
        visit.click_and_flush().await;
        assert_eq!(visit.posted(), ["synced"]);
    });
}

#[test]
fn a_change_that_can_still_be_undone_is_sent_before_the_close() {
    run(async {
        let visit = page(
            "<button id=b>Delete</button><script>b.onclick=()=>{const m=document.createElement('div');m.role='status';
            m.innerHTML='Element deleted <button>UNDO</button>';document.body.append(m);
            setTimeout(()=>{m.remove();fetch('/save',{method:'POST',body:'deleted'})},3000)}</script>",
        )
        .await;
        visit.click_and_flush().await;
        assert_eq!(visit.posted(), ["deleted"]);
        // The offer has neither a role nor a usual class.
        let visit = page(
            "<button id=b>Archive</button><script>b.onclick=()=>{const m=document.createElement('div');
            m.innerHTML='Conversation archived <button>Undo</button>';document.body.append(m);
            setTimeout(()=>{m.remove();fetch('/save',{method:'POST',body:'archived'})},3000)}</script>",
        )
        .await;
        visit.click_and_flush().await;
        assert_eq!(visit.posted(), ["archived"]);
        // A change that was sent at once and can be undone by another request is not waited for.
        let visit = page(
            "<button id=b>Delete</button><script>b.onclick=async()=>{await fetch('/save',{method:'POST',body:'deleted'});
            document.body.insertAdjacentHTML('beforeend','<div role=status>Deleted <button>Undo</button></div>')}</script>",
        )
        .await;
        visit.does(click(at("#b"))).await;
        assert!(visit.session.flush().await.is_empty());
    });
}

#[test]
fn a_change_that_can_still_be_undone_is_sent_before_another_page_is_opened() {
    run(async {
        for leave in ["open", "reload"] {
            let visit = page(
                "<button id=b>Delete</button><script>b.onclick=()=>{const m=document.createElement('div');m.role='status';
                m.innerHTML='Element deleted <button>UNDO</button>';document.body.append(m);
                setTimeout(()=>{m.remove();fetch('/save',{method:'POST',body:'deleted'})},3000)}</script>",
            )
            .await;
            visit.site.page("/other", "<h1>Other</h1>");
            visit.does(click(at("#b"))).await;
            if leave == "open" {
                visit.open("/other").await;
            } else {
                visit.does(Action::Reload(NoParams {})).await;
            }
            assert_eq!(visit.posted(), ["deleted"], "{leave}");
        }
    });
}

#[test]
fn a_save_that_waits_for_the_typing_to_end_arrives_before_the_close() {
    run(async {
        let visit = page(
            "<input id=i aria-label=Name><script>let timer;i.oninput=()=>{clearTimeout(timer);
            timer=setTimeout(()=>fetch('/save',{method:'POST',body:i.value}),3000)}</script>",
        )
        .await;
        visit.does(fill(at("#i"), "Ada")).await;
        assert!(visit.session.flush().await.is_empty());
        assert_eq!(visit.posted(), ["Ada"]);
    });
}

#[test]
fn a_save_that_is_refused_while_the_close_waits_for_it_is_told() {
    run(async {
        let visit =
            page("<button id=b onclick=\"setTimeout(()=>fetch('/late',{method:'POST'}),400)\">B</button>").await;
        visit.site.put("/late", Page { status: 500, delay: Duration::from_secs(4), ..Page::default() });
        visit.does(click(at("#b"))).await;
        let pending = visit.session.flush().await;
        let expected = format!("POST {}, which answered 500", visit.site.url("/late"));
        assert_eq!(pending, [expected]);
    });
}

#[test]
fn what_a_service_worker_was_told_arrives_before_the_close() {
    if !supports(Capability::Workers) {
        return;
    }
    run(async {
        let visit = page("").await;
        let script = "self.onmessage=e=>e.waitUntil((async()=>{await new Promise(r=>setTimeout(r,700));
            await fetch('/save',{method:'POST',body:e.data})})());self.onactivate=e=>e.waitUntil(clients.claim())";
        let headers = vec![("Content-Type".to_owned(), "text/javascript".to_owned())];
        visit.site.put("/sw.js", Page { headers, body: script.into(), ..Page::default() });
        visit.site.page(
            "/",
            "<button id=b onclick=\"navigator.serviceWorker.controller.postMessage('synced')\">B</button><p id=p></p>
            <script>navigator.serviceWorker.oncontrollerchange=()=>p.textContent='ready';navigator.serviceWorker.register('/sw.js')</script>",
        );
        visit.open("/").await;
        visit.does(Action::Wait(Wait { text: Some("ready".into()), ..Wait::default() })).await;
        visit.click_and_flush().await;
        assert_eq!(visit.posted(), ["synced"]);
    });
}

#[test]
fn what_a_worker_hands_on_arrives_before_the_close() {
    if !supports(Capability::Workers) {
        return;
    }
    run(async {
        let visit = page(
            "<button id=b>B</button><script>const w=new Worker(URL.createObjectURL(new Blob([
            `onmessage=()=>fetch('${location.origin}/save',{method:'POST',body:'worked'}).then(()=>
                fetch('${location.origin}/save',{method:'POST',body:'again'}))`])));b.onclick=()=>w.postMessage(1)</script>",
        )
        .await;
        visit.site.put("/save", Page { delay: Duration::from_millis(300), ..Page::default() });
        visit.click_and_flush().await;
        assert_eq!(visit.posted(), ["worked", "again"]);
    });
}

#[test]
fn data_that_a_web_socket_has_not_sent_is_waited_for() {
    run(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (read, may_read) = tokio::sync::oneshot::channel::<()>();
        tokio::spawn(async move {
            let (stream, _) = listener.accept().await.unwrap();
            let mut socket = tokio_tungstenite::accept_async(stream).await.unwrap();
            may_read.await.unwrap();
            while socket.next().await.is_some() {}
        });
        let visit = page(&format!(
            "<button id=b onclick='for(let i=0;i<32;i++)ws.send(new Uint8Array(1<<20))'>B</button><p id=p></p>
            <script>var ws=new WebSocket('ws://127.0.0.1:{port}');ws.onopen=()=>p.textContent='ready'</script>"
        ))
        .await;
        visit.does(Action::Wait(Wait { text: Some("ready".into()), ..Wait::default() })).await;
        visit.does(click(at("#b"))).await;
        let left = async || visit.session.evaluate("ws.bufferedAmount", None).await.unwrap().as_f64().unwrap();
        assert!(left().await > 0.0);
        let mut flush = Box::pin(visit.session.flush());
        assert!(std::future::poll_fn(|cx| std::task::Poll::Ready(flush.as_mut().poll(cx).is_pending())).await);
        read.send(()).unwrap();
        assert_eq!(flush.await, Vec::<String>::new());
        assert_eq!(left().await, 0.0);
    });
}

#[test]
fn a_save_that_the_server_never_answers_is_told_when_the_limit_is_reached() {
    run(async {
        let visit = visit_with(
            "<button id=b onclick=\"fetch('/never?token=1',{method:'POST',body:'x'})\">B</button>",
            |options| {
                patient(options);
                options.timeouts.flush = Duration::from_millis(300);
            },
        )
        .await;
        visit.site.put("/never", Page { delay: Duration::from_secs(600), ..Page::default() });
        visit.does(click(at("#b"))).await;
        let pending = visit.session.flush().await;
        assert_eq!(pending, [format!("an unanswered POST {}", visit.site.url("/never"))]);
    });
}

#[test]
fn a_dialog_that_nobody_answered_is_told() {
    run(async {
        let visit = page("<button id=b onclick=\"confirm('Delete?')\">B</button>").await;
        visit.does(click(at("#b"))).await;
        let pending = visit.session.flush().await;
        assert!(pending[0].contains("Delete?"), "{pending:?}");
    });
}

/// This work never ends: if the flush waited for any of it, it would be reported as pending.
#[test]
fn a_page_that_polls_and_streams_is_not_waited_for() {
    run(async {
        let visit = page("").await;
        for path in ["/hang", "/posted"] {
            visit.site.put(path, Page { delay: Duration::from_secs(600), ..Page::default() });
        }
        visit.site.page("/poll", "polled");
        visit.site.page(
            "/",
            "<button id=b>B</button><script>
            const poll=()=>fetch('/poll').then(()=>setTimeout(poll,50));poll();
            setInterval(()=>fetch('/poll'),60);fetch('/hang');</script>",
        );
        visit.open("/").await;
        visit.asked("/poll", 12).await;
        visit.does(click(at("#b"))).await;
        assert_eq!(visit.session.flush().await, Vec::<String>::new());
    });
}

#[test]
fn a_session_that_only_looked_has_nothing_to_wait_for() {
    run(async {
        let visit = page("<script>fetch('/never',{method:'POST',body:'x'})</script>").await;
        visit.site.put("/never", Page { delay: Duration::from_secs(600), ..Page::default() });
        visit.open("/").await;
        visit.text().await;
        assert_eq!(visit.session.flush().await, Vec::<String>::new());
    });
}
