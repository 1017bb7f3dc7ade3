//! Pictures of a page.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::Bidi;
use crate::{
    PictureFormat,
    driver::{DriverError, Pending, PictureSeries, Pictures, SessionId, Shot},
    driver_event::{DriverEvent, ScreencastPicture},
};

/// The quality of screencast pictures: sufficient to read text, at a few kilobytes each.
const CAST_QUALITY: f64 = 0.55;

fn bytes_of(drawn: &Value) -> Result<Vec<u8>, DriverError> {
    let data = drawn["data"].as_str().unwrap_or_default();
    STANDARD.decode(data).map_err(|error| DriverError::Refused(error.to_string()))
}

impl Pictures for Bidi {
    fn start_screencast(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()> {
        self.inner.casts.lock().remove(session);
        if max_width.is_none() {
            return Pending::new(async { Ok(()) });
        }
        // There is no event for what is drawn, so the next picture is taken when the last one was acknowledged.
        let (me, tab) = (self.inner.me.clone(), session.clone());
        let series = PictureSeries::start(|acknowledged| async move {
            let take = json!({
                "context": &*tab,
                "format": {"type": "image/jpeg", "quality": CAST_QUALITY},
            });
            for number in 0.. {
                let Some(inner) = me.upgrade() else { return };
                let Ok(picture) = inner.connection.call(Some(&tab), "browsingContext.captureScreenshot", &take).await
                else {
                    return;
                };
                let size = json!({
                    "expression": "`${innerWidth} ${innerHeight}`", "awaitPromise": false,
                    "target": {"context": &*tab, "sandbox": super::DRIVER_WORLD},
                });
                let Ok(size) = inner.connection.call(Some(&tab), "script.evaluate", &size).await else { return };
                let (width, height) = size["result"]["value"]
                    .as_str()
                    .and_then(|size| size.split_once(' '))
                    .and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)))
                    .unwrap_or_default();
                let picture = picture["data"].as_str().unwrap_or_default().to_owned();
                let picture = ScreencastPicture { number, picture, width, height };
                inner.report(Some(&tab), DriverEvent::ScreencastFrame(picture));
                drop(inner);
                acknowledged.notified().await;
            }
        });
        self.inner.casts.lock().insert(session.clone(), series);
        Pending::new(async { Ok(()) })
    }

    fn ack_screencast_frame(&self, session: &SessionId, _picture: i64) {
        if let Some(cast) = self.inner.casts.lock().get(session) {
            cast.acknowledge();
        }
    }

    fn screenshot(&self, session: &SessionId, shot: &Shot) -> Pending<Vec<u8>> {
        let format = match shot.format {
            PictureFormat::Png => json!({"type": "image/png"}),
            lossy => {
                let kind = if lossy == PictureFormat::Jpeg { "image/jpeg" } else { "image/webp" };
                json!({"type": kind, "quality": f64::from(shot.quality.min(100)) / 100.0})
            }
        };
        let clip = json!({"type": "box", "x": shot.x, "y": shot.y, "width": shot.width, "height": shot.height});
        let params = json!({"context": &**session, "origin": "document", "format": format, "clip": clip});
        let taken = self.ask(Some(session), "browsingContext.captureScreenshot", &params);
        Pending::new(async move { bytes_of(&taken.await?) })
    }

    fn print(&self, session: &SessionId) -> Pending<Vec<u8>> {
        let printed =
            self.ask(Some(session), "browsingContext.print", &json!({"context": &**session, "background": true}));
        Pending::new(async move { bytes_of(&printed.await?) })
    }

    fn resize(&self, session: &SessionId, width: u32, height: u32) -> Pending<()> {
        let params = json!({"context": &**session, "viewport": {"width": width, "height": height}});
        self.tell(Some(session), "browsingContext.setViewport", &params)
    }
}
