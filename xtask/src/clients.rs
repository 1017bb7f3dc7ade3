//! Tests the program, as built for the other tests, with MCP clients of other makers.

use crate::{
    run::{Failure, build, has, root, run_in},
    web::npm_ci,
};

pub(crate) fn test() -> Result<(), Failure> {
    if !has("npm", &["--version"]) {
        eprintln!("npm is not installed: skipping the MCP clients of other makers");
        return Ok(());
    }
    let folder = root().join("crates/mcp/clients");
    npm_ci(&folder)?;
    build()?;
    run_in(&folder, "npm", &["test", "--silent"])
}
