//! What a task costs in tokens, measured over scripts: an order in ten actions, an observation after each.

use legwork_agent::{InvestigationMode, ModelRules, Rules, schema::Form};
use legwork_observe::tokens::count;
use legwork_protocol::{Purpose, RunStart, Status};

use crate::{
    support::start,
    world::{Played, World},
};

/// A form with a counter above a list of links, after so many of the ten actions.
fn order(done: usize) -> String {
    let after = |action: usize, text: &str| if done >= action { format!(": {text}") } else { String::new() };
    let focus = |actions: &[usize]| if actions.contains(&done) { " [focused]" } else { "" };
    let field = |name: &str, at: usize, action: usize, value: &str| {
        format!("- text: {name}\n- textbox \"{name}\" [ref=e{at}]{}{}\n", focus(&[action]), after(action, value))
    };
    let quantity = [0, 0, 0, 0, 1, 2, 1, 2][done.min(7)];
    let links: String = (0..20)
        .map(|at| {
            format!("- link \"{} harbour stone {at}\" [ref=e{}]\n", ["river", "signal", "winter"][at % 3], at + 9)
        })
        .collect();
    [
        "- heading \"Order\" [level=1]\n",
        &field("Name", 1, 1, "Ada Lovelace"),
        &field("Email", 2, 2, "ada@example.org"),
        &field("City", 3, 3, "London"),
        &field("Comment", 4, 8, "Ring twice"),
        &format!("- status: Quantity: {quantity}\n"),
        &format!("- button \"Plus one\" [ref=e5]{}\n", focus(&[4, 5, 7])),
        &format!("- button \"Minus one\" [ref=e6]{}\n", focus(&[6])),
        &format!("- button \"Gift wrap\" [ref=e7]{}\n", focus(&[9])),
        &format!("- button \"Place order\" [ref=e8]{}\n", focus(&[10])),
        &format!("- status{}\n", after(10, "Order placed")),
        &links,
    ]
    .concat()
}

const TEN: [&str; 11] = [
    r#"fill e1 "Ada Lovelace""#,
    r#"fill e2 "ada@example.org""#,
    r#"fill e3 "London""#,
    "click e5",
    "click e5",
    "click e6",
    "click e5",
    r#"fill e4 "Ring twice""#,
    "click e7",
    "click e8",
    r#"done "done""#,
];

fn says(command: &str, confidence: f64) -> String {
    serde_json::json!({ "why": "next", "do": command, "confidence": confidence }).to_string()
}

fn task() -> RunStart {
    let sentences = "type \"Ada Lovelace\" into the Name field; type \"ada@example.org\" into the Email field; type \"London\" into the City field; click the \"Plus one\" button; click the \"Plus one\" button; click the \"Minus one\" button; click the \"Plus one\" button; type \"Ring twice\" into the Comment field; click the \"Gift wrap\" button; click the \"Place order\" button";
    RunStart { task: true, ..start(&[sentences]) }
}

fn rules(mode: InvestigationMode) -> Rules {
    let mut model = ModelRules::default();
    model.schema.form = Form::Line;
    model.native_schema = false;
    let mut rules = Rules { model: Some(model), ..Rules::default() };
    rules.decider = legwork_agent::DeciderChoice::Model;
    rules.thinking.planning = legwork_agent::Trigger::Never;
    rules.investigation.mode = mode;
    rules
}

/// The ten actions; the nth decision of confidence `doubts`.
fn play(mode: InvestigationMode, doubts: Option<usize>) -> Played {
    let reply = |(at, command): (usize, &&str)| says(command, if doubts == Some(at) { 0.2 } else { 0.9 });
    let replies: Vec<String> = TEN.iter().enumerate().map(reply).collect();
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    let found = r#"{"insight":"An order form with a counter.","confidence":0.9,"target":"e6","purpose":"take one off","tool":null,"on":null}"#;
    let world = World { pages: (0..=10).map(order).collect(), ..World::default() };
    let world = world.replies(Purpose::Act, &replies).replies(Purpose::Investigate, &[found]);
    let played = world.play(task(), rules(mode));
    assert_eq!((played.outcome.status, played.done.len()), (Status::Success, 10));
    played
}

/// The tokens of the beginning that both have, as a provider's cache counts them.
fn shared(one: &str, other: &str) -> usize {
    let same = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    count(&other[..same])
}

#[test]
fn ten_actions_share_their_beginnings_and_stay_few() {
    let played = play(InvestigationMode::Auto, None);
    let prompts: Vec<&str> = played.asked.iter().map(|(_, prompt, _)| prompt.as_str()).collect();
    assert_eq!(prompts.len(), 11);
    let shares: Vec<f64> =
        prompts.windows(2).map(|pair| shared(pair[0], pair[1]) as f64 / count(pair[1]) as f64).collect();
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    assert!(mean >= 0.78, "{mean:.3} {shares:.2?}");
    assert!(played.tokens() <= 7_200, "{}", played.tokens());
}

/// The same task by the same strong policy, with and without looking into the page.
#[test]
fn what_an_investigation_costs() {
    let row = |what: &str, played: &Played| {
        let (acts, investigations) = (played.calls(Purpose::Act), played.calls(Purpose::Investigate));
        format!("{what}: {acts} decisions, {investigations} investigations, {} prompt tokens", played.tokens())
    };
    use InvestigationMode::{Always, Auto, Never};
    let rows = [
        row("never", &play(Never, None)),
        row("auto, sure of everything", &play(Auto, None)),
        row("auto, in doubt about the sixth action", &play(Auto, Some(5))),
        row("always", &play(Always, None)),
    ];
    insta::assert_snapshot!(rows.join("\n"), @r"
    never: 11 decisions, 0 investigations, 7176 prompt tokens
    auto, sure of everything: 11 decisions, 0 investigations, 7176 prompt tokens
    auto, in doubt about the sixth action: 11 decisions, 1 investigations, 7958 prompt tokens
    always: 11 decisions, 1 investigations, 7965 prompt tokens
    ");
}

/// Orders in rows with a box each; `ticked` is the row whose box is checked.
fn orders(ticked: Option<usize>) -> String {
    let mut page = "- table\n".to_owned();
    for row in 1..=50 {
        let state = if ticked == Some(row) { " [checked]" } else { "" };
        page.push_str(&format!(
            "  - row\n    - cell\n      - checkbox \"Select row\" [ref=e{}]{state}\n    - cell \"{row}\"\n    - cell \"Lamp {row}\"\n    - cell\n      - link \"Delete\" [ref=e{}]\n",
            2 * row,
            2 * row + 1
        ));
    }
    let state = if ticked.is_some() { "" } else { " [disabled]" };
    page + &format!("- button \"Bulk delete\" [ref=e200]{state}\n")
}

#[test]
fn a_page_that_fits_keeps_all_of_its_rows_after_one_was_ticked() {
    let replies = [says("click e48", 0.9), says(r#"done "ticked""#, 0.9)];
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    let world = World { pages: vec![orders(None), orders(Some(24))], ..World::default() };
    let task = RunStart { task: true, ..start(&["tick the order 24"]) };
    let played = world.replies(Purpose::Act, &replies).play(task, rules(InvestigationMode::Never));
    let prompt = played.prompt(Purpose::Act, 1);
    for row in 3..=50 {
        assert!(prompt.contains(&format!("e{}–e{} {row} | Lamp {row}", 2 * row, 2 * row + 1)), "{row}: {prompt}");
    }
    assert!(prompt.contains(r#"checkbox "Select row" [ref=e48] [checked]"#), "{prompt}");
}
