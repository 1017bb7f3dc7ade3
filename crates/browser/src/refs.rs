//! The refs that observations of a session assigned. Each ref names one element as long as its document exists.

use std::{
    collections::HashSet,
    sync::{Mutex, MutexGuard},
};

use legwork_observe::{DocumentKey, FrameCapture, NodeKey, PageFacts, RefTable, Snapshot, assemble};
use legwork_protocol::Ref;

/// Refs have their own lock: assembling the snapshot of a large page takes a while, which must not delay events.
#[derive(Default)]
pub(crate) struct SessionRefs {
    given: Mutex<GivenRefs>,
}

#[derive(Default)]
struct GivenRefs {
    table: RefTable,
    /// The documents in which refs were assigned.
    documents: HashSet<DocumentKey>,
}

impl SessionRefs {
    fn given(&self) -> MutexGuard<'_, GivenRefs> {
        self.given.lock().expect("nobody panics while holding it")
    }

    /// The element that a ref names, or `None` if its document is gone.
    pub(crate) fn resolve(&self, reference: Ref) -> Option<NodeKey> {
        self.given().table.resolve(reference).ok()
    }

    /// The ref of an element; a new one is assigned if it has none.
    pub(crate) fn assign(&self, node: NodeKey) -> Ref {
        self.given().table.assign(node)
    }

    /// The ref of an element, if an observation assigned one.
    pub(crate) fn known(&self, node: NodeKey) -> Option<Ref> {
        self.given().table.known(node)
    }

    /// Assembles a snapshot. Refs of documents that are not in `living` become invalid, because a long run sees many
    /// documents.
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
