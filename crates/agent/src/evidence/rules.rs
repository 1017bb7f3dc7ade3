//! The rules of evidence, declared once. docs/evidence.md contains this table. Each rule can be switched off
//! separately, which is how `cargo xtask truth` proves that a rule is needed.

use legwork_protocol::Polarity;

macro_rules! rules {
    ($($variant:ident $name:literal $polarity:ident $fact:literal $reason:literal;)*) => {
        /// A rule by which an observed fact is classified.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum EvidenceRule {
            $(#[doc = $fact] $variant,)*
        }

        impl EvidenceRule {
            /// All rules, in the order of the table.
            pub const ALL: &[EvidenceRule] = &[$(EvidenceRule::$variant),*];

            /// The name of the rule in docs/evidence.md and in settings.
            pub fn name(self) -> &'static str {
                match self { $(EvidenceRule::$variant => $name,)* }
            }

            /// The polarity of a fact of this rule.
            pub fn polarity(self) -> Polarity {
                match self { $(EvidenceRule::$variant => Polarity::$polarity,)* }
            }

            /// A description of the fact.
            pub fn fact(self) -> &'static str {
                match self { $(EvidenceRule::$variant => $fact,)* }
            }

            /// The reason for the polarity.
            pub fn reason(self) -> &'static str {
                match self { $(EvidenceRule::$variant => $reason,)* }
            }
        }
    };
}

rules! {
    HttpError "http_error" Contradicting
        "The response to the document that the action opened has a status of 400 or more."
        "The server refused the request or does not have the document, whatever the page shows.";
    RequestRefused "request_refused" Contradicting
        "A request for a change (POST, PUT, PATCH, DELETE) that the action caused, to the page's own site, got a response with a status of 400 or more. If a method and URL got several responses, the last one counts. A draft that a page saves while a form is filled in is neutral if it is refused with 400, 409 or 422 and the page has a button that sends the form."
        "The change was not accepted. An application may nevertheless show it as done until it is loaded again.";
    BodyRefused "body_refused" Contradicting
        "A request for a change that the action caused, to the page's own site, got a response with a status below 400, and its JSON or XML body states a failure (`ok` or `success` is false, there is an `error` or `errors`, a part was `rejected` or `failed`), its body is a line that begins with `Error:`, or a script received a log-in page."
        "Many interfaces, such as GraphQL, respond to every request with 200.";
    DataRefused "data_refused" Contradicting
        "Another request that the action caused, to the page's own site, got a response with a status of 401, 403 or 5xx."
        "The data that the action requested was not delivered. Other statuses are common responses to a lookup (404: no such entry).";
    ConnectionError "connection_error" Contradicting
        "A request that the action caused, to the page's own site, got no response or an incomplete body."
        "It is unknown whether the server executed the request, and the page cannot show its result.";
    ErrorPage "error_page" Contradicting
        "The browser shows one of its own error pages."
        "The URL was not reached, and the page that appeared is not the site's.";
    Alert "alert" Contradicting
        "A new alert or alert dialog that states a refusal, or that does not state a success while the server accepted no change; or a question of the page (a dialog, `Are you sure?` with new buttons, a button whose name is now `Sure?`) that the next step does not answer."
        "An alert interrupts the user, and pages use it for refusals. If its text states a success (`Saved`), it is supporting. Some libraries use the role for every announcement: beside an accepted change, an alert that states neither is neutral.";
    RefusalText "refusal_text" Contradicting
        "A new status message, heading, title or short text that states a refusal (`could not be saved`, `Wrong password`, `Page not found`)."
        "Many pages respond with 200 and state a refusal only in their text. Words that are part of the target's own name do not count.";
    InvalidField "invalid_field" Contradicting
        "A field that is marked as invalid (`aria-invalid`, `:user-invalid`) and was not before, or that still is after a click that changed nothing else."
        "The form was not submitted.";
    DialogOpen "dialog_open" Contradicting
        "A `confirm`, `prompt` or `beforeunload` dialog is open, and the next step does not answer it."
        "The page waits for the answer, so the action has not been completed.";
    FieldValue "field_value" Contradicting
        "A field or check box has another value than the one that was entered, could not be set as requested, or lost its value when it lost the focus or another field was filled in; or a number changed when its form was submitted."
        "The page changed or rejected the input: an input mask, a validation, a script that ran later.";
    LoginForm "login_form" Contradicting
        "After a log-in, the password field is still shown, or a second factor is requested. After another change, the page requests a log-in, a password, a code or a captcha."
        "The user is not logged in yet, or the change waits for a proof of the user's identity.";
    UnwantedState "unwanted_state" Contradicting
        "A state that is new in the entry of the pressed control, in a ticked entry, in the only entry that changed, or outside of lists, and that states a refusal (`Declined`, `Failed`, `Not paid`). If the state is one that waits (`On hold`, `Pending review`), it is neutral, and other facts about the action no longer support it."
        "A row is content, so that its texts are no messages; but what the action changed in it is its result. After `Reject` or `Submit` such a state was requested.";
    EarlierStep "earlier_step" Contradicting
        "After a button that leads on (`Next`), the page shows an earlier step of the same form (`Step 1 of 3` after `Step 2 of 3`). After a button that ends the form (`Finish`), the earlier step is neutral, and other facts no longer support the action unless the page states a success."
        "The form begins again because its session expired or an input was dropped.";
    SelfChanging "self_changing" Neutral
        "A text or title that the page changes by itself: scripts that ran before the action changed or removed it, it changed between two observations without an action, or it appeared because the pointer moved to the target."
        "Rotating tips, clocks, counters and advertisements change without the action, and a tooltip appears without a click.";
    Reversion "reversion" Neutral
        "A text or a state (`aria-pressed`, `aria-checked`, `aria-selected`) that was replaced and then restored, a list entry that was added and then removed, a field that has its earlier value again, or a form that the server returned with the entered values. A response to the same action no longer supports it."
        "A page that shows an expected result immediately restores the earlier state if the change was not made, whatever the status of the response.";
    UnclearMessage "unclear_message" Neutral
        "A message that states neither a success nor a refusal and is the only change of the page, after a request for a change was sent or while a form keeps the entered values. A response to the same action no longer supports it."
        "Pages report in their own words that they did something else (`You are the last owner`, `2 archived, 1 skipped`). A message that names what was done (`Published` after `Publish`) or repeats an entered value is supporting, but a greeting (`Thank you, Ann`) is not if a sentence that states neither follows.";
    UnrelatedPage "unrelated_page" Neutral
        "At the end of a run, a button sent a change and led to another page that does not state a success, does not show an entered value and has no name that refers to the request; or it led to an address with an error in its query (`?error=limit`). Other facts about the action no longer support it."
        "Servers redirect to another page to request something else (a plan, a confirmed address, the terms), to start again, or because the session has expired.";
    SamePage "same_page" Neutral
        "A document at another address has the same texts as the previous one, and is not a table that was in the requested order already."
        "If a page number does not exist or a filter is ignored, the page shows the same content again.";
    NotAll "not_all" Neutral
        "One of several sent items had another result than the rest: a ticked entry is unchanged while another one disappeared or changed; an address or file is not mentioned while another one is; a count of a part is shown (`24 of 40` after 40 was entered, `50 archived` after `Archive all 120`); a chosen option is not mentioned while others of its list are (`Current roles: Sales, Support`); a smaller number than the entered quantity is shown (`4 × Desk lamp added to cart`, `Cart: 4`, `Only 4 left`); an entry disappeared from a list when the list was saved. Other facts about the action no longer support it."
        "Pages report `Archived` or `Saved` for the items that they accepted, and do not mention the rest.";
    OtherEntry "other_entry" Neutral
        "A control in an entry of a list sent a change, the entry is as it was, and up to three others changed or are gone; or a form was sent, and the same form with the entered value now stands under the heading of another record; or a control in an entry opened a dialog or page, and after its change was sent the entry is as it was, and another one has the entered value or, after `Delete`, is gone. Other facts about the action no longer support it."
        "The server changed another record than the requested one.";
    Clock "clock" Neutral
        "A text that is a time of day or an age (`12:30:05`, `2 minutes ago`)."
        "It changes with time, without an action.";
    BackgroundRequest "background_request" Neutral
        "A request that the page also sends without an action, or to a URL whose path contains `telemetry`, `analytics`, `metrics` or a similar word."
        "Polling and usage data are unrelated to the action.";
    ForeignRequest "foreign_request" Neutral
        "A request to a site other than the page's own."
        "Requests to analytics and advertisement services are unrelated to the action.";
    Unanswered "unanswered" Neutral
        "A request for a change that had no response when the page was observed."
        "Its result is unknown.";
    AcceptedForLater "accepted_for_later" Neutral
        "A request for a change that the action caused, to the page's own site, got a response with status 202 (accepted). If no other change was accepted, texts that appeared or disappeared do not support the action either, unless they state a success."
        "The status means that the server has not made the change yet.";
    ValueAltered "value_altered" Neutral
        "A request for a change contained the value of a field, and the JSON body of its response contains another value for it. Other facts about the action no longer support it."
        "The server limited, replaced or dropped the value, and the page may nevertheless show `Saved`.";
    DoubtfulBody "doubtful_body" Neutral
        "The JSON body of the response to the first change that the action set off says that nothing was changed (`{\"changed\": false}`, `{\"modifiedCount\": 0}`, `{\"result\": \"skipped\"}`, `false`), or contains a failed state in its only object (`{\"job\": {\"state\": \"failed\"}}`). Values that the request carried do not count. Other facts about the action no longer support it."
        "There may have been nothing to change, or the record failed earlier, so that this alone contradicts nothing.";
    UnclearEntry "unclear_entry" Neutral
        "At the end of a run, a button in an entry of a list sent a change, and the entry is as it was, is back after it was gone, or shows a text that does not state the result (`Goes out Monday` after `Send`); or other entries are gone with a deleted one; or ticked entries that were deleted or archived are all as they were; or an entry that a form added has a state that leaves the result open (`Draft` after `Publish`, `unconfirmed`). Also in the middle of a run: an entry that was to be taken away (`Delete`, `Archive`) is as it was, whatever a message says; the number of entries (`24 customers`) went down by two or three; or a form is empty again, and the only list with its columns or its title has no new entry. Other facts about the action no longer support it."
        "The entry shows what the server did, and no list of words contains everything that it may say instead of the result.";
    NoVisibleEffect "no_visible_effect" Neutral
        "A button or the Enter key sent a change, the server accepted it, and the page shows nothing new. The response no longer supports the action, whether or not another action follows. A form that is loaded again with the entered values shows that they were stored."
        "Servers also respond with 200, or lead back to the same page, if they ignored the request, and the next action finds its target all the same. A check that follows and did not hold before shows the effect, and so does a later page with an entered value.";
    UnrelatedEffect "unrelated_effect" Neutral
        "At the end of a run, a button or the Enter key sent a change, the page is still the same one, and nothing that it newly shows refers to the request: no success in its words, no entered value of a record, no requested or opposite state, no other name or state of the control, no entry that is new or gone, no counter that goes on. Other facts about the action no longer support it."
        "A dialog that closes, an addition to the old state (`Open – letter sent`), a number other than the entered one and a note about something else also follow requests that were not carried out.";
    OtherValue "other_value" Neutral
        "At the end of a run, a form was sent, and the page shows another value beside the name of a field than was entered (`Quantity: 10` for 50, in one text, a definition list, a row of two cells or two texts), a new entry with another value in the column of a field, a new entry other than the entered one, the same entry twice, the new entry in place of an older one, another file than the sent one or one of 0 bytes, or the beginning of an entered value up to the middle of a word (`Saved “Quarterly maintenanc”`). Also in the middle of a run: the added entry has another value in the column of a field or is there twice, a form with several pages shows another value than was entered on an earlier page, or the form leads to a list in which the row of its record (`Huber`, of the page `Customer Huber`) has the old value still. Other facts about the action no longer support it."
        "Servers limit, replace and ignore values, and the page may nevertheless show `Saved`.";
    FilterIgnored "filter_ignored" Neutral
        "At the end of a run, a filter was chosen or applied, and an entry of the list has another choice of the same filter and not the chosen one; or a column header was pressed, and the list is neither in another order nor in that of the column; or something was searched for, and the list is as it was although some entries do not contain it. Other facts about the action no longer support it."
        "The filter looks set, but the request ignored it.";
    InertTarget "inert_target" Neutral
        "An element that is no control and has no listener was clicked, and nothing happened."
        "The fact names the control with the most similar name, which was probably meant.";
    NotSent "not_sent" Neutral
        "A text was entered into a field, and a link, a tab or a URL left the page, or a button closed the field, before the value was sent or shown; or a switch was changed at the end of a run, nothing was sent, and its form has a save button. Other facts about the action no longer support it."
        "Pages that save some time after the last key press lose the input when they are left, and a form is not saved before its button is pressed. An application that stores its data in the browser sends nothing either, so the fact does not contradict the action.";
    Response "response" Supporting
        "A document at another address, or a request for a change to the page's own site, got a response with a status below 400."
        "The server accepted the request.";
    Address "address" Supporting
        "The address changed, and not only its fragment (`#…`)."
        "The action led to this address.";
    Title "title" Supporting "The title changed." "The action led to another page or state.";
    NewText "new_text" Supporting
        "A text, status, heading, link or option appeared that was not shown before, and no rule above applies to it."
        "The page reacted to the action.";
    Removal "removal" Supporting
        "Content was removed, and nothing else changed."
        "Deleting and closing leave no other trace.";
    Order "order" Supporting "The same texts are in another order." "A list was sorted.";
    ElementState "element_state" Supporting
        "The target field has the entered value, or the control is checked, selected, pressed, expanded, focused or under the pointer as requested."
        "The state was read after the page had settled.";
    SignedIn "signed_in" Supporting
        "After a log-in, the page offers to log out, greets the user or shows the user's name; or the password field is gone, and a page with a table or several new controls does not offer to log in. If a page shows none of these, the fact is neutral, and other facts about the action no longer support it; before another action, only if the page offers to log in."
        "Pages show this only to a user who is logged in. A page that asks to confirm the log-in on a phone, or the public start page, has no password field either.";
    Effect "effect" Supporting
        "A file was downloaded, a tab was opened or closed, or a dialog was answered."
        "The browser reports it, not the page.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_documentation_is_this_one() {
        let doc = include_str!("../../../../docs/evidence.md");
        for rule in EvidenceRule::ALL {
            let row =
                format!("| `{}` | {} | {} | {} |", rule.name(), rule.polarity().name(), rule.fact(), rule.reason());
            assert!(doc.contains(&row), "docs/evidence.md lacks or differs in this row:\n{row}");
        }
    }
}
