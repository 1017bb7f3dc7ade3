//! Pages with faults for the tests of a browser agent, under `/fault` and without a log-in. `/fault` lists them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{
    Form, Router,
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{
        StatusCode,
        header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE},
    },
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use futures_util::stream;
use tokio_util::sync::CancellationToken;

use super::{ledger::PostOutcome, site::Site, token::new_token};

type Asked = Query<HashMap<String, String>>;

/// Faults that consist of one static page.
const PAGES: [(&str, &str); 10] = [
    ("hang", include_str!("faults/hang.html")),
    ("alerts", include_str!("faults/alerts.html")),
    ("crash-ish", include_str!("faults/crash-ish.html")),
    ("beforeunload", include_str!("faults/beforeunload.html")),
    ("moving", include_str!("faults/moving.html")),
    ("covered", include_str!("faults/covered.html")),
    ("stale", include_str!("faults/stale.html")),
    ("hostile", include_str!("faults/hostile.html")),
    ("disabled-then-enabled", include_str!("faults/disabled-then-enabled.html")),
    ("ambiguous", include_str!("faults/ambiguous.html")),
];

pub(super) fn routes(site: &Arc<Site>, stop: CancellationToken) -> Router {
    let mut routes = Router::new()
        .route("/", get(index))
        .route("/slow", get(slow))
        .route("/stalled", get(stalled))
        .route("/status/{code}", get(status))
        .route("/redirect-loop", get(redirect_loop))
        .route("/redirect-to", get(redirect_to))
        .route("/big", get(big))
        .route("/deep", get(deep))
        .route("/download", get(download))
        .route("/posts", get(posts).post(receive));
    for (name, html) in PAGES {
        routes = routes.route(&format!("/{name}"), get(async move || Html(html)));
    }
    // Endless responses must not keep the listener alive after the test.
    routes.layer(axum::Extension(stop)).with_state(site.clone())
}

async fn index() -> Html<String> {
    let mut list = String::new();
    for name in PAGES.iter().map(|(name, _)| *name).chain([
        "hang?on=load",
        "slow?ms=2000",
        "posts?ms=500",
        "stalled",
        "status/500",
        "redirect-loop",
        "redirect-to?url=/login",
        "big?nodes=100000",
        "deep?depth=5000",
        "download?bytes=1000000",
        "download",
    ]) {
        list += &format!("<li><a href=\"/fault/{name}\">{name}</a></li>");
    }
    Html(format!("<!doctype html><html lang=en><title>Faults</title><h1>Faults</h1><ul>{list}</ul>"))
}

/// A form whose posts are recorded in the ledger immediately and answered after `ms` milliseconds, so that a test can
/// end the browser or the agent during a post.
async fn posts(Query(asked): Asked) -> Html<String> {
    posts_page(number(&asked, "ms", 0), "")
}

async fn receive(
    State(site): State<Arc<Site>>,
    Query(asked): Asked,
    Form(fields): Form<Vec<(String, String)>>,
) -> Html<String> {
    site.ledger.record("/fault/posts", PostOutcome::Accepted, &fields);
    let ms = number(&asked, "ms", 0);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    posts_page(ms, "<p role=status>Received</p>")
}

fn posts_page(ms: u64, received: &str) -> Html<String> {
    let token = new_token();
    Html(format!(
        "<!doctype html><html lang=en><title>Posts</title><h1>Posts</h1>{received}<form method=post action=\"?ms={ms}\">\
         <input type=hidden name=form_token value={token}>\
         <label>Entry <input name=entry required autocomplete=off></label> <button>Send</button></form>"
    ))
}

/// A page that is sent after `ms` milliseconds.
async fn slow(Query(asked): Asked) -> Html<String> {
    let ms = number(&asked, "ms", 1000);
    tokio::time::sleep(Duration::from_millis(ms)).await;
    Html(format!("<!doctype html><html lang=en><title>Slow</title><h1>Slow</h1><p>This took {ms} ms.</p>"))
}

/// Sends the head of a page immediately and the rest never.
async fn stalled(axum::Extension(stop): axum::Extension<CancellationToken>) -> Response {
    let head = "<!doctype html><html lang=en><title>Stalled</title><h1>Stalled</h1><p>More is to come";
    let parts = stream::unfold(Some((head, stop)), async |state| {
        let (text, stop) = state?;
        if text.is_empty() {
            stop.cancelled().await;
            return None;
        }
        Some((Ok::<_, std::convert::Infallible>(Bytes::from_static(text.as_bytes())), Some(("", stop))))
    });
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], Body::from_stream(parts)).into_response()
}

async fn status(Path(code): Path<u16>) -> Response {
    let status = StatusCode::from_u16(code).unwrap_or(StatusCode::BAD_REQUEST);
    let page = format!("<!doctype html><html lang=en><title>{status}</title><h1>{status}</h1>");
    (status, Html(page)).into_response()
}

async fn redirect_loop(Query(asked): Asked) -> Redirect {
    Redirect::to(&format!("/fault/redirect-loop?n={}", number(&asked, "n", 0).wrapping_add(1)))
}

/// Redirects to any address, such as one outside of the allowed domains.
async fn redirect_to(Query(asked): Asked) -> Redirect {
    Redirect::to(asked.get("url").map_or("/", String::as_str))
}

/// A page of about `nodes` elements, in rows, with a button in the middle and one at the end.
async fn big(Query(asked): Asked) -> Html<String> {
    let rows = number(&asked, "nodes", 100_000) / 5;
    let mut html = "<!doctype html><html lang=en><title>Big</title><h1>Big</h1><table><tbody>".to_owned();
    for row in 1..=rows {
        let cell =
            if row == rows / 2 { "<button onclick=\"this.textContent='Found'\">Middle</button>" } else { "ready" };
        html += &format!("<tr><th>Row {row}</th><td>{cell}</td><td><a href=\"#{row}\">Open {row}</a></td></tr>");
    }
    Html(html + "</tbody></table><button onclick=\"this.textContent='Found'\">The end</button>")
}

/// A page of `depth` nested elements. A script creates them, because the HTML parser limits nesting to about 512.
async fn deep(Query(asked): Asked) -> Html<String> {
    let depth = number(&asked, "depth", 5_000);
    Html(format!(
        "<!doctype html><html lang=en><title>Deep</title><h1>Deep</h1><div id=top></div><script>\
         let at = document.getElementById('top');\
         for (let i = 0; i < {depth}; i++) at = at.appendChild(document.createElement('div'));\
         at.innerHTML = '<button>Bottom</button>';</script>"
    ))
}

/// A download of `bytes` bytes, or an endless one without that parameter.
async fn download(Query(asked): Asked, axum::Extension(stop): axum::Extension<CancellationToken>) -> Response {
    const CHUNK: &[u8] = &[b'.'; 64 << 10];
    let size: Option<u64> = asked.get("bytes").and_then(|n| n.parse().ok());
    let chunks = stream::unfold((size.unwrap_or(u64::MAX), stop), async |(left, stop)| {
        if left == 0 || stop.is_cancelled() {
            return None;
        }
        let taken = left.min(CHUNK.len() as u64);
        // The cast is lossless because `taken` is at most the length of the chunk.
        let bytes = Bytes::from_static(&CHUNK[..taken as usize]);
        Some((Ok::<_, std::convert::Infallible>(bytes), (left - taken, stop)))
    });
    let mut answer = Body::from_stream(chunks).into_response();
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, "application/octet-stream".parse().expect("the media type is a valid header value"));
    headers.insert(
        CONTENT_DISPOSITION,
        "attachment; filename=\"crate.bin\"".parse().expect("the disposition is a valid header value"),
    );
    if let Some(size) = size {
        headers.insert(CONTENT_LENGTH, size.into());
    }
    answer
}

fn number(asked: &HashMap<String, String>, name: &str, default: u64) -> u64 {
    asked.get(name).and_then(|value| value.parse().ok()).unwrap_or(default)
}
