//! Translates the events of WebDriver BiDi to those of the driver. Unlike DevTools events, they depend on earlier ones:
//! an event names a frame and not its tab, and a request of a document names the navigation.

use std::path::Path;

use legwork_protocol::{ConsoleLevel, DialogKind};
use serde_json::{Map, Value, json};

use super::{
    driver::{LATE_WORLD, WORLD},
    state::{BidiFrame, BidiRequest, DEFAULT_CONTEXT, State},
};
use crate::{
    driver::SessionId,
    driver_event::{
        ConsoleMessage, Document, DownloadState, DriverEvent, Headers, NewTab, PausedRequest, ResponseHead,
        StartedRequest,
    },
};

/// What follows from an event.
#[derive(Debug, PartialEq)]
pub(super) enum Reaction {
    /// An event of the browser or of a tab.
    Event(Option<SessionId>, DriverEvent),
    /// A command whose answer is not needed.
    Command(&'static str, Value),
    /// The title of a tab may have changed; there is no event for it.
    Title(SessionId),
    /// The response of a request is a redirect that may not be followed, which shows only later.
    Redirect { tab: SessionId, request: String, redirects: u64, events: Vec<DriverEvent> },
}

/// The reactions to an event.
pub(super) fn read(state: &mut State, method: &str, params: &Value) -> Vec<Reaction> {
    let mut out = Vec::new();
    // An entry of the log names its source.
    let context = params["context"].as_str().or(params["source"]["context"].as_str()).unwrap_or_default();
    match method {
        "browsingContext.contextCreated" => created(state, params, &mut out),
        "browsingContext.contextDestroyed" => destroyed(state, context, &mut out),
        "script.realmCreated" => realm_created(state, params, &mut out),
        "script.realmDestroyed" => realm_destroyed(state, params, &mut out),
        "browsingContext.downloadWillBegin" | "browsingContext.downloadEnd" => {
            download(state, method, params, &mut out)
        }
        _ => {
            let Some(tab) = state.tab_of(context) else {
                // Nobody else continues a request that belongs to no tab of ours.
                if params["isBlocked"] == true {
                    let request = &params["request"]["request"];
                    out.push(Reaction::Command("network.continueRequest", json!({ "request": request })));
                }
                return out;
            };
            if method.starts_with("network.") {
                network(state, method, params, &tab, &mut out);
            } else {
                of_tab(state, method, params, &tab, &mut out);
            }
        }
    }
    out
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn created(state: &mut State, params: &Value, out: &mut Vec<Reaction>) {
    let id = text(&params["context"]);
    let parent = params["parent"].as_str().map(str::to_owned);
    let user_context = text(&params["userContext"]);
    let window = text(&params["clientWindow"]);
    let created = state.tick();
    let tab: SessionId = match &parent {
        None => id.as_str().into(),
        Some(parent) => match state.frames.get(parent) {
            Some(parent) => parent.tab.clone(),
            None => return,
        },
    };
    // Firefox adds a tab of the default context to each new window.
    let added = parent.is_none()
        && state.owns_windows
        && user_context == DEFAULT_CONTEXT
        && state.frames.values().any(|other| other.window == window && other.user_context != DEFAULT_CONTEXT);
    let foreign = parent.is_none() && (!state.connected || added);
    if !foreign {
        match &parent {
            None => {
                // A new window gets the focus.
                state.active = Some(tab.clone());
                let opener_frame = params["originalOpener"].as_str().map(str::to_owned);
                let opener = opener_frame.as_ref().and_then(|opener| state.frames.get(opener));
                let event = DriverEvent::TabCreated(NewTab {
                    session: tab.clone(),
                    tab: id.clone(),
                    context: Some(user_context.clone()),
                    opener: opener.map(|opener| opener.tab.to_string()),
                    opener_frame,
                    url: text(&params["url"]),
                    title: String::new(),
                });
                out.push(Reaction::Event(None, event));
            }
            Some(parent) => {
                let event = DriverEvent::FrameAdded { frame: id.clone(), parent: parent.clone() };
                out.push(Reaction::Event(Some(tab.clone()), event));
            }
        }
    }
    if added {
        out.push(Reaction::Command("browsingContext.close", json!({ "context": id })));
    }
    let frame = BidiFrame {
        tab,
        parent,
        user_context,
        window,
        document: String::new(),
        next_document: None,
        sandbox: None,
        created,
        document_created: created,
        foreign,
    };
    state.frames.insert(id, frame);
}

fn destroyed(state: &mut State, context: &str, out: &mut Vec<Reaction>) {
    let tab = state.tab_of(context);
    let Some(frame) = state.remove(context) else { return };
    let Some(tab) = tab else { return };
    if frame.parent.is_some() {
        out.push(Reaction::Event(Some(tab), DriverEvent::FrameRemoved { frame: context.to_owned() }));
        return;
    }
    state.intercepted.remove(&*tab);
    if state.active.as_ref() == Some(&tab) {
        state.active = None;
    }
    out.push(Reaction::Event(None, DriverEvent::SessionDetached { session: tab.to_string() }));
}

fn realm_created(state: &mut State, params: &Value, out: &mut Vec<Reaction>) {
    let (realm, context) = (text(&params["realm"]), text(&params["context"]));
    // Scripts cannot be evaluated in workers.
    if params["type"] != "window" {
        return;
    }
    let tick = state.tick();
    let tab = state.tab_of(&context);
    let Some(frame) = state.frames.get_mut(&context) else { return };
    let Some(name) = params["sandbox"].as_str() else {
        frame.document_created = tick;
        return;
    };
    if name != WORLD && name != LATE_WORLD {
        return;
    }
    // All opaque origins have one name, but no two of them are the same.
    let origin = match params["origin"].as_str() {
        Some("null") | None => format!("null {context}"),
        Some(origin) => origin.to_owned(),
    };
    frame.sandbox = Some((realm.clone(), origin.clone(), name == WORLD));
    state.sandboxes.insert(realm.clone(), context.clone());
    if let Some(tab) = tab {
        let event =
            DriverEvent::ContextCreated { frame: context, world: realm, number: 0, origin, ready: name == WORLD };
        out.push(Reaction::Event(Some(tab), event));
    }
}

fn realm_destroyed(state: &mut State, params: &Value, out: &mut Vec<Reaction>) {
    let realm = text(&params["realm"]);
    let Some(context) = state.sandboxes.remove(&realm) else { return };
    let tab = state.tab_of(&context);
    if let Some(frame) = state.frames.get_mut(&context) {
        frame.sandbox.take_if(|(known, ..)| *known == realm);
    }
    if let Some(tab) = tab {
        out.push(Reaction::Event(Some(tab), DriverEvent::ContextDestroyed { world: realm }));
    }
}

fn download(state: &mut State, method: &str, params: &Value, out: &mut Vec<Reaction>) {
    let (context, url) = (text(&params["context"]), text(&params["url"]));
    let Some(tab) = state.tab_of(&context) else { return };
    if method == "browsingContext.downloadWillBegin" {
        let download = match params["navigation"].as_str() {
            Some(navigation) => navigation.to_owned(),
            None => format!("download-{}", state.tick()),
        };
        state.downloads.insert(download_key(params, &url), download.clone());
        let name = text(&params["suggestedFilename"]);
        let started = DriverEvent::DownloadStarted { download, frame: context.clone(), url, name };
        out.push(Reaction::Event(None, started));
        // The navigation that led to it ends without a document.
        out.push(Reaction::Event(Some(tab), DriverEvent::FrameStopped { frame: context, loaded: false }));
        return;
    }
    let Some(download) = state.downloads.remove(&download_key(params, &url)) else { return };
    let arrived = params["filepath"].as_str().filter(|_| params["status"] == "complete").map(Path::new);
    let folder = state.frames.get(&context).and_then(|frame| state.folders.get(&frame.user_context));
    let moved = arrived.zip(folder).and_then(|(file, folder)| {
        // The executor expects a file under the download's identifier, because names are chosen by servers.
        let size = std::fs::metadata(file).ok()?.len();
        std::fs::rename(file, folder.join(&download)).ok()?;
        Some(size)
    });
    let mut progress = |size: u64, reached| {
        let event = DriverEvent::DownloadProgress { download: download.clone(), size: size as f64, state: reached };
        out.push(Reaction::Event(None, event));
    };
    match moved {
        Some(size) => progress(size, DownloadState::Completed),
        None => progress(0, DownloadState::Canceled),
    }
}

fn download_key(params: &Value, url: &str) -> String {
    params["navigation"].as_str().unwrap_or(url).to_owned()
}

/// The address that an error page of the browser stands for; `None` for other addresses.
fn unreachable_url(url: &str) -> Option<String> {
    const ERROR_PAGES: [&str; 4] = ["about:neterror?", "about:certerror?", "about:blocked?", "about:httpsonlyerror?"];
    let query = ERROR_PAGES.iter().find_map(|page| url.strip_prefix(page))?;
    let mut pairs = url::form_urlencoded::parse(query.as_bytes());
    Some(pairs.find(|(name, _)| name == "u").map(|(_, url)| url.into_owned()).unwrap_or_default())
}

fn committed(state: &mut State, params: &Value, tab: &SessionId, out: &mut Vec<Reaction>) {
    let (context, url) = (text(&params["context"]), text(&params["url"]));
    let Some(frame) = state.frames.get_mut(&context) else { return };
    frame.document = text(&params["navigation"]);
    frame.next_document = None;
    let since = frame.document_created;
    let unreachable = unreachable_url(&url);
    let document = Document {
        frame: context.clone(),
        parent: frame.parent.clone(),
        document: frame.document.clone(),
        unreachable: unreachable.is_some(),
        url: unreachable.unwrap_or(url),
        kept: false,
    };
    out.push(Reaction::Event(Some(tab.clone()), DriverEvent::FrameNavigated(document)));
    let all = state.children_since(&context, 0);
    let new = state.children_since(&context, since);
    for old in all.iter().filter(|child| !new.contains(child)) {
        state.remove(old);
    }
    // A new document takes the frames of the old one away. Its own may have been reported before.
    for child in new {
        report_again(state, &child, &context, tab, out);
    }
}

fn report_again(state: &State, frame: &str, parent: &str, tab: &SessionId, out: &mut Vec<Reaction>) {
    let mut event = |event| out.push(Reaction::Event(Some(tab.clone()), event));
    event(DriverEvent::FrameAdded { frame: frame.to_owned(), parent: parent.to_owned() });
    if let Some((world, origin, ready)) = state.frames.get(frame).and_then(|frame| frame.sandbox.clone()) {
        event(DriverEvent::ContextCreated { frame: frame.to_owned(), world, number: 0, origin, ready });
    }
    for child in state.children_since(frame, 0) {
        report_again(state, &child, frame, tab, out);
    }
}

fn of_tab(state: &mut State, method: &str, params: &Value, tab: &SessionId, out: &mut Vec<Reaction>) {
    let frame = text(&params["context"]);
    let is_main = *frame == **tab;
    let mut event = |event| out.push(Reaction::Event(Some(tab.clone()), event));
    match method {
        "browsingContext.navigationStarted" => event(DriverEvent::FrameNavigationStarted { frame }),
        "browsingContext.navigationCommitted" => committed(state, params, tab, out),
        "browsingContext.navigationFailed" | "browsingContext.navigationAborted" => {
            event(DriverEvent::FrameStopped { frame, loaded: false })
        }
        "browsingContext.domContentLoaded" => {
            // The error page of the browser never finishes to load.
            let whole = unreachable_url(&text(&params["url"])).is_some();
            if is_main {
                event(DriverEvent::DocumentParsed { whole });
            }
            if whole {
                event(DriverEvent::FrameStopped { frame, loaded: true });
            }
        }
        "browsingContext.load" => {
            if is_main {
                event(DriverEvent::DocumentParsed { whole: true });
            }
            event(DriverEvent::FrameStopped { frame, loaded: true });
            if is_main {
                out.push(Reaction::Title(tab.clone()));
            }
        }
        "browsingContext.fragmentNavigated" | "browsingContext.historyUpdated" => {
            event(DriverEvent::FrameUrlChanged { frame, url: text(&params["url"]) })
        }
        "browsingContext.userPromptOpened" => {
            let kind = match params["type"].as_str() {
                Some("alert") => DialogKind::Alert,
                Some("confirm") => DialogKind::Confirm,
                Some("prompt") => DialogKind::Prompt,
                _ => DialogKind::Beforeunload,
            };
            event(DriverEvent::DialogOpened { kind, message: text(&params["message"]) })
        }
        "browsingContext.userPromptClosed" => {
            let accepted = params["accepted"] == true;
            event(DriverEvent::DialogClosed { accepted, text: text(&params["userText"]) })
        }
        "input.fileDialogOpened" => {
            let field = params["element"]["sharedId"].as_str().map(|element| format!("{frame} {element}"));
            event(DriverEvent::ChooserOpened { field, multiple: params["multiple"] == true })
        }
        "log.entryAdded" => event(DriverEvent::ConsoleMessage(console_message(params))),
        _ => {}
    }
}

fn console_message(entry: &Value) -> ConsoleMessage {
    let level = match entry["level"].as_str() {
        Some("debug") => ConsoleLevel::Debug,
        Some("warn") => ConsoleLevel::Warning,
        Some("error") => ConsoleLevel::Error,
        _ => ConsoleLevel::Info,
    };
    let top = &entry["stackTrace"]["callFrames"][0];
    let line = top["lineNumber"].as_u64().map(|line| line as u32 + 1);
    let mut said = text(&entry["text"]);
    if entry["type"] == "javascript" && level == ConsoleLevel::Error {
        said.insert_str(0, "Uncaught ");
    }
    ConsoleMessage { level, text: said, url: text(&top["url"]), line }
}

fn network(state: &mut State, method: &str, params: &Value, tab: &SessionId, out: &mut Vec<Reaction>) {
    let wire = text(&params["request"]["request"]);
    let url = text(&params["request"]["url"]);
    let is_blocked = params["isBlocked"] == true;
    let is_inside = ["data:", "blob:", "about:", "resource:", "chrome:"].iter().any(|scheme| url.starts_with(scheme));
    // A page is not at fault for the icon that the browser looks for by itself.
    if is_inside || url.ends_with("/favicon.ico") && params["request"]["initiatorType"].is_null() {
        if is_blocked {
            out.push(Reaction::Command("network.continueRequest", json!({ "request": wire })));
        }
        return;
    }
    let at = params["timestamp"].as_f64().unwrap_or_default() / 1000.0;
    let navigation = params["navigation"].as_str();
    let mut event = |event| out.push(Reaction::Event(Some(tab.clone()), event));
    match method {
        "network.beforeRequestSent" => {
            let started = started(state, params, wire.clone(), url, navigation, at);
            let paused = is_blocked.then(|| PausedRequest {
                request: started.request.clone(),
                method: started.method.clone(),
                url: started.url.clone(),
                headers: started.headers.clone(),
                body: None,
                frame: started.frame.clone(),
                is_document: navigation.is_some(),
                is_beacon: matches!(params["request"]["initiatorType"].as_str(), Some("beacon" | "ping")),
            });
            event(DriverEvent::RequestStarted(started));
            if let Some(paused) = paused {
                event(DriverEvent::RequestPaused(paused));
            }
        }
        "network.responseStarted" => {
            if let (Some(navigation), Some(frame)) =
                (navigation, params["context"].as_str().and_then(|context| state.frames.get_mut(context)))
            {
                frame.next_document = Some(navigation.to_owned());
            }
            let answer = head(&params["response"]);
            let Some(request) = state.requests.get_mut(&wire) else { return };
            if is_redirect(&params["response"]) {
                request.redirected = Some(answer);
                return;
            }
            event(DriverEvent::ResponseReceived {
                request: request.id.clone(),
                document: navigation.map(str::to_owned),
                endless: answer.media_type == "text/event-stream" || answer.status == Some(101),
                answer,
            });
        }
        "network.responseCompleted" => {
            let Some(request) = state.requests.get(&wire) else { return };
            let (id, redirects) = (request.id.clone(), request.redirects);
            let bytes = params["response"]["bytesReceived"].as_u64();
            let finished = DriverEvent::RequestFinished { request: id.clone(), error: None, bytes, at };
            if is_redirect(&params["response"]) {
                let answer = head(&params["response"]);
                let received = DriverEvent::ResponseReceived { request: id, document: None, endless: false, answer };
                let events = vec![received, finished];
                out.push(Reaction::Redirect { tab: tab.clone(), request: wire, redirects, events });
                return;
            }
            event(finished);
            state.requests.remove(&wire);
        }
        "network.fetchError" => {
            let Some(request) = state.requests.remove(&wire) else { return };
            let error = match state.refused.remove(&wire) {
                true => "net::ERR_BLOCKED_BY_CLIENT".to_owned(),
                false => text(&params["errorText"]),
            };
            event(DriverEvent::RequestFinished { request: request.id, error: Some(error), bytes: None, at });
        }
        _ => {}
    }
}

fn started(
    state: &mut State,
    params: &Value,
    wire: String,
    url: String,
    navigation: Option<&str>,
    at: f64,
) -> StartedRequest {
    const MOST: usize = 2_000;
    let request = &params["request"];
    let context = text(&params["context"]);
    let id = navigation.map_or_else(|| wire.clone(), str::to_owned);
    if navigation.is_some() {
        if state.document_requests.len() > MOST {
            state.document_requests.clear();
        }
        state.document_requests.insert(id.clone(), wire.clone());
    }
    let frame = state.frames.get(&context);
    let document = match navigation {
        Some(navigation) => navigation.to_owned(),
        None => frame.map(|frame| frame.next_document.as_ref().unwrap_or(&frame.document).clone()).unwrap_or_default(),
    };
    let known = state.requests.entry(wire).or_default();
    known.id.clone_from(&id);
    known.redirects = params["redirectCount"].as_u64().unwrap_or_default();
    let (kind, weighs) = kind_of(request, navigation.is_some());
    StartedRequest {
        request: id,
        method: text(&request["method"]),
        url,
        document,
        frame: context,
        kind: kind.to_owned(),
        weighs,
        redirected: known.redirected.take(),
        headers: headers_of(&request["headers"]),
        posts: request["bodySize"].as_u64().is_some_and(|size| size > 0),
        at,
    }
}

/// The resource type, and whether the outcome of such a request may change what the page shows.
fn kind_of(request: &Value, is_document: bool) -> (&'static str, bool) {
    if is_document {
        return ("document", true);
    }
    let initiator = request["initiatorType"].as_str().unwrap_or_default();
    let upgrade = request["headers"].as_array().into_iter().flatten().any(|header| {
        header["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case("upgrade"))
            && header["value"]["value"] == "websocket"
    });
    if upgrade || request["url"].as_str().is_some_and(|url| url.starts_with("ws")) {
        return ("websocket", false);
    }
    match (request["destination"].as_str().unwrap_or_default(), initiator) {
        (_, "xmlhttprequest") => ("xhr", true),
        (_, "fetch") => ("fetch", true),
        (_, "beacon") => ("ping", false),
        ("script" | "worker" | "sharedworker" | "serviceworker", _) => ("script", true),
        ("style", _) => ("stylesheet", true),
        ("image", _) => ("image", false),
        ("font", _) => ("font", false),
        ("audio" | "video" | "track", _) => ("media", false),
        ("manifest", _) => ("manifest", false),
        _ => ("other", false),
    }
}

fn is_redirect(response: &Value) -> bool {
    let redirects = matches!(response["status"].as_u64(), Some(301 | 302 | 303 | 307 | 308));
    let is_location =
        |header: &Value| header["name"].as_str().is_some_and(|name| name.eq_ignore_ascii_case("location"));
    redirects && response["headers"].as_array().is_some_and(|headers| headers.iter().any(is_location))
}

fn head(response: &Value) -> ResponseHead {
    ResponseHead {
        status: response["status"].as_u64().and_then(|status| status.try_into().ok()),
        media_type: text(&response["mimeType"]),
        headers: headers_of(&response["headers"]),
    }
}

/// The headers as a JSON object. Several of one name are joined by line breaks.
fn headers_of(headers: &Value) -> Option<Headers> {
    let mut all = Map::new();
    for header in headers.as_array()? {
        let (name, value) = (text(&header["name"]), text(&header["value"]["value"]));
        match all.get_mut(&name) {
            Some(Value::String(known)) => *known = format!("{known}\n{value}"),
            _ => drop(all.insert(name, value.into())),
        }
    }
    Some(Value::Object(all).to_string().into())
}

/// The events of a redirect response that was not followed, once this is known.
pub(super) fn unfollowed(
    state: &mut State,
    request: &str,
    redirects: u64,
    events: Vec<DriverEvent>,
) -> Vec<DriverEvent> {
    let is_last = state.requests.get(request).is_some_and(|known| known.redirects == redirects);
    if !is_last {
        return Vec::new();
    }
    let _: Option<BidiRequest> = state.requests.remove(request);
    events
}
