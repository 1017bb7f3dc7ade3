//! `cargo xtask eval`: runs the suite given on the command line, writes the results and prints the table.

use std::process::ExitCode;

use clap::Parser;
use legwork_evals::{evaluate, plan::EvalPlan};

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> ExitCode {
    let plan = EvalPlan::parse();
    let done = async {
        let report = evaluate(&plan).await?;
        let file = report.write(plan.out.as_deref())?;
        Ok::<_, legwork_evals::EvalError>((report, file))
    };
    match done.await {
        Ok((report, file)) => {
            println!("{}\n{}", report.markdown(), file.display());
            ExitCode::SUCCESS
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
