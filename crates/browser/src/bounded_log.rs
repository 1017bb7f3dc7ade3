//! The newest lines of an unbounded series, numbered across all tabs. A tab that produces many lines evicts its own
//! oldest lines, not those of other tabs.

use std::collections::{HashMap, VecDeque};

/// The most lines that are stored for one tab, and for all tabs together.
pub(crate) const OF_A_TAB: usize = 1_000;
pub(crate) const IN_ALL: usize = 4_000;

/// The lines, oldest first.
pub(crate) struct BoundedLog<T> {
    kept: VecDeque<Line<T>>,
    /// The number of stored lines of each tab.
    of_tab: HashMap<u32, usize>,
    last: u64,
    /// The number of evicted lines.
    pub(crate) evicted: u64,
}

struct Line<T> {
    number: u64,
    tab: u32,
    line: T,
}

impl<T> Default for BoundedLog<T> {
    fn default() -> Self {
        BoundedLog { kept: VecDeque::new(), of_tab: HashMap::new(), last: 0, evicted: 0 }
    }
}

impl<T> BoundedLog<T> {
    /// Adds the line that `line` makes from its number. Returns that number, and the number of the evicted line, if
    /// any.
    pub(crate) fn push(&mut self, tab: u32, line: impl FnOnce(u64) -> T) -> (u64, Option<u64>) {
        let full = self.of_tab.get(&tab).is_some_and(|count| *count >= OF_A_TAB);
        let oldest = match full {
            true => self.kept.iter().position(|line| line.tab == tab),
            false => (self.kept.len() >= IN_ALL).then_some(0),
        };
        let gone = oldest.and_then(|at| self.kept.remove(at));
        if let Some(gone) = &gone {
            self.evicted += 1;
            if let Some(count) = self.of_tab.get_mut(&gone.tab) {
                *count -= 1;
            }
        }
        self.last += 1;
        *self.of_tab.entry(tab).or_default() += 1;
        self.kept.push_back(Line { number: self.last, tab, line: line(self.last) });
        (self.last, gone.map(|line| line.number))
    }

    /// The lines with a higher number.
    pub(crate) fn after(&self, number: u64) -> impl Iterator<Item = &T> {
        let from = self.kept.partition_point(|line| line.number <= number);
        self.kept.range(from..).map(|line| &line.line)
    }

    /// The number of the newest line ever added; 0 before the first.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        let at = self.kept.binary_search_by_key(&number, |line| line.number).ok()?;
        Some(&self.kept[at].line)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let at = self.kept.binary_search_by_key(&number, |line| line.number).ok()?;
        Some(&mut self.kept[at].line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loud_tab_loses_its_own_lines() {
        let mut lines = BoundedLog::default();
        lines.push(1, |number| (1, number));
        for _ in 0..OF_A_TAB + 5 {
            lines.push(2, |number| (2, number));
        }
        let (last, gone) = lines.push(2, |number| (2, number));
        assert_eq!((last, gone, lines.evicted), (OF_A_TAB as u64 + 7, Some(7), 6));
        let kept: Vec<_> = lines.after(0).copied().collect();
        assert_eq!((kept[0], kept[1], kept.len()), ((1, 1), (2, 8), OF_A_TAB + 1));
        assert_eq!(lines.after(last - 1).copied().collect::<Vec<_>>(), [(2, last)]);
        assert_eq!(lines.get_mut(7), None);
        assert_eq!(lines.get_mut(8), Some(&mut (2, 8)));
    }

    #[test]
    fn many_tabs_together_are_bounded_too() {
        let mut lines = BoundedLog::default();
        for at in 0..IN_ALL + 10 {
            lines.push(at as u32 % 50, |number| number);
        }
        assert_eq!((lines.after(0).count(), lines.evicted, lines.after(0).next()), (IN_ALL, 10, Some(&11)));
    }
}
