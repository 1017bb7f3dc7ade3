//! Pages of the kinds people meet.

use legwork_observe::{Snapshot, fixture};
use legwork_protocol::TabInfo;

pub(super) fn login() -> Snapshot {
    fixture::snapshot(
        r#"
        - banner
          - link "Home" [ref=e1] [href=http://site.test/]
          - link "Sign in" [ref=e2] [href=http://site.test/login]
        - main
          - heading "Sign in" [level=1]
          - form
            - textbox "User name:" [ref=e3] [required] [id=id_username]
            - textbox "Password" [ref=e4] [type=password] [secret]
            - checkbox "Remember me" [ref=e5]
            - button "Sign in" [ref=e6] [type=submit]
            - link "Forgot password?" [ref=e7] [href=http://site.test/forgot]
          - button "Sign in with Google" [ref=e8]
        - searchbox [ref=e9] [placeholder=Search the site]
        "#,
    )
}

/// Buttons named with words that also stand for something else.
pub(super) fn numbered() -> Snapshot {
    fixture::snapshot(
        r#"
        - button "TWO" [ref=e1]
        - button "ONE" [ref=e2]
        - textbox [ref=e3]
        - textbox [ref=e4]
        "#,
    )
}

pub(super) fn shop() -> Snapshot {
    let mut page = fixture::snapshot(
        r#"
        - navigation "Main"
          - link "Lamps" [ref=e1] [href=/lamps]
          - link "Chairs" [ref=e2] [href=/chairs]
        - heading "Products" [level=1]
        - combobox "Sort by" [ref=e3] [collapsed]: Name
          - option "Name" [selected]
          - option "Price, low to high"
          - option "Price, high to low"
        - group "Colour"
          - checkbox "Red" [ref=e4]
          - checkbox "Blue" [ref=e5] [checked]
        - slider "Maximum price" [ref=e6] [type=range]: 50
        - list "Results"
          - listitem
            - link "Desk lamp" [ref=e10] [href=/p/1]
              - img "Desk lamp"
            - heading [level=3]
              - link "Desk lamp" [ref=e11] [href=/p/1]
            - text: $24.50
            - button "Add to cart" [ref=e12]
          - listitem
            - heading [level=3]
              - link "Floor lamp" [ref=e13] [href=/p/2]
            - text: $80.00
            - button "Add to cart" [ref=e14]
          - listitem
            - heading [level=3]
              - link "Tiny lamp" [ref=e15] [href=/p/3]
            - text: $9.00
            - button "Add to cart" [ref=e16] [disabled]
        - heading "Your cart" [level=2]
        - text: Items: 2
        - text: Total
        - text: $104.50
        - button "Check out" [ref=e20]
        - link "2" [ref=e21] [href=/list?page=2]
        - link "Next page" [ref=e22] [href=/list?page=2&n]
        - generic [ref=e23]
          - text: Clear all filters
        "#,
    );
    page.url = "http://shop.test/list?page=1".into();
    page.title = "Products – Shop".into();
    page.tabs = vec![
        TabInfo { number: 1, title: "Shop".into(), url: "http://shop.test/list".into(), current: true },
        TabInfo { number: 3, title: "Help".into(), url: "http://shop.test/help".into(), current: false },
    ];
    page
}

pub(super) fn users() -> Snapshot {
    fixture::snapshot(
        r#"
        - heading "Users" [level=1]
        - textbox [ref=e1] [placeholder=Filter by name]
        - button "New user" [ref=e2]
        - table "Users"
          - row
            - columnheader "Name" [ref=e3]
            - columnheader "Role" [ref=e4]
            - columnheader "Amount"
            - columnheader
          - row
            - cell "Bob Smith"
            - cell "admin"
            - cell "1,200"
            - cell
              - checkbox [ref=e10]
              - link "Edit" [ref=e11] [href=/u/1]
              - button "Delete" [ref=e12]
          - row
            - cell "Bobby Tables"
            - cell "user"
            - cell "80"
            - cell
              - checkbox [ref=e20] [checked]
              - link "Edit" [ref=e21] [href=/u/2]
              - button "Delete" [ref=e22]
          - row
            - cell "Carol"
            - cell "user"
            - cell "7"
            - cell
              - checkbox [ref=e30]
              - link "Edit" [ref=e31] [href=/u/3]
              - button "Delete" [ref=e32] [disabled]
        - text: 3 users
        "#,
    )
}

pub(super) fn settings() -> Snapshot {
    fixture::snapshot(
        r#"
        - tablist
          - tab "Profile" [ref=e1] [selected]
          - tab "Billing" [ref=e2]
        - heading "Profile" [level=2]
        - table
          - row
            - cell "First name"
            - cell
              - textbox [ref=e3]: Ada
          - row
            - cell "Last name"
            - cell
              - textbox [ref=e4]
        - textbox "Birthday" [ref=e5] [type=date]
        - textbox "Meeting" [ref=e6] [type=time]
        - combobox "Country" [ref=e7]: Norway
          - option "Norway" [selected]
          - option "Sweden"
        - listbox "Languages" [ref=e8] [multiple]
          - option "English"
          - option "French"
          - option "German"
        - radiogroup "Shipping"
          - radio "Standard" [ref=e9] [checked]
          - radio "Express" [ref=e10]
        - switch "Dark mode" [ref=e11]
        - checkbox "I agree to the terms and conditions" [ref=e12]
        - checkbox "Newsletter" [ref=e13] [checked]
        - button "Choose file" [ref=e14] [type=file]
        - textbox "Notes" [ref=e15] [editable]: old text
        - button "Advanced" [ref=e16] [collapsed]
        - button "Save changes" [ref=e17]
        - heading "Address" [level=2]
        - textbox "Street" [ref=e18]
        - button "Edit" [ref=e19]
        - heading "Billing" [level=2]
        - textbox "Card number" [ref=e20]
        - textbox "Street" [ref=e21]
        - button "Edit" [ref=e22]
        - spinbutton "Quantity" [ref=e23]: 1
        - alert "Saved."
        "#,
    )
}

pub(super) fn admin() -> Snapshot {
    fixture::snapshot(
        r#"
        - banner
          - link "Django administration" [ref=e1] [href=/admin/]
          - text: Welcome,
          - strong "admin"
          - button "Log out" [ref=e2]
        - navigation "Breadcrumbs"
          - link "Home" [ref=e3] [href=/admin/]
          - link "Polls" [ref=e4] [href=/admin/polls/]
        - navigation "Sidebar"
          - searchbox "Filter navigation items" [ref=e90] [type=search]
          - table "Authentication and Authorization"
            - row
              - rowheader
                - link "Groups" [ref=e5] [href=/admin/auth/group/]
              - cell
                - link "Add" [ref=e6] [href=/admin/auth/group/add/]
            - row
              - rowheader
                - link "Users" [ref=e7] [href=/admin/auth/user/]
              - cell
                - link "Add" [ref=e8] [href=/admin/auth/user/add/]
        - main
          - heading "Select question to change" [level=1]
          - link "Add question" [ref=e9] [href=/admin/polls/question/add/]
          - search
            - textbox [ref=e10] [id=searchbar]
            - button "Search" [ref=e11] [type=submit]
          - combobox "Action:" [ref=e12]: ---------
            - option "---------" [selected]
            - option "Delete selected questions"
          - button "Go" [ref=e13]
          - text: 0 of 2 selected
          - table
            - row
              - columnheader
                - checkbox "Select all objects on this page for an action" [ref=e14]
              - columnheader "Question text"
                - link "Question text" [ref=e15] [href=?o=1]
              - columnheader "Date published"
                - link "Date published" [ref=e16] [href=?o=2]
            - row
              - cell
                - checkbox "Select this object for an action - What's new?" [ref=e17]
              - rowheader "What's new?"
                - link "What's new?" [ref=e18] [href=/admin/polls/question/1/change/]
              - cell "Nov. 20, 2026"
            - row
              - cell
                - checkbox "Select this object for an action - Coffee or tea?" [ref=e19]
              - rowheader "Coffee or tea?"
                - link "Coffee or tea?" [ref=e20] [href=/admin/polls/question/2/change/]
              - cell "Nov. 21, 2026"
          - text: 2 questions
          - complementary
            - heading "Filter" [level=2]
            - heading "By date published" [level=3]
            - list
              - listitem
                - link "Any date" [ref=e21] [href=?]
              - listitem
                - link "Today" [ref=e22] [href=?today]
        - button "SAVE" [ref=e23]
        - button "Save and add another" [ref=e24]
        - button "Save and continue editing" [ref=e25]
        - list
          - listitem "The question “Tea?” was added successfully."
        "#,
    )
}

pub(super) fn wiki() -> Snapshot {
    fixture::snapshot(
        r#"
        - button "create a new tiddler" [ref=e1]
        - button "save wiki" [ref=e2]
        - searchbox [ref=e3] [type=search]
        - article "Draft of 'New Tiddler'"
          - button "delete this tiddler" [ref=e4]
          - button "cancel editing this tiddler" [ref=e5]
          - button "confirm changes to this tiddler" [ref=e6]
          - textbox [ref=e7]: New Tiddler
          - iframe "editor" [ref=e8]
            - textbox [ref=e9] [placeholder=Type the text for this tiddler]
          - textbox [ref=e10] [placeholder=tag name]
        - article "GettingStarted"
          - heading "GettingStarted" [level=2]
          - button "edit this tiddler" [ref=e11]
          - link "HelloThere" [ref=e12] [href=#HelloThere]
          - text: Welcome to
          - strong "TiddlyWiki"
        - tablist
          - tab "Open" [ref=e13] [selected]
          - tab "Recent" [ref=e14]
        "#,
    )
}

pub(super) fn dialogs() -> Snapshot {
    fixture::snapshot(
        r#"
        - heading "Files" [level=1]
        - button "Delete" [ref=e1]
        - button "Close" [ref=e2]
        - dialog "Delete file?"
          - heading "Delete file?" [level=2]
          - text: This cannot be undone.
          - textbox "Reason" [ref=e3] [focused]
          - button "Cancel" [ref=e4]
          - button "Delete" [ref=e5]
        "#,
    )
}
