//! The run log and artifacts: numbered events appended by compare-and-swap, on SQLite.
