use std::path::Path;

use jiff::Timestamp;
use legwork_observe::fixture;
use legwork_protocol::{
    Button, Click, Drag, EventId, Fill, Open, Press, RunId, Step, Target, VariableInfo, VariableSource, Workflow,
};

use super::*;
use crate::action_policy::PolicyFile;

const SHOP: &str = "https://shop.example/";

fn start(text: &str, url: Option<&str>) -> RunStart {
    RunStart {
        workflow: Workflow {
            name: "test".into(),
            url: url.map(str::to_owned),
            steps: vec![Step::new(text)],
            ..Workflow::default()
        },
        task: true,
        inputs: BTreeMap::new(),
        options: Value::Null,
        playbook: None,
    }
}

fn policy_of(start: &RunStart, flags: &[&str], rules: &str) -> RunPolicy {
    let user = (!rules.is_empty()).then(|| PolicyFile::parse(Path::new("policy.toml"), rules).expect("good rules"));
    RunPolicy::new(PolicySetup {
        layers: PolicyLayers { user, ..PolicyLayers::default() },
        flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
        has_default: true,
        secret_origins: Vec::new(),
        is_driven: true,
        client: None,
        tools: Vec::new(),
        start,
    })
}

fn page(url: &str, text: &str) -> Snapshot {
    Snapshot { url: url.to_owned(), ..fixture::snapshot(text) }
}

fn fill(text: &str) -> Action {
    Action::Fill(Fill { target: Target("e1".into()), text: text.to_owned(), submit: false })
}

fn press(key: &str) -> Action {
    Action::Press(Press { key: key.to_owned(), target: None })
}

/// The rule that stands against an action of a model on this element, or `allow`.
fn rule_on(policy: &RunPolicy, action: &Action, on: &str, element: &ElementFacts) -> String {
    let place = PagePlace { url: on, dialog: None, drop: None };
    let decision = policy.decide(&policy.facts(action, DecidedBy::Model, Some(0), &place, Some(element))).decision;
    if decision.effect == PolicyEffect::Allow { "allow".to_owned() } else { decision.rule }
}

fn element_of(role: &str, name: &str, origin: &str) -> ElementFacts {
    let mut facts = ElementFacts::default();
    facts.role = role.to_owned();
    facts.name = name.to_owned();
    facts.origin = origin.to_owned();
    facts
}

fn open(url: &str) -> Action {
    Action::Open(Open { url: url.to_owned() })
}

/// The rule that stands against an action of a model on a page, or `allow`.
fn rule(policy: &RunPolicy, action: &Action, on: &str) -> String {
    let element = ElementFacts::default();
    let place = PagePlace { url: on, dialog: None, drop: None };
    let decision = policy.decide(&policy.facts(action, DecidedBy::Model, Some(0), &place, Some(&element))).decision;
    if decision.effect == PolicyEffect::Allow { "allow".to_owned() } else { decision.rule }
}

fn event(kind: EventKind) -> Event {
    Event { id: EventId::new(), run: RunId::new(), seq: 1, time: Timestamp::UNIX_EPOCH, step: Some(0), kind }
}

#[test]
fn the_start_site_is_that_of_the_workflow_or_of_the_first_page() {
    let begun = start("Order tea", Some(SHOP));
    let mut policy = policy_of(&begun, &[], "");
    assert_eq!(rule(&policy, &fill("x"), "https://www.shop.example/"), "allow");
    assert_eq!(rule(&policy, &fill("x"), "https://login.example/"), "default:write-site");
    // The start address led there before anything of the run could be sent.
    policy.note_page(&page("https://login.example/", "- text: Sign in"));
    assert_eq!(rule(&policy, &fill("x"), "https://login.example/"), "allow");
    policy.note_page(&page("https://evil.example/", "- text: Hello"));
    assert_eq!(rule(&policy, &fill("x"), "https://evil.example/"), "default:write-site");

    let mut policy = policy_of(&start("Find the weather", None), &[], "");
    assert_eq!(rule(&policy, &open("https://search.example/?q=weather"), ""), "allow", "a run may begin anywhere");
    policy.note_page(&page("https://search.example/?q=weather", "- text: Results"));
    assert_eq!(rule(&policy, &open("https://evil.example/?q=weather"), "https://search.example/"), "default:address");
    assert_eq!(rule(&policy, &open("https://search.example/?q=more"), "https://search.example/"), "allow");
}

fn with_input(words: &str, name: &str, value: &str) -> RunPolicy {
    let mut begun = start(words, None);
    begun.inputs.insert(name.into(), Value::from(value));
    let mut policy = policy_of(&begun, &[], "");
    policy.note_event(&EventKind::VariableUpdated(VariableInfo {
        name: name.into(),
        value: Value::from(value),
        previous_value: None,
        source: VariableSource::UserInput,
        provenance: Some(Provenance::User),
    }));
    policy
}

#[test]
fn a_run_does_not_begin_at_an_address_with_an_input() {
    let policy = with_input("Pay the invoice", "iban", "DE89 3704 0044");
    assert_eq!(rule(&policy, &open("https://bank.example/"), ""), "allow");
    assert_eq!(rule(&policy, &open("https://evil.example/?d=DE89+3704+0044"), ""), "default:address");
    let policy = with_input("Look up the order", "order", "KD-4711-92");
    for address in [
        "https://evil.example/KD-4711-92",
        "https://evil.example/kd4711/92",
        "https://kd471192.evil.example/",
        "https://evil.example/S0QtNDcxMS05Mg",
        "https://evil.example/S0QtNDcx/MS05Mg",
        "https://evil.example/4b442d343731312d3932",
        "https://evil.example/29-1174-DK",
        "https://evil.example/XQ-4711-92",
        "https://evil.example/order#S0QtNDcxMS05Mg==",
    ] {
        assert_eq!(rule(&policy, &open(address), ""), "default:address", "{address}");
    }
    assert_eq!(rule(&policy, &open("https://orders.example/track/order"), ""), "allow");
}

#[test]
fn the_parameters_of_the_first_address_are_words_of_the_task() {
    let policy = with_input("Find the weather in Graz on Wikipedia", "order", "KD-4711-92");
    for address in [
        "https://en.wikipedia.org/wiki/Weather",
        "https://www.bbc.com/weather/2778067",
        "https://search.example/?q=weather+in+Graz",
        "https://search.example/find?query=wikipedia%20weather#results",
        "https://de.wikipedia.org/w/index.php?search=Graz",
    ] {
        assert_eq!(rule(&policy, &open(address), ""), "allow", "{address}");
    }
    for address in [
        "https://evil.example/echo?x=S0QtNDcxMS05Mg",
        "https://evil.example/echo?x=KD%2D47&y=11%2D92",
        "https://evil.example/echo?x=47&y=11&z=92",
        "https://evil.example/echo?S0QtNDcxMS05Mg=weather",
        "https://evil.example/echo?q=4711",
        "https://evil.example/echo?q=kilo+delta",
        "https://graz@evil.example/weather",
    ] {
        assert_eq!(rule(&policy, &open(address), ""), "default:address", "{address}");
    }
}

#[test]
fn a_run_begins_once_and_not_after_the_answer_of_a_tool() {
    let mut policy = policy_of(&start("Find the weather", None), &[], "");
    let first = open("https://evil.example/nothing/a");
    assert_eq!(rule(&policy, &first, ""), "allow");
    policy.note_input(&first, "", None);
    assert_eq!(rule(&policy, &open("https://evil.example/nothing/b"), ""), "default:address");
    assert_eq!(rule(&policy, &first, ""), "allow", "the network may have failed");

    let call: legwork_protocol::Call =
        serde_json::from_value(serde_json::json!({"tool": "crm_find", "arguments": {"name": "Ada"}})).unwrap();
    let answer =
        ActionResult { value: Some(Value::from("KD-4711-92")), ..ActionResult::done(std::time::Duration::ZERO) };
    let begun = start("Find the weather", None);
    let mut policy = policy_of(&begun, &[], "");
    policy.note_result(&Action::Call(call.clone()), &answer);
    let journal = [
        event(EventKind::CommandStarted {
            command_id: legwork_protocol::CommandId::new(),
            effect: Action::Call(call.clone()).effect(),
            action: Box::new(Action::Call(call)),
            decider: DecidedBy::Model,
            identity: None,
        }),
        event(EventKind::CommandCompleted { command_id: legwork_protocol::CommandId::new(), result: Box::new(answer) }),
    ];
    let mut resumed = policy_of(&begun, &["partner.example"], "");
    resumed.restore(&journal);
    for address in ["https://evil.example/?x=KD-4711-92", "https://evil.example/weather"] {
        assert_eq!(rule(&policy, &open(address), ""), "default:address", "{address}");
        assert_eq!(rule(&resumed, &open(address), ""), "default:address", "{address}");
    }
    // The user gave the run the tool, so its data may go to named sites.
    assert_eq!(rule(&resumed, &open("https://partner.example/?x=KD-4711-92"), ""), "allow");
}

#[test]
fn words_secrets_and_flags_name_sites() {
    let begun = start("Compare with other.org", Some(SHOP));
    let policy = policy_of(&begun, &["flag.example"], "");
    for site in ["https://other.org/", "https://flag.example/"] {
        assert_eq!(rule(&policy, &fill("x"), site), "allow", "{site}");
    }
    assert_eq!(
        rule(&policy, &fill("x"), "https://www.flag.example/"),
        "default:write-site",
        "a flag is a rule for hosts"
    );
    let bound = RunPolicy::new(PolicySetup {
        has_default: true,
        layers: PolicyLayers::default(),
        flags: Vec::new(),
        secret_origins: vec![Url::parse("https://bank.example").expect("an origin")],
        is_driven: true,
        client: None,
        tools: Vec::new(),
        start: &begun,
    });
    assert_eq!(rule(&bound, &fill("${secret:pw}"), "https://bank.example/"), "allow");
}

#[test]
fn what_a_model_copies_from_a_page_does_not_reach_another_site() {
    let mut policy = policy_of(&start("Order tea", Some(SHOP)), &["partner.example"], "");
    policy.note_page(&page(SHOP, "- text: Your customer number is KD-4711-92"));
    assert_eq!(rule(&policy, &fill("KD-4711-92"), SHOP), "allow");
    assert_eq!(rule(&policy, &fill("KD-4711-92"), "https://partner.example/"), "default:page-data");
    assert_eq!(rule(&policy, &open("https://partner.example/?c=KD-4711-92"), SHOP), "default:page-data");
    assert_eq!(rule(&policy, &open("https://partner.example/KD%2D4711%2D92/x"), SHOP), "default:page-data");
    assert_eq!(rule(&policy, &open("https://partner.example/#KD-4711-92"), SHOP), "default:page-data");
    assert_eq!(rule(&policy, &open("https://kd-4711-92.partner.example/"), SHOP), "default:address");
    assert_eq!(rule(&policy, &fill("green tea"), "https://partner.example/"), "allow");
    let call: legwork_protocol::Call =
        serde_json::from_value(serde_json::json!({"tool": "mail", "arguments": {"to": [{"n": "KD-4711-92"}]}}))
            .unwrap();
    assert_eq!(rule(&policy, &Action::Call(call.clone()), SHOP), "default:tool-argument");
    let named = policy_of(&start("Order tea and use mail to report it", Some(SHOP)), &[], "");
    assert_eq!(rule(&named, &Action::Call(call), SHOP), "allow");
}

#[test]
fn a_variable_keeps_its_origin_through_the_journal() {
    let begun = start("Order tea", Some(SHOP));
    let variable = VariableInfo {
        name: "number".into(),
        value: Value::from("KD-4711-92"),
        previous_value: None,
        source: VariableSource::Extracted,
        provenance: Some(Provenance::Page("https://shop.example".into())),
    };
    let journal = [event(EventKind::VariableUpdated(variable.clone()))];
    let read: Vec<Event> = serde_json::from_str(&serde_json::to_string(&journal).unwrap()).unwrap();
    let resumed = |start: &RunStart| {
        let mut policy = policy_of(start, &["partner.example"], "");
        policy.restore(&read);
        policy
    };
    assert_eq!(rule(&resumed(&begun), &fill("KD-4711-92"), "https://partner.example/"), "default:page-data");
    // The words of the step name the variable.
    let said = start("Enter ${number} there", Some(SHOP));
    assert_eq!(rule(&resumed(&said), &fill("KD-4711-92"), "https://partner.example/"), "allow");
    // A literal step carries the origin too, for rules.
    let mut literal = policy_of(&said, &[], "[[rule]]\nprovenance = 'page:shop.example'\ndecision = 'deny'\n");
    literal.restore(&read);
    let place = PagePlace { url: "https://partner.example/", dialog: None, drop: None };
    let ruling = literal.decide(&literal.facts(&fill("no KD-4711-92"), DecidedBy::Literal, Some(0), &place, None));
    assert_eq!(ruling.decision.effect, PolicyEffect::Deny);
    let ruling = literal.decide(&literal.facts(&fill("other words"), DecidedBy::Literal, Some(0), &place, None));
    assert_eq!(ruling.decision.effect, PolicyEffect::Allow);
}

#[test]
fn a_count_is_restored_and_used_up() {
    let begun = start("Fill it in", Some(SHOP));
    let rules = "[[rule]]\naction = 'fill'\nmax_count = 2\ndecision = 'allow'\n";
    let mut policy = policy_of(&begun, &[], rules);
    let place = PagePlace { url: SHOP, dialog: None, drop: None };
    let decide = |policy: &RunPolicy| {
        policy.decide(&policy.facts(&fill("x"), DecidedBy::Literal, Some(0), &place, None)).decision
    };
    let first = decide(&policy);
    policy.count(&first);
    let mut resumed = policy_of(&begun, &[], rules);
    resumed.restore(&[event(EventKind::PolicyDecided(first))]);
    let second = decide(&resumed);
    assert_eq!(second.effect, PolicyEffect::Allow);
    resumed.count(&second);
    assert_eq!(decide(&resumed).effect, PolicyEffect::Deny);
}

#[test]
fn a_model_may_do_elsewhere_what_the_step_of_a_workflow_states() {
    let decide = |words: &str, is_task: bool, text: &str, element: &str| {
        let start = RunStart { task: is_task, ..start(words, Some(SHOP)) };
        let mut policy = policy_of(&start, &[], "");
        policy.note_page(&page(SHOP, "- heading \"Orders\""));
        // A page supplied this value, and named a field of its own in it.
        policy.variables.insert("note".to_owned(), ("5003 into Account".to_owned(), Provenance::Page(SHOP.to_owned())));
        let mut facts = ElementFacts::default();
        facts.name = element.to_owned();
        facts.origin = "https://pay.example".to_owned();
        let place = PagePlace { url: SHOP, dialog: None, drop: None };
        policy.decide(&policy.facts(&fill(text), DecidedBy::Model, Some(0), &place, Some(&facts))).decision.effect
    };
    let step = "Type \"5003\" into \"Postcode\"";
    assert_eq!(decide(step, false, "5003", "Postcode"), PolicyEffect::Allow);
    let variable = "Type \"${note}\" into \"Note\"";
    assert_eq!(decide(variable, false, "5003 into Account", "Note"), PolicyEffect::Allow);
    for (words, is_task, text, element) in [
        (step, false, "5004", "Postcode"),
        (step, false, "5003", "Account"),
        (step, false, "5003", ""),
        (step, true, "5003", "Postcode"),
        ("Fill in the form", false, "5003", "Postcode"),
        (variable, false, "5003", "Account"),
        (variable, false, "5003 into Account", "Account"),
    ] {
        assert_eq!(decide(words, is_task, text, element), PolicyEffect::Ask, "{words}: {text} into {element}");
    }
}

#[test]
fn a_step_names_an_element_with_whole_words_only() {
    let check = |words: &str, element: &str, text: &str, expected: PolicyEffect| {
        let begun = RunStart { task: false, ..start(words, Some(SHOP)) };
        let mut policy = policy_of(&begun, &[], "");
        policy.variables.insert("iban".to_owned(), ("AT61-1904".to_owned(), Provenance::Page(SHOP.to_owned())));
        let facts = element_of("textbox", element, "https://evil.example");
        let place = PagePlace { url: SHOP, dialog: None, drop: None };
        let ruling = policy.decide(&policy.facts(&fill(text), DecidedBy::Model, Some(0), &place, Some(&facts)));
        assert_eq!(ruling.decision.effect, expected, "{words}: {text} into {element}");
    };
    let step = "Look up the customer and keep ${iban} in our book";
    for element in ["ou", "ok", "ook", "boo", "our", "the", "in"] {
        check(step, element, "AT61-1904", PolicyEffect::Ask);
    }
    check("Type 5003 into Postcode", "Postcode", "5003", PolicyEffect::Allow);
    check("Type 5003 into Postcode", "Postcode", "50", PolicyEffect::Ask);
    check("Type 5003 into Postcode", "code", "5003", PolicyEffect::Ask);
    check("Type \"Ada\" into \"Name\"", "Name", "Ada", PolicyEffect::Allow);
    check("Type \"Ada\" into „Name“", "Name", "Ada", PolicyEffect::Allow);
    check("郵便番号に5003を入力する", "郵便番号", "5003", PolicyEffect::Allow);
}

#[test]
fn keys_that_type_are_writing_wherever_the_focus_is_and_keys_that_navigate_are_not() {
    let policy = policy_of(&start("Order tea", Some(SHOP)), &[], "");
    let evil = "https://evil.example";
    let body = element_of("", "", evil);
    for key in ["K", "4", "Shift+K", "Control+K", "Enter", "Space", "Backspace", "F7", "Control+V", "Control+X"] {
        assert_eq!(rule_on(&policy, &press(key), evil, &body), "default:write-site", "{key}");
        // The page is the shop, and the focus is in a frame of the other site.
        assert_eq!(rule_on(&policy, &press(key), SHOP, &body), "default:write-site", "{key}");
        assert_eq!(rule_on(&policy, &press(key), SHOP, &element_of("", "", "https://shop.example")), "allow", "{key}");
        let region = element_of("region", "Zone", evil);
        assert_eq!(rule_on(&policy, &press(key), evil, &region), "default:write-site", "{key}");
    }
    for key in ["Tab", "Shift+Tab", "ArrowDown", "Escape", "PageDown", "Home", "Control+End", "Control+A", "Control+C"]
    {
        assert_eq!(rule_on(&policy, &press(key), evil, &body), "allow", "{key}");
    }
    // Enter on a link follows it.
    assert_eq!(rule_on(&policy, &press("Enter"), evil, &element_of("link", "More", evil)), "allow");
    let place = PagePlace { url: evil, dialog: None, drop: None };
    let hint = policy.decide(&policy.facts(&press("K"), DecidedBy::Model, Some(0), &place, Some(&body))).hint;
    assert!(hint.contains("`--allow-write evil.example`"), "{hint}");
}

#[test]
fn what_is_pasted_is_data_of_the_pages_that_may_have_filled_the_clipboard() {
    let begun = start("Order tea", Some(SHOP));
    let partner = "https://partner.example/";
    let field = element_of("textbox", "Search", "https://partner.example");
    let middle = Action::Click(Click { button: Button::Middle, ..Click::on(Target("e1".into())) });
    let keys = [press("Control+V"), press("Shift+Insert"), press("Control+Shift+V"), middle];
    let mut policy = policy_of(&begun, &["partner.example"], "");
    keys.iter().for_each(|key| assert_eq!(rule_on(&policy, key, partner, &field), "allow", "nothing was copied"));
    policy.note_input(&press("Control+C"), SHOP, None);
    // Copied on the partner's page too: the copy may have been empty.
    policy.note_input(&press("Control+C"), partner, None);
    for key in &keys {
        assert_eq!(rule_on(&policy, key, partner, &field), "default:page-data");
        assert_eq!(rule_on(&policy, key, "https://evil.example/", &element_of("", "", "")), "default:write-site");
    }
    // A page fills the clipboard in response to a click, too.
    let mut clicked = policy_of(&begun, &["partner.example"], "");
    clicked.note_input(&Action::Click(Click::on(Target("e1".into()))), SHOP, None);
    assert_eq!(rule_on(&clicked, &press("Control+V"), partner, &field), "default:page-data");
    assert_eq!(rule_on(&clicked, &press("Control+V"), SHOP, &element_of("", "", "https://shop.example")), "allow");
    // The words of the user connect the two sites.
    let mut both = policy_of(&start("Copy the number to https://partner.example", Some(SHOP)), &[], "");
    both.note_input(&press("Control+C"), SHOP, None);
    assert_eq!(rule_on(&both, &press("Control+V"), partner, &field), "allow");
}

#[test]
fn a_resumed_run_knows_which_pages_may_have_filled_the_clipboard() {
    let started = |action: Action| {
        event(EventKind::CommandStarted {
            command_id: legwork_protocol::CommandId::new(),
            effect: action.effect(),
            action: Box::new(action),
            decider: DecidedBy::Model,
            identity: None,
        })
    };
    let completed = event(EventKind::CommandFailed {
        command_id: legwork_protocol::CommandId::new(),
        result: Box::new(ActionResult { url: SHOP.to_owned(), ..ActionResult::done(std::time::Duration::ZERO) }),
    });
    let mut policy = policy_of(&start("Order tea", Some(SHOP)), &["partner.example"], "");
    policy.restore(&[started(open(SHOP)), completed, started(press("Control+C"))]);
    let field = element_of("textbox", "Search", "https://partner.example");
    assert_eq!(rule_on(&policy, &press("Control+V"), "https://partner.example/", &field), "default:page-data");
}

#[test]
fn a_drag_writes_data_of_its_page_where_it_ends() {
    let policy = |words: &str, flags: &[&str]| policy_of(&start(words, Some(SHOP)), flags, "");
    let target = |name: &str| Target(name.to_owned());
    let drag = Action::Drag(Drag { target: target("e1"), to: target("e2") });
    let check = |policy: &RunPolicy, from: &str, to: &str, expected: &str| {
        let (from, to) = (element_of("listitem", "Card", from), element_of("region", "Zone", to));
        let place = PagePlace { url: SHOP, dialog: None, drop: Some(&to) };
        let decision = policy.decide(&policy.facts(&drag, DecidedBy::Model, Some(0), &place, Some(&from))).decision;
        let rule = if decision.effect == PolicyEffect::Allow { "allow".to_owned() } else { decision.rule };
        assert_eq!(rule, expected, "{from:?} to {to:?}");
    };
    let (shop, evil, partner) = ("https://shop.example", "https://evil.example", "https://partner.example");
    let usual = policy("Sort the cards", &["partner.example"]);
    check(&usual, shop, shop, "allow");
    check(&usual, shop, "https://board.shop.example", "allow");
    check(&usual, shop, evil, "default:write-site");
    check(&usual, evil, evil, "default:write-site");
    check(&usual, shop, partner, "default:page-data");
    check(&usual, evil, shop, "default:page-data");
    check(&usual, "null", shop, "default:page-data");
    check(&usual, shop, "null", "default:write-site");
    check(&policy("Drag it to https://partner.example", &[]), shop, partner, "allow");
    // A step that states both ends.
    let stated = |words: &str| policy_of(&RunStart { task: false, ..start(words, Some(SHOP)) }, &[], "");
    check(&stated("Drag \"Card\" to \"Zone\""), shop, evil, "allow");
    check(&stated("Drag \"Card\" away"), shop, evil, "default:write-site");
}

#[test]
fn the_name_of_a_host_is_no_carrier_of_what_pages_showed() {
    let mut policy = policy_of(&start("Order tea", Some(SHOP)), &[], "");
    let text = "- text: Customer KD-4711-92 Adalbert Quintessen, mentioned in Wikipedia and on coca-cola.example.com\n\
                - text: see tele-columbus.de for more";
    policy.note_page(&page(SHOP, text));
    for host in ["kd-4711-92.com", "adalbert-quintessen.de", "www.kd-4711-92.org", "x-quintessen.net"] {
        assert_eq!(rule(&policy, &open(&format!("https://{host}/")), SHOP), "default:address", "{host}");
    }
    // Whoever has the suffix learns of each name, also of one that no comparison finds.
    for host in ["at61190430023457-quintessen-kd4711zx.github.io", "kfwgc3i.github.io", "kd4711.blogspot.com"] {
        assert_eq!(rule(&policy, &open(&format!("http://{host}/")), SHOP), "default:address", "{host}");
    }
    for host in ["wikipedia.org", "www.wikipedia.org", "tele-columbus.de", "green-tea.com", "163.com"] {
        assert_eq!(rule(&policy, &open(&format!("https://{host}/")), SHOP), "allow", "{host}");
    }
    let named = policy_of(&start("Look at kd4711.github.io", Some(SHOP)), &[], "");
    assert_eq!(rule(&named, &open("https://kd4711.github.io/"), SHOP), "allow");
}

#[test]
fn a_button_that_states_a_change_is_pressed_only_where_the_run_may_write() {
    let policy = policy_of(&start("Order tea", Some(SHOP)), &[], "");
    let evil = "https://evil.example";
    let click = Action::Click(Click::on(Target("e1".into())));
    let rule_of = |action: &Action, role: &str, name: &str| {
        rule_on(&policy, action, "https://evil.example/", &element_of(role, name, evil))
    };
    for name in ["Delete account", "Pay now", "Send", "Save"] {
        for role in ["button", "generic", ""] {
            assert_eq!(rule_of(&click, role, name), "default:write-site", "{role} {name}");
        }
        assert_eq!(rule_of(&press("Enter"), "button", name), "default:write-site", "{name}");
        assert_eq!(rule_on(&policy, &click, SHOP, &element_of("button", name, "https://shop.example")), "allow");
        for role in ["link", "tab", "menuitem"] {
            assert_eq!(rule_of(&click, role, name), "allow", "{role} {name}");
        }
    }
    for name in ["Show more", "Accept all", "Next", "Close", "Search", "7"] {
        assert_eq!(rule_of(&click, "button", name), "allow", "{name}");
    }
    let expand = Action::Expand(legwork_protocol::TargetParams { target: Target("e1".into()) });
    assert_eq!(rule_of(&expand, "button", "Share"), "allow");
}

/// The policy of a page whose client may write on `shop.example`.
fn client_policy(has_default: bool, rules: &str) -> RunPolicy {
    let user = (!rules.is_empty()).then(|| PolicyFile::parse(Path::new("policy.toml"), rules).expect("good rules"));
    let flags = vec!["shop.example".to_owned(), "https://api.example:8443".to_owned()];
    RunPolicy::of_page(PolicyLayers { user, ..PolicyLayers::default() }, flags, has_default, has_default)
}

fn rule_of(ruling: &Ruling) -> &str {
    if ruling.decision.effect == PolicyEffect::Allow { "allow" } else { &ruling.decision.rule }
}

#[test]
fn a_cookie_is_decided_for_every_place_that_receives_it() {
    let policy = client_policy(true, "");
    let rule = |host: &str, page: &str| rule_of(&policy.decide_cookie(host, false, page)).to_owned();
    assert_eq!(rule("shop.example", ""), "allow");
    for elsewhere in ["evil.example", ".example", "a.shop.example", "shop.example/.evil.example", "api.example", ""] {
        assert_eq!(rule(elsewhere, ""), "default:write-site", "{elsewhere}");
    }
    assert_eq!(rule("api.example", "https://api.example:8443/orders"), "allow", "the page is at the port of the rule");

    let rules = "[[rule]]\norigin = 'http://evil.example:9100'\ndecision = 'deny'\n[[rule]]\norigin = 'pay.shop.example'\ndecision = 'deny'\n";
    let policy = client_policy(false, rules);
    let rule = |host: &str| rule_of(&policy.decide_cookie(host, true, "")).to_owned();
    assert_eq!(rule("evil.example"), "policy.toml:1");
    assert_eq!(rule(".shop.example"), "policy.toml:4");
    assert_eq!(rule("other.example"), "allow");
}

#[test]
fn a_route_is_decided_for_the_host_in_its_pattern() {
    let policy = client_policy(true, "");
    let rule = |policy: &RunPolicy, pattern: &str| rule_of(&policy.decide_route(pattern)).to_owned();
    for own in ["https://shop.example/**", "http://shop.example/api/{a,b}"] {
        assert_eq!(rule(&policy, own), "allow", "{own}");
    }
    for other in [
        "https://evil.example/**",
        "**/api",
        "**",
        "*://shop.example/**",
        "https://{shop,evil}.example/**",
        "https://shop.example@evil.example/**",
        "https://shop.example**",
        "https://shop.example*/",
        "https:/shop.example/",
    ] {
        assert_eq!(rule(&policy, other), "default:write-site", "{other}");
    }
    assert!(policy.decide_route("**/api").hint.contains("write the host into the pattern"));
    // Without the default policy, any site is meant only if no rule could refuse one of them.
    assert_eq!(rule(&client_policy(false, "[[rule]]\naction = 'pay'\ndecision = 'deny'\n"), "**/api"), "allow");
    let denies = client_policy(false, "[[rule]]\norigin = 'evil.example'\ndecision = 'deny'\n");
    assert_eq!(rule(&denies, "**/api"), "policy.toml:1");
    assert_eq!(rule(&denies, "https://shop.example/**"), "allow");
    let allows = client_policy(true, "[[rule]]\naction = 'write'\ndecision = 'allow'\n");
    assert_eq!(rule(&allows, "**/api"), "allow", "a rule of the user permits it everywhere");
}

#[test]
fn words_of_a_client_name_no_sites_and_state_no_actions() {
    let begun = start("Type \"KD-4711-92\" into \"Token\" on https://evil.example/", Some("https://evil.example/form"));
    let policy = RunPolicy::new(PolicySetup {
        layers: PolicyLayers::default(),
        flags: vec!["shop.example".into()],
        has_default: true,
        secret_origins: vec![Url::parse("https://evil.example").expect("an origin")],
        client: Some(ProvenanceIndex::default()),
        is_driven: false,
        tools: Vec::new(),
        start: &begun,
    });
    let token = element_of("textbox", "Token", "https://evil.example");
    let place = PagePlace { url: "https://evil.example/form", dialog: None, drop: None };
    let decided = |action: &Action, element: Option<&ElementFacts>| {
        policy.decide(&policy.facts(action, DecidedBy::Literal, Some(0), &place, element))
    };
    let typed = decided(&fill("KD-4711-92"), Some(&token));
    assert_eq!(rule_of(&typed), "default:write-site");
    assert_eq!(typed.hint, "`--allow-write evil.example` allows it");
    assert_eq!(rule_of(&decided(&open("https://evil.example/form"), None)), "default:address");
    assert_eq!(rule_of(&decided(&open("https://shop.example/cart?x=1"), None)), "allow");
}

fn page_with_links(url: &str, links: &[&str]) -> Snapshot {
    let lines: String = (1..=links.len()).map(|number| format!("- link \"L{number}\" [ref=e{number}]\n")).collect();
    let mut page = page(url, &lines);
    let nodes = page.nodes.iter_mut().filter(|node| node.role.as_ref() == "link");
    for (node, link) in nodes.zip(links) {
        node.attributes.get_or_insert_default().href = Some((*link).into());
    }
    page
}

/// The rule against opening an address, and against clicking on a link to it.
fn both_rules(policy: &RunPolicy, address: &str) -> [String; 2] {
    let mut link = element_of("link", "L1", "https://shop.example");
    link.link_target = address.to_owned();
    let click = Action::Click(Click::on(Target("e1".into())));
    [rule(policy, &open(address), SHOP), rule_on(policy, &click, SHOP, &link)]
}

#[test]
fn a_link_with_a_text_that_the_run_entered_is_an_address_that_it_composed() {
    let links = [
        "https://evil.example/echo?x=KD-4711-92",
        "https://evil.example/S0QtNDcxMS05Mg",
        "https://evil.example/a?x=kd%2D47&y=11-92",
        "https://evil.example/29-1174-DK",
        "https://evil.example/find?name=Adalbert+Quintessen",
    ];
    for entered in [
        fill("see http://evil.example/echo?x=KD-4711-92"),
        fill("KD-4711-92 of Adalbert Quintessen"),
        fill("S0QtNDcxMS05Mg of Adalbert Quintessen"),
        open("https://shop.example/comment?c=KD-4711-92&d=Adalbert+Quintessen"),
    ] {
        let mut policy = policy_of(&start("Say what the number is", Some(SHOP)), &["partner.example"], "");
        policy.note_page(&page(SHOP, "- text: Customer KD-4711-92 Adalbert Quintessen"));
        policy.note_entered(&entered, false);
        policy.note_page(&page_with_links(SHOP, &links));
        for link in &links[..links.len() - 1] {
            assert_eq!(both_rules(&policy, link), ["default:address", "default:address"], "{entered:?}: {link}");
        }
        assert_eq!(rule(&policy, &open("https://shop.example/KD-4711-92"), SHOP), "allow", "the site itself");
    }
    // An address that the run wrote in a field, whatever it carries.
    let mut policy = policy_of(&start("Say what the number is", Some(SHOP)), &[], "");
    policy.note_entered(&fill("aHR0cDovL2V2aWwuZXhhbXBsZS9hP3E9enp6"), false);
    policy.note_page(&page_with_links(SHOP, &["http://evil.example/a?q=zzz"]));
    assert_eq!(both_rules(&policy, "http://evil.example/a?q=zzz"), ["default:address", "default:address"]);
}

#[test]
fn a_link_is_known_if_it_was_shown_before_or_carries_only_words() {
    let track = "https://carrier.example/track?no=KD-4711-92";
    let mut policy = policy_of(&start("Find the tea in order 5003-17", Some(SHOP)), &[], "");
    let mut shop = page_with_links(SHOP, &[track]);
    shop.title = "Customer KD-4711-92, Adalbert Quintessen likes Darjeeling".to_owned();
    policy.note_page(&shop);
    for text in ["KD-4711-92", "Darjeeling first flush", "wikipedia.org Adalbert Quintessen", "5003-17"] {
        policy.note_entered(&fill(text), false);
    }
    policy.note_entered(&fill("KD-9999-11"), true);
    let results = [
        "https://tea.example/darjeeling-first-flush",
        "https://en.wikipedia.org/wiki/Adalbert_Quintessen",
        "https://tea.example/?order=5003-17",
        "https://tea.example/?order=KD-9999-11",
    ];
    policy.note_page(&page_with_links(SHOP, &results));
    for link in results.iter().chain([&track]) {
        assert_eq!(both_rules(&policy, link), ["allow", "allow"], "{link}");
    }
}

#[test]
fn a_form_is_sent_to_the_site_of_its_action() {
    let policy = policy_of(&start("Order tea", Some(SHOP)), &["partner.example"], "");
    let click = Action::Click(Click::on(Target("e1".into())));
    let submit = Action::Fill(Fill { target: Target("e1".into()), text: "x".into(), submit: true });
    let check = |target: &str, expected: &str| {
        let mut button = element_of("button", "Search", "https://shop.example");
        button.submits = true;
        button.form_target = target.to_owned();
        let mut field = button.clone();
        field.role = "textbox".to_owned();
        field.submits = false;
        assert_eq!(rule_on(&policy, &click, SHOP, &button), expected, "{target}");
        assert_eq!(rule_on(&policy, &submit, SHOP, &field), expected, "{target}");
        let enter = Action::Press(Press { key: "Enter".into(), target: Some(Target("e1".into())) });
        assert_eq!(rule_on(&policy, &enter, SHOP, &field), expected, "{target}");
        assert_eq!(rule_on(&policy, &fill("x"), SHOP, &field), "allow", "{target}: nothing is sent yet");
    };
    check("https://evil.example/collect", "default:write-site");
    for target in ["https://www.shop.example/search", "https://partner.example/", "javascript:void 0", ""] {
        check(target, "allow");
    }
}
