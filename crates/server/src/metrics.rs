//! Metrics for Prometheus: requests, runs, tokens, cost, the queue, viewers.

use std::time::Duration;

use axum::http::{Method, StatusCode};
use legwork::protocol::Outcome;
use parking_lot::Mutex;
use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Answered {
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Ended {
    status: &'static str,
}

/// The metrics. Labels have few values each, so that the number of time series stays small.
pub(crate) struct Metrics {
    registry: Mutex<Registry>,
    requests: Family<Answered, Counter>,
    seconds: Histogram,
    runs: Family<Ended, Counter>,
    prompt_tokens: Counter,
    completion_tokens: Counter,
    dollars: Counter<f64, std::sync::atomic::AtomicU64>,
    pub(crate) live: Gauge,
    pub(crate) queued: Gauge,
    pub(crate) viewers: Gauge,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("legwork");
        let seconds = Histogram::new([0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10.0]);
        let this = Metrics {
            requests: Family::default(),
            seconds: seconds.clone(),
            runs: Family::default(),
            prompt_tokens: Counter::default(),
            completion_tokens: Counter::default(),
            dollars: Counter::default(),
            live: Gauge::default(),
            queued: Gauge::default(),
            viewers: Gauge::default(),
            registry: Mutex::default(),
        };
        registry.register("http_requests", "Requests answered", this.requests.clone());
        registry.register("http_seconds", "Time until the response began", seconds);
        registry.register("runs_ended", "Ended runs by outcome", this.runs.clone());
        registry.register("prompt_tokens", "Tokens sent to models", this.prompt_tokens.clone());
        registry.register("completion_tokens", "Tokens received from models", this.completion_tokens.clone());
        registry.register("cost_usd", "Cost of model calls", this.dollars.clone());
        registry.register("runs_live", "Runs in progress", this.live.clone());
        registry.register("runs_queued", "Queued runs", this.queued.clone());
        registry.register("viewers", "Viewers of runs", this.viewers.clone());
        Metrics { registry: Mutex::new(registry), ..this }
    }

    pub(crate) fn answered(&self, method: &Method, status: StatusCode, took: Duration) {
        // A method that a client made up must not become a label.
        let method = match *method {
            Method::GET => "GET",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::DELETE => "DELETE",
            _ => "other",
        };
        self.requests.get_or_create(&Answered { method, status: status.as_u16() }).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn ended(&self, outcome: &Outcome) {
        self.runs.get_or_create(&Ended { status: outcome.status.name() }).inc();
        self.prompt_tokens.inc_by(outcome.usage.prompt_tokens);
        self.completion_tokens.inc_by(outcome.usage.completion_tokens);
        self.dollars.inc_by(outcome.usage.cost_usd.unwrap_or_default());
    }

    /// The text format of Prometheus.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let registry = self.registry.lock();
        encode(&mut text, &registry).expect("writing to a string does not fail");
        text
    }
}
