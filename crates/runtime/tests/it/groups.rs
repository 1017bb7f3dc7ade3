//! Loops, conditions and optional steps in a real browser, on a table that the server changes with every row.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use legwork::{
    Runtime, StartRequest,
    protocol::{Code, EventKind, Outcome, RunId, Status, Validation, Workflow},
    record::RunRecord,
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::library::{ScriptedModelFn, line, runtime};

/// Orders with a button each. The server removes an order that is shipped, turns the order of the others around, and
/// takes a new order meanwhile.
#[derive(Default)]
struct State {
    orders: Vec<(&'static str, &'static str)>,
    shipped: Vec<String>,
    arrivals: Vec<&'static str>,
    postponed: Vec<String>,
    /// The order that the server refuses to ship.
    refused: Option<&'static str>,
    /// Whether each row has a second button.
    offers_delay: bool,
    /// The order whose button has another name.
    renamed: Option<&'static str>,
    /// The status of orders that were shipped, if they stay in the table. The page says nothing else about them then.
    status_of_shipped: Option<&'static str>,
    has_banner: bool,
    /// Whether the names of the columns are bold cells of the first row instead of headers.
    has_bold_head: bool,
}

struct Warehouse {
    state: Arc<Mutex<State>>,
    address: String,
}

impl Warehouse {
    async fn start(state: State) -> Warehouse {
        let state = Arc::new(Mutex::new(state));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        let shown = state.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let state = shown.clone();
                tokio::spawn(async move {
                    let mut request = vec![0; 8192];
                    let length = stream.read(&mut request).await.unwrap_or(0);
                    let request = String::from_utf8_lossy(&request[..length]).into_owned();
                    let answer = answer(&mut state.lock().unwrap(), &request);
                    let _ = stream.write_all(answer.as_bytes()).await;
                });
            }
        });
        Warehouse { state, address }
    }

    fn workflow(&self, steps: Value) -> Workflow {
        serde_json::from_value(json!({"name": "ship", "url": self.address, "steps": steps})).unwrap()
    }

    fn shipped(&self) -> Vec<String> {
        self.state.lock().unwrap().shipped.clone()
    }
}

fn answer(state: &mut State, request: &str) -> String {
    let order_of = |path: &str| request.strip_prefix(path).and_then(|rest| rest.split(' ').next());
    let see_orders = "HTTP/1.1 303 See Other\r\nlocation: /\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    if let Some(order) = order_of("POST /postpone/") {
        state.postponed.push(order.to_owned());
        state.orders.retain(|(other, _)| *other != order);
        return see_orders.to_owned();
    }
    if let Some(order) = order_of("POST /ship/") {
        if state.refused == Some(order) {
            let body =
                format!("<!doctype html><title>Orders</title><p role=alert>Error: {order} cannot be shipped</p>");
            return page("422 Unprocessable Content", &body);
        }
        state.shipped.push(order.to_owned());
        if state.status_of_shipped.is_some() {
            return see_orders.to_owned();
        }
        state.orders.retain(|(other, _)| *other != order);
        state.orders.reverse();
        if let Some(arrival) = state.arrivals.pop() {
            state.orders.insert(0, (arrival, "open"));
        }
        return see_orders.to_owned();
    }
    let rows: String = state
        .orders
        .iter()
        .enumerate()
        .map(|(at, (order, status))| {
            let was_shipped = state.shipped.iter().any(|shipped| shipped == order);
            let status = state.status_of_shipped.filter(|_| was_shipped).unwrap_or(status);
            let name = if state.renamed == Some(order) { "Dispatch" } else { "Ship" };
            let postpone = format!("<form method=post action=/postpone/{order}><button>Postpone</button></form>");
            let postpone = if state.offers_delay { postpone } else { String::new() };
            format!(
                "<tr><td>{}</td><td>{order}</td><td>{status}</td><td><form method=post action=/ship/{order}>\
                 <button>{name}</button></form>{postpone}</td></tr>",
                at + 1
            )
        })
        .collect();
    let banner =
        "<div role=dialog aria-label=Cookies><button onclick='this.parentNode.remove()'>Accept all</button></div>";
    let banner = if state.has_banner { banner } else { "" };
    let head = match state.has_bold_head {
        true => "<tbody><tr><td><b>#</b></td><td><b>Order</b></td><td><b>Status</b></td><td></td></tr>",
        false => "<thead><tr><th>#</th><th>Order</th><th>Status</th><th></th></tr></thead><tbody>",
    };
    let done = format!("<p role=status>{} shipped, {} postponed</p>", state.shipped.len(), state.postponed.len());
    let done = if state.status_of_shipped.is_some() { String::new() } else { done };
    page(
        "200 OK",
        &format!(
            "<!doctype html><title>Orders</title>{banner}<h1>Orders</h1>{done}<table>{head}{rows}</tbody></table>\
         <label>Note <input name=note></label><button>Print all</button>"
        ),
    )
}

fn page(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

async fn run(runtime: &Runtime, workflow: Workflow) -> (RunId, Outcome) {
    let run = runtime.start(StartRequest::workflow(workflow)).await.unwrap();
    let id = run.id();
    (id, run.outcome().await)
}

async fn record(runtime: &Runtime, run: RunId) -> RunRecord {
    RunRecord::fold(&runtime.log().read(run, 1).await.unwrap()).unwrap()
}

const ORDERS: [(&str, &str); 4] = [("A-1", "open"), ("A-2", "on hold"), ("A-3", "open"), ("A-4", "open")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_row_is_done_once_while_rows_disappear_move_and_arrive() {
    let state = State { orders: ORDERS.to_vec(), arrivals: vec!["N-3", "N-2", "N-1"], ..State::default() };
    let (warehouse, folder) = (Warehouse::start(state).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let (id, outcome) = run(
        &runtime,
        warehouse.workflow(json!([
            {"for_each": "row in \"Orders\"", "where": "\"${row.Status}\" is \"open\"", "steps": [
                {"if": "\"A-3\" is shown", "then": ["Type \"careful with ${row.Order}\" into \"Note\""]},
                "Click \"Ship\""
            ]}
        ])),
    )
    .await;
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated), "{outcome:?}");
    assert_eq!(warehouse.shipped(), ["A-1", "A-3", "A-4"]);
    let record = record(&runtime, id).await;
    let texts: Vec<String> = record.steps.iter().map(|step| format!("{} {}", step.state.name(), step.text)).collect();
    assert_eq!(
        texts,
        [
            "success For each row in \"Orders\" where \"${row.Status}\" is \"open\"",
            "skipped row 1 of 3 (A-1): If \"A-3\" is shown",
            "success row 1 of 3 (A-1): Click \"Ship\"",
            "success row 2 of 3 (A-3): If \"A-3\" is shown",
            "success row 2 of 3 (A-3): Type \"careful with ${row.Order}\" into \"Note\"",
            "success row 2 of 3 (A-3): Click \"Ship\"",
            "skipped row 3 of 3 (A-4): If \"A-3\" is shown",
            "success row 3 of 3 (A-4): Click \"Ship\"",
        ]
    );
    assert_eq!(record.totals.steps, 8);
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failure_names_the_row_and_the_later_rows_are_not_done() {
    let state = State { orders: ORDERS[..3].to_vec(), refused: Some("A-2"), ..State::default() };
    let (warehouse, folder) = (Warehouse::start(state).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let workflow = warehouse.workflow(json!([{"for_each": "row in \"Orders\"", "steps": [
        {"step": "Click \"Ship\"", "optional": true}
    ]}]));
    let (id, outcome) = run(&runtime, workflow).await;
    // A refusal is not forgiven, although the step is optional.
    assert_eq!((outcome.status, outcome.validation), (Status::Failure, Validation::Rejected), "{outcome:?}");
    let error = outcome.error.unwrap();
    assert_eq!((error.code, error.step), (Code::Contradicted, Some(2)));
    assert!(error.message.starts_with("row 2 of 3 (A-2): "), "{}", error.message);
    assert_eq!(warehouse.shipped(), ["A-1"]);
    let ended = record(&runtime, id).await.steps.iter().map(|step| step.state.name()).collect::<Vec<_>>();
    assert_eq!(ended, ["success", "success", "failure", "pending"]);
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_optional_step_closes_a_banner_if_there_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = runtime(&folder).await;
    for (has_banner, status) in [(true, Status::Success), (false, Status::Skipped)] {
        let warehouse = Warehouse::start(State { orders: ORDERS[..1].to_vec(), has_banner, ..State::default() }).await;
        let steps = json!([{"step": "Click \"Accept all\"", "optional": true}, "Click \"Ship\""]);
        let (id, outcome) = run(&runtime, warehouse.workflow(steps)).await;
        assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated), "{outcome:?}");
        let events = runtime.log().read(id, 1).await.unwrap();
        let first = events.iter().find_map(|event| match &event.kind {
            EventKind::StepCompleted(result) => Some(result.clone()),
            _ => None,
        });
        assert_eq!(first.unwrap().status, status);
        assert_eq!(warehouse.shipped(), ["A-1"]);
    }
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_row_of_bold_names_is_the_header_of_a_table_without_headers() {
    let state = State { orders: ORDERS[..3].to_vec(), has_bold_head: true, ..State::default() };
    let (warehouse, folder) = (Warehouse::start(state).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let steps = json!([{
        "for_each": "row in \"Orders\"",
        "where": "\"${row.Status}\" is \"open\"",
        "steps": [{"step": "Click \"Ship\"", "expect": "\"${row.Order}\" is not shown"}],
    }]);
    let (id, outcome) = run(&runtime, warehouse.workflow(steps)).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert_eq!(warehouse.shipped(), ["A-1", "A-3"]);
    let message = record(&runtime, id).await.steps[0].result.as_ref().unwrap().message.clone();
    assert!(message.starts_with("2 of 3 rows where") && message.contains("identified by Order"), "{message}");
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_row_is_judged_like_the_last_one() {
    use Validation::{Unvalidated, Validated};
    // A status that does not say whether the order was shipped, the same status as before, and one that says so.
    for (status, expected) in [("goes out Monday", Unvalidated), ("open", Unvalidated), ("shipped", Validated)] {
        let orders = ["A-1", "A-2", "A-3", "A-4"].map(|order| (order, "open")).to_vec();
        let state = State { orders, status_of_shipped: Some(status), ..State::default() };
        let (warehouse, folder) = (Warehouse::start(state).await, tempfile::tempdir().unwrap());
        let runtime = runtime(&folder).await;
        let steps = json!([{"for_each": "row in \"Orders\"", "key": "Order", "steps": ["Click \"Ship\""]}]);
        let (id, outcome) = run(&runtime, warehouse.workflow(steps)).await;
        assert_eq!((outcome.status, outcome.validation), (Status::Success, expected), "{status}");
        let rows = record(&runtime, id).await.steps;
        let validations: Vec<Validation> =
            rows[1..].iter().map(|step| step.result.as_ref().unwrap().validation).collect();
        assert_eq!(validations, [expected; 4], "{status}");
        runtime.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_empty_table_is_a_success_without_rows() {
    let (warehouse, folder) = (Warehouse::start(State::default()).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let steps = json!([{"for_each": "row in \"Orders\"", "steps": ["Click \"Ship\""]}]);
    let (id, outcome) = run(&runtime, warehouse.workflow(steps)).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let record = record(&runtime, id).await;
    assert!(record.steps[0].result.as_ref().unwrap().message.starts_with("0 rows in \"Orders\""));
    let again = runtime.replay(id).await.unwrap();
    assert!(again.workflow.has_groups());
    runtime.close().await;
}

/// A model that presses the button with this name in each row, by the index of the row, and then says that the row is
/// done.
fn pressing(
    warehouse: &Warehouse,
    name: impl Fn(usize) -> &'static str + Send + Sync + 'static,
) -> ScriptedModelFn<impl Fn(&str) -> Value + Send + Sync + 'static> {
    let (state, said) = (warehouse.state.clone(), AtomicUsize::new(0));
    ScriptedModelFn(move |prompt: &str| {
        let done = {
            let state = state.lock().unwrap();
            state.shipped.len() + state.postponed.len()
        };
        if done > said.swap(done, Ordering::Relaxed) {
            return line("done \"the order is handled\"");
        }
        let (_, button) = prompt
            .rsplit_once(&format!("button \"{}\" [ref=", name(done)))
            .unwrap_or_else(|| panic!("no button in {prompt}"));
        line(&format!("click {}", button.split(']').next().unwrap_or_default()))
    })
}

/// Runs a loop over three orders with one step, which a model decides in two turns. Returns the decisions by model and
/// by record.
async fn three_orders(
    state: State,
    step: &str,
    name: impl Fn(usize) -> &'static str + Send + Sync + 'static,
) -> (Warehouse, (usize, usize)) {
    let orders = vec![("A-1", "open"), ("A-2", "open"), ("A-3", "open")];
    let (warehouse, folder) = (Warehouse::start(State { orders, ..state }).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let steps = json!([{"for_each": "row in \"Orders\"", "steps": [{"step": step, "expect": "\"${row.Order}\" is not shown"}]}]);
    let model = pressing(&warehouse, name);
    let request = StartRequest { model: Some(Arc::new(model)), ..StartRequest::workflow(warehouse.workflow(steps)) };
    let started = runtime.start(request).await.unwrap();
    let id = started.id();
    let outcome = started.outcome().await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    let decisions = record(&runtime, id).await.totals.decisions;
    runtime.close().await;
    (warehouse, (decisions.model, decisions.playbook))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_does_not_have_the_button_of_the_earlier_ones_goes_to_the_model() {
    // The server turns the order of the rows around, but the loop does them in the order in which it found them.
    let state = State { renamed: Some("A-3"), ..State::default() };
    let name = |row| if row == 2 { "Dispatch" } else { "Ship" };
    let (warehouse, decided) = three_orders(state, "ship the order", name).await;
    assert_eq!((warehouse.shipped(), decided), (vec!["A-1".into(), "A-2".into(), "A-3".into()], (4, 1)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_row_goes_to_the_model_if_the_words_leave_a_choice() {
    let name = |row| if row == 1 { "Postpone" } else { "Ship" };
    for step in [
        "handle the order",
        "ship the order if its amount is small",
        "review the order",
        "ship the order but skip unpaid ones",
        "ship the orders of Ada",
    ] {
        let state = State { offers_delay: true, ..State::default() };
        let (warehouse, decided) = three_orders(state, step, name).await;
        let postponed = warehouse.state.lock().unwrap().postponed.clone();
        assert_eq!(
            (warehouse.shipped(), postponed),
            (vec!["A-1".into(), "A-3".into()], vec!["A-2".to_owned()]),
            "{step}"
        );
        assert_eq!(decided, (6, 0), "{step}");
    }
    // The words name one of the two buttons.
    let state = State { offers_delay: true, ..State::default() };
    let (warehouse, decided) = three_orders(state, "please ship this order", |_| "Ship").await;
    assert_eq!((warehouse.shipped().len(), decided), (3, (2, 2)));
}

/// A model clicks the button of the first row. The other rows of the run repeat it, and so does the next run, which has
/// other rows and no model.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_model_did_in_the_rows_of_a_loop_is_repeated_for_other_rows_without_a_model() {
    let orders = vec![("A-1", "open"), ("A-2", "open"), ("A-3", "open")];
    let state = State { orders, ..State::default() };
    let (warehouse, folder) = (Warehouse::start(state).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let model = pressing(&warehouse, |_| "Ship");
    let workflow = warehouse.workflow(json!([
        {"for_each": "row in \"Orders\"", "steps": [{"step": "ship the order", "expect": "\"shipped\" is shown"}]}
    ]));
    let request = StartRequest { model: Some(Arc::new(model)), ..StartRequest::workflow(workflow.clone()) };
    let started = runtime.start(request).await.unwrap();
    let id = started.id();
    let outcome = started.outcome().await;
    assert_eq!((outcome.status, outcome.validation), (Status::Success, Validation::Validated), "{outcome:?}");
    assert_eq!(warehouse.shipped(), ["A-1", "A-2", "A-3"]);
    // The click and the end of the step in the first row.
    let first = record(&runtime, id).await;
    let decided = first.totals.decisions;
    assert_eq!((decided.model, decided.playbook, first.totals.usage.calls), (2, 2, 2));

    let others = vec![("B-5", "open"), ("B-6", "on hold"), ("B-7", "open")];
    *warehouse.state.lock().unwrap() = State { orders: others, arrivals: vec!["N-1"], ..State::default() };
    let (id, outcome) = run(&runtime, workflow).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}");
    assert_eq!(warehouse.shipped(), ["B-5", "B-6", "B-7"]);
    let record = record(&runtime, id).await;
    assert_eq!((record.totals.decisions.playbook, record.totals.usage.calls), (3, 0));
    runtime.close().await;
}
