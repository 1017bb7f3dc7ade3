//! The timeline of a run: a bar for each step, and marks with round times.

use serde::Serialize;

use super::super::{RunRecord, describe, ms, verdict};

#[derive(Serialize)]
pub(super) struct Bar<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
    pub(super) tone: &'a str,
    pub(super) from: String,
    pub(super) long: String,
    pub(super) took: String,
}

#[derive(Serialize)]
pub(super) struct Tick {
    pub(super) at: String,
    pub(super) label: String,
}

/// The bars of the steps that have begun.
pub(super) fn bars(record: &RunRecord) -> Vec<Bar<'_>> {
    // The bars are placed by the clock, so the time between a stop and a resume is part of the line.
    let whole = ms(super::super::between(record.started, record.last)).max(1) as f64;
    let begun = record.steps.iter().filter_map(|step| Some((step, step.started?)));
    begun
        .map(|(step, started)| {
            let took = step.duration(record.last);
            let before = ms(super::super::between(record.started, started)) as f64;
            let (from, long) = bar_extent(before / whole, ms(took) as f64 / whole);
            Bar {
                number: step.index + 1,
                text: &step.text,
                tone: verdict::of_step(step, step.state).tone.name(),
                from: format!("{from:.2}"),
                long: format!("{long:.2}"),
                took: describe::duration(took),
            }
        })
        .collect()
}

/// The start and length of a bar in percent of the timeline: long enough to be visible, and not beyond the end.
fn bar_extent(before: f64, took: f64) -> (f64, f64) {
    const MIN_LENGTH: f64 = 0.6;
    let from = (before * 100.0).clamp(0.0, 100.0 - MIN_LENGTH);
    // Not `clamp`: for a bar at the very end, rounding can make the upper bound smaller than the lower one.
    (from, (took * 100.0).max(MIN_LENGTH).min(100.0 - from))
}

/// Round times for the marks on the timeline, at most six.
pub(super) fn ticks(whole: u64) -> Vec<Tick> {
    const INTERVALS: [u64; 14] =
        [10, 50, 100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000, 3_600_000];
    let apart = INTERVALS.into_iter().find(|apart| whole / apart <= 5).unwrap_or(whole.max(1));
    (0..)
        .map(|n| n * apart)
        .take_while(|at| *at <= whole)
        .take(6)
        .map(|at| Tick {
            at: format!("{:.2}", at as f64 / whole.max(1) as f64 * 100.0),
            label: if at == 0 { "0".to_owned() } else { describe::duration(std::time::Duration::from_millis(at)) },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_is_on_the_time_line() {
        for before in [0.0, 0.5, 0.994, 0.9941, 0.999, 1.0, 1.2] {
            for took in [0.0, 0.001, 0.5, 1.0, 2.0] {
                let (from, long) = bar_extent(before, took);
                assert!(from >= 0.0 && long >= 0.599 && from + long <= 100.001, "{before} {took}: {from} {long}");
            }
        }
        assert_eq!(bar_extent(0.25, 0.5), (25.0, 50.0));
    }
}
