//! Serves the demo site until it is ended, for a look at it in a browser of one's own.

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let site = legwork_demo_site::DemoSite::start().await?;
    println!("{}\n{}", site.url(), site.second_origin_url());
    std::future::pending().await
}
