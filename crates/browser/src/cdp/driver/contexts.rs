//! The browser as a whole and its contexts, which isolate sessions from other users of the browser.

use std::path::Path;

use serde_json::{Value, json};

use super::Cdp;
use crate::{
    cdp::wire::*,
    driver::{ContextSetup, Contexts, Pending, SessionId},
    egress::BYPASS,
    storage_state::Cookie,
};

fn cookie_parameter(cookie: &Cookie) -> Value {
    let mut parameter = json!(cookie);
    if cookie.expires < 0.0
        && let Some(fields) = parameter.as_object_mut()
    {
        fields.remove("expires");
    }
    parameter
}

fn pages_only() -> Value {
    json!([{"type": "page"}, {"exclude": true}])
}

impl Contexts for Cdp {
    fn handshake(&self, _proxy: Option<&str>) -> Pending<String> {
        let attach = SetAutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
            filter: Some(json!([
                {"type": "page"},
                {"type": "service_worker"},
                {"type": "shared_worker"},
                {"exclude": true}
            ])),
        };
        let attach = self.ask(None, &attach);
        // Enables events about titles and addresses, also of tabs in the background.
        drop(self.ask(None, &SetDiscoverTargets { discover: true, filter: pages_only() }));
        let version = self.ask(None, &GetVersion {});
        Pending::new(async move {
            let version = version.await?;
            attach.await?;
            Ok(version.product)
        })
    }

    fn close_browser(&self) -> Pending<()> {
        self.tell(None, &CloseBrowser {})
    }

    fn disconnect(&self) -> Pending<()> {
        // What belongs to the connection ends with it.
        Pending::new(async { Ok(()) })
    }

    fn prepare_context(&self, _context: Option<&str>, _setup: &ContextSetup<'_>) -> Pending<()> {
        // New tabs are paused until each is set up.
        Pending::new(async { Ok(()) })
    }

    fn open_context(&self, proxy: Option<&str>) -> Pending<String> {
        let create = CreateContext {
            dispose_on_detach: true,
            proxy_server: proxy.map(str::to_owned),
            proxy_bypass_list: proxy.map(|_| BYPASS),
        };
        let created = self.ask(None, &create);
        Pending::new(async move { Ok(created.await?.browser_context_id) })
    }

    fn close_context(&self, context: &str) -> Pending<()> {
        self.tell(None, &DisposeContext { browser_context_id: context.to_owned() })
    }

    fn keep_downloads(&self, context: Option<&str>, folder: &Path) -> Pending<()> {
        let keep = SetDownloadBehavior {
            behavior: "allowAndName",
            browser_context_id: context.map(str::to_owned),
            download_path: Some(folder.to_string_lossy().into_owned()),
            events_enabled: true,
        };
        self.tell(None, &keep)
    }

    fn cancel_download(&self, context: Option<&str>, download: &str) -> Pending<()> {
        let context = context.map(str::to_owned);
        self.tell(None, &CancelDownload { guid: download.to_owned(), browser_context_id: context })
    }

    fn cookies(&self, context: Option<&str>) -> Pending<Vec<Cookie>> {
        let cookies = self.ask(None, &GetCookies { browser_context_id: context.map(str::to_owned) });
        Pending::new(async move { Ok(cookies.await?.cookies) })
    }

    fn set_cookies(&self, context: Option<&str>, cookies: &[Cookie]) -> Pending<()> {
        let cookies = cookies.iter().map(cookie_parameter).collect();
        self.tell(None, &SetCookies { cookies, browser_context_id: context.map(str::to_owned) })
    }

    fn clear_cookies(&self, context: Option<&str>) -> Pending<()> {
        self.tell(None, &ClearCookies { browser_context_id: context.map(str::to_owned) })
    }

    fn delete_cookie(&self, session: &SessionId, cookie: &Cookie) -> Pending<()> {
        let Cookie { name, domain, path, .. } = cookie.clone();
        self.tell(Some(session), &DeleteCookies { name, domain, path })
    }
}
