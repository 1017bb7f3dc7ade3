//! Converts DevTools events to driver events.

use legwork_protocol::DialogKind;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::{console, lossy::decode, requests, wire::*};
use crate::driver_event::{Document, DownloadState, DriverEvent, NewTab, PausedRequest, ScreencastPicture, WorkerKind};

/// The driver event for a DevTools event; `None` if it is not needed.
pub(crate) fn read(session: Option<&str>, method: &str, params: &RawValue) -> Option<DriverEvent> {
    match session {
        None => of_browser(method, params),
        Some(_) => of_page(method, params),
    }
}

pub(super) fn shape<T: DeserializeOwned>(params: &RawValue) -> Option<T> {
    decode(params.get().as_bytes()).inspect_err(|error| tracing::debug!(%error, "an event of another shape")).ok()
}

fn of_browser(method: &str, params: &RawValue) -> Option<DriverEvent> {
    Some(match method {
        "Target.attachedToTarget" => {
            let AttachedToTarget { session_id, target_info: info, .. } = shape(params)?;
            let worker = match info.r#type.as_str() {
                "service_worker" => Some(WorkerKind::Service),
                "shared_worker" => Some(WorkerKind::Shared),
                _ => None,
            };
            if let Some(kind) = worker {
                return Some(DriverEvent::WorkerAttached {
                    session: session_id.into(),
                    kind,
                    url: info.url,
                    context: info.browser_context_id,
                });
            }
            DriverEvent::TabCreated(NewTab {
                session: session_id.into(),
                tab: info.target_id,
                context: info.browser_context_id,
                opener: info.opener_id,
                opener_frame: info.opener_frame_id,
                url: info.url,
                title: info.title,
            })
        }
        "Target.detachedFromTarget" => {
            let gone: DetachedFromTarget = shape(params)?;
            DriverEvent::SessionDetached { session: gone.session_id }
        }
        "Target.targetInfoChanged" => {
            let changed: TargetInfoChanged = shape(params)?;
            DriverEvent::TabTitled { tab: changed.target_info.target_id, title: changed.target_info.title }
        }
        "Browser.downloadWillBegin" => {
            let begun: DownloadWillBegin = shape(params)?;
            let DownloadWillBegin { frame_id, guid, url, suggested_filename } = begun;
            DriverEvent::DownloadStarted { download: guid, frame: frame_id, url, name: suggested_filename }
        }
        "Browser.downloadProgress" => {
            let progress: DownloadProgress = shape(params)?;
            let state = match progress.state.as_str() {
                "completed" => DownloadState::Completed,
                "canceled" => DownloadState::Canceled,
                _ => DownloadState::InProgress,
            };
            let size = progress.received_bytes.max(progress.total_bytes);
            DriverEvent::DownloadProgress { download: progress.guid, size, state }
        }
        _ => return None,
    })
}

fn of_page(method: &str, params: &RawValue) -> Option<DriverEvent> {
    Some(match method {
        "Target.attachedToTarget" => {
            let AttachedToTarget { session_id, target_info: info, .. } = shape(params)?;
            let session = session_id.into();
            if info.r#type == "worker" {
                let (kind, context) = (WorkerKind::Dedicated, info.browser_context_id);
                return Some(DriverEvent::WorkerAttached { session, kind, url: info.url, context });
            }
            if info.r#type != "iframe" {
                return Some(DriverEvent::OtherAttached { session });
            }
            DriverEvent::FrameAttached { session, frame: info.target_id, url: info.url }
        }
        "Target.detachedFromTarget" => {
            let gone: DetachedFromTarget = shape(params)?;
            DriverEvent::SessionDetached { session: gone.session_id }
        }
        "Runtime.executionContextCreated" => {
            let ContextCreated { context } = shape(params)?;
            let ready = context.name == WORLD;
            if !ready && context.name != LATE_WORLD {
                return None;
            }
            let ContextInfo { unique_id: world, id: number, origin, aux_data, .. } = context;
            DriverEvent::ContextCreated { frame: aux_data.frame_id, world, number, origin, ready }
        }
        "Runtime.executionContextDestroyed" => {
            let gone: ContextDestroyed = shape(params)?;
            DriverEvent::ContextDestroyed { world: gone.execution_context_unique_id }
        }
        "Runtime.executionContextsCleared" => DriverEvent::ContextsCleared,
        "Page.frameAttached" => {
            let attached: FrameAttached = shape(params)?;
            DriverEvent::FrameAdded { frame: attached.frame_id, parent: attached.parent_frame_id }
        }
        "Page.frameDetached" => {
            let detached: FrameDetached = shape(params)?;
            // A swap means that the frame continues in another process, whose session is attached separately.
            if detached.reason == "swap" {
                return None;
            }
            DriverEvent::FrameRemoved { frame: detached.frame_id }
        }
        "Page.frameNavigated" => {
            let FrameNavigated { frame, r#type } = shape(params)?;
            let unreachable = frame.unreachable_url.is_some();
            let address = frame.unreachable_url.unwrap_or(frame.url);
            DriverEvent::FrameNavigated(Document {
                frame: frame.id,
                parent: frame.parent_id,
                document: frame.loader_id,
                url: address + frame.url_fragment.as_deref().unwrap_or(""),
                kept: r#type == "BackForwardCacheRestore",
                unreachable,
            })
        }
        "Page.navigatedWithinDocument" => {
            let moved: WithinDocument = shape(params)?;
            DriverEvent::FrameUrlChanged { frame: moved.frame_id, url: moved.url }
        }
        "Page.frameRequestedNavigation" => {
            let asked: RequestedNavigation = shape(params)?;
            // Other schemes open other programs, so no document follows.
            let document = ["http:", "https:", "about:", "blob:"].iter().any(|scheme| asked.url.starts_with(scheme));
            if asked.disposition != "currentTab" || !document {
                return None;
            }
            DriverEvent::FrameNavigationStarted { frame: asked.frame_id }
        }
        "Page.frameStartedNavigating" => {
            let started: StartedNavigating = shape(params)?;
            if started.navigation_type.to_ascii_lowercase().contains("samedocument") {
                return None;
            }
            DriverEvent::FrameNavigationStarted { frame: started.frame_id }
        }
        "Page.frameStartedLoading" => {
            let which: FrameOnly = shape(params)?;
            DriverEvent::FrameLoading { frame: which.frame_id }
        }
        "Page.frameStoppedLoading" | "Page.frameClearedScheduledNavigation" => {
            let which: FrameOnly = shape(params)?;
            DriverEvent::FrameStopped { frame: which.frame_id, loaded: method == "Page.frameStoppedLoading" }
        }
        "Page.domContentEventFired" => DriverEvent::DocumentParsed { whole: false },
        "Page.loadEventFired" => DriverEvent::DocumentParsed { whole: true },
        "Page.windowOpen" => {
            let opening: WindowOpen = shape(params)?;
            DriverEvent::WindowOpenRequested { url: opening.url }
        }
        "Page.javascriptDialogOpening" => {
            let opening: DialogOpening = shape(params)?;
            let kind = match opening.r#type.as_str() {
                "alert" => DialogKind::Alert,
                "confirm" => DialogKind::Confirm,
                "prompt" => DialogKind::Prompt,
                _ => DialogKind::Beforeunload,
            };
            DriverEvent::DialogOpened { kind, message: opening.message }
        }
        "Page.javascriptDialogClosed" => {
            let closed: DialogClosed = shape(params)?;
            DriverEvent::DialogClosed { accepted: closed.result, text: closed.user_input }
        }
        "Runtime.bindingCalled" => {
            let called: BindingCalled = shape(params)?;
            DriverEvent::InputReported { world: called.execution_context_id, report: called.payload }
        }
        "Page.fileChooserOpened" => {
            let opened: FileChooserOpened = shape(params)?;
            DriverEvent::ChooserOpened {
                field: opened.backend_node_id.map(|node| node.to_string()),
                multiple: opened.mode == "selectMultiple",
            }
        }
        "Input.dragIntercepted" => {
            let intercepted: DragIntercepted = shape(params)?;
            DriverEvent::DragIntercepted { data: intercepted.data }
        }
        "Page.screencastFrame" => {
            let ScreencastFrame { data: picture, metadata, session_id: number } = shape(params)?;
            let FrameMetadata { device_width: width, device_height: height } = metadata;
            DriverEvent::ScreencastFrame(ScreencastPicture { number, picture, width, height })
        }
        "Inspector.targetCrashed" => DriverEvent::Crashed,
        "Fetch.requestPaused" => {
            let RequestPaused { request_id: request, request: sent, frame_id: frame, resource_type: kind } =
                shape(params)?;
            let Request { url, method, headers, post_data, .. } = sent;
            DriverEvent::RequestPaused(PausedRequest {
                request,
                method,
                url,
                headers: headers.map(Into::into),
                body: post_data,
                frame,
                is_document: kind == "Document",
                is_beacon: matches!(kind.as_str(), "Ping" | "CSPViolationReport"),
            })
        }
        _ if method.starts_with("Network.") => return requests::read(method, params),
        _ => return console::read(method, params).map(DriverEvent::ConsoleMessage),
    })
}
