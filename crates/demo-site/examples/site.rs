//! Serves the demo site until the process is ended, to look at it in a browser.

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let site = legwork_demo_site::DemoSite::start().await?;
    println!("{}\n{}", site.url(), site.second_origin_url());
    std::future::pending().await
}
