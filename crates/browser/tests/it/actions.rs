//! Tests of every action, each on its own small page.

use legwork_browser::Capability;
use legwork_protocol::*;
use serde_json::json;

use crate::support::*;

#[test]
fn a_click_is_seen_in_the_next_observation() {
    run(async {
        let visit = visit("<button onclick=\"out.textContent='clicked'\">Go</button><p id=out>waiting</p>").await;
        let go = visit.find("button", "Go").await;
        let done = visit.does(click(go)).await;
        assert_eq!(done.element.as_deref(), Some("button \"Go\""));
        assert_eq!(visit.text().await, "Go clicked");
    });
}

#[test]
fn filling_replaces_and_typing_appends() {
    run(async {
        let visit = visit(
            "<label>Name <input id=n value=old></label><textarea id=t>one</textarea><div id=e contenteditable>draft</div>",
        )
        .await;
        let name = visit.find("textbox", "Name").await;
        visit.does(fill(name.clone(), "new")).await;
        assert_eq!(visit.read("#n").await, "new");
        visit.does(Action::Type(Type { target: Some(name.clone()), text: "er!".into() })).await;
        assert_eq!(visit.read("#n").await, "newer!");
        visit.does(fill(name, "")).await;
        assert_eq!(visit.read("#n").await, "");
        visit.does(fill(at("#t"), "two\nthree")).await;
        assert_eq!(visit.read("#t").await, "two\nthree");
        visit.does(fill(at("#e"), "final")).await;
        assert_eq!(visit.read("#e").await, "final");
    });
}

const FORM: &str = "
<form onsubmit=\"event.preventDefault();said.textContent='submitted '+q.value\"><input id=q aria-label=Query></form><p id=said></p>
<select id=c aria-label=Colour onchange=\"said.textContent='chose '+value\"><option value=r>Red<option value=b>Blue<option disabled>None</select>
<select id=m multiple aria-label=Many><option>One<option>Two<option>Three</select>
<label><input type=checkbox id=k> Agree</label>
<label for=h style='display:inline-block;padding:4px'>Hidden box</label><input type=checkbox id=h style='position:absolute;opacity:0;width:0;height:0'>
<label><input type=radio name=s value=1 id=r1> Small</label><label><input type=radio name=s value=2 id=r2> Large</label>
<input type=date id=d aria-label=Day><input type=range id=g min=0 max=10 aria-label=Size><input type=color id=o aria-label=Paint>
<div role=switch aria-checked=false id=w tabindex=0 onclick=\"ariaChecked=String(ariaChecked!=='true')\">Wifi</div>
<input id=dis disabled aria-label=Off><input id=ro readonly aria-label=Fixed value=x>";

#[test]
fn fill_select_check_and_uncheck_support_all_field_types() {
    run(async {
        let visit = visit(FORM).await;
        visit.does(Action::Fill(Fill { target: at("#q"), text: "cats".into(), submit: true })).await;
        assert_eq!(visit.read("#said").await, "submitted cats");

        let choose = |target: &str, values: &[&str]| {
            Action::Select(Select { target: at(target), values: values.iter().map(|v| (*v).to_owned()).collect() })
        };
        visit.does(choose("#c", &["Blue"])).await;
        assert_eq!(visit.read("#said").await, "chose b");
        visit.does(choose("#c", &["r"])).await;
        assert_eq!(visit.read("#said").await, "chose r");
        visit.does(choose("#m", &["One", "Three"])).await;
        assert_eq!(visit.read("#m").await, "One, Three");
        let missing = visit.fails(choose("#c", &["Green"])).await;
        assert_eq!(missing.to_string(), "#c (combobox \"Colour\") has no option \"Green\"; it has Red, Blue, None");
        assert!(matches!(visit.fails(choose("#c", &["None"])).await, ActionFailure::Disabled { .. }));

        for (target, selector) in [("#k", "#k"), ("#h", "#h"), ("#r2", "#r2")] {
            visit.does(Action::Check(on(at(target)))).await;
            assert_eq!(visit.read(selector).await, "true", "{target}");
            visit.does(Action::Check(on(at(target)))).await;
            assert_eq!(visit.read(selector).await, "true", "{target} twice");
        }
        visit.does(Action::Uncheck(on(at("#k")))).await;
        assert_eq!(visit.read("#k").await, "false");
        visit.does(Action::Check(on(at("#w")))).await;
        assert_eq!(visit.read("css=#w[aria-checked=true]").await, "Wifi");
        assert!(matches!(visit.fails(Action::Uncheck(on(at("#r2")))).await, ActionFailure::WrongKind { .. }));

        for (target, text) in [("#d", "2026-02-03"), ("#g", "7"), ("#o", "#ff0000")] {
            visit.does(fill(at(target), text)).await;
            assert_eq!(visit.read(target).await, text);
        }
        assert!(matches!(visit.fails(fill(at("#d"), "soon")).await, ActionFailure::NotAccepted { .. }));
        assert!(matches!(visit.fails(fill(at("#dis"), "x")).await, ActionFailure::Disabled { .. }));
        assert!(matches!(visit.fails(fill(at("#ro"), "x")).await, ActionFailure::NotEditable { .. }));
        assert!(matches!(visit.fails(fill(at("#k"), "x")).await, ActionFailure::WrongKind { .. }));
    });
}

#[test]
fn select_works_on_an_aria_combobox() {
    run(async {
        let visit = visit(
            "<div role=combobox tabindex=0 aria-label=Fruit id=f aria-expanded=false>None</div><ul role=listbox id=l hidden></ul>
            <script>f.onclick=()=>setTimeout(()=>{l.hidden=false;l.innerHTML='<li role=option>Apple<li role=option>Pear';
            for(const o of l.children)o.onclick=()=>{f.textContent=o.textContent;l.hidden=true}},60)</script>",
        )
        .await;
        let fruit = |value: &str| Action::Select(Select { target: at("#f"), values: vec![value.into()] });
        visit.does(fruit("Pear")).await;
        assert_eq!(visit.read("#f").await, "Pear");
        match visit.fails(fruit("Plum")).await {
            ActionFailure::NoOption { options, .. } => assert_eq!(options, ["Apple", "Pear"]),
            other => panic!("{other}"),
        }
    });
}

#[test]
fn an_option_is_chosen_from_the_named_list_and_from_no_other_of_the_page() {
    let others = "<div role=menu><div role=menuitem onclick=\"other.textContent='menu'\">Rome</div></div>
        <div role=listbox aria-label=Favourites><div role=option onclick=\"other.textContent='list'\">Rome</div>
        <div role=option onclick=\"other.textContent='list'\">Paris</div></div><p id=other>none</p>";
    let script = "<script>c.onclick=()=>{l.hidden=false;c.setAttribute('aria-expanded','true')};
        for(const o of l.children)o.onclick=()=>{c.textContent=o.textContent;l.hidden=true;c.setAttribute('aria-expanded','false')}</script>";
    run(async {
        for controls in ["", "aria-controls=l"] {
            let visit = visit(&format!(
                "{others}<div role=combobox tabindex=0 aria-label=City id=c aria-expanded=false {controls}>Pick</div>
                <ul role=listbox id=l hidden><li role=option>London<li role=option>Rome</ul>{script}"
            ))
            .await;
            let city = |value: &str| Action::Select(Select { target: at("#c"), values: vec![value.into()] });
            visit.does(city("Rome")).await;
            assert_eq!(visit.read("#c").await, "Rome", "{controls}");
            match visit.fails(city("Paris")).await {
                ActionFailure::NoOption { options, .. } => assert_eq!(options, ["London", "Rome"], "{controls}"),
                other => panic!("{other}"),
            }
            assert_eq!(visit.read("#other").await, "none", "{controls}");
        }
    });
}

#[test]
fn an_element_without_a_role_resolves_as_it_is_printed() {
    run(async {
        let visit = visit(
            "<div id=l><span onclick=\"out.textContent='20'\">20</span><span onclick=\"out.textContent='21'\">21</span></div><p id=out></p>",
        )
        .await;
        visit.does(click(at("role=generic[name=\"21\"]"))).await;
        assert_eq!(visit.read("#out").await, "21");
    });
}

#[test]
fn a_click_on_a_row_is_not_a_click_on_the_button_in_its_middle() {
    run(async {
        let visit = visit(
            "<table style='width:300px'><tr id=r><td>Bob</td><td style='text-align:center;width:200px'><button style='width:190px'>Delete</button></td></tr></table>
            <ul><li id=whole><a href='#x' style='display:block'>Ada</a></li></ul><p id=out></p>
            <script>r.onclick=e=>out.textContent=e.target.localName; whole.onclick=e=>out.textContent=e.target.localName</script>",
        )
        .await;
        visit.does(click(at("#r"))).await;
        assert_eq!(visit.read("#out").await, "td");
        visit.does(click(at("#whole"))).await;
        assert_eq!(visit.read("#out").await, "a", "the item consists of its link");
    });
}

#[test]
fn all_target_syntaxes_resolve_and_mismatches_are_reported() {
    run(async {
        let visit = visit(
            "<button>Save</button><button>Save as</button><a href='#x'>Delete all</a><div class=i>1</div><div class=i>2</div>
            <p>Hello <b>World</b></p>",
        )
        .await;
        for target in ["role=button[name=\"Save\"]", "text=World", "//a", "xpath=//b", "css=a", "text='Save as'"] {
            visit.does(click(at(target))).await;
        }
        match visit.fails(click(at(".i"))).await {
            ActionFailure::Ambiguous { count: 2, candidates, .. } => assert_eq!(candidates.len(), 2),
            other => panic!("{other}"),
        }
        match visit.fails(click(at("role=button[name=\"Delete\"]"))).await {
            ActionFailure::NotFound { candidates, .. } => {
                assert!(candidates.contains(&"link \"Delete all\"".to_owned()), "{candidates:?}")
            }
            other => panic!("{other}"),
        }
        assert!(matches!(visit.fails(click(at("p[["))).await, ActionFailure::InvalidArgument { .. }));
        assert!(matches!(visit.fails(click(at("e9999"))).await, ActionFailure::StaleRef { .. }));
    });
}

#[test]
fn actionability_failures_state_the_reason() {
    run(async {
        let visit = visit(
            "<button id=h style='visibility:hidden'>H</button><button id=d disabled>D</button>
            <button id=c style='position:absolute;left:0;top:100px'>C</button>
            <div id=veil style='position:absolute;left:0;top:90px;width:200px;height:60px;background:red'></div>
            <button id=m style='position:relative;animation:go .3s infinite alternate'>M</button><style>@keyframes go{to{transform:translateX(200px)}}</style>
            <button id=gone>Gone</button>",
        )
        .await;
        assert!(matches!(visit.fails(click(at("#h"))).await, ActionFailure::NotVisible { .. }));
        assert!(matches!(visit.fails(click(at("#d"))).await, ActionFailure::Disabled { .. }));
        match visit.fails(click(at("#c"))).await {
            ActionFailure::Covered { by, .. } => assert_eq!(by, "<div#veil>"),
            other => panic!("{other}"),
        }
        assert!(matches!(visit.fails(click(at("#m"))).await, ActionFailure::Moving { .. }));
        let gone = visit.find("button", "Gone").await;
        visit.does(open(&visit.site.url("/"))).await;
        assert!(matches!(visit.fails(click(gone)).await, ActionFailure::StaleRef { .. }));
    });
}

#[test]
fn a_click_waits_until_its_target_is_enabled() {
    run(async {
        let visit = visit(
            "<button id=d disabled onclick=\"this.textContent='done'\">D</button><script>setTimeout(()=>d.disabled=false,1300)</script>",
        )
        .await;
        visit.does(click(at("#d"))).await;
        assert_eq!(visit.read("#d").await, "done");
    });
}

/// A slider handle as component libraries render it: it has no role; its class identifies it and its style contains its
/// position.
#[test]
fn a_slider_handle_without_a_role_is_observed_as_a_slider_and_accepts_keys() {
    run(async {
        let visit = visit(
            "<div class=ui-slider style='position:relative;width:200px;height:20px'>\
             <span tabindex=0 class='ui-slider-handle ui-corner-all' style='position:absolute;left:40%;width:9px;height:9px'></span></div>\
             <p id=out>4</p><span tabindex=0 class=slider-thumbnail style='display:block;width:9px;height:9px'></span>\
             <script>let at = 4; document.querySelector('.ui-slider-handle').onkeydown = (event) => {\
             at += event.key === 'ArrowRight' ? 1 : 0; out.textContent = at; event.target.style.left = at * 10 + '%' }</script>",
        )
        .await;
        let handle = visit.find("slider", "").await;
        visit.does(Action::Press(Press { key: "ArrowRight".into(), target: Some(handle) })).await;
        assert_eq!(visit.read("#out").await, "5");
        let page = visit.session.observe(None).await.expect("it can be observed");
        let sliders: Vec<_> = page.nodes.iter().filter(|node| node.role.as_ref() == "slider").collect();
        assert_eq!(sliders.len(), 1, "a thumbnail is not a slider");
        assert_eq!(sliders[0].value.as_deref(), Some("50%"));
    });
}

/// A text target is clicked at the position of the text, not at the centre of the paragraph that contains it.
#[test]
fn a_text_target_is_clicked_at_the_position_of_the_text() {
    run(async {
        let visit = visit(
            "<p id=said></p><div id=canvas style='height:900px' ondblclick=\"said.textContent=String(getSelection()).trim()\">
            <p>The volume rises while the air is warm and the pressure falls after that, as was to be expected.</p></div>",
        )
        .await;
        let twice = |target: &str| {
            Action::Click(Click { target: at(target), button: Button::Left, count: 2, modifiers: vec![] })
        };
        for word in ["volume", "pressure", "expected"] {
            visit.does(twice(&format!("text={word}"))).await;
            assert_eq!(visit.read("#said").await, word);
        }
    });
}

#[test]
fn hover_click_press_type_and_scroll_actions() {
    run(async {
        let visit = visit(
            "<style>#menu{display:none}#top:hover #menu{display:block}</style><div id=top>Menu<button id=menu onclick=\"said.textContent='menu'\">Item</button></div>
            <p id=said></p><button id=dbl ondblclick=\"said.textContent='double'\" oncontextmenu=\"said.textContent='right';return false\">B</button>
            <input id=keys onkeydown=\"said.textContent=[event.ctrlKey,event.shiftKey,event.key,event.code].join()\">
            <div style='height:3000px'></div><button id=low onclick=\"said.textContent='low'\">Low</button>",
        )
        .await;
        visit.does(Action::Hover(on(at("#top")))).await;
        visit.does(click(at("#menu"))).await;
        assert_eq!(visit.read("#said").await, "menu");
        visit
            .does(Action::Click(Click { target: at("#dbl"), button: Button::Left, count: 2, modifiers: vec![] }))
            .await;
        assert_eq!(visit.read("#said").await, "double");
        visit
            .does(Action::Click(Click { target: at("#dbl"), button: Button::Right, count: 1, modifiers: vec![] }))
            .await;
        assert_eq!(visit.read("#said").await, "right");
        visit.does(Action::Focus(on(at("#keys")))).await;
        visit.does(Action::Press(Press { key: "Control+Shift+K".into(), target: None })).await;
        assert_eq!(visit.read("#said").await, "true,true,K,KeyK");
        visit.does(Action::Type(Type { target: None, text: "aß".into() })).await;
        assert_eq!(visit.read("#keys").await, "aß");
        visit.does(Action::Press(Press { key: "Backspace".into(), target: Some(at("#keys")) })).await;
        assert_eq!(visit.read("#keys").await, "a");
        // This is the usual notation of the chord; it does not include Shift.
        visit.does(Action::Press(Press { key: "Control+A".into(), target: Some(at("#keys")) })).await;
        visit.does(Action::Type(Type { target: None, text: "z".into() })).await;
        assert_eq!(visit.read("#keys").await, "z");
        assert!(matches!(
            visit.fails(Action::Press(Press { key: "Hyper".into(), target: None })).await,
            ActionFailure::InvalidArgument { .. }
        ));
        visit.does(click(at("#low"))).await;
        assert_eq!(visit.read("#said").await, "low");
        visit.does(Action::Scroll(Scroll { direction: Some(Direction::Top), ..Scroll::default() })).await;
        visit
            .does(Action::Scroll(Scroll { direction: Some(Direction::Down), screens: Some(2.0), ..Scroll::default() }))
            .await;
        visit.does(Action::Scroll(Scroll { target: Some(at("#low")), ..Scroll::default() })).await;
        assert!(matches!(visit.fails(Action::Scroll(Scroll::default())).await, ActionFailure::InvalidArgument { .. }));
    });
}

#[test]
fn drag_supports_html_drag_and_drop_and_mouse_events() {
    run(async {
        let visit = visit(
            "<div id=a draggable=true style='width:60px;height:40px;background:#ccc'>A</div><div id=b style='width:90px;height:60px;background:#eee;margin-top:30px'>B</div><p id=said></p>
            <div id=k style='position:absolute;left:300px;top:10px;width:30px;height:30px;background:red'>K</div><div id=z style='position:absolute;left:500px;top:200px;width:60px;height:60px;background:#ddd'>Z</div>
            <script>a.ondragstart=e=>e.dataTransfer.setData('text/plain','parcel');b.ondragover=e=>e.preventDefault();
            b.ondrop=e=>{e.preventDefault();said.textContent='dropped '+e.dataTransfer.getData('text/plain')};
            let d=false;k.onmousedown=()=>d=true;onmousemove=e=>{if(d){k.style.left=e.clientX-15+'px';k.style.top=e.clientY-15+'px'}};onmouseup=()=>{if(d){d=false;said.textContent='at '+k.style.left}}</script>",
        )
        .await;
        let html_drag = Action::Drag(Drag { target: at("#a"), to: at("#b") });
        if supports(Capability::HtmlDrags) {
            visit.does(html_drag).await;
            assert_eq!(visit.read("#said").await, "dropped parcel");
        } else {
            let failure = visit.fails(html_drag).await;
            assert!(matches!(failure, ActionFailure::NotAvailable { .. }), "{failure}");
        }
        visit.does(Action::Drag(Drag { target: at("#k"), to: at("#z") })).await;
        assert_eq!(visit.read("#said").await, "at 515px");
    });
}

#[test]
fn a_drop_succeeds_on_a_list_that_reorders_during_the_drag() {
    if !supports(Capability::HtmlDrags) {
        return;
    }
    run(async {
        for place in ["before", "after"] {
            let visit = visit(&format!(
                "<ul id=l><li draggable=true id=one>One<li draggable=true>Two<li draggable=true id=three>Three</ul><p id=said></p>
                <script>let d;l.ondragstart=e=>{{d=e.target}};
                l.ondragover=e=>{{e.preventDefault();const t=e.target.closest('li');if(t&&t!==d)t.{place}(d)}};
                l.ondrop=e=>{{e.preventDefault();said.textContent=[...l.children].map(x=>x.textContent.trim()).join()}}</script>",
            ))
            .await;
            let (from, to, order) = if place == "before" {
                ("#three", "#one", "Three,One,Two")
            } else {
                ("#one", "#three", "Two,Three,One")
            };
            visit.does(Action::Drag(Drag { target: at(from), to: at(to) })).await;
            assert_eq!(visit.read("#said").await, order);
        }
    });
}

#[test]
fn save_read_dom_and_subdom_actions() {
    run(async {
        let visit =
            visit("<main><h1>Total</h1><p class=x title=first>42</p><p class=x>43</p></main><a href='/next'>n</a>")
                .await;
        let save = |target: &str, attribute: Option<&str>| {
            Action::Save(Save { target: at(target), variable: "v".into(), attribute: attribute.map(Into::into) })
        };
        assert_eq!(visit.does(save("h1", None)).await.value, Some(json!("Total")));
        assert_eq!(visit.does(save("a", Some("href"))).await.value, Some(json!(visit.site.url("/next"))));
        assert!(matches!(visit.fails(save("h1", Some("nope"))).await, ActionFailure::NotAvailable { .. }));
        let many = Read { target: Some(at(".x")), multiple: true, ..Read::default() };
        assert_eq!(visit.does(Action::Read(many)).await.value, Some(json!(["42", "43"])));
        let whole = visit.does(Action::Dom(NoParams {})).await.value.unwrap();
        assert!(whole.as_str().unwrap().contains("<p class=\"x\">43</p>"));
        let part = visit.does(Action::Subdom(Subdom::default())).await.value.unwrap();
        assert!(part.as_str().unwrap().starts_with("<main>"));
        visit.site.page("/long", &format!("<p id=p>{}</p>", "x".repeat(120_000)));
        visit.open("/long").await;
        for action in [Action::Dom(NoParams {}), Action::Subdom(Subdom { target: Some(at("p")) })] {
            assert!(matches!(visit.fails(action).await, ActionFailure::TooLarge { .. }));
        }
    });
}

#[test]
fn a_long_text_is_read_up_to_the_limit_with_a_notice() {
    run(async {
        let visit = visit(&format!("<p>{}</p>", "ä😀".repeat(5_000))).await;
        let read =
            |target: &str, multiple| Action::Read(Read { target: Some(at(target)), multiple, ..Read::default() });
        let text = visit.does(read("body", false)).await.value.unwrap();
        let (kept, notice) = text.as_str().unwrap().split_once('\n').expect("a notice follows");
        assert_eq!(kept, "ä😀".repeat(2_500));
        assert!(notice.starts_with("[… 5000 more characters are left out; to read more, "), "{notice}");
        visit.site.page("/list", &format!("{}<p>end</p>", format!("<p>{}</p>", "x".repeat(2_000)).repeat(3)));
        visit.open("/list").await;
        let texts = visit.does(read("p", true)).await.value.unwrap();
        let texts: Vec<&str> = texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
        assert_eq!((texts.len(), texts[1].len()), (3, 2_000));
        assert!(texts[2].starts_with("[… 2 more texts are left out; "), "{texts:?}");
    });
}

#[test]
fn open_back_forward_and_reload_actions() {
    run(async {
        let visit = visit("<title>One</title><a href='/two'>Two</a><a id=h href='#part'>Part</a>").await;
        visit.site.page("/two", "<title>Two</title>second");
        let went = visit.does(click(at("text=Two"))).await;
        assert_eq!(
            went.effects,
            [PageEffect::Navigated {
                from: visit.site.url("/"),
                to: visit.site.url("/two"),
                status: document_status(200),
                status_unknown: !supports(Capability::DocumentStatus),
            }]
        );
        assert_eq!(went.url, visit.site.url("/two"));
        visit.does(Action::Back(NoParams {})).await;
        assert_eq!(visit.see().await.title, "One");
        visit.does(click(at("#h"))).await;
        assert_eq!(visit.session.url(), visit.site.url("/#part"));
        visit.does(Action::Back(NoParams {})).await;
        visit.does(Action::Forward(NoParams {})).await;
        visit.does(Action::Reload(NoParams {})).await;
        assert_eq!(visit.session.url(), visit.site.url("/#part"));
        assert!(matches!(visit.fails(Action::Forward(NoParams {})).await, ActionFailure::NotAvailable { .. }));
        let missing = visit.does(open(&visit.site.url("/none"))).await;
        assert!(
            missing
                .effects
                .iter()
                .any(|e| matches!(e, PageEffect::Navigated { status, .. } if *status == document_status(404))),
            "{missing:?}"
        );
        for scheme in ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "chrome://version", "nonsense"]
        {
            assert!(matches!(visit.fails(open(scheme)).await, ActionFailure::Refused { .. }), "{scheme}");
        }
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        match visit.fails(open(&format!("http://{closed}/"))).await {
            ActionFailure::Unreachable { reason, .. } => {
                let reason = reason.to_uppercase().replace(' ', "_");
                assert!(reason.contains("CONNECTION_REFUSED"), "{reason}");
            }
            other => panic!("{other}"),
        }
        visit.open("/two").await;
        assert_eq!(visit.text().await, "second");
    });
}

#[test]
fn wait_supports_text_gone_url_and_load_state() {
    run(async {
        let visit = visit(
            "<p id=p>before</p><script>setTimeout(()=>{p.textContent='after';history.pushState(0,'','/later')},2500)</script>",
        )
        .await;
        let wait = |text: Option<&str>, gone: Option<&str>, url: Option<&str>, seconds: Option<f64>| {
            Action::Wait(Wait {
                text: text.map(Into::into),
                gone: gone.map(Into::into),
                url: url.map(Into::into),
                seconds,
                ..Wait::default()
            })
        };
        match visit.fails(wait(Some("never"), None, None, Some(0.2))).await {
            ActionFailure::Timeout { ms: 200, .. } => {}
            other => panic!("{other}"),
        }
        visit.does(wait(Some("AFTER"), None, None, None)).await;
        visit.does(wait(None, Some("before"), None, None)).await;
        visit.does(wait(None, None, Some("*/later"), None)).await;
        visit.does(Action::Wait(Wait { state: Some(LoadState::Idle), ..Wait::default() })).await;
        assert!(matches!(visit.fails(Action::Wait(Wait::default())).await, ActionFailure::InvalidArgument { .. }));
    });
}

#[test]
fn alerts_are_accepted_and_other_dialogs_stay_open_until_answered() {
    run(async {
        let visit = visit(
            "<button id=a onclick=\"alert('note');said.textContent='alerted'\">A</button><button id=c onclick=\"said.textContent='confirmed '+confirm('sure?')\">C</button>
            <button id=p onclick=\"said.textContent='name '+prompt('who?')\">P</button><p id=said></p>",
        )
        .await;
        let info =
            |kind, message: &str, accepted| PageEffect::Dialog(DialogInfo { kind, message: message.into(), accepted });
        let answer = |accept, text: Option<&str>| Action::Dialog(Dialog::answer(accept, text.map(Into::into)));
        assert_eq!(visit.does(click(at("#a"))).await.effects, [info(DialogKind::Alert, "note", Some(true))]);
        assert_eq!(visit.read("#said").await, "alerted");
        // The dialog stays open until it is answered, and it is reported.
        assert_eq!(visit.does(click(at("#c"))).await.effects, [info(DialogKind::Confirm, "sure?", None)]);
        assert_eq!(
            visit.see().await.dialog,
            Some(DialogInfo { kind: DialogKind::Confirm, message: "sure?".into(), accepted: None })
        );
        assert!(matches!(visit.fails(click(at("#a"))).await, ActionFailure::DialogOpen { .. }));
        visit.does(answer(false, None)).await;
        assert_eq!(visit.read("#said").await, "confirmed false");
    });
}

#[test]
fn tabs_are_opened_switched_and_closed() {
    run(async {
        let visit = visit(
            "<title>Home</title><a href='/two' target=_blank>New</a><button onclick=\"window.open('/two')\">Pop</button>",
        )
        .await;
        visit.site.page("/two", "<title>Two</title><button onclick='window.close()'>Close</button>");
        let opened = visit.does(click(at("text=New"))).await;
        assert!(opened.effects.iter().any(|e| matches!(e, PageEffect::TabOpened { number: 2, .. })), "{opened:?}");
        assert_eq!(visit.see().await.title, "Two");
        visit.does(Action::Tab(Tab::Switch { to: "home".into() })).await;
        assert_eq!(visit.see().await.title, "Home");
        visit.does(click(at("text=Pop"))).await;
        assert_eq!(visit.see().await.title, "Two");
        visit.does(click(at("text=Close"))).await;
        assert_eq!(visit.see().await.title, "Home");
        assert!(matches!(
            visit.fails(Action::Tab(Tab::Switch { to: "nowhere".into() })).await,
            ActionFailure::NotFound { .. }
        ));
        visit.does(Action::Tab(Tab::Open { url: Some(visit.site.url("/two")) })).await;
        assert_eq!(visit.session.tabs().len(), 3);
        visit.does(Action::Tab(Tab::Close { tab: None })).await;
        assert_eq!(visit.session.tabs().len(), 2);
        visit.does(Action::Tab(Tab::List)).await;
    });
}

#[test]
fn downloads_are_saved_or_report_the_size_limit() {
    run(async {
        let visit =
            visit_with("<a href='/file'>Get</a><a href='/big'>Big</a>", |options| options.max_download_bytes = 1000)
                .await;
        let attached = |name: &str, body: Vec<u8>| Page {
            headers: vec![
                ("Content-Disposition".into(), format!("attachment; filename=\"{name}\"")),
                ("Content-Type".into(), "application/octet-stream".into()),
            ],
            body,
            ..Page::default()
        };
        visit.site.put("/file", attached("../a b.txt", b"hello".to_vec()));
        visit.site.put("/big", attached("big.bin", vec![0; 3_000_000]));
        for name in ["a b.txt", "a b (2).txt"] {
            let result = visit.does(click(at("text=Get"))).await;
            let [PageEffect::Downloaded(info)] = result.effects.as_slice() else { panic!("{result:?}") };
            assert_eq!(info.size, 5);
            assert_eq!(info.hash, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
            assert_eq!(std::fs::read(&info.path).unwrap(), b"hello");
            assert!(info.name.ends_with(name) || info.name.replace('_', "").ends_with(name), "{info:?}");
        }
        match visit.fails(click(at("text=Big"))).await {
            ActionFailure::Download { reason, .. } => assert!(reason.contains("1000 bytes"), "{reason}"),
            other => panic!("{other}"),
        }
        // The browser takes a moment to remove the file of a cancelled download.
        let folder = visit.folder.path().join("downloads");
        crate::robust::eventually("only what arrived is left", || {
            std::fs::read_dir(&folder).unwrap().flatten().filter(|entry| entry.path().is_file()).count() == 2
        });
    });
}

#[test]
fn uploads_outside_the_allowed_folders_are_refused() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("cv.txt"), "me").unwrap();
        let allowed = folder.path().to_owned();
        let visit = visit_with(
            "<input type=file id=f onchange=\"said.textContent=files[0].name+files.length\"><button id=b onclick='f.click()'>Choose</button><p id=said></p><button id=n>None</button>",
            |options| options.uploads = vec![allowed],
        )
        .await;
        let upload = |target: &str, file: &str| Action::Upload(Upload { target: at(target), files: vec![file.into()] });
        visit.does(upload("#f", "cv.txt")).await;
        assert_eq!(visit.read("#said").await, "cv.txt1");
        visit.open("/").await;
        visit.does(upload("#b", "cv.txt")).await;
        assert_eq!(visit.read("#said").await, "cv.txt1");
        assert!(matches!(visit.fails(upload("#f", "/etc/passwd")).await, ActionFailure::UploadNotAllowed { .. }));
        assert!(matches!(visit.fails(upload("#n", "cv.txt")).await, ActionFailure::WrongKind { .. }));
    });
}

/// A page lays a transparent file field over its own button, so that a click on the button opens the file chooser.
#[test]
fn a_button_below_its_own_transparent_file_field_is_pressed() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("stock.csv"), "1").unwrap();
        let allowed = folder.path().to_owned();
        let field = |id: &str| {
            format!(
                "<input type=file id={id} style='position:absolute;left:0;top:0;width:100%;height:100%;opacity:0' onchange='said.textContent=files[0].name'>"
            )
        };
        let visit = visit_with(
            &format!(
                "<p id=said></p><form><div style='position:relative'><p>Drag and drop</p><div style='position:relative;width:250px'><button type=button id=own>Or choose from your computer</button>{}</div></div>
                 <div style='position:relative;width:250px'><button type=button id=other>Delete</button><button type=button>Rename</button>{}</div></form>",
                field("fileupload"),
                field("over")
            ),
            |options| {
                options.uploads = vec![allowed];
                options.intercept_file_choosers = true;
            },
        )
        .await;
        let upload = |target: &str| Action::Upload(Upload { target: at(target), files: vec!["stock.csv".into()] });
        visit.does(upload("#own")).await;
        assert_eq!(visit.read("#said").await, "stock.csv");
        visit.does(click(at("#own"))).await;
        let failure = visit.fails(click(at("#other"))).await;
        assert!(matches!(failure, ActionFailure::Covered { .. }), "the field covers other buttons too: {failure}");
    });
}
