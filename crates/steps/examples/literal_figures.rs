//! How long a sentence takes on a very large page: `cargo run --release -p legwork-steps --example
//! literal_figures`. The page is a table of 10,000 rows, 70,000 nodes in all; what is looked for stands at its end.

use std::{hint::black_box, time::Instant};

use legwork_observe::{Snapshot, fixture};
use legwork_steps::{Clause, read};

const SENTENCES: [&str; 8] = [
    r#"Click "Place order""#,
    "Click Place order",
    r#"Click the button "Place order""#,
    r#"Click the "Edit" link in the row of "Customer 9999""#,
    r#"Type "Ada" into "Remark""#,
    r#"Tick "The customer accepts""#,
    r#"Save the text of "Sum total" as total"#,
    r#"Click "There is no such thing""#,
];
const TIMES: usize = 15;

fn main() {
    let page = page();
    println!("{} nodes", page.nodes.len());
    for sentence in SENTENCES {
        let clauses = read(sentence).expect("a sentence that is understood").into_clauses();
        let [Clause::Do(instruction)] = clauses.as_slice() else { panic!("one thing to do: {sentence}") };
        let mut took: Vec<f64> = (0..TIMES)
            .map(|_| {
                let began = Instant::now();
                let _ = black_box(instruction.decide(&page));
                began.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        took.sort_by(f64::total_cmp);
        let end = match instruction.decide(&page) {
            Ok(actions) => actions.first().map_or_else(String::new, |action| action.name().to_owned()),
            Err(_) => "nothing fits".to_owned(),
        };
        println!("{:>8.2} ms  {sentence}  → {end}", took[TIMES / 2]);
    }
}

fn page() -> Snapshot {
    let mut text = String::from("- heading \"Orders\" [level=1]\n- table \"Orders\"\n");
    for row in 0..10_000 {
        let edit = row * 2 + 1;
        text.push_str(&format!(
            "  - row\n    - cell \"Customer {row}\"\n    - cell\n      - text: Anchor line 16 mm\n"
        ));
        text.push_str(&format!(
            "    - cell\n      - link \"Edit\" [ref=e{edit}] [href=http://site.test/orders/{row}]\n"
        ));
        text.push_str(&format!("    - checkbox \"Choose the order of Customer {row}\" [ref=e{}]\n", edit + 1));
    }
    text.push_str(
        "- textbox \"Remark\" [ref=e30001]\n- checkbox \"The customer accepts the terms\" [ref=e30002]\n\
         - paragraph \"Sum total: 12 €\"\n- button \"Place order\" [ref=e30003]\n",
    );
    fixture::snapshot(&text)
}
