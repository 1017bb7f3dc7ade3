//! What a trace of a run shows of each action beside its result: where its element was, what the page said and asked
//! for, and the page itself as it was decided on.

use axum::{
    Json, Router,
    response::Html,
    routing::{get, post},
};
use serde_json::{Value, json};

use crate::support::{Place, Serving};

const PAGE: &str = "<title>Shop</title><style>body{margin:0}button{position:absolute;left:50px;top:60px;width:80px;height:30px}</style>
    <button>Order</button><p id=said></p><script>
    console.info('ready');
    document.querySelector('button').onclick = async () => {
        const answer = await (await fetch('/order', {method: 'POST'})).json();
        said.textContent = answer.said;
        console.warn('ordered', answer);
    };</script>";

async fn shop() -> String {
    let app = Router::new()
        .route("/", get(async || Html(PAGE)))
        .route("/order", post(async || Json(json!({"said": "Thank you"}))));
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await });
    url
}

async fn text_of(serving: &Serving, event: &Value) -> String {
    let hash = event["data"]["text"]["hash"].as_str().unwrap();
    let path = format!("/api/artifacts/{hash}");
    serving.ask(reqwest::Method::GET, &path).send().await.unwrap().text().await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_action_has_its_place_its_page_and_what_the_page_did() {
    let (url, place) = (shop().await, Place::new());
    let serving = place.open().await;
    let steps = [format!("Open {url}"), "Click \"Order\"".into(), "Check that \"Nonsense\" is shown".into()];
    let run = serving.execute(json!({ "steps": steps, "options": { "timeout": "60s" } })).await;
    let (events, status) = serving.to_the_end(&run).await;
    assert_ne!(status, "success");
    let of =
        |kind: &str, nth: usize| events.iter().filter(|event| event["type"] == kind).nth(nth).unwrap_or(&Value::Null);

    let (opened, clicked) = (of("COMMAND_COMPLETED", 0), of("COMMAND_COMPLETED", 1));
    assert_eq!(opened["data"]["result"]["box"], Value::Null);
    let stood = &clicked["data"]["result"]["box"];
    assert_eq!((&stood["x"], &stood["y"], &stood["width"]), (&json!(50), &json!(60), &json!(80)));

    let first = &of("PAGE_LOG", 0)["data"];
    assert_eq!(first["command"], opened["data"]["command"]);
    // A request that changes something is recorded when it is sent, and again with all that the action caused.
    let of_click =
        |event: &&Value| event["type"] == "PAGE_LOG" && event["data"]["command"] == clicked["data"]["command"];
    let second = &events.iter().rfind(of_click).unwrap()["data"];
    assert_eq!((&first["console"][0]["text"], &first["requests"][0]["kind"]), (&json!("ready"), &json!("document")));
    let said = &second["console"][0];
    assert_eq!((&said["level"], &said["text"]), (&json!("warning"), &json!("ordered {said: \"Thank you\"}")));
    let asked = &second["requests"][0];
    assert_eq!((&asked["method"], &asked["status"]), (&json!("POST"), &json!(200)));
    assert_eq!(asked["url"], format!("{url}order"));

    // The page that the click was decided on, and the one on which the check failed.
    let (before, after) = (of("PAGE_TEXT_SAVED", 0), of("PAGE_TEXT_SAVED", 1));
    let seen: Vec<_> = events.iter().filter(|event| event["type"] == "PAGE_OBSERVED").collect();
    for text in [before, after] {
        assert!(seen.iter().any(|event| event["data"]["fingerprint"] == text["data"]["fingerprint"]), "{text}");
    }
    let (before, after) = (text_of(&serving, before).await, text_of(&serving, after).await);
    assert!(before.contains("button \"Order\"") && !before.contains("Thank you"), "{before}");
    assert!(after.contains("button \"Order\"") && after.contains("Thank you"), "{after}");

    // The editor of steps offers the names of that page, for its site only.
    let names = async |query: &str| serving.get(&format!("/api/elements{query}")).await.data()["elements"].clone();
    let expected = json!([{ "role": "button", "name": "Order" }]);
    assert_eq!(names(&format!("?url={url}")).await, expected);
    assert_eq!(names(&format!("?run={run}")).await, expected);
    assert_eq!(names("?url=http://other.test/").await, json!([]));
    serving.stop().await;
}
