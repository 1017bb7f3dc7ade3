//! `cargo xtask truth`: runs the cases given on the command line and prints the results. The exit code is 1 if a
//! success was reported that did not happen, or if too many were missed.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::truth::{ablate, plan::TruthPlan, truth};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = TruthPlan::parse();
    let done = async {
        if plan.ablate {
            let ablation = ablate(&plan).await?;
            return Ok((ablation.text(), ablation.holds()));
        }
        let report = truth(&plan).await?;
        plan.json.as_deref().map_or(Ok(()), |file| report.write(file))?;
        Ok::<_, legwork_evals::EvalError>((report.text(), report.holds()))
    };
    match done.await {
        Ok((text, holds)) => {
            println!("{text}");
            if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
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
