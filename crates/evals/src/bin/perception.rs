//! `cargo xtask perception`: looks for elements of pages that can be operated and have no ref in the observation, and
//! prints the results. The exit code is 1 if too few of them are offered.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{
    exit,
    perception::{plan::PerceptionPlan, survey},
    report::write_json,
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = PerceptionPlan::parse();
    let done = async {
        let report = survey(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| write_json(file, &report))?;
        Ok((report.text(), report.holds()))
    };
    exit(done.await)
}
