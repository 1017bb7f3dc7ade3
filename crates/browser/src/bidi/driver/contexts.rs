//! The browser as a whole and its user contexts, which isolate sessions from other users of the browser.

use std::path::Path;

use serde_json::{Value, json};

use super::{Bidi, WORLD};
use crate::{
    bidi::state::DEFAULT_CONTEXT,
    driver::{ContextSetup, Contexts, DriverError, Pending, SessionId},
    storage_state::Cookie,
};

/// The oldest version that has all that is needed, and with which the tests run.
const OLDEST: u32 = 153;

/// The bytes of a response body that are kept for later requests: all that a person may look at, or only the short
/// responses to changes.
const KEPT_BODY: usize = 4 << 20;
const SHORT_BODY: usize = crate::request_outcomes::BODY;

/// The folder, in that of the downloads, for files that are still arriving.
const ARRIVING: &str = ".arriving";

fn id_of(context: Option<&str>) -> &str {
    context.unwrap_or(DEFAULT_CONTEXT)
}

fn partition(context: Option<&str>) -> Value {
    json!({"type": "storageKey", "userContext": id_of(context)})
}

/// The proxy with this address, such as `socks5://127.0.0.1:1080`, for all connections.
fn proxy_setting(address: &str) -> Value {
    let address = address.trim_start_matches("socks5://");
    json!({"proxyType": "manual", "socksProxy": address, "socksVersion": 5, "noProxy": []})
}

fn wire_cookie(cookie: &Cookie) -> Value {
    let mut wire = json!({
        "name": cookie.name,
        "value": {"type": "string", "value": cookie.value},
        "domain": cookie.domain,
        "path": cookie.path,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
    });
    if let Some(same_site) = &cookie.same_site {
        wire["sameSite"] = same_site.to_ascii_lowercase().into();
    }
    if cookie.expires >= 0.0 {
        wire["expiry"] = (cookie.expires as u64).into();
    }
    wire
}

fn read_cookie(wire: &Value) -> Cookie {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let same_site = match wire["sameSite"].as_str() {
        Some("strict") => Some("Strict"),
        Some("lax") => Some("Lax"),
        Some("none") => Some("None"),
        _ => None,
    };
    Cookie {
        name: text(&wire["name"]),
        value: text(&wire["value"]["value"]),
        domain: text(&wire["domain"]),
        path: text(&wire["path"]),
        expires: wire["expiry"].as_f64().unwrap_or(-1.0),
        http_only: wire["httpOnly"] == true,
        secure: wire["secure"] == true,
        same_site: same_site.map(str::to_owned),
    }
}

/// A declaration of a function that runs a script.
fn preload(source: &str) -> String {
    format!("()=>{{{source}\n}}")
}

impl Bidi {
    /// Waits for commands and returns the first error.
    fn all(answers: Vec<Pending<()>>) -> Pending<()> {
        Pending::new(async move {
            for answer in answers {
                answer.await?;
            }
            Ok(())
        })
    }

    fn add_script(&self, context: &str, source: &str, world: Option<&str>) -> Pending<()> {
        let mut params = json!({"functionDeclaration": preload(source), "userContexts": [context]});
        if let Some(world) = world {
            params["sandbox"] = world.into();
        }
        let added = self.ask(None, "script.addPreloadScript", &params);
        let (inner, context) = (std::sync::Arc::clone(&self.inner), context.to_owned());
        Pending::new(async move {
            let added = added.await?;
            if let Some(script) = added["script"].as_str() {
                inner.state.lock().scripts.entry(context).or_default().push(script.to_owned());
            }
            Ok(())
        })
    }
}

impl Contexts for Bidi {
    fn handshake(&self, proxy: Option<&str>) -> Pending<String> {
        let mut always = json!({"unhandledPromptBehavior": {"default": "ignore", "file": "dismiss"}});
        if let Some(proxy) = proxy {
            always["proxy"] = proxy_setting(proxy);
        }
        let created = self.ask(None, "session.new", &json!({"capabilities": {"alwaysMatch": always}}));
        let inner = std::sync::Arc::clone(&self.inner);
        Pending::new(async move {
            let created = created.await?;
            let version = created["capabilities"]["browserVersion"].as_str().unwrap_or_default().to_owned();
            let name = created["capabilities"]["browserName"].as_str().unwrap_or_default().to_owned();
            let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok()).unwrap_or_default();
            if name != "firefox" || major < OLDEST {
                return Err(DriverError::Outdated { found: format!("{name} {version}"), oldest: OLDEST });
            }
            let events = ["browsingContext", "script", "log", "network", "input"];
            inner.connection.call(None, "session.subscribe", &json!({ "events": events })).await?;
            // The events of the tabs that exist have come before this answer.
            inner.connection.call(None, "browsingContext.getTree", &json!({"maxDepth": 0})).await?;
            inner.state.lock().connected = true;
            Ok(format!("Firefox/{version}"))
        })
    }

    fn close_browser(&self) -> Pending<()> {
        self.tell(None, "browser.close", &json!({}))
    }

    fn disconnect(&self) -> Pending<()> {
        // Firefox has one session at a time, which would otherwise remain.
        self.tell(None, "session.end", &json!({}))
    }

    fn open_context(&self, proxy: Option<&str>) -> Pending<String> {
        let params = proxy.map_or(json!({}), |proxy| json!({"proxy": proxy_setting(proxy)}));
        let created = self.ask(None, "browser.createUserContext", &params);
        Pending::new(async move { Ok(created.await?["userContext"].as_str().unwrap_or_default().to_owned()) })
    }

    fn prepare_context(&self, context: Option<&str>, setup: &ContextSetup<'_>) -> Pending<()> {
        let context = id_of(context);
        let mut answers = Vec::new();
        if let Some(restore) = setup.restore {
            answers.push(self.add_script(context, restore, None));
        }
        answers.push(self.add_script(context, &setup.scripts.task_tracker, None));
        answers.push(self.add_script(context, setup.scripts.bundle, Some(WORLD)));
        if let Some((width, height)) = setup.viewport {
            let viewport = json!({"userContexts": [context], "viewport": {"width": width, "height": height}});
            answers.push(self.tell(None, "browsingContext.setViewport", &viewport));
        }
        let size = if setup.records_bodies { KEPT_BODY } else { SHORT_BODY };
        let collector =
            json!({"dataTypes": ["request", "response"], "maxEncodedDataSize": size, "userContexts": [context]});
        answers.push(self.tell(None, "network.addDataCollector", &collector));
        if setup.intercepts_requests {
            // Requests are paused for all tabs, because a tab of this context may send one before it is reported.
            answers.push(self.pause_requests(context, true));
        }
        Self::all(answers)
    }

    fn close_context(&self, context: &str) -> Pending<()> {
        let scripts = {
            let mut state = self.state();
            if let Some(folder) = state.folders.remove(context) {
                // It is not empty if a download was cut off, whose file then stays.
                let _ = std::fs::remove_dir(folder.join(ARRIVING));
            }
            state.scripts.remove(context).unwrap_or_default()
        };
        for script in scripts {
            drop(self.ask(None, "script.removePreloadScript", &json!({ "script": script })));
        }
        drop(self.pause_requests(context, false));
        self.tell(None, "browser.removeUserContext", &json!({ "userContext": context }))
    }

    fn keep_downloads(&self, context: Option<&str>, folder: &Path) -> Pending<()> {
        let context = id_of(context);
        self.state().folders.insert(context.to_owned(), folder.to_owned());
        // Firefox chooses another name if there is a file of this name, so what arrives must not meet what has arrived.
        let behavior = json!({"type": "allowed", "destinationFolder": folder.join(ARRIVING).to_string_lossy()});
        let params = json!({"downloadBehavior": behavior, "userContexts": [context]});
        self.tell(None, "browser.setDownloadBehavior", &params)
    }

    fn cancel_download(&self, _context: Option<&str>, _download: &str) -> Pending<()> {
        // The size is known only at the end, and the executor removes the file.
        Pending::new(async { Ok(()) })
    }

    fn cookies(&self, context: Option<&str>) -> Pending<Vec<Cookie>> {
        let cookies = self.ask(None, "storage.getCookies", &json!({ "partition": partition(context) }));
        Pending::new(async move {
            let cookies = cookies.await?;
            Ok(cookies["cookies"].as_array().into_iter().flatten().map(read_cookie).collect())
        })
    }

    fn set_cookies(&self, context: Option<&str>, cookies: &[Cookie]) -> Pending<()> {
        let set = |cookie: &Cookie| {
            let params = json!({ "cookie": wire_cookie(cookie), "partition": partition(context) });
            self.tell(None, "storage.setCookie", &params)
        };
        Self::all(cookies.iter().map(set).collect())
    }

    fn clear_cookies(&self, context: Option<&str>) -> Pending<()> {
        self.tell(None, "storage.deleteCookies", &json!({ "partition": partition(context) }))
    }

    fn delete_cookie(&self, session: &SessionId, cookie: &Cookie) -> Pending<()> {
        let context = self.state().frames.get(&**session).map(|tab| tab.user_context.clone());
        let filter = json!({"name": cookie.name, "domain": cookie.domain, "path": cookie.path});
        let params = json!({ "filter": filter, "partition": partition(context.as_deref()) });
        self.tell(None, "storage.deleteCookies", &params)
    }
}
