//! `cargo xtask accessibility`: compares the roles and names of observations with those of the browser's accessibility
//! tree, and prints the results. The exit code is 1 if too many differ.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{
    accessibility::{plan::AccessibilityPlan, survey},
    exit,
    report::write_json,
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = AccessibilityPlan::parse();
    let done = async {
        let report = survey(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| write_json(file, &report))?;
        Ok((report.text(), report.holds()))
    };
    exit(done.await)
}
