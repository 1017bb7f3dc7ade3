//! The verbs for requests and routes, the mouse, drops, cookies and storage, media features and assertions, through the
//! real program.

use legwork_demo_site::{DemoSite, PASSWORD};

use crate::{page::Terminal, support::finish};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_lies_around_a_page_is_seen_and_changed() {
    let site = DemoSite::start().await.unwrap();
    let at = |path: &str| format!("{}{path}", site.url());
    let terminal = Terminal::new();
    let t = |line: &[&str]| terminal.says(line);
    let folder = tempfile::tempdir().unwrap();
    let uploads = folder.path().to_str().unwrap();
    let mut open = terminal.command(&["open", &at("/login"), "--secret", "demo_password", "--uploads", uploads]);
    open.env("LEGWORK_SECRET_DEMO_PASSWORD", PASSWORD);
    finish(open).expect(0);

    // A request that contained a secret.
    t(&["click", "text=Accept all cookies"]);
    t(&["fill", "#username", "alice"]);
    t(&["fill", "#password", "${secret:demo_password}"]);
    t(&["click", "role=button[name=\"Sign in\"]"]);
    let requests = t(&["network", "/login", "--all"]);
    let post = requests.lines().find(|line| line.contains("POST")).unwrap();
    let number = post.split('.').next().unwrap();
    let whole = t(&["network", number]);
    assert!(whole.starts_with(&format!("{number}. POST {}", at("/login"))), "{whole}");
    assert!(!whole.contains(PASSWORD), "{whole}");
    terminal.fails(2, &["network", "--part", "response-body"]);
    let welcome = t(&["network", "--all", "--static", &regex_of(&at("/"))]);
    let last = welcome.lines().rfind(|line| line.contains("(document")).unwrap().split('.').next().unwrap().to_owned();
    let html = folder.path().join("page.html");
    let told = t(&["network", &last, "--part", "response-body", "--to", html.to_str().unwrap()]);
    assert!(told.starts_with(html.to_str().unwrap()), "{told}");
    assert!(std::fs::read_to_string(&html).unwrap().to_lowercase().contains("<!doctype html"));
    assert!(t(&["network", &last, "--part", "response-headers"]).to_lowercase().contains("content-type: text/html"));

    // Assertions, locators and highlights.
    assert!(t(&["verify", "text", "Welcome back"]).contains("is shown"));
    assert!(t(&["verify", "element", "link", "Products"]).contains("is shown"));
    let failed = terminal.fails(1, &["verify", "element", "button", "Products"]);
    assert!(failed.err.contains("there is link \"Products\""), "{}", failed.err);
    assert_eq!(
        t(&["locate", "role=link[name=\"Products\"]"]),
        "getByRole('link', { name: 'Products' })\nrole=link[name=\"Products\"]\n"
    );
    t(&["highlight", "h1", "--style", "outline: 3px solid red"]);
    assert_eq!(t(&["highlight", "--off"]), "removed 1 highlight\n");

    t(&["cookies", "set", "taste", "salt", "--same-site", "lax", "--http-only"]);
    assert!(t(&["cookies", "get", "taste"]).contains("httpOnly, sameSite: Lax"));
    assert!(t(&["cookies", "list", "--path", "/none"]).contains("there are no cookies"));
    assert_eq!(t(&["cookies", "delete", "taste"]), "deleted taste\n");
    t(&["storage", "set", "lang", "de"]);
    t(&["storage", "set", "step", "2", "--tab"]);
    assert!(t(&["storage"]).contains("lang=de"));
    assert_eq!(t(&["storage", "get", "step", "--tab"]), "step=2\n");
    assert_eq!(t(&["storage", "delete", "lang"]), "deleted lang from localStorage\n");

    // The mouse, a drop, and media features.
    let draw = "document.body.innerHTML = `<p id=said>ready</p><div id=zone style='position:fixed;left:100px;top:100px;width:200px;height:100px'>Zone</div>`;
        zone.onclick = e => said.textContent = 'clicked ' + e.offsetX; zone.ondragover = e => e.preventDefault();
        zone.ondrop = e => { e.preventDefault(); said.textContent = [...e.dataTransfer.files].map(f => f.name) + e.dataTransfer.getData('text/plain') };
        matchMedia('(prefers-color-scheme: dark)').onchange = e => said.textContent = 'dark ' + e.matches; 1";
    t(&["eval", draw]);
    let clicked = t(&["mouse", "click", "150", "150"]);
    assert!(clicked.starts_with("mouse click at 150,150 (<div#zone>)") && clicked.contains("clicked 50"), "{clicked}");
    for line in
        [["mouse", "move", "110", "110"].as_slice(), &["mouse", "down"], &["mouse", "up"], &["mouse", "wheel", "-50"]]
    {
        assert!(t(line).starts_with(&line[..2].join(" ")), "{line:?}");
    }
    std::fs::write(folder.path().join("rope.txt"), "rope").unwrap();
    let file = folder.path().join("rope.txt");
    assert!(t(&["drop", "#zone", file.to_str().unwrap()]).contains("text: rope.txt"));
    assert!(t(&["drop", "#zone", "--data", "text/plain=hello"]).contains("text: hello"));
    terminal.fails(2, &["drop", "#zone", "--data", "hello"]);
    assert!(t(&["emulate", "--color-scheme", "dark"]).contains("dark true"));
    assert!(t(&["emulate", "--color-scheme", "reset"]).contains("dark false"));

    // Local responses instead of the site's, and an offline network.
    t(&["route", "add", "**/products", "--body", "<h1>Nothing for sale</h1>", "--type", "text/html"]);
    assert!(t(&["open", &at("/products")]).contains("Nothing for sale"));
    assert!(t(&["route"]).contains("**/products is answered with 200 text/html"));
    assert_eq!(t(&["route", "remove"]), "removed 1 route\n");
    assert!(!t(&["open", &at("/products")]).contains("Nothing for sale"));
    t(&["emulate", "--network", "offline"]);
    let offline = terminal.fails(3, &["open", &at("/products")]);
    assert!(offline.err.contains("ERR_INTERNET_DISCONNECTED"), "{}", offline.err);
    t(&["emulate", "--network", "online"]);
    t(&["open", &at("/products")]);
}

/// A regular expression that matches the address literally.
fn regex_of(url: &str) -> String {
    url.replace('.', "\\.")
}
