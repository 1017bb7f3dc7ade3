//! Which page belongs to which name, and which of them gives way when there is no room for another.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use legwork::page::Page;

use crate::PagePoolError;

/// A page that nobody used for so long gives its place to another, when there is no other place.
const STALE: Duration = Duration::from_secs(10 * 60);

/// Where a page is, or will be: who wants it while it is opened waits for that one only.
#[derive(Default)]
pub(crate) struct PageSlot {
    page: tokio::sync::Mutex<Option<Arc<Page>>>,
    used: Mutex<Option<Instant>>,
}

impl PageSlot {
    pub(crate) async fn page(&self) -> tokio::sync::MutexGuard<'_, Option<Arc<Page>>> {
        self.page.lock().await
    }

    /// Unless somebody is at work on it.
    pub(crate) fn page_now(&self) -> Option<tokio::sync::MutexGuard<'_, Option<Arc<Page>>>> {
        self.page.try_lock().ok()
    }

    fn touch(&self, now: Instant) {
        *lock(&self.used) = Some(now);
    }

    /// Since when nobody has used it; never, while somebody is at work on it.
    fn unused_since(&self) -> Option<Instant> {
        let page = self.page_now()?;
        page.as_ref().is_none_or(|page| Arc::strong_count(page) == 1).then(|| *lock(&self.used))?
    }
}

/// No lock here is held while anything waits, so that nobody panics with it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Places by name, so many and no more.
pub(crate) struct PageSlots {
    most: usize,
    by_name: Mutex<BTreeMap<String, Arc<PageSlot>>>,
}

impl PageSlots {
    pub(crate) fn for_at_most(most: usize) -> PageSlots {
        PageSlots { most, by_name: Mutex::default() }
    }

    /// The place of that name, made now if there is none; and the one that had to give way for it.
    pub(crate) fn acquire(
        &self,
        name: &str,
        now: Instant,
    ) -> Result<(Arc<PageSlot>, Option<Arc<PageSlot>>), PagePoolError> {
        let mut slots = lock(&self.by_name);
        if let Some(slot) = slots.get(name) {
            slot.touch(now);
            return Ok((slot.clone(), None));
        }
        let (open, mut stale) = (slots.len(), None);
        if open >= self.most {
            let since = |slot: &Arc<PageSlot>| {
                slot.unused_since().filter(|since| now.saturating_duration_since(*since) > STALE)
            };
            let oldest = slots.iter().filter_map(|(name, slot)| Some((since(slot)?, name.clone()))).min();
            let (_, name) = oldest.ok_or(PagePoolError::Full { open })?;
            stale = slots.remove(&name);
        }
        let slot = slots.entry(name.to_owned()).or_default().clone();
        slot.touch(now);
        Ok((slot, stale))
    }

    /// The place of that name, if there is one; it counts as used.
    pub(crate) fn known(&self, name: &str, now: Instant) -> Option<Arc<PageSlot>> {
        let slot = lock(&self.by_name).get(name).cloned()?;
        slot.touch(now);
        Some(slot)
    }

    /// A place in which no page could be opened. Who waits for it meanwhile tries for himself, and keeps it.
    pub(crate) fn release(&self, name: &str, slot: Arc<PageSlot>) {
        const OURS_AND_THE_BOOKS: usize = 2;
        let mut slots = lock(&self.by_name);
        let is_it = slots.get(name).is_some_and(|known| Arc::ptr_eq(known, &slot));
        if is_it && Arc::strong_count(&slot) == OURS_AND_THE_BOOKS {
            slots.remove(name);
        }
    }

    pub(crate) fn removed(&self, name: &str) -> Option<Arc<PageSlot>> {
        lock(&self.by_name).remove(name)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        lock(&self.by_name).keys().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn with_all_places_taken_the_one_gives_way_that_was_left_longest() {
        let (slots, begin) = (PageSlots::for_at_most(2), Instant::now());
        slots.acquire("a", begin).unwrap();
        slots.acquire("b", begin + MINUTE).unwrap();
        assert!(
            matches!(slots.acquire("c", begin + 10 * MINUTE), Err(PagePoolError::Full { open: 2 })),
            "not ten minutes yet"
        );
        let known = slots.known("a", begin + 10 * MINUTE).unwrap();
        let (_, gone) = slots.acquire("c", begin + 12 * MINUTE).unwrap();
        assert!(gone.is_some_and(|gone| !Arc::ptr_eq(&gone, &known)));
        assert_eq!(slots.names(), ["a", "c"], "a was used again, b was not");
        let same = slots.acquire("a", begin + 13 * MINUTE).unwrap();
        assert!(Arc::ptr_eq(&same.0, &known) && same.1.is_none());
    }

    #[test]
    fn nobody_gives_way_while_somebody_is_at_work() {
        let (slots, begin) = (PageSlots::for_at_most(1), Instant::now());
        let (a, _) = slots.acquire("a", begin).unwrap();
        let at_work = a.page_now();
        assert!(matches!(slots.acquire("b", begin + 60 * MINUTE), Err(PagePoolError::Full { open: 1 })));
        drop(at_work);
        assert!(slots.acquire("b", begin + 60 * MINUTE).is_ok());
    }

    #[test]
    fn a_place_that_another_waits_for_is_not_given_back() {
        let (slots, now) = (PageSlots::for_at_most(1), Instant::now());
        let (first, _) = slots.acquire("a", now).unwrap();
        let (waiting, _) = slots.acquire("a", now).unwrap();
        slots.release("a", first);
        assert_eq!(slots.names(), ["a"]);
        slots.release("a", waiting);
        assert!(slots.names().is_empty());
        let (old, _) = slots.acquire("a", now).unwrap();
        slots.removed("a");
        slots.acquire("a", now).unwrap();
        slots.release("a", old);
        assert_eq!(slots.names(), ["a"], "it is another's by now");
    }
}
