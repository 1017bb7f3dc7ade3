//! The arguments of mouse gestures and of external drops, and their conversion to gestures.

use clap::{Args, Subcommand, ValueHint};
use legwork::browser::Gesture;
use legwork_protocol::Target;
use legwork_verbs::PageCommand;

use super::{
    args::ButtonArg,
    parse::{button, whole_text},
};
use crate::error::CliError;

#[derive(Debug, Subcommand)]
pub(crate) enum MouseArgs {
    /// Move the pointer to a point
    Move {
        /// Distance from the left edge
        x: f64,
        /// Distance from the top edge
        y: f64,
    },
    /// Click at a point
    Click {
        /// Distance from the left edge
        x: f64,
        /// Distance from the top edge
        y: f64,
        /// The mouse button
        #[arg(long, value_enum, default_value_t = ButtonArg::Left)]
        button: ButtonArg,
        /// The number of clicks
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
        count: u8,
        /// Milliseconds between press and release
        #[arg(long, value_name = "MS", default_value_t = 0)]
        delay: u64,
    },
    /// Drag from one point to another
    Drag {
        /// Start: distance from the left edge
        from_x: f64,
        /// Start: distance from the top edge
        from_y: f64,
        /// End: distance from the left edge
        to_x: f64,
        /// End: distance from the top edge
        to_y: f64,
    },
    /// Press a button at the current pointer position
    Down {
        /// The mouse button
        #[arg(long, value_enum, default_value_t = ButtonArg::Left)]
        button: ButtonArg,
    },
    /// Release a button
    Up {
        /// The mouse button
        #[arg(long, value_enum, default_value_t = ButtonArg::Left)]
        button: ButtonArg,
    },
    /// Turn the wheel at the current pointer position
    Wheel {
        /// Distance downwards in pixels
        #[arg(allow_negative_numbers = true)]
        down: f64,
        /// Distance to the right in pixels
        #[arg(allow_negative_numbers = true, default_value_t = 0.0)]
        across: f64,
    },
}

impl MouseArgs {
    pub(super) fn verb(self) -> PageCommand {
        PageCommand::Gesture(match self {
            MouseArgs::Move { x, y } => Gesture::Move { to: [x, y] },
            MouseArgs::Click { x, y, button: which, count, delay } => {
                Gesture::Click { at: [x, y], button: button(which), count, delay }
            }
            MouseArgs::Drag { from_x, from_y, to_x, to_y } => {
                Gesture::Drag { from: [from_x, from_y], to: [to_x, to_y] }
            }
            MouseArgs::Down { button: which } => Gesture::Down { button: button(which) },
            MouseArgs::Up { button: which } => Gesture::Up { button: button(which) },
            MouseArgs::Wheel { down, across } => Gesture::Wheel { across, down },
        })
    }
}

/// `legwork drop`.
#[derive(Debug, Args)]
pub(crate) struct DropArgs {
    /// The element
    target: String,
    /// The files, from the folder that `open --uploads` allows
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "data")]
    files: Vec<String>,
    /// Data in addition to files or instead of them, such as `text/plain=hello`; may be repeated
    #[arg(long, value_name = "TYPE=DATA")]
    data: Vec<String>,
}

impl DropArgs {
    pub(super) fn verb(self) -> Result<PageCommand, CliError> {
        let pair = |data: &String| match data.split_once('=') {
            Some((kind, data)) if kind.contains('/') => Ok((kind.to_owned(), data.to_owned())),
            _ => Err(CliError::usage(format!("{data:?} names no media type")).hint("--data text/plain=hello")),
        };
        let files = self.files.iter().map(|file| whole_text(file)).collect();
        let data = self.data.iter().map(pair).collect::<Result<_, _>>()?;
        Ok(PageCommand::Gesture(Gesture::Drop { target: Target(self.target), files, data }))
    }
}
