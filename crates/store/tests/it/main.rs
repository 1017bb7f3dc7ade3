//! The store from outside: every backend against one suite, and what crashes, crowds and broken files do to it.

mod artifacts;
mod concurrency;
mod corruption;
mod crash;
mod key_value;
mod lessons;
mod suite;
mod support;
