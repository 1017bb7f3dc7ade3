//! The driver's words in the DevTools protocol.

use std::{path::Path, sync::Arc};

use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_protocol::Button;
use serde_json::{Value, json};

use super::{CallError, Connection, Reply, wire::*};
use crate::{
    PictureFormat,
    act::Point,
    driver::{
        Arrival, Conditions, Drag, Driver, DriverError, Mocked, MouseInput, MouseKind, Past, Pending, SessionId, Shot,
        Watch, WorldRef,
    },
    keys::Stroke,
    storage::Cookie,
};

/// The names of our world: one that came with its document, and one that was made afterwards and has no bundle yet.
pub(crate) const WORLD: &str = "legwork";
pub(crate) const LATE_WORLD: &str = "legwork-late";
/// Of the pictures of a tab that is watched: enough to read by, at a few kilobytes each.
const CAST_QUALITY: i64 = 55;

/// Bytes of answers that a page's process keeps for who may ask for them, in all and of each; the oldest go first.
const KEPT_BODIES: (i64, i64) = (16 << 20, 4 << 20);

/// A browser reached by the DevTools protocol.
pub(crate) struct Cdp {
    connection: Connection,
}

impl Cdp {
    pub(crate) fn new(connection: Connection) -> Self {
        Cdp { connection }
    }

    fn ask<C: Command>(&self, session: Option<&SessionId>, command: &C) -> Reply<C::Returns> {
        self.connection.call(session, command)
    }

    /// A command of which only matters that it is done.
    fn tell<C: Command>(&self, session: Option<&SessionId>, command: &C) -> Pending<()>
    where
        C::Returns: 'static,
    {
        let reply = self.ask(session, command);
        Pending::new(async move { Ok(reply.await.map(|_| ())?) })
    }

    fn send<C: Command>(&self, session: &SessionId, command: &C) {
        drop(self.ask(Some(session), command));
    }
}

impl From<CallError> for DriverError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Gone(reason) => DriverError::Gone(reason),
            CallError::Detached => DriverError::Left,
            CallError::Crashed => DriverError::Crashed,
            CallError::Refused { message, .. } if is_left(&message) => DriverError::Left,
            other => DriverError::Refused(other.to_string()),
        }
    }
}

/// The ways in which a document that went away answers.
fn is_left(message: &str) -> bool {
    [
        "Cannot find context",
        "uniqueContextId not found",
        "Execution context was destroyed",
        "Inspected target navigated or closed",
        "Promise was collected",
        "Session with given id not found",
        "No frame for given id",
        "No target with given id",
    ]
    .iter()
    .any(|known| message.contains(known))
}

fn value_of(evaluated: Evaluated) -> Result<Value, DriverError> {
    let Some(exception) = evaluated.exception_details else {
        return Ok(evaluated.result.value.unwrap_or(Value::Null));
    };
    let said = exception.exception.and_then(|thrown| thrown.description).unwrap_or(exception.text);
    Err(if is_left(&said) { DriverError::Left } else { DriverError::Threw(said) })
}

fn bytes_of(drawn: Screenshot) -> Result<Vec<u8>, DriverError> {
    STANDARD.decode(drawn.data).map_err(|error| DriverError::Refused(error.to_string()))
}

/// A script as an expression: what begins as a function or an object would be read as a statement.
fn expression(script: &str) -> String {
    let script = script.trim().trim_end_matches(';');
    let wrapped = ["function", "async ", "async(", "{"].iter().any(|start| script.starts_with(start));
    if wrapped { format!("({script})") } else { script.to_owned() }
}

fn header_entries(headers: &[(String, String)]) -> Value {
    headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect()
}

fn pages_only() -> Value {
    json!([{"type": "page"}, {"exclude": true}])
}

fn cookie_parameter(cookie: &Cookie) -> Value {
    let mut parameter = json!(cookie);
    if cookie.expires < 0.0
        && let Some(fields) = parameter.as_object_mut()
    {
        fields.remove("expires");
    }
    parameter
}

fn key(stroke: &Stroke, kind: &'static str, text: Option<String>) -> Key {
    Key {
        r#type: kind,
        modifiers: stroke.modifiers,
        unmodified_text: text.clone(),
        text,
        key: stroke.key.clone(),
        code: stroke.code.clone(),
        windows_virtual_key_code: stroke.number,
        ..Key::default()
    }
}

impl Driver for Cdp {
    fn gone(&self) -> Option<Arc<str>> {
        self.connection.gone()
    }

    fn give_up(&self, session: &str, error: DriverError) {
        let error = if error == DriverError::Crashed { CallError::Crashed } else { CallError::Detached };
        self.connection.fail_session(session, &error);
    }

    fn greet(&self) -> Pending<String> {
        let attach = SetAutoAttach {
            auto_attach: true,
            wait_for_debugger_on_start: true,
            flatten: true,
            filter: Some(pages_only()),
        };
        let attach = self.ask(None, &attach);
        // Tells of titles and addresses of tabs that nobody looks at.
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

    fn open_context(&self) -> Pending<String> {
        let created = self.ask(None, &CreateContext { dispose_on_detach: true, proxy_server: None });
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

    fn open_tab(&self, context: Option<&str>, url: &str) -> Pending<String> {
        let create = CreateTarget {
            url: url.to_owned(),
            browser_context_id: context.map(str::to_owned),
            width: None,
            height: None,
        };
        let created = self.ask(None, &create);
        Pending::new(async move { Ok(created.await?.target_id) })
    }

    fn close_tab(&self, tab: &str) -> Pending<()> {
        self.tell(None, &CloseTarget { target_id: tab.to_owned() })
    }

    fn activate(&self, session: &SessionId) -> Pending<()> {
        self.tell(Some(session), &BringToFront {})
    }

    fn watch(&self, session: &SessionId, watch: &Watch<'_>) {
        // Workers and worklets wait for a debugger even when a filter leaves them out, and then for ever: so they are told of
        // too, and let go at once.
        let filter = json!([
            {"type": "iframe"},
            {"type": "worker"},
            {"type": "worklet"},
            {"type": "auction_worklet"},
            {"type": "shared_storage_worklet"},
            {"exclude": true}
        ]);
        let frames =
            SetAutoAttach { auto_attach: true, wait_for_debugger_on_start: true, flatten: true, filter: Some(filter) };
        let pulse = AddScript { source: watch.scripts.pulse.clone(), world_name: None, run_immediately: true };
        let bundle = AddScript {
            source: watch.scripts.bundle.to_owned(),
            world_name: Some(WORLD.into()),
            run_immediately: true,
        };
        self.send(session, &PageEnable {});
        let (total, each) = if watch.keeps_bodies { KEPT_BODIES } else { (0, 0) };
        self.send(session, &NetworkEnable { max_total_buffer_size: total, max_resource_buffer_size: each });
        self.send(session, &RuntimeEnable {});
        self.send(session, &LogEnable {});
        if let Some(source) = watch.restore {
            let source = source.to_owned();
            self.send(session, &AddScript { source, world_name: None, run_immediately: true });
        }
        self.send(session, &pulse);
        self.send(session, &bundle);
        self.send(session, &frames);
        if watch.tab {
            self.send(session, &EmulateFocus { enabled: true });
        }
        if let Some((width, height)) = watch.viewport {
            drop(self.resize(session, width, height));
        }
        if watch.holds_choosers && watch.tab {
            self.send(session, &InterceptFileChooser { enabled: true });
        }
        if let Some(conditions) = &watch.conditions {
            drop(self.set_conditions(session, conditions));
        }
        if watch.judged {
            drop(self.judge_requests(session, true));
        }
        self.resume(session);
    }

    fn resume(&self, session: &SessionId) {
        self.send(session, &RunIfWaiting {});
    }

    fn leave(&self, session: &SessionId) {
        self.resume(session);
        drop(self.ask(None, &Detach { session_id: session.to_string() }));
    }

    fn run_first(&self, session: &SessionId, source: String) -> Pending<()> {
        self.tell(Some(session), &AddScript { source, world_name: None, run_immediately: false })
    }

    fn navigate(&self, session: &SessionId, url: &str) -> Pending<Arrival> {
        let navigated = self.ask(Some(session), &Navigate { url: url.to_owned() });
        Pending::new(async move {
            let navigated = navigated.await?;
            let error = navigated.error_text.filter(|text| !text.is_empty());
            Ok(Arrival { error, is_download: navigated.is_download == Some(true) })
        })
    }

    fn stop(&self, session: &SessionId) {
        self.send(session, &StopLoading {});
    }

    fn reload(&self, session: &SessionId) -> Pending<()> {
        self.tell(Some(session), &Reload {})
    }

    fn history(&self, session: &SessionId) -> Pending<Past> {
        let history = self.ask(Some(session), &GetHistory {});
        Pending::new(async move {
            let history = history.await?;
            let entries = history.entries.into_iter().map(|entry| (entry.id, entry.url)).collect();
            Ok(Past { current: history.current_index, entries })
        })
    }

    fn go(&self, session: &SessionId, entry: i64) -> Pending<()> {
        self.tell(Some(session), &GoToEntry { entry_id: entry })
    }

    fn let_request(&self, session: &SessionId, request: &str, goes: bool) {
        let request_id = request.to_owned();
        if goes {
            self.send(session, &ContinueRequest { request_id, headers: None });
        } else {
            self.send(session, &FailRequest { request_id, error_reason: "BlockedByClient" });
        }
    }

    fn let_request_with(&self, session: &SessionId, request: &str, headers: &[(String, String)]) {
        let headers = Some(header_entries(headers));
        self.send(session, &ContinueRequest { request_id: request.to_owned(), headers });
    }

    fn answer_request(&self, session: &SessionId, request: &str, answer: &Mocked) {
        let fulfill = FulfillRequest {
            request_id: request.to_owned(),
            response_code: answer.status.into(),
            response_headers: header_entries(&answer.headers),
            body: STANDARD.encode(&answer.body),
        };
        self.send(session, &fulfill);
    }

    fn judge_requests(&self, session: &SessionId, on: bool) -> Pending<()> {
        match on {
            true => self.tell(Some(session), &FetchEnable { patterns: json!([{"urlPattern": "*"}]) }),
            false => self.tell(Some(session), &FetchDisable {}),
        }
    }

    fn request_body(&self, session: &SessionId, request: &str) -> Pending<String> {
        let got = self.ask(Some(session), &GetPostData { request_id: request.to_owned() });
        Pending::new(async move { Ok(got.await?.post_data) })
    }

    fn response_body(&self, session: &SessionId, request: &str) -> Pending<Vec<u8>> {
        let got = self.ask(Some(session), &GetResponseBody { request_id: request.to_owned() });
        Pending::new(async move {
            let ResponseBody { body, base64_encoded } = got.await?;
            if !base64_encoded {
                return Ok(body.into_bytes());
            }
            STANDARD.decode(body).map_err(|error| DriverError::Refused(error.to_string()))
        })
    }

    fn set_conditions(&self, session: &SessionId, conditions: &Conditions) -> Pending<()> {
        let features = conditions.features.iter().map(|(name, value)| json!({"name": name, "value": value})).collect();
        drop(self.ask(Some(session), &EmulateMedia { media: conditions.media.clone(), features }));
        // As fast as it is.
        let (download_throughput, upload_throughput) = (-1.0, -1.0);
        let network =
            EmulateNetwork { offline: conditions.offline, latency: 0.0, download_throughput, upload_throughput };
        self.tell(Some(session), &network)
    }

    fn answer_dialog(&self, session: &SessionId, accept: bool, text: Option<&str>) -> Pending<()> {
        self.tell(Some(session), &AnswerDialog { accept, prompt_text: text.map(str::to_owned) })
    }

    fn watch_drawing(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()> {
        match max_width {
            None => self.tell(Some(session), &StopCast {}),
            Some(width) => {
                // The height follows from the view's.
                let max_height = i64::from(width) * 4;
                let start = StartCast { format: "jpeg", quality: CAST_QUALITY, max_width: width.into(), max_height };
                self.tell(Some(session), &start)
            }
        }
    }

    fn let_draw(&self, session: &SessionId, picture: i64) {
        self.send(session, &FrameTaken { session_id: picture });
    }

    fn screenshot(&self, session: &SessionId, shot: &Shot) -> Pending<Vec<u8>> {
        let Shot { x, y, width, height, scale, .. } = *shot;
        let format = match shot.format {
            PictureFormat::Jpeg => "jpeg",
            PictureFormat::Webp => "webp",
            PictureFormat::Png => "png",
        };
        let take = CaptureScreenshot {
            format,
            quality: (shot.format != PictureFormat::Png).then(|| i64::from(shot.quality.min(100))),
            clip: Some(json!({"x": x, "y": y, "width": width, "height": height, "scale": scale})),
            optimize_for_speed: true,
            capture_beyond_viewport: shot.beyond.then_some(true),
        };
        let taken = self.ask(Some(session), &take);
        Pending::new(async move { bytes_of(taken.await?) })
    }

    fn print(&self, session: &SessionId) -> Pending<Vec<u8>> {
        let printed = self.ask(Some(session), &PrintToPdf { print_background: true, prefer_css_page_size: true });
        Pending::new(async move { bytes_of(printed.await?) })
    }

    fn resize(&self, session: &SessionId, width: u32, height: u32) -> Pending<()> {
        let (width, height) = (width.into(), height.into());
        self.tell(Some(session), &SetMetrics { width, height, device_scale_factor: 1.0, mobile: false })
    }

    fn make_world(&self, session: &SessionId, frame: &str) -> Pending<()> {
        let make = CreateWorld {
            frame_id: frame.to_owned(),
            world_name: Some(LATE_WORLD.into()),
            grant_univeral_access: false,
        };
        self.tell(Some(session), &make)
    }

    fn evaluate(&self, world: WorldRef<'_>, expression: String) -> Pending<Value> {
        let evaluate = Evaluate {
            expression,
            unique_context_id: Some(world.name.to_owned()),
            return_by_value: true,
            await_promise: true,
            user_gesture: false,
        };
        let evaluated = self.ask(Some(world.session), &evaluate);
        Pending::new(async move { value_of(evaluated.await?) })
    }

    fn evaluate_in_page(&self, session: &SessionId, script: &str) -> Pending<Value> {
        let evaluate =
            EvaluateInPage { expression: expression(script), repl_mode: true, await_promise: true, user_gesture: true };
        let evaluated = self.ask(Some(session), &evaluate);
        let (connection, session) = (self.connection.clone(), session.clone());
        Pending::new(async move {
            let evaluated = evaluated.await?;
            let Some(object_id) = evaluated.result.object_id.clone().filter(|_| evaluated.exception_details.is_none())
            else {
                return value_of(evaluated);
            };
            let of_it = if evaluated.result.r#type == "function" { "this()" } else { "this" };
            let call = CallFunctionOn {
                function_declaration: format!("async function(){{return await {of_it}}}"),
                object_id,
                return_by_value: true,
                await_promise: true,
                user_gesture: true,
                ..CallFunctionOn::default()
            };
            value_of(connection.call(Some(&session), &call).await?)
        })
    }

    fn call_in_page(&self, world: WorldRef<'_>, element: String, function: &str) -> Pending<Value> {
        let name = Some(world.name.to_owned());
        let find = Evaluate { expression: element, unique_context_id: name, ..Evaluate::default() };
        let found = self.ask(Some(world.session), &find);
        let (connection, session, script) = (self.connection.clone(), world.session.clone(), expression(function));
        Pending::new(async move {
            let object_id = found.await?.result.object_id.ok_or(DriverError::Left)?;
            let node = connection.call(Some(&session), &DescribeNode { object_id }).await?.node;
            // Without a world it is that of the page.
            let resolve = ResolveNode { backend_node_id: node.backend_node_id, execution_context_id: None };
            let object = connection.call(Some(&session), &resolve).await?.object;
            let call = CallFunctionOn {
                function_declaration: format!(
                    "async function(){{const given={script};return await(typeof given==='function'?given(this):given)}}"
                ),
                object_id: object.object_id.ok_or(DriverError::Left)?,
                return_by_value: true,
                await_promise: true,
                user_gesture: true,
                ..CallFunctionOn::default()
            };
            value_of(connection.call(Some(&session), &call).await?)
        })
    }

    fn with_closed_roots(&self, world: WorldRef<'_>, elements: String, function: &str) -> Pending<usize> {
        let described = self.ask(
            Some(world.session),
            &Describe {
                expression: elements,
                unique_context_id: Some(world.name.to_owned()),
                serialization_options: json!({
                    "serialization": "deep",
                    "maxDepth": 2,
                    "additionalParameters": {"maxNodeDepth": 0, "includeShadowTree": "all"},
                }),
            },
        );
        let (connection, session) = (self.connection.clone(), world.session.clone());
        let (number, function) = (world.number, function.to_owned());
        Pending::new(async move {
            let resolved = async |backend_node_id| {
                let resolve = ResolveNode { backend_node_id, execution_context_id: Some(number) };
                connection.call(Some(&session), &resolve).await?.object.object_id.ok_or(DriverError::Left)
            };
            let mut found = 0;
            for host in described.await?.result.deep_serialized_value.unwrap_or_default().value {
                let closed = host.value.shadow_root.filter(|root| root.value.mode.as_deref() == Some("closed"));
                let Some(root) = closed else { continue };
                let call = CallFunctionOn {
                    function_declaration: function.clone(),
                    object_id: resolved(host.value.backend_node_id).await?,
                    arguments: Some(json!([{"objectId": resolved(root.value.backend_node_id).await?}])),
                    ..CallFunctionOn::default()
                };
                value_of(connection.call(Some(&session), &call).await?)?;
                found += 1;
            }
            Ok(found)
        })
    }

    fn load(&self, world: WorldRef<'_>, source: String) -> Pending<()> {
        let name = Some(world.name.to_owned());
        self.tell(Some(world.session), &Evaluate { expression: source, unique_context_id: name, ..Evaluate::default() })
    }

    fn interrupt(&self, session: &SessionId) {
        self.send(session, &Terminate {});
    }

    fn of_owner(&self, world: WorldRef<'_>, frame: &str, function: &str) -> Pending<Value> {
        let owner = self.ask(Some(world.session), &GetFrameOwner { frame_id: frame.to_owned() });
        let (connection, session) = (self.connection.clone(), world.session.clone());
        let (number, function) = (world.number, function.to_owned());
        Pending::new(async move {
            let backend_node_id = owner.await?.backend_node_id;
            let resolve = ResolveNode { backend_node_id, execution_context_id: Some(number) };
            let object = connection.call(Some(&session), &resolve).await?.object;
            let call = CallFunctionOn {
                function_declaration: function,
                object_id: object.object_id.ok_or(DriverError::Left)?,
                return_by_value: true,
                ..CallFunctionOn::default()
            };
            value_of(connection.call(Some(&session), &call).await?)
        })
    }

    fn mouse(&self, session: &SessionId, at: Point, input: MouseInput) -> Pending<()> {
        let (button, bit) = match input.button {
            None => (None, 0),
            Some(Button::Left) => (Some("left"), 1),
            Some(Button::Right) => (Some("right"), 2),
            Some(Button::Middle) => (Some("middle"), 4),
        };
        let kind = match input.kind {
            MouseKind::Move => "mouseMoved",
            MouseKind::Down => "mousePressed",
            MouseKind::Up => "mouseReleased",
        };
        let mouse = Mouse {
            r#type: kind,
            x: at.x,
            y: at.y,
            button,
            buttons: Some(if input.held { bit } else { 0 }),
            click_count: Some(input.count),
            modifiers: Some(input.modifiers),
            ..Mouse::default()
        };
        self.tell(Some(session), &mouse)
    }

    fn wheel(&self, session: &SessionId, at: Point, across: f64, down: f64) -> Pending<()> {
        let (x, y, delta_x, delta_y) = (at.x, at.y, Some(across), Some(down));
        self.tell(Some(session), &Mouse { r#type: "mouseWheel", x, y, delta_x, delta_y, ..Mouse::default() })
    }

    fn key_down(&self, session: &SessionId, stroke: &Stroke, with_text: bool) -> Pending<()> {
        let text = stroke.text.clone().filter(|_| with_text);
        let kind = if text.is_some() { "keyDown" } else { "rawKeyDown" };
        self.tell(Some(session), &key(stroke, kind, text))
    }

    fn key_up(&self, session: &SessionId, stroke: &Stroke) -> Pending<()> {
        self.tell(Some(session), &key(stroke, "keyUp", None))
    }

    fn insert_text(&self, session: &SessionId, text: &str) -> Pending<()> {
        self.tell(Some(session), &InsertText { text: text.to_owned() })
    }

    fn intercept_drags(&self, session: &SessionId, on: bool) {
        self.send(session, &InterceptDrags { enabled: on });
    }

    fn drag(&self, session: &SessionId, at: Point, data: &Value, parts: &[Drag]) -> Pending<()> {
        let event = |part: &Drag| {
            let kind = match part {
                Drag::Enter => "dragEnter",
                Drag::Over => "dragOver",
                Drag::Drop => "drop",
                Drag::Leave => "dragCancel",
            };
            DragEvent { r#type: kind, x: at.x, y: at.y, data: data.clone(), modifiers: None }
        };
        let (connection, session) = (self.connection.clone(), session.clone());
        let events: Vec<DragEvent> = parts.iter().map(event).collect();
        Pending::new(async move {
            for event in &events {
                connection.call(Some(&session), event).await?;
            }
            Ok(())
        })
    }

    fn intercept_choosers(&self, session: &SessionId, on: bool) -> Pending<()> {
        self.tell(Some(session), &InterceptFileChooser { enabled: on })
    }

    fn set_files_of(&self, world: WorldRef<'_>, field: String, files: Vec<String>) -> Pending<()> {
        let name = Some(world.name.to_owned());
        let find = Evaluate { expression: field, unique_context_id: name, ..Evaluate::default() };
        let found = self.ask(Some(world.session), &find);
        let (connection, session) = (self.connection.clone(), world.session.clone());
        Pending::new(async move {
            let object_id = found.await?.result.object_id;
            connection.call(Some(&session), &SetFiles { files, backend_node_id: None, object_id }).await?;
            Ok(())
        })
    }

    fn set_files(&self, session: &SessionId, field: i64, files: Vec<String>) -> Pending<()> {
        self.tell(Some(session), &SetFiles { files, backend_node_id: Some(field), object_id: None })
    }
}
