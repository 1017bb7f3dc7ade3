//! Secrets from the exports of password managers: CSV files of 1Password, Bitwarden, Chrome, Edge and Firefox.
//!
//! A log-in with the title `GitHub` becomes the secrets `github_password` and, if it has one-time codes, `github_code`.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
};

use jiff::Timestamp;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use url::Url;

use crate::{OneTimeCodeKey, StoredSecret};

/// Why a file cannot be imported. No text contains a value.
#[derive(Debug, Error)]
pub enum PasswordExportError {
    /// The file is not CSV.
    #[error("the file is not valid CSV (line {line})")]
    Csv {
        /// The number of the line.
        line: u64,
    },
    /// The columns are those of no known export.
    #[error("the file has no columns for an address and a password; its columns are {}", .0.join(", "))]
    Columns(Vec<String>),
}

/// What an export contains.
#[derive(Debug, Default)]
pub struct Import {
    /// The secrets; their names differ.
    pub secrets: Vec<StoredSecret>,
    /// The entries that are left out, in the order of the file.
    pub skipped: Vec<SkippedEntry>,
    /// The entries of which a part is left out, in the order of the file.
    pub warnings: Vec<ImportWarning>,
}

/// An entry that is left out.
#[derive(Debug, PartialEq, Eq)]
pub struct SkippedEntry {
    /// The line of the file.
    pub line: u64,
    /// The title of the entry, if it has one.
    pub title: String,
    /// Why it is left out.
    pub reason: SkipReason,
}

/// Why an entry is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SkipReason {
    /// It has neither a password nor the key of one-time codes.
    #[error("it has no password")]
    NoPassword,
    /// Without an address it could not be bound to a site.
    #[error("it has no web address")]
    NoAddress,
    /// Its only value is the key of one-time codes, which has another form.
    #[error("it has no password, and the key of its one-time codes is not readable")]
    OneTimeCode,
}

/// An entry whose password is imported, without its one-time codes: their key has another form.
#[derive(Debug, PartialEq, Eq, Error)]
#[error("the key of its one-time codes is not readable; only its password is imported")]
pub struct ImportWarning {
    /// The line of the file.
    pub line: u64,
    /// The title of the entry, if it has one.
    pub title: String,
}

/// The names that the columns have in the known exports, in lower case.
const TITLE: &[&str] = &["title", "name", "item name"];
const ADDRESS: &[&str] = &["url", "urls", "website", "login_uri", "login uri"];
const USERNAME: &[&str] = &["username", "user name", "login_username", "login username"];
const PASSWORD: &[&str] = &["password", "login_password", "login password"];
const ONE_TIME_CODE: &[&str] = &["otpauth", "otp auth", "login_totp", "totp", "one-time password"];

struct Columns {
    title: Option<usize>,
    address: usize,
    username: Option<usize>,
    password: usize,
    one_time_code: Option<usize>,
}

/// Reads an export. `now` is the time of the import.
///
/// # Errors
/// If it is not CSV with the columns of a known export.
pub fn import(file: impl Read, now: Timestamp) -> Result<Import, PasswordExportError> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::Headers).from_reader(file);
    let headers = reader.headers().map_err(line_of)?.clone();
    let columns = columns(&headers)?;
    let mut import = Import::default();
    let mut names = BTreeSet::new();
    for record in reader.records() {
        let record = record.map_err(line_of)?;
        let line = record.position().map_or(0, csv::Position::line);
        let field = |column: Option<usize>| column.and_then(|index| record.get(index)).unwrap_or_default().trim();
        let (password, code_key) = (field(Some(columns.password)), field(columns.one_time_code));
        let origins = origins(field(Some(columns.address)));
        let title = Some(field(columns.title)).filter(|title| !title.is_empty());
        let title = title.or_else(|| origins.first().and_then(Url::host_str)).unwrap_or_default().to_owned();
        let mut skip = |reason| import.skipped.push(SkippedEntry { line, title: title.clone(), reason });
        if password.is_empty() && code_key.is_empty() {
            skip(SkipReason::NoPassword);
            continue;
        }
        if origins.is_empty() {
            skip(SkipReason::NoAddress);
            continue;
        }
        let code_address = (!code_key.is_empty()).then(|| OneTimeCodeKey::address(code_key));
        if matches!(code_address, Some(Err(_))) {
            if password.is_empty() {
                skip(SkipReason::OneTimeCode);
                continue;
            }
            import.warnings.push(ImportWarning { line, title: title.clone() });
        }
        let username = Some(field(columns.username)).filter(|name| !name.is_empty());
        let values: BTreeMap<&str, SecretString> = [
            ("password", Some(password.to_owned()).filter(|text| !text.is_empty())),
            ("code", code_address.and_then(Result::ok)),
        ]
        .into_iter()
        .filter_map(|(kind, value)| Some((kind, SecretString::from(value?))))
        .collect();
        let base = free_name(&title, username, &names);
        names.insert(base.clone());
        for (kind, value) in values {
            debug_assert!(!value.expose_secret().is_empty());
            import.secrets.push(StoredSecret {
                name: format!("{base}_{kind}"),
                value,
                origins: origins.clone(),
                username: username.map(str::to_owned),
                changed: now,
            });
        }
    }
    Ok(import)
}

fn line_of(error: csv::Error) -> PasswordExportError {
    PasswordExportError::Csv { line: error.position().map_or(0, csv::Position::line) }
}

fn columns(headers: &csv::StringRecord) -> Result<Columns, PasswordExportError> {
    let find = |names: &[&str]| {
        headers.iter().position(|header| {
            // Some exports begin with a byte order mark.
            names.contains(&header.trim_start_matches('\u{feff}').trim_matches('"').to_lowercase().as_str())
        })
    };
    match (find(ADDRESS), find(PASSWORD)) {
        (Some(address), Some(password)) => Ok(Columns {
            title: find(TITLE),
            address,
            username: find(USERNAME),
            password,
            one_time_code: find(ONE_TIME_CODE),
        }),
        _ => Err(PasswordExportError::Columns(headers.iter().map(str::to_owned).collect())),
    }
}

/// The origins of the addresses of an entry. Bitwarden separates addresses with commas. Addresses of mobile apps are
/// skipped; an address without a scheme gets `https`.
fn origins(addresses: &str) -> Vec<Url> {
    let mut origins: Vec<Url> = Vec::new();
    for address in addresses.split([',', '\n', ' ']).map(str::trim).filter(|address| !address.is_empty()) {
        let with_scheme = if address.contains("://") { address.to_owned() } else { format!("https://{address}") };
        let Ok(url) = Url::parse(&with_scheme) else { continue };
        let Ok(origin) = Url::parse(&url.origin().ascii_serialization()) else { continue };
        if matches!(url.scheme(), "http" | "https") && !origins.contains(&origin) {
            origins.push(origin);
        }
    }
    origins
}

/// A name for the secrets of an entry that no earlier entry has: from its title, else with the name of the user, else
/// with a number.
fn free_name(title: &str, username: Option<&str>, taken: &BTreeSet<String>) -> String {
    let short = name_of(title);
    let long = username.map(|user| format!("{short}_{}", name_of(user)));
    let numbered = (2..).map(|number: u32| format!("{short}_{number}"));
    std::iter::once(short.clone())
        .chain(long)
        .chain(numbered)
        .find(|name| !taken.contains(name))
        .expect("some number is free")
}

/// `my_bank_at` for `My Bank (AT)`.
fn name_of(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        } else if !name.ends_with('_') && !name.is_empty() {
            name.push('_');
        }
    }
    let name = name.trim_end_matches('_');
    match name.bytes().next() {
        None => "site".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("_{name}"),
        Some(_) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secrets, the skipped entries and the warnings, as texts.
    type Imported = (Vec<String>, Vec<(u64, String)>, Vec<(u64, String)>);

    fn imported(text: &str) -> Imported {
        let import = import(text.as_bytes(), Timestamp::UNIX_EPOCH).expect("an export");
        let secret = |secret: StoredSecret| {
            let origins: Vec<_> = secret.origins.iter().map(|url| url.origin().ascii_serialization()).collect();
            let username = secret.username.unwrap_or_default();
            format!("{}={} {username} @{}", secret.name, secret.value.expose_secret(), origins.join(","))
        };
        let skipped =
            import.skipped.into_iter().map(|entry| (entry.line, format!("{}: {}", entry.title, entry.reason)));
        let warnings = import.warnings.into_iter().map(|entry| (entry.line, format!("{}: {entry}", entry.title)));
        (import.secrets.into_iter().map(secret).collect(), skipped.collect(), warnings.collect())
    }

    #[test]
    fn an_export_of_1password_gives_passwords_and_codes() {
        let (secrets, skipped, warnings) = imported(
            "\u{feff}Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\n\
             My Bank (AT),https://bank.example/login?x=1,ada,\"tulip,\"\"94\",otpauth://totp/Bank:ada?secret=GEZDGNBVGY3TQOJQ,,,,\n\
             My Bank (AT),bank.example,bob,rose,,,,,\n\
             Note,,,,,,,,secret text\n\
             Router,,admin,router-pw,,,,,\n",
        );
        assert_eq!(
            secrets,
            [
                "my_bank_at_code=otpauth://totp/Bank:ada?secret=GEZDGNBVGY3TQOJQ ada @https://bank.example",
                "my_bank_at_password=tulip,\"94 ada @https://bank.example",
                "my_bank_at_bob_password=rose bob @https://bank.example",
            ]
        );
        assert_eq!(
            skipped,
            [(4, "Note: it has no password".to_owned()), (5, "Router: it has no web address".to_owned())]
        );
        assert_eq!(warnings, []);
    }

    #[test]
    fn an_export_of_bitwarden_gives_the_key_of_codes_in_any_form() {
        let (secrets, skipped, warnings) = imported(
            "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,login_totp\n\
             ,,login,Shop,,,0,\"https://shop.example,androidapp://com.shop,http://localhost:8080/x\",ada,pw1,gezd gnbv gy3t qojq\n\
             ,,login,2nd shop,,,0,https://two.example,,pw2,steam://abc\n\
             ,,login,Codes,,,0,https://three.example,,,steam://abc\n",
        );
        assert_eq!(
            secrets,
            [
                "shop_code=otpauth://totp/Legwork?secret=GEZDGNBVGY3TQOJQ ada @https://shop.example,http://localhost:8080",
                "shop_password=pw1 ada @https://shop.example,http://localhost:8080",
                "_2nd_shop_password=pw2  @https://two.example",
            ]
        );
        let warning = "2nd shop: the key of its one-time codes is not readable; only its password is imported";
        assert_eq!(warnings, [(3, warning.to_owned())]);
        let reason = "Codes: it has no password, and the key of its one-time codes is not readable";
        assert_eq!(skipped, [(4, reason.to_owned())]);
    }

    #[test]
    fn an_export_of_a_browser_without_titles_is_named_after_the_sites() {
        let (secrets, ..) = imported("\"url\",\"username\",\"password\"\nhttps://www.site.example/a,ada,x\n,,\n");
        assert_eq!(secrets, ["www_site_example_password=x ada @https://www.site.example"]);
        let other = import("a,b\n1,2\n".as_bytes(), Timestamp::UNIX_EPOCH);
        assert!(matches!(other, Err(PasswordExportError::Columns(columns)) if columns == ["a", "b"]));
    }
}
