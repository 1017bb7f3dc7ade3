//! Refs of a session: consecutive numbers that are never reused. A ref resolves to its element or to nothing.

use std::collections::HashMap;

use legwork_protocol::Ref;
use thiserror::Error;

/// A document in a frame, numbered by the browser crate. A new page is a new document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DocumentKey(pub u64);

/// An element: its document, and its number in the registry that the injected bundle keeps there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeKey {
    /// The document that contains the registry.
    pub document: DocumentKey,
    /// The number for `legwork.element(number)`.
    pub element: u32,
}

/// Why a ref does not resolve.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum StaleRef {
    /// The ref was never assigned.
    #[error("{0} is not a ref of this session")]
    Unknown(Ref),
    /// The document of the ref no longer exists.
    #[error("{0} was on a page that no longer exists")]
    Gone(Ref),
}

/// The refs of a session.
#[derive(Clone, Debug, Default)]
pub struct RefTable {
    given: HashMap<NodeKey, Ref>,
    keys: Vec<Option<NodeKey>>,
}

impl RefTable {
    /// The ref of an element; assigns a new one if it has none.
    pub fn assign(&mut self, key: NodeKey) -> Ref {
        *self.given.entry(key).or_insert_with(|| {
            self.keys.push(Some(key));
            Ref(u32::try_from(self.keys.len()).expect("a session does not see four billion elements"))
        })
    }

    /// The ref of an element, if it has one.
    pub fn known(&self, key: NodeKey) -> Option<Ref> {
        self.given.get(&key).copied()
    }

    /// The element of a ref.
    ///
    /// # Errors
    /// When the ref was never assigned, or its document no longer exists.
    pub fn resolve(&self, reference: Ref) -> Result<NodeKey, StaleRef> {
        let at = (reference.0 as usize).checked_sub(1).ok_or(StaleRef::Unknown(reference))?;
        self.keys.get(at).ok_or(StaleRef::Unknown(reference))?.ok_or(StaleRef::Gone(reference))
    }

    /// Removes a document that no longer exists. Its refs stay stale.
    pub fn forget(&mut self, document: DocumentKey) {
        self.given.retain(|key, reference| {
            let stays = key.document != document;
            if !stays {
                self.keys[reference.0 as usize - 1] = None;
            }
            stays
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refs_are_not_given_twice() {
        let key = |document, element| NodeKey { document: DocumentKey(document), element };
        let mut refs = RefTable::default();
        assert_eq!(refs.assign(key(1, 7)), Ref(1));
        assert_eq!(refs.assign(key(2, 7)), Ref(2));
        assert_eq!(refs.assign(key(1, 7)), Ref(1));
        refs.forget(DocumentKey(1));
        assert_eq!(refs.resolve(Ref(1)), Err(StaleRef::Gone(Ref(1))));
        assert_eq!(refs.resolve(Ref(2)), Ok(key(2, 7)));
        assert_eq!(refs.resolve(Ref(3)), Err(StaleRef::Unknown(Ref(3))));
        assert_eq!(refs.resolve(Ref(0)), Err(StaleRef::Unknown(Ref(0))));
        assert_eq!(refs.assign(key(1, 7)), Ref(3));
    }
}
