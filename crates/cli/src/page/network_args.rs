//! What lies around a page: its requests, its cookies and storage, the medium it is shown on; and what is meant by the words.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint, builder::PossibleValuesParser};
use legwork::browser::{Area, Emulation, MediaFeature, Route};
use legwork_verbs::{CookieOp, EntryOp, EntryWhat, NewCookie, PageCommand, RequestPart, RouteOp};

use super::parse::ParsedCommand;
use crate::error::CliError;

/// `legwork network`.
#[derive(Debug, Args)]
pub(crate) struct NetworkArgs {
    /// Only addresses that match this regular expression; or the number of one request
    #[arg(value_name = "FILTER|NUMBER")]
    filter: Option<String>,
    /// Pictures, fonts, styles and scripts that came well, too
    #[arg(long = "static")]
    with_static: bool,
    /// Since the session began, not only since the page was loaded
    #[arg(long)]
    all: bool,
    /// Only this part of the request
    #[arg(long, value_enum)]
    part: Option<PartArg>,
    /// Write it into this file, whole; `-` for standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    to: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PartArg {
    RequestHeaders,
    RequestBody,
    ResponseHeaders,
    ResponseBody,
}

impl NetworkArgs {
    pub(super) fn parse(self) -> Result<ParsedCommand, CliError> {
        let NetworkArgs { filter, with_static, all, part, to: file } = self;
        let part = part.map(|part| match part {
            PartArg::RequestHeaders => RequestPart::RequestHeaders,
            PartArg::RequestBody => RequestPart::RequestBody,
            PartArg::ResponseHeaders => RequestPart::ResponseHeaders,
            PartArg::ResponseBody => RequestPart::ResponseBody,
        });
        let verb = match filter.as_deref().map(str::parse) {
            Some(Ok(number)) => PageCommand::Request { number, part, to_file: file.is_some() },
            _ if part.is_some() || file.is_some() => {
                return Err(CliError::usage("the request is not named").hint("legwork network NUMBER --part PART"));
            }
            _ => PageCommand::Network { filter, with_static, all },
        };
        Ok(ParsedCommand { verb, file })
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum RouteArgs {
    /// List them
    List,
    /// Answer what fits, or send it with other headers
    Add {
        /// A whole address: `*` for anything but a slash, `**` for anything, `{a,b}` for either
        pattern: String,
        /// The answer's status
        #[arg(long, value_parser = clap::value_parser!(u16).range(200..600))]
        status: Option<u16>,
        /// The answer's body
        #[arg(long, allow_hyphen_values = true)]
        body: Option<String>,
        /// The answer's media type
        #[arg(long = "type", value_name = "TYPE")]
        content_type: Option<String>,
        /// A header that requests get, as `Name: value`; may be repeated
        #[arg(long = "header", value_name = "HEADER", conflicts_with_all = ["status", "body"])]
        headers: Vec<String>,
        /// Headers that requests lose
        #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["status", "body"])]
        without: Vec<String>,
    },
    /// Take one away, or all
    Remove {
        /// The one with this pattern
        pattern: Option<String>,
    },
}

impl RouteArgs {
    pub(super) fn verb(this: Option<Self>) -> Result<PageCommand, CliError> {
        Ok(PageCommand::Routes(match this {
            None | Some(RouteArgs::List) => RouteOp::List,
            Some(RouteArgs::Remove { pattern }) => RouteOp::Remove { pattern },
            Some(RouteArgs::Add { pattern, status, body, content_type, headers, without }) => {
                let pair = |header: String| match header.split_once(':') {
                    Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
                    None => Err(CliError::usage(format!("{header:?} is not a header")).hint("--header 'Name: value'")),
                };
                let headers = headers.into_iter().map(pair).collect::<Result<_, _>>()?;
                RouteOp::Add(Route { pattern, status, body, content_type, headers, remove_headers: without })
            }
        }))
    }
}

/// `legwork emulate`.
#[derive(Debug, Args)]
#[group(required = true, multiple = true)]
pub(crate) struct EmulateArgs {
    /// The color scheme that pages are told of
    #[arg(long, value_parser = values(MediaFeature::ColorScheme))]
    color_scheme: Option<String>,
    /// Whether motion is to be reduced
    #[arg(long, value_parser = values(MediaFeature::ReducedMotion))]
    reduced_motion: Option<String>,
    /// Whether colors are forced
    #[arg(long, value_parser = values(MediaFeature::ForcedColors))]
    forced_colors: Option<String>,
    /// How much contrast is wanted
    #[arg(long, value_parser = values(MediaFeature::Contrast))]
    contrast: Option<String>,
    /// The medium
    #[arg(long, value_parser = values(MediaFeature::Media))]
    media: Option<String>,
    /// Take the network away, or give it back; on its own
    #[arg(long, value_parser = ["online", "offline"],
        conflicts_with_all = ["color_scheme", "reduced_motion", "forced_colors", "contrast", "media"])]
    network: Option<String>,
}

/// What a feature can be set to, and the word that gives it back.
fn values(feature: MediaFeature) -> PossibleValuesParser {
    PossibleValuesParser::new(feature.values().iter().copied().chain(["reset"]))
}

impl EmulateArgs {
    pub(super) fn verb(self) -> PageCommand {
        let given = [
            (MediaFeature::ColorScheme, self.color_scheme),
            (MediaFeature::ReducedMotion, self.reduced_motion),
            (MediaFeature::ForcedColors, self.forced_colors),
            (MediaFeature::Contrast, self.contrast),
            (MediaFeature::Media, self.media),
        ];
        let given = given.into_iter().filter_map(|(feature, value)| Some((feature, value?)));
        let changes: Emulation = given.map(|(feature, value)| (feature, (value != "reset").then_some(value))).collect();
        match self.network {
            Some(network) => PageCommand::Offline { offline: network == "offline" },
            None => PageCommand::Emulate { changes },
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum CookieArgs {
    /// List them
    List {
        /// Only those whose host holds this
        #[arg(long)]
        domain: Option<String>,
        /// Only those whose path begins with this
        #[arg(long)]
        path: Option<String>,
    },
    /// Show one with its flags
    Get {
        /// Its name
        name: String,
    },
    /// Set one for the page's host
    Set {
        /// Its name
        name: String,
        /// Its value
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// Another host; with a leading dot, those below it too
        #[arg(long)]
        domain: Option<String>,
        /// The path
        #[arg(long)]
        path: Option<String>,
        /// Until when, in seconds since 1970
        #[arg(long, value_name = "SECONDS")]
        expires: Option<f64>,
        /// Scripts cannot read it
        #[arg(long)]
        http_only: bool,
        /// Only over https
        #[arg(long)]
        secure: bool,
        /// Which pages of other sites send it along
        #[arg(long, value_parser = ["Strict", "Lax", "None"], ignore_case = true)]
        same_site: Option<String>,
    },
    /// Throw one away
    Delete {
        /// Its name
        name: String,
    },
    /// Throw all away
    Clear,
}

impl CookieArgs {
    pub(super) fn verb(this: Option<Self>) -> PageCommand {
        PageCommand::Cookies(match this {
            None => CookieOp::List { domain: None, path: None },
            Some(CookieArgs::List { domain, path }) => CookieOp::List { domain, path },
            Some(CookieArgs::Get { name }) => CookieOp::Get { name },
            Some(CookieArgs::Set { name, value, domain, path, expires, http_only, secure, same_site }) => {
                CookieOp::Set(NewCookie { name, value, domain, path, expires, http_only, secure, same_site })
            }
            Some(CookieArgs::Delete { name }) => CookieOp::Delete { name },
            Some(CookieArgs::Clear) => CookieOp::Clear,
        })
    }
}

/// Which storage.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// The tab's own sessionStorage instead
    #[arg(long)]
    tab: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StorageArgs {
    /// List its entries
    List(Which),
    /// Show one
    Get {
        /// Its name
        key: String,
        #[command(flatten)]
        which: Which,
    },
    /// Set one
    Set {
        /// Its name
        key: String,
        /// Its value; ${secret:NAME} for a secret that `open` was given
        #[arg(allow_hyphen_values = true)]
        value: String,
        #[command(flatten)]
        which: Which,
    },
    /// Throw one away
    Delete {
        /// Its name
        key: String,
        #[command(flatten)]
        which: Which,
    },
    /// Throw all away
    Clear(Which),
}

impl StorageArgs {
    pub(super) fn verb(this: Option<Self>) -> PageCommand {
        let (which, what) = match this.unwrap_or(StorageArgs::List(Which { tab: false })) {
            StorageArgs::List(which) => (which, EntryWhat::List),
            StorageArgs::Get { key, which } => (which, EntryWhat::Get { key }),
            StorageArgs::Set { key, value, which } => (which, EntryWhat::Set { key, value }),
            StorageArgs::Delete { key, which } => (which, EntryWhat::Delete { key }),
            StorageArgs::Clear(which) => (which, EntryWhat::Clear),
        };
        PageCommand::Entries(EntryOp { area: if which.tab { Area::Session } else { Area::Local }, what })
    }
}
