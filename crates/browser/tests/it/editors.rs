//! Code editors and rich-text editors: one field each, whose value has the line breaks that people see. The fixtures have
//! the structure of the editors and none of their code.

use legwork_observe::{Node, Snapshot, full_text};

use crate::support::*;

fn fields(page: &Snapshot) -> Vec<&Node> {
    page.nodes.iter().filter(|node| &*node.role == "textbox").collect()
}

/// An editor of 300 lines that draws those from `first` to `last`, as Ace does. Its object is at its element.
fn ace(first: usize, last: usize) -> String {
    let line = |at: usize| {
        format!(
            "<div class=ace_line_group style='height:15px'><div class=ace_line style='height:15px'><span class=ace_keyword>let</span> <span>row</span>{at}</div></div>"
        )
    };
    let number =
        |at: usize| format!("<div class=ace_gutter-cell style='height:15px'>{at}<span class=fold></span></div>");
    let (lines, numbers): (String, String) = ((first..=last).map(line).collect(), (first..=last).map(number).collect());
    format!(
        "<div id=e class='ace_editor' style='position:relative;width:300px;height:75px;overflow:hidden'>
           <textarea class=ace_text-input style='opacity:0;position:absolute;width:1px;height:1px' aria-label=Source></textarea>
           <div style='position:absolute;left:0;top:0;width:40px'>{numbers}</div>
           <div class='ace_layer ace_text-layer' style='position:absolute;left:40px;top:0'>{lines}</div>
           <div class=ace_scrollbar-v style='position:absolute;right:0;top:0;height:75px;width:9px;overflow-y:scroll'>
             <div class=ace_scrollbar-inner style='height:4500px'>&nbsp;</div></div>
         </div><p>After</p>
         <script>e.env = {{ editor: {{ getValue: () => Array.from({{length: 300}}, (_, at) => 'let row' + (at + 1)).join('\\n') }} }}</script>"
    )
}

#[test]
fn a_code_editor_is_a_field_with_the_lines_that_it_draws() {
    run(async {
        let visit = visit(&ace(6, 10)).await;
        let page = visit.see().await;
        let fields = fields(&page);
        assert_eq!(fields.len(), 1);
        assert_eq!(&*fields[0].name, "Source");
        assert!(fields[0].states.editable() && !fields[0].states.unseen(), "{:?}", fields[0].states);
        assert_eq!(fields[0].value.as_deref(), Some("let row6\nlet row7\nlet row8\nlet row9\nlet row10"));
        let printed = full_text(&page, usize::MAX);
        assert!(printed.contains("let row6⏎let row7"), "{printed}");
        assert!(printed.contains("| lines 6–10 of about 300"), "{printed}");
        assert_eq!(printed.lines().count(), 2, "the drawn lines are not texts of the page as well: {printed}");
        let found = legwork_observe::find(&page, "row8", 400).unwrap();
        assert_eq!(found.matches, 1, "{}", found.text);
        let whole = visit.read("role=textbox[name=\"Source\"]").await;
        assert!(whole.starts_with("let row1\nlet row2\n") && whole.ends_with("let row300"), "{whole}");
    });
}

#[test]
fn a_short_text_of_a_code_editor_is_complete() {
    run(async {
        let visit = visit(
            "<div class='cm-editor' style='height:200px'><div class=cm-scroller><div class=cm-gutters>1 2</div>
             <div class=cm-content role=textbox contenteditable=true style='white-space:pre;min-height:200px'><div class=cm-line style='height:16px'>one</div><div class=cm-line style='height:16px'>  two</div></div>
             </div></div>",
        )
        .await;
        let page = visit.see().await;
        assert_eq!(fields(&page)[0].value.as_deref(), Some("one\n  two"));
        let printed = full_text(&page, usize::MAX);
        assert!(!printed.contains("lines") && printed.lines().count() == 1, "{printed}");
        assert_eq!(visit.read(".cm-content").await, "one\n  two", "without its object, the drawn text is read");
    });
}

#[test]
fn a_rich_text_editor_keeps_the_lines_of_its_blocks() {
    const TEXT: &str = "<p>Line <b>one</b></p><p><br></p><div>Line two<br>and <i>thr</i>ee</div>
        <ul><li>Item</li><li>Other</li></ul><table><tr><td>a</td><td>b</td></tr></table><p hidden>no</p><p><img alt=smile></p>";
    const LINES: &str = "Line one\n\nLine two\nand three\nItem\nOther\na b\nsmile";
    run(async {
        let visit = visit(&format!(
            "<div contenteditable=true>{TEXT}</div><div contenteditable=true style='white-space:pre-wrap'>x  y\nz</div><iframe srcdoc=\"<body contenteditable=true>{TEXT}</body>\"></iframe>"
        ))
        .await;
        let page = visit.see().await;
        let values: Vec<&str> = fields(&page).iter().filter_map(|field| field.value.as_deref()).collect();
        assert_eq!(values, [LINES, "x  y\nz", LINES]);
    });
}
