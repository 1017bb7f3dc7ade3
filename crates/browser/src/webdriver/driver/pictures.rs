//! Pictures of a page. WebDriver draws the view as PNG; other formats and parts are drawn from it in the blank window
//! of the context.

use std::sync::Arc;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use super::{WebDriver, gone, refused};
use crate::{
    PictureFormat,
    driver::{DriverError, Pending, PictureSeries, Pictures, SessionId, Shot},
    driver_event::{DriverEvent, ScreencastPicture},
    webdriver::{context::Context, wire::CommandError},
};

/// The quality of screencast pictures: sufficient to read text, at a few kilobytes each.
const CAST_QUALITY: f64 = 0.55;

/// Starts to draw a part of a picture, whose size in CSS pixels is given, and keeps the result.
const DRAW: &str = "const[data,view,part,size,type,quality]=arguments,picture=new Image;window.drawn=null;\
    picture.onerror=()=>window.drawn='the picture cannot be read';\
    picture.onload=()=>{try{const scale=picture.naturalWidth/view;\
    const canvas=document.createElement('canvas');canvas.width=Math.max(Math.round(part.width*size),1);canvas.height=Math.max(Math.round(part.height*size),1);\
    canvas.getContext('2d').drawImage(picture,part.x*scale,part.y*scale,part.width*scale,part.height*scale,\
    0,0,canvas.width,canvas.height);window.drawn=canvas.toDataURL(type,quality)}catch(error){window.drawn=String(error)}};\
    picture.src='data:image/png;base64,'+data";

/// How long drawing may take.
const DRAWN: std::time::Duration = std::time::Duration::from_secs(5);

fn media_type(format: PictureFormat) -> &'static str {
    match format {
        PictureFormat::Png => "image/png",
        PictureFormat::Jpeg => "image/jpeg",
        PictureFormat::Webp => "image/webp",
    }
}

impl Context {
    /// A picture of the view, in base64.
    async fn view(&mut self, tab: &str) -> Result<String, CommandError> {
        self.wire.enter(tab, &[]).await?;
        let picture = self.wire.get("/screenshot").await?;
        Ok(picture.as_str().unwrap_or_default().to_owned())
    }

    /// Draws a part of a picture in another format, in base64. The picture is as wide as the view, and the part is
    /// drawn at a scale.
    async fn draw(
        &mut self,
        picture: &str,
        [view, scale]: [f64; 2],
        part: [f64; 4],
        kind: &str,
        quality: f64,
    ) -> Result<String, CommandError> {
        const PAUSE: std::time::Duration = std::time::Duration::from_millis(5);
        let anchor = self.anchor.clone();
        let [x, y, width, height] = part;
        let part = json!({"x": x, "y": y, "width": width, "height": height});
        self.script(&anchor, DRAW, json!([picture, view, part, scale, kind, quality])).await?;
        let begun = std::time::Instant::now();
        let drawn = loop {
            match self.script(&anchor, "return window.drawn", json!([])).await? {
                Value::String(drawn) => break drawn,
                _ if begun.elapsed() > DRAWN => {
                    return Err(DriverError::Timeout { ms: DRAWN.as_millis() as u64 }.into());
                }
                _ => tokio::time::sleep(PAUSE).await,
            }
        };
        let data = drawn.strip_prefix(&format!("data:{kind};base64,")).map(str::to_owned);
        let reason = || {
            DriverError::Refused(format!(
                "this browser draws no {kind}: {}",
                drawn.chars().take(80).collect::<String>()
            ))
        };
        Ok(data.ok_or_else(reason)?)
    }

    async fn size(&mut self, tab: &str) -> Result<[f64; 4], CommandError> {
        let size = self.script(tab, "return[innerWidth,innerHeight,scrollX,scrollY]", json!([])).await?;
        Ok([0, 1, 2, 3].map(|at| size[at].as_f64().unwrap_or_default()))
    }

    async fn shoot(&mut self, tab: &str, shot: Shot) -> Result<Vec<u8>, CommandError> {
        let [width, height, ..] = self.size(tab).await?;
        let whole = (shot.beyond && (shot.width > width || shot.height > height))
            .then_some((shot.width.max(width) as u32, shot.height.max(height) as u32));
        if let Some((across, down)) = whole {
            // The protocol draws only the view, so that the window is as large as the page meanwhile.
            self.resize(tab, across, down).await?;
        }
        let taken = self.part(tab, shot).await;
        if whole.is_some() {
            self.resize(tab, width as u32, height as u32).await?;
        }
        let picture = taken?;
        Ok(STANDARD.decode(picture).map_err(|error| DriverError::Refused(error.to_string()))?)
    }

    async fn part(&mut self, tab: &str, shot: Shot) -> Result<String, CommandError> {
        let picture = self.view(tab).await?;
        let [width, _, left, top] = self.size(tab).await?;
        let part = [shot.x - left, shot.y - top, shot.width, shot.height];
        self.draw(
            &picture,
            [width, shot.scale],
            part,
            media_type(shot.format),
            f64::from(shot.quality.min(100)) / 100.0,
        )
        .await
    }

    async fn cast(&mut self, tab: &str, number: i64, max_width: u32) -> Result<ScreencastPicture, CommandError> {
        let picture = self.view(tab).await?;
        let [width, height, ..] = self.size(tab).await?;
        let scale = (f64::from(max_width) / width.max(1.0)).min(1.0);
        let part = [0.0, 0.0, width, height];
        let picture = self.draw(&picture, [width, scale], part, "image/jpeg", CAST_QUALITY).await?;
        Ok(ScreencastPicture { number, picture, width, height })
    }
}

impl Pictures for WebDriver {
    fn start_screencast(&self, session: &SessionId, max_width: Option<u32>) -> Pending<()> {
        self.shared.casts.lock().remove(session);
        let Some(max_width) = max_width else { return super::done() };
        let Some(queue) = self.queue(session) else { return gone() };
        // There is no event for what is drawn, so the next picture is taken when the last one was acknowledged.
        let (shared, tab) = (Arc::downgrade(&self.shared), session.clone());
        let series = PictureSeries::start(|acknowledged| async move {
            for number in 0.. {
                let of = tab.to_string();
                let picture = queue
                    .in_tab(&tab, move |context| Box::pin(async move { context.cast(&of, number, max_width).await }));
                match picture.await {
                    Ok(picture) => {
                        let Some(shared) = shared.upgrade() else { return };
                        shared.report(Some(&tab), DriverEvent::ScreencastFrame(picture));
                    }
                    // A dialog was closed, or the page has been left; a closed tab ends this task.
                    Err(DriverError::TargetClosed) => {
                        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                        continue;
                    }
                    Err(_) => return,
                }
                acknowledged.notified().await;
            }
        });
        self.shared.casts.lock().insert(session.clone(), series);
        super::done()
    }

    fn ack_screencast_frame(&self, session: &SessionId, _picture: i64) {
        if let Some(cast) = self.shared.casts.lock().get(session) {
            cast.acknowledge();
        }
    }

    fn screenshot(&self, session: &SessionId, shot: &Shot) -> Pending<Vec<u8>> {
        let Some(queue) = self.queue(session) else { return gone() };
        let (tab, shot) = (session.to_string(), *shot);
        queue.in_tab(session, move |context| Box::pin(async move { context.shoot(&tab, shot).await }))
    }

    fn print(&self, _session: &SessionId) -> Pending<Vec<u8>> {
        refused("WebKitWebDriver has no command that prints a page")
    }

    fn resize(&self, session: &SessionId, width: u32, height: u32) -> Pending<()> {
        let Some(queue) = self.queue(session) else { return gone() };
        let tab = session.to_string();
        queue.in_tab(session, move |context| Box::pin(async move { context.resize(&tab, width, height).await }))
    }
}
