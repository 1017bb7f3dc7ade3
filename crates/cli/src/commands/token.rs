//! `legwork token`: creates, lists and revokes the tokens with which programs use `legwork serve` and
//! `legwork mcp --http`.

use clap::{Args, Subcommand};
use jiff::{Span, Timestamp, tz::TimeZone};
use legwork::protocol::Code;
use legwork_access::{Scopes, TokenError, TokenFile, TokenRecord, TokenScope};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::{command_args::Global, error::CliError, exit::Exit, options, screen::Stream, style::Style};

/// `legwork token`.
#[derive(Debug, Args)]
#[command(after_help = "\
Scopes (none includes another one):
  read    read runs, streams, pictures, statistics and settings
  run     start runs; over MCP: use pages
  steer   pause, resume and cancel runs, and answer their questions
  admin   change settings and schedules; delete runs and lessons

Running servers accept a new token at once. They refuse a revoked one at once, and end its streams; runs that it started
continue.

Examples:
  legwork token create ci --scope read,run --expires 30d
  legwork token revoke ci
  legwork serve --link --token ci     a link that signs a browser in with the scopes of a token")]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    pub(crate) action: TokenAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TokenAction {
    /// Create a token and print it, once; only its hash is stored
    Create {
        /// Name of the token: letters, digits, dots, hyphens and underscores
        name: String,
        /// What the token may do: read, run, steer, admin
        #[arg(long = "scope", value_name = "SCOPES", value_delimiter = ',', required = true)]
        scopes: Vec<TokenScope>,
        /// When the token expires: 12h, 30d, 8w, or a time such as 2027-01-31T00:00:00Z; by default never
        #[arg(long, value_name = "TIME", value_parser = later)]
        expires: Option<Timestamp>,
    },
    /// List the tokens
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Revoke a token
    Revoke {
        /// Name or id of the token
        #[arg(value_name = "NAME|ID")]
        token: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// A time of an argument is not one.
#[derive(Debug, thiserror::Error)]
#[error("expected a time span such as 12h, 30d or 8w, or a time such as 2027-01-31T00:00:00Z")]
pub(crate) struct BadTime;

/// A point in time, or a time span from now on.
fn later(text: &str) -> Result<Timestamp, BadTime> {
    moment(text, |span| span)
}

/// A point in time, or the time that was this time span ago.
pub(crate) fn earlier(text: &str) -> Result<Timestamp, BadTime> {
    moment(text, Span::negate)
}

fn moment(text: &str, from_now: impl Fn(Span) -> Span) -> Result<Timestamp, BadTime> {
    if let Ok(time) = text.parse() {
        return Ok(time);
    }
    let span: Span = text.parse().map_err(|_| BadTime)?;
    // Days and longer units need a calendar.
    let now = Timestamp::now().to_zoned(TimeZone::UTC);
    Ok(now.checked_add(from_now(span)).map_err(|_| BadTime)?.timestamp())
}

/// `legwork token`.
pub(crate) fn token(global: &Global, args: &TokenArgs) -> Result<Exit, CliError> {
    let data = options::plain(global)?.data_dir;
    let file = TokenFile::of(&data);
    match &args.action {
        TokenAction::Create { name, scopes, expires } => {
            std::fs::create_dir_all(&data).map_err(|error| {
                CliError::fault(format!("cannot create the data folder {}", data.display())).because(&error)
            })?;
            let scopes: Scopes = scopes.iter().copied().collect();
            let made = file.create(name, scopes, *expires).map_err(cli_error)?;
            Stream::Out.write(&format!("{}\n", made.text.expose_secret()))?;
            if !global.quiet {
                Stream::Err.write(&format!("{} This is the only time that it is shown.\n", described(&made.record)))?;
            }
        }
        TokenAction::List { json } => {
            let tokens = file.list().map_err(cli_error)?;
            let text = if *json { listed(&tokens) } else { table(&tokens, Style::on(Stream::Out.is_terminal())) };
            Stream::Out.write(&text)?;
        }
        TokenAction::Revoke { token, json } => {
            let gone = file.revoke(token).map_err(cli_error)?;
            if *json {
                let object = json!({ "id": gone.id, "name": gone.name, "revoked": true });
                Stream::Out.write(&format!("{object:#}\n"))?;
            } else if !global.quiet {
                Stream::Out.write(&format!("token {} ({}) is revoked\n", gone.name, gone.id))?;
            }
        }
    }
    Ok(Exit::Success)
}

fn described(token: &TokenRecord) -> String {
    let expires = token.expires.map_or("does not expire".to_owned(), |time| format!("expires {time:.0}"));
    format!("Token {} ({}) with {}; {expires}.", token.name, token.id, token.scopes)
}

fn listed(tokens: &[TokenRecord]) -> String {
    let now = Timestamp::now();
    let tokens: Vec<_> = tokens
        .iter()
        .map(|token| {
            json!({
                "id": token.id,
                "name": token.name,
                "scopes": token.scopes,
                "created": token.created,
                "expires": token.expires,
                "expired": token.is_expired(now),
            })
        })
        .collect();
    format!("{:#}\n", json!(tokens))
}

fn table(tokens: &[TokenRecord], style: Style) -> String {
    if tokens.is_empty() {
        return "There are no tokens. `legwork token create NAME --scope read` creates one.\n".to_owned();
    }
    let now = Timestamp::now();
    let wide = tokens.iter().map(|token| token.name.len()).max().unwrap_or_default();
    let line = |token: &TokenRecord| {
        let expires = match token.expires {
            None => "never expires".to_owned(),
            Some(time) if token.is_expired(now) => format!("expired {}", time.strftime("%Y-%m-%d %H:%M")),
            Some(time) => format!("expires {}", time.strftime("%Y-%m-%d %H:%M")),
        };
        let name = format!("{:<wide$}", token.name);
        let scopes = token.scopes.to_string();
        let rest = format!("{}  created {}", token.id, token.created.strftime("%Y-%m-%d"));
        format!("{}  {scopes:<20}  {expires:<24}  {}\n", style.bold(name), style.dim(rest))
    };
    tokens.iter().map(line).collect()
}

pub(crate) fn cli_error(error: TokenError) -> CliError {
    let hint = error.hint();
    let told = match &error {
        TokenError::Name(_)
        | TokenError::Exists(_)
        | TokenError::Unknown(_)
        | TokenError::NoScope
        | TokenError::Expired => CliError::usage(error.to_string()).code(Code::RequestInvalid),
        _ => CliError::fault(error.to_string()).code(Code::Storage),
    };
    told.because(&error).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_span_or_a_point_in_time() {
        let now = Timestamp::now();
        let days = |time: Timestamp| (time - now).get_seconds() / 86_400;
        assert_eq!(later("30d").map(days).unwrap(), 30);
        assert_eq!(later("2w").map(days).unwrap(), 14);
        assert!((-7..=-6).contains(&earlier("7d").map(days).unwrap()));
        assert_eq!(later("2027-01-31T00:00:00Z").unwrap().to_string(), "2027-01-31T00:00:00Z");
        for text in ["", "soon", "30", "99999999y"] {
            assert!(later(text).is_err(), "{text:?}");
        }
    }
}
