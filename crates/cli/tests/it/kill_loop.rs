//! Kills browsers, pages and Legwork itself around a post, and resumes the run. According to the count of the shop, no
//! order is placed twice and none is reported that was not placed.
//!
//! A few kills of each kind run with the other tests. The long form, with the figures in docs/evaluation.md:
//! `LEGWORK_KILLS=200 cargo test -p legwork-cli --test it kill_loop -- --nocapture`.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    process::{Child, Stdio},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;
use serde_json::Value;

use crate::support::{Ended, Program, kill, naming};

/// The time limit for each part of a case, for a machine under load.
const TEST_TIMEOUT: Duration = Duration::from_secs(240);

/// The second page of a wizard. A hidden field contains what the first one sent.
const SECOND_PAGE: &str = "<!doctype html><title>Shop</title><h1>Step 2</h1><form method=post>\
     <input type=hidden name=item value=Lamp><label>City <input name=city></label><button>Place order</button></form>";

/// The target of the kill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Victim {
    /// SIGKILL for the browser.
    Browser,
    /// SIGKILL for the page's process.
    Renderer,
    /// SIGSTOP for the page's process, which then no longer responds.
    Stopped,
    /// SIGKILL for Legwork.
    Legwork,
    /// A user cancels the run.
    Cancelled,
}

/// When the kill happens, relative to the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Moment {
    /// The intent of the click is recorded: before, while or after the page receives it.
    Intent,
    /// The order is placed and its response is held back.
    Received,
    /// The response has been sent.
    Answered,
}

/// How the page sends its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sends {
    /// A form, answered with 303.
    Form,
    /// A script, answered with 201.
    Script,
    /// A list that submits its form when an option is chosen.
    Select,
    /// A checkbox that sends by script.
    Tick,
    /// A field that sends by script when it loses the focus.
    Field,
}

impl Sends {
    fn page(self) -> &'static str {
        match self {
            Sends::Form => "form",
            Sends::Script => "script",
            Sends::Select => "select",
            Sends::Tick => "script-tick",
            Sends::Field => "script-field",
        }
    }

    fn step(self) -> &'static str {
        match self {
            Sends::Form | Sends::Script => "Click the button \"Place order\"",
            Sends::Select => "Choose \"Lamp\" from \"Item\"",
            Sends::Tick => "Tick \"Gift\"",
            Sends::Field => "Type \"abc\" into \"Note\"",
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Case {
    number: usize,
    victim: Victim,
    moment: Moment,
    sends: Sends,
    /// Whether `on_resume` is `verify` with an expectation. Otherwise it is `ask`.
    verify: bool,
}

const VICTIMS: [Victim; 5] = [Victim::Browser, Victim::Renderer, Victim::Stopped, Victim::Legwork, Victim::Cancelled];
const MOMENTS: [Moment; 3] = [Moment::Received, Moment::Intent, Moment::Answered];

impl Case {
    /// Sixty consecutive cases contain all combinations. The first five contain every victim and every moment, the
    /// first fifteen every pair of them.
    fn of(number: usize) -> Case {
        Case {
            number,
            victim: VICTIMS[number % 5],
            moment: MOMENTS[(number / 5 + number % 5) % 3],
            sends: if (number / 15).is_multiple_of(2) { Sends::Form } else { Sends::Script },
            verify: (number / 30).is_multiple_of(2),
        }
    }

    fn workflow(&self, shop: &str) -> String {
        let Case { number, sends, verify, .. } = self;
        let (page, step) = (sends.page(), sends.step());
        let how = match verify {
            true => format!("on_resume: verify, expect: '\"Order {number} placed\" is shown'"),
            false => "on_resume: ask".to_owned(),
        };
        format!(
            "name: Order {number}\nurl: {shop}/{page}/{number}\nsteps:\n  \
             - {{step: '{step}', {how}}}\n  - Focus \"Later\"\n  - Check that \"Shop\" is shown\n"
        )
    }
}

#[derive(Default)]
struct Orders {
    /// How often each order was placed.
    placed: BTreeMap<usize, usize>,
    /// The orders whose responses are held back.
    held: Vec<usize>,
    answered: Vec<usize>,
}

/// A shop with a page for each order.
struct Shop {
    url: String,
    orders: Arc<(Mutex<Orders>, Condvar)>,
}

impl Shop {
    fn open() -> Shop {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let orders = Arc::<(Mutex<Orders>, Condvar)>::default();
        let kept = orders.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let orders = kept.clone();
                // An error is expected: the browser may be killed during the exchange.
                thread::spawn(move || serve(stream, &orders).unwrap_or_default());
            }
        });
        Shop { url, orders }
    }

    fn placed(&self, number: usize) -> usize {
        self.orders.0.lock().unwrap().placed.get(&number).copied().unwrap_or(0)
    }

    fn hold(&self, number: usize) {
        self.orders.0.lock().unwrap().held.push(number);
    }

    fn release(&self, number: usize) {
        self.orders.0.lock().unwrap().held.retain(|held| *held != number);
        self.orders.1.notify_all();
    }

    /// Waits until a condition on the orders holds or the program ends.
    fn wait(&self, child: &mut Child, until: impl Fn(&Orders) -> bool) {
        let deadline = Instant::now() + TEST_TIMEOUT;
        let mut orders = self.orders.0.lock().unwrap();
        while !until(&orders) && child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the order does not come");
            orders = self.orders.1.wait_timeout(orders, Duration::from_millis(50)).unwrap().0;
        }
    }
}

fn serve(mut stream: TcpStream, (orders, changed): &(Mutex<Orders>, Condvar)) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while reader.read_line(&mut head)? > 2 {}
    let body = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    reader.take(body.unwrap_or(0)).read_to_end(&mut Vec::new())?;
    let mut words = head.split(' ');
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let number: usize = path.rsplit('/').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    let script = path.starts_with("/script");
    let answer = |status: &str, more: &str, body: &str| {
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n{more}\r\n{body}"
        )
    };
    if method == "POST" {
        let mut state = orders.lock().unwrap();
        *state.placed.entry(number).or_default() += 1;
        changed.notify_all();
        while state.held.contains(&number) {
            state = changed.wait(state).unwrap();
        }
        drop(state);
        let said = match script {
            true => answer("201 Created", "", "{}"),
            false if path.starts_with("/wizard") => answer("200 OK", "", SECOND_PAGE),
            false => answer("303 See Other", &format!("location: {path}\r\n"), ""),
        };
        let sent = stream.write_all(said.as_bytes());
        orders.lock().unwrap().answered.push(number);
        changed.notify_all();
        return sent;
    }
    let placed = orders.lock().unwrap().placed.get(&number).copied().unwrap_or(0);
    let status = if placed > 0 { format!("<p role=status>Order {number} placed</p>") } else { String::new() };
    const SEND: &str = "fetch(location.pathname,{method:'POST'}).then(() => location.reload())";
    let order = match path.split('/').nth(1).unwrap_or_default() {
        "script" => format!("<button onclick=\"{SEND}\">Place order</button>"),
        "script-tick" => format!("<label><input type=checkbox onchange=\"{SEND}\"> Gift</label>"),
        "script-field" => format!("<label>Note <input onchange=\"{SEND}\"></label>"),
        "select" => "<form method=post><label>Item <select onchange=\"this.form.submit()\"><option>-</option>\
                     <option>Lamp</option></select></label></form>"
            .to_owned(),
        _ => "<form method=post><button>Place order</button></form>".to_owned(),
    };
    let page = format!(
        "<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1>{status}{order}<label>Later <input></label></html>"
    );
    stream.write_all(answer("200 OK", "", &page).as_bytes())
}

/// The result of a case.
#[derive(Debug, Default)]
struct Went {
    orders: usize,
    struck: Option<i32>,
    resumed: Option<i32>,
    validation: String,
    /// The number of recorded intents without a result.
    open: usize,
}

fn processes(program: &Program, victim: Victim) -> Vec<u32> {
    let folder = program.temporary();
    let browsers = naming(&format!("--user-data-dir={}", folder.display()));
    let of = |line: &str| match victim {
        Victim::Browser => !line.contains("--type="),
        _ => line.contains("--type=renderer"),
    };
    browsers.into_iter().filter(|(_, line)| of(line)).map(|(id, _)| id).collect()
}

fn strike(program: &Program, child: &mut Child, victim: Victim) {
    let (victims, signal) = match victim {
        Victim::Browser | Victim::Renderer => (processes(program, victim), Signal::KILL),
        Victim::Stopped => (processes(program, victim), Signal::STOP),
        Victim::Legwork => (vec![child.id()], Signal::KILL),
        Victim::Cancelled => (vec![child.id()], Signal::INT),
    };
    for id in victims {
        // The process may have ended with the run in the meantime.
        if std::path::Path::new(&format!("/proc/{id}")).exists() {
            let _ = rustix::process::kill_process(rustix::process::Pid::from_raw(id as i32).unwrap(), signal);
        }
    }
}

fn play(program: &Program, shop: &Shop, case: Case) -> Went {
    let Case { number, victim, moment, .. } = case;
    let file = program.write("order.yaml", &case.workflow(&shop.url));
    if moment == Moment::Received {
        shop.hold(number);
    }
    let quick = |arguments: &[&str]| {
        let mut command = program.command(arguments);
        command.env("LEGWORK_SCREENSHOTS_ENABLED", "false").env("LEGWORK_TIMEOUTS_REQUEST", "6s");
        command
    };
    let mut command = quick(&["run", file.to_str().unwrap(), "--decider", "literal", "--events"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let (clicked, clicks) = std::sync::mpsc::channel();
    let reading = thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let event: Value = serde_json::from_str(&line).unwrap_or_default();
            if event["type"] == "COMMAND_STARTED" && event["data"]["action"]["action"] == "click" {
                // In the other cases there is no receiver.
                let _ = clicked.send(());
            }
        }
    });
    match moment {
        Moment::Intent => drop(clicks.recv_timeout(TEST_TIMEOUT)),
        Moment::Received => shop.wait(&mut child, |orders| orders.placed.contains_key(&number)),
        Moment::Answered => shop.wait(&mut child, |orders| orders.answered.contains(&number)),
    }
    strike(program, &mut child, victim);
    // Held responses are released after the kill, so they arrive late or have no receiver.
    let deadline = Instant::now() + TEST_TIMEOUT;
    if victim != Victim::Stopped {
        shop.release(number);
    }
    let ended = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if Instant::now() > deadline {
            kill(child.id(), Signal::KILL);
            panic!("{case:?} does not end");
        }
        thread::yield_now();
        thread::park_timeout(Duration::from_millis(20));
    };
    shop.release(number);
    reading.join().unwrap();
    let mut went = Went { struck: Some(ended.code().unwrap_or(-1)), ..Went::default() };
    if !ended.success() {
        let again = Ended::of(quick(&["resume", "last", "--json"]).output().unwrap());
        went.resumed = Some(again.code);
        assert!(matches!(again.code, 0 | 5), "{case:?}: {}\n{}\n{}", again.code, again.out, again.err);
        went.validation = again.json()["validation"].as_str().unwrap_or_default().to_owned();
    }
    let shown = program.run(&["show", "last", "--events"]).expect(0);
    let mut open = std::collections::BTreeSet::new();
    for event in shown.out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
        let command = event["data"]["command"].as_str().unwrap_or_default().to_owned();
        match event["type"].as_str().unwrap_or_default() {
            "COMMAND_STARTED" => drop(open.insert(command)),
            "COMMAND_COMPLETED" | "COMMAND_FAILED" => drop(open.remove(&command)),
            _ => {}
        }
    }
    went.open = open.len();
    went.orders = shop.placed(number);
    went
}

#[test]
fn sixty_cases_are_all_combinations() {
    let told = |number| {
        let Case { victim, moment, sends, verify, .. } = Case::of(number);
        format!("{victim:?} {moment:?} {sends:?} {verify}")
    };
    assert_eq!((0..60).map(told).collect::<std::collections::BTreeSet<_>>().len(), 60);
}

#[test]
fn kill_loop_places_no_order_twice() {
    let kills = std::env::var("LEGWORK_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(10_usize);
    let workers = if kills > 20 { 4 } else { 2 };
    let (shop, next) = (Shop::open(), AtomicUsize::new(0));
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let program = Program::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= kills {
                        break;
                    }
                    let case = Case::of(number);
                    let went = play(&program, &shop, case);
                    eprintln!("{case:?}: {went:?}");
                    results.lock().unwrap().push((case, went));
                }
                program.assert_no_leftovers();
            });
        }
    });
    let results = results.into_inner().unwrap();
    let mut table: BTreeMap<(Victim, Moment), [usize; 6]> = BTreeMap::new();
    for (case, went) in &results {
        let row = table.entry((case.victim, case.moment)).or_default();
        let well = went.struck == Some(0) || went.resumed == Some(0);
        let of_six = [
            true,
            went.struck == Some(0),
            went.resumed == Some(0),
            went.resumed == Some(5),
            went.orders > 1,
            well && went.orders == 0,
        ];
        row.iter_mut().zip(of_six).for_each(|(sum, is)| *sum += usize::from(is));
    }
    eprintln!(
        "victim, moment: [kills, ended before, resumed to its end, parked, placed twice, claimed and not placed]"
    );
    table.iter().for_each(|(at, row)| eprintln!("{at:?}: {row:?}"));
    assert_eq!(results.len(), kills);
    let wrong = |what: &str, is: &dyn Fn(&Went) -> bool| {
        let found: Vec<_> = results.iter().filter(|(_, went)| is(went)).collect();
        assert!(found.is_empty(), "{what}: {found:#?}");
    };
    wrong("placed twice", &|went| went.orders > 1);
    wrong("claimed and not placed", &|went| (went.struck == Some(0) || went.resumed == Some(0)) && went.orders == 0);
    wrong("an intent without an end", &|went| went.open > 0);
}

/// A list, a checkbox and a field that order at once: the run parks, or the site's response shows that it was done. A
/// person who states that it was done continues the run without another order.
#[test]
fn an_input_that_orders_at_once_is_not_repeated() {
    let (shop, program) = (Shop::open(), Program::new());
    let cases = [
        (Sends::Select, Victim::Browser, false),
        (Sends::Select, Victim::Renderer, true),
        (Sends::Select, Victim::Legwork, false),
        (Sends::Tick, Victim::Browser, true),
        (Sends::Tick, Victim::Legwork, true),
        (Sends::Field, Victim::Legwork, false),
    ];
    for (number, (sends, victim, verify)) in (1..).zip(cases) {
        let case = Case { number, victim, moment: Moment::Received, sends, verify };
        let went = play(&program, &shop, case);
        assert_eq!((went.orders, went.open), (1, 0), "{case:?}: {went:?}");
        if went.resumed == Some(5) {
            program.run(&["resume", "last", "--assume", "done", "-q"]);
            assert_eq!(shop.placed(number), 1, "{case:?}");
        }
    }
    program.assert_no_leftovers();
}

/// A wizard whose pages are answers to forms. Its second page, loaded by its address, would lack what the first one
/// sent, and the run would order something else.
#[test]
fn a_page_that_was_the_answer_to_a_form_is_not_loaded_by_its_address() {
    let (shop, program) = (Shop::open(), Program::new());
    let steps = "  - Click the button \"Place order\"\n  - Check that \"Confirmed\" is shown\n  \
                 - Type \"Oslo\" into \"City\"\n  - Click the button \"Place order\"\n";
    let file = program.write("wizard.yaml", &format!("url: {}/wizard/1\nsteps:\n{steps}", shop.url));
    let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "-q"]);
    command.env("LEGWORK_TIMEOUTS_ELEMENT", "1s");
    Ended::of(command.output().unwrap()).expect(1);
    assert_eq!(shop.placed(1), 1);
    for assume in [&[][..], &["--assume", "done"], &["--assume", "not-done"]] {
        let told = program.run(&[&["resume", "last", "--json"], assume].concat()).expect(3).json();
        assert_eq!(told["error"]["code"], "RS002", "{told}");
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.contains("/wizard/1") && message.contains("step 1"), "{message}");
        assert_eq!(shop.placed(1), 1, "nothing is sent");
    }
    program.assert_no_leftovers();
}
