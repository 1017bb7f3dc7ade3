//! The store from outside: one suite for every implementation, and the effects of crashes, concurrent use and damaged
//! files.

mod artifacts;
mod concurrency;
mod corruption;
mod crash;
mod key_value;
mod lessons;
mod suite;
mod support;
