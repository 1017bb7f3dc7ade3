//! What the pages of a site that the user did not name may send because of an action, and where a composed address may
//! lead. The server is at two addresses, which are two sites; only the first is named.

use std::sync::{Arc, Mutex};

use legwork::{
    Runtime,
    page::{Page, PageRequest},
    protocol::{Action, ActionFailure, ActionResult, Click, Open, PageEffect, Tab, Target, Wait},
};
use tokio_util::sync::CancellationToken;

use crate::{
    library::runtime_with,
    two_sites::{Reply, Request, TwoSites, other_site},
};

/// A script sends, then shows that it is over, whether or not the request was answered.
const SCRIPT: &str = r#"<!doctype html><meta charset=utf-8><title>shop</title><p id=end></p><script>
  var over = name => document.getElementById('end').textContent = name + ' is over';
  var send = (name, how) => fetch('/do?by=' + name, how).catch(() => {}).then(() => over(name));
  var post = (name, body = 'x') => send(name, { method: 'POST', body });
</script>"#;

/// What is on the page of the other site, by name: a control that sends something which is not a form's.
const WRITING: &[(&str, &str)] = &[
    ("continue", "<button onclick=\"post('continue')\">Continue</button>"),
    ("icon", "<button title=act onclick=\"send('icon', {method: 'PUT'})\"><svg width=16 height=16></svg></button>"),
    ("item", "<ul role=menu><li role=menuitem tabindex=0 onclick=\"send('item', {method: 'DELETE'})\">act</li></ul>"),
    ("area", "<div style='width:90px' onclick=\"send('area', {method: 'PATCH'})\">act</div>"),
    ("later", "<button onclick=\"setTimeout(() => post('later'), 900)\">Next</button>"),
    ("beacon", "<button onclick=\"navigator.sendBeacon('/do?by=beacon', 'x'); send('seen')\">Next</button>"),
    ("mutation", "<button onclick=\"post('mutation', JSON.stringify({query: 'mutation { like }'}))\">Next</button>"),
    ("link", "<a href=# onclick=\"post('link'); return false\">act</a>"),
    (
        "form",
        "<button onclick=\"document.forms[0].requestSubmit()\">Next</button><form method=post action='/do?by=form'></form>",
    ),
    (
        "window",
        "<button onclick=\"document.forms[0].submit(); over('window')\">Next</button>\
      <form method=post target=_blank action='/do?by=window'></form>",
    ),
    (
        "worker",
        "<button onclick=\"const w = new Worker(window.URL.createObjectURL(new Blob([`fetch('${origin}/do?by=worker', \
      {method: 'POST', body: 'x'}).catch(() => {}).then(() => postMessage(1))`]))); w.onmessage = () => over('worker')\">Next</button>",
    ),
    (
        "shared",
        "<script>const s = new SharedWorker('/shared.js'); s.port.onmessage = () => over('shared')</script>\
      <button onclick=\"s.port.postMessage(1)\">Next</button>",
    ),
    ("frame", "<iframe srcdoc=\"<button onclick='parent.post(&quot;frame&quot;)'>act</button>\"></iframe>"),
];

/// Two pages of the other site: what is clicked in the first one sends something from the second one, in another tab.
const TABS: &[(&str, &str)] = &[
    (
        "speaker",
        "<a href=/listener target=_blank>Listen</a>\
      <button onclick=\"new BroadcastChannel('c').postMessage(1)\">Next</button>",
    ),
    ("listener", "<script>new BroadcastChannel('c').onmessage = () => post('tab')</script>"),
];

const SHARED_WORKER: &str = "onconnect = ({ports: [port]}) => port.onmessage = () =>
  fetch('/do?by=shared', {method: 'POST', body: 'x'}).catch(() => {}).then(() => port.postMessage(1))";

const READING: &[(&str, &str)] = &[
    ("cookies", "<button onclick=\"document.cookie = 'consent=1'; over('cookies')\">Accept all</button>"),
    ("more", "<button onclick=\"send('more')\">Show more</button>"),
    ("tab", "<div role=tablist><button role=tab aria-selected=false onclick=\"send('tab')\">act</button></div>"),
    ("query", "<button onclick=\"post('query', JSON.stringify({query: '{ posts { title } }'}))\">Load more</button>"),
    ("next", "<a href=/posts-when-loaded>act</a>"),
];

fn answer(request: &Request, notes: &Mutex<Vec<String>>) -> Option<Reply> {
    let port = request.port;
    Some(match request.url.path() {
        "/start" => {
            let names = WRITING.iter().chain(READING).chain(TABS).map(|(name, _)| name);
            let link = |name| format!("<a href='{}'>to {name}</a> ", other_site(port, &format!("/{name}")));
            Reply::page(format!("{SCRIPT}<h1>Order KD-4711-92</h1>{}", names.map(link).collect::<String>()))
        }
        "/shared.js" => Reply::page(SHARED_WORKER),
        "/posts-when-loaded" => Reply::page(format!("{SCRIPT}<script>post('next')</script>")),
        "/go" => Reply::redirect(&request.value("to")?),
        "/go-by-script" => Reply::page(format!("<script>location = {:?}</script>", request.value("to")?)),
        "/carries" => Reply::redirect(&other_site(port, &format!("/do?by={}", request.value("d")?))),
        "/moved" => Reply::redirect(&other_site(port, "/do?by=moved")),
        "/do" => {
            notes.lock().unwrap().push(format!("{} {}", request.method, request.value("by")?));
            Reply::page("done")
        }
        other => {
            let name = other.trim_start_matches('/');
            let (_, body) = WRITING.iter().chain(READING).chain(TABS).find(|(known, _)| *known == name)?;
            Reply::page(format!("{SCRIPT}{body}"))
        }
    })
}

async fn page_with(folder: &tempfile::TempDir, named: &str, start: String) -> (Arc<Runtime>, Page) {
    let runtime = runtime_with(folder, &[("allow_write", named)]).await;
    let page = runtime.open_page(PageRequest::default()).await.unwrap();
    // The first page that is observed is that of the start site.
    assert!(open(&page, start).await.ok());
    page.snapshot().await.unwrap();
    (runtime, page)
}

async fn act(page: &Page, action: Action) -> ActionResult {
    page.act(&action, &CancellationToken::new()).await
}

async fn open(page: &Page, url: String) -> ActionResult {
    act(page, Action::Open(Open { url })).await
}

fn click(target: &str) -> Action {
    Action::Click(Click::on(Target(target.to_owned())))
}

/// Follows the link to a page of the other site and clicks its control, until its script has ended.
async fn visit(page: &Page, server: &TwoSites, name: &str) -> ActionResult {
    assert!(open(page, server.own("/start")).await.ok());
    let followed = act(page, click(&format!("text=to {name}"))).await;
    assert!(followed.ok(), "{name}: {followed:?}");
    page.snapshot().await.unwrap();
    let control = match name {
        "frame" => "role=button[name=\"act\"]",
        _ => "css=button, li, a, div:not([role=tablist])",
    };
    let clicked = act(page, click(control)).await;
    if !matches!(name, "form" | "beacon") && clicked.ok() {
        let text = Some(format!("{name} is over"));
        let wait = Wait { text, gone: None, url: None, state: None, seconds: Some(20.0) };
        let waited = act(page, Action::Wait(wait)).await;
        assert!(waited.ok(), "{name}: {waited:?}");
    }
    clicked
}

fn reason(result: &ActionResult) -> Option<&str> {
    result.effects.iter().find_map(|effect| match effect {
        PageEffect::Blocked { reason, .. } => Some(reason.as_str()),
        _ => None,
    })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_of_a_site_that_is_not_named_sends_no_change_whatever_was_clicked() {
    let (server, folder) = (TwoSites::start(answer).await, tempfile::tempdir().unwrap());
    let (runtime, page) = page_with(&folder, "127.0.0.1", server.own("/start")).await;
    for (name, _) in WRITING {
        let clicked = visit(&page, &server, name).await;
        if matches!(*name, "continue" | "icon" | "item" | "area" | "mutation" | "link") {
            let told = reason(&clicked).unwrap_or_default();
            assert!(
                told.contains("default:write-site") && told.contains("`--allow-write 127.0.0.2`"),
                "{name}: {clicked:?}"
            );
        }
        if *name == "form" {
            let refused =
                matches!(&clicked.failure, Some(ActionFailure::Refused { reason }) if reason.contains("write-site"));
            assert!(refused, "{clicked:?}");
        }
    }
    for (name, _) in READING {
        let clicked = visit(&page, &server, name).await;
        assert!(clicked.ok() && reason(&clicked).is_none(), "{name}: {clicked:?}");
    }
    let received = server.notes();
    // The document of a link sends what it sends to everyone who opens it.
    assert_eq!(received, ["GET seen", "GET more", "GET tab", "POST query", "POST next"]);
    page.close().await.unwrap();
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_of_a_named_site_sends_everything() {
    let (server, folder) = (TwoSites::start(answer).await, tempfile::tempdir().unwrap());
    let (runtime, page) = page_with(&folder, "127.0.0.1,127.0.0.2", server.own("/start")).await;
    for (name, _) in WRITING.iter().filter(|(name, _)| !matches!(*name, "beacon" | "window")) {
        let clicked = visit(&page, &server, name).await;
        assert!(clicked.ok(), "{name}: {clicked:?}");
        let sent = ["POST", "PUT", "PATCH", "DELETE"].iter().any(|method| server.has(&format!("{method} {name}")));
        assert!(sent, "{name}: {:?}", server.notes());
    }
    page.close().await.unwrap();
    runtime.close().await;
}

/// Clicks in the first tab of the other site, and waits until the script of the second one has ended.
async fn speak(page: &Page, server: &TwoSites) {
    let switch = |to: &str| Action::Tab(Tab::Switch { to: to.to_owned() });
    assert!(open(page, server.own("/start")).await.ok());
    for action in [click("text=to speaker"), click("text=Listen"), switch("1"), click("css=button"), switch("2")] {
        let done = act(page, action.clone()).await;
        assert!(done.ok(), "{action:?}: {done:?}");
        page.snapshot().await.unwrap();
    }
    let text = Some("tab is over".to_owned());
    let waited = act(page, Action::Wait(Wait { text, gone: None, url: None, state: None, seconds: Some(20.0) })).await;
    assert!(waited.ok(), "{waited:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_in_another_tab_sends_no_change_because_of_an_action() {
    let (server, folder) = (TwoSites::start(answer).await, tempfile::tempdir().unwrap());
    let (runtime, page) = page_with(&folder, "127.0.0.1", server.own("/start")).await;
    speak(&page, &server).await;
    assert_eq!(server.notes(), [""; 0]);
    page.close().await.unwrap();
    runtime.close().await;

    let folder = tempfile::tempdir().unwrap();
    let (runtime, page) = page_with(&folder, "127.0.0.1,127.0.0.2", server.own("/start")).await;
    speak(&page, &server).await;
    assert!(server.has("POST tab"), "{:?}", server.notes());
    page.close().await.unwrap();
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_composed_address_leads_over_no_redirect_to_where_the_run_sends_nothing() {
    let (server, folder) = (TwoSites::start(answer).await, tempfile::tempdir().unwrap());
    let (runtime, page) = page_with(&folder, "127.0.0.1", server.own("/start")).await;
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    let collect = server.other("/do?by=KD-4711-92");
    for path in [
        format!("/go?to={}", encoded(&collect)),
        format!("/go-by-script?to={}", encoded(&collect)),
        "/carries?d=KD-4711-92".to_owned(),
    ] {
        assert!(open(&page, server.own("/start")).await.ok());
        page.snapshot().await.unwrap();
        let opened = open(&page, server.own(&path)).await;
        // A script leads on after the page has loaded.
        let wait = Wait { text: None, gone: None, url: None, state: None, seconds: Some(0.5) };
        let waited = act(&page, Action::Wait(wait)).await;
        let told = reason(&opened).or_else(|| reason(&waited)).unwrap_or_default();
        assert!(told.contains("default:address"), "{path}: {opened:?} {waited:?}");
    }
    assert_eq!(server.notes().len(), 0);
    // A redirect that the address does not decide.
    let opened = open(&page, server.own("/moved?order=KD-4711-92")).await;
    assert!(opened.ok() && server.has("GET moved"), "{opened:?}");
    // A redirect to a named site.
    let opened = open(&page, server.own(&format!("/go?to={}", encoded(&server.own("/do?by=home"))))).await;
    assert!(opened.ok() && server.has("GET home"), "{opened:?}");
    page.close().await.unwrap();
    runtime.close().await;
}
