//! What a step waits for or names: a text that another text only contains or negates, a success message, a variable
//! without a value, a file without content, and a server that needs longer than a page usually does.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, each},
    site::{Answer, Call, file, html, json},
};

/// A wait for a text, in the forms of docs/steps.md, and the check of it. The page shows the text, or in the failing
/// variant something else with its letters.
fn wait(name: &'static str, about: &'static str, text: &str) -> Behaviour {
    let forms = [
        "Wait up to 2 seconds for \"TEXT\"",
        "Wait up to 2 seconds until \"TEXT\" is shown",
        "Wait up to 2 seconds until the page contains \"TEXT\"",
        "Check that \"TEXT\" is shown",
    ];
    let words: Vec<String> = forms.iter().map(|form| form.replace("TEXT", text)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    behaviour("wait", name, about).ask(each(&words)).done(|facts| !facts.fails)
}

fn message(name: &'static str, about: &'static str) -> Behaviour {
    let words = ["Check that a success message is shown", "Make sure there is a success message"];
    behaviour("wait", name, about).ask(each(&words)).done(|facts| !facts.fails)
}

fn download(name: &'static str, about: &'static str, server: crate::truth::case::Handler) -> Behaviour {
    behaviour("wait", name, about)
        .page("<h1>Customers</h1><a href=data.csv download>Export</a>")
        .server(server)
        .ask(each(&["Download the file by clicking \"Export\"", "Click \"Export\" and wait for the download"]))
        .expect("file \"data.csv\" was downloaded")
        .commands(["click link \"Export\""])
}

/// Serves the file, or in the failing variant this content in its place.
macro_rules! delivers {
    ($content:literal) => {
        |call: &mut Call<'_>| match call.fails {
            true => file("data.csv", $content),
            false => {
                call.note("done");
                file("data.csv", "id,name\n1,Ada\n")
            }
        }
    };
}

/// Answers an order after this number of milliseconds.
macro_rules! answers_late {
    ($after:literal) => {
        |call: &mut Call<'_>| match (call.path, call.fails) {
            ("order", true) => json(422, json!({})).after($after),
            ("order", false) => {
                call.note("done");
                json(200, json!({})).after($after)
            }
            _ => html(404, "<h1>Not found</h1>"),
        }
    };
}

/// The page shows the answer to the order when it is there.
const ORDER: &str = r#"<h1>Order</h1><button>Place order</button><p id="o"></p><script>
  on('button', 'click', async () => {
    $('#o').textContent = 'Placing your order…';
    const r = await send('order');
    $('#o').textContent = r.ok ? 'Order placed' : 'The order was refused';
  });
</script>"#;

fn saves_names(call: &mut Call<'_>) -> Answer {
    if call.path != "save" {
        return html(404, "<h1>Not found</h1>");
    }
    call.note("saved");
    html(200, "<h1>Customers</h1><p role=status>Customer saved</p>")
}

const NAME: &str = "<h1>New customer</h1><p id=who>Zoe</p><form method=post action=save><label>Name <input name=name></label><button>Save</button></form>";

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        wait("inside-word", "it is only a part of a word", "Paid")
            .page("<h1>Invoice 12</h1><p>Paid on 3 May</p>")
            .failing_page("<h1>Invoice 12</h1><p>Unpaid</p>"),
        wait("prefix", "it is only a part of a word with a prefix", "Complete")
            .page("<h1>Upload</h1><p>Complete</p>")
            .failing_page("<h1>Upload</h1><p>Upload incomplete</p>"),
        wait("negated", "it is negated", "completed")
            .page("<h1>Orders</h1><p>Order 12 completed</p>")
            .failing_page("<h1>Orders</h1><p>Not completed</p>"),
        wait("negated-state", "it is negated after a label", "Done")
            .page("<h1>Job</h1><p>State: Done</p>")
            .failing_page("<h1>Job</h1><p>State: Not done</p>"),
        wait("unsuccessful", "it did not end well", "Finished")
            .page("<h1>Job</h1><p>Finished successfully</p>")
            .failing_page("<h1>Job</h1><p>Finished unsuccessfully</p>"),
        wait("with-errors", "it is limited by errors", "Done")
            .page("<h1>Job</h1><p>Done with 0 errors</p>")
            .failing_page("<h1>Job</h1><p>Done with errors</p>"),
        wait("later", "it appears later, negated", "Approved")
            .page("<h1>Request</h1><p id=s>Checking</p><script>later(600, () => { $('#s').textContent = 'Approved by Ada'; });</script>")
            .failing_page("<h1>Request</h1><p id=s>Checking</p><script>later(600, () => { $('#s').textContent = 'Not approved'; });</script>"),
        message("nothing-found", "a text states that there was nothing")
            .page("<h1>Import</h1><p>Import saved.</p>")
            .failing_page("<h1>Import</h1><p>No errors were found.</p>"),
        message("greeting", "a text greets the user")
            .page("<h1>Home</h1><p role=status>Welcome back, Ada</p>")
            .failing_page("<h1>Home</h1><p>Welcome back.</p>"),
        message("promise", "a status leaves open whether it will be done")
            .page("<h1>Order</h1><p role=status>Thank you, your order has been placed</p>")
            .failing_page("<h1>Order</h1><p role=status>Thank you, we will check whether it can be placed</p>"),
        download("empty-file", "the file has no content", delivers!("")),
        download("refusal-in-file", "the file contains only a refusal", delivers!("You have reached your export limit for today.")),
        behaviour("wait", "slow-answer", "the server refuses after five seconds")
            .page(ORDER)
            .server(answers_late!(5_000))
            .ask(click("Place order"))
            .commands(["click button \"Place order\""]),
        behaviour("wait", "slower-answer", "the server refuses after eight seconds")
            .page(ORDER)
            .server(answers_late!(8_000))
            .ask(click("Place order")),
        behaviour("wait", "undefined-variable", "the variable has no value, so that its name would be saved")
            .page(NAME)
            .server(saves_names)
            .done(|facts| facts.books.last("saved", "name").is_some_and(|name| !name.contains("${")))
            .steps(&["Type \"${customer}\" into \"Name\"", "Click \"Save\""])
            .steps(&["Type \"${customer}\" into \"Name\" and click \"Save\""])
            .only(&[Variant::Failing]),
        behaviour("wait", "saved-variable", "an earlier step gives the variable its value")
            .page(NAME)
            .server(saves_names)
            .done(|facts| facts.books.last("saved", "name") == Some("Zoe"))
            .steps(&["Save the text of #who as customer", "Type \"${customer}\" into \"Name\"", "Click \"Save\""])
            .only(&[Variant::Genuine]),
    ]
}
