//! The frames of a tab and the worlds in their documents. [`FrameTree`] owns what is known of them: events change it
//! through its methods, and everything else asks it.

use std::collections::HashMap;

use legwork_observe::DocumentKey;

use crate::{
    driver::{ContextRef, SessionId},
    driver_event::Document,
};

/// A frame of a tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FrameRef {
    pub(crate) tab: u32,
    pub(crate) id: String,
}

/// An isolated world in which scripts are evaluated.
#[derive(Clone, Debug)]
pub(crate) struct ExecutionContext {
    pub(crate) frame: FrameRef,
    pub(crate) session: SessionId,
    pub(crate) context: String,
    pub(crate) context_id: i64,
    pub(crate) document: DocumentKey,
}

impl ExecutionContext {
    pub(crate) fn context_ref(&self) -> ContextRef<'_> {
        ContextRef { session: &self.session, name: &self.context, number: self.context_id }
    }
}

/// The element of a frame: the document that contains it, and its number there.
pub(crate) type FrameOwner = (DocumentKey, u32);

/// The frames of a tab.
pub(crate) struct FrameTree {
    /// The main frame, whose identifier is that of its target.
    main: String,
    frames: HashMap<String, Frame>,
}

/// A frame, including the main frame.
#[derive(Default)]
struct Frame {
    parent: Option<String>,
    session: Option<SessionId>,
    url: String,
    origin: String,
    /// The document, by the name of its request; empty before the first one.
    loader: String,
    world: Option<IsolatedWorld>,
    /// Its element in its parent's world.
    owner: Option<FrameOwner>,
    navigating: bool,
    loading: bool,
    parsed: bool,
}

/// The isolated world of Legwork in a document.
pub(crate) struct IsolatedWorld {
    pub(crate) context: String,
    pub(crate) id: i64,
    pub(crate) document: DocumentKey,
    /// Whether the bundle runs in it.
    pub(crate) ready: bool,
    /// Whether its document was captured before.
    pub(crate) read: bool,
}

impl Frame {
    fn new(parent: Option<String>, session: SessionId) -> Self {
        Frame { parent, session: Some(session), ..Frame::default() }
    }

    fn is_of(&self, session: &str) -> bool {
        self.session.as_deref() == Some(session)
    }

    /// Whether one world reads both documents.
    fn is_read_with(&self, other: &Frame) -> bool {
        self.session == other.session && self.origin == other.origin
    }
}

impl FrameTree {
    pub(crate) fn new(main: String, session: SessionId, url: String) -> Self {
        let frame = Frame { url, ..Frame::new(None, session) };
        FrameTree { frames: [(main.clone(), frame)].into(), main }
    }

    fn main(&self) -> Option<&Frame> {
        self.frames.get(&self.main)
    }

    pub(crate) fn is_main(&self, frame: &str) -> bool {
        self.main == frame
    }

    pub(crate) fn contains(&self, frame: &str) -> bool {
        self.frames.contains_key(frame)
    }

    /// The address of the main frame.
    pub(crate) fn url(&self) -> &str {
        self.main().map_or("", |frame| &frame.url)
    }

    /// The sessions of the frames.
    pub(crate) fn sessions(&self) -> impl Iterator<Item = &SessionId> {
        self.frames.values().filter_map(|frame| frame.session.as_ref())
    }

    pub(crate) fn session_of(&self, frame: &str) -> Option<&SessionId> {
        self.frames.get(frame)?.session.as_ref()
    }

    pub(crate) fn parent_of(&self, frame: &str) -> Option<&str> {
        self.frames.get(frame)?.parent.as_deref()
    }

    /// Whether the tab is navigating to another document, or its document is not loaded yet.
    pub(crate) fn is_loading(&self) -> bool {
        self.main().is_some_and(|frame| frame.navigating || frame.loading)
    }

    /// Whether the main frame stays and its document has been parsed. `None` if there is no main frame.
    pub(crate) fn is_parsed(&self) -> Option<bool> {
        self.main().map(|frame| !frame.navigating && frame.parsed)
    }

    /// Whether the main frame stays and its document has been parsed, or was loaded without a parse event.
    pub(crate) fn is_parsed_or_loaded(&self) -> Option<bool> {
        self.main().map(|frame| !frame.navigating && (frame.parsed || !frame.loading))
    }

    /// Whether the main frame has had no document but the blank one that it began with.
    pub(crate) fn is_new(&self) -> bool {
        self.main().is_some_and(|frame| frame.loader.is_empty())
    }

    /// Whether there is a world in the main frame.
    pub(crate) fn has_main_world(&self) -> bool {
        self.main().is_some_and(|frame| frame.world.is_some())
    }

    /// Whether two frames have the same origin. An opaque origin is like no other, not even like another that is
    /// opaque.
    pub(crate) fn have_same_origin(&self, one: &str, other: &str) -> bool {
        let origin = |id: &str| self.frames.get(id).map(|frame| frame.origin.as_str());
        origin(one).is_some_and(|of| of.starts_with("http") && Some(of) == origin(other))
    }

    /// The frames that need their own capture because that of their parent does not include them: the main frame, and
    /// frames whose origin or process differs from their parent's. Parents precede their children.
    pub(crate) fn outer_frames(&self) -> Vec<String> {
        let mut found: Vec<(usize, &String)> = Vec::new();
        let parent = |frame: &Frame| frame.parent.as_ref().and_then(|parent| self.frames.get(parent));
        for (id, frame) in &self.frames {
            if parent(frame).is_none_or(|parent| !parent.is_read_with(frame)) {
                let mut depth = 0;
                let mut at = frame;
                while let Some(parent) = parent(at) {
                    depth += 1;
                    at = parent;
                    if depth > 64 {
                        break;
                    }
                }
                found.push((depth, id));
            }
        }
        found.sort();
        found.into_iter().map(|(_, frame)| frame.clone()).collect()
    }

    /// The frame in whose world this one is captured: the frame itself, or its outermost ancestor of the same origin
    /// and process.
    pub(crate) fn outermost(&self, frame: &str) -> Option<String> {
        let mut id = frame;
        loop {
            let found = self.frames.get(id)?;
            match found.parent.as_ref().and_then(|parent| Some((parent, self.frames.get(parent)?))) {
                Some((parent, above)) if above.is_read_with(found) => id = parent,
                _ => return Some(id.to_owned()),
            }
        }
    }

    /// Our world in a frame's document, when the bundle runs in it.
    pub(crate) fn exec_context(&self, tab: u32, frame: &str) -> Option<ExecutionContext> {
        let found = self.frames.get(frame)?;
        let world = found.world.as_ref().filter(|world| world.ready)?;
        Some(ExecutionContext {
            frame: FrameRef { tab, id: frame.to_owned() },
            session: found.session.clone()?,
            context: world.context.clone(),
            context_id: world.id,
            document: world.document,
        })
    }

    /// Our world in a document, when the bundle runs in it.
    pub(crate) fn exec_context_of(&self, tab: u32, document: DocumentKey) -> Option<ExecutionContext> {
        let shows = |frame: &Frame| frame.world.as_ref().is_some_and(|world| world.document == document);
        let (id, _) = self.frames.iter().find(|(_, frame)| shows(frame))?;
        self.exec_context(tab, id)
    }

    /// The frame whose world has a number, among those of a session, and the document in it.
    pub(crate) fn by_world(&self, session: &str, number: i64) -> Option<(&str, DocumentKey)> {
        let has_world =
            |frame: &Frame| frame.is_of(session) && frame.world.as_ref().is_some_and(|world| world.id == number);
        let (id, frame) = self.frames.iter().find(|(_, frame)| has_world(frame))?;
        Some((id, frame.world.as_ref()?.document))
    }

    /// The document of the main frame.
    pub(crate) fn main_document(&self) -> Option<DocumentKey> {
        Some(self.main()?.world.as_ref()?.document)
    }

    /// Our world in a frame's document, whether or not the bundle runs in it: its name and number.
    pub(crate) fn world_of(&self, frame: &str) -> Option<(String, i64)> {
        self.frames.get(frame)?.world.as_ref().map(|world| (world.context.clone(), world.id))
    }

    /// The documents that the frames show now.
    pub(crate) fn documents(&self) -> impl Iterator<Item = DocumentKey> {
        self.frames.values().filter_map(|frame| frame.world.as_ref().map(|world| world.document))
    }

    pub(crate) fn owner_of(&self, frame: &str) -> Option<FrameOwner> {
        self.frames.get(frame)?.owner
    }

    pub(crate) fn set_owner(&mut self, frame: &str, owner: FrameOwner) -> Option<()> {
        self.frames.get_mut(frame)?.owner = Some(owner);
        Some(())
    }

    /// Notes that a document is read; whether it was not read before.
    pub(crate) fn note_read(&mut self, frame: &str, document: DocumentKey) -> bool {
        let world = self.frames.get_mut(frame).and_then(|frame| frame.world.as_mut());
        world.filter(|world| world.document == document).is_some_and(|world| !std::mem::replace(&mut world.read, true))
    }

    pub(crate) fn world_created(&mut self, frame: &str, origin: String, world: IsolatedWorld) -> Option<()> {
        let frame = self.frames.get_mut(frame)?;
        frame.origin = origin;
        frame.world = Some(world);
        Some(())
    }

    /// The bundle was loaded into a world.
    pub(crate) fn world_loaded(&mut self, frame: &str, context: &str) {
        if let Some(frame) = self.frames.get_mut(frame)
            && let Some(world) = frame.world.as_mut().filter(|world| world.context == context)
        {
            world.ready = true;
        }
    }

    pub(crate) fn world_destroyed(&mut self, context: &str) {
        for frame in self.frames.values_mut() {
            frame.world.take_if(|world| world.context == context);
        }
    }

    /// The worlds of all frames of a session are gone.
    pub(crate) fn worlds_cleared(&mut self, session: &str) {
        for frame in self.frames.values_mut().filter(|frame| frame.is_of(session)) {
            frame.world = None;
        }
    }

    pub(crate) fn add(&mut self, frame: String, parent: String, session: &str) {
        self.frames.entry(frame).or_insert_with(|| Frame::new(Some(parent), session.into()));
    }

    /// Removes a frame and its descendants.
    pub(crate) fn remove(&mut self, frame: &str) {
        let mut gone = vec![frame.to_owned()];
        while let Some(id) = gone.pop() {
            self.frames.remove(&id);
            gone.extend(self.children(&id));
        }
    }

    fn children(&self, frame: &str) -> Vec<String> {
        let is_child = |child: &&Frame| child.parent.as_deref() == Some(frame);
        self.frames.iter().filter(|(_, child)| is_child(child)).map(|(id, _)| id.clone()).collect()
    }

    /// Forgets the frames of a session that has ended.
    pub(crate) fn remove_session(&mut self, session: &str) {
        self.frames.retain(|_, frame| !frame.is_of(session));
    }

    /// A frame is now of another process.
    pub(crate) fn moved(&mut self, frame: &str, session: SessionId, url: String) -> Option<()> {
        let frame = self.frames.get_mut(frame)?;
        frame.session = Some(session);
        frame.world = None;
        frame.url = url;
        Some(())
    }

    /// A frame has another document. Returns its previous URL.
    pub(crate) fn navigated(&mut self, session: &str, new: &Document) -> String {
        let frame =
            self.frames.entry(new.frame.clone()).or_insert_with(|| Frame::new(new.parent.clone(), session.into()));
        // The frame keeps its world: it may already be that of the new document, but never that of the old one.
        frame.session = Some(session.into());
        frame.navigating = false;
        frame.parsed = false;
        frame.loading = !new.kept;
        frame.loader.clone_from(&new.document);
        let from = std::mem::replace(&mut frame.url, new.url.clone());
        for child in self.children(&new.frame) {
            self.remove(&child);
        }
        from
    }

    /// The URL of a frame changed within its document. Returns the previous URL.
    pub(crate) fn url_changed(&mut self, frame: &str, url: &str) -> Option<String> {
        let frame = self.frames.get_mut(frame)?;
        frame.navigating = false;
        Some(std::mem::replace(&mut frame.url, url.to_owned()))
    }

    /// A frame is about to go to another document.
    pub(crate) fn navigation_started(&mut self, frame: &str) {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.navigating = true;
        }
    }

    /// The main frame is about to go to another document.
    pub(crate) fn main_navigation_started(&mut self) {
        if let Some(frame) = self.frames.get_mut(&self.main) {
            frame.navigating = true;
        }
    }

    /// No frame goes to another document after all.
    pub(crate) fn navigation_cancelled(&mut self) {
        for frame in self.frames.values_mut() {
            frame.navigating = false;
        }
    }

    pub(crate) fn loading_started(&mut self, frame: &str) {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.loading = true;
        }
    }

    /// A frame stopped, with its document loaded or not.
    pub(crate) fn stopped(&mut self, frame: &str, loaded: bool) {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.navigating = false;
            frame.loading &= !loaded;
        }
    }

    /// The document of a session's outermost frame was parsed, and with `whole` everything in it was loaded.
    pub(crate) fn parsed(&mut self, session: &str, whole: bool) {
        if let Some(frame) = self.frames.values_mut().find(|frame| frame.is_of(session) && frame.parent.is_none()) {
            frame.parsed = true;
            frame.loading &= !whole;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn navigated(frame: &str, parent: Option<&str>) -> Document {
        let url = format!("http://{frame}.test/");
        let (frame, parent) = (frame.to_owned(), parent.map(str::to_owned));
        Document { frame, parent, document: "d".to_owned(), url, kept: false, unreachable: false }
    }

    fn world(number: u64) -> IsolatedWorld {
        let context = format!("w{number}");
        IsolatedWorld { context, id: number as i64, document: DocumentKey(number), ready: true, read: false }
    }

    #[test]
    fn frames_of_another_origin_or_process_are_read_apart_from_their_parent() {
        let mut frames = FrameTree::new("main".to_owned(), "s".into(), String::new());
        frames.add("same".to_owned(), "main".to_owned(), "s");
        frames.add("other".to_owned(), "same".to_owned(), "s");
        frames.add("process".to_owned(), "main".to_owned(), "s");
        for (frame, origin, number) in [("main", "http://a", 1), ("same", "http://a", 2), ("other", "http://b", 3)] {
            frames.world_created(frame, origin.to_owned(), world(number)).unwrap();
        }
        frames.moved("process", "t".into(), "http://a/".to_owned()).unwrap();
        assert_eq!(frames.outer_frames(), ["main", "process", "other"]);
        assert_eq!(frames.outermost("same").as_deref(), Some("main"));
        assert_eq!(frames.outermost("other").as_deref(), Some("other"));
        assert!(frames.have_same_origin("main", "same") && !frames.have_same_origin("main", "other"));
    }

    #[test]
    fn a_new_document_takes_the_frames_inside_the_old_one_away() {
        let mut frames = FrameTree::new("main".to_owned(), "s".into(), "about:blank".to_owned());
        frames.add("child".to_owned(), "main".to_owned(), "s");
        frames.add("grandchild".to_owned(), "child".to_owned(), "s");
        assert_eq!(frames.navigated("s", &navigated("main", None)), "about:blank");
        assert_eq!(frames.outer_frames(), ["main"]);
        assert!(frames.is_loading() && frames.is_parsed() == Some(false));
        frames.parsed("s", true);
        assert!(!frames.is_loading() && frames.is_parsed() == Some(true));
    }

    #[test]
    fn a_document_is_new_until_it_is_read() {
        let mut frames = FrameTree::new("main".to_owned(), "s".into(), String::new());
        frames.world_created("main", "http://a".to_owned(), world(1)).unwrap();
        assert!(frames.note_read("main", DocumentKey(1)) && !frames.note_read("main", DocumentKey(1)));
        assert!(!frames.note_read("main", DocumentKey(2)), "it is not shown");
        frames.world_destroyed("w1");
        assert!(frames.exec_context(1, "main").is_none());
    }
}
