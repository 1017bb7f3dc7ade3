//! The server's own TLS: under the names of its certificate, for other machines too, and with nobody kept waiting.

use std::{net::SocketAddr, path::Path};

use legwork_server::{ServeError, new_link};
use reqwest::{Certificate, Client};

use crate::support::{Answer, Place};

const NAME: &str = "legwork.test";

/// A certificate for the name, and its key, as files; and what trusts it.
fn certified(folder: &Path) -> Certificate {
    let made = rcgen::generate_simple_self_signed([NAME.to_owned(), "*.legwork.test".to_owned()]).unwrap();
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    Certificate::from_pem(made.cert.pem().as_bytes()).unwrap()
}

fn place() -> (Place, Certificate) {
    let place = Place::new();
    let folder = place.data().join("tls");
    let trusted = certified(&folder);
    let path = |name: &str| folder.join(name).display().to_string();
    (place.set("server.tls_cert", &path("cert.pem")).set("server.tls_key", &path("key.pem")), trusted)
}

fn client(trusted: Certificate, name: &str, port: u16) -> Client {
    let address = SocketAddr::from(([127, 0, 0, 1], port));
    let client = legwork_testing::http().tls_certs_only([trusted]).resolve(name, address);
    client.redirect(reqwest::redirect::Policy::none()).timeout(std::time::Duration::from_secs(20)).build().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_machines_may_reach_a_server_that_speaks_tls() {
    let (place, trusted) = place();
    let place = place.set("server.host", "0.0.0.0");
    let serving = place.open().await;
    let port: u16 = serving.url.rsplit(':').next().unwrap().parse().unwrap();
    assert_eq!(serving.url, format!("https://{NAME}:{port}"));
    assert!(serving.link.starts_with(&format!("https://{NAME}:{port}/open?code=")));

    // Somebody who connects and says nothing keeps nobody waiting.
    let silent = std::net::TcpStream::connect(("127.0.0.1", port)).unwrap();
    let http = client(trusted, NAME, port);
    let ask = async |host: &str, origin: &str| {
        let request = http.get(format!("https://{NAME}:{port}/api/me")).bearer_auth(&serving.token);
        Answer::of(request.header("host", host).header("origin", origin).send().await.unwrap()).await
    };
    let own = format!("{NAME}:{port}");
    ask(&own, &format!("https://{own}")).await.data();
    ask(&format!("localhost:{port}"), &format!("https://localhost:{port}")).await.data();
    // A pattern names nobody, and the plain origin of the same name is another one.
    ask(&format!("other.{NAME}:{port}"), &format!("https://{own}")).await.refused(403);
    ask(&own, &format!("http://{own}")).await.refused(403);
    drop(silent);

    // The cookie is for TLS only.
    let opened = http.get(&serving.link).send().await.unwrap();
    let cookie = opened.headers().get("set-cookie").map(|value| value.to_str().unwrap().to_owned());
    assert!(cookie.is_some_and(|cookie| cookie.ends_with("; Secure")), "{:?}", opened.headers());
    // Another link is had on the machine itself.
    assert!(new_link(&place.data(), None).await.unwrap().starts_with(&serving.url));
    // Nothing is answered in the clear.
    let plain =
        legwork_testing::http().build().unwrap().get(format!("http://127.0.0.1:{port}/api/health")).send().await;
    assert!(plain.is_err(), "{plain:?}");
    Answer::of(http.get(format!("https://{NAME}:{port}/api/health")).send().await.unwrap()).await.data();
    serving.stop().await;
}

#[tokio::test]
async fn a_certificate_that_cannot_be_used_is_named() {
    let (place, _) = place();
    let folder = place.data().join("tls");
    let key = folder.join("key.pem");
    std::fs::write(&key, "nothing").unwrap();
    match place.try_open().await {
        Err(ServeError::Tls { path, .. }) => assert_eq!(path, key),
        other => panic!("{:?}", other.err()),
    }
    // Another certificate's key does not fit.
    let other = rcgen::KeyPair::generate().unwrap();
    std::fs::write(&key, other.serialize_pem()).unwrap();
    assert!(matches!(place.try_open().await, Err(ServeError::Tls { path, .. }) if path == key));
    let mut alone = place;
    alone.flags.retain(|(name, _)| name != "server.tls_key");
    assert!(matches!(alone.try_open().await, Err(ServeError::Tls { reason, .. }) if reason.contains("only one")));
}
