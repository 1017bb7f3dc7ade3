//! Scripts for the mind: what it is given against what it asks for and states.

mod closer;
mod context;
mod custom;
mod doubt;
mod evidence;
mod extract;
mod fallbacks;
mod investigate;
mod literal;
mod memory;
mod model;
mod resume;
mod schema;
mod script;
mod thinking;
mod tiers;
mod tokens;
mod unknown;
