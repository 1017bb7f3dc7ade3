//! Tests sessions that reach the sites through a proxy of the user.

use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex},
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use fast_socks5::{ReplyError, server::Socks5ServerProtocol};
use legwork_browser::{Browser, Capability, LaunchOptions, SessionOptions, UpstreamProxy};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, copy_bidirectional},
    net::{TcpListener, TcpStream},
};

use crate::{egress::Only, support::*};

const USER: &str = "ada";
const PASSWORD: &str = "p@ss:word";

/// A proxy that demands a password, leads every name under `example` to one site, and keeps the destinations.
struct Proxy {
    scheme: &'static str,
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    async fn start(scheme: &'static str, site: u16) -> Proxy {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let asked = Arc::clone(&kept);
                tokio::spawn(async move {
                    match scheme {
                        "http" => tunnel(stream, site, &asked).await,
                        _ => socks(stream, site, &asked).await,
                    }
                });
            }
        });
        Proxy { scheme, port, asked }
    }

    /// The proxy with a password.
    fn with(&self, password: &str) -> UpstreamProxy {
        let url = format!("{}://{USER}@127.0.0.1:{}", self.scheme, self.port);
        UpstreamProxy::new(&url, Some(&password.to_owned().into()), &[]).unwrap()
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

/// Connects to the site in place of a name.
async fn reach(place: &str, site: u16, asked: &Mutex<Vec<String>>) -> Option<TcpStream> {
    asked.lock().unwrap().push(place.to_owned());
    let name = place.rsplit_once(':')?.0;
    match name.ends_with(".example") {
        true => TcpStream::connect((Ipv4Addr::LOCALHOST, site)).await.ok(),
        false => None,
    }
}

async fn tunnel(stream: TcpStream, site: u16, asked: &Mutex<Vec<String>>) {
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.unwrap_or_default() == 0 {
            return;
        }
    }
    let credentials = BASE64_STANDARD.encode(format!("{USER}:{PASSWORD}"));
    let is_known =
        head.lines().any(|line| line.eq_ignore_ascii_case(&format!("Proxy-Authorization: Basic {credentials}")));
    let place = head.strip_prefix("CONNECT ").and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let answer = match is_known {
        true => reach(place, site, asked).await.ok_or("502 Bad Gateway"),
        false => Err("407 Proxy Authentication Required"),
    };
    match answer {
        Ok(mut upstream) => {
            let _ = stream.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n").await;
            let _ = copy_bidirectional(&mut stream, &mut upstream).await;
        }
        Err(status) => _ = stream.write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").as_bytes()).await,
    }
}

async fn socks(stream: TcpStream, site: u16, asked: &Mutex<Vec<String>>) {
    let is_known = |user: String, password: String| user == USER && password == PASSWORD;
    let Ok((socks, _)) = Socks5ServerProtocol::accept_password_auth(stream, is_known).await else { return };
    let Ok((reply, _, target)) = socks.read_command().await else { return };
    match reach(&target.to_string(), site, asked).await {
        Some(mut upstream) => {
            let Ok(mut stream) = reply.reply_success((Ipv4Addr::UNSPECIFIED, 0).into()).await else { return };
            let _ = copy_bidirectional(&mut stream, &mut upstream).await;
        }
        None => _ = reply.reply_error(&ReplyError::HostUnreachable).await,
    }
}

async fn visit_through(proxy: UpstreamProxy, change: impl FnOnce(&mut SessionOptions)) -> Visit {
    visit_with("<h1>Here</h1>", |options| {
        options.proxy = Some(proxy);
        change(options);
    })
    .await
}

#[test]
fn a_proxy_with_a_password_reaches_names_that_only_it_knows() {
    run(async {
        for scheme in ["http", "socks5"] {
            let site = Site::start().await;
            site.page("/", "<h1>Behind the proxy</h1>");
            let proxy = Proxy::start(scheme, site.port).await;
            let visit = visit_through(proxy.with(PASSWORD), |_| {}).await;
            visit.does(open("http://shop.example/")).await;
            assert!(visit.text().await.contains("Behind the proxy"), "{scheme}");
            assert!(proxy.asked().contains(&"shop.example:80".to_owned()), "{scheme}");
            // The site of the visit is on this machine.
            assert!(visit.open("/").await.ok());
            assert!(visit.text().await.contains("Here"));
            let failure = visit.fails(open("http://nobody.invalid/")).await.to_string();
            assert!(failure.contains("proxy 127.0.0.1") && failure.contains("ERR_TUNNEL"), "{scheme}: {failure}");
            assert_eq!(proxy.asked().iter().filter(|place| place.starts_with("127.")).count(), 0, "{scheme}");
        }
    });
}

#[test]
fn a_proxy_that_refuses_or_is_not_there_is_named() {
    run(async {
        for scheme in ["http", "socks5"] {
            let proxy = Proxy::start(scheme, 1).await;
            let visit = visit_through(proxy.with("wrong"), |_| {}).await;
            let failure = visit.fails(open("http://shop.example/")).await.to_string();
            assert!(
                failure.contains("the proxy 127.0.0.1:") && failure.contains("auth") || failure.contains("password"),
                "{scheme}: {failure}"
            );
            assert_eq!(proxy.asked(), Vec::<String>::new());
        }
        let closed = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap().local_addr().unwrap();
        let visit = visit_through(UpstreamProxy::new(&format!("http://{closed}"), None, &[]).unwrap(), |_| {}).await;
        let failure = visit.fails(open("http://shop.example/")).await.to_string();
        assert!(failure.contains("ERR_PROXY_CONNECTION_FAILED") && failure.contains(&closed.to_string()), "{failure}");
    });
}

#[test]
fn rules_hold_before_the_proxy_is_asked() {
    run(async {
        let site = Site::start().await;
        site.page("/", "<h1>Allowed</h1><img src='http://other.example/x.png'><img src='http://192.0.2.1/x.png'>");
        let proxy = Proxy::start("http", site.port).await;
        let only = Arc::new(Only(Mutex::default()));
        let guard = Arc::clone(&only);
        let visit = visit_through(proxy.with(PASSWORD), |options| options.guard = guard).await;
        *only.0.lock().unwrap() = "http://shop.example/".to_owned();
        visit.does(open("http://shop.example/")).await;
        visit.fails(open("http://other.example/")).await;
        let asked = proxy.asked();
        assert!(!asked.is_empty() && asked.iter().all(|place| place == "shop.example:80"), "{asked:?}");
    });
}

#[test]
fn a_kept_profile_uses_the_proxy_from_the_start() {
    if !supports(Capability::Profiles) {
        return;
    }
    run(async {
        let site = Site::start().await;
        site.page("/", "<h1>Behind the proxy</h1>");
        let proxy = Proxy::start("socks5", site.port).await;
        let folder = tempfile::tempdir().unwrap();
        let options = LaunchOptions {
            profile: Some(folder.path().join("profile")),
            proxy: Some(proxy.with(PASSWORD)),
            ..launch_options()
        };
        let browser = Browser::launch(options).await.unwrap();
        let session = browser.session(SessionOptions::new(folder.path().join("downloads"))).await.unwrap();
        let visit = Visit { site, session, folder };
        visit.does(open("http://shop.example/")).await;
        browser.close().await;
        assert!(proxy.asked().contains(&"shop.example:80".to_owned()));
    });
}

#[test]
fn hosts_that_are_excepted_are_reached_directly() {
    run(async {
        let proxy = Proxy::start("http", 1).await;
        let url = format!("http://{USER}@127.0.0.1:{}", proxy.port);
        let bypass = ["invalid".to_owned()];
        let direct = UpstreamProxy::new(&url, None, &bypass).unwrap();
        let visit = visit_through(direct, |_| {}).await;
        let failure = visit.fails(open("http://nobody.invalid/")).await.to_string();
        assert!(failure.contains("ERR_NAME_NOT_RESOLVED"), "{failure}");
        assert_eq!(proxy.asked(), Vec::<String>::new());
    });
}

#[test]
fn what_is_no_proxy_is_refused_with_the_form_of_one() {
    for (url, words) in [
        ("proxy.example:3128", "http://proxy.example:3128 or socks5://"),
        ("https://proxy.example", "https:// are not supported"),
        ("http://", "expected a proxy"),
        ("http://proxy.example/path", "leave out \"path\""),
    ] {
        let refused = UpstreamProxy::new(url, None, &[]).unwrap_err().to_string();
        assert!(refused.contains(words), "{url}: {refused}");
    }
}
