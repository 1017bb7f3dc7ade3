//! The headers and bodies of a request, and the routes of the session.

use legwork::{browser::Route, page::Page};
use legwork_protocol::ActionFailure;
use serde_json::json;

use crate::{
    File, PageReply, RequestPart, RouteOp, console_network,
    render::{counted, within},
};

/// A request with its headers, or a part of it. Bodies are included only if they are selected, and a file contains them
/// without a limit.
pub(crate) async fn request(
    page: &Page,
    number: u64,
    part: Option<RequestPart>,
    to_file: bool,
    max: usize,
) -> Result<PageReply, ActionFailure> {
    let session = page.session();
    let Some(exchange) = session.exchange(number) else {
        return Ok(PageReply::unmet(format!(
            "request {number} does not exist or is no longer stored; list the requests"
        )));
    };
    let kind = exchange.line.media_type.clone().unwrap_or_default();
    let (text, bytes) = match part {
        None => {
            let mut text = console_network::request(&exchange.line);
            for (title, headers) in
                [("request headers", &exchange.request_headers), ("response headers", &exchange.response_headers)]
            {
                if !headers.is_empty() {
                    text.push_str(&format!("\n{title}:\n{}", written(headers, "  ")));
                }
            }
            let bodies = [
                (exchange.posts, "request-body"),
                (exchange.line.status.is_some_and(|status| status != 204 && status != 304), "response-body"),
            ];
            let parts: Vec<&str> = bodies.iter().filter(|(has, _)| *has).map(|(_, part)| *part).collect();
            if !parts.is_empty() {
                text.push_str(&format!("\n(for a body ask for the part {})", parts.join(" or ")));
            }
            (text, None)
        }
        Some(RequestPart::RequestHeaders) => (written(&exchange.request_headers, ""), None),
        Some(RequestPart::ResponseHeaders) => (written(&exchange.response_headers, ""), None),
        Some(RequestPart::RequestBody) => match session.request_body(number).await? {
            None => ("the request carried no body".to_owned(), None),
            Some(bytes) => body(bytes, "", max),
        },
        Some(RequestPart::ResponseBody) => body(session.response_body(number).await?, &kind, max),
    };
    let data = json!({
        "request": exchange.line,
        "request_headers": exchange.request_headers,
        "response_headers": exchange.response_headers,
    });
    let file = to_file.then(|| match bytes {
        Some(bytes) => File { bytes, extension: extension(&kind).to_owned(), media_type: kind },
        None => {
            let (media_type, extension) = ("text/plain".to_owned(), "txt".to_owned());
            File { bytes: text.clone().into_bytes(), media_type, extension }
        }
    });
    Ok(PageReply { file, ..PageReply::with(within(text, max, "ask for more tokens, or for one part"), data) })
}

fn written(headers: &[(String, String)], before: &str) -> String {
    match headers {
        [] => format!("{before}(none)"),
        headers => {
            headers.iter().map(|(name, value)| format!("{before}{name}: {value}")).collect::<Vec<_>>().join("\n")
        }
    }
}

/// A body as text, and its bytes.
fn body(bytes: Vec<u8>, kind: &str, max: usize) -> (String, Option<Vec<u8>>) {
    let text = match std::str::from_utf8(&bytes) {
        Ok("") => "(an empty body)".to_owned(),
        Ok(text) if !text.contains('\0') => within(text.to_owned(), max, "ask for more tokens, or keep it in a file"),
        _ => format!("({} bytes of {}; keep them in a file)", bytes.len(), if kind.is_empty() { "data" } else { kind }),
    };
    (text, Some(bytes))
}

/// The file extension for this media type.
fn extension(kind: &str) -> &str {
    match kind.split(';').next().unwrap_or_default().trim() {
        "application/json" => "json",
        "text/html" => "html",
        "text/css" => "css",
        "text/javascript" | "application/javascript" => "js",
        "image/png" => "png",
        "image/jpeg" => "jpeg",
        "image/webp" => "webp",
        "image/svg+xml" => "svg",
        "application/pdf" => "pdf",
        text if text.starts_with("text/") => "txt",
        _ => "bin",
    }
}

pub(crate) async fn routes(page: &Page, op: RouteOp) -> Result<PageReply, ActionFailure> {
    let session = page.session();
    Ok(match op {
        RouteOp::List => {
            let routes = session.routes();
            let text = match routes.len() {
                0 => "there are no routes".to_owned(),
                _ => routes.iter().map(route).collect::<Vec<_>>().join("\n"),
            };
            PageReply::with(text, json!({"routes": routes}))
        }
        RouteOp::Add(new) => {
            let text = route(&new);
            page.route(new).await?;
            PageReply::text(text)
        }
        RouteOp::Remove { pattern } => {
            let gone = session.unroute(pattern.as_deref()).await?;
            match pattern {
                Some(pattern) if gone == 0 => PageReply::unmet(format!("there is no route for {pattern}")),
                _ => PageReply::text(format!("removed {}", counted(gone, "route"))),
            }
        }
    })
}

fn route(route: &Route) -> String {
    if route.status.is_some() || route.body.is_some() {
        let kind = route.content_type.as_ref().map_or_else(String::new, |kind| format!(" {kind}"));
        let body = route.body.as_ref().map_or_else(String::new, |body| format!(", {} bytes", body.len()));
        return format!("{} is answered with {}{kind}{body}", route.pattern, route.status.unwrap_or(200));
    }
    let mut what: Vec<String> = route.headers.iter().map(|(name, _)| format!("with {name}")).collect();
    what.extend(route.remove_headers.iter().map(|name| format!("without {name}")));
    match what.is_empty() {
        true => format!("{} goes as it is", route.pattern),
        false => format!("{} goes {}", route.pattern, what.join(", ")),
    }
}
