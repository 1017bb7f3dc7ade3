//! The one account of the shop.

/// The user who can log in.
pub const USER: &str = "alice";

/// The user's password. The demo workflow reads it as the secret `demo_password`.
pub const PASSWORD: &str = "seven-seas-7";
