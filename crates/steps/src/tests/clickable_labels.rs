//! Fields whose labels react to clicks, and tables with elements between their cells.

use legwork_observe::fixture;

use super::{conditions, table};

#[test]
fn a_label_that_reacts_to_clicks_is_the_label_of_the_field_after_it() {
    let page = fixture::snapshot(
        r#"
        - text: Author
        - text: Ada Lovelace
        - generic "Summary▾" [ref=e9] [actionable]
        - textbox [ref=e10]
        - generic "Title arrow_drop_down" [ref=e1] [actionable]
        - textbox [ref=e2]: Copper
        - text: Customer
        - text: Bob Stone
        - button "Notes" [ref=e11]
        - textbox [ref=e12]
        "#,
    );
    table(
        &page,
        r#"
        Type "Carla" into "Ada Lovelace" => none [textbox beside "Summary▾" [e10], textbox beside "Title arrow_drop_down" [e2], textbox [e12]]
        Type "x" into "Summary" => fill e10 "x"
        Set "Title" to "Tin" => fill e2 "Tin"
        Type "x" into "Bob Stone" => none [textbox beside "Summary▾" [e10], textbox beside "Title arrow_drop_down" [e2], textbox [e12]]
        Click "Summary" => click text=Summary
        "#,
    );
}

fn grid() -> legwork_observe::Snapshot {
    fixture::snapshot(
        r#"
        - grid
          - row
            - columnheader "Name"
            - generic "" [ref=e1] [actionable]
            - columnheader "City"
            - generic "" [ref=e2] [actionable]
          - row
            - gridcell "Customers in Vienna"
            - generic "" [ref=e11] [actionable]
          - row
            - gridcell "Initech" [ref=e3]
            - generic "" [ref=e4] [actionable]
            - gridcell "Graz" [ref=e5]
            - generic "" [ref=e6] [actionable]
          - row
            - gridcell "Globex" [ref=e7]
            - generic "" [ref=e8] [actionable]
            - gridcell "Wien" [ref=e9]
            - generic "" [ref=e10] [actionable]
        "#,
    )
}

#[test]
fn what_stands_between_cells_is_no_cell() {
    let page = grid();
    conditions(
        &page,
        &[],
        &[],
        r#"
        there are 2 rows => yes
        the city of "Globex" is "Wien" => yes
        the rows are sorted by "City" => yes
        "#,
    );
    table(&page, "Save the number of rows as n => n=2");
}

#[test]
fn a_cell_of_a_record_is_clicked() {
    table(
        &grid(),
        r#"
        Click the cell in the column "City" in the row of "Globex" => click e9
        Click the city of "Globex" => click e9
        Double-click the city of "Globex" => double e9
        Double-click the city of "Umbrella" => none [row "Customers in Vienna", row "Initech Graz", row "Globex Wien"]
        Set the city of "Globex" to "Steyr" => none []
        "#,
    );
    let step = crate::read("Set \"City\" in the row of \"Globex\" to \"Steyr\"").unwrap();
    let crate::Clause::Do(set) = &step.clauses()[0] else { panic!("it is an instruction") };
    let error = set.decide(&grid()).unwrap_err().to_string();
    assert!(error.contains("if a double click opens one: Double-click the city of \"Globex\""), "{error}");
}

#[test]
fn a_path_goes_through_items_of_menus_without_their_keys() {
    let page = fixture::snapshot(
        r#"
        - menubar
          - menuitem "File" [ref=e1] [expanded]
        - link "File" [ref=e9] [href=/file]
        - menu
          - menuitem "Save Text Ctrl+S" [ref=e2]
          - menuitem "Save Text As... Ctrl+Shift+S" [ref=e3]
          - menuitem "Text File" [ref=e4]
          - menuitem "Rename F2" [ref=e5]
        - button "Text File" [ref=e6]
        "#,
    );
    table(
        &page,
        r#"
        Choose File > Save Text => nothing; nothing; click e2
        Choose File > Text File => nothing; nothing; click e4
        Choose File > Rename => nothing; nothing; click e5
        Choose File > Print => hover e1; click e1; none [menuitem "File" [e1], link "File" [e9], menuitem "Text File" [e4], menuitem "Rename F2" [e5], button "Text File" [e6]]
        "#,
    );
}
