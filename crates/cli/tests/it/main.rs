//! The program as the shell sees it: what it prints, what it exits with.

mod crash;
mod driven;
mod help;
mod program;
mod stored;
mod wrong;
