//! Tests that input is bound to its element: it arrives there or nowhere, and the resulting value is compared. A click
//! that does not take effect is a failure that names the obstacle.

use std::{sync::Arc, time::Duration};

use legwork_protocol::*;

use crate::{robust::Rules, support::*};

fn type_in(target: Option<&str>, text: &str) -> Action {
    Action::Type(Type { target: target.map(at), text: text.into() })
}

fn choose(target: &str, values: &[&str]) -> Action {
    Action::Select(Select { target: at(target), values: values.iter().map(|v| (*v).to_owned()).collect() })
}

/// The value of a field, including a password field.
async fn value(visit: &Visit, selector: &str) -> String {
    let script = format!("document.querySelector({selector:?}).value");
    visit.session.evaluate(&script, None).await.unwrap().as_str().unwrap_or_default().to_owned()
}

fn differs(failure: ActionFailure) -> (Option<String>, Option<String>) {
    match failure {
        ActionFailure::ValueDiffers { expected, actual, .. } => (expected, actual),
        other => panic!("{other}"),
    }
}

#[test]
fn a_decimal_comma_is_no_group_of_thousands() {
    run(async {
        let visit = visit("<input type=number step=any id=n><input type=range id=r min=0 max=10><input id=p>").await;
        visit.does(fill(at("#n"), "1,5")).await;
        assert_eq!(visit.read("#n").await, "1.5");
        visit.does(fill(at("#n"), "1,234.5")).await;
        assert_eq!(visit.read("#n").await, "1234.5");
        let failure = visit.fails(fill(at("#n"), "1,500")).await;
        assert!(matches!(failure, ActionFailure::NotAccepted { .. }), "{failure}");
        assert!(failure.to_string().contains("\"1,500\""), "{failure}");
        assert_eq!(visit.read("#n").await, "1234.5");
        let failure = visit.fails(fill(at("#r"), "40")).await;
        assert!(failure.to_string().ends_with("it accepts a number from 0 to 10 in steps of 1"), "{failure}");
    });
}

/// The page stores the value in a task after the field has lost the focus, and reads it when the button is released.
#[test]
fn a_click_leaves_a_field_time_to_store_its_value() {
    run(async {
        let page = "<input id=f><button id=b>Add</button><output id=o></output><script>
            let stored = 'nothing';
            f.onblur = () => setTimeout(() => { stored = f.value; }, 20);
            b.onclick = () => { o.textContent = stored; };
            </script>";
        let visit = visit(page).await;
        visit.does(fill(at("#f"), "4.20")).await;
        visit.does(Action::Click(Click::on(at("#b")))).await;
        let added = visit.session.evaluate("o.textContent", None).await.unwrap();
        assert_eq!(added.as_str(), Some("4.20"));
    });
}

#[test]
fn a_control_takes_its_own_format_and_nothing_beyond_its_limits() {
    run(async {
        let visit = visit(
            "<input type=date id=d min=2026-01-01 max=2026-12-31><input type=time id=t><input type=month id=m>
            <input type=week id=w><input type=datetime-local id=l><input type=color id=c>",
        )
        .await;
        for (target, text, held) in [
            ("#d", "3 March 2026", "2026-03-03"),
            ("#d", "March 4, 2026", "2026-03-04"),
            ("#d", "05.05.2026", "2026-05-05"),
            ("#t", "5:30 pm", "17:30"),
            ("#m", "March 2026", "2026-03"),
            ("#w", "week 10 of 2026", "2026-W10"),
            ("#l", "3 March 2026 17:30", "2026-03-03T17:30"),
            ("#c", "red", "#ff0000"),
        ] {
            visit.does(fill(at(target), text)).await;
            assert_eq!(visit.read(target).await, held, "{text}");
        }
        for (target, text, takes) in [
            ("#d", "2027-01-01", "a date, written 2026-12-31 from 2026-01-01 to 2026-12-31"),
            ("#d", "03/04/2026", "a date, written 2026-12-31"),
            ("#t", "later", "a time, written 17:30"),
            ("#c", "nice", "a colour, written #ff0000"),
        ] {
            let failure = visit.fails(fill(at(target), text)).await;
            assert!(matches!(failure, ActionFailure::NotAccepted { .. }), "{failure}");
            assert!(failure.to_string().contains(takes), "{failure}");
        }
        assert_eq!(visit.read("#d").await, "2026-05-05");
    });
}

#[test]
fn a_value_that_the_page_changes_is_a_failure_that_names_both() {
    run(async {
        let visit = visit(
            "<input id=upper oninput='value=value.toUpperCase()'><input id=digits oninput=\"this.value=this.value.replace(/[^0-9]/g,'')\"><input id=short maxlength=5>
            <input id=late oninput=\"setTimeout(()=>this.value='other',200)\"><input id=gone>
            <script>gone.oninput=()=>fetch('/slow').then(()=>gone.value='')</script>",
        )
        .await;
        visit.site.put("/slow", Page { delay: std::time::Duration::from_millis(150), ..Page::default() });
        let failure = visit.fails(fill(at("#digits"), "abc12")).await;
        assert!(failure.to_string().contains("has the value \"12\" instead of \"abc12\""), "{failure}");
        assert_eq!(differs(failure), (Some("abc12".into()), Some("12".into())));
        assert_eq!(differs(visit.fails(fill(at("#short"), "too long")).await).1.as_deref(), Some("too l"));
        assert_eq!(differs(visit.fails(fill(at("#upper"), "Ada Byron")).await).1.as_deref(), Some("ADA BYRON"));
        assert_eq!(differs(visit.fails(fill(at("#late"), "mine")).await).1.as_deref(), Some("other"));
        assert_eq!(differs(visit.fails(fill(at("#gone"), "mine")).await).1.as_deref(), Some(""));
        assert_eq!(differs(visit.fails(type_in(Some("#late"), "mine")).await).1.as_deref(), Some("other"));
    });
}

#[test]
fn a_value_that_the_page_formats_is_the_same_content() {
    run(async {
        let visit = visit(
            "<input id=phone maxlength=14><input id=card><input id=upper oninput='value=value.toUpperCase()'>
            <input id=trim onblur='value=value.trim()'><input id=money><input id=keys><input id=tags><span id=chips></span>
            <script>
            phone.oninput=()=>{const d=phone.value.replace(/\\D/g,'').slice(0,10);
              phone.value=d.length>6?`(${d.slice(0,3)}) ${d.slice(3,6)}-${d.slice(6)}`:d};
            card.oninput=()=>card.value=card.value.replace(/\\D/g,'').replace(/(.{4})(?=.)/g,'$1 ');
            money.oninput=()=>money.value='$'+Number(money.value.replace(/[^\\d.]/g,'')).toLocaleString('en-US',{minimumFractionDigits:2});
            // Takes keys only, as old masks do.
            keys.onkeydown=e=>{if(/^\\d$/.test(e.key)){keys.value+=e.key}if(e.key.length===1)e.preventDefault()};
            keys.oninput=()=>keys.value='';
            tags.oninput=()=>{if(tags.value.endsWith(',')){chips.textContent+=tags.value.slice(0,-1);tags.value=''}}
            </script>",
        )
        .await;
        for (target, text, held) in [
            ("#phone", "5550109999", "(555) 010-9999"),
            ("#card", "4111111111111111", "4111 1111 1111 1111"),
            ("#upper", "abc12", "ABC12"),
            ("#trim", "padded ", "padded "),
            ("#money", "1234.5", "$1,234.50"),
            ("#keys", "2468", "2468"),
            ("#tags", "red,", ""),
        ] {
            visit.does(fill(at(target), text)).await;
            assert_eq!(value(&visit, target).await, held, "{target}");
        }
        assert_eq!(visit.read("#chips").await, "red");
    });
}

#[test]
fn a_page_that_comes_to_life_after_the_first_text_gets_it_again() {
    run(async {
        let visit = visit(
            "<input id=f><script>let live=false;f.oninput=()=>{if(!live)setTimeout(()=>{live=true;f.value=''},150)}</script>",
        )
        .await;
        visit.does(fill(at("#f"), "kept")).await;
        assert_eq!(visit.read("#f").await, "kept");
    });
}

#[test]
fn keys_stop_when_the_focus_moves_away() {
    run(async {
        let visit = visit(
            "<input id=a aria-label=First><input id=b aria-label=Second>
            <script>a.oninput=()=>{if(a.value.length===3)b.focus()}</script>",
        )
        .await;
        match visit.fails(type_in(Some("#a"), "abcdef")).await {
            ActionFailure::FocusLost { target, to } => {
                assert_eq!((target.as_str(), to.as_str()), ("#a (textbox \"First\")", "textbox \"Second\""));
            }
            other => panic!("{other}"),
        }
        assert_eq!((visit.read("#a").await, visit.read("#b").await), ("abc".into(), String::new()));
        // A code that is split over several fields moves the focus to the next field by itself.
        visit.site.page(
            "/code",
            "<form><input maxlength=1 id=x><input maxlength=1><input maxlength=1></form>
            <script>for(const i of document.querySelectorAll('input'))i.oninput=()=>i.value&&i.nextElementSibling?.focus()</script>",
        );
        visit.open("/code").await;
        visit.does(type_in(Some("#x"), "123")).await;
        let all =
            visit.session.evaluate("[...document.querySelectorAll('input')].map(i=>i.value).join('')", None).await;
        assert_eq!(all.unwrap(), "123");
    });
}

const THIEF: &str = "<input id=t><script>const steal=()=>{window.focus();t.focus()};setInterval(steal,1);steal();
    t.oninput=onkeydown=()=>parent.postMessage(t.value,'*');
    onpaste=e=>parent.postMessage(e.clipboardData.getData('text'),'*')</script>";

/// A frame of another site that takes the focus permanently receives no part of a text.
#[test]
fn a_frame_that_steals_the_focus_gets_nothing() {
    run(async {
        let visit = visit_with("", |options| options.guard = Arc::new(FreeRules)).await;
        visit.site.page("/thief", THIEF);
        let thief = visit.site.elsewhere("/thief");
        visit.site.page(
            "/",
            &format!(
                "<input id=p type=password><input id=q><div id=e contenteditable>x</div><p id=stolen></p>
                <iframe src='{thief}' style='width:200px;height:60px'></iframe>
                <script>onmessage=e=>stolen.textContent+='['+e.data+']'</script>"
            ),
        );
        visit.open("/").await;
        for _ in 0..5 {
            visit.does(fill(at("#p"), "${secret:PIN}")).await;
            assert_eq!(value(&visit, "#p").await, "${secret:PIN}");
            visit.does(fill(at("#q"), "plain")).await;
            assert_eq!(visit.read("#q").await, "plain");
        }
        visit.does(type_in(Some("#p"), "${secret:PIN}")).await;
        // Keys from the browser go to the focused element. They may be refused, but must never arrive elsewhere.
        visit.act(type_in(Some("#q"), "keys")).await;
        visit.act(fill(at("#e"), "edited")).await;
        // Neither does a key, which may paste the whole clipboard.
        for key in ["Control+A", "Control+C", "Control+V", "7"] {
            visit.act(Action::Press(Press { key: key.into(), target: Some(at("#q")) })).await;
        }
        assert_eq!(visit.read("#stolen").await, "");
        let failure = visit.fails(type_in(None, "${secret:PIN}")).await;
        // If the frame takes the focus while the text is entered, the rest of it is withheld.
        let is_stopped = matches!(failure, ActionFailure::Refused { .. } | ActionFailure::ValueDiffers { .. });
        assert!(is_stopped, "{failure}");
        assert!(!failure.to_string().contains("hunter2") && !format!("{failure:?}").contains("hunter2"), "{failure:?}");
        assert_eq!(visit.read("#stolen").await, "");
    });
}

/// As [`Rules`], but with every address allowed.
struct FreeRules;
impl legwork_browser::Guard for FreeRules {
    fn allows(&self, _: &url::Url) -> Result<(), legwork_browser::RequestDenial> {
        Ok(())
    }
    fn reveal(&self, text: &str, origin: &url::Url) -> Result<secrecy::SecretString, legwork_browser::RequestDenial> {
        Rules.reveal(text, origin)
    }
    fn holds_secret(&self, text: &str) -> bool {
        Rules.holds_secret(text)
    }
    fn mask(&self, text: &mut String) {
        Rules.mask(text);
    }
}

#[test]
fn a_secret_that_differs_is_not_told() {
    run(async {
        let visit = visit_with("<input id=p oninput='value=value.slice(0,4)'>", |options| {
            options.guard = Arc::new(Rules);
        })
        .await;
        let failure = visit.fails(fill(at("#p"), "${secret:PIN}")).await;
        assert!(failure.to_string().contains("does not have the secret as its value"), "{failure}");
        assert_eq!(differs(failure), (None, None));
    });
}

#[test]
fn a_day_is_written_as_a_picker_takes_it_and_read_again_after_it_was_left() {
    run(async {
        // A value in another format is replaced by the current date when the field loses the focus.
        let visit = visit(
            "<input id=i class=datepicker value=2026-11-22><input id=m placeholder=MM/DD/YYYY class=datepicker>
            <input id=x class=datepicker placeholder=When>
            <script>
            i.onblur=()=>{if(!/^\\d{4}-\\d\\d-\\d\\d$/.test(i.value))i.value='2026-11-22'};
            m.onblur=()=>{if(!/^\\d\\d\\/\\d\\d\\/\\d{4}$/.test(m.value))m.value='11/22/2026'};
            x.onblur=()=>x.value='11/22/2026';
            </script>",
        )
        .await;
        visit.does(fill(at("#i"), "March 3, 2026")).await;
        assert_eq!(visit.read("#i").await, "2026-03-03");
        visit.does(fill(at("#m"), "3 April 2026")).await;
        assert_eq!(visit.read("#m").await, "04/03/2026");
        let failure = visit.fails(fill(at("#x"), "March 3, 2026")).await;
        assert_eq!(differs(failure), (Some("March 3, 2026".into()), Some("11/22/2026".into())));
    });
}

/// As Monaco and CodeMirror 5: an almost invisible field feeds a model, which has its own selection and draws the
/// lines.
const PROXY: &str = "<div class='CodeMirror' style='position:relative;height:100px'><div style='overflow:hidden;width:3px;height:0'>
    <textarea id=t aria-label='Code' style='width:100px;height:1em'></textarea></div><div class=CodeMirror-code id=lines></div></div>
    <script>let model='let a = 1;\\nlet b = 2;',selected=false;
    const draw=()=>lines.innerHTML=model.split('\\n').map(l=>'<pre class=CodeMirror-line>'+l+'</pre>').join('');
    t.onkeydown=e=>{if(e.ctrlKey&&e.key==='a'){selected=true;e.preventDefault()}
      if(e.key==='Delete'&&selected){model='';selected=false;requestAnimationFrame(draw)}};
    t.oninput=()=>{model=(selected?'':model)+'';model=selected?t.value:t.value+model;selected=false;t.value='';requestAnimationFrame(draw)};
    draw()</script>";

#[test]
fn filling_a_code_editor_replaces_what_it_holds() {
    run(async {
        let visit = visit(PROXY).await;
        for target in ["#t", ".CodeMirror"] {
            for text in ["fn main() {\n    run();\n}", "x", ""] {
                visit.does(fill(at(target), text)).await;
                let model = visit.session.evaluate("model", None).await.unwrap();
                assert_eq!(model, text, "{target}");
            }
        }
    });
}

/// As Draft.js: each edit by the browser is undone and repeated in a model, and several lines are accepted only by
/// pasting.
#[test]
fn several_lines_go_into_an_editor_as_one_paste() {
    run(async {
        let visit = visit(
            "<div id=e contenteditable>old</div><script>let model='old';
            const draw=()=>{e.textContent=model;e.style.whiteSpace='pre';getSelection().selectAllChildren(e)};
            e.addEventListener('beforeinput',x=>{x.preventDefault();model=x.data??'';draw()});
            e.addEventListener('paste',x=>{x.preventDefault();model=x.clipboardData.getData('text/plain');draw()})</script>",
        )
        .await;
        for text in ["one line", "one\n    two\nthree"] {
            visit.does(fill(at("#e"), text)).await;
            assert_eq!(visit.session.evaluate("model", None).await.unwrap(), text);
        }
    });
}

#[test]
fn an_editor_that_keeps_its_own_text_is_a_failure() {
    run(async {
        let visit = visit(
            "<div id=e contenteditable>stays</div><iframe id=f srcdoc=\"<body contenteditable>old</body>\"></iframe>
            <script>e.addEventListener('beforeinput',x=>x.preventDefault());e.addEventListener('paste',x=>x.preventDefault())</script>",
        )
        .await;
        assert_eq!(differs(visit.fails(fill(at("#e"), "new")).await).1.as_deref(), Some("stays"));
        // As TinyMCE: an editable document in a frame.
        visit.does(fill(at("#f"), "in the frame")).await;
        let text = visit.session.evaluate("f.contentDocument.body.innerText.trim()", None).await.unwrap();
        assert_eq!(text, "in the frame");
    });
}

#[test]
fn a_click_that_goes_through_its_element_is_a_failure() {
    run(async {
        let visit = visit(
            "<main id=m><button id=b style='pointer-events:none'>Pay</button></main>
            <button id=k><svg id=s style='pointer-events:none' width=20 height=20><rect width=20 height=20></rect></svg></button>
            <p id=o></p><script>k.onclick=()=>o.textContent='icon'</script>
            <fieldset disabled><label><input type=checkbox> <span id=l>Agree</span></label></fieldset>
            <div role=button aria-disabled=true id=d>Later</div>",
        )
        .await;
        let failure = visit.fails(click(at("#b"))).await;
        let told = "#b (button \"Pay\") was not clicked: it has `pointer-events: none`, so that a click goes through it to <main#m>";
        assert!(failure.to_string().starts_with(told), "{failure}");
        visit.does(click(at("#s"))).await;
        assert_eq!(visit.read("#o").await, "icon");
        assert!(matches!(visit.fails(click(at("#l"))).await, ActionFailure::Disabled { .. }));
        assert!(matches!(visit.fails(click(at("#d"))).await, ActionFailure::Disabled { .. }));
    });
}

#[test]
fn an_element_that_is_replaced_under_the_press_was_not_clicked() {
    run(async {
        let page = |event: &str| {
            format!(
                "<div id=h></div><p id=o>no</p><script>const put=()=>{{h.innerHTML='<button>Send</button>';
                const b=h.firstChild;b.on{event}=put;b.onclick=()=>o.textContent='sent'}};put()</script>"
            )
        };
        let visit = visit(&page("mousedown")).await;
        let failure = visit.fails(click(at("button"))).await;
        assert!(failure.to_string().contains("it was replaced while the mouse button was down"), "{failure}");
        assert_eq!(visit.read("#o").await, "no");
        // `pointerdown` is already too late: the press then belongs to the old element.
        visit.site.page("/early", &page("pointerdown"));
        visit.open("/early").await;
        let failure = visit.fails(click(at("button"))).await;
        assert!(matches!(failure, ActionFailure::NotClickable { .. }), "{failure}");
        assert_eq!(visit.read("#o").await, "no");
        // A list that disappears on the press has taken effect.
        visit.site.page(
            "/menu",
            "<ul id=u><li>Pear</ul><p id=o></p><script>u.onmousedown=()=>{o.textContent='chosen';u.remove()}</script>",
        );
        visit.open("/menu").await;
        visit.does(click(at("text=Pear"))).await;
        assert_eq!(visit.read("#o").await, "chosen");
    });
}

#[test]
fn a_page_that_may_not_be_left_holds_the_click_back() {
    run(async {
        let visit =
            visit("<input id=i><a id=a href=/next>Leave</a><script>onbeforeunload=e=>e.preventDefault()</script>")
                .await;
        visit.site.page("/next", "next");
        visit.does(click(at("#i"))).await;
        let failure = visit.fails(click(at("#a"))).await;
        assert!(matches!(failure, ActionFailure::DialogOpen { .. }), "{failure}");
        visit.does(Action::Dialog(Dialog::answer(true, None))).await;
    });
}

#[test]
fn a_sticky_banner_is_scrolled_away_from_or_named() {
    run(async {
        let visit = visit(
            "<header id=top style='position:fixed;top:0;left:0;right:0;height:120px;background:#eee'>Banner</header>
            <div style='height:3000px'></div><button id=b onclick=\"this.textContent='clicked'\">Below</button>
            <div style='height:3000px'></div>",
        )
        .await;
        visit.session.evaluate("scrollTo(0, document.querySelector('#b').offsetTop - 50)", None).await.unwrap();
        visit.does(click(at("#b"))).await;
        assert_eq!(visit.read("#b").await, "clicked");
        visit
            .session
            .evaluate(
                "top.document.querySelector('#top').style.bottom = top.document.querySelector('#top').style.height = 0",
                None,
            )
            .await
            .unwrap();
        visit
            .session
            .evaluate("document.querySelector('#top').style.cssText = 'position:fixed;inset:0'", None)
            .await
            .unwrap();
        let failure = visit.fails(click(at("#b"))).await;
        assert!(failure.to_string().contains("covered by <header#top>"), "{failure}");
    });
}

#[test]
fn what_becomes_available_in_time_is_waited_for() {
    run(async {
        let visit = visit(
            "<select id=s></select><input id=r readonly><button id=b disabled onclick=\"this.textContent='did'\">Do</button>
            <script>setTimeout(()=>{s.innerHTML='<option>None<option>Oslo';r.readOnly=false;b.disabled=false},1200)</script>",
        )
        .await;
        visit.does(choose("#s", &["Oslo"])).await;
        assert_eq!(visit.read("#s").await, "Oslo");
        visit.open("/").await;
        visit.does(fill(at("#r"), "open")).await;
        assert_eq!(visit.read("#r").await, "open");
        visit.open("/").await;
        visit.does(click(at("#b"))).await;
        assert_eq!(visit.read("#b").await, "did");
    });
}

/// The page sends the choice and reverts it. If it was chosen again, it would be sent twice.
#[test]
fn a_choice_that_the_page_was_told_of_is_never_repeated() {
    run(async {
        let visit = visit(
            "<select id=s onchange=\"fetch('/choice',{method:'POST',body:value});selectedIndex=0\"><option>One<option>Two</select>",
        )
        .await;
        visit.site.page("/choice", "taken");
        assert_eq!(differs(visit.fails(choose("#s", &["Two"])).await), (Some("Two".into()), Some("One".into())));
        assert_eq!(visit.site.posts.lock().unwrap().as_slice(), ["Two"]);
    });
}

#[test]
fn a_choice_that_the_page_takes_back_is_a_failure() {
    run(async {
        let visit = visit(
            "<select id=s onchange='selectedIndex=0'><option>One<option>Two</select>
            <div role=combobox tabindex=0 id=c aria-label=Tags>None</div><ul role=listbox aria-multiselectable=true id=l>
            <li role=option aria-selected=false>red<li role=option aria-selected=false>green</ul>
            <script>let only=true;for(const o of l.children)o.onclick=()=>{
              if(only)for(const p of l.children)p.ariaSelected='false';o.ariaSelected=String(o.ariaSelected!=='true')}</script>",
        )
        .await;
        assert_eq!(differs(visit.fails(choose("#s", &["Two"])).await), (Some("Two".into()), Some("One".into())));
        // Each option replaces the other.
        assert_eq!(differs(visit.fails(choose("#c", &["red", "green"])).await).0.as_deref(), Some("red"));
        visit.session.evaluate("only = false", None).await.unwrap();
        visit.does(choose("#c", &["red", "green"])).await;
        let chosen = visit.session.evaluate("[...l.children].map(o => o.ariaSelected).join()", None).await;
        assert_eq!(chosen.unwrap(), "true,true");
    });
}

#[test]
fn a_click_on_a_text_is_on_the_text() {
    run(async {
        let visit = visit(
            "<p id=p style='width:900px;font:20px monospace'>The pressure of the gas</p><p id=o></p>
            <script>p.ondblclick=()=>o.textContent=String(getSelection()).trim()</script>",
        )
        .await;
        let double = |target: &str| {
            Action::Click(Click { target: at(target), button: Button::Left, count: 2, modifiers: vec![] })
        };
        visit.does(double("text=pressure")).await;
        assert_eq!(visit.read("#o").await, "pressure");
        visit.does(double("text=gas")).await;
        assert_eq!(visit.read("#o").await, "gas");
    });
}

#[test]
fn a_button_is_not_pressed_when_a_field_has_lost_its_value_as_it_was_left() {
    run(async {
        let page = "<form method=post action=/save><input name=name id=n aria-label=Name><input id=q><button id=s>Save</button>
            <button id=c type=button>Cancel</button></form><button id=o>Order</button><p id=said></p>
            <script>n.onchange=()=>n.value='';q.onblur=()=>{if(+q.value>3)q.value=3};o.onclick=()=>said.textContent=q.value</script>";
        let visit = visit(page).await;
        visit.does(fill(at("#n"), "Ada")).await;
        let failure = visit.fails(click(at("#s"))).await;
        assert_eq!(differs(failure), (Some("Ada".into()), Some(String::new())));
        assert!(visit.site.posts.lock().unwrap().is_empty());
        // A button that does not submit the form may be pressed.
        visit.does(fill(at("#n"), "Ada")).await;
        visit.does(click(at("#c"))).await;
        for leave in ["press", "tab", "other"] {
            visit.does(fill(at("#q"), "9")).await;
            match leave {
                "tab" => drop(visit.does(Action::Press(Press { key: "Tab".into(), target: None })).await),
                "other" => drop(visit.does(fill(at("#n"), "")).await),
                _ => {}
            }
            let failure = visit.fails(click(at("#o"))).await;
            assert_eq!(differs(failure), (Some("9".into()), Some("3".into())), "{leave}");
            assert_eq!(visit.read("#said").await, "", "{leave}");
        }
        // The failure was reported once, so the next press is allowed.
        visit.does(click(at("#o"))).await;
        assert_eq!(visit.read("#said").await, "3");
    });
}

#[test]
fn leaving_a_field_shows_what_its_page_does_with_the_value() {
    run(async {
        let visit = visit(
            "<label>Most <input id=most onblur=\"this.value = Math.min(this.value, 100)\"></label>
             <label>Price <input id=price onblur=\"this.value = '$' + (+this.value).toFixed(2)\"></label>
             <div><b id=tags></b><input id=tag onblur=\"tags.textContent = this.value; this.value = ''\"></div>
             <div id=text contenteditable onblur=\"left.textContent = 'left ' + this.innerText\">x</div><p id=left>",
        )
        .await;
        let leave = |target: &str| Action::Blur(on(at(target)));
        visit.does(fill(at("#most"), "150")).await;
        match visit.fails(leave("#most")).await {
            ActionFailure::ValueDiffers { target, expected, actual } => {
                assert_eq!(target, "textbox \"Most\"");
                assert_eq!((expected.as_deref(), actual.as_deref()), (Some("150"), Some("100")));
            }
            other => panic!("{other}"),
        }
        visit.does(fill(at("#most"), "50")).await;
        // Formatting is not a change, and a value that a list of tags accepts is not lost.
        visit.does(fill(at("#price"), "1234.5")).await;
        visit.does(leave("#price")).await;
        assert_eq!(visit.read("#price").await, "$1234.50");
        visit.does(fill(at("#tag"), "urgent")).await;
        visit.does(leave("#tag")).await;
        assert_eq!(visit.read("#tags").await, "urgent");
        visit.does(fill(at("#text"), "y")).await;
        visit.does(leave("#text")).await;
        assert_eq!(visit.read("#left").await, "left y");
    });
}

#[test]
fn a_field_that_a_choice_or_a_key_changes_has_not_lost_its_value() {
    run(async {
        let visit = visit(
            "<input id=t><ul><li role=option id=v>Vilnius</li></ul><button id=b>Save</button><p id=said></p><script>
            v.onmousedown=e=>{e.preventDefault();setTimeout(()=>t.value='Vilnius',30)};
            t.onkeydown=e=>{if(e.key==='Enter')t.value='Vienna'};b.onclick=()=>said.textContent+=t.value</script>",
        )
        .await;
        visit.does(fill(at("#t"), "Vil")).await;
        visit.does(click(at("#v"))).await;
        visit.does(click(at("#b"))).await;
        visit.does(fill(at("#t"), "Vie")).await;
        visit.does(Action::Press(Press { key: "Enter".into(), target: None })).await;
        visit.does(click(at("#b"))).await;
        assert_eq!(visit.read("#said").await, "VilniusVienna");
    });
}

#[test]
fn a_proposal_that_is_taken_as_the_mouse_button_goes_down_changes_its_field_on_purpose() {
    run(async {
        for (proposal, list) in
            [("li", "<li id=v>Bob Novak</li>"), ("button", "<li><button id=v>Bob Novak</button></li>")]
        {
            let visit = visit(&format!(
                "<input id=t><ul>{list}</ul><button id=b>Save</button><p id=said></p><script>
                v.onmousedown=()=>{{t.value='Bob Novak'}};b.onclick=()=>said.textContent+=t.value</script>"
            ))
            .await;
            visit.does(fill(at("#t"), "Bob")).await;
            visit.does(click(at("#v"))).await;
            visit.does(click(at("#b"))).await;
            assert_eq!(visit.read("#said").await, "Bob Novak", "{proposal}");
        }
    });
}

#[test]
fn a_switch_that_is_drawn_a_moment_after_its_click_is_checked() {
    run(async {
        let visit = visit(
            "<div id=s role=switch aria-checked=false tabindex=0>Urgent</div><script>
            s.onclick=()=>{fetch('/slow').finally(()=>s.setAttribute('aria-checked','true'))}</script>",
        )
        .await;
        visit.site.put("/slow", Page { status: 200, delay: Duration::from_millis(300), ..Page::default() });
        visit.does(Action::Check(TargetParams { target: at("#s") })).await;
    });
}

#[test]
fn a_list_that_sorts_itself_under_the_pointer_gives_no_other_row_to_a_positional_target() {
    run(async {
        let visit = visit(
            "<ul id=l><li>Bo <button>Delete</button></li><li>Ann <button>Delete</button></li><li>Cy <button>Delete</button></li></ul>
            <p id=gone></p><script>
            for(const b of document.querySelectorAll('button'))b.onclick=()=>gone.textContent+=b.parentNode.firstChild.data;
            l.onpointerover=()=>{if(l.children[1].textContent.startsWith('Ann'))l.append(l.children[1])}</script>",
        )
        .await;
        visit.does(click(at("css=#l li:nth-child(2) button"))).await;
        assert_eq!(visit.read("#gone").await.trim(), "Ann");
    });
}
