//! A sentence is understood whole or nothing of it is done.

use legwork_observe::fixture;

use super::{pages, table};
use crate::read;

/// What an operations person writes beside the forms: done in its whole meaning, or refused.
#[test]
fn sentences_that_say_more() {
    table(
        &pages::login(),
        r#"
        Type in the "User name" field: hello => fill e3 "hello"
        Type in the User name field: hello => fill e3 "hello"
        Type into "User name": "hello there" => fill e3 "hello there"
        Type in "User name" "hello" => fill e3 "hello"
        Enter in User name: alice => fill e3 "alice"
        Fill the User name field: hello => fill e3 "hello"
        Fill "User name": hello and press Enter => fill e3 "hello"; press Enter
        Type into User name hello => not literal
        Type in the Notes field hello => not literal
        Log in to the webmail as alice => not literal
        Log in to the webmail as alice with password "pw" => not literal
        Log in as alice to the webmail with password "pw" => not literal
        Log in with the test account and the password pw => not literal
        Log in as "alice" with password "pw" as usual => not literal
        Log in as usual => not literal
        Go to example.com and log in as usual => not literal
        Type the text below into "User name" => not literal
        Type the following text => not literal
        Type the answer into "User name" => not literal
        Type the answer => not literal
        Enter what the invoice says => not literal
        Type how many there are into "User name" => not literal
        Type the result => not literal
        Type it into "User name" => not literal
        Type it => not literal
        Type the same into "Password" => not literal
        Type that value into "User name" => not literal
        Enter the code above in "User name" => not literal
        Enter your password => not literal
        Enter your name into "User name" => not literal
        Enter password into Password => not literal
        Type something into "User name" => not literal
        Search for it => not literal
        Search for the answer => not literal
        Search for the same => not literal
        Click it => not literal
        Click that => not literal
        Click the answer => not literal
        Click here => not literal
        Set "User name" to the same as before => not literal
        Set "User name" to tomorrow => not literal
        Set "User name" to alice if it is empty => not literal
        Type alice if possible => not literal
        Type "alice" into "User name" if possible => not literal
        Type alice into User name if possible => not literal
        Type "alice" into "User name" again => not literal
        Click "Home" if possible => not literal
        Click Home if possible => not literal
        Click "Home" again => click e1
        Click "Home" once => click e1
        Click "Home" as usual => not literal
        Click "Home" twice => click e1; click e1
        Click "Home" unless "Welcome" is shown => not literal
        Click Home unless Welcome is shown => not literal
        Click "Home" or "Sign in" => not literal
        Click Home or Sign in => not literal
        Click "Home" but not "Sign in" => not literal
        Click "Home" instead of "Sign in" => not literal
        Click "Home" (the first one) => not literal
        Click "Home" and skip "Forgot password?" => not literal
        Click "Home" and ignore "Forgot password?" => not literal
        Click "Home" and not "Forgot password?" => not literal
        Don't click "Home" => not literal
        Do not click "Home" => not literal
        Never click "Home" => not literal
        Click "Home" and don't click "Forgot password?" => not literal
        Don't submit the form by clicking "Home" => not literal
        Submit the form, if any, by clicking "Home" => not literal
        Click every link => not literal
        Click all links except the first => not literal
        Click all the links => not literal
        Click each button => not literal
        Click the first two links => not literal
        Click the first three "Sign in" links => not literal
        Click the links 1 to 3 => none [link "Home" [e1], button "Sign in with Google" [e8], link "Sign in" [e2], button "Sign in" [e6], link "Forgot password?" [e7]]
        Tick all checkboxes => not literal
        Tick "Remember me" for both => not literal
        Click the red "Home" link => not literal
        Click the other "Sign in" => not literal
        Click "Home" slowly => not literal
        Click "Home" to the left of "Forgot password?" => click e1
        Click "Home" to go back to the start => click e1
        Click "Home" to the left => not literal
        Press Enter 500 times => not literal
        Press Enter until "Welcome" is shown => not literal
        Reload the page twice => not literal
        Reload the page if it fails => not literal
        Go back twice => not literal
        Go back to "Home" => click e1
        Go back => back
        Take a screenshot of the page before clicking => not literal
        In the form, press Enter => not literal
        In the form, go back => not literal
        Upload the report to "User name" => not literal
        Answer the prompt with "Ada" twice => not literal
        Replace "User name" with "Ada" again => not literal
        Type hello and so on into "User name" => not literal
        Type hello for Bob in User name => none [textbox "User name:" [e3]]
        Fill in "User name" with "alice" and "Password" as usual => not literal
        Fill "User name" with "alice" and swap it with "Password" => not literal
        Clear "User name" and swap it with "Password" => not literal
        Accept the dialog if it appears => not literal
        Wait for it => not literal
        Wait until it is done => not literal
        Sign in as "alice" / "pw" or register => not literal
        Click "Home", then do the laundry => not literal
        Click "Home". Then think about "Sign in". => not literal
        Click "Home" and then hopefully "Forgot password?" => not literal
        "#,
    );
    table(&fixture::snapshot("- button \"Accept all\" [ref=e1]"), "Accept all => click e1");
}

/// The first clause is not done either when a later one is not understood.
#[test]
fn nothing_is_done_of_a_sentence_that_is_half_understood() {
    for step in [
        "Click \"Home\", then log in as usual",
        "Type \"alice\" into \"User name\" and log in to the webmail as bob",
        "Click \"Home\" and click \"Sign in\" if possible",
        "Check that \"Home\" is shown and click \"Sign in\" unless it is disabled",
    ] {
        assert!(read(step).is_err(), "{step}");
    }
}

#[test]
fn the_error_shows_which_words_were_understood() {
    let source_text = |step: &str| read(step).expect_err("it is not literal").to_string();
    insta::assert_snapshot!(source_text("Log in to the webmail as alice"), @r#"it does not say with which password; understood: Log in · not understood: "to the webmail as alice"; write it like: Log in as "alice" with password "${secret:PASSWORD}""#);
    insta::assert_snapshot!(source_text("Log in to the webmail as alice with password \"pw\""), @r#"`to the webmail as alice` was not understood as a user name; understood: Log in · not understood: "to the webmail as alice"; write it like: Log in as "alice" with password "${secret:PASSWORD}""#);
    insta::assert_snapshot!(source_text("Type the answer into \"Name\""), @r#"`the answer` says which text is meant, not what it is; a text is given in quotes; understood: Type · not understood: "the answer""#);
    insta::assert_snapshot!(source_text("Click \"Home\" and press \"X\" sideways"), @r#"`sideways` beside `X` was not understood as a place or a kind of element; understood: Click "Home" and press "X" · not understood: "sideways"; write it like: the "Name" button in the row of "Bob""#);
}

/// A text is pointed at where it stands, not in the middle of a large container.
#[test]
fn a_text_is_pointed_at_where_it_stands() {
    let page = fixture::snapshot(
        r#"
        - generic [ref=e1]
          - text: pressure
          - text: volume
          - text: The temperature rises
        - button [ref=e2]
          - text: Start
        - generic [ref=e3]
          - text: Card
        "#,
    );
    table(
        &page,
        r#"
        Double-click the text "pressure" => double text="pressure"
        Double-click "pressure" => double text="pressure"
        Click the text "volume" => click text="volume"
        Double-click the text "temperature" => double text=temperature
        Click "temperature" => click text=temperature
        Click "Start" => click e2
        Click "Card" => click e3
        "#,
    );
}

#[test]
fn a_text_in_a_row_is_clicked_where_it_stands() {
    let page = legwork_observe::fixture::snapshot(
        "- table\n  - row\n    - cell \"Doll\"\n    - cell\n      - switch [ref=e1]\n    - cell \"Delete\"\n  - row\n    - cell \"Saw\"\n    - cell\n      - switch [ref=e2]\n    - cell \"Edit Delete More\"\n",
    );
    super::table(
        &page,
        r#"
        Click "Delete" in the row of "Doll" => click role=cell[name="Delete"]
        Click "Delete" in the row of "Saw" => several 2
        Tick "Saw" => check e2
        "#,
    );
}
