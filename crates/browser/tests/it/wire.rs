//! Tests the record of network traffic, routes that replace responses, emulation, and storage entries.

use std::sync::{Arc, Mutex};

use legwork_browser::{Area, Capability, Emulation, Guard, MediaFeature, NameValue, RequestDenial, Route};
use legwork_protocol::*;
use serde_json::json;

use crate::support::*;

const ASKS: &str = "<title>Asks</title><button>Ask</button><p id=out></p><script>
    document.querySelector('button').onclick = async () => {
      const headers = {'X-Kind': 'test', Authorization: 'Bearer abc123', 'Content-Type': 'application/json'};
      const answer = await fetch('/api', {method: 'POST', headers, body: JSON.stringify({name: 'Ada'})});
      out.textContent = answer.status + ' ' + await answer.text();
    };</script>";

fn json_page(body: &str) -> Page {
    let headers =
        vec![("Content-Type".into(), "application/json".into()), ("Set-Cookie".into(), "sid=77; Path=/".into())];
    Page { headers, body: body.as_bytes().to_vec(), ..Page::default() }
}

#[test]
fn headers_and_bodies_of_a_request_can_be_asked_for() {
    run(async {
        let visit = visit_with(ASKS, |options| options.record_network = true).await;
        visit.site.put("/api", json_page("{\"greeting\": \"Hello Ada\"}"));
        visit.does(click(at("button"))).await;
        let asked = visit.session.requests(0).into_iter().find(|line| line.url.ends_with("/api")).unwrap();
        let exchange = visit.session.exchange(asked.number).unwrap();
        let header = |headers: &[(String, String)], wanted: &str| {
            headers.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value.clone())
        };
        assert_eq!(header(&exchange.request_headers, "x-kind").as_deref(), Some("test"));
        // The record shows that the credential was sent, but not its value.
        assert_eq!(header(&exchange.request_headers, "authorization").as_deref(), Some("Bearer … (6 characters)"));
        assert_eq!(header(&exchange.response_headers, "content-type").as_deref(), Some("application/json"));
        assert!(!format!("{exchange:?}").contains("sid=77") && exchange.posts, "{exchange:?}");
        let sent = visit.session.request_body(asked.number).await.unwrap().unwrap();
        assert_eq!(String::from_utf8(sent).unwrap(), "{\"name\":\"Ada\"}");
        let came = visit.session.response_body(asked.number).await.unwrap();
        assert_eq!(String::from_utf8(came).unwrap(), "{\"greeting\": \"Hello Ada\"}");

        let moved = vec![("Location".to_owned(), "/api".to_owned())];
        visit.site.put("/moved", Page { status: 302, headers: moved, ..Page::default() });
        visit.session.evaluate("fetch('/moved').then(r => r.text())", None).await.unwrap();
        let hop = visit.session.requests(0).into_iter().find(|line| line.url.ends_with("/moved")).unwrap();
        let headers = visit.session.exchange(hop.number).unwrap().response_headers;
        assert_eq!(header(&headers, "location").as_deref(), Some("/api"));
        let elsewhere = visit.session.response_body(hop.number).await.unwrap_err();
        assert!(elsewhere.to_string().contains("the request after it"), "{elsewhere}");
        let came = visit.session.response_body(hop.number + 1).await.unwrap();
        assert!(String::from_utf8(came).unwrap().contains("Hello Ada"));

        let document = visit.session.requests(0)[0].number;
        assert_eq!(visit.session.request_body(document).await.unwrap(), None);
        let came = visit.session.response_body(document).await.unwrap();
        assert!(String::from_utf8(came).unwrap().starts_with("<title>Asks"));
        // The bodies of requests are gone with their page.
        visit.site.page("/other", "other");
        visit.open("/other").await;
        let gone = visit.session.response_body(asked.number).await.unwrap_err();
        assert!(gone.to_string().contains("no longer stored"), "{gone}");
        assert!(visit.session.exchange(999).is_none());
        visit.session.close().await.unwrap();
    });
}

#[test]
fn nothing_is_kept_of_a_run_s_requests() {
    run(async {
        let visit = visit(ASKS).await;
        visit.site.put("/api", json_page("{}"));
        visit.does(click(at("button"))).await;
        let asked = visit.session.requests(0).into_iter().find(|line| line.url.ends_with("/api")).unwrap();
        assert!(visit.session.exchange(asked.number).unwrap().request_headers.is_empty());
        assert!(visit.session.response_body(asked.number).await.is_err());
        visit.session.close().await.unwrap();
    });
}

/// A guard with one secret, bound to 127.0.0.1, and one refused path.
#[derive(Default)]
struct Rules {
    refused: Mutex<String>,
}

impl Guard for Rules {
    fn restricts(&self) -> bool {
        !self.refused.lock().unwrap().is_empty()
    }
    fn allows(&self, url: &url::Url) -> Result<(), RequestDenial> {
        let refused = self.refused.lock().unwrap();
        if !refused.is_empty() && url.path().starts_with(refused.as_str()) {
            Err(RequestDenial::new("refused"))
        } else {
            Ok(())
        }
    }
    fn reveal(&self, text: &str, origin: &url::Url) -> Result<secrecy::SecretString, RequestDenial> {
        match origin.host_str() {
            Some("127.0.0.1") => Ok(text.replace("${secret:KEY}", "hunter2").into()),
            _ => Err(RequestDenial::new("not bound to it")),
        }
    }
    fn holds_secret(&self, text: &str) -> bool {
        text.contains("${secret:")
    }
    fn mask(&self, text: &mut String) {
        *text = text.replace("hunter2", "${secret:KEY}");
    }
}

fn answer(pattern: &str, status: u16, body: &str) -> Route {
    let (status, body) = (Some(status), Some(body.to_owned()));
    Route { pattern: pattern.into(), status, body, content_type: Some("application/json".into()), ..Route::default() }
}

async fn get(visit: &Visit, url: &str) -> String {
    let script = format!(
        "fetch({url:?}, {{headers: {{'X-Own': '1', 'X-Gone': '1'}}}}).then(async r => r.status + ' ' + r.headers.get('content-type') + ' ' + await r.text(), e => String(e))"
    );
    visit.session.evaluate(&script, None).await.unwrap().as_str().unwrap().to_owned()
}

/// Without interception, a route is refused.
fn refuses_routes() {
    run(async {
        let visit = visit(ASKS).await;
        let failure = visit.session.route(answer("**/api/*", 200, "[]")).await.unwrap_err();
        assert!(matches!(failure, ActionFailure::NotAvailable { .. }), "{failure}");
        assert!(visit.session.routes().is_empty());
    });
}

#[test]
fn requests_are_answered_here_until_the_route_is_taken_away() {
    if !supports(Capability::Interception) {
        return refuses_routes();
    }
    run(async {
        let visit = visit(ASKS).await;
        visit.site.put("/api/users", Page { body: b"real".to_vec(), ..Page::default() });
        visit.session.route(answer("**/api/*", 200, "[]")).await.unwrap();
        visit.session.route(answer("**/api/users", 418, "{}")).await.unwrap();
        assert_eq!(get(&visit, "/api/users").await, "418 application/json {}", "the newest counts");
        assert_eq!(get(&visit, "/api/x").await, "200 application/json []");
        // The address is of another origin, and the header requires a preflight request.
        assert_eq!(get(&visit, &visit.site.elsewhere("/api/y")).await, "200 application/json []");
        assert_eq!(visit.session.routes().len(), 2);
        // The route also applies in tabs that open later.
        visit.does(Action::Tab(Tab::Open { url: Some(visit.site.url("/api/page")) })).await;
        assert!(visit.text().await.contains("[]"));
        assert_eq!(visit.session.unroute(Some("**/api/users")).await.unwrap(), 1);
        assert_eq!(visit.session.unroute(Some("**/api/users")).await.unwrap(), 0);
        assert_eq!(visit.session.unroute(None).await.unwrap(), 1);
        visit.does(Action::Tab(Tab::Switch { to: "1".into() })).await;
        assert_eq!(get(&visit, "/api/users").await, "200 text/html; charset=utf-8 real");

        let wrong = [
            Route { pattern: "x".into(), status: Some(99), ..Route::default() },
            Route { headers: vec![("A\nB".into(), "c".into())], ..Route::default() },
        ];
        for route in wrong {
            assert!(visit.session.route(route).await.is_err());
        }
        visit.session.close().await.unwrap();
    });
}

#[test]
fn headers_are_given_and_taken_and_a_secret_goes_only_where_it_may() {
    if !supports(Capability::Interception) {
        return refuses_routes();
    }
    run(async {
        let visit = visit_with(ASKS, |options| {
            options.guard = Arc::new(Rules::default());
            options.record_network = true;
        })
        .await;
        let route = Route {
            pattern: "**/api".into(),
            headers: vec![("X-Key".into(), "${secret:KEY}".into())],
            remove_headers: vec!["x-gone".into()],
            ..Route::default()
        };
        visit.session.route(route).await.unwrap();
        visit.site.put("/api", Page { body: b"fine".to_vec(), ..Page::default() });
        assert!(get(&visit, "/api").await.ends_with("fine"));
        let heads = visit.site.heads.lock().unwrap().clone();
        let asked = heads.iter().find(|head| head.starts_with("GET /api ")).unwrap().to_lowercase();
        assert!(asked.contains("x-key: hunter2") && asked.contains("x-own: 1") && !asked.contains("x-gone"), "{asked}");
        let all = format!("{:?}", visit.session.routes());
        assert!(all.contains("${secret:KEY}") && !all.contains("hunter2"), "{all}");
        // A secret that was written out is masked too.
        let pattern = "http://x/hunter2".to_owned();
        visit.session.route(Route { pattern, ..Route::default() }).await.unwrap();
        assert_eq!(visit.session.routes()[1].pattern, "http://x/${secret:KEY}");
        // The secret is bound to another host, so the request is not sent at all.
        assert!(get(&visit, &visit.site.elsewhere("/api")).await.contains("Failed to fetch"));
        visit.session.close().await.unwrap();
    });
}

#[test]
fn what_the_rules_refuse_is_refused_whatever_would_be_answered() {
    if !supports(Capability::Interception) {
        return refuses_routes();
    }
    run(async {
        let rules = Arc::new(Rules { refused: Mutex::new("/bad".into()) });
        let guard = rules.clone();
        let visit = visit_with(ASKS, |options| options.guard = guard).await;
        visit.session.route(answer("**", 200, "mocked")).await.unwrap();
        assert_eq!(get(&visit, "/good").await, "200 application/json mocked");
        assert!(get(&visit, "/bad/x").await.contains("Failed to fetch"));
        let opened = visit.open("/bad").await;
        assert!(!opened.ok(), "{opened:?}");
        // After the last route was removed, the rules still apply.
        visit.session.unroute(None).await.unwrap();
        assert!(get(&visit, "/bad/x").await.contains("Failed to fetch"));
        visit.session.close().await.unwrap();
    });
}

#[test]
fn a_page_believes_in_its_medium_and_that_there_is_no_network() {
    run(async {
        let visit = visit(ASKS).await;
        let seen = "['(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '(forced-colors: active)',
            '(prefers-contrast: more)', 'print'].map(query => matchMedia(query).matches)";
        let seen = async || visit.session.evaluate(seen, None).await.unwrap();
        let set = |pairs: &[(MediaFeature, Option<&str>)]| -> Emulation {
            pairs.iter().map(|(feature, value)| (*feature, value.map(str::to_owned))).collect()
        };
        use MediaFeature::*;
        let all = set(&[
            (ColorScheme, Some("dark")),
            (ReducedMotion, Some("reduce")),
            (ForcedColors, Some("active")),
            (Contrast, Some("more")),
            (Media, Some("print")),
        ]);
        if !supports(Capability::MediaEmulation) {
            let failure = visit.session.emulate(&all).await.unwrap_err();
            assert!(matches!(failure, ActionFailure::NotAvailable { .. }), "{failure}");
            if !supports(Capability::Offline) {
                let failure = visit.session.set_offline(true).await.unwrap_err();
                assert!(matches!(failure, ActionFailure::NotAvailable { .. }), "{failure}");
                return;
            }
            visit.session.set_offline(true).await.unwrap();
            assert!(!get(&visit, "/api").await.starts_with("404"));
            visit.session.set_offline(false).await.unwrap();
            assert!(get(&visit, "/api").await.starts_with("404"));
            return;
        }
        visit.session.emulate(&all).await.unwrap();
        assert_eq!(seen().await, json!([true, true, true, true, true]));
        // Null restores a feature, and features that are not named keep their value; this also holds in a tab that
        // opens now.
        visit.session.emulate(&set(&[(ReducedMotion, None), (ForcedColors, None), (Media, None)])).await.unwrap();
        assert_eq!(seen().await, json!([true, false, false, true, false]));
        visit.does(Action::Tab(Tab::Open { url: Some(visit.site.url("/")) })).await;
        assert_eq!(seen().await, json!([true, false, false, true, false]));
        assert!(visit.session.emulate(&set(&[(ColorScheme, Some("green"))])).await.is_err());

        visit.session.set_offline(true).await.unwrap();
        assert!(get(&visit, "/api").await.contains("Failed to fetch"));
        assert_eq!(visit.session.evaluate("navigator.onLine", None).await.unwrap(), false);
        assert_eq!(seen().await, json!([true, false, false, true, false]), "one is not the other");
        visit.session.set_offline(false).await.unwrap();
        assert!(get(&visit, "/api").await.starts_with("404"));
        visit.session.close().await.unwrap();
    });
}

#[test]
fn entries_of_a_storage_are_read_and_written_one_by_one() {
    run(async {
        let visit = visit_with(ASKS, |options| options.guard = Arc::new(Rules::default())).await;
        let session = &visit.session;
        session.evaluate("localStorage.setItem('b', '2'), sessionStorage.setItem('s', 'x'), 1", None).await.unwrap();
        session.set_entry(Area::Local, "a", "ö \"1\"").await.unwrap();
        session.set_entry(Area::Session, "pin", "${secret:KEY}").await.unwrap();
        let pair = |name: &str, value: &str| NameValue { name: name.into(), value: value.into() };
        assert_eq!(session.entries(Area::Local).await.unwrap(), [pair("a", "ö \"1\""), pair("b", "2")]);
        assert_eq!(session.evaluate("sessionStorage.pin.length", None).await.unwrap(), 7, "the secret itself");
        assert_eq!(session.entry(Area::Session, "pin").await.unwrap().as_deref(), Some("${secret:KEY}"));
        assert_eq!(session.entry(Area::Local, "s").await.unwrap(), None);
        assert_eq!(session.delete_entries(Area::Local, Some("a")).await.unwrap(), 1);
        assert_eq!(session.delete_entries(Area::Local, Some("a")).await.unwrap(), 0);
        assert_eq!(session.delete_entries(Area::Session, None).await.unwrap(), 2);
        assert_eq!(session.entries(Area::Local).await.unwrap(), [pair("b", "2")]);
        let headers = vec![("Content-Security-Policy".to_owned(), "sandbox allow-scripts".to_owned())];
        visit.site.put("/closed", Page { headers, body: b"closed".to_vec(), ..Page::default() });
        visit.open("/closed").await;
        assert!(session.entries(Area::Local).await.is_err());
        visit.session.close().await.unwrap();
    });
}
