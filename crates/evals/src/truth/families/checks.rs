//! Checks that do not hold for a page or do not apply to it. The pages do not change because of an action, so the
//! variant is the truth.

use crate::truth::{
    case::{Behaviour, behaviour},
    phrase::each,
};

/// A check with each verb that docs/steps.md lists.
fn check(name: &'static str, about: &'static str, words: &[&str]) -> Behaviour {
    let all: Vec<String> = words
        .iter()
        .flat_map(|words| ["Check that", "Make sure", "Verify"].map(|verb| format!("{verb} {words}")))
        .collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    behaviour("check", name, about).ask(each(&all)).done(|facts| !facts.fails)
}

fn wait(name: &'static str, about: &'static str, words: &[&str]) -> Behaviour {
    behaviour("check", name, about).ask(each(words)).done(|facts| !facts.fails)
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        check("not-in-list", "there is no list", &["\"Ada\" is not in the list", "\"Ada\" is not shown in the list"])
            .page("<h1>People</h1><ul><li>Bob</li><li>Cy</li></ul>")
            .failing_page("<h1>People</h1><p>Loading failed.</p>"),
        check("not-in-table", "there is no table", &["\"Ada\" is not shown in the table"])
            .page("<h1>People</h1><table><tr><th>Name</th></tr><tr><td>Bob</td></tr></table>")
            .failing_page("<h1>People</h1>"),
        check("not-in-sidebar", "there is no sidebar", &["\"Ads\" is not shown in the sidebar"])
            .page("<h1>News</h1><aside aria-label=Sidebar><p>Weather</p></aside>")
            .failing_page("<h1>News</h1>"),
        check("not-in-dialog", "there is no dialog", &["\"Error\" is not shown in the dialog"])
            .page("<h1>News</h1><dialog open aria-label=Details><p>All is well</p></dialog>")
            .failing_page("<h1>News</h1>"),
        check("not-under-heading", "there is no such heading", &["\"Ada\" is not shown under the heading \"Members\""])
            .page("<h1>Club</h1><h2>Members</h2><p>Bob</p><h2>Guests</h2><p>Ada</p>")
            .failing_page("<h1>Club</h1><h2>Guests</h2><p>Bob</p>"),
        check("not-in-section", "there is no such section", &["\"Overdue\" is not shown in the \"Billing\" section"])
            .page("<section aria-label=Billing><h2>Billing</h2><p>Paid</p></section>")
            .failing_page("<section aria-label=Profile><h2>Profile</h2><p>Ada</p></section>"),
        check("no-error", "there is an error message", &["there is no error message"])
            .page("<h1>Checkout</h1><p>Thank you</p>")
            .failing_page("<h1>Checkout</h1><div role=alert>Payment failed</div>"),
        check("not-shown", "it is shown", &["\"Ada\" is not shown", "there is no \"Ada\" link"])
            .page("<h1>People</h1><a href=x>Bob</a>")
            .failing_page("<h1>People</h1><a href=x>Ada</a>"),
        check("shown-hidden", "it is on the page, but hidden", &["\"Welcome\" is shown"])
            .page("<h1>Home</h1><p>Welcome</p>")
            .failing_page("<h1>Home</h1><p style='display:none'>Welcome</p><p style='visibility:hidden'>Welcome</p>"),
        check("shown-transparent", "it is on the page, but transparent", &["\"Welcome\" is shown"])
            .page("<h1>Home</h1><div style='opacity:1'><p>Welcome</p></div>")
            .failing_page("<h1>Home</h1><div style='opacity:0'><p>Welcome</p></div>"),
        check("shown-collapsed", "it is in a part that is collapsed", &["\"Welcome\" is shown"])
            .page("<style>.part{overflow:hidden;max-height:0}.part.open{max-height:20em}</style><h1>Home</h1><div class='part open'><p>Welcome</p></div>")
            .failing_page("<style>.part{overflow:hidden;max-height:0}.part.open{max-height:20em}</style><h1>Home</h1><div class=part><p>Welcome</p></div>"),
        check("shown-below", "it appears only when it is scrolled to, and that part was taken out", &["\"Welcome\" is shown"])
            .page("<h1>Home</h1><div style='height:2000px'></div><p style='opacity:0'>Welcome</p>")
            .failing_page("<h1>Home</h1><div style='height:2000px'></div><p style='display:none'>Welcome</p>"),
        check("value-longer", "the value only begins so", &["\"Total\" is \"$12\""])
            .page("<dl><dt>Total</dt><dd>$12</dd></dl>")
            .failing_page("<dl><dt>Total</dt><dd>$120</dd></dl>"),
        wait("wait-within-word", "the text is only a part of a word", &["Wait for \"Paid\"", "Wait until \"Paid\" is shown"])
            .page("<h1>Invoice</h1><p>Paid</p>")
            .failing_page("<h1>Invoice</h1><p>Unpaid</p>"),
        check("rows", "there is one row less", &["there are 3 rows in the table \"Users\""])
            .page("<table><caption>Users</caption><tr><th>Name</th></tr><tr><td>A</td></tr><tr><td>B</td></tr><tr><td>C</td></tr></table>")
            .failing_page("<table><caption>Users</caption><tr><th>Name</th></tr><tr><td>A</td></tr><tr><td>B</td></tr></table>"),
        check("rows-no-table", "there is no such table", &["there are 0 rows in the table \"Users\""])
            .page("<table><caption>Users</caption><thead><tr><th>Name</th></tr></thead><tbody></tbody></table>")
            .failing_page("<h1>Orders</h1><p>None</p>"),
        check("disabled", "doctor does not change the database disabled", &["\"Save\" is disabled"])
            .page("<button disabled>Save</button>")
            .failing_page("<button style='opacity:.4'>Save</button>"),
        check("checked", "it is not checked", &["\"News\" is checked"])
            .page("<label><input type=checkbox checked> News</label>")
            .failing_page("<label><input type=checkbox> News</label><p>News is checked daily</p>"),
        check("unchecked-missing", "there is no such box", &["\"News\" is not checked"])
            .page("<label><input type=checkbox> News</label>")
            .failing_page("<label><input type=checkbox> Offers</label>"),
        check("empty", "there is no such field", &["\"Notes\" is empty"])
            .page("<label>Notes <textarea></textarea></label>")
            .failing_page("<label>Remarks <textarea></textarea></label>"),
        check("selected", "another one is selected", &["\"Blue\" is selected in \"Colour\""])
            .page("<label>Colour <select><option>Red<option selected>Blue</select></label>")
            .failing_page("<label>Colour <select><option selected>Red<option>Blue</select></label>"),
        check("expanded", "it is collapsed", &["\"Menu\" is expanded"])
            .page("<button aria-expanded=true>Menu</button>")
            .failing_page("<button aria-expanded=false>Menu</button>"),
        check("title", "the title only begins so", &["the title is \"Home\""])
            .page("<script>document.title = 'Home';</script>")
            .failing_page("<script>document.title = 'Home – error';</script>"),
        check("downloaded", "nothing was downloaded", &["file \"report.csv\" was downloaded"])
            .failing_page("<p>report.csv was downloaded</p>")
            .only(&[crate::truth::case::Variant::Failing]),
        check("dialog-said", "there was no dialog", &["the dialog said \"Really?\""])
            .failing_page("<p>Really?</p>")
            .only(&[crate::truth::case::Variant::Failing]),
        check("either", "neither is shown", &["\"Paid\" is shown or \"Sent\" is shown"])
            .page("<p>Sent</p>")
            .failing_page("<p>Refused</p>"),
        check("both", "one of the two is missing", &["\"Paid\" is shown and \"Sent\" is shown", "\"Paid\" and \"Sent\" are shown"])
            .page("<p>Paid</p><p>Sent</p>")
            .failing_page("<p>Paid</p>"),
        wait(
            "spinner-progressbar",
            "the spinner is a progressbar that stays",
            &["Wait until the spinner disappears", "Wait up to 2 seconds until the spinner disappears"],
        )
        .page("<h1>Orders</h1><div role=progressbar id=s></div><script>if (!FAILS) later(1500, () => $('#s').remove());</script>"),
        wait("spinner-busy", "the page stays busy", &["Wait until the spinner disappears"]).page(
            "<main aria-busy=true id=s><p>Loading</p></main><script>if (!FAILS) later(1500, () => { $('#s').removeAttribute('aria-busy'); $('#s').textContent = 'Orders'; });</script>",
        ),
        wait(
            "spinner-never",
            "there never was one, which has to be said",
            &["Wait until the spinner disappears", "Wait until \"Uploading\" disappears"],
        )
        .page("<h1>Orders</h1><p role=progressbar id=s aria-label=spinner>Uploading</p><script>if (!FAILS) later(1500, () => $('#s').remove());</script>")
        .failing_page("<p>Nothing is under way</p>"),
        wait("text-disappears", "the text stays", &["Wait until \"Loading\" disappears"])
            .page("<h1>Orders</h1><p id=s>Loading</p><script>if (!FAILS) later(1500, () => $('#s').remove());</script>"),
        wait("wait-for", "it never comes", &["Wait for \"Done\"", "Wait until \"Done\" is shown"])
            .page("<p>Working</p><script>if (!FAILS) later(500, () => show('Done'));</script>"),
        wait("wait-rows", "the third row never comes", &["Wait until there are 3 rows"]).page(
            "<table><tr><th>Name</th></tr><tr><td>A</td></tr><tr><td>B</td></tr></table><script>if (!FAILS) later(500, () => { $('tbody').insertRow().innerHTML = '<td>C</td>'; });</script>",
        ),
    ]
}
