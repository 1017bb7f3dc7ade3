//! `cargo xtask truth`: runs the cases given on the command line and prints the results. The exit code is 1 if a
//! success was reported that did not happen, or if too many were missed.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{
    exit,
    report::write_json,
    truth::{ablate, plan::TruthPlan, truth},
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = TruthPlan::parse();
    let done = async {
        if plan.ablate {
            let ablation = ablate(&plan).await?;
            return Ok((ablation.text(), ablation.holds()));
        }
        let report = truth(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| write_json(file, &report))?;
        Ok((report.text(), report.holds()))
    };
    exit(done.await)
}
