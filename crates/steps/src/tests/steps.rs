use legwork_observe::{Snapshot, fixture};

use super::{outcome, pages, table};

#[test]
fn on_a_login_page() {
    table(
        &pages::login(),
        r#"
        Type "alice" into "User name" => fill e3 "alice"
        Type 'alice' into the 'user name' field. => fill e3 "alice"
        type “alice” in “Username” => fill e3 "alice"
        Enter alice as User name => fill e3 "alice"
        Enter alice into the username box => fill e3 "alice"
        Fill in "User name" with "alice" => fill e3 "alice"
        Fill the User name field with alice => fill e3 "alice"
        Please type `alice` into the text field labelled "User name". => fill e3 "alice"
        Write "alice" to the field "User name" => fill e3 "alice"
        Set "User name" to "alice" => fill e3 "alice"
        Set User name to alice => fill e3 "alice"
        Input "alice" in User name => fill e3 "alice"
        Enter "${secret:PW}" into the password field => fill e4 "${secret:PW}"
        Type ${secret:PW} into Password => fill e4 "${secret:PW}"
        Type "alice" into "User name" and press Enter => fill e3 "alice"; press Enter
        Fill in "User name" with "alice" and "Password" with "pw" => fill e3 "alice"; fill e4 "pw"
        Enter the user name "alice" and the password "pw" => fill e3 "alice"; fill e4 "pw"
        Enter the user name "alice" and the password "pw" into the text fields and press Sign in => fill e3 "alice"; fill e4 "pw"; several 2
        Enter the password "pw" and the user name "alice" in the form => fill e4 "pw"; fill e3 "alice"
        Focus into the password field => focus e4
        Type "alice" into "User name" and "pw" into "Password" => fill e3 "alice"; fill e4 "pw"
        Type "alice" into "User name", type "pw" into "Password" and click the button "Sign in" => fill e3 "alice"; fill e4 "pw"; click e6
        Click "Sign in" => several 2
        Click the "Sign in" button => click e6
        Click the Sign in button => click e6
        Click on the button "Sign in" => click e6
        Press the "Sign in" button => click e6
        Click the link "Sign in" => click e2
        Follow the link "Sign in" => click e2
        Click "Sign in" in the form => click e6
        Click the "Sign in" button in the form. => click e6
        Click Sign in with Google => click e8
        Click "Sign in with Google" => click e8
        Click "Forgot password?" => click e7
        Click on Forgot password? => click e7
        Click forgot password => click e7
        Tap "Remember me" => click e5
        Check "Remember me" => check e5
        Tick the "Remember me" checkbox => check e5
        Tick Remember me => check e5
        Tick the box "Remember me" => check e5
        Uncheck "Remember me" => uncheck e5
        Untick the checkbox Remember me => uncheck e5
        Turn on "Remember me" => check e5
        Turn "Remember me" off => uncheck e5
        Clear "User name" => fill e3 ""
        Clear the checkbox "Remember me" => uncheck e5
        Clear the User name field => fill e3 ""
        Log in as "alice" with password "${secret:PW}" => fill e3 "alice" + fill e4 "${secret:PW}" + click e6
        Log in as alice with the password secret => fill e3 "alice" + fill e4 "secret" + click e6
        Sign in as "alice" / "pw" => fill e3 "alice" + fill e4 "pw" + click e6
        Log in with user name "alice" and password "pw" => fill e3 "alice" + fill e4 "pw" + click e6
        Search for "lamp" => fill e9 "lamp" enter
        Search for lamp => fill e9 "lamp" enter
        Type "lamp" into the search box => fill e9 "lamp"
        Type "lamp" into the search field and press Enter => fill e9 "lamp"; press Enter
        Type "lamp" into the field with the placeholder "Search the site" => fill e9 "lamp"
        Submit the form => click e6
        Press Enter => press Enter
        press enter. => press Enter
        Hit the Escape key => press Escape
        Press Ctrl+A => press Control+A
        Press Control + Shift + T => press Control+Shift+T
        Press the down arrow key 3 times => press ArrowDown + press ArrowDown + press ArrowDown
        Press Tab twice => press Tab + press Tab
        Press "Enter" => press Enter
        Press Enter in the "User name" field => press Enter in e3
        Press F5 => press F5
        Type "hello" => type "hello"
        Open http://127.0.0.1:8000/login => open http://127.0.0.1:8000/login
        Go to example.com => open https://example.com
        Visit localhost:8000/admin/ => open http://localhost:8000/admin/
        Navigate to "https://example.com/a?b=c" => open https://example.com/a?b=c
        Open /login => open http://site.test/login
        Open the page /login => open http://site.test/login
        Open javascript:alert(1) => open javascript:alert(1)
        Go back => back
        Go forward => forward
        Reload the page => reload
        Refresh => reload
        Hover over "Home" => hover e1
        Move the mouse over the link "Home" => hover e1
        Focus the "Password" field => focus e4
        Right-click "Home" => click e1 Right 1
        Double-click "Home" => double e1
        double click on Home => double e1
        Click "Home" with Shift held => click e1 Shift
        Ctrl-click the link "Home" => click e1 Control
        Click e7 => click e7
        Click @e7 => click e7
        Click #id_username => click #id_username
        Click css=form .row > a => click css=form .row > a
        Click "css=form .row > a" => click css=form .row > a
        Click role=button[name="Sign in"] => click role=button[name="Sign in"]
        Fill e3 with "bob" => fill e3 "bob"
        Scroll down => scroll Down
        Scroll to the bottom => scroll Bottom
        Scroll down 2 screens => scroll Down 2
        Scroll the page to the bottom => scroll Bottom
        Scroll e3 to the bottom of the text => scroll e3 Bottom
        Scroll e3 to the bottom of the text hit submit => not literal
        Scroll to "Forgot password?" => scroll e7
        Scroll the "Home" link into view => scroll e1
        Wait for "Welcome" => await no
        Wait for "Welcome" to appear => await no
        Wait until "Loading" disappears => await yes
        Wait for "Loading…" to disappear => await yes
        Wait until "Loading" is gone => await yes
        Wait until "Welcome" is shown => await no
        Wait 2 seconds => wait 2s
        wait for 1.5s => wait 1.5s
        Wait up to 10 seconds for "Done" => await 10s no
        Wait for "Done" for at most 10 seconds => await 10s no
        Wait up to 5 seconds for "Home" => await 5s yes
        Wait until the address contains "/welcome" => wait url "/welcome"
        Wait for the URL to contain /welcome => wait url "/welcome"
        Wait for the page to load => wait Load
        Wait until the page is loaded => wait Load
        Wait until the network is idle => wait Idle
        Wait until the "Sign in" button is enabled => await yes
        Wait until there are 3 links => await yes
        Take a screenshot => look
        Save the address as url => url="http://site.test/"
        Save the title as t => t="Page"
        Save the href of "Home" as home => save e1 home @href
        Save the value of "User name" as user => save e3 user
        Store the number of links as n => n=3
        Save the text of "Home" as 2x => not literal
        Click "Register" => none [checkbox "Remember me" [e5], searchbox "Search the site" [e9], textbox "User name:" [e3], link "Forgot password?" [e7], button "Sign in with Google" [e8]]
        Type "x" into "Home" => wrong link "Home" [e1]
        Tick "Home" => wrong link "Home" [e1]
        Do the laundry => not literal
        Find the cheapest flight to Oslo => not literal
        Click => not literal
        Click "Save => not literal
        Type "a" => type "a"
        In the form, click "Sign in" => click e6
        When "Sign in" is shown, click "Home" => await yes; click e1
        Click "Home". Then click "Forgot password?". => click e1; click e7
        1. Click "Home" => click e1
        - Click "Home" => click e1
        Now please click on the "Home" link, then wait for "Hi" => click e1; await no
        Check that "Remember me" is not checked and click "Home" => yes; click e1
        "#,
    );
}

#[test]
fn among_numbered_things() {
    table(
        &pages::numbered(),
        r#"
        Click button ONE. => click e2
        Click button ONE, then click button TWO. => click e2; click e1
        Click the first one => click e1
        Click the button "ONE" => click e2
        Focus into the 2nd input textbox. => focus e4
        Enter "x" into the first input text box => fill e3 "x"
        "#,
    );
}

#[test]
fn in_a_shop() {
    table(
        &pages::shop(),
        r#"
        Select Red, Blue => check e4 + check e5; wrong not chosen, although it was asked for
        Select Red and Blue. => check e4 + check e5; wrong not chosen, although it was asked for
        Select Red, Blue and Green => none [link "Next page" [e22], checkbox "Blue" [e5], option "Price, low to high", link "Desk lamp" [e10], link "Desk lamp" [e11]]; wrong not chosen, although it was asked for
        Choose "Price, low to high" from "Sort by" => select e3 Price, low to high
        Select "price, low to high" in the Sort by dropdown => select e3 Price, low to high
        Select Name from Sort by => select e3 Name
        Pick "Price" from "Sort by" => several 2
        Choose "Price, high to low" => select e3 Price, high to low
        Choose "Weight" from "Sort by" => none [option "Price, high to low", option "Price, low to high", option "Name"]
        Set "Sort by" to "Name" => select e3 Name
        Tick "Red" and "Blue" => check e4; check e5
        Check "Red" => check e4
        Uncheck "Blue" in the "Colour" group => uncheck e5
        Choose "Red" from "Colour" => check e4
        Set the slider "Maximum price" to 30 => fill e6 "30"; nothing
        Click "Desk lamp" => click e10
        Click the link "Floor lamp" => click e13
        Click the first result => click e11
        Click the second result => click e13
        Click the last item => click e15
        Click "Add to cart" => several 2
        Click the first "Add to cart" button => click e12
        Click the 2nd "Add to cart" => click e14
        Click "Add to cart" for "Floor lamp" => click e14
        Click the "Add to cart" button of the item "Floor lamp" => click e14
        Click "Add to cart" in the item with "Desk lamp" => click e12
        Click the "Add to cart" button next to "Floor lamp" => click e14
        Click Check out => click e20
        Click "Check out" under the heading "Your cart" => click e20
        Click "Next page" => click e22
        Click the link "2" => click e21
        Click "Clear all filters" => click e23
        Click "Lamps" in the navigation => click e1
        Click "Lamps" in the "Main" navigation => click e1
        Save the text after "Total" as total => total="$104.50"
        Save the text after "Items:" as items => items="2"
        Save the number of items in the list "Results" as n => n=3
        Switch to the second tab => tab 3
        Switch to tab 2 => tab 3
        Switch to the tab "Help" => tab 3
        Switch to the new tab => tab 3
        Switch to the first tab => tab 1
        Switch to the last tab => tab 3
        Close the tab => close tab this
        Close the second tab => close tab 3
        Open a new tab => new tab blank
        Open a new tab at example.com => new tab https://example.com
        Open http://a.test/ in a new tab => new tab http://a.test/
        Switch to the fifth tab => none [tab 1 "Shop", tab 3 "Help"]
        Accept the dialog => dialog true ""
        Dismiss the alert => dialog false ""
        Cancel the confirm dialog => dialog false ""
        Answer the prompt with "Ada" => dialog true "Ada"
        Type "Ada" into the prompt => dialog true "Ada"
        Click "Check out" and accept the dialog => click e20 with dialog true ""; dialog true ""
        Click "Check out" and dismiss it => click e20 with dialog false ""; dialog false ""
        Click "Check out", then dismiss the alert => click e20 with dialog false ""; dialog false ""
        Click "Check out" and answer the prompt with "Ada" => click e20 with dialog true "Ada"; dialog true "Ada"
        Press Enter and accept the dialog => press Enter with dialog true ""; dialog true ""
        Click "Chairs" and click "Check out" and accept the dialog => click e2; click e20 with dialog true ""; dialog true ""
        Accept the dialog and click "Check out" => dialog true ""; click e20
        Wait 2 seconds and accept the dialog => wait 2s; dialog true ""
        Download the file by clicking "Check out" => click e20; await no
        Click "Check out" and wait for the download => click e20; await no
        Drag "Desk lamp" onto "Check out" => drag e11 e20
        Drag the link "Floor lamp" to the button "Check out" => drag e13 e20
        Open "Lamps" => click e1
        Go to "Chairs" => click e2
        "#,
    );
}

#[test]
fn in_a_table() {
    table(
        &pages::users(),
        r#"
        Click "Edit" in the row of "Bob Smith" => click e11
        Click "Edit" in the row of "Bob" => click e11
        Click the "Edit" link in the row with "Carol" => click e31
        Click Edit in the row of Carol => click e31
        Click "Delete" in the row containing "Bobby Tables" => click e22
        Click the Delete button in the second row => click e22
        Click "Edit" in row 3 => click e31
        Click "Edit" in the last row => click e31
        Click the "Edit" link for "Bobby Tables" => click e21
        Tick the checkbox in the row of "Carol" => check e30
        Tick "Bob Smith" => check e10
        Click "Edit" in the rows of "Bob Smith" and "Carol" => click e11; click e31
        Click the "Edit" links in the rows of "Bob Smith", "Bobby Tables" and "Carol" => click e11; click e21; click e31
        Click "Edit" in the rows of "Bob Smith" and "Zed" => click e11; none [row "Bob Smith admin 1,200 Edit Delete", row "Bobby Tables user 80 Edit Delete", row "Carol user 7 Edit Delete"]
        Tick the checkboxes in the rows of "Bob Smith" and "Carol" => check e10; check e30
        Click "Edit" in the rows of "Bob Smith" and the "Role" column => not literal
        Uncheck the checkbox in the row of "Bobby Tables" => uncheck e20
        Click "Delete" => several 2
        Click the first "Delete" button => click e12
        Click "Name" => click e3
        Click the column header "Role" => click e4
        In the row of "Carol", click "Edit" => click e31
        Type "bo" into the filter by name field => fill e1 "bo"
        Type "bo" into the field with placeholder "Filter by name" => fill e1 "bo"
        Type "bo" into "Filter" => fill e1 "bo"
        Click "Edit" in the row of "Dave" => none [row "Bob Smith admin 1,200 Edit Delete", row "Bobby Tables user 80 Edit Delete", row "Carol user 7 Edit Delete"]
        Save the cell in the column "Amount" in the row of "Carol" as amount => amount="7"
        Save the text of the cell in the column "Amount" in the row of "Bob Smith" as amount => amount="1,200"
        Save the number of rows as n => n=3
        Save the number of rows in the table "Users" as n => n=3
        Click New user => click e2
        Click the New user button. => click e2
        Clik "New user" => not literal
        "#,
    );
}

/// The header of a sortable column consists of a link or button.
#[test]
fn a_column_header_that_sorts_is_pressed_by_its_link() {
    let page = fixture::snapshot(
        r#"
        - link "Balance" [ref=e9]
        - table "Customers"
          - row
            - columnheader
              - link "Name" [ref=e1]
            - columnheader "Balance"
              - link "Balance" [ref=e2]
            - columnheader "Status"
          - row
            - cell "Ada"
            - cell "5.50"
            - cell "active"
        "#,
    );
    table(
        &page,
        r#"
        Click the column header "Name" => click e1
        Click the column header "Balance" => click e2
        "#,
    );
}

#[test]
fn a_deletion_and_its_confirmation_are_one_action() {
    table(
        &pages::users(),
        r#"
        Click "Delete" in the row of "Bob Smith" and confirm => click e12 with dialog true ""; dialog true ""
        Click "Delete" in the row of "Bob Smith" and confirm it => click e12 with dialog true ""; dialog true ""
        Click "Delete" in the row of "Bob Smith", then confirm => click e12 with dialog true ""; dialog true ""
        Confirm => not literal
        "#,
    );
}

#[test]
fn in_settings() {
    table(
        &pages::settings(),
        r#"
        Type "Eve" into "First name" => fill e3 "Eve"
        Type "Lovelace" into "Last name" => fill e4 "Lovelace"
        Fill in "First name" with "Ada", "Last name" with "L" and "Card number" with "4" => fill e3 "Ada"; fill e4 "L"; fill e20 "4"
        Set the date "Birthday" to 2026-12-24 => fill e5 "2026-12-24"
        Set "Birthday" to 24 December 2026 => fill e5 "2026-12-24"
        Set Birthday to "December 24, 2026" => fill e5 "2026-12-24"
        Type "24.12.2026" into "Birthday" => fill e5 "2026-12-24"
        Type "03/04/2026" into "Birthday" => wrong textbox "Birthday" [e5] for a date
        Set "Meeting" to "3:30 pm" => fill e6 "15:30"
        Choose "Sweden" from "Country" => select e7 Sweden
        Select Sweden as Country => select e7 Sweden
        Set the country to Sweden => select e7 Sweden
        Choose "Sweden" => select e7 Sweden
        Select "English" and "German" from "Languages" => select e8 English|German; wrong not chosen, although it was asked for
        Select "English", "French" and "German" in the list "Languages" => select e8 English|French|German; wrong not chosen, although it was asked for
        Choose "Express" => check e10
        Choose the radio button "Express" => check e10
        Choose the option "Express" => check e10
        Select "Express" for "Shipping" => check e10
        Choose "Express" from "Shipping" => check e10
        Click "Express" => click e10
        Turn on Dark mode => check e11
        Switch on "Dark mode" => check e11
        Enable "Dark mode" => check e11
        Disable the switch "Dark mode" => uncheck e11
        Toggle "Dark mode" => click e11
        Accept the terms => check e12
        Accept the terms and conditions => check e12
        Agree to the terms and conditions => check e12
        Untick "Newsletter" => uncheck e13
        Upload "cv.pdf" to "Choose file" => upload e14 cv.pdf
        Upload "cv.pdf" => upload e14 cv.pdf
        Upload "cv.pdf" by clicking "Choose file" => upload e14 cv.pdf
        Upload the file "a.txt" into the file field => upload e14 a.txt
        Attach "a.txt" and "b.txt" => upload e14 a.txt|b.txt
        Append " more" to "Notes" => press Control+End in e15 + type " more"
        Clear "Notes" => fill e15 ""
        Replace "Notes" with "new" => fill e15 "new"
        Expand "Advanced" => expand e16
        Collapse "Advanced" => nothing
        Click "Save changes" => click e17
        Click Save => click e17
        Type "Main St" into "Street" => several 2
        Type "Main St" into "Street" under the heading "Billing" => fill e21 "Main St"
        Type "Main St" into "Street" in the "Address" section => fill e18 "Main St"
        Under the heading "Address", type "Main St" into "Street" => fill e18 "Main St"
        In the "Billing" section, click "Edit" => click e22
        Click the second "Edit" button => click e22
        Click the tab "Billing" => click e2
        Click "Billing" => click e2
        Switch to the "Billing" tab => click e2
        Open the "Billing" tab => click e2
        Set "Quantity" to 3 => fill e23 "3"
        Set the quantity to "3" => fill e23 "3"
        Select the file "a.txt" for "Choose file" => upload e14 a.txt
        "#,
    );
}

/// As AG Grid has it: the row of headers takes the focus, the headers do not.
#[test]
fn in_a_grid_whose_rows_can_be_clicked() {
    let grid = fixture::snapshot(
        r#"
        - grid
          - row [ref=e1] [actionable]
            - columnheader
              - checkbox "Column with Header Selection" [ref=e2]
            - columnheader "Name"
            - columnheader "Price"
          - row [ref=e3] [actionable]
            - gridcell [ref=e4]
              - checkbox "Press Space to toggle row selection" [ref=e5]
            - gridcell "Bolt" [ref=e6]
            - gridcell "0.25" [ref=e7]
        "#,
    );
    table(
        &grid,
        r#"
        Click "Price" => click role=columnheader[name="Price"]
        Click the column header "Price" => click role=columnheader[name="Price"]
        Click "Bolt" => click e6
        Tick the first checkbox in the first row => check e5
        "#,
    );
}

#[test]
fn in_djangos_admin() {
    table(
        &pages::admin(),
        r#"
        Click "Save" => click e23
        Click SAVE => click e23
        Click "Save and add another" => click e24
        Click Save and add another => click e24
        Click Save and continue editing => click e25
        Click the "Save and continue editing" button and wait for "changed successfully" => click e25; await no
        Click "Add question" => click e9
        Click "Add" in the row of "Users" => click e8
        Click the "Add" link in the row of "Groups" => click e6
        Click Users => click e7
        Click "Users" in the sidebar => click e7
        Click "Home" in the breadcrumbs => click e3
        Search for "coffee" => fill e10 "coffee" enter
        Type "coffee" into the search bar and click the "Search" button => fill e10 "coffee"; click e11
        Choose "Delete selected questions" from "Action" => select e12 Delete selected questions
        Select "Delete selected questions" from the Action drop-down and click "Go" => select e12 Delete selected questions; click e13
        Tick the checkbox in the row of "Coffee or tea?" => check e19
        Tick "Coffee or tea?" => check e19
        Tick "Select all objects on this page for an action" => check e14
        Click "What's new?" => click e18
        Click 'What's new?' => click e18
        Click the link "Coffee or tea?" => click e20
        Click "Today" under "By date published" => click e22
        Click "Question text" => click e15
        Click "Log out" => click e2
        Log out => click e2
        "#,
    );
}

#[test]
fn in_a_wiki_and_dialogs() {
    table(
        &pages::wiki(),
        r#"
        Click "create a new tiddler" => click e1
        Click the button Create a new tiddler => click e1
        Type "Hello" into the first field in the article "Draft of 'New Tiddler'" => fill e7 "Hello"
        Clear the first text box in "Draft of 'New Tiddler'" => fill e7 ""
        Type "body" into "Type the text for this tiddler" => fill e9 "body"
        Type "body" into the field in the frame "editor" => fill e9 "body"
        Type "tag1" into "tag name" and press Enter => fill e10 "tag1"; press Enter
        Click "confirm changes to this tiddler" => click e6
        Click "edit this tiddler" in the article "GettingStarted" => click e11
        Click the tab "Recent" => click e14
        Search for "Hello" => fill e3 "Hello" enter
        Click HelloThere => click e12
        "#,
    );
    table(
        &pages::dialogs(),
        r#"
        Click "Delete" => click e5
        Click "Delete" in the dialog => click e5
        Click the Cancel button in the dialog => click e4
        Type "old" into "Reason" in the dialog => fill e3 "old"
        In the dialog, click "Cancel" => click e4
        Click "Close" => click e2
        Cancel the dialog => click e4
        Close the dialog => click e4
        Accept the dialog => none [button "Cancel" [e4], button "Delete" [e5]]
        "#,
    );
}

#[test]
fn in_other_words() {
    table(
        &pages::login(),
        r#"
        I type "alice" into "User name" => fill e3 "alice"
        You should now click on the "Home" link. => click e1
        Could you please click "Home"? => click e1
        Go to the "Home" link => click e1
        Enter your user name: "alice" => fill e3 "alice"
        Enter the user name "alice" => fill e3 "alice"
        Enter "alice" for the user name and "pw" for the password => fill e3 "alice"; fill e4 "pw"
        Put "alice" into "User name" => fill e3 "alice"
        Fill out the form with "User name": "alice", "Password": "pw" => fill e3 "alice"; fill e4 "pw"
        Type "alice" as the user name, "pw" as the password and press Enter => fill e3 "alice"; fill e4 "pw"; press Enter
        Type "alice" in "User name" then press Tab then type "pw" => fill e3 "alice"; press Tab; type "pw"
        Type "a and click b" into "User name" => fill e3 "a and click b"
        Type alice and press Enter => type "alice"; press Enter
        Leave "User name" empty => fill e3 ""
        Click "Home" twice => click e1; click e1
        Click on "Home" with the right mouse button => click e1 Right 1
        Hold => not literal
        Press the Sign in button => click e6
        Press Sign in with Google => click e8
        Click the button labelled "Sign in" => click e6
        Click the button that says "Sign in" => click e6
        Click the button named Sign in with Google => click e8
        Click the first link => click e1
        Click the last link => click e7
        Click "Sign in" in the header => click e2
        Fill User name with alice and Password with pw => fill e3 "alice"; fill e4 "pw"
        Log in with "alice" and "pw" => fill e3 "alice" + fill e4 "pw" + click e6
        Log in as "alice" with "pw" or not => not literal
        Press the "a" key => press A
        Close the browser => not literal
        Wait 5 => not literal
        Click the third link => click e7
        Click the submit button => click e6
        Wait for the button "Sign in" => await yes
        Wait until "Sign in" is visible and click "Home" => await yes; click e1
        Wait a second => wait 1s
        Wait half a second => wait 0.5s
        Wait 500 ms => wait 0.5s
        Wait a moment => not literal
        Wait for the download to finish => await no
        Make sure "Home" is shown => yes
        Make sure that the "Remember me" checkbox is not checked => yes
        Verify "Home" is visible => yes
        Check if the title is "Page" => yes
        Check "Home" is shown => yes
        Confirm that the page contains "Forgot" => yes
        Expect to see "Home" => yes
        I should see "Home" => yes
        Check the address is "http://site.test/" => yes
        Copy the text of "Home" into label => save e1 label
        Remember the title as t => t="Page"
        Save the attribute "href" of the link "Sign in" as where_to => save e2 where_to @href
        Read the text of "Home" => read e1
        Sign out => none []
        To sign in, click the button "Sign in" => click e6
        Submit the form by clicking "Sign in with Google" => click e8
        Click "Sign in" under the heading "Sign in" => click e6
        "#,
    );
    table(
        &pages::users(),
        r#"
        Click "Edit" for "Carol" => click e31
        Click the Edit link in the row where the name is "Carol" => click e31
        Click the third "Edit" link in the table => click e31
        Click the "Edit" link in the third row of the table => click e31
        Click the "Edit" link in the third row of the table "Users" => click e31
        Click "Edit" next to "Carol" => click e31
        Tick the checkbox next to "Bob Smith" => check e10
        Tick the checkboxes "Bob Smith" and "Carol" => check e10; check e30
        Select the checkbox in the row of "Carol" => check e30
        Delete "Bob Smith" => not literal
        Click the cell "Carol" => click role=cell[name="Carol"]
        "#,
    );
    table(
        &pages::settings(),
        r#"
        Select the option "Sweden" from the drop-down "Country" => select e7 Sweden
        Select the "Sweden" option in the Country list => select e7 Sweden
        Choose Sweden in Country => select e7 Sweden
        Choose "Sweden" as the country => select e7 Sweden
        Change "Country" to "Sweden" => select e7 Sweden
        Set "Dark mode" to on => check e11
        Set "Newsletter" to off => uncheck e13
        Set "Shipping" to "Express" => check e10
        Select the Express radio button => check e10
        Fill in "First name" with "" => fill e3 ""
        Type "2" into the spinner "Quantity" => fill e23 "2"
        Enter the date 2026-12-24 into "Birthday" => fill e5 "2026-12-24"
        Check the "Newsletter" box => check e13
        Check the box for "Newsletter" => check e13
        Check the boxes "Newsletter" and "I agree to the terms and conditions" => check e13; check e12
        Click "Save changes" and check that "Saved." is shown => click e17; yes
        Select "Profile" => click e1
        Choose "Express" under "Shipping" => check e10
        Choose the second option from "Country" => select e7 Sweden
        Scroll to the heading "Billing" => scroll role=heading[name="Billing"]
        Scroll down to "Card number" => scroll e20
        "#,
    );
}

#[test]
fn in_a_dialog_of_the_pages_own() {
    let page = fixture::snapshot(
        r#"
        - button "Cancel" [ref=e1]
        - dialog "Really?" [ref=e2]:
          - text: Sure?
          - button "Close" [ref=e3]
          - button "OK" [ref=e4]
          - button "Cancel" [ref=e5]
        "#,
    );
    table(
        &page,
        r#"
        Click the button in the dialog box labeled "OK". => click e4
        Click the button in the dialog labelled "Cancel" => click e5
        Click the "OK" button in the dialog "Really?" => click e4
        Click the button in the dialog labelled "Help" => none [dialog "Really?" [e2]]
        Close the dialog box by clicking the "x". => click e3
        Select nothing and click "OK" => click e4
        Select nothing, then click "OK" => click e4
        "#,
    );
}

#[test]
fn both_fields_cases_sliders_and_paths() {
    let page = fixture::snapshot(
        r#"
        - textbox "Password" [ref=e1]
        - textbox "Again" [ref=e2]
        - slider "Volume" [ref=e3] [type=range]: 5
        - menubar:
          - menuitem "File" [ref=e4]
          - menuitem "Export" [ref=e5]
          - menuitem "As PDF" [ref=e6]
        - button "Submit" [ref=e7]
        "#,
    );
    table(
        &page,
        r#"
        Enter the password "pw" into both text fields and press Submit. => fill e1 "pw" + fill e2 "pw"; click e7
        Type "pw" into both fields => fill e1 "pw" + fill e2 "pw"
        Type "pw" in all upper case letters into "Again" => fill e2 "PW"
        Type "Pw" in lower case into "Again" => fill e2 "pw"
        Set the slider to 7 => fill e3 "7"; nothing
        Move the slider to 7 => fill e3 "7"; nothing
        Move the slider "Volume" to 7 => fill e3 "7"; nothing
        Select 7 with the slider and hit Submit. => fill e3 "7"; nothing; click e7
        Select File>Export>As PDF => hover e4; click e4; hover e5; click e5; click e6
        Choose File > Export > As PDF => hover e4; click e4; hover e5; click e5; click e6
        Select "File" > "Export" => hover e4; click e4; click e5
        "#,
    );
    let opened = fixture::snapshot(
        r#"
        - menu:
          - menuitem "File" [ref=e1]
          - menu:
            - menuitem "Export" [ref=e2]
        - button "Tools" [ref=e3]
        - menu:
          - menuitem "Words" [ref=e4]
        "#,
    );
    table(
        &opened,
        r#"
        Choose File > Export => nothing; nothing; click e2
        Choose Tools > Words => nothing; click e3; click e4
        "#,
    );
    let three = fixture::snapshot("- textbox \"A\" [ref=e1]\n- textbox \"B\" [ref=e2]\n- textbox \"C\" [ref=e3]");
    table(&three, "Type \"pw\" into both fields => several 3");
    let text = fixture::snapshot("- textbox [ref=e1]\n- button \"Submit\" [ref=e2]");
    table(
        &text,
        r#"
        Type "ada" in all upper case letters in the text input and press Submit. => fill e1 "ADA"; click e2
        Type "ada" into the textarea => fill e1 "ada"
        "#,
    );
}

#[test]
fn a_slider_that_is_none_of_the_browsers_is_moved_by_keys_and_has_to_get_there() {
    let page = |value: &str, beside: &str| {
        fixture::snapshot(&format!("- slider \"Heat\" [ref=e1]: {value}\n- text: {beside}\n- button \"Go\" [ref=e2]"))
    };
    let step = "Set the slider \"Heat\" to 7";
    let on = |page: &Snapshot| outcome(step, page);
    // The same page twice: what is moved does not move.
    assert_eq!(
        on(&page("5", "")),
        "press ArrowRight in e1 + press ArrowRight; wrong slider \"Heat\" [e1], which stands at 5"
    );
    assert_eq!(
        on(&page("40%", "9")),
        "press ArrowLeft in e1 + press ArrowLeft; wrong slider \"Heat\" [e1], which stands at 9"
    );
    assert_eq!(on(&page("7", "9")), "nothing; nothing");
    assert_eq!(on(&page("40%", "warm")), "wrong slider \"Heat\" [e1]; wrong slider \"Heat\" [e1]");
    assert_eq!(on(&page("900", "")), on(&page("900", "7")), "its own value counts");
    assert!(on(&page("900", "")).starts_with("wrong"), "too far for keys");
}

#[test]
fn a_text_is_clicked_twice_and_not_the_box_beside_it() {
    let page = fixture::snapshot(
        r#"
        - list:
          - listitem:
            - checkbox "Buy milk" [ref=e2]
            - text: Buy milk
          - listitem:
            - button "Call Bo" [ref=e3]
        "#,
    );
    table(
        &page,
        r#"
        Double-click "Buy milk" => double text="Buy milk"
        Double-click "Call Bo" => double e3
        Double-click the checkbox "Buy milk" => double e2
        Click "Buy milk" => click e2
        "#,
    );
}

#[test]
fn the_next_page_of_a_list_is_behind_its_link() {
    let page = fixture::snapshot(
        r#"
        - navigation "Pages":
          - link "Previous" [ref=e1]
          - link "Next" [ref=e2]
        "#,
    );
    table(
        &page,
        r#"
        Go to the next page => click e2
        Click the next page => click e2
        Click the previous page => click e1
        "#,
    );
}

/// A tooltip that is the name of its element names it; a word somewhere in a longer one does not.
#[test]
fn tooltips() {
    let page = fixture::snapshot(
        r#"
        - heading "people"
        - link "View and edit SQL" [ref=e1] [title=select name, city from people limit 101]
        - button [ref=e2] [title=Close this panel]
        - button "x" [ref=e3] [title=Dismiss]
        "#,
    );
    table(
        &page,
        r#"
        Click the link "people" => wrong heading "people"
        Click "Close this panel" => click e2
        Click the "panel" button => click e2
        Click "Dismiss" => click e3
        "#,
    );
}

#[test]
fn a_row_beside_another_and_the_last_but_one_are_what_they_say() {
    let page = fixture::snapshot(
        r#"
        - table
          - row
            - cell "Bob"
            - button "Delete" [ref=e1]
          - row
            - cell "Ann"
            - button "Delete" [ref=e2]
          - row
            - cell "Zed"
            - button "Delete" [ref=e3]
        "#,
    );
    table(
        &page,
        r#"
        Click the last but one "Delete" button => click e2
        Click "Delete" in the row above "Ann" => click e1
        Click "Delete" in the row after "Ann" => click e3
        "#,
    );
    let refused = |step: &str| assert!(crate::read(step).is_err(), "{step}");
    refused("Click the last \"Delete\" but one");
    refused("Check that he is gone");
    refused("Click \"Delete\" in the row of \"Bob\" and make sure that he is gone");
    let one = fixture::snapshot("- table\n  - row\n    - cell \"Ann\"\n    - button \"Delete\" [ref=e1]\n");
    let sentence = crate::read("Click \"Delete\" in the row above \"Ann\"").expect("it reads");
    let crate::Clause::Do(instruction) = &sentence.clauses()[0] else { panic!("an instruction") };
    assert!(instruction.decide(&one).is_err(), "there is no row above");
}

#[test]
fn a_card_is_a_heading_and_what_follows_it() {
    let cards = fixture::snapshot(
        r#"
        - main
          - heading "Lamps" [level=1]
          - heading "Desk lamp" [level=3]
          - text: $24.50
          - button "Buy" [ref=e1]
          - heading "Floor lamp" [level=3]
          - text: $80.00
          - button "Buy" [ref=e2]
          - heading "Wall lamp" [level=3]
          - text: sold out
        - contentinfo
          - button "Buy" [ref=e3]
        "#,
    );
    table(
        &cards,
        r#"
        Click "Buy" for "Desk lamp" => click e1
        Click "Buy" for "Floor lamp" => click e2
        Click "Buy" for "Wall lamp" => none [button "Buy" [e1], button "Buy" [e2], button "Buy" [e3]]
        Click "Buy" for "Sea lamp" => none []
        "#,
    );
}

#[test]
fn cookies_are_accepted_by_what_their_banner_offers() {
    let banner = |buttons: &str| {
        fixture::snapshot(&format!("- main\n  - button \"Allow all\" [ref=e9]\n- text: We use cookies.\n{buttons}"))
    };
    let all = banner("- button \"Settings\" [ref=e1]\n- button \"Accept all\" [ref=e2]\n");
    table(&all, "Accept the cookies => click e2\nAccept all cookies => click e2\nAccept cookies => click e2");
    let plain = banner("- button \"Accept cookies\" [ref=e1]\n- button \"Only necessary\" [ref=e2]\n");
    table(&plain, "Accept the cookies => click e1");
    let other = fixture::snapshot("- button \"Accept all\" [ref=e1]\n- text: 3 invitations\n");
    table(&other, "Accept the cookies => none [button \"Accept all\" [e1]]");
}

#[test]
fn a_field_may_be_called_as_a_kind_of_text() {
    let form = fixture::snapshot(
        r#"
        - textbox "Customer" [ref=e1]
        - textbox "Amount" [ref=e2]
        - textbox "Message" [ref=e3]
        - combobox "Status" [ref=e4]: active
          - option "active" [selected]
          - option "blocked"
        - alert "Saved"
        "#,
    );
    table(
        &form,
        r#"
        Fill amount with 5 => fill e2 "5"
        Enter 1250 as amount => fill e2 "1250"
        Type "Hello" into the message => fill e3 "Hello"
        Check that the message says "Saved" => yes
        Type "Ops" into "Customer" and save => not literal
        "#,
    );
}

#[test]
fn a_click_on_a_row_or_an_item_never_presses_a_button_in_it() {
    let people = fixture::snapshot(
        "- table\n  - row\n    - cell \"Ada\"\n    - cell\n      - button \"Delete\" [ref=e1]\n  - row\n    - cell \"Bob\"\n    - cell\n      - button \"Delete\" [ref=e2]\n- list\n  - listitem\n    - text \"Cleo\"\n    - link \"Remove\" [ref=e3]: /remove\n  - listitem\n    - link \"Dora\" [ref=e4]\n    - button \"Delete\" [ref=e5]\n",
    );
    table(
        &people,
        r#"
        Click the row of "Bob" => click text="Bob"
        Click the cell "Bob" => click role=cell[name="Bob"]
        Click the list item "Cleo" => click text="Cleo"
        Click the list item "Dora" => click e4
        "#,
    );
}

#[test]
fn a_part_of_an_element_that_listens_for_all_of_its_parts_is_clicked_where_its_text_is() {
    let board =
        fixture::snapshot("- generic \"Write docs Fix login Ship beta\" [ref=e1]\n- button \"Save all\" [ref=e2]\n");
    table(
        &board,
        r#"
        Click "Fix login" => click text=Fix login
        Click "Write docs Fix login Ship beta" => click e1
        Click "Save" => click e2
        "#,
    );
}

/// A form without containers for its fields: each box belongs to the field after it.
#[test]
fn of_equal_boxes_the_one_beside_the_named_field_is_ticked() {
    let page = fixture::snapshot(
        r#"
        - form
          - checkbox "Allow updating this column." [ref=e1]
          - textbox "name" [ref=e2] [disabled]: Linus Torvalds
          - text: TEXT NOT NULL
          - checkbox "Allow updating this column." [ref=e3]
          - textbox "city" [ref=e4] [disabled]: Portland
          - text: TEXT
          - checkbox "Allow updating this column." [ref=e5]
          - textbox "credit" [ref=e6] [disabled]: 40.0
          - checkbox "Allow updating this column." [ref=e7]
          - textbox "phone" [ref=e8] [disabled]
        "#,
    );
    table(
        &page,
        r#"
        Tick "Allow updating this column." next to "city" => check e3
        Tick "Allow updating this column." beside "city" => check e3
        Tick "Allow updating this column." next to "name" => check e1
        Tick "Allow updating this column." next to "credit" => several 4
        Tick "Allow updating this column." => several 4
        "#,
    );
}
