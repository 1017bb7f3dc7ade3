//! Harbor Supplies, the built-in demo site: the back office of a small ship chandler.
//!
//! A `DemoSite` is one instance on two loopback origins: the shop itself, and a carrier's page that the shop shows in a
//! frame of another site. All state is in memory and belongs to the instance; everything it serves is in the binary.
//! What was posted to it stands in its ledger, which is how tests count what a browser really did. The same site serves
//! `legwork demo` and the tests, so its pages are ordinary ones: the faults live under `/fault`, apart.

mod account;
mod carrier;
mod catalogue;
mod desk;
mod document;
mod documents;
mod fault;
mod layout;
mod ledger;
mod ledger_routes;
mod order;
mod orders;
mod products;
mod signin;
mod site;
mod templates;
mod token;

use std::{io, net::SocketAddr, sync::Arc};

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

pub use account::{PASSWORD, USER};
pub use ledger::{Entry, PostOutcome};
use site::Site;

/// The bundled workflow: literal steps through the whole site, for a run that starts at [`DemoSite::url`].
pub const DEMO_WORKFLOW: &str = include_str!("demo.yaml");
/// The file that the bundled workflow uploads; whoever runs it writes this into the run's upload folder.
pub const UPLOAD_NAME: &str = "delivery-note.txt";
/// The content of [`UPLOAD_NAME`].
pub const UPLOAD: &[u8] = include_bytes!("assets/delivery-note.txt");

/// A running instance of the demo site. Dropping it ends it.
#[derive(Debug)]
pub struct DemoSite {
    address: SocketAddr,
    second_origin: String,
    site: Arc<Site>,
    stop: CancellationToken,
}

impl DemoSite {
    /// Starts the site on free loopback ports.
    ///
    /// # Errors
    /// When no loopback port can be had.
    pub async fn start() -> io::Result<DemoSite> {
        let shop = TcpListener::bind(("127.0.0.1", 0)).await?;
        let (carrier, second_origin) = second_listener().await?;
        let address = shop.local_addr()?;
        let site = Arc::new(Site::new(second_origin.clone()));
        let stop = CancellationToken::new();
        serve(shop, shop_routes(&site, &stop), &stop);
        serve(carrier, carrier::routes(&site), &stop);
        Ok(DemoSite { address, second_origin, site, stop })
    }

    /// The shop's origin, `http://127.0.0.1:PORT`, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The carrier's origin: another site to a browser, so that its frame gets a process of its own.
    pub fn second_origin_url(&self) -> String {
        self.second_origin.clone()
    }

    /// An address that signs in and goes on to `path`, for tests that are not about signing in.
    pub fn signed_in_url(&self, path: &str) -> String {
        format!("{}/enter?to={path}", self.url())
    }

    /// Everything that was posted so far, oldest first.
    pub fn ledger(&self) -> Vec<Entry> {
        self.site.ledger.entries()
    }
}

impl Drop for DemoSite {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// Another *site*, not only another port: browsers give frames of the same site the same process. Where the system has
/// no second loopback address (macOS), the name `localhost` is one.
async fn second_listener() -> io::Result<(TcpListener, String)> {
    if let Ok(listener) = TcpListener::bind(("127.0.0.2", 0)).await {
        let address = listener.local_addr()?;
        return Ok((listener, format!("http://{address}")));
    }
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let port = listener.local_addr()?.port();
    Ok((listener, format!("http://localhost:{port}")))
}

fn shop_routes(site: &Arc<Site>, stop: &CancellationToken) -> Router {
    Router::new()
        .merge(layout::routes())
        .merge(signin::routes())
        .merge(catalogue::routes())
        .merge(orders::routes())
        .merge(documents::routes())
        .merge(desk::routes())
        .merge(ledger_routes::routes())
        .with_state(site.clone())
        .nest("/fault", fault::routes(site, stop.clone()))
}

fn serve(listener: TcpListener, routes: Router, stop: &CancellationToken) {
    let stopped = stop.clone().cancelled_owned();
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, routes).with_graceful_shutdown(stopped).await {
            tracing::warn!(%error, "the demo site stopped serving");
        }
    });
}
