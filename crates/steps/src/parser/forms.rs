//! The sentence forms, one entry each. This table defines how a clause can start, which patterns of words can follow,
//! what is built from them, the sentences that errors suggest, the table in `docs/steps.md`, and the completions of the
//! web editor. `pattern` describes the notation.
//!
//! Of several forms with the same verb, the first one with a matching pattern is used.

use super::{
    choosing, clicking,
    form::{FormError, Matched, SentenceForm},
    lists::checked,
    pages, sorting, typing, variables, waiting,
};
use legwork_protocol::{Action, NoParams, Tab};

use crate::{
    ast::{Operation, Purpose, TargetPhrase},
    conditions::{self, CHECK_VERBS},
};

use Operation as Op;

macro_rules! forms {
    ($($name:literal, $verbs:expr, $example:literal, $description:literal $(, each of $split:path)?: {
        $($pattern:literal => $build:expr;)+
    })+) => {
        /// All forms, in the order in which they are tried.
        pub const FORMS: &[SentenceForm] = &[$(SentenceForm {
            name: $name,
            verbs: $verbs,
            example: $example,
            description: $description,
            split: forms!(@split $($split)?),
            patterns: &[$(($pattern, $build)),+],
        }),+];
    };
    (@split $split:path) => { Some($split) };
    (@split) => { None };
}

forms! {
    // `Check "Remember me"` ticks a box; `Check "Saved" is shown` is a check, because it has a predicate.
    "check", CHECK_VERBS, "Check that \"Done\" is shown", "checks a condition": {
        "{condition?}" => |found| match (found.clause.verb, found.words("condition")) {
            ("check" | "confirm", words) if !conditions::has_predicate(words) => Err(FormError::OtherForm),
            (_, words) => Ok(vec![checked(conditions::read(words)?)]),
        };
    }
    "click", "click|clicks|clicking|tap|follow|double-click|doubleclick|double click|double tap|triple-click|\
        right-click|rightclick|right click|context-click|middle-click|shift-click|ctrl-click|control-click",
        "Click \"Save\"", "clicks an element, several times or with keys held if the words say so": {
        "{click; what to click}" => clicking::click;
    }
    "go back", "go back|go one page back", "Go back", "goes to the previous page": {
        "[the one page|page|one step|once|to the previous page|to the last page|in the browser|in the history]"
            => |found| found.act_alone(Action::Back(NoParams {}));
    }
    "go forward", "go forward|go one page forward", "Go forward", "goes to the next page of the history": {
        "[the one page|page|once]" => |found| found.act_alone(Action::Forward(NoParams {}));
    }
    "open", "open|open up|go to|go over to|go on to|go back to|go|visit|navigate to|navigate back to|navigate|\
        browse to|browse|load", "Open https://example.com", "opens an address, or clicks the link of that name": {
        "(the new browser tab|new tab|another tab|new window|blank tab|empty tab) [with the address|with the url|\
            and go to|with|at|on|for|to|and open|and visit|and navigate to] {address:words?}" => pages::open_tab;
        "[the web page|webpage|page at|page|website|web site|site|url|address|web address] [at|:] {url} [tab=NEWTAB]"
            => pages::open;
        "{tab}" => pages::on_tab;
        "(the previous page)" => |found| found.act_alone(Action::Back(NoParams {}));
        "{target; where to go} [tab=NEWTAB]" => pages::follow;
    }
    "press", "press|hit", "Press Enter", "presses a key or a button": {
        "{click:quoted} {times?}" => clicking::press_or_click;
        "[KEYS] {key} {times?}" => clicking::press;
        "[KEYS] {key} (in|on|inside|within|into) {target} {times?}" => clicking::press;
        "{click; what to click} {times?}" => clicking::click_times;
    }
    "choose", "choose|choose on|select|pick", "Choose \"Blue\" from \"Colour\"",
        "chooses options of a list, radio buttons or items of a menu": {
        "(nothing|none|none of them|no option)" => |_| Ok(Vec::new());
        "{path}" => choosing::open_menus;
        "{value:words} (with|using|on) {target:slider}"
            => |found| typing::slide(found, found.target()?, found.words("value").text());
        "(the file) {files:filename} (UPLOAD) {target}" => typing::upload;
        "(the file) {files:filename}" => typing::upload;
        "{values:words; what to choose}" => choosing::choose;
    }
    "focus", "focus|focus on|focus into|focus in|put the cursor|put the focus|put focus", "Focus \"Name\"",
        "puts the cursor into a field": {
        "[into|inside|in|on] {target}" => |found| found.act_on_target(Purpose::Click, Action::Focus);
    }
    "type", "type|enter|write|input|provide|put", "Type \"Ada\" into \"Name\"",
        "replaces the text of a field, or types where the cursor is", each of typing::split_texts: {
        "(into|in to|inside|in|on|at|to|under) {target} (:) {text} [slowly=SLOWLY]" => typing::type_into;
        "(into|in to|inside|in|on|at|to|under) {target} {text:quoted} [slowly=SLOWLY]" => typing::type_into;
        "(into|inside|in|on|at) {words?}" => |found| {
            let why = "where the field's name ends and the text begins is not clear";
            Err(found.clause.rest.not_understood(why).with_example().into())
        };
        "{text} (INTO) [all] (case=CASE) [letters|characters] (INTO) {target}" => typing::type_into;
        "{text} (INTO) [all] (case=CASE) [letters|characters]" => typing::type_text;
        "{text} (INTO) {target} [slowly=SLOWLY]" => typing::type_into;
        "{field:unquoted} [as|of|:] {value:quoted}" => typing::set;
        "{text; what to type} [slowly=SLOWLY]" => typing::type_text;
    }
    "fill", "fill|fill in|fill out|fill up|fill in the form with|fill out the form with|fill the form with|\
        fill in the form|fill out the form", "Fill \"Name\" with \"Ada\"", "fills in fields",
        each of typing::split_fields: {
        "{field} (with the text|with the value|with|=|:; with what to fill it) {value:words}" => typing::set;
        "{text} (into|in|as|to|for) {target}" => typing::type_into;
        "{field; with what to fill it} {value:quoted; with what to fill it}" => typing::set;
    }
    "set", "set|change", "Set \"Quantity\" to \"3\"", "sets a field, a list, a box or a slider to a value",
        each of typing::split_settings: {
        "[CONTENT] [\"the date|time|month|option|value] {field} [from] (~to|as|=|into; to what) {value:words}"
            => typing::set;
    }
    "replace", "replace", "Replace \"Name\" with \"Ada\"", "replaces the text of a field": {
        "[CONTENT] {target} (with|by; with what) {text}" => typing::type_into;
    }
    "leave empty", "leave", "Leave \"Name\" empty", "empties a field": {
        "{targets; which field} (empty|blank)" => |found| found.each(Op::Clear);
    }
    "clear", "clear|empty", "Clear \"Name\"", "empties a field, or unticks a box": {
        "{targets:boxes}" => |found| found.each(|target| Op::Tick { target, on: false });
        "[out] [CONTENT] {targets; what to clear}" => |found| found.each(Op::Clear);
    }
    "append", "append", "Append \"!\" to \"Notes\"", "adds a text at the end of a field": {
        "{text} (to the end of|to|into|in|onto; into which field) {target}"
            => typing::append;
    }
    "submit", "submit", "Submit the form", "clicks the button that sends a form": {
        "[the form]" => |found| found.act(Op::Submit(None));
        "{target}" => |found| found.act(Op::Submit(Some(found.target()?)));
    }
    "switch tab", "switch to|switch back to|switch over to|switch", "Switch to the second tab",
        "makes another browser tab the current one": {
        "{tab}" => pages::on_tab;
    }
    "turn on or off", "turn|switch", "Turn \"Dark mode\" on", "ticks or unticks a switch or box": {
        "(state=on|off) {targets; what to tick}" => switch;
        "{targets} (state=back on|on|off)" => switch;
        "(to) {target}" => |found| match found.clause.verb {
            "switch" => found.act(Op::click(found.target()?)),
            _ => Err(FormError::OtherForm),
        };
    }
    "toggle", "toggle", "Toggle \"Dark mode\"", "clicks a switch or box, whatever its state": {
        "{click; what to click}" => clicking::click_once;
    }
    "tick", "tick|check|mark|enable|activate", "Tick \"Remember me\"", "ticks a box, unless it is ticked": {
        "[off] [\"BOXES] {targets; what to tick} [as checked|as selected]" => switch;
    }
    "untick", "untick|uncheck|unmark|disable|deactivate|deselect|unselect", "Untick \"News\"",
        "unticks a box, unless it is not ticked": {
        "[\"BOXES] {targets; what to tick}" => |found| found.each(|target| Op::Tick { target, on: false });
    }
    "accept", "accept|agree to|agree with|agree|ok|confirm", "Accept the dialog",
        "accepts a dialog, or terms and cookies": {
        // `Click "Delete" and confirm`: the dialog that the click opens.
        "[now]" => |found| match found.clause.follows_action {
            true => found.act(Op::Dialog { accept: true, text: None }),
            false => Err(found.missing("what to accept").suggest("Accept the dialog").into()),
        };
        "{dialog} (ANSWER) {text}" => answer;
        "{dialog}" => |found| found.act(Op::Dialog { accept: true, text: None });
        "{words} (ANSWER) {text}" => |_| Err(FormError::OtherForm);
        // `Accept all` is a usual name of such buttons.
        "(the all)" => |found| found.act(Op::Agree(TargetPhrase::named("all")));
        "{target}" => |found| match found.clause.verb {
            "ok" | "confirm" => Err(FormError::OtherForm),
            _ => found.act(Op::Agree(found.target()?)),
        };
    }
    "dismiss", "dismiss|cancel", "Dismiss the alert", "dismisses a dialog": {
        "{dialog}" => |found| found.act(Op::Dialog { accept: false, text: None });
        // `Dismiss the notification`, `Cancel the upload`: the sentence does not name the control.
        "{words}" => |found| {
            let why = format!("`{}` is for dialogs; it does not say what to click", found.clause.verb);
            Err(found.clause.whole.error(why).suggest("Click \"Close\"").into())
        };
    }
    "answer", "answer", "Answer the prompt with \"Ada\"", "answers a dialog that asks for a text": {
        "{words?} (with|by typing|by entering|by writing; with what) {text}" => answer;
    }
    "hover", "hover|hover the mouse|hover the pointer|mouse|move the mouse|move the pointer|move the cursor|move mouse",
        "Hover over \"More\"", "points at an element": {
        "[over to|over|on top of|onto|on|to|above|at] {target}"
            => |found| found.act_on_target(Purpose::Any, Action::Hover);
    }
    "scroll", "scroll", "Scroll to \"Terms\"", "scrolls the page or a part of it, in a direction or to an element": {
        "{target} (into view|into the view)" => |found| pages::scroll_to(found, found.target()?);
        "[the page] {before:words?} (direction=DIRECTION) {after:words?}" => pages::scroll;
        "[the page] [to|until you see|until|towards] {target} [is visible|is in view|is shown|appears]"
            => |found| pages::scroll_to(found, found.target()?);
    }
    "drag", "drag|drag and drop|move", "Drag \"Card 1\" onto \"Done\"",
        "drags an element onto another one, or moves a slider": {
        "{target:slider} (ONTO) {value:number}"
            => |found| typing::slide(found, found.target()?, found.words("value").text());
        "{target} (ONTO; onto what) {to:target}"
            => |found| found.act(Op::Drag { target: found.target()?, to: found.element("to")? });
    }
    "upload", "upload|attach", "Upload \"report.csv\" to \"Attachment\"", "gives files to a file field": {
        "[the|a|an] [files|file] {files} (UPLOAD) {target}" => typing::upload;
        "[the|a|an] [files|file] {files; which file}" => typing::upload;
    }
    "reload", "reload|refresh", "Reload the page", "loads the page again": {
        "[the page|site|tab|browser|current page|current tab|browser tab|web page]"
            => |found| found.act_alone(Action::Reload(NoParams {}));
    }
    "wait", "wait", "Wait for \"Done\"", "waits for a text, an element, a condition, a download, a page or a time": {
        "{words?}" => waiting::wait;
    }
    "close tab", "close", "Close the tab", "closes a browser tab": {
        "(the tab|current tab|window|browser tab|page)"
            => |found| found.act_alone(Action::Tab(Tab::Close { tab: None }));
        "{tab}" => pages::on_tab;
    }
    "close dialog", "close", "Close the dialog", "dismisses a dialog": {
        "{jsdialog}" => |found| found.act(Op::Dialog { accept: false, text: None });
        "{words?}" => |found| {
            Err(found.missing("what to click to close it").suggest("Click \"Close\"").into())
        };
    }
    "screenshot", "take|capture|save|get|store|copy", "Take a screenshot",
        "takes a picture of the page or of an element": {
        "(picture=the screenshot|picture|snapshot) [of|showing] {place:words?}" => variables::screenshot;
    }
    "read", "read", "Read the text of \"Total\"", "reports what an element says": {
        "{what:words} (~VARIABLE) {variable:word}" => |_| Err(FormError::OtherForm);
        "{what:words; what to read}" => variables::read;
    }
    "save", "save|remember|store|copy|note|get|capture|read", "Save the text of \"Total\" as total",
        "keeps a value of the page in a variable": {
        "{what:words} (~how=VARIABLE; as which variable) {variable:word}" => variables::save;
        "[the it|changes|form|settings|everything|file|page]" => variables::save_nothing;
    }
    "download", "download", "Download the file by clicking \"Export\"", "clicks and waits for the download": {
        "(the file|files|it)" => clicking::started_download;
        "[the file] {click; what to click}" => clicking::download;
    }
    "log in", "log in|log me in|log on|login|sign in|sign on",
        "Log in as \"alice\" with password \"${secret:PASSWORD}\"",
        "fills in the login form and sends it": {
        "(with the password|with password|using the password|using password) {password:words}" => typing::log_in;
        "[ASUSER] {user:words} (PASSWORD; with which password) {password:words}" => typing::log_in;
        "[ASUSER] {words?}" => typing::log_in_without_password;
    }
    "log out", "log out|log me out|log off|logout|sign out|sign me out|sign off", "Log out", "clicks the control that ends the session": {
        "[of the account|of my account|of the site|of the application|of the app|again]"
            => |found| found.act(Op::LogOut);
    }
    "search", "search", "Search for \"lamp\"", "puts a text into the search field and sends it": {
        "{words?} (for)" => |found| Err(found.missing("what to search for").into());
        "(for) {text} (using|with|in|on|through) {field}" => typing::search;
        "(for) {text}" => typing::search;
        "[in|with|using|through|on] {field} (for) {text}" => typing::search;
        "{text} (using|with|in|on|through) {field}" => typing::search;
        "{text; what to search for}" => typing::search;
    }
    "filter", "filter", "Filter by status \"Open\"", "sets the field or list that filters": {
        "[the rows|table|list|results|items|entries|page] (by|for) [the] {field:unquoted} [=|is|:|to] {value:quoted}"
            => typing::set;
        "{words?}" => |found| {
            let why = "the name of the field that filters is missing";
            Err(found.clause.whole.error(why).suggest("Choose \"Open\" from \"Status\", Type \"lamp\" into \"Filter\"").into())
        };
    }
    "sort", "sort", "Sort by \"Amount\"", "sorts the rows of a table by a column, in the direction that the words give": {
        "{place:words?} (by; by which column) {column:words; by which column}" => sorting::sort;
    }
    "expand", "expand", "Expand \"Advanced\"", "opens a part of the page, unless it is open": {
        "{targets; what to expand}" => |found| found.each(|target| Op::Expand { target, open: true });
    }
    "collapse", "collapse", "Collapse \"Advanced\"", "closes a part of the page, unless it is closed": {
        "{targets; what to collapse}" => |found| found.each(|target| Op::Expand { target, open: false });
    }
}

fn switch(found: &Matched<'_>) -> super::form::FormResult {
    let on = found.phrase("state") != "off";
    found.each(|target| Operation::Tick { target, on })
}

fn answer(found: &Matched<'_>) -> super::form::FormResult {
    found.act(Operation::Dialog { accept: true, text: Some(found.text()?) })
}
