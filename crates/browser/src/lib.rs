//! The executor: actions, waiting, hit-testing and settling, written once above thin browser drivers.
