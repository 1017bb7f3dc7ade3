//! The one account of the shop.

/// The user who may sign in.
pub const USER: &str = "alice";

/// Her password. The demo workflow reads it as the secret `demo_password`.
pub const PASSWORD: &str = "seven-seas-7";
