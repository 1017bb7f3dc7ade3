//! The demo site over HTTP: the behaviour of its pages that workflows and tests rely on.

#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests may panic; clippy allows it only in functions marked as tests"
)]

use std::time::Duration;

use legwork_demo_site::{CLOSED_ROOT_STEPS, DEMO_WORKFLOW, DemoSite, PASSWORD, PostOutcome, USER};
use legwork_testing::is_gone;
use reqwest::{Client, StatusCode, redirect::Policy};

/// A client with the cookies of one browser, including the session after log-in.
struct SignedInClient {
    site: DemoSite,
    http: Client,
    cookie: String,
}

impl SignedInClient {
    async fn signed_in() -> SignedInClient {
        let site = DemoSite::start().await.unwrap();
        let http = legwork_testing::http().redirect(Policy::none()).build().unwrap();
        let answer = http.get(site.signed_in_url("/")).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
        SignedInClient { site, http, cookie }
    }

    async fn get(&self, path: &str) -> String {
        let asked = self.http.get(self.site.url() + path).header("cookie", &self.cookie);
        asked.send().await.unwrap().error_for_status().unwrap().text().await.unwrap()
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
        let form: String = reqwest::Url::parse_with_params("http://x/", fields).unwrap().query().unwrap().to_owned();
        let asked = self.http.post(self.site.url() + path).header("cookie", &self.cookie);
        let asked = asked.header("content-type", "application/x-www-form-urlencoded").body(form);
        let answer = asked.send().await.unwrap();
        let place = answer.headers().get("location").map(|l| l.to_str().unwrap().to_owned());
        (answer.status(), place.unwrap_or_default())
    }
}

const ORDER: [(&str, &str); 8] = [
    ("customer", "Ada"),
    ("email", "ada@example.org"),
    ("product", "Fender F3"),
    ("quantity", "2"),
    ("delivery", "Ferry"),
    ("date", "2026-12-24"),
    ("payment", "Card"),
    ("terms", "yes"),
];

#[tokio::test]
async fn a_page_redirects_to_the_sign_in_and_back() {
    let visitor = SignedInClient::signed_in().await;
    let answer = visitor.http.get(visitor.site.url() + "/orders").send().await.unwrap();
    assert_eq!(answer.headers()["location"], "/login?to=/orders");
    let wrong = visitor.post("/login", &[("username", USER), ("password", "guess"), ("to", "/orders")]).await;
    assert_eq!(wrong.0, StatusCode::UNAUTHORIZED);
    let right = visitor.post("/login", &[("username", USER), ("password", PASSWORD), ("to", "/orders")]).await;
    assert_eq!(right, (StatusCode::SEE_OTHER, "/orders".to_owned()));
    let elsewhere =
        visitor.post("/login", &[("username", USER), ("password", PASSWORD), ("to", "//evil.example")]).await;
    assert_eq!(elsewhere.1, "/");
}

#[tokio::test]
async fn the_ledger_marks_repeated_posts() {
    let visitor = SignedInClient::signed_in().await;
    let (status, first) = visitor.post("/orders", &ORDER).await;
    assert_eq!((status, first.as_str()), (StatusCode::SEE_OTHER, "/orders/1004"));
    visitor.post("/orders", &ORDER).await;
    visitor.post("/orders", &ORDER[..3]).await;
    let seen: Vec<_> = visitor.site.ledger().into_iter().map(|e| (e.id, e.verdict, e.repeats)).collect();
    assert_eq!(
        seen,
        [(1, PostOutcome::Accepted, None), (2, PostOutcome::Accepted, Some(1)), (3, PostOutcome::Refused, None)]
    );
    let json: serde_json::Value = serde_json::from_str(&visitor.get("/api/ledger").await).unwrap();
    assert_eq!(json, serde_json::to_value(visitor.site.ledger()).unwrap());
}

#[tokio::test]
async fn an_upload_is_listed_with_name_size_and_hash() {
    let visitor = SignedInClient::signed_in().await;
    let asked = visitor.http.post(visitor.site.url() + "/documents").header("cookie", &visitor.cookie);
    let form = "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nabc\r\n\
                --x\r\nContent-Disposition: form-data; name=\"about\"\r\n\r\nquay 4\r\n--x--\r\n";
    let answer = asked.header("content-type", "multipart/form-data; boundary=x").body(form).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let page = visitor.get("/documents").await;
    for shown in [
        "1 document received",
        "a.txt",
        "quay 4",
        "3 bytes",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    ] {
        assert!(page.contains(shown), "{shown} is not in {page}");
    }
}

#[tokio::test]
async fn the_carrier_is_another_origin_with_the_same_ledger() {
    let visitor = SignedInClient::signed_in().await;
    let carrier = visitor.site.second_origin_url();
    assert_ne!(carrier, visitor.site.url());
    let asked = visitor.http.post(carrier + "/quote").header("content-type", "application/x-www-form-urlencoded");
    let page = asked.body("postcode=5003&weight=12").send().await.unwrap().text().await.unwrap();
    assert!(page.contains("The parcel costs € 9.10"), "{page}");
    assert_eq!(visitor.site.ledger()[0].path, "/quote");
}

#[tokio::test]
async fn a_post_is_in_the_ledger_before_it_is_answered() {
    let visitor = SignedInClient::signed_in().await;
    let asked = visitor.http.post(visitor.site.url() + "/fault/posts?ms=60000").body("entry=one");
    let asked = asked.header("content-type", "application/x-www-form-urlencoded");
    let post = tokio::spawn(asked.send());
    let recorded = async {
        while visitor.site.ledger().is_empty() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), recorded)
        .await
        .expect("the post is recorded before its response is sent");
    assert!(!post.is_finished());
    post.abort();
}

#[tokio::test]
async fn the_product_table_supports_search_filter_sort_and_pages() {
    let visitor = SignedInClient::signed_in().await;
    let names = |html: &str| -> Vec<String> {
        let rows = html.split("<th scope=\"row\">").skip(1);
        rows.map(|row| row.split("</th>").next().unwrap().to_owned()).collect()
    };
    let page = visitor.get("/products/table?q=line&category=Rope&in_stock=true&sort=price").await;
    assert_eq!(names(&page), ["Towing line 24 mm", "Anchor line 20 mm", "Anchor line 16 mm"]);
    let all = visitor.get("/products/table?page=5").await;
    assert!(all.contains("44 products") && all.contains("Page 5 of 5"), "{all}");
    assert_eq!(names(&all).len(), 4);
}

#[tokio::test]
async fn user_input_is_html_escaped() {
    let visitor = SignedInClient::signed_in().await;
    let mut order = ORDER;
    order[0].1 = "<script>alert(1)</script>";
    let (_, place) = visitor.post("/orders", &order).await;
    let page = visitor.get(&place).await;
    assert!(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"), "{page}");
}

#[tokio::test]
async fn pages_refer_to_no_external_urls() {
    let visitor = SignedInClient::signed_in().await;
    let origin = visitor.site.second_origin_url();
    for path in [
        "/",
        "/products",
        "/orders",
        "/orders/new",
        "/documents",
        "/settings",
        "/settings/company",
        "/partners",
        "/till",
        "/pickup",
        "/pickup/code",
        "/notes",
        "/board",
        "/activity",
        "/late",
        "/handbook",
        "/login",
        "/site.css",
        "/site.js",
        "/fault",
    ] {
        let page = visitor.get(path).await.replace(&origin, "").replace("http://www.w3.org/2000/svg", "");
        assert!(!page.contains("http://") && !page.contains("https://"), "{path} names another place");
    }
}

#[tokio::test]
async fn a_download_has_the_requested_size_or_is_endless() {
    let visitor = SignedInClient::signed_in().await;
    assert_eq!(visitor.get("/fault/download?bytes=100001").await.len(), 100_001);
    let mut endless = visitor.http.get(visitor.site.url() + "/fault/download").send().await.unwrap();
    let mut got = 0;
    while got < 10 << 20 {
        got += endless.chunk().await.unwrap().expect("it does not end").len();
    }
}

#[tokio::test]
async fn dropping_the_site_ends_pending_responses() {
    let visitor = SignedInClient::signed_in().await;
    let url = visitor.site.url();
    let mut stalled = visitor.http.get(url.clone() + "/fault/stalled").send().await.unwrap();
    assert!(stalled.chunk().await.unwrap().is_some());
    drop(visitor);
    assert_eq!(stalled.chunk().await.unwrap(), None);
    is_gone(&url).await;
}

#[test]
fn the_demo_workflow_is_a_list_of_steps() {
    let workflow: serde_norway::Value = serde_norway::from_str(DEMO_WORKFLOW).unwrap();
    let steps = workflow["steps"].as_sequence().unwrap();
    assert!(steps.len() >= 14, "{} steps", steps.len());
    let texts: Option<Vec<&str>> = steps.iter().map(|step| step.as_str().or_else(|| step["step"].as_str())).collect();
    let texts = texts.expect("each step is a text or has one");
    assert!(CLOSED_ROOT_STEPS.iter().all(|step| texts.contains(step)), "{texts:?}");
}
