use std::path::Path;

use super::*;

fn part(text: &str, origins: &[&str]) -> ValuePart {
    ValuePart { text: text.to_owned(), origins: origins.iter().map(|origin| origin.parse().unwrap()).collect() }
}

fn write(place: &str, values: Vec<ValuePart>) -> ActionFacts {
    let place = Url::parse(place).unwrap();
    let connected = BTreeSet::from(["shop.example".to_owned(), "named.example".to_owned()]);
    ActionFacts {
        action: "fill".into(),
        classes: BTreeSet::from([ActionClass::Write]),
        is_named_site: site(&place).is_some_and(|site| connected.contains(&site)),
        connected_sites: connected,
        place: Some(place),
        values,
        ..ActionFacts::default()
    }
}

fn open(place: &str, is_known: bool, values: Vec<ValuePart>) -> ActionFacts {
    let classes = BTreeSet::new();
    let facts = write(place, values);
    ActionFacts { action: "open".into(), classes, carrier: Carrier::Address, is_known_address: is_known, ..facts }
}

/// The rule that stands against an action, or `allow`.
fn by_default(facts: &ActionFacts) -> String {
    let Ruling { decision, .. } = PolicyLayers::default().decide(facts, &BTreeMap::new(), true);
    if decision.effect == PolicyEffect::Allow { "allow".to_owned() } else { decision.rule }
}

#[test]
fn the_default_policy_keeps_writing_to_the_sites_of_the_user() {
    let typed = || vec![part("hello", &["model"])];
    assert_eq!(by_default(&write("https://shop.example/", typed())), "allow");
    assert_eq!(by_default(&write("https://pay.shop.example/", typed())), "allow");
    assert_eq!(by_default(&write("https://evil.example/", typed())), "default:write-site");
    assert_eq!(by_default(&ActionFacts { by_user: true, ..write("https://evil.example/", typed()) }), "allow");
    let opaque =
        ActionFacts { place: None, is_opaque: true, is_named_site: false, ..write("https://x.example/", typed()) };
    assert_eq!(by_default(&opaque), "default:write-site");
    // Reading is allowed everywhere: a click on a link has no class.
    let click =
        ActionFacts { action: "click".into(), classes: BTreeSet::new(), ..write("https://evil.example/", vec![]) };
    assert_eq!(by_default(&click), "allow");
}

#[test]
fn the_default_policy_keeps_values_of_pages_on_their_site() {
    let token = |origin: &str| vec![part("KD-4711", &[origin])];
    assert_eq!(by_default(&write("https://shop.example/", token("page:https://shop.example"))), "allow");
    assert_eq!(by_default(&write("https://shop.example/", token("page:https://evil.example"))), "default:page-data");
    assert_eq!(by_default(&write("https://shop.example/", token("page:"))), "default:page-data");
    // The words of the user connect the two.
    assert_eq!(by_default(&write("https://named.example/", token("page:https://shop.example"))), "allow");
    // A flag allows writing, but connects nothing.
    let flagged =
        ActionFacts { is_named_site: true, ..write("https://flag.example/", token("page:https://shop.example")) };
    assert_eq!(by_default(&flagged), "default:page-data");
    assert_eq!(by_default(&ActionFacts { values: vec![part("hello", &["user"])], ..flagged }), "allow");
    // Both pages showed it, so its place can have it from there.
    let both = vec![part("KD-4711", &["page:https://evil.example", "page:https://shop.example"])];
    assert_eq!(by_default(&write("https://shop.example/", both)), "allow");
}

#[test]
fn the_default_policy_opens_links_and_addresses_of_the_user_only() {
    assert_eq!(by_default(&open("https://blog.example/article", true, vec![])), "allow");
    assert_eq!(by_default(&open("https://blog.example/?d=secret", false, vec![])), "default:address");
    assert_eq!(by_default(&open("https://shop.example/search?q=tea", false, vec![part("tea", &["model"])])), "allow");
    let carried = vec![part("KD-4711", &["page:https://evil.example"])];
    assert_eq!(by_default(&open("https://shop.example/?q=KD-4711", false, carried.clone())), "default:page-data");
    assert_eq!(by_default(&open("https://shop.example/?q=KD-4711", true, carried)), "allow");
}

#[test]
fn values_of_pages_are_no_arguments_and_no_file_names() {
    let call = |named, origin: &str| ActionFacts {
        action: "call".into(),
        carrier: Carrier::Tool,
        tool: Some(("notes".into(), named)),
        values: vec![part("KD-4711", &[origin])],
        ..ActionFacts::default()
    };
    assert_eq!(by_default(&call(false, "page:https://shop.example")), "default:tool-argument");
    assert_eq!(by_default(&call(true, "page:https://shop.example")), "allow");
    assert_eq!(by_default(&call(false, "model")), "allow");
    assert_eq!(by_default(&call(false, "tool:notes")), "allow");
    assert_eq!(by_default(&call(false, "tool:mail")), "default:tool-argument");
    let upload = |origin: &str| {
        let facts = write("https://shop.example/", vec![part("salaries.csv", &[origin])]);
        ActionFacts { action: "upload".into(), carrier: Carrier::File, ..facts }
    };
    assert_eq!(by_default(&upload("page:https://shop.example")), "default:file-name");
    assert_eq!(by_default(&upload("user")), "allow");
}

fn file(text: &str) -> PolicyFile {
    PolicyFile::parse(Path::new("policy.toml"), text).expect("good rules")
}

#[test]
fn the_first_rule_that_matches_decides_and_the_default_policy_comes_last() {
    let user = file(
        "[[rule]]\norigin = 'flag.example'\naction = 'write'\ndecision = 'allow'\nreason = 'mine'\n\
         [[rule]]\naction = ['pay', 'delete']\ndecision = 'ask'\n\
         [[rule]]\nname = 'no forms'\naction = 'fill'\norigin = 'other'\ndecision = 'deny'\n\
         [[rule]]\nprovenance = 'page:other'\nelement = ['search', 'Suche']\ndecision = 'allow'\n",
    );
    let layers = PolicyLayers { user: Some(user), ..PolicyLayers::default() };
    let decide = |facts: &ActionFacts| {
        let Ruling { decision, .. } = layers.decide(facts, &BTreeMap::new(), true);
        (decision.effect.name(), decision.rule)
    };
    assert_eq!(decide(&write("https://flag.example/", vec![])), ("allow", "policy.toml:1".into()));
    assert_eq!(decide(&write("https://evil.example/", vec![])), ("deny", "policy.toml:9 \"no forms\"".into()));
    assert_eq!(decide(&write("https://shop.example/", vec![])), ("allow", "default:write-site".into()));
    let pay = ActionFacts {
        classes: BTreeSet::from([ActionClass::Pay]),
        by_user: true,
        ..write("https://shop.example/", vec![])
    };
    assert_eq!(decide(&pay), ("ask", "policy.toml:6".into()), "a rule is about literal steps as well");
    let token = vec![part("KD-4711", &["page:https://evil.example"])];
    let search = ActionFacts { element: Some("Site search".into()), ..write("https://shop.example/", token) };
    assert_eq!(decide(&search), ("allow", "policy.toml:14".into()));
    let research = ActionFacts { element: Some("Research".into()), ..search };
    assert_eq!(decide(&research), ("ask", "default:page-data".into()), "only whole words");
}

#[test]
fn a_project_and_a_request_can_only_restrict() {
    let allow = "[[rule]]\ndecision = 'allow'\n";
    let layers = PolicyLayers { project: Some(file(allow)), request: Some(file(allow)), ..PolicyLayers::default() };
    let foreign = write("https://evil.example/", vec![]);
    let effect =
        |layers: &PolicyLayers, facts: &ActionFacts| layers.decide(facts, &BTreeMap::new(), true).decision.effect;
    assert_eq!(effect(&layers, &foreign), PolicyEffect::Ask, "the default policy holds");
    let deny = file("[[rule]]\naction = 'fill'\ndecision = 'deny'\n");
    let user = Some(file(allow));
    for layers in [
        PolicyLayers { user: user.clone(), project: Some(deny.clone()), request: None },
        PolicyLayers { user: user.clone(), project: None, request: Some(deny) },
    ] {
        assert_eq!(effect(&layers, &foreign), PolicyEffect::Deny);
        assert_eq!(effect(&layers, &ActionFacts { action: "click".into(), ..foreign.clone() }), PolicyEffect::Allow);
    }
}

#[test]
fn a_rule_with_a_count_denies_what_goes_beyond_it() {
    let layers = PolicyLayers {
        user: Some(file("[[rule]]\naction = 'fill'\nmax_count = 2\ndecision = 'allow'\n")),
        ..PolicyLayers::default()
    };
    let facts = write("https://shop.example/", vec![]);
    let effect = |used: u32| {
        let counts = BTreeMap::from([("policy.toml:1".to_owned(), used)]);
        layers.decide(&facts, &counts, true).decision.effect
    };
    assert_eq!([effect(0), effect(1), effect(2)], [PolicyEffect::Allow, PolicyEffect::Allow, PolicyEffect::Deny]);
}
