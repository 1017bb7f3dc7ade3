//! What was learned on sites, kept across runs: the seam, how lessons come together, and how far each is trusted.
//!
//! A lesson is known by its site, kind, pattern and key. Learned again, its counts add up and its newest words stay. Trust
//! is how often it proved itself, and it halves with each quarter of a year without proof: a site that was rebuilt is
//! forgotten by itself. Each site keeps only its most trusted lessons.

use std::time::Duration;

use async_trait::async_trait;
use jiff::Timestamp;
use legwork_protocol::Lesson;
use schemars::JsonSchema;
use serde::Serialize;

use crate::StoreError;

/// After so long without proof, a lesson is trusted half as much.
const HALF_LIFE: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Below this, pruning forgets a lesson.
pub const FORGOTTEN: f64 = 0.1;

/// Lessons of many sites.
#[async_trait]
pub trait Lessons: Send + Sync + 'static {
    /// Adds to what is known, and forgets the least trusted of a site beyond `keep`. A lesson without words only adds its
    /// counts to one that is known.
    async fn learn(&self, lessons: Vec<Lesson>, now: Timestamp, keep: usize) -> Result<(), StoreError>;

    /// What is known of a site, or of all, the most trusted first.
    async fn recall(&self, site: Option<&str>, now: Timestamp) -> Result<RecalledLessons, StoreError>;

    /// Forgets what is known of a site, or everything; says how many lessons that were.
    async fn forget(&self, site: Option<&str>) -> Result<usize, StoreError>;

    /// Forgets one lesson; says whether it was known.
    async fn forget_lesson(&self, lesson: &Lesson) -> Result<bool, StoreError>;

    /// Forgets what is hardly trusted any more, what cannot be read, and what a site has beyond `keep`; says how many.
    async fn prune_lessons(&self, now: Timestamp, keep: usize) -> Result<usize, StoreError>;
}

/// What is known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct RecalledLessons {
    /// The most trusted first.
    pub lessons: Vec<StoredLesson>,
    /// Rows that cannot be read.
    pub unreadable: usize,
}

/// A lesson as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredLesson {
    /// What was learned.
    #[serde(flatten)]
    pub lesson: Lesson,
    /// 0 to 1, as of when it was asked for.
    pub trust: f64,
    /// When it was first learned.
    #[schemars(with = "String")]
    pub learned: Timestamp,
    /// When it last helped, or did not.
    #[schemars(with = "String")]
    pub proved: Timestamp,
}

/// How far a lesson is trusted: what it proved so far, as if it had begun with one of each, and its age since.
pub fn trust(successes: u32, failures: u32, age: Duration) -> f64 {
    let (good, bad) = (f64::from(successes), f64::from(failures));
    let proved = (good + 1.0) / (good + bad + 2.0);
    proved * 0.5_f64.powf(age.as_secs_f64() / HALF_LIFE.as_secs_f64())
}

/// The time between two moments; none, when the clock was set back.
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
        // What never failed is forgotten after a year of silence, what failed thrice after a month.
        assert!(trust(1, 0, HALF_LIFE * 4) < FORGOTTEN && trust(1, 0, HALF_LIFE) > FORGOTTEN);
        assert!(trust(0, 6, HALF_LIFE) < FORGOTTEN && trust(0, 6, Duration::ZERO) > FORGOTTEN);
    }
}
