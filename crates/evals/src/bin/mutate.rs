//! `cargo xtask mutate`: replays playbooks on changed pages and prints the results. The exit code is 1 if another
//! element received input, a success was untrue, or too little was replayed.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{
    exit,
    mutate::{mutate, plan::MutationPlan},
    report::write_json,
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = MutationPlan::parse();
    let done = async {
        let report = mutate(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| write_json(file, &report))?;
        Ok((report.text(), report.holds()))
    };
    exit(done.await)
}
