//! What a client may write where the user named the sites (`--allow-write`). The demo site has two addresses, which are
//! two sites; only the first is named.

use legwork_demo_site::DemoSite;
use serde_json::{Value, json};

use crate::support::{Another, Answer, Client, Place, call, done, joined, until};

const DATA: &str = "KD-4711-92";
const STATE: &str = r#"{"cookies": [{"name": "d", "value": "KD-4711-92", "domain": "127.0.0.2", "path": "/", "expires": -1,
    "httpOnly": false, "secure": false}], "origins": []}"#;

/// Opens the page of the carrier by a script of the shop, because the client itself may not compose its address.
async fn go_to_carrier(client: &Client, site: &DemoSite) {
    done(call(client, "browser_navigate", json!({"url": site.signed_in_url("/orders/new")})).await);
    let script = format!("() => {{ location.href = '{}/quote' }}", site.second_origin_url());
    done(call(client, "browser_evaluate", json!({"function": script})).await);
    until("the carrier's page does not open", || async {
        done(call(client, "browser_snapshot", json!({})).await).contains("Postcode")
    })
    .await;
}

#[track_caller]
fn assert_refused(tool: &str, answer: &Answer) {
    let names_flag = answer.text.contains("`--allow-write 127.0.0.2` allows it");
    assert!(answer.failed && names_flag && !answer.text.contains("so does a task"), "{tool}: {}", answer.text);
}

fn carrier_posts(site: &DemoSite) -> usize {
    site.ledger().iter().filter(|entry| entry.path == "/quote").count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_tool_that_writes_asks_for_the_site_that_it_reaches() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let options = place.options(&[("allow_write", "127.0.0.1")]).await;
    std::fs::create_dir_all(&options.output).unwrap();
    std::fs::write(options.output.join("state.json"), STATE).unwrap();
    std::fs::write(options.output.join("own.json"), STATE.replace("127.0.0.2", "127.0.0.1")).unwrap();
    let client = joined(options, Another::called("another")).await;
    let away = site.second_origin_url();
    let elsewhere: &[(&str, Value)] = &[
        ("browser_navigate", json!({"url": format!("{away}/quote?d={DATA}")})),
        ("browser_cookie_set", json!({"name": "d", "value": DATA, "domain": "127.0.0.2"})),
        ("browser_route", json!({"pattern": format!("{away}/**"), "headers": [format!("X-S: {DATA}")]})),
        ("browser_route", json!({"pattern": format!("{away}/**"), "body": DATA})),
        ("browser_set_storage_state", json!({"filename": "state.json"})),
    ];
    // The first page that a client opens is no start site.
    for (tool, arguments) in elsewhere {
        assert_refused(tool, &call(&client, tool, arguments.clone()).await);
    }
    done(call(&client, "browser_navigate", json!({"url": site.signed_in_url("/orders/new")})).await);
    for (tool, arguments) in elsewhere {
        assert_refused(tool, &call(&client, tool, arguments.clone()).await);
    }
    let anywhere = json!({"pattern": "**/quote", "headers": [format!("X-S: {DATA}")]});
    let refused = call(&client, "browser_route", anywhere).await;
    assert!(refused.failed && refused.text.contains("write the host into the pattern"), "{}", refused.text);
    // On the named site, and without data, all of this is allowed.
    for (tool, arguments) in [
        ("browser_cookie_set", json!({"name": "d", "value": DATA})),
        ("browser_localstorage_set", json!({"key": "d", "value": DATA})),
        ("browser_route", json!({"pattern": format!("{}/**", site.url()), "headers": [format!("X-S: {DATA}")]})),
        ("browser_route", json!({"pattern": "**/*.png", "status": 404})),
        ("browser_unroute", json!({})),
        ("browser_set_storage_state", json!({"filename": "own.json"})),
    ] {
        done(call(&client, tool, arguments).await);
    }
    go_to_carrier(&client, &site).await;
    for (tool, arguments) in [
        ("browser_localstorage_set", json!({"key": "d", "value": DATA})),
        ("browser_sessionstorage_set", json!({"key": "d", "value": DATA})),
        ("browser_localstorage_clear", json!({})),
        ("browser_cookie_set", json!({"name": "d", "value": DATA})),
        ("browser_evaluate", json!({"function": "() => 1"})),
        ("browser_highlight", json!({"target": "h2", "style": format!("background: url(/{DATA})")})),
        ("browser_type", json!({"target": "#postcode", "text": DATA})),
    ] {
        assert_refused(tool, &call(&client, tool, arguments).await);
    }
    done(call(&client, "browser_highlight", json!({"target": "h2"})).await);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn words_of_a_client_name_no_sites_in_steps_runs_and_batches() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let flags = [("allow_write", "127.0.0.1"), ("decider", "literal")];
    let client = joined(place.options(&flags).await, Another::called("another")).await;
    let away = site.second_origin_url();
    done(call(&client, "browser_navigate", json!({"url": site.signed_in_url("/orders/new")})).await);
    let open = json!({"step": format!("Open {away}/quote?d={DATA}")});
    assert_refused("an address", &call(&client, "legwork_step", open).await);
    done(call(&client, "legwork_step", json!({"step": "Type \"Ada\" into \"Customer\""})).await);

    let quote =
        "  - Type \"N1\" into \"Postcode\"\n  - Type \"3\" into \"Weight in kilograms\"\n  - Click \"Get a quote\"\n";
    for (tool, arguments) in [
        ("legwork_run", json!({"workflow": format!("url: {away}/quote\nsteps:\n{quote}")})),
        ("legwork_run", json!({"workflow": format!("steps:\n  - Open {away}/quote\n{quote}")})),
        ("legwork_run", json!({"workflow": format!("steps:\n{quote}"), "url": format!("{away}/quote")})),
    ] {
        assert_refused(tool, &call(&client, tool, arguments).await);
    }
    let workflow = format!("url: {away}/quote\ninputs:\n  x:\nsteps:\n  - Type \"${{x}}\" into \"Postcode\"\n");
    let rows = json!({"workflow": workflow, "rows": [{"x": DATA}]});
    let batch = call(&client, "legwork_batch", rows).await;
    assert!(batch.failed && batch.text.contains("--allow-write"), "{}", batch.text);

    // A step on a page of the other site, to which a page led.
    go_to_carrier(&client, &site).await;
    let typed = json!({"step": format!("Type \"{DATA}\" into \"Postcode\"")});
    assert_refused("a text", &call(&client, "legwork_step", typed).await);
    done(call(&client, "legwork_step", json!({"step": "Check that \"Northwind Parcels\" is shown"})).await);
    assert_eq!(carrier_posts(&site), 0);

    // On the named site, a run works as before.
    let own = format!("url: {}\nsteps:\n  - Type \"Ada\" into \"Customer\"\n", site.signed_in_url("/orders/new"));
    done(call(&client, "legwork_run", json!({"workflow": own})).await);
    client.end().await;
}
