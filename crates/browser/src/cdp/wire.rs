//! The methods and events of the protocol that are used, with the fields that are read. This is a table with one entry
//! per method, named as in the protocol's documentation, and therefore long.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

/// The names of Legwork's isolated world: one is created together with its document; the other is created afterwards
/// and does not contain the bundle yet.
pub(crate) const WORLD: &str = "legwork";
pub(crate) const LATE_WORLD: &str = "legwork-late";
/// The function with which the script in these worlds reports the inputs of a person (`injected/src/user-input.ts`).
pub(crate) const INPUT_BINDING: &str = "legworkReport";

/// A method and its result.
pub(crate) trait Command: Serialize {
    const METHOD: &'static str;
    type Returns: DeserializeOwned;
}

/// A result without content, or one whose content is not needed.
#[derive(Debug, Deserialize)]
pub(crate) struct Empty {}

macro_rules! commands {
    ($($method:literal $name:ident { $($field:ident: $type:ty),* $(,)? } -> $returns:ty;)*) => {$(
        #[derive(Debug, Default, Serialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name { $(#[serde(skip_serializing_if = "Skip::skip")] pub(crate) $field: $type),* }
        impl Command for $name {
            const METHOD: &'static str = $method;
            type Returns = $returns;
        }
    )*};
}

macro_rules! shapes {
    ($($name:ident { $($field:ident: $type:ty),* $(,)? })*) => {$(
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub(crate) struct $name { $(pub(crate) $field: $type),* }
    )*};
}

/// Determines which fields a command omits: those that are `None`.
trait Skip {
    fn skip(&self) -> bool {
        false
    }
}
impl<T> Skip for Option<T> {
    fn skip(&self) -> bool {
        self.is_none()
    }
}
impl Skip for String {}
impl Skip for bool {}
impl Skip for i32 {}
impl Skip for i64 {}
impl Skip for f64 {}
impl Skip for Value {}
impl Skip for &'static str {}
impl<T> Skip for Vec<T> {}

commands! {
    "Browser.getVersion" GetVersion {} -> Version;
    "Browser.close" CloseBrowser {} -> Empty;
    "Browser.setDownloadBehavior" SetDownloadBehavior {
        behavior: &'static str, browser_context_id: Option<String>, download_path: Option<String>, events_enabled: bool,
    } -> Empty;
    "Browser.cancelDownload" CancelDownload { guid: String, browser_context_id: Option<String> } -> Empty;

    "Target.createBrowserContext" CreateContext {
        dispose_on_detach: bool, proxy_server: Option<String>, proxy_bypass_list: Option<&'static str>,
    } -> CreatedContext;
    "Target.disposeBrowserContext" DisposeContext { browser_context_id: String } -> Empty;
    "Target.createTarget" CreateTarget { url: String, browser_context_id: Option<String>, width: Option<i64>, height: Option<i64> } -> CreatedTarget;
    "Target.closeTarget" CloseTarget { target_id: String } -> Empty;
    "Target.setAutoAttach" SetAutoAttach { auto_attach: bool, wait_for_debugger_on_start: bool, flatten: bool, filter: Option<Value> } -> Empty;
    "Target.setDiscoverTargets" SetDiscoverTargets { discover: bool, filter: Value } -> Empty;
    "Target.attachToTarget" AttachToTarget { target_id: &'static str, flatten: bool } -> AttachedSession;
    "Target.detachFromTarget" Detach { session_id: String } -> Empty;

    "Page.enable" PageEnable {} -> Empty;
    "Page.addScriptToEvaluateOnNewDocument" AddScript { source: String, world_name: Option<String>, run_immediately: bool } -> Empty;
    "Page.navigate" Navigate { url: String } -> Navigated;
    "Page.reload" Reload {} -> Empty;
    "Page.stopLoading" StopLoading {} -> Empty;
    "Page.getNavigationHistory" GetHistory {} -> History;
    "Page.navigateToHistoryEntry" GoToEntry { entry_id: i64 } -> Empty;
    "Page.handleJavaScriptDialog" AnswerDialog { accept: bool, prompt_text: Option<String> } -> Empty;
    "Page.createIsolatedWorld" CreateWorld { frame_id: String, world_name: Option<String>, grant_univeral_access: bool } -> CreatedWorld;
    "Page.bringToFront" BringToFront {} -> Empty;
    "Page.captureScreenshot" CaptureScreenshot { format: &'static str, quality: Option<i64>, clip: Option<Value>, optimize_for_speed: bool, capture_beyond_viewport: Option<bool> } -> Screenshot;
    "Page.printToPDF" PrintToPdf { print_background: bool, prefer_css_page_size: bool } -> Screenshot;
    "Page.startScreencast" StartCast { format: &'static str, quality: i64, max_width: i64, max_height: i64 } -> Empty;
    "Page.stopScreencast" StopCast {} -> Empty;
    "Page.screencastFrameAck" FrameTaken { session_id: i64 } -> Empty;
    "Page.setInterceptFileChooserDialog" InterceptFileChooser { enabled: bool } -> Empty;

    "Runtime.enable" RuntimeEnable {} -> Empty;
    "Runtime.addBinding" AddBinding { name: String, execution_context_name: Option<String> } -> Empty;
    "Runtime.runIfWaitingForDebugger" RunIfWaiting {} -> Empty;
    "Runtime.evaluate" Evaluate {
        expression: String, unique_context_id: Option<String>, return_by_value: bool, await_promise: bool, user_gesture: bool,
    } -> Evaluated;
    // The same method in the page's main world. The result may be a function, which is then called.
    "Runtime.evaluate" EvaluateInPage { expression: String, repl_mode: bool, await_promise: bool, user_gesture: bool } -> Evaluated;
    // The same method with a deep serialization of the result by the browser, which includes closed shadow roots.
    "Runtime.evaluate" Describe { expression: String, unique_context_id: Option<String>, serialization_options: Value } -> Described;
    "Runtime.callFunctionOn" CallFunctionOn {
        function_declaration: String, object_id: String, arguments: Option<Value>, return_by_value: bool, await_promise: bool,
        user_gesture: bool,
    } -> Evaluated;
    "Runtime.terminateExecution" Terminate {} -> Empty;

    "Log.enable" LogEnable {} -> Empty;

    "DOM.describeNode" DescribeNode { object_id: String } -> DescribedNode;
    "DOM.getFrameOwner" GetFrameOwner { frame_id: String } -> FrameOwner;
    "DOM.resolveNode" ResolveNode { backend_node_id: i64, execution_context_id: Option<i64> } -> ResolvedNode;
    "DOM.setFileInputFiles" SetFiles { files: Vec<String>, backend_node_id: Option<i64>, object_id: Option<String> } -> Empty;

    "Network.setBlockedURLs" SetBlockedUrls { urls: Vec<&'static str> } -> Empty;
    "Network.enable" NetworkEnable { max_total_buffer_size: i64, max_resource_buffer_size: i64 } -> Empty;
    "Network.getRequestPostData" GetPostData { request_id: String } -> PostData;
    "Network.getResponseBody" GetResponseBody { request_id: String } -> ResponseBody;
    "Network.deleteCookies" DeleteCookies { name: String, domain: String, path: String } -> Empty;
    "Network.emulateNetworkConditions" EmulateNetwork { offline: bool, latency: f64, download_throughput: f64, upload_throughput: f64 } -> Empty;
    "Fetch.enable" FetchEnable { patterns: Value } -> Empty;
    "Fetch.disable" FetchDisable {} -> Empty;
    "Fetch.continueRequest" ContinueRequest { request_id: String, headers: Option<Value> } -> Empty;
    "Fetch.fulfillRequest" FulfillRequest { request_id: String, response_code: i32, response_headers: Value, body: String } -> Empty;
    "Fetch.failRequest" FailRequest { request_id: String, error_reason: &'static str } -> Empty;
    "Storage.getCookies" GetCookies { browser_context_id: Option<String> } -> Cookies;
    "Storage.clearCookies" ClearCookies { browser_context_id: Option<String> } -> Empty;
    "Storage.setCookies" SetCookies { cookies: Value, browser_context_id: Option<String> } -> Empty;

    "Emulation.setFocusEmulationEnabled" EmulateFocus { enabled: bool } -> Empty;
    "Emulation.setDeviceMetricsOverride" SetMetrics { width: i64, height: i64, device_scale_factor: f64, mobile: bool } -> Empty;

    "Emulation.setEmulatedMedia" EmulateMedia { media: String, features: Value } -> Empty;

    "Input.dispatchMouseEvent" Mouse {
        r#type: &'static str, x: f64, y: f64, button: Option<&'static str>, buttons: Option<i32>, click_count: Option<i32>,
        modifiers: Option<i32>, delta_x: Option<f64>, delta_y: Option<f64>,
    } -> Empty;
    "Input.dispatchKeyEvent" Key {
        r#type: &'static str, modifiers: i32, text: Option<String>, unmodified_text: Option<String>, key: String, code: String,
        windows_virtual_key_code: i32, commands: Option<Vec<&'static str>>, location: Option<i32>,
    } -> Empty;
    "Input.insertText" InsertText { text: String } -> Empty;
    "Input.setInterceptDrags" InterceptDrags { enabled: bool } -> Empty;
    "Input.dispatchDragEvent" DragEvent { r#type: &'static str, x: f64, y: f64, data: Value, modifiers: Option<i32> } -> Empty;
}

shapes! {
    Version { product: String, protocol_version: String }
    CreatedContext { browser_context_id: String }
    CreatedTarget { target_id: String }
    AttachedSession { session_id: String }
    TargetInfo { target_id: String, r#type: String, title: String, url: String, opener_id: Option<String>, opener_frame_id: Option<String>, browser_context_id: Option<String> }
    Navigated { loader_id: Option<String>, error_text: Option<String>, is_download: Option<bool> }
    History { current_index: i64, entries: Vec<HistoryEntry> }
    HistoryEntry { id: i64, url: String, user_typed_url: String, transition_type: String }
    DialogClosed { result: bool, user_input: String }
    BindingCalled { name: String, payload: String, execution_context_id: i64 }
    CreatedWorld { execution_context_id: i64 }
    Screenshot { data: String }
    Evaluated { result: Remote, exception_details: Option<Exception> }
    Remote {
        r#type: String, subtype: Option<String>, value: Option<Value>, unserializable_value: Option<String>,
        description: Option<String>, preview: Option<Preview>, object_id: Option<String>,
    }
    Preview { r#type: String, subtype: Option<String>, description: Option<String>, overflow: bool, properties: Vec<PreviewProperty> }
    PreviewProperty { name: String, r#type: String, value: Option<String> }
    Described { result: DescribedRemote }
    DescribedRemote { deep_serialized_value: Option<DeepList> }
    DeepList { value: Vec<DeepNode> }
    DeepNode { value: DeepElement }
    DeepElement { backend_node_id: i64, mode: Option<String>, shadow_root: Option<Box<DeepNode>> }
    Exception { text: String, url: Option<String>, line_number: u32, stack_trace: Option<Stack>, exception: Option<Remote> }
    Stack { call_frames: Vec<CallFrame> }
    CallFrame { url: String, line_number: u32 }
    DescribedNode { node: FrameOwner }
    FrameOwner { backend_node_id: i64 }
    ResolvedNode { object: Remote }
    PostData { post_data: String }
    ResponseBody { body: String, base64_encoded: bool }
    Cookies { cookies: Vec<crate::storage_state::Cookie> }

    AttachedToTarget { session_id: String, target_info: TargetInfo, waiting_for_debugger: bool }
    DetachedFromTarget { session_id: String, target_id: Option<String> }
    TargetInfoChanged { target_info: TargetInfo }
    FrameAttached { frame_id: String, parent_frame_id: String }
    FrameDetached { frame_id: String, reason: String }
    FrameNavigated { frame: FrameInfo, r#type: String }
    FrameInfo { id: String, parent_id: Option<String>, loader_id: String, url: String, url_fragment: Option<String>, security_origin: String, unreachable_url: Option<String> }
    WithinDocument { frame_id: String, url: String }
    RequestedNavigation { frame_id: String, url: String, disposition: String }
    StartedNavigating { frame_id: String, url: String, loader_id: String, navigation_type: String }
    FrameOnly { frame_id: String }
    WindowOpen { url: String }
    DialogOpening { url: String, message: String, r#type: String, default_prompt: Option<String> }
    FileChooserOpened { frame_id: String, mode: String, backend_node_id: Option<i64> }
    ContextCreated { context: ContextInfo }
    ContextInfo { id: i64, unique_id: String, name: String, origin: String, aux_data: AuxData }
    AuxData { frame_id: String, is_default: bool }
    ContextDestroyed { execution_context_unique_id: String }
    ConsoleCalled { r#type: String, args: Vec<Remote>, stack_trace: Option<Stack> }
    ExceptionThrown { exception_details: Exception }
    EntryAdded { entry: LogEntry }
    LogEntry { source: String, level: String, text: String, url: String, line_number: Option<u32> }
    RequestSent {
        request_id: String, loader_id: String, timestamp: f64, r#type: Option<String>, frame_id: Option<String>, request: Request,
        redirect_response: Option<Response>,
    }
    Request { url: String, method: String, headers: Option<Box<RawValue>>, has_post_data: Option<bool>, post_data: Option<Box<str>> }
    ResponseReceived { request_id: String, loader_id: String, r#type: String, response: Response, frame_id: Option<String> }
    Response { status: u16, url: String, mime_type: String, headers: Option<Box<RawValue>> }
    LoadingEnded {
        request_id: String, timestamp: f64, encoded_data_length: f64, error_text: Option<String>, canceled: Option<bool>,
        blocked_reason: Option<String>,
    }
    SocketCreated { request_id: String, url: String }
    SocketAnswered { request_id: String, response: Response }
    SocketFailed { request_id: String, timestamp: f64, error_message: String }
    SocketClosed { request_id: String, timestamp: f64 }
    RequestPaused { request_id: String, request: Request, frame_id: String, resource_type: String }
    DownloadWillBegin { frame_id: String, guid: String, url: String, suggested_filename: String }
    DownloadProgress { guid: String, total_bytes: f64, received_bytes: f64, state: String }
    DragIntercepted { data: Value }
    ScreencastFrame { data: String, metadata: FrameMetadata, session_id: i64 }
    FrameMetadata { device_width: f64, device_height: f64 }
}
