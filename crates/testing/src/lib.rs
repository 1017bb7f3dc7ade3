//! The demo site, a scripted model server and other real parts for tests.

pub mod apps;
pub mod demo;
pub mod model;
