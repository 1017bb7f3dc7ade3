//! Tests sessions with rules: a page sends no byte to a forbidden destination, by whatever means it tries.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
};

use legwork_browser::{Browser, Capability, Engine, Guard, LaunchOptions, NoRules, RequestDenial, SessionOptions};
use legwork_protocol::*;
use tokio::net::{TcpListener, UdpSocket};

use crate::support::*;

/// Allows only addresses with this prefix.
pub(crate) struct Only(pub(crate) Mutex<String>);

impl Guard for Only {
    fn allows(&self, url: &url::Url) -> Result<(), RequestDenial> {
        let allowed = self.0.lock().unwrap().clone();
        if url.as_str().starts_with(&allowed) || !url.has_host() {
            Ok(())
        } else {
            Err(RequestDenial::new("elsewhere"))
        }
    }
    fn reveal(&self, _: &str, _: &url::Url) -> Result<secrecy::SecretString, RequestDenial> {
        Err(RequestDenial::new("there are no secrets"))
    }
    fn holds_secret(&self, _: &str) -> bool {
        false
    }
    fn mask(&self, _: &mut String) {}
}

/// A port that counts connections and answers nothing.
struct Elsewhere {
    port: u16,
    connections: Arc<AtomicUsize>,
    datagrams: Arc<AtomicUsize>,
}

impl Elsewhere {
    async fn start() -> Elsewhere {
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = tcp.local_addr().unwrap().port();
        let udp = UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).await.unwrap();
        let (connections, datagrams) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (connected, received) = (Arc::clone(&connections), Arc::clone(&datagrams));
        tokio::spawn(async move {
            while let Ok((stream, _)) = tcp.accept().await {
                connected.fetch_add(1, Ordering::Relaxed);
                drop(stream);
            }
        });
        tokio::spawn(async move {
            while udp.recv_from(&mut [0; 2048]).await.is_ok() {
                received.fetch_add(1, Ordering::Relaxed);
            }
        });
        Elsewhere { port, connections, datagrams }
    }
}

/// Tries to reach a port by every means that a page has, and shows when it has finished.
const PAGE: &str = r##"<p id=end></p><script>
  const PORT = 0, F = 'http://127.0.0.1:' + PORT, W = 'ws://127.0.0.1:' + PORT;
  const tries = [];
  const settles = promise => tries.push(Promise.race([promise, new Promise(end => setTimeout(end, 4000))]).catch(() => {}));
  const comes = (target, ...names) => new Promise(end => names.forEach(name => target.addEventListener(name, end)));
  const add = (tag, attributes) => { const e = Object.assign(document.createElement(tag), attributes); document.body.append(e); return e; };
  const WORKER = `
    const comes = (target, ...names) => new Promise(end => names.forEach(name => target.addEventListener(name, end)));
    const attempt = () => Promise.all([fetch('${F}/worker', { mode: 'no-cors' }).catch(() => {}), comes(new WebSocket('${W}/worker'), 'error', 'close')]);`;
  const blob = code => URL.createObjectURL(new Blob([WORKER + code], { type: 'text/javascript' }));
  settles(fetch(F + '/fetch', { mode: 'no-cors' }));
  settles(fetch(F + '/keepalive', { mode: 'no-cors', method: 'POST', keepalive: true, body: 'x' }));
  settles(comes(new WebSocket(W + '/socket'), 'error', 'close'));
  settles(comes(new EventSource(F + '/events'), 'error'));
  settles(comes(add('img', { src: F + '/image' }), 'error', 'load'));
  settles(comes(add('script', { src: F + '/script' }), 'error', 'load'));
  settles(comes(add('iframe', { src: F + '/frame' }), 'load'));
  settles(comes(add('iframe', { sandbox: 'allow-scripts', srcdoc: `<img src="${F}/srcdoc"><script>fetch('${F}/srcdoc', { mode: 'no-cors' }); new WebSocket('${W}/srcdoc')<\/script>` }), 'load'));
  for (const rel of ['preconnect', 'dns-prefetch', 'prefetch', 'preload', 'modulepreload', 'stylesheet', 'icon', 'manifest'])
    document.head.append(Object.assign(document.createElement('link'), { rel, href: F + '/' + rel, as: 'script' }));
  navigator.sendBeacon(F + '/beacon', 'x');
  add('a', { href: '/', ping: F + '/ping' }).addEventListener('click', event => event.preventDefault());
  const worker = new Worker(blob('attempt().then(() => postMessage(1));'));
  settles(comes(worker, 'message', 'error'));
  const shared = new SharedWorker(blob('onconnect = event => attempt().then(() => event.ports[0].postMessage(1));'));
  shared.port.start();
  settles(comes(shared.port, 'message'));
  settles(navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(registration => {
    const { port1, port2 } = new MessageChannel();
    registration.active.postMessage({ F, W }, [port2]);
    port1.start();
    return comes(port1, 'message');
  }));
  try { settles(new WebTransport('https://127.0.0.1:' + PORT + '/').ready); } catch {}
  const peer = window.RTCPeerConnection && new RTCPeerConnection({ iceServers: [
    { urls: 'stun:127.0.0.1:' + PORT },
    { urls: ['turn:127.0.0.1:' + PORT, 'turn:127.0.0.1:' + PORT + '?transport=tcp'], username: 'a', credential: 'b' },
  ] });
  peer?.createDataChannel('x');
  if (peer) settles(peer.createOffer().then(offer => peer.setLocalDescription(offer)).then(() => new Promise(end => {
    peer.addEventListener('icegatheringstatechange', () => { if (peer.iceGatheringState === 'complete') end(); });
  })));
  const form = add('form', { action: F + '/form', method: 'post', target: 'inner' });
  add('iframe', { name: 'inner' });
  form.submit();
  Promise.all(tries).then(() => { document.querySelector('#end').textContent = 'all tried'; });
</script>"##;

const SERVICE_WORKER: &str = "
  const comes = (target, ...names) => new Promise(end => names.forEach(name => target.addEventListener(name, end)));
  addEventListener('activate', event => event.waitUntil(clients.claim()));
  addEventListener('message', event => event.waitUntil(Promise.all([
    fetch(event.data.F + '/service', { mode: 'no-cors' }).catch(() => {}),
    comes(new WebSocket(event.data.W + '/service'), 'error', 'close'),
  ]).then(() => event.ports[0].postMessage(1))));";

/// The connections and datagrams that reach another port while a page tries every means.
async fn reached_by_page(
    guard: impl FnOnce(&Site) -> Arc<dyn Guard>,
    restricted: bool,
    keeps_profile: bool,
) -> (usize, usize) {
    let elsewhere = Elsewhere::start().await;
    let site = Site::start().await;
    site.page("/", &PAGE.replace("PORT = 0", &format!("PORT = {}", elsewhere.port)));
    let script = vec![("Content-Type".to_owned(), "text/javascript".to_owned())];
    site.put("/worker.js", Page { body: SERVICE_WORKER.into(), headers: script, ..Page::default() });
    let folder = tempfile::tempdir().unwrap();
    let profile = keeps_profile.then(|| folder.path().join("profile"));
    let browser = Browser::launch(LaunchOptions { restricted, profile, ..launch_options() }).await.unwrap();
    let mut options = SessionOptions::new(folder.path().join("downloads"));
    options.guard = guard(&site);
    let session = browser.session(options).await.unwrap();
    let visit = Visit { site, session, folder };
    visit.open("/").await;
    let text = Some("all tried".to_owned());
    visit.does(Action::Wait(Wait { text, seconds: Some(30.0), ..Wait::default() })).await;
    browser.close().await;
    (elsewhere.connections.load(Ordering::Relaxed), elsewhere.datagrams.load(Ordering::Relaxed))
}

#[test]
fn a_page_reaches_no_other_place_than_the_rules_allow() {
    run(async {
        let (connections, datagrams) = reached_by_page(|_| Arc::new(NoRules), false, false).await;
        // WebKitGTK is built without WebRTC, or has it off.
        let sends_datagrams = engine() == Engine::WebKit || datagrams > 0;
        assert!(connections > 10 && sends_datagrams, "the page tries nothing: {connections} {datagrams}");
        for keeps_profile in [false, true].into_iter().filter(|keeps| !keeps || supports(Capability::Profiles)) {
            let only = |site: &Site| Arc::new(Only(Mutex::new(site.url("/")))) as Arc<dyn Guard>;
            let reached = reached_by_page(only, true, keeps_profile).await;
            assert_eq!(reached, (0, 0), "with a kept profile: {keeps_profile}");
        }
    });
}

/// A browser that is started for rules resolves no name itself, so that a session without rules needs a proxy too.
#[test]
fn a_session_without_rules_reaches_every_site_in_a_browser_that_was_started_for_rules() {
    run(async {
        let site = Site::start().await;
        site.page("/", "<p>Here</p>");
        let folder = tempfile::tempdir().unwrap();
        let browser = Browser::launch(LaunchOptions { restricted: true, ..launch_options() }).await.unwrap();
        let session = browser.session(SessionOptions::new(folder.path().join("downloads"))).await.unwrap();
        let named = site.url("/").replace("127.0.0.1", "localhost");
        let visit = Visit { site, session, folder };
        let reply = visit.does(open(&named)).await;
        assert!(reply.ok(), "{reply:?}");
        browser.close().await;
    });
}

#[test]
fn behind_rules_a_page_that_is_not_reached_is_told_as_without_them() {
    run(async {
        let only = Arc::new(Only(Mutex::default()));
        let guard = only.clone();
        let visit = visit_with("<p>Here</p>", |options| options.guard = guard).await;
        let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap().local_addr().unwrap();
        for (url, why) in [
            (format!("http://{closed}/"), "ERR_CONNECTION_REFUSED"),
            ("http://nobody.invalid/".into(), "ERR_NAME_NOT_RESOLVED"),
        ] {
            let failure = visit.fails(open(&url)).await;
            assert!(
                matches!(&failure, ActionFailure::Unreachable { reason, .. } if reason.contains(why)),
                "{url}: {failure}"
            );
            visit.site.page("/link", &format!("<a id=a href='{url}'>There</a>"));
            visit.open("/link").await;
            let failure = visit.fails(click(at("#a"))).await;
            assert!(failure.to_string().contains(why), "{url}: {failure}");
        }
        assert!(visit.open("/").await.ok(), "what is allowed is reached");
    });
}
