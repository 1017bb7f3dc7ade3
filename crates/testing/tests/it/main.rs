//! The parts for tests, tested.
