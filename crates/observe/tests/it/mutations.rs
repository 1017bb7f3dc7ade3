//! Pages that changed since an element was recorded: the element is found again, or nothing is. Each case mutates a
//! page with a seed and searches for every element that can be acted on.

use legwork_observe::{Attributes, ElementLocation, Node, Snapshot, States, fixture, identity, locate};
use legwork_protocol::Ref;

/// A node with its descendants, so that parts can be moved.
#[derive(Clone)]
struct Tree {
    node: Node,
    below: Vec<Tree>,
}

impl Tree {
    fn of(page: &Snapshot, at: usize) -> Tree {
        Tree { node: page.nodes[at].clone(), below: page.children(at).map(|below| Tree::of(page, below)).collect() }
    }

    fn new(role: &str, name: &str, below: Vec<Tree>) -> Tree {
        Tree { node: Node { role: role.into(), name: name.into(), ..Node::default() }, below }
    }

    fn page(&self) -> Snapshot {
        let mut nodes = Vec::new();
        self.flatten(0, &mut nodes);
        Snapshot { url: "http://site.test/".into(), title: "Page".into(), nodes, ..Snapshot::default() }
    }

    fn flatten(&self, parent: usize, nodes: &mut Vec<Node>) {
        let at = nodes.len();
        nodes.push(Node { parent, ..self.node.clone() });
        self.below.iter().for_each(|below| below.flatten(at, nodes));
        nodes[at].end = nodes.len();
    }

    fn each(&mut self, change: &mut impl FnMut(&mut Node)) {
        change(&mut self.node);
        self.below.iter_mut().for_each(|below| below.each(change));
    }

    /// The path of child indexes to the element with a ref.
    fn path(&self, reference: Ref) -> Option<Vec<usize>> {
        if self.node.reference == Some(reference) {
            return Some(Vec::new());
        }
        self.below.iter().enumerate().find_map(|(at, below)| {
            let mut path = below.path(reference)?;
            path.insert(0, at);
            Some(path)
        })
    }

    fn at(&mut self, path: &[usize]) -> &mut Tree {
        path.iter().fold(self, |tree, at| &mut tree.below[*at])
    }

    fn take(&mut self, path: &[usize]) -> Tree {
        let (last, parent) = path.split_last().expect("not the document");
        self.at(parent).below.remove(*last)
    }
}

/// Pseudo-random numbers from a seed (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut next = self.0;
        next = (next ^ (next >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        next = (next ^ (next >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((next ^ (next >> 31)) % limit as u64) as usize
    }
}

const WORDS: [&str; 12] =
    ["amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heron", "iris", "juniper", "kelp", "larch"];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Mutation {
    RenamedIds,
    Wrapper,
    ReorderedRows,
    InsertedRow,
    Banner,
    Rephrased,
    Twin,
    MovedToDialog,
    MovedToFrame,
    Removed,
    RemovedRow,
}

impl Mutation {
    const ALL: [Mutation; 11] = [
        Mutation::RenamedIds,
        Mutation::Wrapper,
        Mutation::ReorderedRows,
        Mutation::InsertedRow,
        Mutation::Banner,
        Mutation::Rephrased,
        Mutation::Twin,
        Mutation::MovedToDialog,
        Mutation::MovedToFrame,
        Mutation::Removed,
        Mutation::RemovedRow,
    ];

    /// Mutates a page; `None` if that is not possible for this element.
    fn apply(self, page: &Snapshot, target: Ref, numbers: &mut Numbers) -> Option<Tree> {
        let mut tree = Tree::of(page, 0);
        let path = tree.path(target)?;
        let row =
            (1..path.len()).rev().find(|length| matches!(&*tree.at(&path[..*length]).node.role, "row" | "listitem"));
        let word = |numbers: &mut Numbers| WORDS[numbers.below(WORDS.len())];
        match self {
            Mutation::RenamedIds => tree.each(&mut |node| {
                if let Some(attributes) = &mut node.attributes {
                    attributes.id = attributes.id.take().map(|_| word(numbers).into());
                }
            }),
            Mutation::Wrapper => {
                let inner = std::mem::replace(tree.at(&path), Tree::new("generic", "", Vec::new()));
                tree.at(&path).below.push(inner);
            }
            Mutation::ReorderedRows => {
                let rows = &mut tree.at(&path[..row? - 1]).below;
                let turn = 1 + numbers.below(rows.len().max(2) - 1);
                let head = usize::from(
                    rows.first().is_some_and(|first| first.below.iter().any(|cell| &*cell.node.role == "columnheader")),
                );
                let length = (rows.len() - head).max(1);
                rows[head..].rotate_left(turn % length);
            }
            Mutation::InsertedRow => {
                let row = &path[..row?];
                let mut copy = tree.at(row).clone();
                let (first, second) = (word(numbers), word(numbers));
                let mut number = 900;
                copy.each(&mut |node| {
                    number += 1;
                    if node.reference.is_some() {
                        node.reference = Some(Ref(number));
                        node.attributes = None;
                    } else if !node.name.is_empty() && number % 2 == 0 {
                        node.name = first.into();
                    } else if node.name.contains(|c: char| c.is_ascii_digit()) || &*node.role == "heading" {
                        node.name = format!("{first} {second}").into();
                    }
                });
                let (at, parent) = row.split_last()?;
                tree.at(parent).below.insert(*at, copy);
            }
            Mutation::Banner => {
                let text = format!("{} {}", word(numbers), word(numbers));
                tree.below.insert(0, Tree::new("region", "Notice", vec![Tree::new("text", &text, Vec::new())]));
            }
            Mutation::Rephrased => tree.at(&path).node.name = format!("{} {}", word(numbers), word(numbers)).into(),
            Mutation::Twin => {
                let mut twin = tree.at(&path).clone();
                twin.node.reference = Some(Ref(901));
                twin.node.attributes = None;
                let (at, parent) = path.split_last()?;
                let at = at + numbers.below(2);
                tree.at(parent).below.insert(at, twin);
            }
            Mutation::MovedToDialog | Mutation::MovedToFrame => {
                let part = tree.take(&path[..row.unwrap_or(path.len().checked_sub(1).filter(|length| *length > 0)?)]);
                let role = if self == Mutation::MovedToDialog { "dialog" } else { "iframe" };
                tree.below.push(Tree::new(role, word(numbers), vec![part]));
            }
            Mutation::Removed => drop(tree.take(&path)),
            Mutation::RemovedRow => drop(tree.take(&path[..row?])),
        }
        Some(tree)
    }

    /// Whether the element can be told apart after the mutation.
    fn leaves_identifiable(self, node: &Node) -> bool {
        let has_own_id = node.attributes.as_ref().is_some_and(|attributes| attributes.id.is_some());
        match self {
            Mutation::Removed | Mutation::RemovedRow => false,
            Mutation::Rephrased | Mutation::Twin => has_own_id,
            _ => true,
        }
    }
}

fn orders() -> Snapshot {
    let mut text = "- heading \"Orders\" [level=1]\n- navigation\n  - link \"Orders\" [ref=e1] [href=http://site.test/orders]\n  - link \"Customers\" [ref=e2] [href=http://site.test/customers]\n- table \"Orders\"\n  - row\n    - columnheader \"Number\"\n    - columnheader \"Customer\"\n    - columnheader \"State\"\n".to_owned();
    for (at, (number, customer)) in
        [(1041, "Acme"), (1042, "Initech"), (1043, "Acme"), (1044, "Globex"), (1045, "Hooli")].iter().enumerate()
    {
        let state = ["open", "paid"][at % 2];
        let first = 10 + 2 * at;
        text += &format!(
            "  - row\n    - cell \"HS-{number}\"\n    - cell \"{customer}\"\n    - cell \"{state}\"\n    - cell\n      - button \"Edit\" [ref=e{first}]\n      - button \"Delete\" [ref=e{}]\n",
            first + 1
        );
    }
    fixture::snapshot(&text)
}

fn shop() -> Snapshot {
    let mut text = "- heading \"Shop\" [level=1]\n- searchbox \"Search\" [ref=e1] [id=search]\n- list\n".to_owned();
    for (at, name) in ["Oak chair", "Pine table", "Desk lamp", "Wool rug"].iter().enumerate() {
        text += &format!(
            "  - listitem\n    - heading \"{name}\" [level=3]\n    - text: in stock\n    - spinbutton \"Quantity\" [ref=e{}]\n    - button \"Add\" [ref=e{}]\n",
            10 + 2 * at,
            11 + 2 * at
        );
    }
    fixture::snapshot(&text)
}

fn settings() -> Snapshot {
    let mut text = "- heading \"Settings\" [level=1]\n- form \"Profile\"\n".to_owned();
    for (at, (label, id)) in
        [("First name", "first"), ("Last name", "last"), ("E-mail", "email"), ("Phone", "phone")].iter().enumerate()
    {
        text += &format!("  - text: {label}\n  - textbox \"{label}\" [ref=e{}] [id={id}]\n", at + 1);
    }
    text += "  - checkbox \"Send me news\" [ref=e5] [id=news]\n  - button \"Save profile\" [ref=e6] [id=save]\n  - button \"Cancel\" [ref=e7] [id=cancel]\n- form \"Password\"\n  - text: Old password\n  - textbox \"Old password\" [ref=e8] [id=old] [type=password]\n  - button \"Change password\" [ref=e9] [id=change]\n- contentinfo\n  - link \"Imprint\" [ref=e10] [href=http://site.test/imprint]\n";
    fixture::snapshot(&text)
}

#[test]
fn a_mutated_page_never_leads_to_another_element() {
    let (mut cases, mut wrong, mut found, mut identifiable) = (0, Vec::new(), 0, 0);
    let mut missed = std::collections::BTreeMap::<String, usize>::new();
    for (site, page) in [("orders", orders()), ("shop", shop()), ("settings", settings())] {
        let targets: Vec<usize> = (0..page.nodes.len()).filter(|at| page.nodes[*at].reference.is_some()).collect();
        let mut runs = Vec::new();
        for seed in 0..4_u64 {
            for mutation in Mutation::ALL {
                runs.extend(targets.iter().map(|at| (seed, mutation, *at)));
            }
        }
        for (seed, mutation, at) in runs {
            let (recorded, node) = (identity(&page, at), &page.nodes[at]);
            let target = node.reference.expect("a target has a ref");
            let Some(mutated) = mutation.apply(&page, target, &mut Numbers(seed * 1_000 + at as u64)) else { continue };
            cases += 1;
            let counts = mutation.leaves_identifiable(node);
            identifiable += usize::from(counts);
            match locate(&recorded, &mutated.page()) {
                ElementLocation::Certain(candidate) if candidate.reference == target => found += usize::from(counts),
                ElementLocation::Certain(candidate) => {
                    wrong.push(format!("{site} {mutation:?} {}: {}", recorded.describe(), candidate.description))
                }
                ElementLocation::Uncertain { reason, .. } if counts => {
                    *missed.entry(format!("{site} {mutation:?} {}: {reason}", recorded.describe())).or_default() += 1;
                }
                ElementLocation::Uncertain { .. } => {}
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "of {cases} cases");
    assert!(cases >= 500, "{cases} cases");
    assert!(found * 100 >= identifiable * 95, "{found} of {identifiable} found, missed: {missed:#?}");
}

/// The states and attributes of the fixture are those of a capture.
#[test]
fn a_flattened_tree_is_the_same_page() {
    let page = settings();
    assert_eq!(Tree::of(&page, 0).page().nodes, page.nodes);
    assert!(page.nodes.iter().any(|node| node.states.0 & States::ACTIONABLE != 0));
    assert_ne!(page.nodes[4].attributes, Some(Box::new(Attributes::default())));
}
