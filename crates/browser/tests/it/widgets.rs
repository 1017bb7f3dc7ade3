//! Widgets as component libraries and admin applications build them: their names, labels and values, what is drawn in
//! place of a control, and what is out of reach. The fixtures are reduced to the structure that matters.

use std::time::Duration;

use legwork_browser::SessionOptions;
use legwork_observe::{Node, Snapshot};
use legwork_protocol::*;

use crate::support::*;

/// The nodes with a role, as `name: value`.
fn all(page: &Snapshot, role: &str) -> Vec<String> {
    let line = |node: &Node| match &node.value {
        Some(value) => format!("{}: {value}", node.name),
        None => node.name.to_string(),
    };
    page.nodes.iter().filter(|node| &*node.role == role).map(line).collect()
}

fn texts(page: &Snapshot) -> Vec<String> {
    all(page, "text")
}

fn select(target: Target, values: &[&str]) -> Action {
    Action::Select(Select { target, values: values.iter().map(|value| (*value).to_owned()).collect() })
}

fn slow(options: &mut SessionOptions) {
    options.timeouts.action = Duration::from_secs(6);
}

#[test]
fn a_text_of_a_style_sheet_names_a_button() {
    run(async {
        let visit = visit(
            "<style>.b::before{content:attr(label)} .c span::after{content:'Save';} .i::before{content:'\\f00c'}
             .d::after{content:' now'} .e::before{content:'x' / 'Close'} p::before{content:'Note'}</style>
             <button class=b label=Cancel></button><button class=b label=Confirm onclick=\"out.textContent='yes'\"></button>
             <button class=c><span></span></button><button class=i></button><button class=d>Send</button>
             <a href=#x class=d>Go <b>on</b></a><button class=e></button><p id=out></p>",
        )
        .await;
        let page = visit.see().await;
        assert_eq!(all(&page, "button"), ["Cancel", "Confirm", "Save", "", "Send now", "Close"]);
        assert_eq!(all(&page, "link"), ["Go on now"]);
        assert!(!visit.text().await.contains("Note"), "elsewhere such a text is decoration");
        visit.does(click(visit.find("button", "Confirm").await)).await;
        assert_eq!(visit.read("#out").await, "yes");
        visit.does(click(at("role=button[name=\"Cancel\"]"))).await;
    });
}

/// Directus: the field that shows a choice ignores the pointer, and the box around it opens the list.
#[test]
fn a_field_that_only_shows_a_choice_is_clicked_in_its_box() {
    run(async {
        let visit = visit(
            "<style>.box{cursor:pointer} input{pointer-events:none} i::after{font-family:'Material Icons';content:'expand_more'}</style>
             <div class=box onclick=\"out.textContent='open'\"><input readonly aria-label=Status value=Draft><i></i></div>
             <div class=box onclick=\"out.textContent='both'\"><input readonly aria-label=One><button>Two</button></div>
             <p id=out></p>",
        )
        .await;
        assert!(!visit.text().await.contains("expand_more"), "{}", visit.text().await);
        visit.does(click(at("role=textbox[name=\"Status\"]"))).await;
        assert_eq!(visit.read("#out").await, "open");
        let refused = visit.act(click(at("role=textbox[name=\"One\"]"))).await;
        assert!(!refused.ok(), "the box has another control");
    });
}

/// Node-RED: the label of a node ignores the pointer, and the shape behind it takes the double click.
#[test]
fn the_label_of_a_shape_is_clicked_on_the_shape() {
    run(async {
        let visit = visit(
            "<svg width=300 height=100><g><rect width=120 height=30 ondblclick=\"out.textContent='opened'\"></rect>
             <g style='pointer-events:none'><text x=10 y=20>debug 1</text></g></g></svg><p id=out></p>",
        )
        .await;
        let twice = Action::Click(Click { count: 2, ..Click::on(at("text=debug 1")) });
        visit.does(twice).await;
        assert_eq!(visit.read("#out").await, "opened");
    });
}

#[test]
fn a_label_and_the_text_beside_it_are_separate() {
    run(async {
        let visit = visit(
            "<style>label{display:block}</style><section><label>State</label>Open</section>
             <section><label>Total</label>300</section><p>Sum<b>12</b></p>",
        )
        .await;
        assert_eq!(texts(&*visit.see().await), ["State", "Open", "Total", "300", "Sum12"]);
    });
}

#[test]
fn a_label_without_a_control_names_the_field_that_follows_it() {
    run(async {
        let visit = visit(
            "<form><div><label for=level>Level</label><div><span role=log style='position:absolute;width:1px;height:1px;overflow:hidden'></span>
             <div><div id=ph>Select...</div><input id=react-select-2-input role=combobox aria-expanded=false aria-describedby=ph></div></div></div>
             <div><label for=notes>Notes</label><section><select><option>Normal</option></select><button type=button>B</button></section>
             <div contenteditable=true class=ProseMirror style='min-height:40px'><p><br></p></div></div>
             <div><div class=col><label>City</label></div><div class=col><input placeholder=Berlin></div></div>
             <div><label>A</label><input><label>B</label><input></div>
             <div><label>Named</label><input aria-label=Other></div>
             <div><label>Kind</label><input type=checkbox aria-label=News></div>
             <div><label>State</label>Open</div></form>",
        )
        .await;
        let page = visit.see().await;
        assert_eq!(all(&page, "combobox"), ["Level", ": Normal"]);
        assert_eq!(
            all(&page, "textbox"),
            ["Notes: ", "City", "A", "B", "Other"].map(|name| name.trim_end_matches(": "))
        );
        let city = page.nodes.iter().find(|node| &*node.name == "City").unwrap();
        assert_eq!(city.attributes.as_ref().unwrap().placeholder.as_deref(), Some("Berlin"));
        let shown = texts(&page);
        for label in ["Named", "Kind", "State"] {
            assert!(shown.iter().any(|text| text == label), "{label} names nothing: {shown:?}");
        }
        visit.does(fill(visit.find("textbox", "Notes").await, "Hello")).await;
        assert_eq!(visit.read("[contenteditable]").await, "Hello");
    });
}

/// A list of Select2: the select is hidden, and a span after it is drawn as the list.
const SELECT2: &str = "<style>.gone{position:absolute!important;width:1px!important;height:1px!important;overflow:hidden;clip:rect(0 0 0 0)}
 .sel{display:inline-block;border:1px solid;width:300px;min-height:28px} ul{list-style:none;margin:0;padding:0} li{display:inline-block}</style>
 <div><label for=author>Author</label><div><select id=author class=gone tabindex=-1 aria-hidden=true></select>
 <span><span class=sel id=one role=combobox aria-haspopup=true aria-expanded=false tabindex=0 aria-labelledby=author-container>
 <span id=author-container role=textbox aria-readonly=true title='Select author'><span class=placeholder>Search...</span></span></span></span></div></div>
 <div><label for=tags>Tags</label><div><select id=tags multiple class=gone tabindex=-1 aria-hidden=true></select>
 <span><span class=sel id=many role=combobox aria-haspopup=true aria-expanded=false tabindex=-1><ul id=tags-container></ul>
 <span><textarea role=searchbox aria-autocomplete=list aria-label=Search placeholder='Select tags' rows=1 style='width:5em'></textarea></span></span></span></div></div>
 <div id=dd hidden><ul role=listbox></ul></div>
 <script>let chosen=[];const items={one:['Ada Lovelace','Grace Hopper'],many:['news','howto','release']};
 const close=()=>{dd.hidden=true;one.ariaExpanded=many.ariaExpanded=false};
 const open=box=>{dd.hidden=false;box.ariaExpanded=true;const list=dd.firstChild;list.innerHTML='<li role=option aria-disabled=true>Searching…</li>';
  setTimeout(()=>{list.innerHTML='';for(const t of items[box.id]){const o=document.createElement('li');o.setAttribute('role','option');o.textContent=t;
   o.setAttribute('aria-selected',String(chosen.includes(t)));
   o.onmouseup=()=>{if(box===one)document.getElementById('author-container').textContent=t;
    else{chosen=chosen.includes(t)?chosen.filter(c=>c!==t):[...chosen,t];show()}close()};list.append(o)}},80)};
 const show=()=>{const ul=document.getElementById('tags-container');ul.innerHTML='';for(const t of chosen){const li=document.createElement('li');
  li.innerHTML='<button type=button title=\"Remove item\" aria-label=\"Remove item\"><span aria-hidden=true>×</span></button><span>'+t+'</span>';
  li.firstChild.onclick=()=>{chosen=chosen.filter(c=>c!==t);show()};ul.append(li)}};
 for(const box of [one,many])box.onmousedown=event=>{if(event.target.closest('button'))return;dd.hidden?open(box):close()}</script>";

#[test]
fn a_list_that_replaces_a_select_has_its_label_and_its_value() {
    run(async {
        let visit = visit_with(SELECT2, slow).await;
        let page = visit.see().await;
        assert_eq!(all(&page, "combobox"), ["Author: Search...", "Tags"]);
        assert_eq!(all(&page, "textbox"), [""; 0], "the shown value is not a field");
        visit.does(select(visit.find("combobox", "Author").await, &["Grace Hopper"])).await;
        visit.does(select(visit.find("combobox", "Tags").await, &["news", "release"])).await;
        assert_eq!(all(&*visit.see().await, "combobox"), ["Author: Grace Hopper", "Tags: news, release"]);
    });
}

#[test]
fn a_hidden_checkbox_is_ticked_where_it_is_drawn() {
    run(async {
        let visit = visit(
            "<style>span{position:relative}input{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip:rect(0 0 0 0);border:0}
             a{display:inline-block;width:18px;height:18px;border:1px solid}</style>
             <table><tr><th>Select<th>Title</tr><tr><td><span><input type=hidden name=x value=0><input type=checkbox id=c><a onclick='c.checked=!c.checked'></a></span></td><td>Order 12</td></tr></table>
             <div><input type=checkbox id=d style='position:absolute'><button style='width:30px;height:30px'>Other</button></div>",
        )
        .await;
        visit.does(Action::Check(on(at("#c")))).await;
        let ticked = visit.see().await.nodes.iter().filter(|node| node.states.checked()).count();
        assert_eq!(ticked, 1);
        visit.does(Action::Uncheck(on(at("#c")))).await;
        // Another control beside it is not its drawing.
        let failure = visit.fails(Action::Check(on(at("#d")))).await;
        assert!(matches!(failure, ActionFailure::Covered { .. }), "{failure}");
    });
}

#[test]
fn what_is_out_of_reach_is_not_visible_until_it_comes_into_view() {
    run(async {
        let visit = visit(
            "<style>body{margin:0;overflow-x:hidden}#s{position:absolute;left:-300px;width:300px;height:600px}#s.open{left:0}
             #d{position:fixed;top:0;right:0;width:400px;height:100%;transform:translateX(400px)}#d.open{transform:none}
             #m{position:fixed;bottom:0;left:50%;height:100px;overflow-y:auto}#m p{margin-top:calc(100vh + 500px)}
             #t{display:flex;width:100%;transform:translateX(-200%)}#t div{flex:none;width:100%}</style>
             <section id=s><a href=#c>Customers</a></section><h1>Orders</h1><button onclick=\"s.classList.toggle('open')\">Menu</button>
             <button onclick=\"d.classList.toggle('open')\">Filter</button><form id=d><h3>Filters</h3></form>
             <div style='overflow:hidden'><div id=t><div>First slide</div><div>Second slide</div><div>Third slide</div></div></div>
             <div style='position:absolute;left:-9999px' role=status>Announced</div><div id=m><p>Last row</p></div>
             <p style='margin-top:3000px'>Far below</p><div style='overflow-x:auto;width:100px'><div style='width:5000px'><p style='margin-left:calc(4000px)'>Far right</p></div></div>",
        )
        .await;
        let page = visit.see().await;
        let shown = page.visible().text_of(0);
        for text in ["Orders", "Third slide", "Announced", "Last row", "Far below", "Far right"] {
            assert!(shown.contains(text), "{text}: {shown}");
        }
        for text in ["Customers", "Filters"] {
            assert!(!shown.contains(text) && page.text_of(0).contains(text), "{text}: {shown}");
        }
        visit.does(click(visit.find("button", "Filter").await)).await;
        visit.does(click(visit.find("button", "Menu").await)).await;
        let shown = visit.see().await.visible().text_of(0);
        assert!(shown.contains("Customers") && shown.contains("Filters"), "{shown}");
    });
}

/// Each element is judged by its own box: the bar is in view although the fixed element around it lies below the
/// window.
#[test]
fn a_bar_above_its_fixed_parent_below_the_window_is_visible() {
    run(async {
        let visit = visit(
            "<style>#out{position:fixed;left:0;bottom:-72px;height:72px;width:100%}#bar{position:absolute;right:0;top:-45px;height:45px}</style>
             <h1>Files</h1><button onclick='bar.hidden=false'>Select</button>
             <div id=out><div id=bar hidden><a href='#' onclick='return false'>cut</a> <span>1 file selected</span></div><p>Drop here</p>
             <div style='height:20px;overflow:hidden'><b style='position:relative;top:-200px'>Cut off</b></div></div>",
        )
        .await;
        assert!(!visit.see().await.visible().text_of(0).contains("cut"));
        visit.does(click(visit.find("button", "Select").await)).await;
        let page = visit.see().await;
        let shown = page.visible().text_of(0);
        assert!(shown.contains("cut") && shown.contains("1 file selected"), "{shown}");
        assert!(!shown.contains("Drop here") && !shown.contains("Cut off"), "{shown}");
        visit.does(click(visit.find("link", "cut").await)).await;
    });
}

/// No attribute reveals such a listener. An area that handles the clicks on its controls is no control itself.
#[test]
fn elements_with_listeners_that_scripts_added_can_be_pressed() {
    run(async {
        let visit = visit(
            "<table><td id=cell>22</td><td>23</td></table><div style='cursor:pointer'><span id=a>Reply</span> <span id=b>Forward</span></div>
             <svg width=90 height=40><g id=shape><rect width=80 height=30 /><text y=20>Node</text></g></svg><div id=late></div>
             <ul id=area><li><a href='#x'>One</a><li><a href='#y'>Two</a></ul><p id=out></p><script>
             const say=event=>out.textContent+=event.currentTarget.id+' ';
             for(const one of [cell,a,b,shape,area])one.addEventListener('click',say);
             const made=document.createElement('i');made.id='made';made.textContent='Later';made.onclick=say;late.append(made)</script>",
        )
        .await;
        let page = visit.see().await;
        let pressable = page.nodes.iter().filter(|node| &*node.role != "link" && node.states.actionable());
        let pressable: Vec<_> = pressable.map(|node| (node.name.to_string(), node.reference.unwrap())).collect();
        let names: Vec<&str> = pressable.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["22", "Reply", "Forward", "Node", "Later"]);
        for (_, reference) in &pressable {
            let result = visit.does(click(at(&reference.to_string()))).await;
            assert!(result.ok(), "{result:?}");
        }
        assert!(visit.text().await.contains("cell a b shape made"), "{}", visit.text().await);
    });
}

#[test]
fn a_control_that_shows_only_an_icon_is_named_by_it() {
    run(async {
        let visit = visit(
            "<section style='cursor:pointer;width:24px'><span><svg class='lucide lucide-menu' width=24 height=24></svg></span></section>
             <button><i class='fa fa-trash fa-lg'></i></button><button><svg><use href='#icon-pencil'/></svg></button>
             <button title=Help><i class='bi bi-question'></i></button><button><i class='fa fa-plus'></i> Add</button>
             <button><svg width=9 height=9></svg></button>
             <a data-testid=actions-dropdown><span><svg width=9 height=9></svg></span></a><a id=anchor></a><a data-testid=plain>Text</a>
             <button><svg class='lucide lucide-x' width=9 height=9></svg></button><button><i class='fa fa-2x fa-trash'></i></button>",
        )
        .await;
        let page = visit.see().await;
        assert_eq!(all(&page, "button"), ["trash", "pencil", "Help", "Add", "", "actions dropdown", "close", "trash"]);
        assert_eq!(all(&page, "generic"), ["menu"]);
        assert!(page.nodes.iter().filter(|node| &*node.role == "button").all(|node| node.reference.is_some()));
    });
}

#[test]
fn a_menu_without_roles_is_a_menu_and_its_entries_are_commands() {
    run(async {
        let visit = visit(
            "<style>.menu{display:none;position:absolute}.menu.show{display:block}.panel{display:block}</style>
             <div><button id=b aria-expanded=false onclick=\"m.classList.toggle('show');b.ariaExpanded=String(m.classList.contains('show'))\">With selected (<span>2</span>)</button>
             <div class=menu id=m><a href=# onclick=\"out.textContent='deleted';m.classList.remove('show');b.ariaExpanded='false';return false\"> Delete </a></div></div>
             <button aria-expanded=true>Section</button><div class=panel><a href=#x>Inside</a></div><p id=out></p>",
        )
        .await;
        assert_eq!(all(&*visit.see().await, "menu"), [""; 0], "a part of the page that a button expands is not a menu");
        visit.does(click(at("#b"))).await;
        assert_eq!(all(&*visit.see().await, "menu"), [""]);
        visit.does(click(at("#b"))).await;
        visit.does(select(at("#b"), &["Delete"])).await;
        assert_eq!(visit.read("#out").await, "deleted");
    });
}

#[test]
fn adjacent_spans_are_one_word_unless_people_see_a_gap() {
    run(async {
        let visit = visit(
            "<style>i{font-style:normal} .flex{display:flex} .gap{display:flex;gap:8px} .col{display:flex;flex-direction:column}</style>
             <p>Code <span>Y</span><span>P</span><span>F</span><span>e</span> ready</p>
             <p><span>Price</span><span style='margin-left:6px'>12</span></p>
             <p><span>Padded</span><span style='padding-left:.5em'>text</span></p>
             <p style='direction:rtl'><span>אב</span><span>גד</span></p>
             <p class=flex><span>to</span><span>gether</span></p><p class=gap><span>a</span><span>part</span></p>
             <p class=col><span>first</span><span>second</span></p>
             <p><span style='display:block'>upper</span><span style='display:block'>lower</span></p>
             <button onclick=\"out.textContent='pressed'\"><span>Sa</span><span>ve</span></button><p id=out></p>",
        )
        .await;
        let page = visit.see().await;
        let expected =
            ["Code YPFe ready", "Price 12", "Padded text", "אבגד", "together", "a part", "first second", "upper lower"];
        assert_eq!(texts(&page), expected);
        visit.does(click(at("text=YPFe"))).await;
        visit.does(click(visit.find("button", "Save").await)).await;
        assert_eq!(visit.read("#out").await, "pressed");
    });
}

#[test]
fn a_text_without_size_or_colour_is_not_read() {
    run(async {
        let visit = visit(
            "<style>.zero{font-size:0} .zero li{font-size:16px} .none{color:transparent} .clip{background:linear-gradient(red,blue);background-clip:text}
             .icon{font:0/0 a;background:red;width:20px;height:20px}</style>
             <p>Shown</p><p style='font-size:0'>Inline size</p><h2 class=zero>Heading</h2><p>Visible <span class=zero>not</span> words</p>
             <ul class=zero>between<li>Item</li></ul><p class=none>Colourless <b>too</b></p><p style='color:rgba(0,0,0,0)'>Alpha</p>
             <h3 class=clip><span class=none>Gradient</span></h3><p class=none style='text-shadow:0 0 5px #000'>Blurred</p>
             <button class=icon>Search</button>",
        )
        .await;
        let page = visit.see().await;
        assert_eq!(texts(&page), ["Shown", "Visible words", "Item", "Blurred"]);
        assert_eq!(all(&page, "heading"), ["", "Gradient"]);
        assert_eq!(all(&page, "button"), ["Search"], "the name of a control is not its text");
    });
}

#[test]
fn elements_whose_clicks_jquery_delegates_can_be_pressed() {
    run(async {
        let visit = visit(
            "<ul id=list><li class=row>One</li><li>Plain</li></ul><p id=out></p><script>
             const handlers = [{selector: '.row'}, {selector: ':eq(0)'}, {}];
             window.jQuery = {_data: (host, name) => host === document && name === 'events' ? {click: handlers} : undefined};
             document.addEventListener('click', e => { const row = e.target.closest('.row'); if (row) out.textContent = row.textContent });
             </script>",
        )
        .await;
        let page = visit.see().await;
        let refs = |page: &Snapshot| page.nodes.iter().filter(|node| node.states.actionable()).count();
        assert_eq!(refs(&page), 1);
        visit.session.evaluate("list.insertAdjacentHTML('beforeend', '<li class=row>Later</li>')", None).await.unwrap();
        let page = visit.see().await;
        assert_eq!(refs(&page), 2, "an element that was added later");
        let later = page.nodes.iter().rfind(|node| node.states.actionable()).and_then(|node| node.reference);
        visit.does(click(later.unwrap())).await;
        assert_eq!(visit.read("#out").await, "Later");
    });
}
