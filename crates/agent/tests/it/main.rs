//! Scripts for the mind: what it is given against what it asks for and states.

mod doubt;
mod literal;
mod model;
mod resume;
mod schema;
mod script;
mod thinking;
