//! Harbor Supplies, the built-in demo site: the back office of a small ship chandler.
//!
//! A `DemoSite` is one instance on two loopback origins: the shop itself, and a carrier's page that the shop shows in a
//! frame of another site. All state is in memory and belongs to the instance, and all content is in the binary. A
//! ledger records every form post, so that tests can count the posts that a browser sent. `legwork demo` and
//! the tests use the same site. Its pages are therefore ordinary ones, and pages with faults are separate, under
//! `/fault`.

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
/// The steps of [`DEMO_WORKFLOW`] in a shadow root that a script closed before anybody could look at the document. Not
/// every browser shows it to a driver.
pub const CLOSED_ROOT_STEPS: [&str; 2] =
    [r#"Type "HS-25" into "Voucher code""#, r#"Click the button "Redeem voucher""#];
/// Short workflows, by their ids, for a run that starts at [`DemoSite::url`]. They use the secret `demo_password`. The
/// last one needs a model.
pub const EXAMPLES: [(&str, &str); 5] = [
    ("search-products", include_str!("examples/search-products.yaml")),
    ("place-order", include_str!("examples/place-order.yaml")),
    ("check-orders", include_str!("examples/check-orders.yaml")),
    ("download-report", include_str!("examples/download-report.yaml")),
    ("find-cheapest", include_str!("examples/find-cheapest.yaml")),
];
/// The name of the file that the bundled workflow uploads. The caller writes it to the upload folder of the run.
pub const UPLOAD_NAME: &str = "delivery-note.txt";
/// The content of [`UPLOAD_NAME`].
pub const UPLOAD: &[u8] = include_bytes!("assets/delivery-note.txt");

/// A running instance of the demo site. It ends when the value is dropped.
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
    /// If no loopback port is available.
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

    /// The origin of the shop, `http://127.0.0.1:PORT`, without a trailing slash.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The origin of the carrier. It is another site for a browser, so that its frame runs in its own process.
    pub fn second_origin_url(&self) -> String {
        self.second_origin.clone()
    }

    /// A URL that signs in and redirects to `path`, for tests that do not test the sign-in.
    pub fn signed_in_url(&self, path: &str) -> String {
        format!("{}/enter?to={path}", self.url())
    }

    /// All posts so far, oldest first.
    pub fn ledger(&self) -> Vec<Entry> {
        self.site.ledger.entries()
    }
}

impl Drop for DemoSite {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// A listener on another *site*, not only on another port: browsers run frames of the same site in the same process. On
/// a system without a second loopback address (macOS), the name `localhost` is another site.
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
