//! The refs that observations of a session gave out: which element each of them names, for as long as its document is there.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard},
};

use legwork_observe::{DocumentKey, FrameCapture, NodeKey, PageFacts, RefTable, Snapshot, assemble};
use legwork_protocol::Ref;

/// A lock of its own: putting a snapshot together takes a while on a large page, and holds up no event.
#[derive(Default)]
pub(crate) struct SessionRefs {
    given: Mutex<GivenRefs>,
}

#[derive(Default)]
struct GivenRefs {
    table: RefTable,
    /// The documents that refs were given in.
    documents: HashSet<DocumentKey>,
}

impl SessionRefs {
    fn given(&self) -> MutexGuard<'_, GivenRefs> {
        self.given.lock().expect("nobody panics while holding it")
    }

    /// The element that a ref names, if its document is there still.
    pub(crate) fn resolve(&self, reference: Ref) -> Option<NodeKey> {
        self.given().table.resolve(reference).ok()
    }

    /// The ref of an element, a new one if it has none yet.
    pub(crate) fn assign(&self, node: NodeKey) -> Ref {
        self.given().table.assign(node)
    }

    /// Puts a snapshot together. Refs of documents that are not among the living lead nowhere from then on: a long run sees many.
    pub(crate) fn assemble(
        &self,
        facts: PageFacts,
        captures: Vec<FrameCapture>,
        living: &HashSet<DocumentKey>,
    ) -> Snapshot {
        let mut given = self.given();
        let GivenRefs { table, documents } = &mut *given;
        documents.extend(captures.iter().map(|capture| capture.document));
        let snapshot = assemble(facts, captures, table);
        documents.retain(|document| {
            let lives = living.contains(document);
            if !lives {
                table.forget(*document);
            }
            lives
        });
        snapshot
    }
}
