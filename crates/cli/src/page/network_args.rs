//! The arguments for requests, routes, cookies, storage and emulation, and their conversion to page commands.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint, builder::PossibleValuesParser};
use legwork::browser::{Area, Emulation, MediaFeature, Route};
use legwork_verbs::{CookieOp, EntryOp, EntryWhat, NewCookie, PageCommand, RequestPart, RouteOp};

use super::parse::ParsedCommand;
use crate::error::CliError;

/// `legwork network`.
#[derive(Debug, Args)]
pub(crate) struct NetworkArgs {
    /// Only requests whose URL matches this regular expression; or the number of one request
    #[arg(value_name = "FILTER|NUMBER")]
    filter: Option<String>,
    /// Include successful requests for static resources (images, fonts, style sheets, scripts, media)
    #[arg(long = "static")]
    with_static: bool,
    /// Since the start of the session instead of since the page was loaded
    #[arg(long)]
    all: bool,
    /// Only this part of the request
    #[arg(long, value_enum)]
    part: Option<PartArg>,
    /// Write the complete part to this file; `-` for standard output
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
    /// List the routes
    List,
    /// Answer matching requests, or send them with other headers
    Add {
        /// A complete URL; `*` matches anything except a slash, `**` anything, `{a,b}` either
        pattern: String,
        /// The status of the response
        #[arg(long, value_parser = clap::value_parser!(u16).range(200..600))]
        status: Option<u16>,
        /// The body of the response
        #[arg(long, allow_hyphen_values = true)]
        body: Option<String>,
        /// The media type of the response
        #[arg(long = "type", value_name = "TYPE")]
        content_type: Option<String>,
        /// A header to add to requests, as `Name: value`; may be repeated
        #[arg(long = "header", value_name = "HEADER", conflicts_with_all = ["status", "body"])]
        headers: Vec<String>,
        /// Headers to remove from requests
        #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["status", "body"])]
        without: Vec<String>,
    },
    /// Remove one route, or all
    Remove {
        /// The pattern of the route to remove
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
    /// Emulate a preferred colour scheme
    #[arg(long, value_parser = values(MediaFeature::ColorScheme))]
    color_scheme: Option<String>,
    /// Emulate a preference for reduced motion
    #[arg(long, value_parser = values(MediaFeature::ReducedMotion))]
    reduced_motion: Option<String>,
    /// Emulate forced colours
    #[arg(long, value_parser = values(MediaFeature::ForcedColors))]
    forced_colors: Option<String>,
    /// Emulate a preferred contrast
    #[arg(long, value_parser = values(MediaFeature::Contrast))]
    contrast: Option<String>,
    /// Emulate a medium
    #[arg(long, value_parser = values(MediaFeature::Media))]
    media: Option<String>,
    /// Switch the network off or on; cannot be combined with other options
    #[arg(long, value_parser = ["online", "offline"],
        conflicts_with_all = ["color_scheme", "reduced_motion", "forced_colors", "contrast", "media"])]
    network: Option<String>,
}

/// The values of a feature, and the word that resets it.
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
    /// List cookies
    List {
        /// Only cookies whose domain contains this text
        #[arg(long)]
        domain: Option<String>,
        /// Only cookies whose path starts with this text
        #[arg(long)]
        path: Option<String>,
    },
    /// Show a cookie with its attributes
    Get {
        /// The name of the cookie
        name: String,
    },
    /// Set a cookie for the page's host
    Set {
        /// The name of the cookie
        name: String,
        /// The value of the cookie
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// Another domain; a leading dot includes subdomains
        #[arg(long)]
        domain: Option<String>,
        /// The path
        #[arg(long)]
        path: Option<String>,
        /// The expiry time, in seconds since 1970
        #[arg(long, value_name = "SECONDS")]
        expires: Option<f64>,
        /// Hide it from scripts
        #[arg(long)]
        http_only: bool,
        /// Send it over https only
        #[arg(long)]
        secure: bool,
        /// Which requests from other sites contain it
        #[arg(long, value_parser = ["Strict", "Lax", "None"], ignore_case = true)]
        same_site: Option<String>,
    },
    /// Delete a cookie
    Delete {
        /// The name of the cookie
        name: String,
    },
    /// Delete all cookies
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

/// The storage to use.
#[derive(Debug, Args)]
pub(crate) struct StorageArea {
    /// The tab's sessionStorage instead of localStorage
    #[arg(long)]
    tab: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StorageArgs {
    /// List the entries
    List(StorageArea),
    /// Show an entry
    Get {
        /// The name of the entry
        key: String,
        #[command(flatten)]
        which: StorageArea,
    },
    /// Set an entry
    Set {
        /// The name of the entry
        key: String,
        /// The value; ${secret:NAME} for a secret that was given to `open`
        #[arg(allow_hyphen_values = true)]
        value: String,
        #[command(flatten)]
        which: StorageArea,
    },
    /// Delete an entry
    Delete {
        /// The name of the entry
        key: String,
        #[command(flatten)]
        which: StorageArea,
    },
    /// Delete all entries
    Clear(StorageArea),
}

impl StorageArgs {
    pub(super) fn verb(this: Option<Self>) -> PageCommand {
        let (which, what) = match this.unwrap_or(StorageArgs::List(StorageArea { tab: false })) {
            StorageArgs::List(which) => (which, EntryWhat::List),
            StorageArgs::Get { key, which } => (which, EntryWhat::Get { key }),
            StorageArgs::Set { key, value, which } => (which, EntryWhat::Set { key, value }),
            StorageArgs::Delete { key, which } => (which, EntryWhat::Delete { key }),
            StorageArgs::Clear(which) => (which, EntryWhat::Clear),
        };
        PageCommand::Entries(EntryOp { area: if which.tab { Area::Session } else { Area::Local }, what })
    }
}
