//! Blocks the server that started a run for the pages of that run. A page that could reach it would act with the access
//! that this machine's browser or network has.
//!
//! An address is compared by where it leads, not by its spelling: `url` has already parsed `127.1`, `0x7f.1` and
//! `2130706433` as the address that they mean, a host name is resolved, and an address belongs to this machine if a
//! socket can be bound to it.

use std::net::{IpAddr, SocketAddr, ToSocketAddrs, UdpSocket};

use url::{Host, Url};

/// The address of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OwnServer(pub(crate) SocketAddr);

impl OwnServer {
    /// Whether the URL leads to the server.
    pub(crate) fn is_reached_by(self, url: &Url) -> bool {
        // Only URLs with the server's port are checked, so that no other name is resolved here.
        if url.port_or_known_default() != Some(self.0.port()) {
            return false;
        }
        match url.host() {
            Some(Host::Ipv4(ip)) => self.is_here(ip.into()),
            Some(Host::Ipv6(ip)) => self.is_here(ip.into()),
            Some(Host::Domain(name)) => {
                let name = name.trim_end_matches('.');
                name == "localhost" || name.ends_with(".localhost") || self.is_name_of_ours(name)
            }
            None => false,
        }
    }

    /// Whether this is an address of the server.
    pub(crate) fn is_bound_to(self, address: SocketAddr) -> bool {
        address.port() == self.0.port() && self.is_here(address.ip())
    }

    fn is_name_of_ours(self, name: &str) -> bool {
        (name, self.0.port()).to_socket_addrs().is_ok_and(|mut all| all.any(|address| self.is_here(address.ip())))
    }

    fn is_here(self, ip: IpAddr) -> bool {
        let ip = ip.to_canonical();
        ip.is_loopback() || ip.is_unspecified() || ip == self.0.ip() || UdpSocket::bind((ip, 0)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_the_server_is_known_and_its_neighbours_are_not() {
        let server = OwnServer(([127, 0, 0, 1], 7717).into());
        let is_reached_by = |text: &str| server.is_reached_by(&Url::parse(text).unwrap());
        for spelling in [
            "http://127.0.0.1:7717/",
            "http://localhost:7717/api/me",
            "http://LOCALHOST:7717",
            "http://localhost.:7717",
            "http://127.1:7717",
            "http://127.0.1:7717",
            "http://2130706433:7717",
            "http://0x7f000001:7717",
            "http://0x7f.1:7717",
            "http://0177.0.0.1:7717",
            "http://127.0.0.2:7717",
            "http://127.255.255.254:7717",
            "http://0.0.0.0:7717",
            "http://0:7717",
            "http://[::1]:7717",
            "http://[0:0:0:0:0:0:0:1]:7717",
            "http://[::]:7717",
            "http://[::ffff:127.0.0.1]:7717",
            "http://[::ffff:7f00:1]:7717",
            "https://127.0.0.1:7717",
            "ws://127.0.0.1:7717/api/stream/ws/x",
            "http://user:pw@127.0.0.1:7717",
            "http://a.localhost:7717",
            "http://１２７.0.0.1:7717",
            "http://127。0。0。1:7717",
        ] {
            assert!(is_reached_by(spelling), "{spelling}");
        }
        for other in
            ["http://127.0.0.1:7718/", "http://localhost/", "http://192.0.2.7:7717/", "http://[2001:db8::1]:7717/"]
        {
            assert!(!is_reached_by(other), "{other}");
        }
    }
}
