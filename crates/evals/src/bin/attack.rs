//! `cargo xtask attack`: carries out the classes that the command line names and prints what they came to. Exit 1 for a
//! forbidden effect, or if a class did not work.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{
    attack::{attack, plan::AttackPlan},
    exit,
    report::write_json,
};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = AttackPlan::parse();
    let done = async {
        let report = attack(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| write_json(file, &report))?;
        Ok((report.text(), report.holds()))
    };
    exit(done.await)
}
