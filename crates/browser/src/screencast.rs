//! The screencast of the current tab: pictures as they arrive, of which only the newest is kept.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{Picture, Session, driver::SessionId, session_inner::SessionInner};

impl Session {
    /// Passes pictures of the current tab to `hand_on`, at most `max_width` pixels wide, whenever the tab is drawn but
    /// not more often than `not_more_often`. Secret fields are drawn as dots. It follows the current tab and runs until
    /// it is dropped.
    pub async fn watch(&self, max_width: u32, not_more_often: Duration, mut hand_on: impl FnMut(Picture)) {
        let inner = &*self.inner;
        let mut screencast = inner.screencast.subscribe();
        loop {
            let session = inner.current_session(None).await;
            let watching = Watching { inner: self.inner.clone(), session };
            if inner.driver.start_screencast(&watching.session, Some(max_width)).await.is_err() {
                // The tab was closed in the meantime; the next current tab is awaited.
                inner.current_session(Some(&watching.session)).await;
                continue;
            }
            let pictures = async {
                while screencast.changed().await.is_ok() {
                    let newest = screencast.borrow_and_update().clone();
                    let Some((_, picture)) = newest.filter(|(of, _)| *of == watching.session) else { continue };
                    if let Ok(bytes) = STANDARD.decode(&picture.picture) {
                        let scale = (f64::from(max_width) / picture.width.max(1.0)).min(1.0);
                        let size = |length: f64| (length * scale).round().max(1.0) as u32;
                        let (width, height) = (size(picture.width), size(picture.height));
                        hand_on(Picture { bytes, media_type: "image/jpeg", width, height });
                    }
                    // The browser sends the next picture only after an acknowledgement, so a page with a constant
                    // animation costs no more.
                    tokio::time::sleep(not_more_often).await;
                    inner.driver.ack_screencast_frame(&watching.session, picture.number);
                }
            };
            tokio::select! {
                () = pictures => return,
                _ = inner.current_session(Some(&watching.session)) => {}
            }
        }
    }
}

/// Ends the screencast of a tab when it is dropped.
struct Watching {
    inner: Arc<SessionInner>,
    session: SessionId,
}

impl Drop for Watching {
    fn drop(&mut self) {
        drop(self.inner.driver.start_screencast(&self.session, None));
    }
}

impl SessionInner {
    /// The session of the current tab, as soon as there is one other than `other_than`.
    async fn current_session(&self, other_than: Option<&SessionId>) -> SessionId {
        const LONG: Duration = Duration::from_secs(3600);
        loop {
            let current = self.within(LONG, |state| {
                let session = state.tabs.current()?.session();
                (Some(session) != other_than).then(|| session.clone())
            });
            if let Some(session) = current.await {
                return session;
            }
        }
    }
}
