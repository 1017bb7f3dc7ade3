//! What a call costs: a table of list prices as of November 2026, in US dollars per million tokens. Where long
//! prompts cost more, the table has the price of prompts of ordinary length. Settings override it.
//!
//! An entry applies to its own name and to dated snapshots of it (`gpt-5-2025-08-07`, `claude-sonnet-4-5@20250929`),
//! but not to other names with the same beginning: an unknown price is `None`, never the price of a similar model.

/// US dollars per million tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Input tokens.
    pub input: f64,
    /// Output tokens.
    pub output: f64,
    /// Input tokens that the provider read from its cache.
    pub cached: f64,
    /// Input tokens that the provider wrote to its cache, where this costs extra.
    pub cache_write: f64,
}

/// The tokens of one call, by price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tokens {
    /// All input tokens, including cached ones.
    pub prompt: u64,
    pub cached: u64,
    pub cache_written: u64,
    pub completion: u64,
}

impl Price {
    /// The list price of `provider/name`.
    pub fn of(model: &str) -> Option<Price> {
        TABLE.iter().find(|(name, _)| fits(name, model)).map(|(_, price)| *price)
    }

    pub(crate) fn cost(&self, tokens: Tokens) -> f64 {
        let plain = tokens.prompt.saturating_sub(tokens.cached + tokens.cache_written);
        let sum = plain as f64 * self.input
            + tokens.cached as f64 * self.cached
            + tokens.cache_written as f64 * self.cache_write
            + tokens.completion as f64 * self.output;
        sum / 1e6
    }
}

fn fits(name: &str, model: &str) -> bool {
    match model.strip_prefix(name) {
        Some("" | "-latest" | "-preview") => true,
        Some(rest) => rest.strip_prefix(['-', '@']).is_some_and(|date| {
            date.len() >= 8 && date.starts_with("20") && date.chars().all(|c| c.is_ascii_digit() || c == '-')
        }),
        None => false,
    }
}

const fn plain(input: f64, cached: f64, output: f64) -> Price {
    Price { input, output, cached, cache_write: input }
}

/// Anthropic: writing to the cache costs a quarter more than ordinary input.
const fn claude(input: f64, cached: f64, output: f64) -> Price {
    Price { input, output, cached, cache_write: input * 1.25 }
}

const TABLE: &[(&str, Price)] = &[
    ("openai/gpt-6-astra", plain(10.0, 1.0, 50.0)),
    ("openai/gpt-5.6-sol", plain(4.0, 0.4, 20.0)),
    ("openai/gpt-5.6-terra", plain(2.0, 0.2, 12.0)),
    ("openai/gpt-5.6-luna", plain(0.2, 0.02, 1.2)),
    ("openai/gpt-5.5", plain(5.0, 0.5, 30.0)),
    ("openai/gpt-5.4", plain(2.5, 0.25, 15.0)),
    ("openai/gpt-5.4-mini", plain(0.75, 0.075, 4.5)),
    ("openai/gpt-5.2", plain(1.75, 0.175, 14.0)),
    ("openai/gpt-5.1", plain(1.25, 0.125, 10.0)),
    ("openai/gpt-5", plain(1.25, 0.125, 10.0)),
    ("openai/gpt-5-mini", plain(0.25, 0.025, 2.0)),
    ("openai/gpt-5-nano", plain(0.05, 0.005, 0.4)),
    ("openai/gpt-4.1", plain(2.0, 0.5, 8.0)),
    ("openai/gpt-4.1-mini", plain(0.4, 0.1, 1.6)),
    ("openai/gpt-4.1-nano", plain(0.1, 0.025, 0.4)),
    ("openai/gpt-4o", plain(2.5, 1.25, 10.0)),
    ("openai/gpt-4o-mini", plain(0.15, 0.075, 0.6)),
    ("openai/o3", plain(2.0, 0.5, 8.0)),
    ("openai/o4-mini", plain(1.1, 0.275, 4.4)),
    ("anthropic/claude-fable-5-1", claude(10.0, 0.25, 50.0)),
    ("anthropic/claude-fable-5", claude(10.0, 1.0, 50.0)),
    ("anthropic/claude-opus-5-5", claude(4.0, 0.2, 20.0)),
    ("anthropic/claude-opus-5", claude(5.0, 0.5, 25.0)),
    ("anthropic/claude-opus-4-8", claude(5.0, 0.5, 25.0)),
    ("anthropic/claude-opus-4-7", claude(5.0, 0.5, 25.0)),
    ("anthropic/claude-opus-4-6", claude(5.0, 0.5, 25.0)),
    ("anthropic/claude-opus-4-5", claude(5.0, 0.5, 25.0)),
    ("anthropic/claude-sonnet-5-5", claude(2.0, 0.1, 10.0)),
    ("anthropic/claude-sonnet-5", claude(2.0, 0.2, 10.0)),
    ("anthropic/claude-sonnet-4-6", claude(3.0, 0.3, 15.0)),
    ("anthropic/claude-sonnet-4-5", claude(3.0, 0.3, 15.0)),
    ("anthropic/claude-haiku-5-5", claude(0.1, 0.01, 0.5)),
    ("anthropic/claude-haiku-4-5", claude(1.0, 0.1, 5.0)),
    ("gemini/gemini-2.5-pro", plain(1.25, 0.125, 10.0)),
    ("gemini/gemini-2.5-flash", plain(0.3, 0.03, 2.5)),
    ("gemini/gemini-2.5-flash-lite", plain(0.1, 0.01, 0.4)),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_costs_what_its_model_does_and_a_stranger_is_unknown() {
        let input = |model: &str| Price::of(model).map(|price| price.input);
        assert_eq!(input("openai/gpt-5"), Some(1.25));
        assert_eq!(input("openai/gpt-5-2025-08-07"), Some(1.25));
        assert_eq!(input("openai/gpt-5-mini-2025-08-07"), Some(0.25));
        assert_eq!(input("anthropic/claude-sonnet-4-5-20250929"), Some(3.0));
        assert_eq!(input("openai/gpt-5-pro"), None);
        assert_eq!(input("openai/gpt-5.7"), None);
        assert_eq!(input("compatible/gpt-5"), None);
    }

    #[test]
    fn cached_tokens_cost_their_own_price() {
        let tokens = Tokens { prompt: 1_000_000, cached: 600_000, cache_written: 200_000, completion: 100_000 };
        let cost = claude(1.0, 0.1, 5.0).cost(tokens);
        // 200k at 1.00, 600k at 0.10, 200k at 1.25, 100k at 5.00.
        assert!((cost - (0.2 + 0.06 + 0.25 + 0.5)).abs() < 1e-9, "{cost}");
    }
}
