//! Tests what the executor reports as evidence: bodies in which a server refuses a change, and what a page changes by
//! itself.

use legwork_protocol::*;

use crate::support::*;

fn json(body: &str) -> Page {
    let headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
    Page { headers, body: body.as_bytes().to_vec(), ..Page::default() }
}

#[test]
fn a_body_that_says_that_a_change_failed_is_told_though_the_status_is_200() {
    run(async {
        let visit = visit(
            "<button id=no>No</button><button id=yes>Yes</button><button id=look>Look</button><script>
            no.onclick=()=>fetch('/no',{method:'POST'});yes.onclick=()=>fetch('/yes',{method:'POST'});
            look.onclick=()=>fetch('/no')</script>",
        )
        .await;
        visit.site.put("/no", json(r#"{"success": false, "message": "Out of stock"}"#));
        visit.site.put("/yes", json(r#"{"success": true, "error": null}"#));
        let refusal = async |button: &str| {
            let result = visit.does(click(at(button))).await;
            let told = result.effects.iter().find_map(|effect| match effect {
                PageEffect::Request { refusal, .. } => Some(refusal.clone()),
                _ => None,
            });
            told.map(|refusal| refusal.unwrap_or_default())
        };
        assert_eq!(refusal("#no").await.as_deref(), Some("Out of stock"));
        assert_eq!(refusal("#yes").await.as_deref(), Some(""));
        assert_eq!(refusal("#look").await, None, "a lookup asks for no change");
    });
}

#[test]
fn a_change_by_a_script_that_leads_to_the_log_in_page_is_told_as_refused() {
    run(async {
        let visit = visit(
            "<button id=b>Rename</button><button id=c>Create</button><script>
            b.onclick=()=>fetch('/notes/7',{method:'POST'});c.onclick=()=>fetch('/notes',{method:'POST'})</script>",
        )
        .await;
        let leads_to =
            |to: &str| Page { status: 303, headers: vec![("Location".into(), to.into())], ..Page::default() };
        visit.site.put("/notes/7", leads_to("/login?next=/notes/7"));
        visit.site.put("/notes", leads_to("/notes/8"));
        visit.site.page("/login", "<h1>Log in</h1><input type=password>");
        visit.site.page("/notes/8", "<h1>Note</h1>");
        let refusal = async |button: &str| {
            let result = visit.does(click(at(button))).await;
            let told = result.effects.into_iter().find_map(|effect| match effect {
                PageEffect::Request { method, refusal, .. } if method == "POST" => Some(refusal),
                _ => None,
            });
            told.expect("the change is told")
        };
        assert_eq!(refusal("#b").await.as_deref(), Some("it led to the log-in page /login"));
        assert_eq!(refusal("#c").await, None);
    });
}

#[test]
fn the_first_change_by_a_timer_is_the_pages_own() {
    run(async {
        // The text changes between the first observation and the click, and no action precedes it.
        let visit = visit(
            "<title>Shop</title><button id=b>Nothing</button><ul id=l><li>Bo is here</li></ul><script>
            let n=0;setInterval(()=>{document.title='('+ ++n +') Shop';l.innerHTML='<li>Guest '+n+' is here</li>'},60)</script>",
        )
        .await;
        let before = visit.see().await;
        let after = loop {
            visit.does(click(at("#b"))).await;
            let after = visit.see().await;
            if after.title != before.title {
                break after;
            }
        };
        assert!(after.title_changes_itself);
        assert!(after.removed_itself.iter().any(|text| text.contains(" is here")), "{:?}", after.removed_itself);
        let guest = after.nodes.iter().find(|node| node.name.starts_with("Guest")).expect("a guest is there");
        assert!(guest.states.self_changing());
    });
}

#[test]
fn what_an_action_changes_is_not_the_pages_own() {
    run(async {
        let visit = visit(
            "<title>Shop</title><button id=b>Do</button><p id=p>old</p><p id=q>there</p><script>
            b.onclick=()=>setTimeout(()=>{document.title='Done';p.textContent='new';q.remove()},30)</script>",
        )
        .await;
        visit.see().await;
        visit.does(click(at("#b"))).await;
        let after = visit.see().await;
        assert_eq!(after.title, "Done");
        assert!(!after.title_changes_itself && after.removed_itself.is_empty(), "{:?}", after.removed_itself);
        assert!(!after.nodes.iter().any(|node| node.states.self_changing()));
    });
}

/// Pages render the changes of a timer in several ways: at once, after a response, in a microtask (Vue), with a message
/// to themselves (React), or with an earlier request.
#[test]
fn what_a_timer_changes_later_is_the_pages_own_as_well() {
    run(async {
        for draw in [
            "async()=>{await 0;await 0;say()}",
            "()=>Promise.resolve().then(say)",
            "async()=>{await fetch('/tick');say()}",
            "async()=>{const r=await fetch('/tick');await r.text();say()}",
            "()=>{const x=new XMLHttpRequest();x.open('GET','/tick');x.onload=say;x.send()}",
            "()=>{const x=new XMLHttpRequest();x.open('GET','/tick');x.onloadend=()=>Promise.resolve().then(say);x.send()}",
            "()=>{channel.port2.postMessage(0)}",
        ] {
            let visit = visit("").await;
            visit.site.page("/tick", "tick");
            visit.site.page(
                "/",
                &format!(
                    "<button id=b>Nothing</button><p id=p>Load 0</p><script>
                    let n=0;const channel=new MessageChannel();const say=()=>{{p.textContent='Load '+ ++n}};
                    channel.port1.onmessage=say;setInterval({draw},50)</script>"
                ),
            );
            visit.open("/").await;
            let before = visit.see().await;
            let shown = |page: &legwork_observe::Snapshot| {
                page.nodes.iter().find(|node| node.name.starts_with("Load")).expect("it is there").clone()
            };
            // A message that is on its way when the button goes down is attributed to the press, because some pages
            // send themselves one message for all pending work. That is rare, but it does not happen every time.
            const TRIES: usize = 20;
            let mut changed = 0;
            while changed < TRIES {
                visit.does(click(at("#b"))).await;
                let page = visit.see().await;
                let after = shown(&page);
                if after.states.self_changing() {
                    break;
                }
                changed += usize::from(after.name != shown(&before).name);
            }
            assert!(changed < TRIES, "{draw}");
        }
    });
}

#[test]
fn what_a_click_draws_later_is_not_the_pages_own() {
    run(async {
        for draw in [
            "async()=>{await fetch('/tick');say()}",
            "()=>channel.port2.postMessage(0)",
            "()=>{const x=new XMLHttpRequest();x.open('GET','/tick');x.onload=say;x.send()}",
        ] {
            let visit = visit("").await;
            visit.site.page("/tick", "tick");
            visit.site.page(
                "/",
                &format!(
                    "<button id=b>Do</button><p id=p>old</p><script>
                    const channel=new MessageChannel();const say=()=>{{p.textContent='new'}};
                    channel.port1.onmessage=say;b.onclick={draw}</script>"
                ),
            );
            visit.open("/").await;
            visit.see().await;
            visit.does(click(at("#b"))).await;
            let after = visit.see().await;
            let node = after.nodes.iter().find(|node| &*node.name == "new").expect("it was drawn");
            assert!(!node.states.self_changing(), "{draw}");
        }
    });
}

#[test]
fn a_refusal_without_a_body_is_told() {
    run(async {
        let visit =
            visit("<button id=b>Order</button><script>b.onclick=()=>fetch('/order',{method:'POST'})</script>").await;
        visit.site.put("/order", Page { status: 500, ..Page::default() });
        let result = visit.does(click(at("#b"))).await;
        assert!(
            result.effects.iter().any(|effect| matches!(effect, PageEffect::Request { status: Some(500), .. })),
            "{result:?}"
        );
    });
}

/// Chromium reports a response whose body is not read as aborted by the page.
#[test]
fn a_change_that_is_accepted_without_a_body_is_reported() {
    run(async {
        let visit = visit(
            "<button id=b>Save</button><p id=o></p><script>
            b.onclick=async()=>{if((await fetch('/save',{method:'PUT'})).ok)o.textContent='Saved'}</script>",
        )
        .await;
        visit.site.put("/save", Page { status: 204, ..Page::default() });
        let result = visit.does(click(at("#b"))).await;
        assert!(
            result.effects.iter().any(|effect| {
                matches!(effect, PageEffect::Request { method, status: Some(204), failure: None, .. } if method == "PUT")
            }),
            "{result:?}"
        );
    });
}

#[test]
fn a_refusal_in_a_body_that_the_page_does_not_read_is_told() {
    run(async {
        for (kind, body, told) in [
            ("application/json", r#"{"ok":false}"#, Some("ok: false")),
            ("application/json", r#"{"saved":false,"reason":"period closed"}"#, Some("period closed")),
            ("application/json", r#"{"results":[{"id":1,"success":false,"message":"locked"}]}"#, Some("locked")),
            ("application/json", r#"{"ok":true,"results":[]}"#, None),
        ] {
            let visit = visit(
                "<button id=b>Save</button><p id=o></p><script>
                b.onclick=async()=>{if((await fetch('/save',{method:'POST'})).ok)o.textContent='Saved'}</script>",
            )
            .await;
            let headers = vec![("Content-Type".to_owned(), kind.to_owned())];
            visit.site.put("/save", Page { headers, body: body.into(), ..Page::default() });
            let result = visit.does(click(at("#b"))).await;
            let refusal = result.effects.iter().find_map(|effect| match effect {
                PageEffect::Request { refusal, .. } => Some(refusal.as_deref()),
                _ => None,
            });
            assert_eq!(refusal.expect("the request is told"), told, "{body}");
            assert!(visit.session.flush().await.is_empty());
        }
    });
}

#[test]
fn a_body_that_breaks_off_is_told_with_the_status() {
    run(async {
        let visit = visit(
            "<button id=b>Order</button><button id=r>Read</button><form method=post action=/order><button id=f>Send</button></form>
            <script>b.onclick=()=>fetch('/order',{method:'POST'});
            r.onclick=()=>fetch('/order',{method:'POST'}).then(r=>r.json())</script>",
        )
        .await;
        let headers = vec![("Content-Length".to_owned(), "5000".to_owned())];
        visit.site.put("/order", Page { headers, body: b"{\"id\":".to_vec(), ..Page::default() });
        for button in ["#b", "#r", "#f"] {
            let result = visit.does(click(at(button))).await;
            let broke_off = result.effects.iter().any(|effect| {
                matches!(effect, PageEffect::Request { method, status: Some(200), failure: Some(_), .. } if method == "POST")
            });
            assert!(broke_off, "{button}: {result:?}");
        }
    });
}

#[test]
fn a_page_that_is_slow_to_answer_a_form_is_waited_for() {
    run(async {
        let visit = visit("<form method=post action=/order><button id=b>Order</button></form>").await;
        let body = b"<h1>Thank you</h1>".to_vec();
        visit.site.put("/order", Page { body, delay: std::time::Duration::from_secs(6), ..Page::default() });
        visit.does(click(at("#b"))).await;
        assert_eq!(visit.read("h1").await, "Thank you");
    });
}

/// Pages show a text on hover in several ways: at once, after a delay, with a message to themselves (React), by an
/// attribute, by a style sheet, or as a popover.
#[test]
fn what_the_pointers_coming_shows_is_no_effect_of_the_press() {
    run(async {
        for show in [
            "b.onmouseenter=()=>say()",
            "b.onmouseover=()=>setTimeout(say,120)",
            "addEventListener('mousemove',()=>setTimeout(say,200),{once:true})",
            "b.onpointerenter=()=>Promise.resolve().then(say)",
            "channel.port1.onmessage=()=>{const made=document.createElement('div');document.body.append(made);\
             channel.port1.onmessage=()=>{made.textContent='Saves the form'};channel.port2.postMessage(0)};\
             b.onmouseover=()=>setTimeout(()=>channel.port2.postMessage(0),150)",
            "b.onmouseenter=()=>{tip.hidden=false}",
            "b.onmouseenter=()=>setTimeout(()=>{tip.hidden=false},100)",
            "b.onmouseenter=()=>{tip.hidden=false;tip.popover='manual';tip.showPopover()}",
            "sheet.textContent='b,p{display:none} button:hover + p{display:block !important}'",
        ] {
            let visit = visit("").await;
            let page = format!(
                "<style id=sheet></style><button id=b>Save</button><p id=tip hidden>Saves the form</p><script>
                const channel=new MessageChannel();
                const say=()=>{{const made=document.createElement('div');made.textContent='Saves the form';document.body.append(made)}};
                {show}</script>"
            );
            visit.site.page("/", &page);
            visit.open("/").await;
            visit.see().await;
            visit.does(click(at("#b"))).await;
            let after = visit.see().await;
            let node = after.nodes.iter().find(|node| &*node.name == "Saves the form");
            assert!(node.expect(show).states.self_changing(), "{show}");
            // For a hover action, the text shown on hover is its effect. A new page is opened, on which the pointer is
            // not yet over the element.
            let hovered = self::visit(&page).await;
            hovered.see().await;
            hovered.does(Action::Hover(on(at("#b")))).await;
            let after = hovered.see().await;
            let node = after.nodes.iter().find(|node| &*node.name == "Saves the form");
            assert!(!node.expect(show).states.self_changing(), "{show}");
        }
    });
}

/// Some pages send themselves one message for all pending work (React): hovering requests it, and the press adds work
/// to the same message. Also tests a change by the press while the page still waits for the message that hovering
/// requested.
#[test]
fn what_a_press_shows_together_with_what_the_pointers_coming_asked_for_is_its_effect() {
    run(async {
        for show in ["work.push(say)", "say()"] {
            let visit = visit(&format!(
                "<button id=b>Delete</button><script>
                const channel=new MessageChannel(), work=[];
                channel.port1.onmessage=()=>{{while(work.length)work.shift()()}};
                const say=()=>{{const made=document.createElement('div');made.textContent='Delete it?';document.body.append(made)}};
                b.onclick=()=>{{{show}}};
                b.onpointerenter=()=>{{channel.port2.postMessage(0);const until=performance.now()+60;while(performance.now()<until);}};
                </script>"
            ))
            .await;
            visit.see().await;
            visit.does(click(at("#b"))).await;
            let after = visit.see().await;
            let node = after.nodes.iter().find(|node| &*node.name == "Delete it?").expect(show);
            assert!(!node.states.self_changing(), "{show}");
        }
    });
}

#[test]
fn what_the_press_makes_of_a_tooltip_is_its_effect() {
    run(async {
        for press in [
            "b.onclick=()=>{tip.textContent='Copied'}",
            "b.onclick=()=>setTimeout(()=>{tip.textContent='Copied'},50)",
            "b.onclick=()=>{const made=document.createElement('p');made.textContent='Copied';document.body.append(made)}",
        ] {
            let visit = visit(&format!(
                "<button id=b>Copy</button><p id=tip></p><script>b.onmouseenter=()=>{{tip.textContent='Copy it'}};{press}</script>"
            ))
            .await;
            visit.see().await;
            visit.does(click(at("#b"))).await;
            let after = visit.see().await;
            let node = after.nodes.iter().find(|node| &*node.name == "Copied").expect(press);
            assert!(!node.states.self_changing(), "{press}");
        }
    });
}

#[test]
fn a_message_that_is_gone_before_anybody_looks_is_told() {
    run(async {
        for (make, role) in [
            ("made.setAttribute('role','alert')", "alert"),
            ("made.setAttribute('aria-live','polite')", "status"),
            ("made.className='my-toast'", "status"),
        ] {
            for (put, take) in [
                ("document.body.append(made)", "made.remove()"),
                ("document.body.append(made)", "made.hidden=true"),
                ("document.body.append(made)", "made.textContent=''"),
                (
                    "{const box=document.createElement('div');box.append(made);document.body.append(box)}",
                    "made.parentNode.remove()",
                ),
            ] {
                let visit = visit(&format!(
                    "<button id=b>Save</button><script>b.onclick=()=>setTimeout(()=>{{const made=document.createElement('div');
                    made.textContent='Could not save';{make};{put};setTimeout(()=>{{{take}}},150)}},100)</script>"
                ))
                .await;
                visit.see().await;
                visit.does(click(at("#b"))).await;
                let after = visit.see().await;
                let told: Vec<_> = after.transient.iter().map(|node| (&*node.role, &*node.name)).collect();
                assert!(told.contains(&(role, "Could not save")), "{make} {take}: {told:?}");
                visit.does(click(at("#b"))).await;
                visit.does(Action::Press(Press { key: "Escape".into(), target: None })).await;
                assert!(visit.see().await.transient.is_empty(), "another action began");
            }
        }
    });
}

#[test]
fn what_was_changed_and_is_back_is_told() {
    run(async {
        let board = "<ul id=a><li id=card>Card</li></ul><ul id=b2></ul><p id=n>3 likes</p><i id=heart aria-pressed=false>Heart</i>";
        for (change, back, told) in [
            ("b2.append(card)", "a.append(card)", Some(("Card", ""))),
            ("window.kept=card;card.remove()", "a.append(kept)", Some(("Card", ""))),
            ("n.textContent='4 likes'", "n.textContent='3 likes'", Some(("3 likes", "4 likes"))),
            ("n.firstChild.data='4 likes'", "n.firstChild.data='3 likes'", Some(("3 likes", "4 likes"))),
            ("heart.ariaPressed=true", "heart.ariaPressed=false", Some(("Heart aria-pressed=false", "true"))),
            ("b2.append(card)", "", None),
            ("heart.ariaPressed=true", "", None),
            // The content is replaced in one step.
            ("a.innerHTML='<li>Card</li>'", "", None),
            // The content is loaded again.
            ("a.innerHTML='<li class=spinner></li>'", "a.innerHTML='<li>Card</li>'", None),
            // An entry was added and later removed.
            ("a.insertAdjacentHTML('beforeend','<li id=x>New</li>')", "x.remove()", Some(("New", ""))),
            ("b2.insertAdjacentHTML('beforeend','<li id=x>New</li>')", "b2.innerHTML='<li>New</li>'", None),
            ("document.body.insertAdjacentHTML('beforeend','<p id=x>Wait</p>')", "x.remove()", None),
            // A text that is new and shown twice.
            ("b2.textContent='Hint'", "b2.textContent='';setTimeout(()=>{b2.textContent='Hint'},30)", None),
        ] {
            let visit = visit(&format!(
                "<button id=b>Do</button>{board}<script>
                b.onclick=()=>{{{change};setTimeout(()=>{{{back}}},150)}}</script>"
            ))
            .await;
            visit.see().await;
            visit.does(click(at("#b"))).await;
            let page = visit.see().await;
            let found: Vec<_> = page.reversions.iter().map(|back| (&*back.text, &*back.meanwhile)).collect();
            assert_eq!(found, Vec::from_iter(told), "{change} {back}");
        }
    });
}

#[test]
fn messages_that_the_page_shows_by_itself_are_not_told_as_transient() {
    run(async {
        let visit = visit(
            "<button id=b>Nothing</button><div role=status id=s></div><script>
            let n=0;setInterval(()=>{s.textContent='User '+ n++ +' has joined'},30)</script>",
        )
        .await;
        visit.see().await;
        for _ in 0..5 {
            visit.does(click(at("#b"))).await;
            let page = visit.session.observe(Some(std::time::Duration::from_millis(100))).await.unwrap();
            assert!(page.transient.is_empty(), "{:?}", page.transient);
        }
    });
}

#[test]
fn what_nobody_sees_is_told_apart() {
    run(async {
        let visit = visit(
            "<style>.shut{max-height:0;overflow:hidden}.faded{opacity:0}</style>
             <p>plain</p><p class=faded>faded</p><div class=faded><p>inside <b style='opacity:1'>bold</b></p>
             <button>Reveal</button></div>
             <div class=shut><p>collapsed</p><a href=x>link</a></div>
             <div style='height:0;overflow:hidden'><h2>heading</h2></div>
             <div style='height:0'>overflowing</div>
             <div style='height:3000px'></div><p class=faded>further down</p>",
        )
        .await;
        let page = visit.see().await;
        let visible = page.visible().text_of(0);
        for text in ["plain", "Reveal", "overflowing", "further down"] {
            assert!(visible.contains(text), "{text}: {visible}");
        }
        for text in ["faded", "inside", "bold", "collapsed", "link", "heading"] {
            assert!(page.text_of(0).contains(text), "{text} is on the page");
            assert!(!visible.contains(text), "{text}: {visible}");
        }
    });
}
