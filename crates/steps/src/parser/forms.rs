//! The sentence forms, one entry each. This table defines how a clause can start, which grammar parses it, the
//! sentences that errors suggest, the table in `docs/steps.md`, and the completions of the web editor.
//!
//! If several forms have the same verb, the first one that parses the clause is used.

use super::{
    choosing, clicking, dialogs,
    form::{FormError, FormResult, Reader, SentenceForm, Words},
    lists::checked,
    pages, typing, variables, waiting,
};
use crate::{
    ast::Operation,
    conditions::{self, CHECK_VERBS},
};

use Reader::{Alone, Each, Grammar, Slots};

/// All forms, in the order in which they are tried.
pub const FORMS: &[SentenceForm] = &[
    SentenceForm {
        name: "check",
        verbs: CHECK_VERBS,
        reader: Grammar(check),
        example: "Check that \"Done\" is shown",
        description: "checks a condition",
    },
    SentenceForm {
        name: "click",
        verbs: "click|clicks|clicking|tap|follow|double-click|doubleclick|double click|double tap|triple-click|right-click|rightclick|\
            right click|context-click|middle-click|shift-click|ctrl-click|control-click",
        reader: Grammar(clicking::click),
        example: "Click \"Save\"",
        description: "clicks an element, several times or with keys held if the words say so",
    },
    SentenceForm {
        name: "go back",
        verbs: "go back|go one page back",
        reader: Alone(
            "one page|page|one step|once|to the previous page|to the last page|in the browser|in the history",
            || Operation::Back,
        ),
        example: "Go back",
        description: "goes to the previous page",
    },
    SentenceForm {
        name: "go forward",
        verbs: "go forward|go one page forward",
        reader: Alone("one page|page|once", || Operation::Forward),
        example: "Go forward",
        description: "goes to the next page of the history",
    },
    SentenceForm {
        name: "open",
        verbs: "open|open up|go to|go over to|go on to|go back to|go|visit|navigate to|navigate back to|navigate|\
            browse to|browse|load",
        reader: Grammar(pages::open),
        example: "Open https://example.com",
        description: "opens an address, or clicks the link of that name",
    },
    SentenceForm {
        name: "press",
        verbs: "press|hit",
        reader: Grammar(clicking::press),
        example: "Press Enter",
        description: "presses a key or a button",
    },
    SentenceForm {
        name: "choose",
        verbs: "choose|choose on|select|pick",
        reader: Grammar(choosing::choose),
        example: "Choose \"Blue\" from \"Colour\"",
        description: "chooses options of a list, radio buttons or items of a menu",
    },
    SentenceForm {
        name: "focus",
        verbs: "focus|focus on|focus into|focus in|put the cursor|put the focus|put focus",
        reader: Slots("[into|inside|in|on] {target}", |slots| Ok(Operation::Focus(slots.target()?))),
        example: "Focus \"Name\"",
        description: "puts the cursor into a field",
    },
    SentenceForm {
        name: "type",
        verbs: "type|enter|write|input|provide|put",
        reader: Grammar(typing::type_text),
        example: "Type \"Ada\" into \"Name\"",
        description: "replaces the text of a field, or types where the cursor is",
    },
    SentenceForm {
        name: "fill",
        verbs: "fill|fill in|fill out|fill up|fill in the form with|fill out the form with|fill the form with|\
            fill in the form|fill out the form",
        reader: Grammar(typing::fill),
        example: "Fill \"Name\" with \"Ada\"",
        description: "fills in fields",
    },
    SentenceForm {
        name: "set",
        verbs: "set|change",
        reader: Grammar(typing::set),
        example: "Set \"Quantity\" to \"3\"",
        description: "sets a field, a list, a box or a slider to a value",
    },
    SentenceForm {
        name: "replace",
        verbs: "replace",
        reader: Slots(
            "[the text in|the content of|the text of|the value of] {target} (with|by: with what) {text}",
            |slots| Ok(Operation::Fill { target: slots.target()?, text: slots.text()?, submit: false }),
        ),
        example: "Replace \"Name\" with \"Ada\"",
        description: "replaces the text of a field",
    },
    SentenceForm {
        name: "leave empty",
        verbs: "leave",
        reader: Grammar(typing::leave_empty),
        example: "Leave \"Name\" empty",
        description: "empties a field",
    },
    SentenceForm {
        name: "clear",
        verbs: "clear|empty",
        reader: Grammar(typing::clear),
        example: "Clear \"Name\"",
        description: "empties a field, or unticks a box",
    },
    SentenceForm {
        name: "append",
        verbs: "append",
        reader: Grammar(typing::append),
        example: "Append \"!\" to \"Notes\"",
        description: "adds a text at the end of a field",
    },
    SentenceForm {
        name: "submit",
        verbs: "submit",
        reader: Grammar(dialogs::submit),
        example: "Submit the form",
        description: "clicks the button that sends a form",
    },
    SentenceForm {
        name: "switch tab",
        verbs: "switch to|switch back to|switch over to|switch",
        reader: Grammar(pages::switch_tab),
        example: "Switch to the second tab",
        description: "makes another browser tab the current one",
    },
    SentenceForm {
        name: "turn on or off",
        verbs: "turn|switch",
        reader: Grammar(choosing::turn),
        example: "Turn \"Dark mode\" on",
        description: "ticks or unticks a switch or box",
    },
    SentenceForm {
        name: "toggle",
        verbs: "toggle",
        reader: Grammar(clicking::toggle),
        example: "Toggle \"Dark mode\"",
        description: "clicks a switch or box, whatever its state",
    },
    SentenceForm {
        name: "tick",
        verbs: "tick|check|mark|enable|activate",
        reader: Grammar(choosing::tick),
        example: "Tick \"Remember me\"",
        description: "ticks a box, unless it is ticked",
    },
    SentenceForm {
        name: "untick",
        verbs: "untick|uncheck|unmark|disable|deactivate|deselect|unselect",
        reader: Grammar(choosing::untick),
        example: "Untick \"News\"",
        description: "unticks a box, unless it is not ticked",
    },
    SentenceForm {
        name: "accept",
        verbs: "accept|agree to|agree with|agree|ok|confirm",
        reader: Grammar(dialogs::accept),
        example: "Accept the dialog",
        description: "accepts a dialog, or terms and cookies",
    },
    SentenceForm {
        name: "dismiss",
        verbs: "dismiss|cancel",
        reader: Grammar(dialogs::dismiss),
        example: "Dismiss the alert",
        description: "dismisses a dialog",
    },
    SentenceForm {
        name: "answer",
        verbs: "answer",
        reader: Slots("{dialog?} (with|by typing|by entering|by writing: with what) {text}", |slots| {
            Ok(Operation::Dialog { accept: true, text: Some(slots.text()?) })
        }),
        example: "Answer the prompt with \"Ada\"",
        description: "answers a dialog that asks for a text",
    },
    SentenceForm {
        name: "hover",
        verbs: "hover|hover the mouse|hover the pointer|mouse|move the mouse|move the pointer|move the cursor|move mouse",
        reader: Slots("[over to|over|on top of|onto|on|to|above|at] {target}", |slots| {
            Ok(Operation::Hover(slots.target()?))
        }),
        example: "Hover over \"More\"",
        description: "points at an element",
    },
    SentenceForm {
        name: "scroll",
        verbs: "scroll",
        reader: Grammar(pages::scroll),
        example: "Scroll to \"Terms\"",
        description: "scrolls the page or a part of it, in a direction or to an element",
    },
    SentenceForm {
        name: "drag",
        verbs: "drag|drag and drop|move",
        reader: Grammar(clicking::drag),
        example: "Drag \"Card 1\" onto \"Done\"",
        description: "drags an element onto another one, or moves a slider",
    },
    SentenceForm {
        name: "upload",
        verbs: "upload|attach",
        reader: Grammar(typing::upload),
        example: "Upload \"report.csv\" to \"Attachment\"",
        description: "gives files to a file field",
    },
    SentenceForm {
        name: "reload",
        verbs: "reload|refresh",
        reader: Alone("page|site|tab|browser|current page|current tab|browser tab|web page", || Operation::Reload),
        example: "Reload the page",
        description: "loads the page again",
    },
    SentenceForm {
        name: "wait",
        verbs: "wait",
        reader: Grammar(waiting::wait),
        example: "Wait for \"Done\"",
        description: "waits for a text, an element, a condition, a download, a page or a time",
    },
    SentenceForm {
        name: "close tab",
        verbs: "close",
        reader: Grammar(pages::close_tab),
        example: "Close the tab",
        description: "closes a browser tab",
    },
    SentenceForm {
        name: "close dialog",
        verbs: "close",
        reader: Grammar(dialogs::close),
        example: "Close the dialog",
        description: "dismisses a dialog",
    },
    SentenceForm {
        name: "screenshot",
        verbs: "take|capture|save|get|store|copy",
        reader: Grammar(variables::screenshot),
        example: "Take a screenshot",
        description: "takes a picture of the page or of an element",
    },
    SentenceForm {
        name: "read",
        verbs: "read",
        reader: Grammar(variables::read),
        example: "Read the text of \"Total\"",
        description: "reports what an element says",
    },
    SentenceForm {
        name: "save",
        verbs: "save|remember|store|copy|note|get|capture|read",
        reader: Grammar(variables::save),
        example: "Save the text of \"Total\" as total",
        description: "keeps a value of the page in a variable",
    },
    SentenceForm {
        name: "download",
        verbs: "download",
        reader: Grammar(clicking::download),
        example: "Download the file by clicking \"Export\"",
        description: "clicks and waits for the download",
    },
    SentenceForm {
        name: "log in",
        verbs: "log in|log me in|log on|login|sign in|sign on",
        reader: Grammar(dialogs::log_in),
        example: "Log in as \"alice\" with password \"${secret:PASSWORD}\"",
        description: "fills in the login form and sends it",
    },
    SentenceForm {
        name: "search",
        verbs: "search",
        reader: Grammar(dialogs::search),
        example: "Search for \"lamp\"",
        description: "puts a text into the search field and sends it",
    },
    SentenceForm {
        name: "expand",
        verbs: "expand",
        reader: Each(|target| Operation::Expand { target, open: true }),
        example: "Expand \"Advanced\"",
        description: "opens a part of the page, unless it is open",
    },
    SentenceForm {
        name: "collapse",
        verbs: "collapse",
        reader: Each(|target| Operation::Expand { target, open: false }),
        example: "Collapse \"Advanced\"",
        description: "closes a part of the page, unless it is closed",
    },
];

/// `Check that "Saved" is shown`. `Check "Remember me"` ticks a box; `Check "Saved" is shown` is a check, because it
/// has a predicate.
fn check(words: Words<'_>) -> FormResult {
    if matches!(words.verb, "check" | "confirm") && !conditions::has_predicate(words.rest) {
        return Err(FormError::OtherForm);
    }
    Ok(vec![checked(conditions::read(words.rest)?)])
}
