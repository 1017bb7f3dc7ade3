//! Secrets of a server: handles are resolved only on the secret's own site, in tools and in runs, and no value appears
//! in a reply.

use legwork::secrets::SecretSpec;
use legwork_demo_site::{DemoSite, PASSWORD};
use rmcp::model::{ReadResourceRequestParams, ResourceContents};
use serde_json::{Value, json};

use crate::support::{Another, Place, call, done, joined};

const HANDLE: &str = "${secret:tide}";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_shows_in_no_answer_file_or_resource() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let value = "tide-4-tables";
    std::fs::write(place.folder.path().join("pw.txt"), value).unwrap();
    let mut options = place.options(&[]).await;
    let file = place.folder.path().join("pw.txt");
    options.secrets.push(SecretSpec::parse(&format!("tide={}@{}", file.display(), site.url())).unwrap());
    let client = joined(options, Another::called("another")).await;
    done(call(&client, "browser_navigate", json!({"url": format!("{}/login", site.url())})).await);
    let mut said = vec![done(call(&client, "browser_type", json!({"target": "#username", "text": HANDLE})).await)];
    let spread = "() => { const it = document.querySelector('#username').value; console.log('it is ' + it); \
                  document.title = it; document.cookie = 'it=' + it; document.body.append('by ' + it); \
                  history.replaceState(null, '', '?it=' + it); return fetch('/api/forecast?it=' + it).then(() => it); }";
    for (tool, arguments) in [
        ("browser_evaluate", json!({"function": spread})),
        ("browser_snapshot", json!({})),
        ("browser_find", json!({"text": "by "})),
        ("browser_extract", json!({})),
        ("browser_tabs", json!({"action": "list"})),
        ("browser_console_messages", json!({})),
        ("browser_network_requests", json!({"filter": "forecast"})),
        ("browser_cookie_list", json!({})),
        ("legwork_step", json!({"step": "Check that \"Sign in\" is shown"})),
        ("legwork_step", json!({"step": format!("Check that \"by {HANDLE}\" is shown")})),
        ("legwork_runs", json!({"run": "last"})),
    ] {
        said.push(call(&client, tool, arguments).await.text);
    }
    for (tool, name) in
        [("browser_snapshot", "a"), ("browser_console_messages", "b"), ("browser_network_requests", "c")]
    {
        done(call(&client, tool, json!({"filename": name})).await);
        said.push(std::fs::read_to_string(place.folder("out").join(name)).unwrap());
    }
    for resource in client.list_all_resources().await.unwrap() {
        let read = client.read_resource(ReadResourceRequestParams::new(resource.uri.clone())).await.unwrap();
        if let ResourceContents::TextResourceContents { text, .. } = &read.contents[0] {
            said.push(text.clone());
        }
    }
    for text in &said {
        assert!(!text.contains(value), "{text}");
    }
    let masked = said.iter().filter(|text| text.contains(HANDLE)).count();
    assert!(masked > 11, "{masked} of {said:#?}");

    // The handle is not resolved on another site.
    done(call(&client, "browser_navigate", json!({"url": site.second_origin_url()})).await);
    done(call(&client, "browser_evaluate", json!({"function": "document.body.innerHTML = '<input id=x>'"})).await);
    let refused = call(&client, "browser_type", json!({"target": "#x", "text": HANDLE})).await;
    assert!(refused.failed && refused.text.contains("secret tide is bound to"), "{refused:?}");
    assert_eq!(done(call(&client, "browser_evaluate", json!({"function": "x.value"})).await), "");
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn runs_have_what_pages_have() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let file = place.folder.path().join("pw.txt");
    std::fs::write(&file, PASSWORD).unwrap();
    let mut options = place.options(&[]).await;
    options.secrets.push(SecretSpec::parse(&format!("tide={}", file.display())).unwrap());
    let client = joined(options, Another::called("another")).await;
    let workflow = format!(
        "Click \"Accept all cookies\"\nType \"alice\" into \"User name\"\nType \"{HANDLE}\" into \"Password\"\nClick the button \"Sign in\"\n\
         Check that \"Welcome back, Alice\" is shown"
    );
    let arguments = json!({"workflow": workflow, "url": format!("{}/login", site.url())});
    let run: Value = json!(done(call(&client, "legwork_run", arguments).await).split(' ').nth(1).unwrap());
    let again = done(call(&client, "legwork_replay", json!({ "run": run })).await);
    assert!(again.contains("success, validated") && !again.contains(PASSWORD), "{again}");
    // A state that was saved after a manual log-in applies to every run of a server that opens pages with it.
    done(call(&client, "browser_navigate", json!({"url": site.signed_in_url("/")})).await);
    done(call(&client, "browser_storage_state", json!({"filename": "s.json"})).await);
    client.end().await;
    let kept = std::fs::read(place.folder("out").join("s.json")).unwrap();
    let mut options = place.options(&[]).await;
    options.storage_state = Some(serde_json::from_slice(&kept).unwrap());
    let client = joined(options, Another::called("another")).await;
    let workflow = format!("Open {}/\nCheck that \"Welcome back, Alice\" is shown", site.url());
    done(call(&client, "legwork_run", json!({ "workflow": workflow })).await);
    client.end().await;
}
