//! Similar rows. The truth is the row that the site was requested to delete.

use crate::truth::{
    case::{Behaviour, Facts, behaviour},
    phrase::each,
    site::{Answer, Call, json},
};

fn deletes(call: &mut Call<'_>) -> Answer {
    call.note("deleted");
    json(200, serde_json::json!({ "ok": true }))
}

fn deleted_only(facts: &Facts<'_>, name: &str) -> bool {
    facts.books.count("deleted") == 1 && facts.books.last("deleted", "name") == Some(name)
}

/// A table of names. Each row has a button to delete it.
macro_rules! table {
    ($names:literal, $script:literal) => {
        concat!(
            r#"<h1>People</h1><table><thead><tr><th>Name</th><th>Team</th><th></th></tr></thead><tbody></tbody></table><script>
  const remove = row => { send('delete', { name: row.cells[0].textContent }); row.remove(); };
  const add = ([name, team]) => {
    const row = $('tbody').insertRow();
    row.innerHTML = `<td>${name}</td><td>${team}</td><td><button>Delete</button></td>`;
    row.querySelector('button').addEventListener('click', () => remove(row));
    return row;
  };
  "#,
            $names,
            ".forEach(add);\n  ",
            $script,
            "\n</script>"
        )
    };
}

fn delete_ann(name: &'static str, about: &'static str) -> Behaviour {
    behaviour("row", name, about)
        .page(table!("[['Joann Lee', 'A'], ['Ann Lee', 'B'], ['Ann Lee-Smith', 'C']]", ""))
        .server(deletes)
        .done(|facts| deleted_only(facts, "Ann Lee"))
        .ask(each(&[
            "In the row of \"Ann Lee\", click \"Delete\"",
            "Click \"Delete\" in the row of \"Ann Lee\"",
            "Click the button \"Delete\" in the row of \"Ann Lee\"",
            "Click \"Delete\" for \"Ann Lee\"",
        ]))
        .commands(["click css=tbody>tr:nth-child(2)>td>button"])
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        delete_ann("only-longer", "there are only people with longer names")
            .failing_page(table!("[['Joann Lee', 'A'], ['Bo Ek', 'B']]", ""))
            .commands(Vec::<String>::new()),
        delete_ann("two-alike", "two people have the name")
            .failing_page(table!("[['Ann Lee', 'A'], ['Bo Ek', 'B'], ['Ann Lee', 'C']]", ""))
            .done(|facts| !facts.fails && deleted_only(facts, "Ann Lee"))
            .commands(Vec::<String>::new()),
        delete_ann("re-sorts", "the table is sorted anew when the pointer comes")
            .failing_page(table!(
                "[['Joann Lee', 'A'], ['Ann Lee', 'B'], ['Ann Lee-Smith', 'C']]",
                "for (const kind of ['pointerover', 'mouseover']) on('tbody', kind, () => { const rows = [...$('tbody').rows]; if (rows[1].cells[0].textContent === 'Ann Lee') $('tbody').append(rows[1]); });"
            ))
            .may_happen(),
        delete_ann("refused", "the site refuses, and the row comes back")
            .failing_page(
                r#"<h1>People</h1><table><thead><tr><th>Name</th><th></th></tr></thead><tbody><tr><td>Bo Ek</td><td><button>Delete</button></td></tr><tr><td>Ann Lee</td><td><button>Delete</button></td></tr></tbody></table><script>
  for (const button of document.querySelectorAll('button')) button.addEventListener('click', () => {
    const row = button.closest('tr'); row.hidden = true;
    later(400, () => { row.hidden = false; show('Ann Lee could not be deleted', { role: 'alert' }); });
  });
</script>"#,
            ),
        delete_ann("number", "asked for Invoice 1, and there are only 10 and 11")
            .page(table!("[['Invoice 10', 'A'], ['Invoice 1', 'B'], ['Invoice 11', 'C']]", ""))
            .failing_page(table!("[['Invoice 10', 'A'], ['Bill 3', 'B']]", ""))
            .done(|facts| deleted_only(facts, "Invoice 1"))
            .words(each(&[
                "In the row of \"Invoice 1\", click \"Delete\"",
                "Click \"Delete\" in the row of \"Invoice 1\"",
                "Click \"Delete\" for \"Invoice 1\"",
            ]))
            .commands(Vec::<String>::new()),
        delete_ann("third-of-two", "asked for the third row of two")
            .page(table!("[['Joann Lee', 'A'], ['Bo Ek', 'B'], ['Ann Lee', 'C']]", ""))
            .failing_page(table!("[['Joann Lee', 'A'], ['Bo Ek', 'B']]", ""))
            .done(|facts| deleted_only(facts, "Ann Lee"))
            .words(each(&["Click the third \"Delete\" button", "Click \"Delete\" in row 3", "Click the 3rd \"Delete\" button"]))
            .commands(Vec::<String>::new()),
        delete_ann("loads-late", "the rows are replaced by others after a while")
            .page(table!("[['Ann Lee', 'B']]", "$('tbody').innerHTML = ''; later(600, () => [['Joann Lee', 'A'], ['Ann Lee', 'B']].forEach(add));"))
            .failing_page(table!("[['Ann Lee', 'B']]", "$('tbody').innerHTML = ''; later(600, () => [['Joann Lee', 'A'], ['Bo Ek', 'B']].forEach(add));"))
            .commands(Vec::<String>::new()),
    ]
}
