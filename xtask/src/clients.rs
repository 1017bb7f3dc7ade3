//! MCP clients of other makers against the program as it is built for the other tests.

use crate::{
    run::{Failure, has, root, run, run_in},
    web::npm_ci,
};

pub(crate) fn test() -> Result<(), Failure> {
    if !has("npm", &["--version"]) {
        eprintln!("npm is not here: the MCP clients of other makers are left out");
        return Ok(());
    }
    let folder = root().join("crates/mcp/clients");
    npm_ci(&folder)?;
    run("cargo", &["build", "--quiet", "--package", "legwork-cli"])?;
    run("cargo", &["build", "--quiet", "--package", "legwork-mcp", "--example", "conformance"])?;
    run_in(&folder, "npm", &["test", "--silent"])
}
