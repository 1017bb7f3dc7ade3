//! How long a schema takes to make and a reply to read:
//! `cargo run --release -p legwork-agent --example schema_figures`.

use std::{hint::black_box, time::Instant};

use legwork_agent::schema::{SchemaOptions, validate, wire};

const REPLY: &str = r#"{"decision": {"action": "PROCEED", "message": "filled in"}, "confidence": 0.9,
    "reasoning": {"analysis": "the form is shown", "rationale": "the name comes first", "expectedOutcome": "the field holds it"},
    "command": {"action": "fill", "parameters": {"target": "e12", "text": "Ada Lovelace"}}}"#;

fn main() {
    // Each option set is cached after its first use, so every first use is one of another set.
    let generated: Vec<f64> = (1..=8)
        .map(|max_commands| {
            let options = SchemaOptions { max_commands, ..SchemaOptions::default() };
            let began = Instant::now();
            black_box(wire(&options));
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    println!(
        "schema: first {:.3} ms (with every command's), the next of other options {:.3} ms",
        generated[0],
        median(&generated[1..])
    );
    let options = SchemaOptions::default();
    let validated: Vec<f64> = (0..1_000)
        .map(|_| {
            let began = Instant::now();
            assert!(black_box(validate(REPLY, &options)).problems.is_empty());
            began.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    println!("validation: {:.4} ms", median(&validated));
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
