//! The store from outside: every backend against one suite, and what crashes, crowds and broken files do to it.

mod artifacts;
mod crash;
mod crowd;
mod given;
mod kept;
mod lessons;
mod suite;
mod trouble;
