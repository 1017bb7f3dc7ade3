//! `cargo xtask eval`: runs the suite given on the command line, writes the results and prints the table.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{evaluate, exit, plan::EvalPlan};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = EvalPlan::parse();
    let done = async {
        let report = evaluate(&plan).await?;
        let file = report.write(plan.out.as_deref())?;
        Ok((format!("{}\n{}", report.markdown(), file.display()), true))
    };
    exit(done.await)
}
