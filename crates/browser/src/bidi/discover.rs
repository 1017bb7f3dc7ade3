//! The WebSocket address of a running Firefox.

use url::Url;

/// The address for a new session, from `ws://host:port` or `http://host:port`, or the reason why `url` is not such an
/// address.
pub(crate) fn address(url: &str) -> Result<String, String> {
    let mut parsed = Url::parse(url).map_err(|error| error.to_string())?;
    let scheme = match parsed.scheme() {
        "ws" | "http" => "ws",
        "wss" | "https" => "wss",
        other => return Err(format!("{other}: is neither ws nor http")),
    };
    parsed.set_scheme(scheme).map_err(|()| format!("{url} cannot be a WebSocket address"))?;
    if matches!(parsed.path(), "" | "/") {
        parsed.set_path("/session");
    }
    Ok(parsed.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_asked_for_where_no_path_is_given() {
        let check = |url: &str, expect: &str| assert_eq!(address(url).unwrap(), expect);
        check("ws://127.0.0.1:9222", "ws://127.0.0.1:9222/session");
        check("http://127.0.0.1:9222/", "ws://127.0.0.1:9222/session");
        check("wss://grid.test/session/a1", "wss://grid.test/session/a1");
        assert!(address("ftp://a.test").is_err());
    }
}
