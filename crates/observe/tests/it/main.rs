//! What reads snapshots, tested on captures and on pages written by hand.

mod assembling;
mod changes;
mod rendering;
mod tokens;
