//! Parses the tools that are listed only if their group is requested: mouse gestures, storage, assertions, the network
//! and the server's configuration.

use legwork::browser::{Area, Gesture, Route};
use legwork_verbs::{CommandRequest, CookieOp, EntryOp, EntryWhat, NewCookie, PageCommand, RouteOp, Verify};

use super::{
    arguments::*,
    parse::{Call, Save, with_file},
};

pub(super) fn call(read: &Reader<'_>, max_tokens: Option<usize>) -> Result<Call, InvalidCall> {
    let ask = |verb: PageCommand| Call::Ask(CommandRequest { verb, max_tokens });
    let cookies = |op: CookieOp| ask(PageCommand::Cookies(op));
    let routes = |op: RouteOp| ask(PageCommand::Routes(op));
    let verify = |wanted: Verify| ask(PageCommand::Verify(wanted));
    if let Some(what) = read.tool.strip_prefix("browser_mouse_") {
        return Ok(ask(PageCommand::Gesture(mouse(read, what)?)));
    }
    for (prefix, area) in [("browser_localstorage_", Area::Local), ("browser_sessionstorage_", Area::Session)] {
        if let Some(what) = read.tool.strip_prefix(prefix) {
            return Ok(ask(PageCommand::Entries(EntryOp { area, what: entries(read, what)? })));
        }
    }
    Ok(match read.tool {
        "browser_cookie_list" => {
            let CookieFilter { domain, path } = read.to()?;
            cookies(CookieOp::List { domain, path })
        }
        "browser_cookie_get" => {
            let Called { name } = read.to()?;
            cookies(CookieOp::Get { name })
        }
        "browser_cookie_set" => {
            let cookie: NewCookie = read.to()?;
            cookies(CookieOp::Set(cookie))
        }
        "browser_cookie_delete" => {
            let Called { name } = read.to()?;
            cookies(CookieOp::Delete { name })
        }
        "browser_cookie_clear" => cookies(CookieOp::Clear),
        "browser_storage_state" => {
            let Named { filename } = read.to()?;
            let filename = filename.or_else(|| Some("storage-state.json".to_owned()));
            with_file(CommandRequest { verb: PageCommand::SaveState, max_tokens }, filename, "storage-state")
        }
        "browser_set_storage_state" => {
            let Named { filename } = read.to()?;
            Call::LoadState { filename: filename.ok_or_else(|| read.lacks("filename"))? }
        }
        "browser_pdf_save" => {
            let Named { filename } = read.to()?;
            Call::Save(CommandRequest { verb: PageCommand::Pdf, max_tokens }, Save { filename, stem: "page" })
        }
        "browser_verify_element_visible" => {
            let RoleName { role, accessible_name: name } = read.to()?;
            verify(Verify::Element { role, name })
        }
        "browser_verify_text_visible" => {
            let Text { text } = read.to()?;
            verify(Verify::Text { text })
        }
        "browser_verify_list_visible" => {
            let Items { target, items } = read.to()?;
            verify(Verify::List { target, items })
        }
        "browser_verify_value" => {
            let Holding { target, value, kind } = read.to()?;
            verify(Verify::Value { target, value, kind })
        }
        "browser_generate_locator" => {
            let Targeted { target } = read.to()?;
            ask(PageCommand::Locate { target })
        }
        "browser_route" => routes(RouteOp::Add(route(read)?)),
        "browser_route_list" => routes(RouteOp::List),
        "browser_unroute" => {
            let Unrouting { pattern } = read.to()?;
            routes(RouteOp::Remove { pattern })
        }
        "browser_network_state_set" => {
            let State { state } = read.to()?;
            match state.as_str() {
                "offline" => ask(PageCommand::Offline { offline: true }),
                "online" => ask(PageCommand::Offline { offline: false }),
                other => return Err(read.unknown("state", "online or offline", other)),
            }
        }
        "browser_get_config" => Call::Config,
        "browser_highlight" => {
            let Marked { target, style } = read.to()?;
            ask(PageCommand::Highlight { target, style })
        }
        "browser_hide_highlight" => {
            let Unmarked { target } = read.to()?;
            ask(PageCommand::Unhighlight { target })
        }
        _ => return Err(read.no_tool()),
    })
}

fn mouse(read: &Reader<'_>, what: &str) -> Result<Gesture, InvalidCall> {
    Ok(match what {
        "move_xy" => {
            let Point { x, y } = read.to()?;
            Gesture::Move { to: [x, y] }
        }
        "click_xy" => {
            let PointClick { x, y, button, click_count, delay } = read.to()?;
            let count = click_count.unwrap_or(1).clamp(1, 3) as u8;
            Gesture::Click { at: [x, y], button, count, delay: delay.unwrap_or(0) as u64 }
        }
        "drag_xy" => {
            let PointDrag { start_x, start_y, end_x, end_y } = read.to()?;
            Gesture::Drag { from: [start_x, start_y], to: [end_x, end_y] }
        }
        "down" => {
            let Pressed { button } = read.to()?;
            Gesture::Down { button }
        }
        "up" => {
            let Pressed { button } = read.to()?;
            Gesture::Up { button }
        }
        "wheel" => {
            let Turned { delta_x: across, delta_y: down } = read.to()?;
            Gesture::Wheel { across, down }
        }
        _ => return Err(read.no_tool()),
    })
}

fn entries(read: &Reader<'_>, what: &str) -> Result<EntryWhat, InvalidCall> {
    Ok(match what {
        "list" => EntryWhat::List,
        "get" => {
            let Keyed { key } = read.to()?;
            EntryWhat::Get { key }
        }
        "set" => {
            let Valued { key, value } = read.to()?;
            EntryWhat::Set { key, value }
        }
        "delete" => {
            let Keyed { key } = read.to()?;
            EntryWhat::Delete { key }
        }
        "clear" => EntryWhat::Clear,
        _ => return Err(read.no_tool()),
    })
}

fn route(read: &Reader<'_>) -> Result<Route, InvalidCall> {
    let Routing { pattern, status, body, content_type, headers, remove_headers } = read.to()?;
    let pair = |header: &String| {
        let (name, value) = header
            .split_once(':')
            .filter(|(name, _)| !name.trim().is_empty())
            .ok_or_else(|| read.unknown("headers", "written \"Name: value\"", header))?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    Ok(Route {
        pattern,
        status: status.map(|status| u16::try_from(status).unwrap_or(u16::MAX)),
        body,
        content_type,
        headers: headers.iter().map(pair).collect::<Result<_, InvalidCall>>()?,
        remove_headers: remove_headers
            .map(|names| names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect())
            .unwrap_or_default(),
    })
}
