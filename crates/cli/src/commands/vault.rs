//! `legwork vault`: stores secrets in an encrypted file, lists and removes them, and imports those of password
//! managers.

use std::{
    fs::File,
    io::{IsTerminal, Read},
    path::{Path, PathBuf},
};

use clap::{Args, Subcommand};
use jiff::{Timestamp, tz::TimeZone};
use legwork::secrets::{UserVault, origin};
use legwork_vault::{
    NewSecret, NewSecretError, StoredSecret, VaultFile, VaultFileError,
    import::{Import, import},
};
use secrecy::{ExposeSecret, SecretString, zeroize::Zeroizing};
use serde_json::json;
use url::Url;

use crate::{command_args::Global, error::CliError, exit::Exit, options, screen::Stream, style::Style};

/// `legwork vault`.
#[derive(Debug, Args)]
#[command(after_help = "\
A workflow uses a stored secret as ${secret:NAME}, after you granted it:
`legwork run FILE --secret NAME`. It is typed only into the sites that you name here.
`--one-time-code` stores the key of an authenticator app; a step then types the current code.

Examples:
  legwork vault add shop_password --origin https://shop.example
  legwork vault add shop_code --origin https://shop.example --one-time-code
  legwork vault import export.csv --dry-run
  legwork vault passphrase          protects the vault with a passphrase instead of the key file")]
pub(crate) struct VaultArgs {
    #[command(subcommand)]
    pub(crate) action: VaultAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum VaultAction {
    /// Store a secret. Its value is read from a prompt, or from standard input
    Add(AddArgs),
    /// List the names of the secrets and their sites, never a value
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Remove a secret
    Remove {
        /// Name of the secret
        name: String,
    },
    /// Store the passwords of a CSV export of 1Password, Bitwarden or a browser
    Import {
        /// The file; `-` for standard input
        file: PathBuf,
        /// Only show what would be stored
        #[arg(long)]
        dry_run: bool,
        /// Replace secrets that have the same name
        #[arg(long)]
        replace: bool,
    },
    /// Set or change the passphrase of the vault
    Passphrase {
        /// Protect the vault with the key file again
        #[arg(long)]
        remove: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// Name of the secret: letters, digits, `_`, `.` and `-`
    name: String,
    /// Site into which it may be typed, such as https://shop.example; may be repeated
    #[arg(long = "origin", value_name = "ORIGIN", value_parser = origin)]
    origins: Vec<Url>,
    /// Name of the user that it belongs to, as a note for you
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// The value is the key of an authenticator app: base32 letters, or an address that begins with otpauth://
    #[arg(long)]
    one_time_code: bool,
    /// Replace the secret of this name. Its sites stay the same unless you name others
    #[arg(long)]
    replace: bool,
}

/// `legwork vault`.
pub(crate) fn vault(global: &Global, args: &VaultArgs) -> Result<Exit, CliError> {
    let vault = UserVault::of(&options::plain(global)?);
    let mut ask = || vault.passphrase(&|name| std::env::var(name).ok(), &mut prompt);
    let file = vault.file();
    match &args.action {
        VaultAction::Add(args) => add(global, file, args, &mut ask),
        VaultAction::List { json } => {
            let secrets = file.list(&mut ask).map_err(cli_error)?;
            let text = if *json { listed(&secrets) } else { table(&secrets, Style::on(Stream::Out.is_terminal())) };
            Stream::Out.write(&text)?;
            Ok(Exit::Success)
        }
        VaultAction::Remove { name } => {
            file.remove(name, &mut ask).map_err(cli_error)?;
            say(global, &format!("removed {name}\n"))
        }
        VaultAction::Import { file: path, dry_run, replace } => {
            let read = read_import(path)?;
            if !dry_run {
                file.add(read.secrets.clone(), *replace, &mut ask).map_err(cli_error)?;
            }
            say(global, &imported(&read, *dry_run, path))
        }
        VaultAction::Passphrase { remove: true } => {
            file.protect(None, &mut ask).map_err(cli_error)?;
            say(global, "The key file protects the vault now.\n")
        }
        VaultAction::Passphrase { remove: false } => {
            let has_one = file.has_passphrase().map_err(cli_error)?;
            // The former passphrase is asked for first.
            file.list(&mut ask).map_err(cli_error)?;
            let new = prompt("new passphrase").ok_or_else(no_terminal)?;
            let again = prompt("again").ok_or_else(no_terminal)?;
            if new.expose_secret() != again.expose_secret() {
                return Err(CliError::usage("the two passphrases differ; nothing was changed"));
            }
            file.protect(Some(&new), &mut ask).map_err(cli_error)?;
            let done = if has_one { "The passphrase was changed." } else { "The passphrase protects the vault now." };
            say(global, &format!("{done} If you lose it, the secrets are lost.\n"))
        }
    }
}

fn add(
    global: &Global,
    file: &VaultFile,
    args: &AddArgs,
    ask: &mut dyn FnMut() -> Option<SecretString>,
) -> Result<Exit, CliError> {
    let AddArgs { name, origins, username, one_time_code, replace } = args;
    let new = NewSecret::new(file, name, origins.clone(), username.clone(), *replace, ask);
    let new = new.map_err(|error| match error {
        NewSecretError::NoOrigin => {
            CliError::usage(error.to_string()).hint(format!("legwork vault add {name} --origin https://example.org"))
        }
        other => refused(other),
    })?;
    let secret = new.store(file, value_of(name)?, *one_time_code, ask).map_err(refused)?;
    say(global, &format!("stored {name} for {}; a run uses it with `--secret {name}`\n", sites(&secret)))
}

/// The value from a prompt without echo, or all of standard input without its last line break.
fn value_of(name: &str) -> Result<SecretString, CliError> {
    Ok(if std::io::stdin().is_terminal() {
        prompt(&format!("value of {name}")).ok_or_else(no_terminal)?
    } else {
        let mut text = Zeroizing::new(String::new());
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| CliError::usage("standard input is not text").because(&error))?;
        let line = text.strip_suffix('\n').unwrap_or(&text);
        SecretString::from(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// Asks at the terminal without echo. `None` if there is no terminal, or the answer is empty.
fn prompt(question: &str) -> Option<SecretString> {
    super::ask_secret().and_then(|mut ask| ask(question))
}

fn no_terminal() -> CliError {
    CliError::usage("nothing was entered").hint("enter it at a terminal")
}

fn read_import(path: &Path) -> Result<Import, CliError> {
    let failed = |error: &dyn std::error::Error| {
        CliError::usage(format!("{} cannot be imported", path.display()))
            .because(error)
            .hint("export the passwords as CSV from 1Password, Bitwarden, Chrome, Edge or Firefox")
    };
    let now = Timestamp::now();
    let read = if path.as_os_str() == "-" {
        import(std::io::stdin().lock(), now)
    } else {
        import(File::open(path).map_err(|error| failed(&error))?, now)
    };
    read.map_err(|error| failed(&error))
}

fn imported(read: &Import, dry_run: bool, path: &Path) -> String {
    let mut text = table(&read.secrets, Style::on(Stream::Out.is_terminal()));
    for skipped in &read.skipped {
        text += &format!("line {}: {}: {}\n", skipped.line, skipped.title, skipped.reason);
    }
    for warning in &read.warnings {
        text += &format!("line {}: {}: {warning}\n", warning.line, warning.title);
    }
    let (count, were) = match read.secrets.len() {
        1 => ("1 secret".to_owned(), "was"),
        several => (format!("{several} secrets"), "were"),
    };
    text += &if dry_run {
        format!("{count} would be stored\n")
    } else {
        format!("{count} {were} stored. Delete {}: it contains the values as plain text.\n", path.display())
    };
    text
}

fn sites(secret: &StoredSecret) -> String {
    secret.origins.iter().map(|url| url.origin().ascii_serialization()).collect::<Vec<_>>().join(", ")
}

fn listed(secrets: &[StoredSecret]) -> String {
    let secrets: Vec<_> = secrets
        .iter()
        .map(|secret| {
            json!({
                "name": secret.name,
                "origins": secret.origins.iter().map(|url| url.origin().ascii_serialization()).collect::<Vec<_>>(),
                "username": secret.username,
                "one_time_code": secret.is_one_time_code(),
                "changed": secret.changed,
            })
        })
        .collect();
    format!("{:#}\n", json!(secrets))
}

fn table(secrets: &[StoredSecret], style: Style) -> String {
    if secrets.is_empty() {
        return "There are no secrets. `legwork vault add NAME --origin ORIGIN` stores one.\n".to_owned();
    }
    let wide = secrets.iter().map(|secret| secret.name.len()).max().unwrap_or_default();
    let line = |secret: &StoredSecret| {
        let name = format!("{:<wide$}", secret.name);
        let username = secret.username.as_ref().map(|name| format!("  {name}")).unwrap_or_default();
        let kind = if secret.is_one_time_code() { "  one-time code" } else { "" };
        let changed = secret.changed.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d");
        let rest = style.dim(format!("  changed {changed}"));
        format!("{}  {}{username}{kind}{rest}\n", style.bold(name), sites(secret))
    };
    secrets.iter().map(line).collect()
}

fn say(global: &Global, text: &str) -> Result<Exit, CliError> {
    if !global.quiet {
        Stream::Out.write(text)?;
    }
    Ok(Exit::Success)
}

fn refused(error: NewSecretError) -> CliError {
    match error {
        NewSecretError::Vault(error) => cli_error(error),
        other => CliError::usage(other.to_string()),
    }
}

fn cli_error(error: VaultFileError) -> CliError {
    let hint = error.hint();
    let told = match &error {
        VaultFileError::File { .. } | VaultFileError::Random => CliError::fault(error.to_string()),
        _ => CliError::usage(error.to_string()),
    };
    told.because(&error).hint(hint)
}
