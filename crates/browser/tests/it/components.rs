//! Tests lists, dates and times as component libraries build them, with the same structures in plain HTML.

use std::time::Duration;

use legwork_protocol::*;

use crate::support::*;

fn select(target: &str, values: &[&str]) -> Action {
    Action::Select(Select { target: at(target), values: values.iter().map(|value| (*value).to_owned()).collect() })
}

/// A list that opens on a press. `pick` is the script that chooses the option `o`.
fn list(field: &str, options: &str, pick: &str) -> String {
    format!(
        "<style>.box{{position:relative;width:200px;height:30px;border:1px solid}}input{{width:100%;height:100%;border:0}}
        .shown{{position:absolute;inset:0;background:#fff}}.none{{height:0;width:0;overflow:hidden}}</style>{field}
        <div id=list hidden>{options}</div><p id=out></p><script>
        const box=document.querySelector('.box');
        box.onmousedown=()=>{{list.hidden=false}};
        list.onclick=event=>{{const o=event.target;out.textContent+=o.textContent;{pick};list.hidden=true}}</script>"
    )
}

#[test]
fn a_list_is_opened_though_its_placeholder_lies_over_its_input() {
    run(async {
        let field = "<div class=box><div><input id=z role=combobox aria-label=Zone></div><div class=shown><span>Select</span></div></div>";
        let pick = "document.querySelector('.shown').textContent=o.textContent";
        let page = list(field, "<div role=option>Shanghai</div><div role=option>Beijing</div>", pick);
        let open_list = visit(&page).await;
        open_list.does(select("#z", &["Beijing"])).await;
        assert_eq!(open_list.read("#out").await, "Beijing");
        // An element outside the field's own box that lies over it still covers it, and so does an element that can be
        // clicked by itself.
        for over in [
            "<div style='position:fixed;inset:0'></div>",
            "<script>document.querySelector('.shown').innerHTML='<button style=\"width:100%;height:100%\">Help</button>'</script>",
        ] {
            let covered = visit(&format!("{page}{over}")).await;
            let failure = covered.fails(select("#z", &["Beijing"])).await;
            assert!(matches!(failure, ActionFailure::Covered { .. }), "{failure}");
        }
    });
}

#[test]
fn options_are_found_without_their_role() {
    run(async {
        let field = "<div class=box><input id=z role=combobox aria-label=Name></div>";
        let pick = "z.value=o.textContent";
        for options in [
            // The list contains other options for screen readers, which have no size.
            "<div class=none role=listbox><div role=option>jack</div><div role=option>lucy</div></div>
             <div aria-selected=false><div>Jack</div></div><div aria-selected=false><div>Lucy</div></div>",
            "<div><span>Jack</span></div><div><span>Lucy</span></div>",
        ] {
            let visit = visit(&format!("<h2>Lucy</h2>{}", list(field, options, pick))).await;
            visit.does(select("#z", &["Lucy"])).await;
            assert_eq!(visit.read("#out").await, "Lucy");
        }
        // An element outside the list with the same text is not an option.
        let visit = visit(&format!("<h2>Lucy</h2>{}", list(field, "<div>Jack</div>", pick))).await;
        let failure = visit.fails(select("#z", &["Lucy"])).await;
        assert!(matches!(failure, ActionFailure::NoOption { .. }), "{failure}");
        assert_eq!(visit.read("#out").await, "");
    });
}

#[test]
fn several_are_chosen_though_the_field_moves_with_each() {
    run(async {
        let field = "<div class=box style='display:flex;width:400px'><input id=z role=combobox aria-label=Tags style='width:40px;margin-left:auto'></div>";
        let pick = "const chip=document.createElement('div');chip.style.cssText='flex:none;width:300px';chip.textContent=o.textContent;\
                    box.style.height='70px';box.style.flexWrap='wrap';box.prepend(chip)";
        let options = "<div role=option>Alpha</div><div role=option>Beta</div>";
        let visit = visit(&list(field, options, pick)).await;
        visit.does(select("#z", &["Alpha", "Beta"])).await;
        assert_eq!(visit.read("#out").await, "AlphaBeta");
    });
}

#[test]
fn a_list_that_loads_what_it_offers_is_waited_for() {
    run(async {
        let page = |load: &str| {
            format!(
                "<input id=z role=combobox aria-autocomplete=list aria-label=City><ul id=list role=listbox></ul><p id=out></p><script>
                const offer=all=>setTimeout(()=>{{list.innerHTML=all.map(x=>'<li role=option>'+x+'</li>').join('')}},900);
                list.onclick=event=>{{z.value=event.target.textContent;out.textContent=z.value;list.innerHTML=''}};{load}</script>"
            )
        };
        let slow = |options: &mut legwork_browser::SessionOptions| options.timeouts.action = Duration::from_secs(4);
        let opened = page("z.onfocus=()=>offer(['Lima','London'])");
        let typed = page("z.oninput=()=>offer(['Lima','London'].filter(x=>x.startsWith(z.value)))");
        for html in [opened, typed.clone()] {
            let visit = visit_with(&html, slow).await;
            visit.does(select("#z", &["London"])).await;
            assert_eq!(visit.read("#out").await, "London");
        }
        let visit = visit_with(&typed, slow).await;
        let failure = visit.fails(select("#z", &["Paris"])).await;
        assert!(matches!(failure, ActionFailure::NoOption { .. }), "{failure}");
        let read = visit.see().await;
        let field = read.nodes.iter().find(|node| &*node.role == "combobox").expect("it is there");
        assert_eq!(field.value, None, "what was typed in vain is taken out again");
    });
}

/// A field that suggests names for what was typed. The list closes after the choice.
const SUGGESTIONS: &str = "<form><label for=z>Customer</label><input id=z role=combobox aria-autocomplete=list aria-expanded=false CONTROLS>
    <ul id=list role=listbox hidden></ul><button>Create</button></form><p id=out></p><script>
    z.oninput=()=>setTimeout(()=>{const all=['Finn Olsen','Hugo Blanc','Olga Petrova'].filter(x=>x.toLowerCase().includes(z.value.toLowerCase()));
      list.innerHTML='';for(const name of all){const o=document.createElement('li');o.setAttribute('role','option');o.textContent=name;
      o.onmousedown=event=>{KEEP;z.value=PUT;out.textContent=name;list.hidden=true;z.setAttribute('aria-expanded','false')};list.append(o)}
      list.hidden=all.length===0;z.setAttribute('aria-expanded',String(all.length>0))},50)</script>";

#[test]
fn a_choice_from_an_open_list_of_suggestions_is_shown_by_its_field() {
    run(async {
        for (controls, keep) in
            [("aria-controls=list", "event.preventDefault()"), ("", "event.preventDefault()"), ("", "")]
        {
            let page = SUGGESTIONS.replace("CONTROLS", controls).replace("KEEP", keep);
            let visit = visit(&page.replace("PUT", "name")).await;
            visit.does(fill(at("#z"), "ol")).await;
            visit.does(select("role=listbox", &["Olga Petrova"])).await;
            assert_eq!(visit.read("#out").await, "Olga Petrova", "{controls} {keep}");
        }
        // The field has something else.
        let page = SUGGESTIONS.replace("CONTROLS", "aria-controls=list").replace("KEEP", "event.preventDefault()");
        let other = visit(&page.replace("PUT", "'Finn Olsen'")).await;
        other.does(fill(at("#z"), "ol")).await;
        let failure = other.fails(select("role=listbox", &["Olga Petrova"])).await;
        assert!(matches!(failure, ActionFailure::ValueDiffers { .. }), "{failure}");
    });
}

#[test]
fn a_list_that_suggests_for_an_older_text_is_asked_for_the_choice() {
    run(async {
        let page = SUGGESTIONS.replace("CONTROLS", "aria-controls=list").replace("KEEP", "event.preventDefault()");
        let slow = |options: &mut legwork_browser::SessionOptions| options.timeouts.action = Duration::from_secs(4);
        let visit = visit_with(&page.replace("PUT", "name"), slow).await;
        visit.does(fill(at("#z"), "ol")).await;
        visit.does(select("#z", &["Hugo Blanc"])).await;
        assert_eq!(visit.read("#out").await, "Hugo Blanc");
        visit.does(fill(at("#z"), "ol")).await;
        let failure = visit.fails(select("#z", &["Nobody"])).await;
        assert!(matches!(failure, ActionFailure::NoOption { .. }), "{failure}");
        let read = visit.see().await;
        let field = read.nodes.iter().find(|node| &*node.role == "combobox").expect("it is there");
        assert_eq!(field.value.as_deref(), Some("ol"), "the text before is put back");
    });
}

#[test]
fn a_time_is_committed_or_reported_as_lost() {
    run(async {
        let page = |enter: &str| {
            format!(
                "<form onsubmit=\"out.textContent='sent'\"><div class=time-picker><input id=z aria-label=Start placeholder='Select time'></div></form>
                <p id=out></p><script>let kept='';z.onblur=()=>{{z.value=kept}};z.onkeydown=event=>{{if(event.key==='Enter'){{{enter}}}}}</script>"
            )
        };
        let takes = visit(&page("kept=z.value")).await;
        takes.does(fill(at("#z"), "10:30:00")).await;
        takes.does(Action::Press(Press { key: "Tab".into(), target: None })).await;
        let read = takes.see().await;
        let field = read.nodes.iter().find(|node| &*node.role == "textbox").expect("it is there");
        assert_eq!(field.value.as_deref(), Some("10:30:00"));
        assert_eq!(takes.read("#out").await, "", "the form is not sent by it");
        // For a plain field, only the label states what it accepts.
        let labelled =
            page("kept=z.value").replace("class=time-picker", "class=row").replace("placeholder='Select time'", "");
        let labelled = visit(&labelled.replace("aria-label=Start", "aria-label='Start time'")).await;
        labelled.does(fill(at("#z"), "10:30")).await;
        labelled.does(Action::Press(Press { key: "Tab".into(), target: None })).await;
        let read = labelled.see().await;
        let field = read.nodes.iter().find(|node| &*node.role == "textbox").expect("it is there");
        assert_eq!(field.value.as_deref(), Some("10:30"));
        let drops = visit(&page("")).await;
        let failure = drops.fails(fill(at("#z"), "10:30:00")).await;
        let ActionFailure::ValueDiffers { expected, actual, .. } = &failure else { panic!("{failure}") };
        assert_eq!((expected.as_deref(), actual.as_deref()), (Some("10:30:00"), Some("")));
    });
}

/// A calendar of one month, as several libraries render it: cells that state their date, and buttons without a name.
const CALENDAR: &str = "<label>Day <input id=z readonly></label><div id=cal hidden><span class=cal-prev-month>&lsaquo;</span>
    <b id=m></b><span class=cal-next-month>&rsaquo;</span><div id=days></div></div><script>
    let at=new Date(2026,9,1);
    const draw=()=>{m.textContent=at.getMonth()+1;days.innerHTML='';for(let d=1;d<=new Date(at.getFullYear(),at.getMonth()+1,0).getDate();d++){
      const s=document.createElement('span');const day=new Date(at.getFullYear(),at.getMonth(),d);s.textContent=d+' ';
      s.setAttribute('aria-label',day.toLocaleDateString('en',{month:'long',day:'numeric',year:'numeric'}));
      if(d===13)s.setAttribute('aria-disabled','true');else s.onclick=()=>{z.value=WRITE;cal.hidden=true};days.append(s)}};
    z.onclick=()=>{cal.hidden=false;draw()};
    document.querySelector('.cal-next-month').onmousedown=()=>{at.setMonth(at.getMonth()+1);draw()};
    document.querySelector('.cal-prev-month').onmousedown=()=>{at.setMonth(at.getMonth()-1);draw()};</script>";

#[test]
fn a_day_is_chosen_in_the_calendar_of_a_field_that_cannot_be_typed_into() {
    run(async {
        let value = async |visit: &Visit| {
            let read = visit.see().await;
            read.nodes.iter().find(|node| &*node.role == "textbox").and_then(|node| node.value.clone())
        };
        for (day, shown) in [("2026-12-24", "December 24, 2026"), ("2026-08-03", "August 3, 2026")] {
            let visit = visit(&CALENDAR.replace("WRITE", "s.getAttribute('aria-label')")).await;
            visit.does(fill(at("#z"), day)).await;
            assert_eq!(value(&visit).await.as_deref(), Some(shown));
        }
        let wrong = visit(&CALENDAR.replace("WRITE", "'January 1, 2020'")).await;
        let failure = wrong.fails(fill(at("#z"), "2026-12-24")).await;
        assert!(matches!(failure, ActionFailure::ValueDiffers { .. }), "{failure}");
        let disabled = visit(&CALENDAR.replace("WRITE", "''")).await;
        let failure = disabled.fails(fill(at("#z"), "2026-11-13")).await;
        assert!(failure.to_string().contains("read-only"), "{failure}");
        let ambiguous = disabled.fails(fill(at("#z"), "05/06/2027")).await;
        let reason = "does not accept \"05/06/2027\": it accepts a date that can mean only one day, written 2026-12-31";
        assert!(ambiguous.to_string().contains(reason), "{ambiguous}");
    });
}

#[test]
fn the_pointer_is_a_mouse() {
    run(async {
        let page = "<p id=p></p><script>p.textContent=['(pointer: fine)','(any-pointer: fine)','(hover: hover)','(any-hover: hover)'].map(q=>matchMedia(q).matches).join()</script>";
        assert_eq!(visit(page).await.read("#p").await, "true,true,true,true");
    });
}

#[test]
fn a_date_that_can_mean_two_days_is_not_chosen_from_a_calendar() {
    run(async {
        let visit = visit("<label>Day <input id=z readonly></label>").await;
        let failure = visit.fails(fill(at("#z"), "04/05/2026")).await;
        assert!(failure.to_string().contains("a date that can mean only one day, written 2026-12-31"), "{failure}");
        assert_eq!(visit.read("#z").await, "");
    });
}

#[test]
fn a_label_beside_a_name_of_its_own_is_told_of() {
    run(async {
        let visit = visit("<label for=z>Birthday</label><input id=z aria-label='Choose date' readonly>").await;
        let read = visit.see().await;
        let field = read.nodes.iter().find(|node| &*node.role == "textbox").expect("it is there");
        assert_eq!(&*field.name, "Choose date");
        let description = field.attributes.as_ref().and_then(|attributes| attributes.description.as_deref());
        assert_eq!(description, Some("Birthday"));
    });
}

#[test]
fn a_column_header_is_called_what_it_says_beside_its_buttons() {
    run(async {
        let visit = visit(
            "<div role=grid><div role=row><div role=columnheader tabindex=-1><div>Age</div><button aria-label='Age column menu'></button></div>
            <div role=columnheader><button>Name</button></div></div><div role=row><div role=gridcell>35</div><div role=gridcell>Jon</div></div></div>",
        )
        .await;
        let read = visit.see().await;
        let names: Vec<_> =
            read.nodes.iter().filter(|node| &*node.role == "columnheader").map(|node| &*node.name).collect();
        assert_eq!(names, ["Age", ""]);
    });
}

/// A grid that reuses the elements of its rows shows them in an order that differs from the document's (AG Grid after
/// sorting).
#[test]
fn rows_come_in_the_order_in_which_a_grid_shows_them() {
    run(async {
        let rows = |indices: [&str; 3]| -> String {
            let row = |(index, name): (&str, &str)| {
                format!("<div role=row aria-rowindex={index}><div role=gridcell>{name}</div></div>")
            };
            indices.into_iter().zip(["Bolt", "Nut", "Washer"]).map(row).collect()
        };
        for (indices, expected) in [
            (["4", "3", "2"], ["Washer", "Nut", "Bolt"]),
            (["2", "10", "9"], ["Bolt", "Washer", "Nut"]),
            (["2", "3", "4"], ["Bolt", "Nut", "Washer"]),
            // If not every row has a number, the order is that of the document.
            (["3", "x", "2"], ["Bolt", "Nut", "Washer"]),
        ] {
            let visit =
                visit(&format!("<div role=grid aria-rowcount=9><div role=rowgroup>{}</div></div>", rows(indices)))
                    .await;
            let page = visit.see().await;
            let cells = page.nodes.iter().filter(|node| node.role.as_ref() == "gridcell");
            let names: Vec<&str> = cells.map(|node| node.name.as_ref()).collect();
            assert_eq!(names, expected, "{indices:?}");
        }
    });
}

#[test]
fn a_link_without_an_address_is_a_link_when_it_looks_like_one() {
    run(async {
        let visit = visit(
            "<style>.app a,.card{cursor:pointer}</style><div class=app><a>Edit</a></div><a name=top>Top</a>
            <div class=card><a>Inside a card</a></div><p id=o></p>
            <script>document.body.addEventListener('click',e=>{o.textContent=e.target.textContent})</script>",
        )
        .await;
        let page = visit.see().await;
        let links: Vec<&str> =
            page.nodes.iter().filter(|node| node.role.as_ref() == "link").map(|node| node.name.as_ref()).collect();
        assert_eq!(links, ["Edit"]);
        visit.does(click(at("role=link[name=\"Edit\"]"))).await;
        assert_eq!(visit.read("#o").await, "Edit");
    });
}

/// As antd renders a segmented control and a switch in a form.
#[test]
fn a_hidden_radio_button_is_clicked_by_its_label_and_a_drawn_switch_is_called_by_its() {
    run(async {
        let visit = visit(
            "<style>input{position:absolute;width:0;height:0;opacity:0;pointer-events:none}</style>
            <label><input type=radio name=view><div>List</div></label><label><input type=radio name=view id=board><div>Board</div></label>
            <label for=dark>Dark mode</label><button type=button role=switch id=dark aria-checked=false><span></span></button>
            <script>dark.onclick=()=>dark.setAttribute('aria-checked','true')</script>",
        )
        .await;
        let page = visit.see().await;
        let named = |role: &str, name: &str| {
            let node = page.nodes.iter().find(|node| node.role.as_ref() == role && node.name.as_ref() == name);
            Target::from(node.and_then(|node| node.reference).unwrap_or_else(|| panic!("{role} {name}: {page:?}")))
        };
        visit.does(click(named("radio", "Board"))).await;
        visit.does(Action::Check(on(named("switch", "Dark mode")))).await;
        let page = visit.see().await;
        let checked = page.nodes.iter().filter(|node| node.states.checked()).map(|node| node.name.as_ref());
        assert_eq!(checked.collect::<Vec<_>>(), ["Board", "Dark mode"]);
    });
}

/// Component libraries hide from screen readers what the keyboard reaches in another way.
#[test]
fn what_only_a_mouse_operates_is_offered_and_works() {
    run(async {
        let visit = visit(
            "<style>path.area{cursor:pointer}</style>
             <span id=filter aria-hidden=true>▾</span><button aria-hidden=true tabindex=-1 onclick=\"say('menu')\">≡</button>
             <span aria-hidden=true>ornament</span><div aria-hidden=true><button>behind</button></div>
             <svg width=100 height=60><path d='M0 0h40v40H0z' fill=gray /><path class=area d='M50 0h40v40H50z' onclick=\"say('area')\" /></svg>
             <iframe id=editor srcdoc='<body contenteditable aria-label=Text>old</body>'></iframe><p id=out></p>
             <script>const say=word=>{out.textContent+=word+' '};filter.addEventListener('click',()=>say('filter'))</script>",
        )
        .await;
        let page = visit.see().await;
        let operable = |wanted: &dyn Fn(&legwork_observe::Node) -> bool| {
            let found: Vec<_> = page.nodes.iter().filter(|node| node.states.actionable() && wanted(node)).collect();
            assert_eq!(found.len(), 1, "{:?}", page.nodes);
            found[0].reference.unwrap()
        };
        for (name, said) in [("▾", "filter"), ("≡", "menu")] {
            visit.does(click(operable(&|node| &*node.name == name))).await;
            assert!(visit.read("#out").await.ends_with(said), "{name}");
        }
        let path = |node: &legwork_observe::Node| node.attributes.as_ref().is_some_and(|given| &*given.tag == "path");
        visit.does(click(operable(&path))).await;
        assert!(visit.read("#out").await.ends_with("area"));
        let text = operable(&|node| &*node.role == "textbox");
        visit.does(fill(text, "new")).await;
        assert_eq!(visit.see().await.nodes.iter().filter(|node| node.value.as_deref() == Some("new")).count(), 1);
        assert!(!page.nodes.iter().any(|node| node.name.contains("ornament") || node.name.contains("behind")));
    });
}
