//! Uploads from the client's folders, and files in the server's output folder.

use std::{os::unix::fs::symlink, path::PathBuf};

use legwork_demo_site::DemoSite;
use rmcp::ClientServiceExt;
use serde_json::json;

use crate::support::{Another, Answer, Client, Lifecycle, Place, at_loopback, call, done, joined, served, until};

/// Uploads a file on the page for documents.
async fn uploaded(client: &Client, url: &str, file: &std::path::Path) -> Answer {
    done(call(client, "browser_navigate", json!({ "url": url })).await);
    done(call(client, "browser_click", json!({"target": "input[type=file]"})).await);
    call(client, "browser_file_upload", json!({"paths": [file]})).await
}

fn file(folder: &std::path::Path) -> PathBuf {
    let path = folder.join("note.txt");
    std::fs::write(&path, "three ropes").unwrap();
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn uploads_come_from_the_folders_that_were_named_and_from_no_other() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let url = site.signed_in_url("/documents");
    let [given, root, later, never] = ["given", "root", "later", "never"].map(|name| place.folder(name));
    let mut options = place.options(&[]).await;
    options.uploads.push(given.clone());
    let another = Another::called("another");
    *another.roots.lock().unwrap() = Some(vec![root.clone()]);
    let client = joined(options, another.clone()).await;
    let refused = |answer: Answer| answer.failed && answer.text.contains("outside");
    for folder in [&given, &root] {
        assert!(!uploaded(&client, &url, &file(folder)).await.failed);
    }
    assert!(refused(uploaded(&client, &url, &file(&never)).await));
    assert!(refused(uploaded(&client, &url, &file(&later)).await));
    let leads_out = root.join("link.txt");
    symlink(file(&never), &leads_out).unwrap();
    assert!(refused(uploaded(&client, &url, &leads_out).await));

    // The client changes its roots while its page is open.
    *another.roots.lock().unwrap() = Some(vec![later.clone()]);
    client.notify_roots_list_changed().await.unwrap();
    // A notification has no response, so the test repeats the upload until the new roots apply.
    until("the new folder is not known", || async { !uploaded(&client, &url, &file(&later)).await.failed }).await;
    assert!(refused(uploaded(&client, &url, &file(&root)).await));
    assert!(!uploaded(&client, &url, &file(&given)).await.failed);
    client.end().await;
}

/// A client over HTTP may have fewer rights than the user of the server, and would name any folder of this machine.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn roots_of_a_client_over_http_are_ignored() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let root = place.folder("root");
    let server = served(place.options(&[]).await, at_loopback()).await;
    let another = Another::called("another");
    *another.roots.lock().unwrap() = Some(vec![root.clone()]);
    let client = another.serve_with_lifecycle(server.transport(None), Lifecycle::Handshake.mode()).await.unwrap();
    let refused = uploaded(&client, &site.signed_in_url("/documents"), &file(&root)).await;
    assert!(refused.failed && refused.text.contains("allows no uploads"), "{}", refused.text);
    server.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_tools_make_stays_in_the_output_folder() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let client = joined(place.options(&[]).await, Another::called("another")).await;
    done(call(&client, "browser_navigate", json!({"url": site.url()})).await);
    let out = place.folder("out");
    symlink(place.folder("elsewhere"), out.join("link")).unwrap();
    let (shot, pdf) = ("browser_take_screenshot", "browser_pdf_save");
    let made = [
        (shot, json!({"filename": "a.png"}), "a.png", &b"\x89PNG"[..]),
        (shot, json!({"filename": "b.jpg"}), "b.jpg", b"\xff\xd8"),
        (shot, json!({"filename": "c.png", "type": "webp"}), "c.png", b"RIFF"),
        (pdf, json!({}), "page-1.pdf", b"%PDF"),
        (pdf, json!({}), "page-2.pdf", b"%PDF"),
        (pdf, json!({"filename": "deep/d.pdf"}), "deep/d.pdf", b"%PDF"),
        ("browser_snapshot", json!({"filename": "e.txt"}), "e.txt", b"http://127"),
        ("browser_evaluate", json!({"function": "6 * 7", "filename": "f.json"}), "f.json", b"42"),
        ("browser_network_requests", json!({"filename": "g.txt"}), "g.txt", b"2. GET"),
        ("browser_console_messages", json!({"filename": "h.txt"}), "h.txt", b"the console is empty"),
        ("browser_storage_state", json!({}), "storage-state.json", b"{"),
    ];
    for (tool, arguments, name, begins) in made {
        let said = call(&client, tool, arguments).await;
        assert_eq!(said.text, format!("saved as {}", out.join(name).display()), "{tool}");
        assert_eq!(said.pictures.len(), usize::from(tool == shot), "{tool}");
        let bytes = std::fs::read(out.join(name)).unwrap();
        assert!(bytes.starts_with(begins), "{tool}: {}", String::from_utf8_lossy(&bytes[..bytes.len().min(60)]));
    }
    let unnamed = call(&client, shot, json!({})).await;
    assert!(unnamed.text.starts_with("a picture of ") && unnamed.pictures == ["image/png"], "{unnamed:?}");

    let entries = |folder: &str| std::fs::read_dir(place.folder(folder)).unwrap().count();
    let before = (entries("out"), entries("elsewhere"), std::fs::read_dir(place.folder.path()).unwrap().count());
    for name in ["../x.png", "/tmp/legwork-x.png", "link/x.png", "deep/../../x.png"] {
        for tool in [shot, pdf, "browser_snapshot", "browser_storage_state"] {
            let refused = call(&client, tool, json!({ "filename": name })).await;
            assert!(refused.failed && refused.text.contains("is outside of the output folder"), "{tool}: {refused:?}");
        }
        let refused = call(&client, "browser_set_storage_state", json!({ "filename": name })).await;
        assert!(refused.failed && refused.text.contains("is outside of the output folder"), "{refused:?}");
    }
    let after = (entries("out"), entries("elsewhere"), std::fs::read_dir(place.folder.path()).unwrap().count());
    assert_eq!(before, after);
    client.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cookies_and_storage_are_kept_and_begun_with() {
    let (site, place) = (DemoSite::start().await.unwrap(), Place::new());
    let client = joined(place.options(&[]).await, Another::called("another")).await;
    let open = || json!({"url": site.url()});
    done(call(&client, "browser_navigate", open()).await);
    let set = json!({"name": "taste", "value": "salt"});
    assert_eq!(done(call(&client, "browser_cookie_set", set).await), "set taste for 127.0.0.1");
    done(call(&client, "browser_evaluate", json!({"function": "localStorage.setItem('kept', 'yes'), 1"})).await);
    done(call(&client, "browser_storage_state", json!({"filename": "s.json"})).await);
    done(call(&client, "browser_cookie_clear", json!({})).await);
    assert_eq!(done(call(&client, "browser_cookie_list", json!({})).await), "there are no cookies");
    done(call(&client, "browser_set_storage_state", json!({"filename": "s.json"})).await);
    done(call(&client, "browser_navigate", open()).await);
    let both = json!({"function": "document.cookie + ' ' + localStorage.kept"});
    assert_eq!(done(call(&client, "browser_evaluate", both.clone()).await), "taste=salt yes");
    std::fs::write(place.folder("out").join("no.json"), "[1]").unwrap();
    let wrong = call(&client, "browser_set_storage_state", json!({"filename": "no.json"})).await;
    assert!(wrong.failed && wrong.text.contains("no.json is not a storage state"), "{wrong:?}");
    let missing = call(&client, "browser_set_storage_state", json!({})).await;
    assert!(missing.failed && missing.text.contains("missing filename"), "{missing:?}");
    client.end().await;

    // A server may open every page with this state.
    let kept = std::fs::read(place.folder("out").join("s.json")).unwrap();
    let mut options = place.options(&[]).await;
    options.storage_state = Some(serde_json::from_slice(&kept).unwrap());
    let client = joined(options, Another::called("another")).await;
    done(call(&client, "browser_navigate", open()).await);
    assert_eq!(done(call(&client, "browser_evaluate", both).await), "taste=salt yes");
    client.end().await;
}
