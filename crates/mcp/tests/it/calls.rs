//! The list of tools, the replies to imprecise or wrong calls, and resources.

use legwork_demo_site::DemoSite;
use legwork_mcp::Group;
use rmcp::model::{ErrorCode, GetPromptRequestParams, ReadResourceRequestParams, ResourceContents};
use rmcp::service::ServiceError;
use serde_json::{Value, json};

use crate::support::{Another, Client, Place, call, done, joined, reference, tried, until};

async fn names(client: &Client) -> Vec<String> {
    client.list_all_tools().await.unwrap().into_iter().map(|tool| tool.name.into_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn groups_say_what_is_listed_and_not_what_can_be_called() {
    let place = Place::new();
    let mut options = place.options(&[]).await;
    options.groups = vec![Group::Core, Group::Storage];
    let client = joined(options, Another::called("another")).await;
    let listed = names(&client).await;
    let has = |name: &str| listed.iter().any(|listed| listed == name);
    assert!(has("browser_click") && has("browser_cookie_list"), "{listed:?}");
    for other in ["legwork_run", "browser_route", "browser_pdf_save"] {
        assert!(!has(other), "{listed:?}");
    }
    assert_eq!(done(call(&client, "legwork_runs", json!({})).await), "there are no runs yet");
    client.end().await;

    let mut options = place.options(&[]).await;
    options.groups = vec![Group::Core, Group::Tasks, Group::Devtools, Group::Storage, Group::Pdf];
    let client = joined(options, Another::called("another")).await;
    let tools = client.list_all_tools().await.unwrap();
    let reads: Vec<&str> = tools
        .iter()
        .filter(|tool| tool.annotations.as_ref().is_some_and(|said| said.read_only_hint == Some(true)))
        .map(|tool| &*tool.name)
        .collect();
    insta::assert_snapshot!(reads.join("\n"));
    // The schema that a client shows to its model.
    let click = tools.iter().find(|tool| tool.name == "browser_click").unwrap();
    assert_eq!(click.input_schema["required"], json!(["target"]));
    assert_eq!(click.input_schema["properties"]["button"]["enum"], json!(["left", "right", "middle"]));
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_calls_return_an_error_that_states_how_to_correct_them() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let client = joined(place.options(&[]).await, Another::called("another")).await;
    // An unknown tool is an error of the client, not of its model, so it is a protocol error.
    let unknown = tried(&client, "browser_dance", json!({})).await.unwrap_err();
    assert!(matches!(unknown, ServiceError::McpError(error) if error.code == ErrorCode::INVALID_PARAMS));
    done(call(&client, "browser_navigate", json!({"url": site.url()})).await);
    for (tool, arguments, said) in [
        ("browser_click", json!({}), "missing field `target`"),
        (
            "browser_click",
            json!({"target": "e1", "modifiers": ["Hyper"]}),
            "Alt, Control, ControlOrMeta, Meta or Shift",
        ),
        ("browser_click", json!({"target": "e999"}), "stale ref e999"),
        ("browser_find", json!({}), "missing text or regex"),
        ("browser_wait_for", json!({}), "missing time, text or textGone"),
        ("browser_tabs", json!({"action": "dance"}), "list, new, close or select"),
        ("browser_tabs", json!({"action": "select"}), "missing index"),
        ("browser_tabs", json!({"action": "select", "index": 4}), "there is no tab 4; there are 1, counted from 0"),
        ("browser_take_screenshot", json!({"type": "bmp"}), "png, jpeg or webp"),
        ("browser_snapshot", json!({"max_tokens": "many"}), "expected a number of 0 or more"),
        ("legwork_run", json!({}), "give either task or workflow"),
        ("legwork_run", json!({"task": "a", "workflow": "b"}), "give either task or workflow"),
        ("legwork_run", json!({"workflow": "steps:\n  - Nonsense:\n"}), "the workflow cannot be read"),
        ("legwork_run", json!({"task": "find something"}), "model"),
        ("legwork_replay", json!({"run": "nosuchrun"}), "nosuchrun"),
        ("legwork_runs", json!({"run": "nosuchrun"}), "nosuchrun"),
    ] {
        let answer = call(&client, tool, arguments.clone()).await;
        assert!(answer.failed && answer.text.contains(said), "{tool} {arguments}: {}", answer.text);
    }
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn imprecise_arguments_are_accepted() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let client = joined(place.options(&[]).await, Another::called("another")).await;
    let page = done(call(&client, "browser_navigate", json!({"url": site.signed_in_url("/orders/new")})).await);
    let field = reference(&page, "textbox \"Customer\"");
    let typed = json!({"element": "the customer", "ref": field, "text": "Ada"});
    assert!(done(call(&client, "browser_type", typed).await).contains("Ada"));
    let value = json!({"function": "e => e.value", "element": "the customer", "ref": field});
    assert_eq!(done(call(&client, "browser_evaluate", value).await), "Ada");
    let slowly = json!({"target": field, "text": " Lind", "slowly": true});
    assert!(done(call(&client, "browser_type", slowly).await).contains("Ada Lind"));
    // Numbers may be strings. The token limit has two spellings and applies to every reply.
    let whole = done(call(&client, "browser_snapshot", json!({})).await);
    for limit in [json!({"max_tokens": "60"}), json!({"maxTokens": 60}), json!({"max_tokens": 60.0})] {
        let short = done(call(&client, "browser_snapshot", limit).await);
        assert!(short.len() * 2 < whole.len(), "{short}");
    }
    let open = json!({"url": site.signed_in_url("/orders/new"), "session": "b", "max_tokens": 60});
    let short = done(call(&client, "browser_navigate", open).await);
    assert!(short.len() * 2 < whole.len(), "an action's answer as well: {short}");
    let found = done(call(&client, "browser_find", json!({"regex": "/qUANT.ty/i"})).await);
    assert!(found.contains("Quantity"), "{found}");

    // Indexes of tabs start at 0.
    let new = json!({"action": "create", "url": site.signed_in_url("/notes")});
    assert!(done(call(&client, "browser_tabs", new).await).contains("/notes"));
    let listed = done(call(&client, "browser_tabs", json!({"action": "list"})).await);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines[0].starts_with("- 0: [") && lines[0].contains("/orders/new"), "{listed}");
    assert!(lines[1].starts_with("- 1: (current) [") && lines[1].contains("/notes"), "{listed}");
    let back = done(call(&client, "browser_tabs", json!({"action": "select", "index": "0"})).await);
    assert!(back.contains("Ada Lind"), "{back}");
    done(call(&client, "browser_tabs", json!({"action": "close", "index": 1})).await);
    let listed = done(call(&client, "browser_tabs", json!({"action": "list"})).await);
    assert!(listed.lines().count() == 1 && listed.contains("- 0: (current)"), "{listed}");
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prompts_and_resources_are_listed_and_read() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let client = joined(place.options(&[]).await, Another::called("another")).await;
    let prompt = async |name: &str, goal: Value| {
        let arguments = goal.as_object().unwrap().clone();
        client.get_prompt(GetPromptRequestParams::new(name).with_arguments(arguments)).await
    };
    for name in ["do", "write_workflow"] {
        let got = prompt(name, json!({"goal": " buy a lamp "})).await.unwrap();
        let text = serde_json::to_value(&got.messages[0].content).unwrap()["text"].as_str().unwrap().to_owned();
        assert!(text.contains("buy a lamp") && !text.contains("{goal}") && !text.contains(" buy a lamp "), "{text}");
        assert!(prompt(name, json!({})).await.is_err() && prompt(name, json!({"goal": " "})).await.is_err());
    }
    assert!(prompt("dance", json!({"goal": "x"})).await.is_err());

    let uris = async || -> Vec<String> {
        client.list_all_resources().await.unwrap().into_iter().map(|resource| resource.uri.clone()).collect()
    };
    let read = async |uri: &str| client.read_resource(ReadResourceRequestParams::new(uri)).await;
    assert_eq!(uris().await, [] as [&str; 0]);
    assert!(read("legwork://page/snapshot").await.unwrap_err().to_string().contains("navigate first"));
    done(call(&client, "browser_navigate", json!({"url": site.url()})).await);
    let workflow = json!({"workflow": format!("Open {}\nCheck that \"Sign in\" is shown", site.url())});
    done(call(&client, "legwork_run", workflow).await);
    let all = uris().await;
    assert_eq!(all[..2], ["legwork://page/snapshot", "legwork://page/screenshot"]);
    assert!(all.len() == 3 && all[2].starts_with("legwork://runs/"), "{all:?}");
    let mut contents = Vec::new();
    for uri in &all {
        contents.push(read(uri).await.unwrap().contents.remove(0));
    }
    let [
        ResourceContents::TextResourceContents { text: snapshot, .. },
        ResourceContents::BlobResourceContents { mime_type: picture, .. },
        ResourceContents::TextResourceContents { text: trace, mime_type: html, .. },
    ] = contents.as_slice()
    else {
        panic!("{contents:?}")
    };
    assert!(snapshot.starts_with(&site.url()) && snapshot.contains("[ref="), "{snapshot}");
    assert_eq!((picture.as_deref(), html.as_deref()), (Some("image/png"), Some("text/html")));
    assert!(trace.contains("Sign in"), "{trace}");
    for wrong in ["legwork://page/dance", "legwork://runs/nosuchrun", "file:///etc/passwd"] {
        assert!(read(wrong).await.is_err(), "{wrong}");
    }
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn optional_arguments_of_actions_take_effect() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let client = joined(place.options(&[]).await, Another::called("another")).await;
    // A loopback address without a scheme gets `http`.
    let bare = site.url().trim_start_matches("http://").to_owned();
    done(call(&client, "browser_navigate", json!({ "url": bare })).await);
    let page = "() => { document.body.innerHTML = '<button id=b>B</button><form><input id=i></form>\
                <div style=\"height:3000px\"></div>'; window.heard = []; \
                for (const type of ['click', 'dblclick', 'contextmenu', 'keydown']) document.addEventListener(type, e => \
                heard.push([type, e.shiftKey ? 'shift' : '', e.key ?? ''].join(' ').trim())); \
                document.forms[0].onsubmit = e => { e.preventDefault(); heard.push('sent ' + i.value) } }";
    done(call(&client, "browser_evaluate", json!({ "function": page })).await);
    let heard = async |what: &str| {
        let list = done(call(&client, "browser_evaluate", json!({"function": "heard.splice(0).join(',')"})).await);
        assert!(list.split(',').any(|one| one == what), "{what}: {list}");
    };
    done(call(&client, "browser_click", json!({"target": "#b", "modifiers": ["Shift"]})).await);
    heard("click shift").await;
    done(call(&client, "browser_click", json!({"target": "#b", "doubleClick": true})).await);
    heard("dblclick").await;
    done(call(&client, "browser_click", json!({"target": "#b", "button": "right"})).await);
    heard("contextmenu").await;
    done(call(&client, "browser_type", json!({"target": "#i", "text": "ab", "slowly": true, "submit": true})).await);
    heard("sent ab").await;
    done(call(&client, "browser_type", json!({"target": "#i", "text": "cd", "submit": true})).await);
    heard("sent cd").await;
    done(call(&client, "browser_press_key", json!({"key": "Shift+Q"})).await);
    heard("keydown shift Q").await;
    let height = async |arguments: serde_json::Value| -> u32 {
        let said = done(call(&client, "browser_take_screenshot", arguments).await);
        said.split(['×', ' ']).filter_map(|part| part.parse().ok()).nth(1).unwrap()
    };
    assert!(height(json!({"fullPage": true})).await > 3000 && height(json!({})).await < 1500);
    assert!(height(json!({"target": "#b"})).await < 100);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_that_died_is_told_of_and_replaced() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let options = place.options(&[]).await;
    let runtime = options.runtime.clone();
    let client = joined(options, Another::called("another")).await;
    let open = || json!({"url": site.url()});
    done(call(&client, "browser_navigate", open()).await);
    runtime.close().await;
    // The closed pipe is detected asynchronously.
    until("the end of the browser is not reported", || async {
        let told = call(&client, "browser_tabs", json!({"action": "list"})).await;
        told.text.starts_with("(the browser had ended; this is a new, blank page)\n")
    })
    .await;
    assert!(done(call(&client, "browser_navigate", open()).await).starts_with(&site.url()));
    client.end().await;
}
