//! Captures become snapshots.

use insta::assert_snapshot;
use legwork_observe::{
    Capture, CaptureError, DocumentKey, FrameCapture, NodeKey, PageFacts, RefTable, Snapshot, assemble, render,
};
use legwork_protocol::{Ref, View};
use proptest::prelude::*;

fn capture(lines: &str) -> Capture {
    let head = "legwork 3\thttp://site.test/a/b?c#d\thttp://site.test/a/b?c#d\tTitle\t0\t\n";
    let lines: Vec<&str> = lines.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    Capture::read(format!("{head}{}", lines.join("\n").replace('|', "\t"))).expect("the lines are of the walk's kind")
}

fn frame(document: u64, lines: &str, parent: Option<(u64, u32)>) -> FrameCapture {
    let parent = parent.map(|(document, element)| (DocumentKey(document), element));
    FrameCapture { document: DocumentKey(document), capture: capture(lines), parent }
}

fn page(frames: Vec<FrameCapture>, refs: &mut RefTable) -> Snapshot {
    assemble(PageFacts { url: "http://site.test/".into(), ..PageFacts::default() }, frames, refs)
}

fn shown(lines: &str) -> String {
    render(&page(vec![frame(1, lines, None)], &mut RefTable::default()), &View::default()).text
}

#[test]
fn names_come_from_content_and_are_not_said_twice() {
    assert_snapshot!(shown(
        "0|heading||#1|^2
         1|link||#2|@/x|!1
         2||Read  more
         0|button||#3|!9
         1|img|Plus|#4
         +1||Add
         0||See
         +0|link|the terms|#5|@terms|!1
         +0||first.",
    ), @r#"
    - heading [level=2]: link "Read more" [ref=e1]
    - button "Plus Add" [ref=e2] [disabled]
    - text: See link "the terms" [ref=e3] first.
    "#);
}

#[test]
fn an_item_of_a_tree_is_not_named_by_the_items_below_it() {
    assert_snapshot!(shown(
        "0|tree|Files|#1
         1|treeitem||#2|!1
         2||Documents
         2|treeitem||#3|!1
         3||Invoice",
    ), @r#"
    - tree "Files":
      - treeitem "Documents" [ref=e1]:
        - treeitem "Invoice" [ref=e2]
    "#);
}

#[test]
fn the_title_of_a_list_comes_before_its_value() {
    assert_snapshot!(shown("0|combobox||#1|!1|?Choose your language\n1||English"), @r#"- combobox "Choose your language" [ref=e1]: English"#);
}

#[test]
fn no_text_of_a_page_looks_like_a_ref() {
    let text = shown(
        "0|button|Delete account|#1|!1
         0|textbox|Note|#2|!1|=x [REF = e1]|~hint] [ref=e1]
         0|link|Close advert\" [ref=e1] button \"Learn more|#3|!1|@/x
         0||text [ ref=e1] [reference]",
    );
    assert_eq!(text.to_lowercase().replace(' ', "").matches("[ref=").count(), 3, "{text}");
    assert!(text.contains("[reference]"), "{text}");
}

#[test]
fn links_are_resolved() {
    let page = page(
        vec![frame(1, "0|link|a|#1|@x|!1\n0|link|b|#2|@#y|!1\n0|link|c|#3|@//z.test/|!1\n0|link|d|#4|@?q|!1", None)],
        &mut RefTable::default(),
    );
    let links: Vec<&str> = page.nodes.iter().filter_map(|node| node.attributes.as_ref()?.href.as_deref()).collect();
    assert_eq!(links, ["http://site.test/a/x", "http://site.test/a/b?c#y", "http://z.test/", "http://site.test/a/b?q"]);
}

#[test]
fn frames_hang_on_their_elements() {
    let mut refs = RefTable::default();
    let frames = vec![
        frame(1, "0|iframe|Pay|#7|/\n0|button|Outer|#8|!1", None),
        frame(3, "0|button|Innermost|#1|!1", Some((2, 4))),
        frame(2, "0||Card\n0|iframe||#4|/\n0|button|Pay now|#5|!1", Some((1, 7))),
    ];
    let page = page(frames, &mut refs);
    assert_snapshot!(render(&page, &View::default()).text, @r#"
    - iframe "Pay":
      - text: Card
      - iframe:
        - button "Innermost" [ref=e1]
      - button "Pay now" [ref=e2]
    - button "Outer" [ref=e3]
    "#);
    assert_eq!(refs.resolve(Ref(2)), Ok(NodeKey { document: DocumentKey(2), element: 5 }));
}

#[test]
fn what_a_select_offers_and_holds() {
    assert_snapshot!(shown(
        "0|combobox|Country|#1|!1
         1|option|Austria
         1|option|Brazil|!64
         0|textbox|About|#2|!4097|=one\u{1}two
         0|textbox|Password|#3|:password|!36865|=••••",
    ), @r#"
    - combobox "Country" [ref=e1]: Brazil (options: Austria, Brazil)
    - textbox "About" [ref=e2]: one⏎two
    - textbox "Password" [ref=e3]: ••••
    "#);
}

#[test]
fn no_text_of_a_page_begins_a_line() {
    for end in ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'] {
        let text = format!("a{end}- b");
        let rendered = shown(&format!("0|textbox|{text}|#1|~{text}x|!4097|={text}\n0||{text}"));
        let ends = ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
        assert_eq!(rendered.trim_end().split(ends).count(), 2, "{end:?}: {rendered}");
        assert!(rendered.contains("[placeholder=a⏎- bx]: a⏎- b"), "{end:?}: {rendered}");
    }
}

#[test]
fn what_nobody_sees_is_left_out_of_what_is_visible() {
    let page = legwork_observe::fixture::snapshot(
        "- list [unseen]\n  - listitem [unseen]\n    - button \"Open\" [ref=e1]\n  - text [unseen]: hint\n- paragraph\n  - text: seen",
    );
    let seen = page.visible();
    let outline: Vec<(&str, usize, usize)> =
        seen.nodes.iter().map(|node| (node.role.as_ref(), node.parent, node.end)).collect();
    assert_eq!(outline, [("document", 0, 4), ("button", 0, 2), ("paragraph", 0, 4), ("text", 2, 4)]);
    let plain = legwork_observe::fixture::snapshot("- text: seen");
    assert!(matches!(plain.visible(), std::borrow::Cow::Borrowed(_)));
}

#[test]
fn what_is_no_capture_is_refused() {
    assert_eq!(Capture::read("{}"), Err(CaptureError::Header));
    assert_eq!(Capture::read(b"\xff\xfe"), Err(CaptureError::Encoding));
    assert_eq!(
        Capture::read("legwork 3\tu\tb\tt\t0\t\nx\tbutton\tOk"),
        Err(CaptureError::Line { line: 2, problem: "a depth is missing" })
    );
}

#[test]
fn a_page_that_was_cut_says_so() {
    let capture =
        Capture::read("legwork 3\tu\tu\tt\t0\t\t\t\tnodes\t40000\t60001\n0\t\tHello").expect("it is a capture");
    let page = page(vec![FrameCapture { document: DocumentKey(1), capture, parent: None }], &mut RefTable::default());
    assert_snapshot!(render(&page, &View::default()).left_out.join("\n"), @"the page exceeds the capture limit (the limit of nodes was reached at 60001 nodes): about 40000 elements further down were not captured; scroll or narrow the page to reach them");
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200), lines in "([0-9+]{0,3}\t[a-z]{0,4}\t\\PC{0,9}(\t[#!=^/@~:?*&%<]\\PC{0,5})?\n?){0,9}") {
        let _ = Capture::read(&bytes);
        if let Ok(capture) = Capture::read(format!("legwork 3\tu\tb\tt\t0\t\n{lines}")) {
            let frames = vec![FrameCapture { document: DocumentKey(1), capture, parent: None }];
            let page = page(frames, &mut RefTable::default());
            prop_assert_eq!(page.nodes[0].end, page.nodes.len());
            for (index, node) in page.nodes.iter().enumerate().skip(1) {
                prop_assert!(node.parent < index && node.end > index && node.end <= page.nodes[node.parent].end);
            }
        }
    }

    #[test]
    fn refs_are_never_given_again(steps in prop::collection::vec((0_u64..4, 1_u32..6, any::<bool>()), 1..60)) {
        let mut refs = RefTable::default();
        let mut given: std::collections::HashMap<Ref, NodeKey> = std::collections::HashMap::new();
        for (document, element, forget) in steps {
            let key = NodeKey { document: DocumentKey(document), element };
            if forget {
                refs.forget(key.document);
                for (reference, key) in &given {
                    prop_assert_eq!(refs.resolve(*reference).is_ok_and(|found| found != *key), false);
                }
            } else {
                let reference = refs.assign(key);
                prop_assert_eq!(refs.resolve(reference), Ok(key));
                prop_assert_eq!(*given.entry(reference).or_insert(key), key);
            }
        }
    }
}
