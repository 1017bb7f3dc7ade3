//! Scripts for the agent: what it is given against what it asks for and states.

mod advisory_rules;
mod clauses;
mod context;
mod custom;
mod evidence;
mod extract;
mod fallbacks;
mod groups;
mod investigate;
mod leave_field;
mod literal;
mod memory;
mod model;
mod playbook;
mod playbook_groups;
mod reflection;
mod resume;
mod resume_inputs;
mod schema;
mod step_retries;
mod support;
mod tiers;
mod tokens;
mod unknown;
mod world;
