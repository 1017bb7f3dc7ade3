//! Cookies and the storage of the page. Replies show handles in place of the session's secrets. An exported state
//! contains their values, because a session that is opened with it needs them.

use legwork::{
    browser::{BrowserError, Cookie},
    page::Page,
};
use legwork_protocol::ActionFailure;
use serde_json::json;

use crate::{CookieOp, EntryOp, EntryWhat, File, NewCookie, PageReply, render::within};

pub(crate) async fn cookies(page: &Page, op: CookieOp, max: usize) -> Result<PageReply, ActionFailure> {
    let session = page.session();
    let told = match op {
        CookieOp::List { domain, path } => session.cookies().await.map(|cookies| {
            let wanted = |cookie: &Cookie| {
                domain.as_ref().is_none_or(|domain| cookie.domain.contains(domain))
                    && path.as_ref().is_none_or(|path| cookie.path.starts_with(path))
            };
            let cookies: Vec<Cookie> = cookies.into_iter().filter(wanted).collect();
            let line = |cookie: &Cookie| format!("{}={} ({}{})", cookie.name, cookie.value, cookie.domain, cookie.path);
            listed(&cookies, line, "there are no cookies".to_owned(), max)
        }),
        CookieOp::Get { name } => session.cookies().await.map(|cookies| {
            let cookies: Vec<Cookie> = cookies.into_iter().filter(|cookie| cookie.name == name).collect();
            listed(&cookies, whole, format!("there is no cookie {name}"), max)
        }),
        CookieOp::Set(new) => match cookie_of(new, &session.url()) {
            Some(cookie) => {
                match page.set_cookies(std::slice::from_ref(&cookie)).await? {
                    // The browser does not accept the cookie.
                    Err(error @ BrowserError::Protocol { .. }) => return Ok(PageReply::unmet(error.to_string())),
                    set => set.map(|()| PageReply::text(format!("set {} for {}", cookie.name, cookie.domain))),
                }
            }
            None => {
                let why = "no page is open to set the cookie for: name its domain, or open a page first";
                return Ok(PageReply::unmet(why));
            }
        },
        CookieOp::Delete { name } => page.delete_cookies(|cookie| cookie.name == name).await?.map(|gone| match gone {
            0 => PageReply::text(format!("there is no cookie {name}")),
            1 => PageReply::text(format!("deleted {name}")),
            more => PageReply::text(format!("deleted {name} of {more} hosts")),
        }),
        CookieOp::Clear => page.clear_cookies().await?.map(|()| PageReply::text("no cookies are left")),
    };
    Ok(told.unwrap_or_else(|error| PageReply::browser_failed(&error)))
}

pub(crate) async fn entries(page: &Page, op: EntryOp, max: usize) -> Result<PageReply, ActionFailure> {
    let (session, area) = (page.session(), op.area);
    let none = |key: &str| format!("{} has no {key}", area.name());
    Ok(match op.what {
        EntryWhat::List => {
            let entries = session.entries(area).await?;
            let lines: Vec<String> = entries.iter().map(|entry| format!("{}={}", entry.name, entry.value)).collect();
            let text = if lines.is_empty() { format!("{} is empty", area.name()) } else { lines.join("\n") };
            PageReply::with(within(text, max, "ask for one of them"), json!({"entries": entries}))
        }
        EntryWhat::Get { key } => match session.entry(area, &key).await? {
            Some(value) => PageReply::with(
                within(format!("{key}={value}"), max, "ask for more tokens"),
                json!({"key": key, "value": value}),
            ),
            None => PageReply::with(none(&key), json!({"key": key})),
        },
        EntryWhat::Set { key, value } => {
            page.set_entry(area, &key, &value).await?;
            PageReply::text(format!("set {key} in {}", area.name()))
        }
        EntryWhat::Delete { key } => match page.delete_entries(area, Some(&key)).await? {
            0 => PageReply::text(none(&key)),
            _ => PageReply::text(format!("deleted {key} from {}", area.name())),
        },
        EntryWhat::Clear => {
            let gone = page.delete_entries(area, None).await?;
            PageReply::text(format!("{gone} entries taken out of {}", area.name()))
        }
    })
}

pub(crate) async fn state(page: &Page) -> PageReply {
    match page.session().storage_state().await {
        Ok(state) => PageReply {
            file: Some(File {
                bytes: serde_json::to_vec_pretty(&state).unwrap_or_default(),
                media_type: "application/json".to_owned(),
                extension: "json".to_owned(),
            }),
            ..PageReply::text(format!("{} cookies, storage of {} origins", state.cookies.len(), state.origins.len()))
        },
        Err(error) => PageReply::browser_failed(&error),
    }
}

fn listed(cookies: &[Cookie], line: impl Fn(&Cookie) -> String, none: String, max: usize) -> PageReply {
    let text = if cookies.is_empty() { none } else { cookies.iter().map(line).collect::<Vec<_>>().join("\n") };
    PageReply::with(within(text, max, "ask for more tokens"), json!({"cookies": cookies}))
}

/// A cookie with its attributes.
fn whole(cookie: &Cookie) -> String {
    let mut text = format!("{}={} (domain: {}, path: {}", cookie.name, cookie.value, cookie.domain, cookie.path);
    if cookie.expires > 0.0 {
        text.push_str(&format!(", expires: {}", cookie.expires));
    }
    for (flag, name) in [(cookie.http_only, ", httpOnly"), (cookie.secure, ", secure")] {
        text.push_str(if flag { name } else { "" });
    }
    if let Some(same_site) = &cookie.same_site {
        text.push_str(&format!(", sameSite: {same_site}"));
    }
    text + ")"
}

fn cookie_of(new: NewCookie, page: &str) -> Option<Cookie> {
    let host = || url::Url::parse(page).ok()?.host_str().map(str::to_owned);
    Some(Cookie {
        name: new.name,
        value: new.value,
        domain: new.domain.or_else(host)?,
        path: new.path.unwrap_or_else(|| "/".to_owned()),
        expires: new.expires.unwrap_or(-1.0),
        http_only: new.http_only,
        secure: new.secure,
        same_site: new.same_site.map(spelled),
    })
}

/// The value in the spelling that the browser requires.
fn spelled(same_site: String) -> String {
    let known = ["Strict", "Lax", "None"].into_iter().find(|known| known.eq_ignore_ascii_case(&same_site));
    known.map_or(same_site, str::to_owned)
}
