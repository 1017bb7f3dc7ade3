//! Code that reads snapshots, tested with captures and with pages in fixture notation.

mod assembling;
mod capture_contract;
mod changes;
mod mutations;
mod rendering;
mod tokens;
