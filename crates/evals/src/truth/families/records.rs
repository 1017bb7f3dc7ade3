//! Lists of records: an entry is taken away or added, and the list shows something else than the message beside it. An
//! independent trial found these cases. The site answers every request with a status below 400.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, behaviour},
    site::{Answer, Call, agrees, json as json_answer},
};

fn record(name: &'static str, about: &'static str, page: &'static str, steps: &[&str]) -> Behaviour {
    behaviour("record", name, about).page(page).server(agrees).steps(steps).silent()
}

/// A page with four customers, of which it shows three, and this script.
macro_rules! customers {
    ($script:literal) => {
        concat!(
            r#"<h1>Customers</h1><table><thead><tr><th>Name<th>State<th>Actions</thead><tbody id=rows></tbody></table><p id=count></p><div id=said role=status></div><script>
  let label = 'Archive', names = ['Ann Abel', 'Carla Stein', 'Dario Weiss', 'Erik Zorn'];
  const draw = () => {
    $('#rows').innerHTML = names.slice(0, 3).map(name => `<tr><td>${name}</td><td>active</td><td><button>${label}</button></td></tr>`).join('');
    $('#count').textContent = names.length + 20 + ' customers';
  };
  const nameOf = button => button.closest('tr').cells[0].textContent;
  ready(draw);
"#,
            $script,
            "</script>"
        )
    };
}

/// The request is refused in the body while the field is being filled in.
fn refuses_input(call: &mut Call<'_>) -> Answer {
    if call.path == "change" {
        call.note_unless_failing();
    }
    let answer = match call.fails {
        true => json!({"ok": false, "error": "Not saved: locked by administrator"}),
        false => json!({"ok": true}),
    };
    json_answer(200, answer)
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        record(
            "archived-stays",
            "a message says that the entry was archived, and it is as it was",
            customers!(
                "  on('#rows', 'click', async ({ target }) => { const name = nameOf(target); await send('change'); if (!FAILS) names = names.filter(other => other !== name); draw(); $('#said').textContent = name + ' archived'; });\n"
            ),
            &["Click \"Archive\" in the row of \"Carla Stein\""],
        ),
        record(
            "archived-stays-in-between",
            "the entry is as it was, and the next step finds its target",
            customers!(
                "  on('#rows', 'click', async ({ target }) => { const name = nameOf(target); await send('change'); if (!FAILS) names = names.filter(other => other !== name); draw(); $('#said').textContent = 'Done'; });\n  show('Notes', { tag: 'button' });\n  show('Note', { tag: 'h2' }).hidden = true;\n  on('body > button', 'click', () => { $('h2').hidden = false; });\n"
            ),
            &["Click \"Archive\" in the row of \"Carla Stein\"", "Click \"Notes\""],
        ),
        record(
            "deleted-after-question",
            "the question was answered, a text says something else, and the entry is as it was",
            customers!(
                "  label = 'Delete';\n  on('#rows', 'click', async ({ target }) => { const name = nameOf(target); if (!confirm('Delete ' + name + '?')) return; await send('change'); if (!FAILS) names = names.filter(other => other !== name); draw(); $('#said').textContent = FAILS ? 'Customer has open invoices, please settle them first' : 'Customer deleted'; });\n"
            ),
            &["Click \"Delete\" in the row of \"Dario Weiss\" and accept the dialog"],
        ),
        record(
            "two-archived",
            "another entry was archived, too, and the next ones took their places",
            customers!(
                "  on('#rows', 'click', async ({ target }) => { const name = nameOf(target); await send('change'); names = names.filter(other => other !== name && !(FAILS && other === 'Ann Abel')); draw(); $('#said').textContent = name + ' archived'; });\n"
            ),
            &["Click \"Archive\" in the row of \"Carla Stein\""],
        ),
        record(
            "not-listed",
            "a message says that the order was created, the form is empty, and the list does not have it",
            r#"<h1>Orders</h1><form><label>Customer <input id=c></label><label>Delivery date <input id=d></label><button>Create order</button></form><h2>Open orders</h2><table><thead><tr><th>No.<th>Customer<th>Delivery date</thead><tbody><tr><td>1000<td>Ada Lind<td>02/13/2026</tbody></table><div id=said role=status></div><script>
  on('form', 'submit', async event => { event.preventDefault(); const [c, d] = [$('#c').value, $('#d').value]; await send('change'); event.target.reset(); if (!FAILS) $('tbody').insertAdjacentHTML('beforeend', `<tr><td>1001<td>${c}<td>${d}`); $('#said').textContent = 'Order 1001 created'; });
</script>"#,
            &[
                "Type \"Greta Maier\" into \"Customer\"",
                "Type \"12/24/2026\" into \"Delivery date\"",
                "Click \"Create order\"",
            ],
        ),
        record(
            "added-twice",
            "the order is there twice, with two numbers",
            r#"<h1>Orders</h1><form><label>Customer <input id=c></label><button>Create order</button></form><h2>Open orders</h2><table><thead><tr><th>No.<th>Customer</thead><tbody></tbody></table><div id=said role=status></div><script>
  on('form', 'submit', async event => { event.preventDefault(); const c = $('#c').value; await send('change'); event.target.reset(); for (const no of FAILS ? [1001, 1002] : [1001]) $('tbody').insertAdjacentHTML('beforeend', `<tr><td>${no}<td>${c}`); $('#said').textContent = 'Order created'; });
</script>"#,
            &["Type \"Greta Maier\" into \"Customer\"", "Click \"Create order\""],
        ),
        record(
            "other-customer-in-between",
            "the new order is that of another customer, and the next step finds its target",
            r#"<h1>Orders</h1><form><label>Customer <input id=c></label><label>Item <input id=i></label><button>Create order</button></form><h2>Open orders</h2><table><thead><tr><th>No.<th>Customer<th>Item</thead><tbody></tbody></table><div id=said role=status></div><button id=n>Notes</button><h2 id=h hidden>Notes of today</h2><script>
  on('form', 'submit', async event => { event.preventDefault(); const [c, i] = [$('#c').value, $('#i').value]; await send('change'); event.target.reset(); $('tbody').insertAdjacentHTML('beforeend', `<tr><td>1001<td>${FAILS ? 'Ada Lind' : c}<td>${i}`); $('#said').textContent = 'Order 1001 created'; });
  on('#n', 'click', () => { $('#h').hidden = false; });
</script>"#,
            &[
                "Type \"Greta Maier\" into \"Customer\"",
                "Type \"Garden table\" into \"Item\"",
                "Click \"Create order\"",
                "Click \"Notes\"",
            ],
        ),
        record(
            "earlier-page",
            "the end of a form with three pages shows another number than was entered on the first one",
            r#"<h1>Onboarding</h1><div id=p><label>Seats <input type=number id=s></label><button id=a>Next</button></div><script>
  let seats;
  on('#a', 'click', () => { seats = $('#s').value; $('#p').innerHTML = '<label><input type=checkbox> I agree</label><button id=f>Finish</button>'; on('#f', 'click', async () => { await send('change'); $('#p').innerHTML = `<h2>Onboarding complete</h2><p>Seats: ${FAILS ? 1 : seats}</p>`; }); });
</script>"#,
            &["Type \"7\" into \"Seats\"", "Click \"Next\"", "Tick \"I agree\"", "Click \"Finish\""],
        ),
        behaviour("record", "input-refused", "the server refuses what a field saves by itself, and the page says so")
            .page(
                r#"<h1>Settings</h1><p>Changes are saved by themselves.</p><label>Company name <input id=c value=Old></label><p id=said></p><button id=n>Notes</button><h2 id=h hidden>Notes of today</h2><script>
  on('#c', 'input', async () => { const answer = await (await send('change')).json(); $('#said').textContent = answer.ok ? 'All changes saved' : answer.error; });
  on('#n', 'click', () => { $('#h').hidden = false; });
</script>"#,
            )
            .server(refuses_input)
            .done(|facts| facts.books.count("done") > 0)
            .steps(&["Replace the text in \"Company name\" with \"Bramble Ltd\"", "Click \"Notes\""])
            .silent(),
    ]
}
