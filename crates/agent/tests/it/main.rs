//! Scripts for the mind: what it is given against what it asks for and states.

mod closer;
mod extract;
mod investigate;
mod literal;
mod model;
mod resume;
mod schema;
mod script;
