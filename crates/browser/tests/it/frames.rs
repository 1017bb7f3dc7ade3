//! Tests frames and shadow roots of every origin and kind.

use legwork_browser::Capability;
use legwork_protocol::*;

use crate::support::*;

const INNER: &str = "<button onclick=\"this.textContent='hit'\">Inner</button><input aria-label=Field>";

async fn framed(src: impl Fn(&Site) -> String) -> Visit {
    let visit = visit("<p>outer</p>").await;
    visit.site.page("/inner", INNER);
    let html = format!(
        "<h1>Outer</h1><div style='height:900px'></div><iframe src='{}' style='margin:40px;border:7px solid red;width:300px;height:200px'></iframe>",
        src(&visit.site)
    );
    visit.site.page("/", &html);
    visit.open("/").await;
    visit
}

async fn works_inside(visit: &Visit) {
    let button = visit.find("button", "Inner").await;
    visit.does(click(button)).await;
    let field = visit.find("textbox", "Field").await;
    visit.does(fill(field, "typed")).await;
    let page = visit.see().await;
    assert!(page.text_of(0).contains("hit"), "{}", page.text_of(0));
    assert!(page.nodes.iter().any(|node| node.value.as_deref() == Some("typed")));
    // The frame's content is below the frame's node.
    let frame = page.nodes.iter().position(|node| &*node.role == "iframe").unwrap();
    assert!(page.below(frame).any(|node| &*page.nodes[node].role == "textbox"), "{:#?}", page.nodes);
    // A selector is searched for in every frame.
    visit.does(fill(at("input"), "again")).await;
    assert_eq!(visit.read("input").await, "again");
}

#[test]
fn a_frame_of_the_same_origin() {
    run(async { works_inside(&framed(|_| "/inner".into()).await).await });
}

#[test]
fn a_frame_of_another_site_in_a_process_of_its_own() {
    run(async { works_inside(&framed(|site| site.elsewhere("/inner")).await).await });
}

#[test]
fn a_field_in_a_frame_of_another_site_that_nobody_used_is_filled() {
    run(async {
        let visit = framed(|site| site.elsewhere("/inner")).await;
        let field = visit.find("textbox", "Field").await;
        visit.does(fill(field, "typed")).await;
        assert_eq!(visit.read("input").await, "typed");
    });
}

#[test]
fn a_frame_of_another_origin_in_the_same_process() {
    run(async {
        let other = Site::start().await;
        other.page("/inner", INNER);
        let url = other.url("/inner");
        works_inside(&framed(|_| url.clone()).await).await;
    });
}

#[test]
fn a_frame_in_a_frame_in_a_frame() {
    run(async {
        let visit = framed(|site| site.elsewhere("/middle")).await;
        let middle =
            format!("<p>middle</p><iframe src='{}' style='border:3px solid'></iframe>", visit.site.url("/inner"));
        visit.site.page("/middle", &middle);
        for round in 0..6 {
            visit.open("/").await;
            let button = visit.find("button", "Inner").await;
            visit.does(click(button)).await;
            let text = visit.text().await;
            assert!(text.contains("hit"), "round {round}: {text}");
        }
    });
}

#[test]
fn a_covered_frame_is_covered() {
    run(async {
        let visit = framed(|site| site.elsewhere("/inner")).await;
        let button = visit.find("button", "Inner").await;
        let cover = "<iframe src='X' style='width:300px;height:200px'></iframe><div id=veil style='position:fixed;inset:0;background:#fff'></div>";
        visit.site.page("/", &cover.replace('X', &visit.site.elsewhere("/inner")));
        visit.open("/").await;
        assert!(matches!(visit.fails(click(button)).await, ActionFailure::StaleRef { .. }));
        let button = visit.find("button", "Inner").await;
        match visit.fails(click(button)).await {
            ActionFailure::Covered { by, .. } => assert_eq!(by, "<div#veil>"),
            other => panic!("{other}"),
        }
    });
}

#[test]
fn open_and_closed_shadow_roots() {
    run(async {
        let visit = visit(
            "<x-a mode=open></x-a><x-a mode=closed></x-a><p id=said></p><script>
            customElements.define('x-a',class extends HTMLElement{constructor(){super();this.m=this.getAttribute('mode');
            const r=this.attachShadow({mode:this.m});r.innerHTML='<button>'+this.m+' button</button>';
            r.firstChild.onclick=()=>said.textContent=this.m+' '+(this.shadowRoot===null)+' '+r.mode}})</script>",
        )
        .await;
        let closed = supports(Capability::RootsClosedByScripts).then_some(("closed", "true"));
        for (mode, hidden) in [("open", "false")].into_iter().chain(closed) {
            let button = visit.find("button", &format!("{mode} button")).await;
            visit.does(click(button)).await;
            assert_eq!(visit.read("#said").await, format!("{mode} {hidden} {mode}"));
        }
        visit.does(click(at("text=open button"))).await;
    });
}

/// Scripts cannot access these roots, so the browser has to be asked.
#[test]
fn a_label_that_is_the_content_of_a_slot_names_its_field() {
    run(async {
        let visit = visit(
            "<x-field></x-field><x-field><b slot=label>City</b></x-field><script>
            customElements.define('x-field',class extends HTMLElement{connectedCallback(){
              this.attachShadow({mode:'open'}).innerHTML='<label for=i><slot name=label>Guest name</slot></label><input id=i>'}})</script>",
        )
        .await;
        let page = visit.see().await;
        let names: Vec<&str> =
            page.nodes.iter().filter(|node| &*node.role == "textbox").map(|node| &*node.name).collect();
        assert_eq!(names, ["Guest name", "City"]);
    });
}

#[test]
fn shadow_roots_that_markup_closed() {
    run(async {
        let button = |name: &str| format!("<button onclick=\"this.textContent='{name} pressed'\">{name}</button>");
        let root = |inside: &str| format!("<template shadowrootmode=closed>{inside}</template>");
        let nested = format!("<x-in>{}</x-in>", root(&button("Nested")));
        let hosts = format!(
            "<x-card>{}<b>Slotted</b></x-card><div id=plain>{}</div><div>{}<p>Not in a slot</p></div><x-out>{}</x-out>",
            root(&(button("Custom") + "<slot></slot>")),
            root(&button("Plain")),
            root(&button("Beside")),
            root(&nested),
        );
        let visit =
            visit(&format!("<div style='width:9px;height:9px'></div>{hosts}<iframe src=/framed></iframe>")).await;
        visit.site.page("/framed", &format!("<x-f>{}</x-f>", root(&button("Framed"))));
        visit.open("/").await;
        let text = visit.text().await;
        assert!(text.contains("Slotted") && !text.contains("Not in a slot"), "{text}");
        if !engine().capabilities().support(Capability::ClosedShadowRoots).is_there() {
            assert!(!text.contains("Custom"), "{text}");
            return;
        }
        let framed = supports(Capability::ClosedShadowRoots).then_some("Framed");
        for name in ["Custom", "Plain", "Beside", "Nested"].into_iter().chain(framed) {
            let found = visit.find("button", name).await;
            visit.does(click(found)).await;
            visit.find("button", &format!("{name} pressed")).await;
        }
    });
}

#[test]
fn frames_without_an_address() {
    run(async {
        let visit = visit(
            "<iframe srcdoc=\"<button onclick=&quot;this.textContent='hit'&quot;>In srcdoc</button>\"></iframe><iframe id=blank></iframe>
            <script>blank.contentDocument.body.innerHTML='<p>written</p>'</script><iframe sandbox srcdoc='<p>boxed</p>'></iframe>",
        )
        .await;
        let text = visit.text().await;
        for part in ["In srcdoc", "written", "boxed"] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let button = visit.find("button", "In srcdoc").await;
        visit.does(click(button)).await;
        assert!(visit.text().await.contains("hit"));
    });
}

/// Chromium routes the pointer to a frame of another process by the last drawn frame. Presses may therefore miss it
/// when the parent scrolls or when a frame was out of view before.
#[test]
fn presses_reach_a_frame_of_another_process_that_has_to_be_scrolled_to() {
    run(async {
        let visit = visit("").await;
        let count = "<div style='height:120px'></div><form onsubmit='event.preventDefault();n.textContent=+n.textContent+1'><label>Code<input id=code></label><button>Get a quote</button></form><p id=n>0</p>";
        visit.site.page("/inner", count);
        let frame = visit.site.elsewhere("/inner");
        let html = format!(
            "<div style='height:1100px'>above</div><iframe src='{frame}' height=330 style='border:9px solid'></iframe><div style='height:1400px'>below</div>"
        );
        visit.site.page("/", &html);
        for round in 0..4 {
            visit.open("/").await;
            let button = visit.find("button", "Get a quote").await;
            for press in 1..=5 {
                let direction = if (round + press) % 2 == 0 { Direction::Top } else { Direction::Bottom };
                visit.does(Action::Scroll(Scroll { target: None, direction: Some(direction), screens: None })).await;
                visit.does(click(button.clone())).await;
                assert_eq!(visit.read("#n").await, press.to_string(), "round {round}, press {press}");
            }
        }
    });
}
