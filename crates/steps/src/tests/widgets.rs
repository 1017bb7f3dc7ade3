//! Sentences on pages as component libraries and admin applications build them.

use legwork_observe::fixture;

use super::table;

#[test]
fn a_menu_is_no_dialog_and_delete_is_not_delete_all() {
    let page = |rest: &str| {
        fixture::snapshot(&format!(
            "- dialog \"Confirm\":\n  - text: Delete selected items?\n  - button \"Cancel\" [ref=e1]\n  - button \"Yes, delete all\" [ref=e2]\n{rest}"
        ))
    };
    table(
        &page(""),
        r#"
        Click "Delete" in the menu => none []
        Click "Yes, delete all" in the menu => none []
        Click "Delete" in the drop-down => none []
        Click "Delete" in the dialog => none [button "Yes, delete all" [e2]]
        Click "Delete" => none [button "Yes, delete all" [e2]]
        Click "Yes, delete all" in the dialog => click e2
        "#,
    );
    table(
        &page(
            "- button \"With selected\" [ref=e3] [expanded]\n- menu:\n  - link \"Delete\" [ref=e4]\n- combobox \"Rows\" [ref=e5]: 10\n",
        ),
        r#"
        Click "Delete" in the menu => click e4
        Click "Delete" in the drop-down => click e4
        "#,
    );
}

#[test]
fn a_menu_button_may_be_a_button_that_is_called_menu() {
    let page = fixture::snapshot(
        "- generic \"menu\" [ref=e1]\n- button \"Save\" [ref=e2]\n- button \"Cancel\" [ref=e3]\n- text: Menu\n",
    );
    table(
        &page,
        r#"
        Click the menu button => click e1
        Click the save button => click e2
        "#,
    );
    table(&fixture::snapshot("- button \"File\" [ref=e1]\n"), "Click the menu button \"File\" => click e1");
}

#[test]
fn the_text_in_a_search_field_is_not_shown_by_the_page() {
    let page = |role: &str| {
        fixture::snapshot(&format!(
            "- {role} \"Search in list\" [ref=e1]: Fifteen\n- text: No matching records found\n"
        ))
    };
    table(
        &page("searchbox"),
        r#"
        Check that "Fifteen" is not shown => yes
        Check that "Fifteen" is shown => no
        Check that "Search in list" contains "Fifteen" => yes
        "#,
    );
    table(&page("textbox"), "Check that \"Fifteen\" is shown => yes");
}

#[test]
fn a_label_and_its_value_are_read_separately() {
    let page = fixture::snapshot("- text: State\n- text: Open\n- text: Total\n- text: 300\n");
    table(
        &page,
        r#"
        Save the text of "Total" as t => t="300"
        Check that "State" is "Open" => yes
        Check that "Total" is "3000" => no
        "#,
    );
}

#[test]
fn a_replaced_list_is_chosen_from_by_its_label() {
    let page = fixture::snapshot(
        r#"
        - combobox "Author" [ref=e1] [collapsed]: Search...
        - combobox "Tags" [ref=e2] [collapsed]: news
          - listitem:
            - button "Remove item" [ref=e3]
            - text: news
          - searchbox "Search" [ref=e4]
        "#,
    );
    table(
        &page,
        r#"
        Choose "Grace Hopper" from "Author" => select e1 Grace Hopper
        Choose "news" and "release" from "Tags" => select e2 news|release; wrong not chosen, although it was asked for
        "#,
    );
}

#[test]
fn of_two_links_with_one_name_the_visible_one_is_meant() {
    let page = fixture::snapshot(
        "- link \"Customers\" [ref=e1] [href=/c] [unseen]\n- link \"Customers\" [ref=e2] [href=/c]\n- link \"Home\" [ref=e3] [unseen]\n",
    );
    table(
        &page,
        r#"
        Click "Customers" => click e2
        Click "Home" => click e3
        "#,
    );
}
