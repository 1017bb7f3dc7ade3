use std::io::Write;

use crate::{RowFile, Table};

fn read(name: &str, content: &[u8]) -> Result<Table, String> {
    let table = RowFile::with_content(name, content).unwrap().table(None);
    table.map_err(|error| error.problems.iter().map(|problem| format!("{problem}\n")).collect::<String>())
}

/// The table as one line per row.
fn shown(table: &Table) -> String {
    let cell = |cell: &Option<serde_json::Value>| cell.as_ref().map_or("-".to_owned(), ToString::to_string);
    let rows = table.rows.iter().map(|row| {
        let cells: Vec<_> = row.cells.iter().map(cell).collect();
        format!("{}@{} {}\n", row.number, row.line, cells.join(" "))
    });
    format!("{}\n{}", table.columns.join(" "), rows.collect::<String>())
}

#[track_caller]
fn check(name: &str, content: &[u8], expected: &str) {
    let read = read(name, content).map_or_else(|problems| problems, |table| shown(&table));
    assert_eq!(read.trim_end(), expected, "{name}");
}

#[test]
fn csv_with_quotes_marks_and_other_separators() {
    check(
        "a.csv",
        b"name, city\nAda,Oslo\n\"O\"\"Neil, Jo\",\n",
        "name city\n1@2 \"Ada\" \"Oslo\"\n2@3 \"O\\\"Neil, Jo\" -",
    );
    check(
        "a.csv",
        b"\xef\xbb\xbfname;city\r\n\"a\r\nb\";x\r\nc;y\r\n",
        "name city\n1@2 \"a\\r\\nb\" \"x\"\n2@4 \"c\" \"y\"",
    );
    check("a.tsv", b"name\tcity\nAda\tOslo", "name city\n1@2 \"Ada\" \"Oslo\"");
    check("a.csv", b"name\nAda\n\nBob\n", "name\n1@2 \"Ada\"\n2@4 \"Bob\"");
}

#[test]
fn invalid_csv_is_refused_with_its_place() {
    check("a.csv", b"", "the file is empty");
    check("a.csv", b"\n \n", "the file is empty");
    check("a.csv", b"name\n", "there are no rows below the column names");
    check(
        "a.csv",
        b"a,b\n1,2\n3\n4,5,6\n",
        "row 2 (line 3): the row has 1 cells, and there are 2 columns\nrow 3 (line 4): the row has 3 cells, and there are 2 columns",
    );
    check("a.csv", b"a,a,\n1,2,3\n", "column \"a\": there are two columns of this name\ncolumn 3 has no name");
    check("a.csv", b"a\nx\nJ\xf6rg\n", "line 3: the text is not UTF-8");
    check("a.csv", b"\xff\xfea\0", "line 1: the text is not UTF-8");
    check("a.csv", b"a\nx\x1b[31m\n", "row 1 (line 2), column \"a\": the control character U+001B is not allowed");
    check("a.csv", b"a\nx\n\"y\nz\n", "line 3: the text is not CSV: a quote that is opened here is never closed");
    let many = format!("a\n{}", "x\n".repeat(10_001));
    check("a.csv", many.as_bytes(), "there are more than 10000 rows");
    assert!(RowFile::with_content("rows.txt", "a").is_err());
}

#[test]
fn json_lines() {
    check(
        "a.jsonl",
        b"{\"name\": \"Ada\", \"age\": 36}\n\n{\"vip\": true, \"name\": null}\n",
        "name age vip\n1@1 \"Ada\" 36 -\n2@3 - - true",
    );
    check(
        "a.ndjson",
        b"{\"a\": 1}\n[1]\n{\"a\": \n",
        "row 2 (line 2): the line is not a JSON object\n\
         row 3 (line 3): the line is not JSON: EOF while parsing a value at line 1 column 6",
    );
    check(
        "a.jsonl",
        b"{\"a\": [1], \"b\": 1, \"b\": 2}\n",
        "row 1 (line 1), column \"a\": the value is a list; a text, a number, true or false is needed\nrow 1 (line 1), column \"b\": there are two columns of this name",
    );
}

/// A workbook with one sheet of these rows; a cell is the XML of a `<c>` element without its reference.
fn workbook(rows: &[&str]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut add = |name: &str, text: &str| {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    };
    let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    add("[Content_Types].xml", "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>");
    add(
        "_rels/.rels",
        &format!(
            "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{office}/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
        ),
    );
    add(
        "xl/workbook.xml",
        &format!(
            "<workbook xmlns=\"{main}\" xmlns:r=\"{office}\"><sheets><sheet name=\"Orders\" sheetId=\"1\" r:id=\"r1\"/></sheets></workbook>"
        ),
    );
    add(
        "xl/_rels/workbook.xml.rels",
        &format!(
            "<Relationships xmlns=\"{package}\"><Relationship Id=\"r1\" Type=\"{office}/worksheet\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"r2\" Type=\"{office}/styles\" Target=\"styles.xml\"/></Relationships>"
        ),
    );
    add(
        "xl/styles.xml",
        &format!(
            "<styleSheet xmlns=\"{main}\"><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>"
        ),
    );
    add(
        "xl/worksheets/sheet1.xml",
        &format!("<worksheet xmlns=\"{main}\"><sheetData>{}</sheetData></worksheet>", rows.concat()),
    );
    zip.finish().unwrap().into_inner()
}

const NAMES: &str = "<row r=\"2\"><c r=\"A2\" t=\"inlineStr\"><is><t>name</t></is></c><c r=\"B2\" t=\"inlineStr\"><is><t>count</t></is></c><c r=\"C2\" t=\"inlineStr\"><is><t>day</t></is></c></row>";

#[test]
fn a_sheet_of_a_workbook() {
    let book = workbook(&[
        NAMES,
        "<row r=\"3\"><c r=\"A3\" t=\"inlineStr\"><is><t>Ada</t></is></c><c r=\"B3\"><v>12</v></c><c r=\"C3\" s=\"1\"><v>46145</v></c></row>",
        "<row r=\"5\"><c r=\"A5\" t=\"b\"><v>1</v></c><c r=\"B5\"><v>2.5</v></c></row>",
    ]);
    check("a.xlsx", &book, "name count day\n1@3 \"Ada\" 12 \"2026-05-03\"\n2@5 true 2.5 -");
    let none = RowFile::with_content("a.xlsx", book).unwrap().table(Some("Cats")).unwrap_err();
    assert_eq!(none.problems[0].to_string(), "there is no sheet \"Cats\"; there is Orders");
}

#[test]
fn a_damaged_workbook_is_refused_and_a_far_cell_costs_no_memory() {
    let book = workbook(&[NAMES, "<row r=\"3\"><c r=\"A3\" t=\"e\"><v>#N/A</v></c></row>"]);
    check("a.xlsx", &book, "row 1 (line 3), column \"name\": the cell shows the error #N/A");
    let far = workbook(&[NAMES, "<row r=\"1048576\"><c r=\"XFD1048576\"><v>1</v></c></row>"]);
    check("a.xlsx", &far, "row 1 (line 1048576): the row has 16384 cells, and there are 3 columns");
    for cut in [0, 10, book.len() / 2, book.len() - 1] {
        assert!(read("a.xlsx", &book[..cut]).is_err(), "{cut}");
    }
    assert!(read("a.xlsx", b"not a workbook").unwrap_err().starts_with("the workbook cannot be read"));
}
