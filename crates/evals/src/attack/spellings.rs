//! Spellings of an address of this machine, for rules that compare the names of hosts.

/// Hosts that lead to this machine, in spellings that no rule names. `localhost`, `127.0.0.1` and `[::1]` are not among
/// them.
pub(super) const LOOPBACK: &[&str] = &[
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.2",
    "0.0.0.0",
    "0",
    "localhost.",
    "a.localhost",
    "[::ffff:127.0.0.1]",
    "[0:0:0:0:0:0:0:1]",
    "１２７.0.0.1",
    "127。0。0。1",
];
