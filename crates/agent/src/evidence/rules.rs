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
        "The document that the action led to was answered with a status of 400 or more."
        "The server refused, or does not have what was asked for, whatever the page says.";
    RequestRefused "request_refused" Contradicting
        "A request for a change (POST, PUT, PATCH, DELETE) that the action set off, to the page's own site, was answered with 400 or more. The last response to a method and address counts."
        "The change was not accepted. An app may show it as done all the same, until it is loaded again.";
    BodyRefused "body_refused" Contradicting
        "A request for a change that the action set off, to the page's own site, was answered with less than 400, and the JSON body says that it failed (`ok` or `success` is false, there is an `error` or `errors`, a part was `rejected` or `failed`), or it led a script to a log-in page."
        "Many interfaces, GraphQL among them, answer 200 to everything.";
    DataRefused "data_refused" Contradicting
        "Another request that the action set off, to the page's own site, was answered with 401, 403 or 5xx."
        "What the action asked for did not come. Other statuses are common answers to a lookup (404: nothing there).";
    ConnectionError "connection_error" Contradicting
        "A request that the action set off, to the page's own site, got no response, or one whose body broke off."
        "Whether the server has done it is unknown, and the page cannot show its result.";
    ErrorPage "error_page" Contradicting
        "The browser shows an error page of its own."
        "The address was not reached; the page that appeared is the browser's.";
    Alert "alert" Contradicting
        "A new alert or alert dialog that states a refusal, or that states no success where the server accepted no change; or a question of the page (a dialog, `Are you sure?` beside new buttons, a button that is called `Sure?` now) which the next step does not answer."
        "An alert interrupts; pages use it for refusals. A wording that states success (`Saved`) makes it supporting. Libraries give the role to all that they announce: beside a change that was accepted an alert that states neither is neutral.";
    RefusalText "refusal_text" Contradicting
        "A new status message, heading, title or short text that states a refusal (`could not be saved`, `Wrong password`, `Page not found`)."
        "Many pages answer 200 and say in words alone that they refused. Words that the target's own name has do not count.";
    InvalidField "invalid_field" Contradicting
        "A field that is marked invalid (`aria-invalid`, `:user-invalid`) and was not before, or still is after a click that changed nothing else."
        "The form was not sent.";
    DialogOpen "dialog_open" Contradicting
        "A `confirm`, `prompt` or `beforeunload` dialog is open, and the next step does not answer it."
        "The page waits for the answer, so the action has not been completed.";
    FieldValue "field_value" Contradicting
        "A field or check box holds something else than what was put there, could not be set as requested, or no longer holds it after another field was filled in; a number that is another one once its form was sent."
        "The page changed or dropped the input: a mask, a validation, a late script.";
    LoginForm "login_form" Contradicting
        "After a log-in the password field is still there, or a second factor is asked for. After another change the page asks to log in, or for a password, a code or a test for machines."
        "Nobody is logged in yet, or what was sent waits for proof of who sent it.";
    UnwantedState "unwanted_state" Contradicting
        "A state that is new in the entry of the pressed control, in a ticked entry, in the only entry that changed, or outside of lists, and that states a refusal (`Declined`, `Failed`, `Not paid`). A state that waits (`On hold`, `Pending review`) is neutral, and what else the action showed no longer supports."
        "A row is content, so that its texts are no messages; but what the action changed in it is its result. After `Reject` or `Submit` such a state was requested.";
    EarlierStep "earlier_step" Contradicting
        "After a button that leads on (`Next`), the page shows an earlier step of the same form (`Step 1 of 3` after `Step 2 of 3`)."
        "The form begins again because its session expired or an input was dropped.";
    SelfChanging "self_changing" Neutral
        "A text or title that the page changes by itself: scripts that ran before the action was begun changed or removed it, it changed between two looks without an action, or it was shown because the pointer came for a press."
        "Rotating tips, clocks, counters and advertisements would have changed anyway, and a tooltip comes without a click.";
    Reversion "reversion" Neutral
        "A text or a state (`aria-pressed`, `aria-checked`, `aria-selected`) that was replaced and is back, an entry of a list that was added and is gone, a field that holds its earlier value again, or a form that the server answered with itself and what was put into it. A response to the same action no longer supports it."
        "A page that shows at once what it hopes for goes back to what was when it was not done, whatever status the response has.";
    UnclearMessage "unclear_message" Neutral
        "A message alone on the page that states neither a success nor a refusal, after a change was sent, or while a form keeps what was put into it. A response to the same action no longer supports it."
        "Pages say in words of their own that they did something else (`You are the last owner`, `2 archived, 1 skipped`). A message that names what was done (`Published` after `Publish`), or that repeats the value put in, supports.";
    UnrelatedPage "unrelated_page" Neutral
        "At the end of a run, a button sent a change and led to another page that neither states a success, nor shows what was put in, nor is called as what was asked for, or to an address with an error in its query (`?error=limit`). What else the action showed no longer supports."
        "Servers lead to another page to ask for more (a plan, a confirmed address, the terms), to begin again, or because the session has ended.";
    SamePage "same_page" Neutral
        "A document at another address has the same texts as the one before."
        "A page number that does not exist, or a filter that is ignored, shows what was there already.";
    NotAll "not_all" Neutral
        "Of several things that were sent, one fared otherwise than the others: a ticked entry that is as it was, while another is gone or changed; an address or file that is not named beside one that is; an entry of a list that is gone since the list was saved. What else the action showed no longer supports."
        "Pages say `Archived` or `Saved` of what they took, and leave out the rest.";
    OtherEntry "other_entry" Neutral
        "A control in an entry of a list sent a change, the entry is as it was, and up to three others changed or are gone. What else the action showed no longer supports."
        "The server changed another record than the requested one.";
    Clock "clock" Neutral
        "A text that is a time of day or an age (`12:30:05`, `2 minutes ago`)."
        "It changes with time alone.";
    BackgroundRequest "background_request" Neutral
        "A request that the page sends without being acted on as well, or to an address that is called `telemetry`, `analytics`, `metrics` or the like."
        "A page that polls says nothing about the action.";
    ForeignRequest "foreign_request" Neutral
        "A request to another site than the page's."
        "Analytics and advertisements fail or succeed on their own.";
    Unanswered "unanswered" Neutral
        "A request for a change without a response when the page was looked at."
        "What the server makes of it is not known.";
    AcceptedForLater "accepted_for_later" Neutral
        "A request for a change that the action set off, to the page's own site, was answered with 202 (accepted). While no other change was accepted, what appeared or is gone does not support either, unless it states a success."
        "The server says that it has not done it yet.";
    ValueAltered "value_altered" Neutral
        "A request for a change carried a value that a field was given, and the JSON body of its response gives that value otherwise. What else the action showed no longer supports."
        "The server capped, replaced or dropped what it was sent, and the page may say `Saved` all the same.";
    DoubtfulBody "doubtful_body" Neutral
        "The JSON body of the response to the first change that the action set off says that nothing was changed (`{\"changed\": false}`, `{\"modifiedCount\": 0}`), or contains a failed state in its only object (`{\"job\": {\"state\": \"failed\"}}`). Values that the request carried do not count. What else the action showed no longer supports."
        "There may have been nothing to change, or the record failed earlier, so that this alone contradicts nothing.";
    FilterIgnored "filter_ignored" Neutral
        "At the end of a run, a filter was chosen or applied, and an entry of the list has another choice of the same filter and not the chosen one; or a column header was pressed, and the list is neither in another order nor in that of the column. What else the action showed no longer supports."
        "The filter looks set, but the request ignored it.";
    InertTarget "inert_target" Neutral
        "An element that is no control and has no listener was clicked, and nothing happened."
        "The fact names the control with the most similar name, which was probably meant.";
    NotSent "not_sent" Neutral
        "A text was put into a field and the page was left by a link, a tab or an address, or the field was closed by a button, before anything was sent or shown for it; or a switch was turned at the end of a run, nothing was sent, and a button of its form saves it. What else the action showed no longer supports."
        "Pages that save a while after the last key lose what was put in when they are left, and a form is not saved before its button is pressed. An app that keeps its data in the browser sends nothing either, so that this alone contradicts nothing.";
    Response "response" Supporting
        "A document at another address, or a request for a change to the page's own site, was answered with less than 400."
        "The server accepted it.";
    Address "address" Supporting "The address is another one, and not only by a `#` at its end." "The action led there.";
    Title "title" Supporting "The title is another one." "The action led to another page or state.";
    NewText "new_text" Supporting
        "A text, status, heading, link or option appeared that was not there before, and that no rule above applies to."
        "The page reacted.";
    Removal "removal" Supporting "Something was taken away, and nothing else changed." "Deleting and closing leave nothing else.";
    Order "order" Supporting "The same texts are in another order." "A list was sorted.";
    ElementState "element_state" Supporting
        "The field that was acted on holds what was put there, the control is checked, selected, pressed, expanded, focused or under the pointer as requested."
        "The value was read back after the page had come to rest.";
    SignedIn "signed_in" Supporting
        "After a log-in the password field is gone, or something offers to log out."
        "Pages offer that only to a user who is logged in.";
    Effect "effect" Supporting
        "A file arrived, a tab opened or closed, a dialog was answered."
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
