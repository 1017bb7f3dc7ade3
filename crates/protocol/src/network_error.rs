//! Classifies network failures for the code that decides on them. The failure itself keeps the browser's text, because
//! people know it.

/// The kinds of network failures that Legwork distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The page aborted the request or was left. Chromium also reports a response whose body no script reads in this
    /// way.
    Aborted,
    /// A rule of this run blocked it.
    BlockedByClient,
    /// Something else blocked it, such as a policy of the page.
    Blocked,
    /// A temporary failure: the server may be starting, or the network was interrupted. A retry may help.
    Passing,
    /// The server replied with an error status and without content; the status has the details.
    ErrorStatus,
    /// Any other failure.
    Other,
}

impl NetworkError {
    /// Classifies a failure as the browser reports it, such as `net::ERR_ABORTED` or `NS_BINDING_ABORTED`.
    pub fn of(reason: &str) -> NetworkError {
        if let Some(kind) = NetworkError::of_firefox(reason) {
            return kind;
        }
        let Some((_, name)) = reason.split_once("ERR_") else { return NetworkError::of_webkit(reason) };
        let end = name.find(|c: char| !c.is_ascii_uppercase() && !c.is_ascii_digit() && c != '_').unwrap_or(name.len());
        match &name[..end] {
            "ABORTED" => NetworkError::Aborted,
            "BLOCKED_BY_CLIENT" => NetworkError::BlockedByClient,
            "CONNECTION_REFUSED" | "CONNECTION_RESET" | "CONNECTION_CLOSED" | "EMPTY_RESPONSE" | "NETWORK_CHANGED" => {
                NetworkError::Passing
            }
            "HTTP_RESPONSE_CODE_FAILURE" => NetworkError::ErrorStatus,
            blocked if blocked.starts_with("BLOCKED_BY") => NetworkError::Blocked,
            _ => NetworkError::Other,
        }
    }

    /// The kind of a failure that WebKit describes in words, at the end of its message.
    fn of_webkit(reason: &str) -> NetworkError {
        const PASSING: [&str; 3] =
            ["Connection refused", "Connection reset by peer", "Connection terminated unexpectedly"];
        let said = reason.trim_end_matches('.');
        if PASSING.iter().any(|known| said.ends_with(known)) { NetworkError::Passing } else { NetworkError::Other }
    }

    /// The kind of a failure that Firefox reports; `None` for the text of another browser.
    fn of_firefox(reason: &str) -> Option<NetworkError> {
        let name = reason.trim();
        Some(match name {
            "NS_BINDING_ABORTED" | "NS_ERROR_ABORT" | "NS_BINDING_REDIRECTED" | "NS_ERROR_PARSED_DATA_CACHED" => {
                NetworkError::Aborted
            }
            "NS_ERROR_CONNECTION_REFUSED"
            | "NS_ERROR_NET_RESET"
            | "NS_ERROR_NET_INTERRUPT"
            | "NS_ERROR_NET_EMPTY_RESPONSE"
            | "NS_ERROR_NETWORK_LINK_CHANGED" => NetworkError::Passing,
            "NS_ERROR_NET_ERROR_RESPONSE" => NetworkError::ErrorStatus,
            blocked if blocked.starts_with("NS_ERROR_CONTENT_BLOCKED") || blocked.starts_with("NS_ERROR_DOM_") => {
                NetworkError::Blocked
            }
            other if other.starts_with("NS_") => NetworkError::Other,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_has_the_kind_of_its_whole_name() {
        for (reason, kind) in [
            ("net::ERR_ABORTED", NetworkError::Aborted),
            ("net::ERR_ABORTED_BY_SOMEBODY", NetworkError::Other),
            ("net::ERR_BLOCKED_BY_CLIENT", NetworkError::BlockedByClient),
            ("net::ERR_BLOCKED_BY_RESPONSE.NotSameOrigin", NetworkError::Blocked),
            ("net::ERR_CONNECTION_REFUSED", NetworkError::Passing),
            ("net::ERR_HTTP_RESPONSE_CODE_FAILURE", NetworkError::ErrorStatus),
            ("net::ERR_NAME_NOT_RESOLVED", NetworkError::Other),
            ("NS_BINDING_ABORTED", NetworkError::Aborted),
            ("NS_ERROR_CONNECTION_REFUSED", NetworkError::Passing),
            ("NS_ERROR_UNKNOWN_HOST", NetworkError::Other),
            ("it was aborted", NetworkError::Other),
            ("Could not connect to 127.0.0.1: Connection refused", NetworkError::Passing),
            ("Error resolving “a.test”: Name or service not known", NetworkError::Other),
            ("", NetworkError::Other),
        ] {
            assert_eq!(NetworkError::of(reason), kind, "{reason}");
        }
    }
}
