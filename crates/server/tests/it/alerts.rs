//! Alerts of schedules: failure and recovery to a chat and by e-mail, failed deliveries, the test message.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Bytes, extract::State, http::StatusCode, routing::post};
use base64::{Engine, prelude::BASE64_STANDARD};
use legwork_access::{TokenFile, TokenScope};
use legwork_demo_site::DemoSite;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

use crate::support::{Answer, Place, Serving, TEST_TIMEOUT};

/// A hook that refuses messages until it is told to accept them.
struct Hook {
    url: String,
    accepts: Arc<AtomicBool>,
    /// The accepted messages.
    received: mpsc::UnboundedReceiver<Value>,
}

impl Hook {
    async fn start() -> Hook {
        type Shared = Arc<(Arc<AtomicBool>, mpsc::UnboundedSender<Value>)>;
        async fn hear(State(shared): State<Shared>, body: Bytes) -> StatusCode {
            if !shared.0.load(Ordering::SeqCst) {
                return StatusCode::SERVICE_UNAVAILABLE;
            }
            shared.1.send(serde_json::from_slice(&body).unwrap()).unwrap();
            StatusCode::OK
        }
        let (sender, received) = mpsc::unbounded_channel();
        let accepts = Arc::new(AtomicBool::new(true));
        let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/services/T0/B0/key", socket.local_addr().unwrap());
        let shared = Arc::new((accepts.clone(), sender));
        let router = Router::new().route("/services/T0/B0/key", post(hear)).with_state(shared);
        tokio::spawn(async move { axum::serve(socket, router).await.unwrap() });
        Hook { url, accepts, received }
    }

    async fn next(&mut self) -> Value {
        tokio::time::timeout(TEST_TIMEOUT, self.received.recv()).await.expect("a message arrives").unwrap()
    }
}

/// A mail as the mail server received it.
#[derive(Debug)]
struct ReceivedMail {
    login: String,
    from: String,
    to: Vec<String>,
    text: String,
}

/// A mail server without TLS, which demands a login.
async fn mail_server() -> (u16, mpsc::UnboundedReceiver<ReceivedMail>) {
    let (sender, received) = mpsc::unbounded_channel();
    let socket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = socket.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = socket.accept().await {
            let sender = sender.clone();
            tokio::spawn(async move {
                if let Some(mail) = converse(stream).await {
                    sender.send(mail).unwrap();
                }
            });
        }
    });
    (port, received)
}

/// One connection of RFC 5321, up to one mail.
async fn converse(stream: TcpStream) -> Option<ReceivedMail> {
    let mut stream = BufReader::new(stream);
    let mut mail = ReceivedMail { login: String::new(), from: String::new(), to: Vec::new(), text: String::new() };
    stream.write_all(b"220 mail.test ESMTP\r\n").await.ok()?;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok().filter(|read| *read > 0)?;
        let line = line.trim_end();
        let reply = match line.split_once([' ', ':']).map_or(line, |(verb, _)| verb) {
            "EHLO" => "250-mail.test\r\n250 AUTH PLAIN".to_owned(),
            "AUTH" => {
                let given = line.rsplit(' ').next()?;
                mail.login = String::from_utf8(BASE64_STANDARD.decode(given).ok()?).ok()?;
                match mail.login == "\0legwork\0open sesame" {
                    true => "235 welcome".to_owned(),
                    false => "535 5.7.8 authentication failed".to_owned(),
                }
            }
            "MAIL" => {
                mail.from = line.to_owned();
                "250 ok".to_owned()
            }
            "RCPT" => {
                mail.to.push(line.to_owned());
                "250 ok".to_owned()
            }
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await.ok()?;
                while !mail.text.ends_with("\r\n.\r\n") {
                    stream.read_line(&mut mail.text).await.ok().filter(|read| *read > 0)?;
                }
                stream.write_all(b"250 accepted\r\n").await.ok()?;
                return Some(mail);
            }
            "QUIT" => return None,
            _ => "502 not implemented".to_owned(),
        };
        stream.write_all(format!("{reply}\r\n").as_bytes()).await.ok()?;
    }
}

fn with_mail(port: u16, password: &str) -> Place {
    Place::new()
        .set("timeouts.element", "200ms")
        .set("smtp.host", "127.0.0.1")
        .set("smtp.port", &port.to_string())
        .set("smtp.security", "none")
        .set("smtp.username", "legwork")
        .set("smtp.from", "Legwork <legwork@example.org>")
        .env("LEGWORK_SMTP_PASSWORD", password)
}

fn failing() -> String {
    // The first step needs no page: a workflow that begins on none is refused.
    "Wait 0.1 seconds\nClick \"No such button\"".to_owned()
}

async fn make(serving: &Serving, plan: &Value) -> String {
    serving.post("/api/schedules", plan.clone()).await.data()["id"].as_str().unwrap().to_owned()
}

async fn change(serving: &Serving, id: &str, plan: Value) {
    serving.send(serving.ask(Method::PUT, &format!("/api/schedules/{id}")), plan).await.data();
}

/// Starts a run of the schedule and follows it to its end.
async fn run(serving: &Serving, id: &str) -> String {
    let started = serving.post(&format!("/api/schedules/{id}/run"), json!({})).await.data();
    let run = started["sessionId"].as_str().unwrap().to_owned();
    serving.to_the_end(&run).await;
    run
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_and_the_recovery_after_it_are_reported_to_a_chat_and_by_mail() {
    let site = DemoSite::start().await.unwrap();
    let (port, mut mails) = mail_server().await;
    let (mut chat, mut webhook) = (Hook::start().await, Hook::start().await);
    let place = with_mail(port, "open sesame");
    let serving = place.open().await;
    let mut plan = json!({
        "name": "Night <report>", "cron": "0 3 1 1 *", "workflow": failing(), "webhook": webhook.url,
        "slackHook": chat.url, "email": ["Ops <ops@example.org>", "ada@example.org"],
    });
    let id = make(&serving, &plan).await;
    let first = run(&serving, &id).await;
    assert_eq!(webhook.next().await["alert"], "failure");
    let said = chat.next().await["text"].as_str().unwrap().to_owned();
    assert!(said.contains("“Night &lt;report&gt;” failed: ") && said.contains("SELECTOR_NOT_FOUND"), "{said}");
    assert!(said.ends_with(&format!("{}/runs/{}", serving.url, first.replace('-', ""))), "{said}");
    let mail = tokio::time::timeout(TEST_TIMEOUT, mails.recv()).await.expect("a mail arrives").unwrap();
    assert!(mail.from.contains("<legwork@example.org>"), "{mail:?}");
    // Each recipient gets a message, so that a refused one stops no other.
    let other = mails.recv().await.unwrap();
    assert_eq!((mail.to.len(), other.to.len()), (1, 1));
    assert_ne!(mail.to, other.to);
    assert!(mail.text.contains("Subject: Legwork: Night <report> failed"), "{}", mail.text);

    // The second failure is reported too, a success after it once, and the next success to nobody.
    run(&serving, &id).await;
    assert_eq!(webhook.next().await["alert"], "failure");
    assert!(chat.next().await["text"].as_str().unwrap().contains("failed"));
    for _ in 0..2 {
        mails.recv().await.unwrap();
    }
    plan["workflow"] = json!(format!("Open {}", site.url()));
    change(&serving, &id, plan.clone()).await;
    let listed = serving.get("/api/schedules").await.data();
    assert_eq!(listed[0]["failing"], json!(true), "a change of the schedule is no recovery");
    run(&serving, &id).await;
    assert_eq!(webhook.next().await["alert"], "recovery");
    assert!(chat.next().await["text"].as_str().unwrap().contains("works again"));
    for _ in 0..2 {
        assert!(mails.recv().await.unwrap().text.contains("works again"));
    }
    run(&serving, &id).await;
    assert_eq!(webhook.next().await["alert"], Value::Null);
    assert!(chat.received.is_empty() && mails.is_empty());

    // The address of the hook is a key; readers of the schedules do not get it.
    let reader =
        TokenFile::of(&place.data()).create("reader", std::iter::once(TokenScope::Read).collect(), None).unwrap();
    let as_reader = serving.http.get(format!("{}/api/schedules", serving.url)).bearer_auth(reader.text.expose_secret());
    let listed = Answer::of(as_reader.send().await.unwrap()).await.data();
    assert_eq!((&listed[0]["name"], listed[0].get("slackHook")), (&json!("Night <report>"), None));
    // The password is in no response.
    for path in ["/api/settings", "/api/schedules", "/api/health/detailed"] {
        assert!(!serving.get(path).await.body.to_string().contains("open sesame"), "{path}");
    }
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_not_accepted_is_repeated_then_shown_and_a_later_success_removes_it() {
    let (mut chat, mut webhook) = (Hook::start().await, Hook::start().await);
    let mut place = Place::new().set("timeouts.element", "200ms");
    place.alert_retries = vec![Duration::from_millis(1); 2];
    let serving = place.open().await;
    let plan =
        json!({ "name": "x", "cron": "@daily", "workflow": failing(), "slackHook": chat.url, "webhook": webhook.url });
    let id = make(&serving, &plan).await;
    chat.accepts.store(false, Ordering::SeqCst);
    run(&serving, &id).await;
    webhook.next().await;
    let shown = loop {
        let listed = serving.get("/api/schedules").await.data();
        match listed[0]["undelivered"].get(0) {
            Some(one) => break one.clone(),
            None => tokio::task::yield_now().await,
        }
    };
    assert_eq!(shown["channel"], "slack", "only this channel failed");
    let problem = shown["problem"].as_str().unwrap();
    assert!(problem.contains("503") && !problem.contains("services"), "{problem}");
    assert!(shown["advice"].as_str().unwrap().contains("send it again later"), "{shown}");

    chat.accepts.store(true, Ordering::SeqCst);
    run(&serving, &id).await;
    chat.next().await;
    while serving.get("/api/schedules").await.data()[0].get("undelivered").is_some() {
        tokio::task::yield_now().await;
    }
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_next_server_sends_what_a_stop_interrupted() {
    let mut chat = Hook::start().await;
    let mut place = Place::new().set("timeouts.element", "200ms");
    place.alert_retries = vec![Duration::from_secs(3_600)];
    let serving = place.open().await;
    let plan = json!({ "name": "x", "cron": "@daily", "workflow": failing(), "slackHook": chat.url });
    let id = make(&serving, &plan).await;
    chat.accepts.store(false, Ordering::SeqCst);
    run(&serving, &id).await;
    while serving.get("/api/schedules").await.data()[0]["failing"] != true {
        tokio::task::yield_now().await;
    }
    serving.stop().await;
    chat.accepts.store(true, Ordering::SeqCst);
    let serving = place.open().await;
    assert!(chat.next().await["text"].as_str().unwrap().contains("failed"));
    serving.stop().await;
    // It was delivered and is not sent again.
    let serving = place.open().await;
    serving.get("/api/schedules").await.data();
    serving.stop().await;
    assert!(chat.received.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_test_message_tells_for_each_channel_whether_it_arrives() {
    let (port, _mails) = mail_server().await;
    let mut chat = Hook::start().await;
    let place = with_mail(port, "a wrong password");
    let serving = place.open().await;
    let test = json!({ "name": "Daily", "slackHook": chat.url, "email": ["ops@example.org"] });
    let results = serving.post("/api/alerts/test", test).await.data();
    assert!(chat.next().await["text"].as_str().unwrap().contains("This is a test"));
    assert_eq!((&results[0]["channel"], &results[0]["delivered"]), (&json!("slack"), &json!(true)));
    assert_eq!((&results[1]["channel"], &results[1]["delivered"]), (&json!("email"), &json!(false)));
    let problem = results[1]["problem"].as_str().unwrap();
    assert!(problem.starts_with("ops@example.org: ") && problem.contains("authentication failed"), "{problem}");
    assert!(!problem.contains("a wrong password"), "{problem}");
    assert!(results[1]["advice"].as_str().unwrap().contains("smtp.username"), "{results}");
    for (field, wrong) in [("slackHook", json!("ftp://x")), ("email", json!(["nobody"]))] {
        let mut test = json!({ "name": "Daily" });
        test[field] = wrong;
        let error = serving.post("/api/alerts/test", test).await.refused(400);
        assert!(error["details"][0].as_str().unwrap().starts_with(field), "{error}");
    }
    serving.post("/api/alerts/test", json!({ "name": "Daily" })).await.refused(400);
    serving.stop().await;

    // Without a mail server, a schedule with addresses is refused and says what is missing.
    let place = Place::new();
    let serving = place.open().await;
    let plan = json!({ "name": "x", "cron": "@daily", "workflow": failing(), "email": ["ops@example.org"] });
    let error = serving.post("/api/schedules", plan).await.refused(400);
    assert!(error["details"][0].as_str().unwrap().contains("smtp.host"), "{error}");
    serving.stop().await;
}
