//! The verbs at a glance, and `docs/verbs.md`, which is made of what clap knows.

/// Below the list of commands.
pub(crate) const OVERVIEW: &str = "\
Drive a page by hand, one verb at a time (`legwork VERB --help`, docs/verbs.md):
  look      open snapshot find text extract screenshot pdf eval console network
  act       click fill type press hover select check uncheck drag upload scroll dialog step batch
  move      back forward reload wait tab resize
  session   sessions cookies state close";
