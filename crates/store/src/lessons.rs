//! Lessons about sites, stored across runs: the interface, the merging of lessons, and their trust.
//!
//! A lesson is identified by its site, kind, pattern and key. When it is learned again, its counts are added and its
//! newest words replace the old ones. Trust is the share of successes, and it halves with each quarter of a year
//! without a success or failure, so that lessons about a site that has changed disappear by themselves. Each site
//! keeps only its most trusted lessons.
//! forgotten by itself. Each site keeps only its most trusted lessons.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::Lesson;
use schemars::JsonSchema;
use serde::Serialize;

use crate::StoreError;

/// Trust halves after this time without a success or failure.
const HALF_LIFE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Pruning deletes lessons with less trust than this.
pub const MIN_TRUST: f64 = 0.1;

/// Stores lessons of many sites.
#[async_trait]
pub trait Lessons: Send + Sync + 'static {
    /// Adds lessons, and deletes the least trusted ones of a site beyond `keep`. A lesson without words only adds its
    /// counts to an existing one.
    async fn learn(&self, lessons: Vec<Lesson>, now: Timestamp, keep: usize) -> Result<(), StoreError>;

    /// The lessons of a site, or of all sites, the most trusted first.
    async fn recall(&self, site: Option<&str>, now: Timestamp) -> Result<RecalledLessons, StoreError>;

    /// Deletes the lessons of a site, or all lessons; returns their number.
    async fn forget(&self, site: Option<&str>) -> Result<usize, StoreError>;

    /// Deletes one lesson; returns whether it existed.
    async fn forget_lesson(&self, lesson: &Lesson) -> Result<bool, StoreError>;

    /// Deletes lessons with little trust, lessons that cannot be read, and the least trusted ones of a site beyond
    /// `keep`; returns their number.
    async fn prune_lessons(&self, now: Timestamp, keep: usize) -> Result<usize, StoreError>;
}

/// The stored lessons.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecalledLessons {
    /// The lessons, the most trusted first.
    pub lessons: Vec<StoredLesson>,
    /// The number of rows that cannot be read.
    pub unreadable: usize,
}

/// A stored lesson.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredLesson {
    /// The lesson.
    #[serde(flatten)]
    pub lesson: Lesson,
    /// From 0 to 1, at the time of the request.
    pub trust: f64,
    /// When it was first learned.
    #[schemars(with = "String")]
    pub learned: Timestamp,
    /// When it last succeeded or failed.
    #[schemars(with = "String")]
    pub proved: Timestamp,
}

/// The trust in a lesson: its share of successes, with one success and one failure added, reduced by its age.
pub fn trust(successes: u32, failures: u32, age: Duration) -> f64 {
    let (good, bad) = (f64::from(successes), f64::from(failures));
    let proved = (good + 1.0) / (good + bad + 2.0);
    proved * 0.5_f64.powf(age.as_secs_f64() / HALF_LIFE.as_secs_f64())
}

/// The time between two moments; zero if the clock was set back.
pub(crate) fn age(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trust_is_earned_lost_and_fades() {
        let now = |good, bad| trust(good, bad, Duration::ZERO);
        assert_eq!(now(0, 0), 0.5);
        assert!(now(1, 0) > now(0, 0) && now(9, 0) > now(1, 0) && now(9, 0) < 1.0);
        assert!(now(0, 3) < now(3, 3) && now(3, 3) == 0.5);
        let quarter = trust(9, 0, HALF_LIFE) / now(9, 0);
        assert!((quarter - 0.5).abs() < 1e-9, "{quarter}");
        // A lesson that never failed is pruned after a year without use, one that failed three times after a month.
        assert!(trust(1, 0, HALF_LIFE * 4) < MIN_TRUST && trust(1, 0, HALF_LIFE) > MIN_TRUST);
        assert!(trust(0, 6, HALF_LIFE) < MIN_TRUST && trust(0, 6, Duration::ZERO) > MIN_TRUST);
    }
}
