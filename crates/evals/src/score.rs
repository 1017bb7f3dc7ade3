//! Scores: how often a task was solved, the confidence interval, and the cost.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::report::EpisodeResult;

/// For 95 % confidence.
const Z: f64 = 1.959_963_984_540_054;

/// A share of successes with its 95 % confidence interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// Successes.
    pub successes: usize,
    /// Attempts.
    pub tries: usize,
    /// Successes divided by attempts; 0 of 0 is 0.
    pub rate: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl Share {
    /// Uses Wilson's score interval, which stays between 0 and 1 and is valid for few attempts and for none or all
    /// successes.
    pub fn of(successes: usize, tries: usize) -> Share {
        if tries == 0 {
            return Share { successes, tries, rate: 0.0, low: 0.0, high: 1.0 };
        }
        let n = tries as f64;
        let rate = successes as f64 / n;
        let middle = (rate + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
        let half = Z / (1.0 + Z * Z / n) * (rate * (1.0 - rate) / n + Z * Z / (4.0 * n * n)).sqrt();
        Share { successes, tries, rate, low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
    }
}

/// The score of one task, or of all tasks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The name of the task.
    pub task: String,
    /// The share that the judge counts as solved.
    pub solved: Share,
    /// Episodes that the run reported as a success and the judge did not.
    pub false_claims: usize,
    /// Means over the episodes.
    pub mean: Spent,
}

/// The cost of an episode, or a mean of costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Spent {
    /// Seconds from the start of the run to its end.
    pub seconds: f64,
    /// Turns of the agent.
    pub turns: f64,
    /// Started actions.
    pub actions: f64,
    /// Model calls.
    pub calls: f64,
    /// Input tokens, including cached ones.
    pub prompt_tokens: f64,
    /// Input tokens from the cache of the provider.
    pub cached_tokens: f64,
    /// Output tokens.
    pub completion_tokens: f64,
    /// US dollars; absent if no price is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// The score of each task by name, and the score of all episodes.
pub fn scores(episodes: &[EpisodeResult]) -> (Vec<Score>, Score) {
    let mut tasks: BTreeMap<&str, Vec<&EpisodeResult>> = BTreeMap::new();
    for episode in episodes {
        tasks.entry(&episode.task).or_default().push(episode);
    }
    let total = score("all", &episodes.iter().collect::<Vec<_>>());
    (tasks.into_iter().map(|(task, episodes)| score(task, &episodes)).collect(), total)
}

fn score(task: &str, episodes: &[&EpisodeResult]) -> Score {
    let count = |of: fn(&EpisodeResult) -> bool| episodes.iter().filter(|episode| of(episode)).count();
    let n = episodes.len().max(1) as f64;
    let mean = |of: fn(&Spent) -> f64| episodes.iter().map(|episode| of(&episode.spent)).sum::<f64>() / n;
    let priced = episodes.iter().any(|episode| episode.spent.cost_usd.is_some());
    Score {
        task: task.to_owned(),
        solved: Share::of(count(|episode| episode.solved), episodes.len()),
        false_claims: count(|episode| episode.claimed && !episode.solved),
        mean: Spent {
            seconds: mean(|spent| spent.seconds),
            turns: mean(|spent| spent.turns),
            actions: mean(|spent| spent.actions),
            calls: mean(|spent| spent.calls),
            prompt_tokens: mean(|spent| spent.prompt_tokens),
            cached_tokens: mean(|spent| spent.cached_tokens),
            completion_tokens: mean(|spent| spent.completion_tokens),
            cost_usd: priced.then(|| mean(|spent| spent.cost_usd.unwrap_or(0.0))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with published values of the interval.
    #[test]
    fn wilson_interval_matches_published_values() {
        let check = |successes, tries, low: f64, high: f64| {
            let share = Share::of(successes, tries);
            assert!((share.low - low).abs() < 5e-4 && (share.high - high).abs() < 5e-4, "{share:?}");
        };
        check(0, 5, 0.0, 0.4345);
        check(5, 5, 0.5655, 1.0);
        check(3, 5, 0.2307, 0.8824);
        check(15, 148, 0.0624, 0.1605);
        check(81, 263, 0.2553, 0.3662);
    }

    #[test]
    fn the_share_of_zero_attempts_has_the_interval_0_to_1() {
        let share = Share::of(0, 0);
        assert_eq!((share.rate, share.low, share.high), (0.0, 0.0, 1.0));
    }
}
