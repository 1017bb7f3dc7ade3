//! Secrets over the API: stored, listed and removed, without a value in any response, and typed into their own site
//! only.

use legwork_demo_site::{DemoSite, PASSWORD, USER};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Answer, Place, Serving};

async fn put(serving: &Serving, name: &str, body: Value) -> Answer {
    serving.send(serving.ask(Method::PUT, &format!("/api/secrets/{name}")), body).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stored_secret_is_used_on_its_site_and_no_response_contains_it() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let serving = place.open().await;
    assert_eq!(serving.get("/api/secrets").await.data(), json!([]));
    let stored = put(&serving, "pw", json!({ "value": PASSWORD, "origins": [site.url()], "username": USER })).await;
    assert!(!stored.body.to_string().contains(PASSWORD), "{stored:?}");
    assert_eq!(stored.data()["origins"], json!([site.url()]));
    let listed = serving.get("/api/secrets").await;
    assert!(!listed.body.to_string().contains(PASSWORD), "{listed:?}");
    let listed = listed.data();
    assert_eq!((&listed[0]["name"], &listed[0]["oneTimeCode"]), (&json!("pw"), &json!(false)));

    let steps = [
        "Accept the cookies",
        &format!("Type \"{USER}\" into \"User name\""),
        "Type \"${secret:pw}\" into \"Password\"",
        "Click \"Sign in\"",
    ];
    let run = |url: String, secret: &str| json!({ "steps": steps, "url": url, "secrets": [secret] });
    let id = serving.execute(run(format!("{}/login", site.url()), "pw")).await;
    let (events, state) = serving.to_the_end(&id).await;
    assert_eq!(state, "success", "{events:#?}");
    assert!(!json!(events).to_string().contains(PASSWORD));

    // A client cannot bind it to another site.
    let elsewhere = run("https://evil.example".to_owned(), "pw@https://evil.example");
    let refused = serving.post("/api/automation/execute", elsewhere).await;
    assert!(refused.body.to_string().contains("binds the secret pw to"), "{refused:?}");
    assert!(!refused.status.is_success());

    let gone = serving.send(serving.ask(Method::DELETE, "/api/secrets/pw"), json!({})).await;
    assert_eq!(gone.data()["name"], "pw");
    serving.send(serving.ask(Method::DELETE, "/api/secrets/pw"), json!({})).await.refused(404);
    serving.stop().await;
}

#[tokio::test]
async fn a_secret_without_a_site_a_value_or_a_name_is_refused() {
    let place = Place::new();
    let serving = place.open().await;
    let check = async |name: &str, body: Value, says: &str| {
        let error = put(&serving, name, body).await.refused(400);
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert!(!error.to_string().contains("tulip-9432"), "{error}");
    };
    check("pw", json!({ "value": "tulip-9432" }), "needs a site").await;
    check("pw", json!({ "value": "", "origins": ["https://a.example"] }), "value: the value is empty").await;
    check("pw", json!({ "value": "tulip-9432", "origins": ["a.example"] }), "is not an origin").await;
    check("a%20b", json!({ "value": "tulip-9432", "origins": ["https://a.example"] }), "cannot be the name").await;
    let code = json!({ "value": "tulip-9432", "origins": ["https://a.example"], "oneTimeCode": true });
    check("code", code, "is not base32").await;
    check("pw", json!({ "value": "tulip-9432", "sites": [] }), "sites").await;
    assert_eq!(serving.get("/api/secrets").await.data(), json!([]));
    serving.stop().await;
}
