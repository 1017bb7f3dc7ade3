//! Which page belongs to which name, and which of them gives way when there is no room for another.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use legwork::page::Page;

use crate::DeskError;

/// A page that nobody used for so long gives its place to another, when there is no other place.
const STALE: Duration = Duration::from_secs(10 * 60);

/// Where a page is, or will be: who wants it while it is opened waits for that one only.
#[derive(Default)]
pub(crate) struct Place {
    page: tokio::sync::Mutex<Option<Arc<Page>>>,
    used: Mutex<Option<Instant>>,
}

impl Place {
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
pub(crate) struct Places {
    most: usize,
    by_name: Mutex<BTreeMap<String, Arc<Place>>>,
}

impl Places {
    pub(crate) fn for_at_most(most: usize) -> Places {
        Places { most, by_name: Mutex::default() }
    }

    /// The place of that name, made now if there is none; and the one that had to give way for it.
    pub(crate) fn taken(&self, name: &str, now: Instant) -> Result<(Arc<Place>, Option<Arc<Place>>), DeskError> {
        let mut places = lock(&self.by_name);
        if let Some(place) = places.get(name) {
            place.touch(now);
            return Ok((place.clone(), None));
        }
        let (open, mut stale) = (places.len(), None);
        if open >= self.most {
            let since =
                |place: &Arc<Place>| place.unused_since().filter(|since| now.saturating_duration_since(*since) > STALE);
            let oldest = places.iter().filter_map(|(name, place)| Some((since(place)?, name.clone()))).min();
            let (_, name) = oldest.ok_or(DeskError::Full { open })?;
            stale = places.remove(&name);
        }
        let place = places.entry(name.to_owned()).or_default().clone();
        place.touch(now);
        Ok((place, stale))
    }

    /// The place of that name, if there is one; it counts as used.
    pub(crate) fn known(&self, name: &str, now: Instant) -> Option<Arc<Place>> {
        let place = lock(&self.by_name).get(name).cloned()?;
        place.touch(now);
        Some(place)
    }

    /// A place in which no page could be opened. Who waits for it meanwhile tries for himself, and keeps it.
    pub(crate) fn give_back(&self, name: &str, place: Arc<Place>) {
        const OURS_AND_THE_BOOKS: usize = 2;
        let mut places = lock(&self.by_name);
        let is_it = places.get(name).is_some_and(|known| Arc::ptr_eq(known, &place));
        if is_it && Arc::strong_count(&place) == OURS_AND_THE_BOOKS {
            places.remove(name);
        }
    }

    pub(crate) fn removed(&self, name: &str) -> Option<Arc<Place>> {
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
        let (places, begin) = (Places::for_at_most(2), Instant::now());
        places.taken("a", begin).unwrap();
        places.taken("b", begin + MINUTE).unwrap();
        assert!(
            matches!(places.taken("c", begin + 10 * MINUTE), Err(DeskError::Full { open: 2 })),
            "not ten minutes yet"
        );
        let known = places.known("a", begin + 10 * MINUTE).unwrap();
        let (_, gone) = places.taken("c", begin + 12 * MINUTE).unwrap();
        assert!(gone.is_some_and(|gone| !Arc::ptr_eq(&gone, &known)));
        assert_eq!(places.names(), ["a", "c"], "a was used again, b was not");
        let same = places.taken("a", begin + 13 * MINUTE).unwrap();
        assert!(Arc::ptr_eq(&same.0, &known) && same.1.is_none());
    }

    #[test]
    fn nobody_gives_way_while_somebody_is_at_work() {
        let (places, begin) = (Places::for_at_most(1), Instant::now());
        let (a, _) = places.taken("a", begin).unwrap();
        let at_work = a.page_now();
        assert!(matches!(places.taken("b", begin + 60 * MINUTE), Err(DeskError::Full { open: 1 })));
        drop(at_work);
        assert!(places.taken("b", begin + 60 * MINUTE).is_ok());
    }

    #[test]
    fn a_place_that_another_waits_for_is_not_given_back() {
        let (places, now) = (Places::for_at_most(1), Instant::now());
        let (first, _) = places.taken("a", now).unwrap();
        let (waiting, _) = places.taken("a", now).unwrap();
        places.give_back("a", first);
        assert_eq!(places.names(), ["a"]);
        places.give_back("a", waiting);
        assert!(places.names().is_empty());
        let (old, _) = places.taken("a", now).unwrap();
        places.removed("a");
        places.taken("a", now).unwrap();
        places.give_back("a", old);
        assert_eq!(places.names(), ["a"], "it is another's by now");
    }
}
