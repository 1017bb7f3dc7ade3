//! The browser as a whole and its contexts.

use std::{path::Path, sync::Arc};

use serde_json::{Value, json};

use super::{WebDriver, done, gone};
use crate::{
    driver::{ContextSetup, Contexts, DriverError, Pending, SessionId},
    storage_state::Cookie,
    webdriver::{
        context::Context,
        server::version_of,
        wire::{CommandError, Created},
    },
};

impl super::Shared {
    /// Opens a session, and returns it with the name and version of its browser.
    async fn open(self: &Arc<Self>, proxy: Option<&str>) -> Result<(Context, String), DriverError> {
        let (created, server) = self.servers.open(proxy).await?;
        let Created { wire, name, version } = created;
        let opened = async {
            let version = version_of(&name, &version)?;
            let handles = wire.handles().await?;
            Ok((version, handles.into_iter().next().unwrap_or_default()))
        };
        match opened.await {
            Ok((version, anchor)) => {
                let id = format!("context-{}", self.ids.fetch_add(1, std::sync::atomic::Ordering::Relaxed));
                let mut context = Context::new(id, wire, server, Arc::downgrade(self), Arc::clone(&self.ids));
                context.anchor = anchor;
                Ok((context, version))
            }
            Err(error) => {
                let _ = wire.end().await;
                Err(match error {
                    CommandError::Dialog(message) => DriverError::Refused(format!("a dialog is open: {message}")),
                    CommandError::Driver(error) => error,
                })
            }
        }
    }
}

fn wire_cookie(cookie: &Cookie) -> Value {
    let mut wire = json!({
        "name": cookie.name, "value": cookie.value, "domain": cookie.domain, "path": cookie.path,
        "httpOnly": cookie.http_only, "secure": cookie.secure,
    });
    if let Some(same_site) = &cookie.same_site {
        wire["sameSite"] = same_site.as_str().into();
    }
    if cookie.expires >= 0.0 {
        wire["expiry"] = (cookie.expires as u64).into();
    }
    wire
}

fn read_cookie(wire: &Value) -> Cookie {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Cookie {
        name: text(&wire["name"]),
        value: text(&wire["value"]),
        domain: text(&wire["domain"]),
        path: text(&wire["path"]),
        expires: wire["expiry"].as_f64().unwrap_or(-1.0),
        http_only: wire["httpOnly"] == true,
        secure: wire["secure"] == true,
        same_site: wire["sameSite"].as_str().map(str::to_owned),
    }
}

fn host_of(url: &str) -> Option<String> {
    let url = url::Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https"))?;
    url.host_str().map(str::to_owned)
}

/// Whether a cookie is sent to a host.
fn is_for(cookie: &Cookie, host: &str) -> bool {
    let domain = cookie.domain.trim_start_matches('.');
    host == domain || cookie.domain.starts_with('.') && host.ends_with(&format!(".{domain}"))
}

impl Context {
    /// Notes the cookies for the document in which the session is.
    pub(in crate::webdriver) async fn note_cookies(&mut self) {
        let Ok(url) = self.wire.get("/url").await else { return };
        let Some(host) = url.as_str().and_then(host_of) else { return };
        if let Ok(cookies) = self.wire.get("/cookie").await {
            let cookies: Vec<Cookie> = cookies.as_array().into_iter().flatten().map(read_cookie).collect();
            self.cookies.insert(host, cookies);
        }
    }

    /// The cookies for the documents that are open, and for those that were.
    async fn all_cookies(&mut self) -> Result<Vec<Cookie>, CommandError> {
        for tab in self.tabs.keys().cloned().collect::<Vec<_>>() {
            let has_dialog = self.tabs.get(&tab).is_some_and(|tab| tab.dialog.is_some());
            if !has_dialog {
                self.wire.enter(&tab, &[]).await?;
                self.note_cookies().await;
            }
        }
        let mut all: Vec<Cookie> = Vec::new();
        for cookie in self.cookies.values().flatten() {
            let is_same = |other: &Cookie| {
                (&other.name, &other.domain, &other.path) == (&cookie.name, &cookie.domain, &cookie.path)
            };
            if !all.iter().any(is_same) {
                all.push(cookie.clone());
            }
        }
        Ok(all)
    }

    async fn add_cookies(&mut self, cookies: &[Cookie]) -> Result<(), CommandError> {
        let anchor = self.anchor.clone();
        self.wire.enter(&anchor, &[]).await?;
        for cookie in cookies {
            self.wire.post("/cookie", json!({ "cookie": wire_cookie(cookie) })).await?;
            // They are known before a document of their site is opened.
            let host = cookie.domain.trim_start_matches('.').to_owned();
            let known = self.cookies.entry(host).or_default();
            known.retain(|other| (&other.name, &other.path) != (&cookie.name, &cookie.path));
            known.push(cookie.clone());
        }
        Ok(())
    }

    /// Deletes a cookie by one that has expired, because a session deletes only cookies of the document that it is in.
    async fn expire(&mut self, cookie: &Cookie) -> Result<(), CommandError> {
        for tab in self.tabs.keys().cloned().collect::<Vec<_>>() {
            let url =
                self.tabs.get(&tab).and_then(|state| state.frames.get(&tab)).and_then(|frame| host_of(&frame.url));
            if url.is_some_and(|host| is_for(cookie, &host)) {
                self.wire.enter(&tab, &[]).await?;
                self.wire.delete(&format!("/cookie/{}", encoded(&cookie.name))).await?;
            }
        }
        // A cookie without a value is refused.
        let expired = Cookie { expires: 1.0, value: "-".to_owned(), ..cookie.clone() };
        let anchor = self.anchor.clone();
        self.wire.enter(&anchor, &[]).await?;
        self.wire.post("/cookie", json!({ "cookie": wire_cookie(&expired) })).await?;
        for known in self.cookies.values_mut() {
            known.retain(|other| {
                (&other.name, &other.domain, &other.path) != (&cookie.name, &cookie.domain, &cookie.path)
            });
        }
        Ok(())
    }
}

fn encoded(name: &str) -> String {
    url::form_urlencoded::byte_serialize(name.as_bytes()).collect::<String>().replace('+', "%20")
}

impl Contexts for WebDriver {
    fn handshake(&self, _proxy: Option<&str>) -> Pending<String> {
        let shared = Arc::clone(&self.shared);
        Pending::new(async move {
            let (context, version) = shared.open(None).await?;
            *shared.spare.lock() = Some(context);
            Ok(version)
        })
    }

    fn close_browser(&self) -> Pending<()> {
        let queues: Vec<_> = self.shared.contexts.lock().drain().map(|(_, queue)| queue).collect();
        self.shared.spare.lock().take();
        let ends: Vec<Pending<()>> = queues
            .iter()
            .map(|queue| {
                queue.whole(|context| {
                    context.finish();
                    Box::pin(async { Ok(()) })
                })
            })
            .collect();
        Pending::new(async move {
            for end in ends {
                let _ = end.await;
            }
            Ok(())
        })
    }

    fn disconnect(&self) -> Pending<()> {
        let spare = self.shared.spare.lock().take();
        let contexts = self.close_browser();
        Pending::new(async move {
            if let Some(spare) = spare {
                // The server has one session at a time, which would otherwise remain.
                let _ = spare.wire.end().await;
            }
            contexts.await
        })
    }

    fn prepare_context(&self, context: Option<&str>, setup: &ContextSetup<'_>) -> Pending<()> {
        let Some(queue) = self.queue_of(context) else { return gone() };
        let scripts = Arc::new(setup.scripts.clone());
        let (restore, viewport) = (setup.restore.map(str::to_owned), setup.viewport);
        queue.whole(move |context| {
            Box::pin(async move {
                context.scripts = Some(scripts);
                context.restore = restore;
                context.viewport = viewport;
                Ok(())
            })
        })
    }

    fn open_context(&self, proxy: Option<&str>) -> Pending<String> {
        let (shared, proxy) = (Arc::clone(&self.shared), proxy.map(str::to_owned));
        Pending::new(async move {
            let spare = shared.spare.lock().take();
            let context = match (spare, &proxy) {
                (Some(spare), None) => spare,
                (spare, proxy) => {
                    if let Some(spare) = spare {
                        let _ = spare.wire.end().await;
                    }
                    shared.open(proxy.as_deref()).await?.0
                }
            };
            let id = context.id.clone();
            let queue = context.start();
            shared.contexts.lock().insert(id.clone(), queue);
            Ok(id)
        })
    }

    fn close_context(&self, context: &str) -> Pending<()> {
        let queue = self.shared.contexts.lock().remove(context);
        let Some(queue) = queue else { return done() };
        queue.whole(|context| {
            context.finish();
            Box::pin(async { Ok(()) })
        })
    }

    fn keep_downloads(&self, context: Option<&str>, folder: &Path) -> Pending<()> {
        let Some(queue) = self.queue_of(context) else { return gone() };
        let folder = folder.to_owned();
        queue.whole(move |context| {
            context.folder = Some(folder);
            Box::pin(async { Ok(()) })
        })
    }

    fn cancel_download(&self, _context: Option<&str>, _download: &str) -> Pending<()> {
        // The executor removes the file when it is complete.
        done()
    }

    fn cookies(&self, context: Option<&str>) -> Pending<Vec<Cookie>> {
        let Some(queue) = self.queue_of(context) else { return gone() };
        queue.whole(|context| Box::pin(context.all_cookies()))
    }

    fn set_cookies(&self, context: Option<&str>, cookies: &[Cookie]) -> Pending<()> {
        let Some(queue) = self.queue_of(context) else { return gone() };
        let cookies = cookies.to_vec();
        queue.whole(move |context| Box::pin(async move { context.add_cookies(&cookies).await }))
    }

    fn clear_cookies(&self, context: Option<&str>) -> Pending<()> {
        let Some(queue) = self.queue_of(context) else { return gone() };
        queue.whole(|context| {
            Box::pin(async move {
                for cookie in context.all_cookies().await? {
                    context.expire(&cookie).await?;
                }
                context.cookies.clear();
                Ok(())
            })
        })
    }

    fn delete_cookie(&self, session: &SessionId, cookie: &Cookie) -> Pending<()> {
        let Some(queue) = self.queue(session) else { return gone() };
        let cookie = cookie.clone();
        queue.whole(move |context| Box::pin(async move { context.expire(&cookie).await }))
    }
}
