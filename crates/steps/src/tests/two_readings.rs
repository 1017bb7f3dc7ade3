//! Sentences that have two readings, or whose words say how to compute a text: none of them is done in silence.

use super::*;

#[test]
fn a_state_in_which_a_record_is_saved_is_not_taken_for_a_variable() {
    let page = legwork_observe::fixture::snapshot(
        r#"
        - text "Customer: Huber"
        - text "Total: $12"
        - text "Code: A1"
        - textbox "Memo" [ref=e1]
        - button "Save as copy" [ref=e2]
        - button "Save as draft" [ref=e3]
        "#,
    );
    table(
        &page,
        r#"
        Save the customer as draft => not literal
        Save the customer as template => not literal
        Store the customer as favourite => not literal
        Remember the code as default => not literal
        Save the customer as copy => several 2
        Save the text of "Total" as draft => several 2
        Copy the text of "Total" into "Memo" => not literal
        Copy "Total" to "Memo" => not literal
        Store the total in "Memo" => not literal
        Save the total in memo => several 2
        Save the total in the variable memo => memo="$12"
        Save the total into sum => sum="$12"
        Save the customer as the variable draft => draft="Huber"
        Save the customer as name => name="Huber"
        Save the text of "Total" as total => total="$12"
        "#,
    );
}

#[test]
fn words_that_say_how_to_compute_a_text_are_not_typed() {
    let page = legwork_observe::fixture::snapshot(
        r#"
        - textbox "Date" [ref=e1]
        - textbox "Qty" [ref=e2]
        - textbox "City" [ref=e3]
        "#,
    );
    table(
        &page,
        r#"
        Enter today's date into "Date" => not literal
        Enter tomorrow's date into "Date" => not literal
        Enter yesterday's date as "Date" => not literal
        Set "Date" to today's date => not literal
        Fill "Date" with today's date => not literal
        Set "Date" to in two weeks => not literal
        Set "Date" to 3 days ago => not literal
        Set "Qty" to 2 more => not literal
        Set "Qty" to half of the total => not literal
        Set "City" to upper case => not literal
        Type nothing into "City" => fill e3 ""
        Set "City" to nothing => fill e3 ""
        Set "City" to empty => fill e3 ""
        Set "City" to blank => fill e3 ""
        Set "City" to "nothing" => fill e3 "nothing"
        Set "Date" to "today's date" => fill e1 "today's date"
        Set "Date" to 24 December 2026 => fill e1 "24 December 2026"
        Set "Qty" to 2 => fill e2 "2"
        Set "City" to New York => fill e3 "New York"
        Type half a dozen into "Qty" => fill e2 "half a dozen"
        Type three days into "City" => fill e3 "three days"
        "#,
    );
}
