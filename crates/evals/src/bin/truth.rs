//! `cargo xtask truth`: runs the cases that the command line names and prints what they came to. Exit 1 when a success was
//! reported that did not happen, or too many were missed.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::truth::{plan::TruthPlan, truth};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = TruthPlan::parse();
    let done = async {
        let report = truth(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| report.write(file))?;
        Ok::<_, legwork_evals::EvalError>(report)
    };
    match done.await {
        Ok(report) => {
            println!("{}", report.text());
            if report.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            let mut cause: Option<&dyn std::error::Error> = std::error::Error::source(&error);
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}
