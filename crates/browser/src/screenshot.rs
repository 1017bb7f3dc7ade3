//! Pictures of the page with a maximum width. On request, elements are marked with boxes that show their refs, which
//! are in the page only while the picture is taken. Fields that hold a secret are drawn as dots from before the secret
//! is typed (`maskField`).

use std::collections::BTreeMap;

use futures_util::future::join_all;
use legwork_protocol::{ActionFailure, Target, TargetKind};

use crate::{
    Capability, Picture, PictureFormat, ScreenshotOptions, Session, Support,
    act::ActionScope,
    driver::Shot,
    evaluate_error::dialog_open,
    frame_tree::ExecutionContext,
    page_script::{self as script, Need, Rect},
    point::Point,
};

/// The most pixels of a side of a whole page, which is what browsers can draw at once.
const FULL_PAGE: u32 = 16_384;

impl Session {
    /// Takes a picture of the view, of the whole page, or of one element.
    ///
    /// # Errors
    /// If the element is not found, or the page cannot be drawn.
    pub async fn screenshot(&self, options: ScreenshotOptions) -> Result<Picture, ActionFailure> {
        let inner = &*self.inner;
        let tab = inner.current_tab()?;
        if let Some(dialog) = inner.state().dialogs.open_in(tab).cloned() {
            return Err(dialog_open(&dialog));
        }
        let frame = inner.main_frame(tab).ok_or(ActionFailure::Crashed)?;
        let exec_context = inner.exec_context(&frame).await?;
        let view = match &options.target {
            None if options.full_page => inner.call(&exec_context, script::PageRect { limit: FULL_PAGE }).await?,
            None => inner.call(&exec_context, script::ViewRect {}).await?,
            Some(target) => {
                let epoch = inner.state().begin_epoch();
                let scope = ActionScope { tab, epoch, awaits_answer: false };
                let (at, mut ready) = self.wait_actionable(scope.tab, target, Need::Scroll).await?;
                let size = inner.call(&at, script::ElementRect { element: ready.element }).await?;
                ready.point = Some(Point { x: size.x + size.width / 2.0, y: size.y + size.height / 2.0 });
                let middle = self.in_view(&at, &ready, target).await?;
                let scrolled = inner.call(&exec_context, script::ScrollPosition {}).await?;
                Rect {
                    x: middle.x - size.width / 2.0 + scrolled.0,
                    y: middle.y - size.height / 2.0 + scrolled.1,
                    ..size
                }
            }
        };
        let scales = self.inner.driver.capabilities().support(Capability::ScaledPictures) == Support::Full;
        let scale = if scales { (f64::from(options.max_width.max(1)) / view.width.max(1.0)).min(1.0) } else { 1.0 };
        let media_type = match options.format {
            PictureFormat::Jpeg => "image/jpeg",
            PictureFormat::Webp => "image/webp",
            PictureFormat::Png => "image/png",
        };
        let Rect { x, y, width, height } = view;
        let beyond = options.full_page && options.target.is_none();
        let shot = Shot { format: options.format, quality: options.quality, x, y, width, height, scale, beyond };
        let marked = self.draw_marks(tab, &options.marks).await;
        let session = self.tab_session(tab)?;
        let taken = inner.answer(tab, inner.driver.screenshot(&session, &shot), inner.options.timeouts.script).await;
        self.remove_marks(&marked).await;
        let bytes = taken?;
        let size = |length: f64| (length * scale).round().max(1.0) as u32;
        Ok(Picture { bytes, media_type, width: size(view.width), height: size(view.height) })
    }

    /// Draws boxes around elements, each in the world that contains it. Returns these worlds. Elements that are gone
    /// are not marked.
    async fn draw_marks(&self, tab: u32, marks: &[Target]) -> Vec<ExecutionContext> {
        let mut by_world: BTreeMap<String, (ExecutionContext, Vec<(u32, String)>)> = BTreeMap::new();
        for target in marks {
            let TargetKind::Ref(reference) = target.kind() else { continue };
            let Some(node) = self.refs.resolve(reference) else { continue };
            let Some(exec_context) = self.inner.exec_context_of(tab, node) else { continue };
            let of_world = by_world.entry(exec_context.context.clone()).or_insert_with(|| (exec_context, Vec::new()));
            of_world.1.push((node.element, reference.to_string()));
        }
        let draw = async |(exec_context, labels): &(ExecutionContext, Vec<(u32, String)>)| {
            self.inner.call(exec_context, script::DrawMarks { labels }).await
        };
        let worlds: Vec<(ExecutionContext, Vec<(u32, String)>)> = by_world.into_values().collect();
        // The marks are removed from each world even if drawing them failed.
        join_all(worlds.iter().map(draw)).await;
        worlds.into_iter().map(|(exec_context, _)| exec_context).collect()
    }

    async fn remove_marks(&self, places: &[ExecutionContext]) {
        let clean = |exec_context| self.inner.call(exec_context, script::RemoveMarks {});
        // A world that is gone has no marks left.
        join_all(places.iter().map(clean)).await;
    }
}
