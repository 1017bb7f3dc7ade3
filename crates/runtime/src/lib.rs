//! Legwork, the library: tell it what to do on the web, it does it in a real browser, proves it, and remembers how.

mod ears;
pub mod record;

pub use legwork_store as store;
pub mod policy;
pub mod settings;
pub mod vault;
pub mod workflow_file;
