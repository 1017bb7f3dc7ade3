use serde_json::{Value, json};

use super::{state::RelayState, *};

/// A relay without tasks: messages go in, and the messages that follow come out.
struct Bench {
    state: RelayState,
}

#[derive(Debug, Default, PartialEq)]
struct Out {
    to_extension: Vec<Value>,
    to_driver: Vec<Value>,
}

impl Bench {
    fn new() -> Bench {
        Bench { state: RelayState::new("Chrome/156".to_owned()) }
    }

    fn run(&mut self, change: impl FnOnce(&mut RelayState, &mut Effects)) -> Out {
        let mut effects = Effects::default();
        change(&mut self.state, &mut effects);
        let to_extension = effects.to_extension.iter().map(|text| serde_json::from_str(text).unwrap()).collect();
        let to_driver = effects.to_driver.iter().map(|bytes| serde_json::from_slice(bytes).unwrap()).collect();
        Out { to_extension, to_driver }
    }

    fn command(&mut self, command: Value) -> Out {
        let text = command.to_string();
        let command = serde_json::from_str(&text).unwrap();
        self.run(|state, effects| state.on_command(&command, effects))
    }

    fn message(&mut self, message: Value) -> Out {
        let text = message.to_string();
        let message = serde_json::from_str(&text).unwrap();
        self.run(|state, effects| state.on_message(&message, effects))
    }

    /// Attaches tab 7.
    fn attached() -> Bench {
        let mut bench = Bench::new();
        bench.message(
            json!({"type": "attached", "tab": 7, "target": {"targetId": "T7", "url": "https://a.test/", "title": "A"}}),
        );
        bench
    }
}

fn refusal(id: u64, message: &str) -> Value {
    json!({"id": id, "error": {"code": -32000, "message": message}})
}

#[test]
fn the_assigned_tab_is_attached_and_becomes_a_session_of_the_driver() {
    let mut bench = Bench::new();
    let version = bench.command(json!({"id": 1, "method": "Browser.getVersion", "params": {}}));
    assert_eq!(version.to_driver[0]["result"]["product"], "Chrome/156");
    let attach =
        json!({"id": 2, "method": "Target.attachToTarget", "params": {"targetId": "assigned", "flatten": true}});
    let asked = bench.command(attach);
    assert_eq!(asked, Out { to_extension: vec![json!({"id": 2, "type": "attach_tab"})], to_driver: Vec::new() });

    let target = json!({"targetId": "T7", "url": "https://a.test/", "title": "A"});
    let out = bench.message(json!({"type": "attached", "tab": 7, "target": target}));
    assert_eq!(out.to_extension[0]["method"], "Page.getFrameTree");
    let own = out.to_extension[0]["id"].clone();
    assert_eq!(out.to_driver[0]["method"], "Target.attachedToTarget");
    assert_eq!(out.to_driver[0]["params"]["sessionId"], "tab-7");
    let answer = bench.message(json!({"type": "result", "id": 2, "result": {"tab": 7}}));
    assert_eq!(answer.to_driver, [json!({"id": 2, "result": {"sessionId": "tab-7"}})]);

    // The frames that the page had before are reported as if they came now, and the driver sees no reply to a request
    // that is not its own.
    let tree = json!({"frame": {"id": "T7", "loaderId": "L", "url": "https://a.test/"}, "childFrames": [
        {"frame": {"id": "F", "parentId": "T7", "loaderId": "M", "url": "https://a.test/f"}}]});
    let frames = bench.message(json!({"type": "result", "id": own, "result": {"frameTree": tree}}));
    let methods: Vec<_> = frames.to_driver.iter().map(|event| event["method"].as_str().unwrap()).collect();
    let expected = [
        "Page.frameNavigated",
        "Page.frameAttached",
        "Page.frameNavigated",
        "Page.domContentEventFired",
        "Page.loadEventFired",
    ];
    assert_eq!(methods, expected);
    assert!(frames.to_driver.iter().all(|event| event["sessionId"] == "tab-7"));
}

#[test]
fn commands_and_events_of_a_tab_and_its_frames_are_passed_on() {
    let mut bench = Bench::attached();
    let command = json!({"id": 5, "method": "Page.enable", "params": {"a": 1}, "sessionId": "tab-7"});
    let passed = json!({"id": 5, "type": "command", "tab": 7, "method": "Page.enable", "params": {"a": 1}});
    assert_eq!(bench.command(command).to_extension, [passed]);
    let answer = bench.message(json!({"type": "result", "id": 5, "result": {"b": 2}}));
    assert_eq!(answer.to_driver, [json!({"id": 5, "result": {"b": 2}})]);
    let error = bench.message(json!({"type": "error", "id": 6, "message": "No frame"}));
    assert_eq!(error.to_driver, [refusal(6, "No frame")]);

    let info = json!({"targetId": "F", "type": "iframe", "parentFrameId": "T7", "url": "https://b.test/", "title": ""});
    let params = json!({"sessionId": "S", "targetInfo": info, "waitingForDebugger": true});
    let event = json!({"type": "event", "tab": 7, "method": "Target.attachedToTarget", "params": params});
    let out = bench.message(event);
    assert_eq!(out.to_extension, Vec::<Value>::new(), "a frame that waits reports its documents itself");
    assert_eq!(out.to_driver[0]["method"], "Page.frameAttached");
    assert_eq!(out.to_driver[1], json!({"sessionId": "tab-7", "method": "Target.attachedToTarget", "params": params}));
    let command = json!({"id": 8, "method": "Page.enable", "params": {}, "sessionId": "S"});
    assert_eq!(bench.command(command).to_extension[0]["session"], "S");
    let event = json!({"type": "event", "tab": 7, "session": "S", "method": "Page.loadEventFired", "params": {}});
    assert_eq!(bench.message(event).to_driver[0]["sessionId"], "S");

    let gone = bench.message(json!({"type": "detached", "tab": 7}));
    assert_eq!(gone.to_driver, [json!({"method": "Target.detachedFromTarget", "params": {"sessionId": "tab-7"}})]);
    for session in ["tab-7", "S", "tab-8", "tab-x", ""] {
        let command = json!({"id": 9, "method": "Page.enable", "params": {}, "sessionId": session});
        let out = bench.command(command);
        assert_eq!(out.to_driver, [refusal(9, "Session with given id not found.")], "{session}");
        assert!(out.to_extension.is_empty());
    }
}

#[test]
fn tabs_are_opened_closed_and_released() {
    let mut bench = Bench::attached();
    let create = json!({"id": 3, "method": "Target.createTarget", "params": {"url": "https://b.test/"}});
    let asked = bench.command(create);
    assert_eq!(asked.to_extension, [json!({"id": 3, "type": "open_tab", "url": "https://b.test/"})]);
    let target = json!({"targetId": "T8", "url": "", "title": ""});
    let out = bench.message(json!({"type": "attached", "tab": 8, "target": target, "opener": 7, "loading": true}));
    assert_eq!(out.to_driver[0]["params"]["targetInfo"]["openerId"], "T7");
    let answer = bench.message(json!({"type": "result", "id": 3, "result": {"tab": 8}}));
    assert_eq!(answer.to_driver, [json!({"id": 3, "result": {"targetId": "T8"}})]);

    let close = bench.command(json!({"id": 4, "method": "Target.closeTarget", "params": {"targetId": "T8"}}));
    assert_eq!(close.to_extension, [json!({"id": 4, "type": "close_tab", "tab": 8})]);
    let detach = json!({"id": 5, "method": "Target.detachFromTarget", "params": {"sessionId": "tab-7"}});
    assert_eq!(bench.command(detach).to_extension, [json!({"id": 5, "type": "release_tab", "tab": 7})]);
    assert_eq!(bench.message(json!({"type": "result", "id": 5})).to_driver, [json!({"id": 5, "result": {}})]);
}

#[test]
fn the_rest_of_the_browser_is_out_of_reach() {
    let mut bench = Bench::attached();
    for method in [
        "Storage.getCookies",
        "Storage.setCookies",
        "Target.createBrowserContext",
        "Browser.crash",
        "Target.getTargets",
    ] {
        let out = bench.command(json!({"id": 1, "method": method, "params": {}}));
        assert!(out.to_extension.is_empty() && out.to_driver[0]["error"].is_object(), "{method}: {out:?}");
    }
    for (method, params) in [
        ("Target.attachToTarget", json!({"targetId": "T9"})),
        ("Target.closeTarget", json!({"targetId": "T9"})),
        ("Target.detachFromTarget", json!({"sessionId": "tab-9"})),
    ] {
        let out = bench.command(json!({"id": 1, "method": method, "params": params}));
        assert!(out.to_extension.is_empty() && out.to_driver[0]["error"].is_object(), "{method}: {out:?}");
    }
    // An event of a tab that is not attached, and messages that lack what their kind needs.
    for message in [
        json!({"type": "event", "tab": 9, "method": "Page.loadEventFired", "params": {}}),
        json!({"type": "event", "tab": 7}),
        json!({"type": "attached", "tab": 9}),
        json!({"type": "detached", "tab": 9}),
        json!({"type": "error"}),
        json!({"type": "later"}),
    ] {
        assert_eq!(bench.message(message.clone()), Out::default(), "{message}");
    }
}

#[tokio::test]
async fn the_end_of_a_relay_is_an_error_with_its_reason() {
    let (link, carrier) = RelayLink::new("Chrome/156");
    let mut transport = link.open();
    carrier.inputs.send(RelayInput::Message("{".to_owned())).await.unwrap();
    carrier.inputs.send(RelayInput::Ended("the tab was closed".to_owned())).await.unwrap();
    assert_eq!(transport.incoming.next().await.unwrap_err().to_string(), "the tab was closed");
    let (link, carrier) = RelayLink::new("Chrome/156");
    let mut transport = link.open();
    drop(carrier);
    let error = transport.incoming.next().await.unwrap_err().to_string();
    assert_eq!(error, "the extension is no longer connected");
}

#[tokio::test]
async fn a_browser_that_is_dropped_ends_the_carrier() {
    let (link, mut carrier) = RelayLink::new("Chrome/156");
    let browser = crate::Browser::relayed(link).await.unwrap();
    assert!(browser.is_relayed() && browser.version() == "Chrome/156");
    drop(browser);
    assert_eq!(carrier.outputs.recv().await, None);
}
