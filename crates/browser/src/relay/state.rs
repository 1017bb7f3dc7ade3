//! What a relay knows: the attached tabs, the protocol sessions of their frames, and the requests whose replies it
//! writes itself. Pure: messages go in, messages come out.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json, value::RawValue};

use super::{
    ASSIGNED_TAB, Effects,
    messages::{DriverCommand, ExtensionMessage, ExtensionRequest, MessageKind, RelayedTarget, RequestKind},
};

/// Requests of the relay itself have numbers from here on. The driver counts from 1.
const OWN_REQUESTS: u64 = 1 << 52;

/// A tab with an attached debugger.
struct RelayedTab {
    target: String,
}

/// A request that is answered in another way than by passing on its result.
enum PendingRequest {
    /// The driver attaches to the assigned tab.
    Attach,
    /// The driver opens a tab.
    Open,
    /// The driver closes a tab or detaches from it; the result has no content.
    Plain,
    /// The relay asks for the frames that a page had before the debugger was attached.
    Frames { session: String, is_loading: bool },
}

/// The state of a relay.
pub(super) struct RelayState {
    product: String,
    tabs: HashMap<i64, RelayedTab>,
    /// The tab of each protocol session of a frame or worker.
    children: HashMap<String, i64>,
    pending: HashMap<u64, PendingRequest>,
    own_requests: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetId {
    target_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SessionParam {
    session_id: String,
}

#[derive(Deserialize)]
struct UrlParam {
    url: String,
}

#[derive(Deserialize)]
struct OpenedTab {
    tab: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttachedChild {
    session_id: String,
    target_info: ChildInfo,
    #[serde(default)]
    waiting_for_debugger: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ChildInfo {
    target_id: String,
    r#type: String,
    parent_frame_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameTreeReply {
    frame_tree: FrameNode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameNode {
    frame: Value,
    #[serde(default)]
    child_frames: Vec<FrameNode>,
}

/// The name of the protocol session of a tab.
fn session_of(tab: i64) -> String {
    format!("tab-{tab}")
}

fn read<'a, T: Deserialize<'a>>(params: &'a RawValue) -> Option<T> {
    serde_json::from_str(params.get()).ok()
}

impl Effects {
    fn ask(&mut self, request: &ExtensionRequest<'_>) {
        self.to_extension.push(request.text());
    }

    fn tell(&mut self, message: &Value) {
        self.to_driver.push(message.to_string().into_bytes());
    }

    fn answer(&mut self, id: u64, result: &Value) {
        self.tell(&json!({ "id": id, "result": result }));
    }

    fn refuse(&mut self, id: u64, message: &str) {
        self.tell(&json!({ "id": id, "error": { "code": -32000, "message": message } }));
    }

    fn event(&mut self, session: &str, method: &str, params: &Value) {
        self.tell(&json!({ "sessionId": session, "method": method, "params": params }));
    }

    fn browser_event(&mut self, method: &str, params: &Value) {
        self.tell(&json!({ "method": method, "params": params }));
    }
}

impl RelayState {
    pub(super) fn new(product: String) -> Self {
        let (tabs, children, pending) = (HashMap::new(), HashMap::new(), HashMap::new());
        RelayState { product, tabs, children, pending, own_requests: OWN_REQUESTS }
    }

    /// A command of the driver.
    pub(super) fn on_command(&mut self, command: &DriverCommand<'_>, effects: &mut Effects) {
        let Some(session) = command.session_id.as_deref() else { return self.on_browser_command(command, effects) };
        let Some((tab, child)) = self.recipient(session) else {
            return effects.refuse(command.id, "Session with given id not found.");
        };
        effects.ask(&ExtensionRequest {
            session: child,
            method: Some(&command.method),
            params: Some(command.params),
            ..ExtensionRequest::of_tab(command.id, RequestKind::Command, tab)
        });
    }

    /// The tab of a protocol session, and the session within the tab if it is that of a frame or worker.
    fn recipient<'a>(&self, session: &'a str) -> Option<(i64, Option<&'a str>)> {
        if let Some(tab) = self.children.get(session) {
            return Some((*tab, Some(session)));
        }
        let tab = session.strip_prefix("tab-")?.parse().ok()?;
        self.tabs.contains_key(&tab).then_some((tab, None))
    }

    /// A command for the browser as a whole, as far as it makes sense for the assigned tabs.
    fn on_browser_command(&mut self, command: &DriverCommand<'_>, effects: &mut Effects) {
        let (id, params) = (command.id, command.params);
        match &*command.method {
            "Browser.getVersion" => {
                effects.answer(id, &json!({ "product": self.product, "protocolVersion": "1.3" }));
            }
            // Tabs are attached as they are assigned or opened; their titles are reported without a request. Downloads
            // stay in the user's own folder. Ending the connection releases the tabs.
            "Target.setAutoAttach" | "Target.setDiscoverTargets" | "Browser.setDownloadBehavior" | "Browser.close" => {
                effects.answer(id, &json!({}));
            }
            "Target.attachToTarget" => match read::<TargetId>(params) {
                Some(wanted) if wanted.target_id == ASSIGNED_TAB => {
                    self.pending.insert(id, PendingRequest::Attach);
                    effects.ask(&ExtensionRequest::new(id, RequestKind::AttachTab));
                }
                _ => effects.refuse(id, "No target with given id found"),
            },
            "Target.createTarget" => match read::<UrlParam>(params) {
                Some(UrlParam { url }) => {
                    self.pending.insert(id, PendingRequest::Open);
                    let request = ExtensionRequest::new(id, RequestKind::OpenTab);
                    effects.ask(&ExtensionRequest { url: Some(&url), ..request });
                }
                None => effects.refuse(id, "the address of the new tab is missing"),
            },
            "Target.closeTarget" => {
                let tab = read::<TargetId>(params).and_then(|wanted| self.by_target(&wanted.target_id));
                self.ask_tab(id, RequestKind::CloseTab, tab, effects);
            }
            "Target.detachFromTarget" => {
                let Some(SessionParam { session_id }) = read(params) else {
                    return effects.refuse(id, "the session is missing");
                };
                match self.recipient(&session_id) {
                    // The session of a frame is detached by its tab, in which its parent's session is.
                    Some((tab, Some(_))) => {
                        let request = ExtensionRequest::of_tab(id, RequestKind::Command, tab);
                        let method = Some(&*command.method);
                        effects.ask(&ExtensionRequest { method, params: Some(params), ..request });
                    }
                    Some((tab, None)) => self.ask_tab(id, RequestKind::ReleaseTab, Some(tab), effects),
                    None => effects.refuse(id, "Session with given id not found."),
                }
            }
            "Storage.getCookies" | "Storage.setCookies" | "Storage.clearCookies" => {
                effects.refuse(id, "the cookies of your own browser are not read or changed");
            }
            other => effects.refuse(id, &format!("{other} is not available in a tab of your own browser")),
        }
    }

    fn ask_tab(&mut self, id: u64, kind: RequestKind, tab: Option<i64>, effects: &mut Effects) {
        match tab {
            Some(tab) => {
                self.pending.insert(id, PendingRequest::Plain);
                effects.ask(&ExtensionRequest::of_tab(id, kind, tab));
            }
            None => effects.refuse(id, "No target with given id found"),
        }
    }

    fn by_target(&self, target: &str) -> Option<i64> {
        self.tabs.iter().find(|(_, tab)| tab.target == target).map(|(number, _)| *number)
    }

    /// A message of the extension. One that lacks a field that its kind needs is ignored.
    pub(super) fn on_message(&mut self, message: &ExtensionMessage<'_>, effects: &mut Effects) {
        match (message.r#type, message.tab, message.id) {
            (MessageKind::Result, _, Some(id)) => self.on_result(id, message.result, effects),
            (MessageKind::Error, _, Some(id)) => {
                self.pending.remove(&id);
                if id < OWN_REQUESTS {
                    effects.refuse(id, message.message.as_deref().unwrap_or("the extension gives no reason"));
                }
            }
            (MessageKind::Attached, Some(tab), _) => {
                if let Some(target) = &message.target {
                    self.on_attached(tab, target, message.opener, message.loading, effects);
                }
            }
            (MessageKind::Detached, Some(tab), _) => self.on_detached(tab, effects),
            (MessageKind::Event, Some(tab), _) => {
                if let (Some(method), Some(params)) = (message.method.as_deref(), message.params) {
                    self.on_event(tab, message.session.as_deref(), method, params, effects);
                }
            }
            (MessageKind::Titled, Some(tab), _) => {
                if let (Some(tab), Some(target)) = (self.tabs.get(&tab), &message.target) {
                    let info = json!({
                        "targetId": tab.target, "type": "page", "title": target.title, "url": target.url,
                    });
                    effects.browser_event("Target.targetInfoChanged", &json!({ "targetInfo": info }));
                }
            }
            _ => {}
        }
    }

    fn on_result(&mut self, id: u64, result: Option<&RawValue>, effects: &mut Effects) {
        let content = result.map_or("{}", RawValue::get);
        let opened =
            || serde_json::from_str::<OpenedTab>(content).ok().filter(|opened| self.tabs.contains_key(&opened.tab));
        match self.pending.remove(&id) {
            None if id >= OWN_REQUESTS => {}
            // The result is passed on as the browser wrote it.
            None => effects.to_driver.push(format!("{{\"id\":{id},\"result\":{content}}}").into_bytes()),
            Some(PendingRequest::Plain) => effects.answer(id, &json!({})),
            Some(PendingRequest::Attach) => match opened() {
                Some(OpenedTab { tab }) => effects.answer(id, &json!({ "sessionId": session_of(tab) })),
                None => effects.refuse(id, "the extension attached to no tab"),
            },
            Some(PendingRequest::Open) => match opened().and_then(|opened| self.tabs.get(&opened.tab)) {
                Some(tab) => effects.answer(id, &json!({ "targetId": tab.target })),
                None => effects.refuse(id, "the extension opened no tab"),
            },
            Some(PendingRequest::Frames { session, is_loading }) => {
                if let Ok(FrameTreeReply { frame_tree }) = serde_json::from_str(content) {
                    report_frames(&session, &frame_tree, is_loading, effects);
                }
                if !is_loading {
                    for method in ["Page.domContentEventFired", "Page.loadEventFired"] {
                        effects.event(&session, method, &json!({}));
                    }
                }
            }
        }
    }

    fn on_attached(
        &mut self,
        tab: i64,
        target: &RelayedTarget,
        opener: Option<i64>,
        is_loading: bool,
        effects: &mut Effects,
    ) {
        let opener = opener.and_then(|opener| self.tabs.get(&opener)).map(|opener| opener.target.clone());
        self.tabs.insert(tab, RelayedTab { target: target.target_id.clone() });
        let session = session_of(tab);
        // Before the driver's first command, so that the frames are known when the worlds in them are reported.
        self.ask_for_frames(tab, None, is_loading, effects);
        let info = json!({
            "targetId": target.target_id, "type": "page", "title": target.title, "url": target.url, "openerId": opener,
        });
        let params = json!({ "sessionId": session, "targetInfo": info, "waitingForDebugger": false });
        effects.browser_event("Target.attachedToTarget", &params);
    }

    fn ask_for_frames(&mut self, tab: i64, child: Option<&str>, is_loading: bool, effects: &mut Effects) {
        self.own_requests += 1;
        let session = child.map_or_else(|| session_of(tab), str::to_owned);
        self.pending.insert(self.own_requests, PendingRequest::Frames { session, is_loading });
        let request = ExtensionRequest::of_tab(self.own_requests, RequestKind::Command, tab);
        effects.ask(&ExtensionRequest { session: child, method: Some("Page.getFrameTree"), ..request });
    }

    fn on_detached(&mut self, tab: i64, effects: &mut Effects) {
        if self.tabs.remove(&tab).is_some() {
            self.children.retain(|_, of| *of != tab);
            effects.browser_event("Target.detachedFromTarget", &json!({ "sessionId": session_of(tab) }));
        }
    }

    fn on_event(&mut self, tab: i64, child: Option<&str>, method: &str, params: &RawValue, effects: &mut Effects) {
        if !self.tabs.contains_key(&tab) {
            return;
        }
        let session = child.map_or_else(|| session_of(tab), str::to_owned);
        let mut frames_of = None;
        match method {
            "Target.attachedToTarget" => {
                if let Some(AttachedChild { session_id, target_info: info, waiting_for_debugger }) = read(params) {
                    if info.r#type == "iframe" {
                        // The page had this frame before the debugger was attached, so no event reported that it came.
                        if let Some(parent) = info.parent_frame_id {
                            let frame = json!({ "frameId": info.target_id, "parentFrameId": parent });
                            effects.event(&session, "Page.frameAttached", &frame);
                        }
                        // A frame that begins now reports its documents itself.
                        frames_of = (!waiting_for_debugger).then(|| session_id.clone());
                    }
                    self.children.insert(session_id, tab);
                }
            }
            "Target.detachedFromTarget" => {
                if let Some(SessionParam { session_id }) = read(params) {
                    self.children.remove(&session_id);
                }
            }
            _ => {}
        }
        if let Some(child) = frames_of {
            self.ask_for_frames(tab, Some(&child), false, effects);
        }
        let [session, method] = [session.as_str(), method].map(|text| json!(text));
        let message = format!("{{\"sessionId\":{session},\"method\":{method},\"params\":{}}}", params.get());
        effects.to_driver.push(message.into_bytes());
    }
}

/// Reports the frames of a page that was there before the debugger, as if they had come now. Parents precede their
/// children.
fn report_frames(session: &str, node: &FrameNode, is_loading: bool, effects: &mut Effects) {
    if let Some(parent) = node.frame["parentId"].as_str() {
        let attached = json!({ "frameId": node.frame["id"], "parentFrameId": parent });
        effects.event(session, "Page.frameAttached", &attached);
    }
    // A document of the cache, too, is loaded already.
    let r#type = if is_loading { "Navigation" } else { "BackForwardCacheRestore" };
    effects.event(session, "Page.frameNavigated", &json!({ "frame": node.frame, "type": r#type }));
    for child in &node.child_frames {
        report_frames(session, child, is_loading, effects);
    }
}
