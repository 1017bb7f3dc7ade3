//! How the programs of this crate end.

use std::{error::Error, process::ExitCode};

use crate::EvalError;

/// Prints a text, or an error with its causes. The program succeeds if the second value says that the result is
/// acceptable.
pub fn exit(done: Result<(String, bool), EvalError>) -> ExitCode {
    match done {
        Ok((text, holds)) => {
            println!("{text}");
            if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(error) => {
            eprintln!("{error}");
            let mut cause = error.source();
            while let Some(error) = cause {
                eprintln!("  because: {error}");
                cause = error.source();
            }
            ExitCode::FAILURE
        }
    }
}
