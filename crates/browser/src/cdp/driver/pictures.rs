//! Pictures of a page.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use super::Cdp;
use crate::{
    PictureFormat,
    cdp::wire::*,
    driver::{DriverError, Pending, Pictures, SessionId, Shot},
};

/// The quality of screencast pictures: sufficient to read text, at a few kilobytes each.
const CAST_QUALITY: i64 = 55;

fn bytes_of(drawn: Screenshot) -> Result<Vec<u8>, DriverError> {
    STANDARD.decode(drawn.data).map_err(|error| DriverError::Refused(error.to_string()))
}

impl Pictures for Cdp {
    fn start_screencast(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()> {
        match max_width {
            None => self.tell(Some(session), &StopCast {}),
            Some(width) => {
                // This exceeds the height of any usual view, so the height follows from the view's proportions.
                let max_height = i64::from(width) * 4;
                let start = StartCast { format: "jpeg", quality: CAST_QUALITY, max_width: width.into(), max_height };
                self.tell(Some(session), &start)
            }
        }
    }

    fn ack_screencast_frame(&self, session: &SessionId, picture: i64) {
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
}
