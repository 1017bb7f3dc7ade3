//! `legwork audit`: shows what callers of the servers did, and what was refused.

use clap::Args;
use jiff::Timestamp;
use legwork_access::{AuditEntry, AuditLog};
use serde_json::json;

use super::token::earlier;
use crate::{
    command_args::Global,
    error::CliError,
    exit::Exit,
    options,
    screen::Stream,
    style::{Style, escape_control},
};

/// `legwork audit`.
#[derive(Debug, Args)]
#[command(after_help = "\
One line for each request to `legwork serve` or `legwork mcp --http` that changed something, or was refused for its caller:
the time, the token, the address, the request, the run or other subject, and the status of the answer. No token, no body.")]
pub(crate) struct AuditArgs {
    /// Only entries since then: 1h, 7d, or a time such as 2026-11-01T00:00:00Z
    #[arg(long, value_name = "TIME", value_parser = earlier)]
    pub(crate) since: Option<Timestamp>,
    /// Print a JSON array
    #[arg(long)]
    pub(crate) json: bool,
}

/// `legwork audit`.
pub(crate) fn audit(global: &Global, args: &AuditArgs) -> Result<Exit, CliError> {
    let data = options::plain(global)?.data_dir;
    let entries = AuditLog::of(&data).read(args.since).map_err(|error| {
        CliError::fault("the audit log cannot be read").because(&error).hint("check the data folder (`data_dir`)")
    })?;
    let style = Style::on(Stream::Out.is_terminal());
    let text = match (args.json, entries.is_empty()) {
        (true, _) => format!("{:#}\n", json!(entries)),
        (false, true) => "There are no entries.\n".to_owned(),
        (false, false) => entries.iter().map(|entry| line(entry, style)).collect(),
    };
    Stream::Out.write(&text)?;
    Ok(Exit::Success)
}

fn line(entry: &AuditEntry, style: Style) -> String {
    let of = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let client = match (&entry.client, &entry.token_id) {
        (Some(client), Some(id)) => format!("{client} ({id})"),
        (client, _) => of(client),
    };
    let status = entry.status.map_or("no answer".to_owned(), |status| status.to_string());
    let address = entry.address.map_or("-".to_owned(), |address| address.to_string());
    let target = [Some(of(&entry.route)), entry.tool.clone(), entry.run.clone(), entry.subject.clone()];
    let target = target.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let request = format!("{} {} {target}", entry.server, entry.method);
    let parts = [status, client, address, request].map(|part| escape_control(&part));
    format!("{}  {}\n", style.dim(format!("{:.0}", entry.time)), parts.join("  "))
}
