//! `cargo xtask attack`: carries out the classes that the command line names and prints what they came to. Exit 1 for a
//! forbidden effect, or if a class did not work.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::attack::{attack, plan::AttackPlan};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = AttackPlan::parse();
    let done = async {
        let report = attack(&plan).await?;
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
