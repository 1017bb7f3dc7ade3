//! The parts for tests, tested.

mod apps;
