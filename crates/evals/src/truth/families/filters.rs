//! Filters and sort orders that look set. The words ask for a choice, and it is made; that the list ignores it makes
//! the step `unvalidated` at best.

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, each},
    site::html,
};

/// A list of orders with a control above it. The script defines `draw(state)` and calls it when something is chosen.
macro_rules! orders {
    ($control:literal, $script:literal) => {
        concat!(
            $control,
            r#"<table><thead><tr><th><button id=name>Customer</button></th><th>State</th></tr></thead><tbody id=l></tbody></table><script>
  const all = [['Initech', 'Open'], ['Acme', 'Paid'], ['Hooli', 'Paid'], ['Umbrella', 'Late']];
  const show_ = rows => { $('#l').innerHTML = rows.map(([name, state]) => `<tr><td>${name}</td><td>${state}</td></tr>`).join(''); };
  const draw = state => { const rows = FAILS || !state ? all : all.filter(row => row[1] === state); show_(rows); if (state && !FAILS) tell({ filtered: 1 }); };
  ready(() => draw(''));
  "#,
            $script,
            "\n</script>"
        )
    };
}

fn filter(name: &'static str, about: &'static str, page: &'static str) -> Behaviour {
    behaviour("filter", name, about)
        .page(page)
        .server(|_| html(404, "<h1>Not found</h1>"))
        .done(|facts| facts.books.state("filtered") == Some("1"))
        .silent()
}

const LIST: &str = orders!(
    "<label>State <select id=f><option value=''>All</option><option>Open</option><option>Paid</option><option>Late</option></select></label>",
    "on('#f', 'change', () => draw($('#f').value));"
);

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        filter("list", "the list below ignores the choice", LIST)
            .ask(each(&["Select \"Paid\" in \"State\"", "Choose \"Paid\" from \"State\""]))
            .commands(["select combobox \"State\" Paid"]),
        filter("all", "everything is shown again", LIST)
            .ask(each(&["Select \"All\" in \"State\""]))
            .done(|_| true)
            .only(&[Variant::Genuine])
            .commands(["select combobox \"State\" All"]),
        filter(
            "tabs",
            "a tab is selected, and the list stays",
            orders!(
                "<div role=tablist><button role=tab id=a aria-selected=true>All</button><button role=tab id=p aria-selected=false>Paid</button><button role=tab aria-selected=false>Open</button></div>",
                "on('#p', 'click', () => { $('#a').setAttribute('aria-selected', false); $('#p').setAttribute('aria-selected', true); draw('Paid'); });"
            ),
        )
        .ask(each(&["Click \"Paid\"", "Click the \"Paid\" tab"]))
        .words(each(&["Click the \"Paid\" tab"]))
        .commands(["click tab \"Paid\""]),
        filter(
            "apply",
            "a button applies the filter, and the list stays",
            orders!(
                "<label>State <select id=f><option value=''>All</option><option>Open</option><option>Paid</option><option>Late</option></select></label><button id=b>Apply</button><p id=r></p>",
                "on('#b', 'click', () => { draw($('#f').value); $('#r').textContent = '1 filter set'; });"
            ),
        )
        .steps(&["Select \"Paid\" in \"State\"", "Click \"Apply\""])
        .commands(["select combobox \"State\" Paid", "click button \"Apply\""]),
        filter(
            "sort",
            "the header shows an arrow, and the order stays",
            orders!(
                "",
                "on('#name', 'click', () => { $('#name').textContent = 'Customer ▲'; if (!FAILS) { show_([...all].sort()); tell({ filtered: 1 }); } });"
            ),
        )
        .ask(click("Customer"))
        .commands(["click button \"Customer\""]),
        filter(
            "form",
            "a state is chosen in a form beside a table of others, and saved",
            orders!(
                "<form onsubmit='event.preventDefault(); tell({ filtered: 1 }); show(\"Saved\", { role: \"status\" })'><label>State <select><option>Open</option><option>Paid</option></select></label><button>Save</button></form>",
                ""
            ),
        )
        .steps(&["Select \"Paid\" in \"State\"", "Click \"Save\""])
        .only(&[Variant::Genuine])
        .commands(["select combobox \"State\" Paid", "click button \"Save\""]),
    ]
}
