//! Resolves targets to elements: refs by their document and number, other targets by a search in every frame.

use futures_util::future::join_all;
use legwork_observe::NodeKey;
use legwork_protocol::{ActionFailure, ElementBox, Target, TargetKind};

use crate::{
    Session,
    evaluate_error::EvaluateError,
    frame_tree::{ExecutionContext, FrameRef},
    page_script::{self as script, Corners, ElementQuery, Need, NotActionable, NthQuery},
};

/// The world in which to look for an element, and how the page identifies it.
#[derive(Clone, Debug)]
pub(crate) struct TargetQuery {
    pub(crate) exec_context: ExecutionContext,
    pub(crate) which: ElementQuery,
}

impl Session {
    /// Records the position of the action's first element, converted to the coordinates of the main frame.
    pub(crate) async fn note_element_box(&self, exec_context: &ExecutionContext, at: Option<Corners>) {
        let (Some(mut at), None) = (at, self.inner.state().element_box) else { return };
        let mut frame = exec_context.frame.clone();
        while let Some((document, element)) = self.inner.owner_of(&frame).await {
            let Some(outer) = self.inner.exec_context_of(frame.tab, NodeKey { document, element }) else { return };
            let [x, y, width, height, ..] = at;
            let frame_box = script::FrameBox { element, x, y, width, height };
            // If a frame is removed in the meantime, so is the element.
            let Ok(Some(outside)) = self.inner.call(&outer, frame_box).await else { return };
            at = outside;
            frame = FrameRef { tab: frame.tab, id: outer.frame.id };
        }
        let [x, y, width, height, across, down] = at;
        if width > 0.0 && height > 0.0 {
            self.inner.state().element_box = Some(ElementBox {
                x: x as i32,
                y: y as i32,
                width: width as u32,
                height: height as u32,
                view: [across as u32, down as u32],
            });
        }
    }

    /// Records the ref of the element that a name or a selector means. `shown` are the numbers under which an
    /// observation may show it.
    pub(crate) fn note_resolved(&self, exec_context: &ExecutionContext, target: &Target, shown: &[u32]) {
        if matches!(target.kind(), TargetKind::Ref(_)) {
            return;
        }
        let document = exec_context.document;
        let known = shown.iter().find_map(|element| self.refs.known(NodeKey { document, element: *element }));
        let mut state = self.inner.state();
        match known {
            Some(reference) => state.resolved.insert(target.0.clone(), reference.into()),
            None => state.resolved.remove(&target.0),
        };
    }

    /// Finds the frame of a target. If there is only one frame, the next call checks whether the element exists.
    pub(crate) async fn find(&self, tab: u32, target: &Target) -> Result<TargetQuery, EvaluateError> {
        if let TargetKind::Ref(reference) = target.kind() {
            let stale = || EvaluateError::Failed(ActionFailure::StaleRef { target: reference.to_string() });
            let node = self.refs.resolve(reference).ok_or_else(stale)?;
            let exec_context = self.inner.exec_context_of(tab, node).ok_or_else(stale)?;
            return Ok(TargetQuery { exec_context, which: ElementQuery::Element(node.element) });
        }
        let which = ElementQuery::of(target).expect("only refs have none, and they are dealt with above");
        let frames = self.inner.outer_frames(tab);
        if let [only] = frames.as_slice() {
            return Ok(TargetQuery { exec_context: self.inner.exec_context(only).await?, which });
        }
        match which {
            ElementQuery::Nth(nth) => self.find_nth(target, &frames, nth).await,
            which => self.find_in(target, &frames, &which).await,
        }
    }

    /// Finds one of the matches in all frames, in the order of the frames.
    async fn find_nth(
        &self,
        target: &Target,
        frames: &[FrameRef],
        NthQuery { query, nth }: NthQuery,
    ) -> Result<TargetQuery, EvaluateError> {
        let which = ElementQuery::Query(query.clone());
        let mut found = Vec::new();
        let mut near = Vec::new();
        for frame in frames {
            let exec_context = match self.inner.exec_context(frame).await {
                Ok(exec_context) => exec_context,
                // A frame that was removed in the meantime contains no match.
                Err(EvaluateError::ContextDestroyed) => continue,
                Err(trouble) => return Err(trouble),
            };
            let attached =
                script::CheckActionable { key: &self.inner.scripts.key, target: &which, need: Need::Attached };
            match self.inner.call(&exec_context, &attached).await.map(|checked| checked.result.ready()) {
                Ok(Ok(_)) => found.push((exec_context, 1)),
                Ok(Err(NotActionable::Ambiguous { count, .. })) => found.push((exec_context, count)),
                Ok(Err(NotActionable::NotFound { candidates })) => near.extend(candidates),
                Ok(Err(not)) => return Err(not.failure(&target.0).into()),
                Err(EvaluateError::ContextDestroyed) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let total: usize = found.iter().map(|(_, count)| count).sum();
        let from_end = usize::try_from(nth.unsigned_abs()).unwrap_or(usize::MAX);
        let mut position = if nth < 0 { total.checked_sub(from_end) } else { Some(from_end) };
        for (exec_context, count) in found {
            match position {
                Some(here) if here < count => {
                    let nth = i32::try_from(here).unwrap_or(i32::MAX);
                    return Ok(TargetQuery { exec_context, which: ElementQuery::Nth(NthQuery { query, nth }) });
                }
                later => position = later.map(|later| later - count),
            }
        }
        Err(ActionFailure::NotFound { target: target.0.clone(), candidates: near }.into())
    }

    async fn find_in(
        &self,
        target: &Target,
        frames: &[FrameRef],
        which: &ElementQuery,
    ) -> Result<TargetQuery, EvaluateError> {
        let check = script::CheckActionable { key: &self.inner.scripts.key, target: which, need: Need::Attached };
        let look = async |frame: &FrameRef| -> Result<_, EvaluateError> {
            let exec_context = self.inner.exec_context(frame).await?;
            let checked = self.inner.call(&exec_context, &check).await?;
            Ok(checked.result.ready().map(|ready| (exec_context, ready)))
        };
        let mut hits = Vec::new();
        let mut count = 0;
        let mut candidates = Vec::new();
        for looked in join_all(frames.iter().map(look)).await {
            match looked {
                Ok(Ok((exec_context, ready))) => {
                    count += 1;
                    candidates.push(ready.what);
                    hits.push((exec_context, ready.element));
                }
                Ok(Err(NotActionable::NotFound { candidates: near })) => {
                    if count == 0 {
                        candidates.extend(near);
                    }
                }
                Ok(Err(NotActionable::Ambiguous { count: several, candidates: found })) => {
                    count += several;
                    candidates.extend(found);
                }
                Ok(Err(not)) => return Err(not.failure(&target.0).into()),
                // A frame that was removed in the meantime contains no match.
                Err(EvaluateError::ContextDestroyed) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        match (hits.pop(), count) {
            (Some((exec_context, element)), 1) => {
                Ok(TargetQuery { exec_context, which: ElementQuery::Element(element) })
            }
            (_, 0) => Err(ActionFailure::NotFound { target: target.0.clone(), candidates }.into()),
            _ => Err(ActionFailure::Ambiguous { target: target.0.clone(), count, candidates }.into()),
        }
    }
}
