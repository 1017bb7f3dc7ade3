//! Batches: one run for each row of a file. A batch that is killed with SIGKILL and continued does each row exactly
//! once, according to the site's ledger.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    process::Stdio,
};

use legwork_demo_site::DemoSite;
use serde_json::Value;

use crate::support::{Ended, Program, files_below};

/// An order for each row.
fn workflow(site: &DemoSite) -> String {
    format!(
        "name: Orders\nurl: {}\ninputs:\n  customer:\n  quantity: 1\nsteps:\n\
         - Save the text of the heading \"New order\" as form\n\
         - Type \"${{customer}}\" into \"Customer\"\n\
         - Type \"ada@example.org\" into \"E-mail\"\n\
         - Choose \"Anchor line 16 mm\" from \"Product\"\n\
         - Type \"${{quantity}}\" into \"Quantity\"\n\
         - {{step: 'Choose \"Courier\" from \"Delivery\"', on_resume: retry}}\n\
         - Type \"2026-12-24\" into \"Delivery date\"\n\
         - {{step: 'Select the radio button \"Card\"', on_resume: retry}}\n\
         - Tick \"The customer accepts the terms\"\n\
         - {{step: 'Click the button \"Place order\"', expect: '\"Order placed\" is shown', on_resume: ask}}\n",
        site.signed_in_url("/orders/new")
    )
}

/// How many orders the site took from each customer.
fn taken(site: &DemoSite) -> BTreeMap<String, usize> {
    let mut taken = BTreeMap::new();
    for entry in site.ledger().into_iter().filter(|entry| entry.path == "/orders") {
        let customer = entry.fields.iter().find(|(name, _)| name == "customer");
        *taken.entry(customer.map(|(_, value)| value.clone()).unwrap_or_default()).or_default() += 1;
    }
    taken
}

/// Runs a command on a batch until `rows` of them have ended in this process; kills it then.
fn killed_after(program: &Program, arguments: &[&str], rows: usize) -> Option<Ended> {
    let mut command = program.command(arguments);
    command.env("LEGWORK_SCREENSHOTS_ENABLED", "false").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let ended = lines.filter(|line| line.contains("\"row\"")).take(rows).count();
    if ended == rows {
        child.kill().unwrap();
    }
    let ended_itself = ended < rows;
    let output = child.wait_with_output().unwrap();
    ended_itself.then(|| Ended::of(output))
}

fn rows_of(program: &Program) -> Vec<Value> {
    let shown = program.run(&["batches", "show", "last", "--json"]).expect(0).out;
    shown.lines().map(|line| serde_json::from_str(line).unwrap()).filter(|row: &Value| row["row"].is_u64()).collect()
}

/// Starts a batch of `rows` rows, kills it `kills` times, and continues it to its end. Returns the number of rows whose
/// run had to be asked about.
fn continue_to_the_end(program: &Program, site: &DemoSite, rows: usize, kills: usize) -> usize {
    let orders: String = (1..=rows).map(|row| format!("Customer {row},{}\n", row % 9 + 1)).collect();
    program.write("orders.csv", &format!("customer,quantity\n{orders}"));
    program.write("orders.yaml", &workflow(site));
    let start = ["run", "orders.yaml", "--each", "orders.csv", "--jobs", "3", "--json", "--decider", "literal"];
    let resume = ["batches", "resume", "last", "--json"];
    let (mut asked, mut killed) = (0, 0);
    let slice = (rows / (kills + 1)).max(1);
    loop {
        let arguments: &[&str] = if killed == 0 { &start } else { &resume };
        let wanted = if killed < kills { slice } else { usize::MAX };
        let ended = killed_after(program, arguments, wanted);
        killed += 1;
        // A row whose order may or may not have arrived waits for a person, who looks at the site.
        let waiting: Vec<Value> = rows_of(program).into_iter().filter(|row| row["status"] == "parked").collect();
        for row in &waiting {
            let customer = format!("Customer {}", row["row"]);
            let answer = if taken(site).contains_key(&customer) { "done" } else { "not-done" };
            program.run(&["resume", row["run"].as_str().unwrap(), "--assume", answer]).expect(0);
            asked += 1;
        }
        match ended {
            Some(ended) if ended.code == 0 => return asked,
            // Its rows were waiting, and were answered above.
            Some(ended) if ended.code == 5 && !waiting.is_empty() => {}
            Some(ended) => {
                let failed = rows_of(program).into_iter().filter(|row| row["status"] != "success");
                let failed: Vec<String> = failed.take(5).map(|row| row.to_string()).collect();
                panic!("exit {}\n{}\n{}", ended.code, ended.err, failed.join("\n"));
            }
            None => {}
        }
    }
}

#[track_caller]
fn assert_each_row_once(program: &Program, site: &DemoSite, rows: usize) {
    let expected: BTreeMap<String, usize> = (1..=rows).map(|row| (format!("Customer {row}"), 1)).collect();
    assert_eq!(taken(site), expected);
    assert!(site.ledger().iter().all(|entry| entry.repeats.is_none()), "a post was sent twice");
    let shown = rows_of(program);
    assert_eq!(shown.len(), rows);
    for row in shown {
        assert_eq!((&row["status"], &row["variables"]["form"]), (&"success".into(), &"New order".into()), "{row}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_is_killed_does_each_row_once() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    continue_to_the_end(&program, &site, 20, 2);
    assert_each_row_once(&program, &site, 20);
    program.assert_no_leftovers();
    // A finished batch has nothing left to do, and its results can be written again.
    program.run(&["batches", "resume", "last", "--output", "results.csv"]).expect(0);
    assert_eq!(taken(&site).len(), 20);
    let results = std::fs::read_to_string(program.work().join("results.csv")).unwrap();
    assert_eq!(results.lines().count(), 21);
    assert!(results.starts_with("row,status,validation,run,error,customer,form,quantity\n1,success,"));
}

/// `cargo xtask batch` runs it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes many minutes"]
async fn a_batch_of_a_thousand_rows_that_is_killed_does_each_row_once() {
    let rows = std::env::var("LEGWORK_BATCH_ROWS").ok().and_then(|rows| rows.parse().ok()).unwrap_or(1_000);
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let began = std::time::Instant::now();
    let asked = continue_to_the_end(&program, &site, rows, 3);
    assert_each_row_once(&program, &site, rows);
    eprintln!("{rows} rows, 3 kills, {asked} answers, {:.0} s", began.elapsed().as_secs_f64());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_file_is_refused_and_a_cancelled_batch_stays_cancelled() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    program.write("orders.yaml", &workflow(&site));
    program.write("orders.csv", "customer,quantity\nAda,1\nBob,2\nEve,3\n");
    let start = ["run", "orders.yaml", "--each", "orders.csv", "--json", "--rows", "2-", "--decider", "literal"];
    assert!(killed_after(&program, &start, 1).is_none());

    program.write("orders.csv", "customer,quantity\nAda,1\nBob,2\nEve,4\nMax,5\n");
    let refused = program.run(&["batches", "resume", "last"]).expect(2);
    assert!(refused.err.contains("row 3 has changed: quantity\n  row 4 was added"), "{}", refused.err);
    assert!(!taken(&site).contains_key("Max"));

    program.run(&["batches", "cancel", "last"]).expect(0);
    program.write("orders.csv", "customer,quantity\nAda,1\nBob,2\nEve,3\n");
    let refused = program.run(&["batches", "resume", "last"]).expect(2);
    assert!(refused.err.contains("was cancelled"), "{}", refused.err);
    let listed = program.run(&["batches", "--json"]).expect(0).json();
    assert_eq!((&listed[0]["state"], &listed[0]["rows"]), (&"cancelled".into(), &2.into()), "{listed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_rows_are_reported_and_can_be_started_again() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    program.write("orders.yaml", &workflow(&site));
    program.write(
        "orders.jsonl",
        "{\"customer\": \"Ada\", \"quantity\": 0}\n{\"customer\": \"Bob\"}\n{\"customer\": \"Eve\"}\n",
    );
    let start = ["run", "orders.yaml", "--each", "orders.jsonl", "--max-failures", "1", "--output", "results.jsonl"];
    let ended = program.run(&[&start[..], &["--decider", "literal"]].concat()).expect(1);
    assert!(ended.err.contains("rows failed: 1; no further row was started"), "{}", ended.err);
    assert!(ended.out.contains("✗ row 1") || ended.out.contains("rejected row 1"), "{}", ended.out);
    assert!(ended.out.contains("2 not started"), "{}", ended.out);

    // The failed row is finished; the others are started now. The file of the first call has the results of all rows.
    let statuses = |file: &str| -> Vec<String> {
        let text = std::fs::read_to_string(program.work().join(file)).unwrap();
        let status = |line: &str| serde_json::from_str::<Value>(line).unwrap()["status"].as_str().unwrap().to_owned();
        text.lines().map(status).collect()
    };
    assert_eq!(statuses("results.jsonl")[1..], ["waiting", "waiting"]);
    program.run(&["batches", "resume", "last"]).expect(1);
    assert_eq!(statuses("results.jsonl")[1..], ["success", "success"]);
    program.run(&["batches", "resume", "last", "--output", "other.jsonl"]).expect(1);
    assert_eq!(statuses("other.jsonl"), statuses("results.jsonl"));
    assert_eq!(taken(&site), [("Ada".into(), 1), ("Bob".into(), 1), ("Eve".into(), 1)].into());
    program.run(&["batches", "resume", "last", "--retry-failed"]).expect(1);
    assert_eq!(taken(&site), [("Ada".into(), 2), ("Bob".into(), 1), ("Eve".into(), 1)].into());
}

/// A browser that does not start at first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_whose_browser_failed_is_continued() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    program.write("orders.yaml", &workflow(&site));
    program.write("orders.csv", "customer,quantity\nAda,1\nBob,2\n");
    let browser = legwork::browser::find_executable(legwork::browser::Engine::Chromium).unwrap();
    let script = "#!/bin/sh\nif mkdir \"$0.tried\" 2>/dev/null; then exit 1; fi\n";
    let script = program.write("browser", &format!("{script}exec '{}' \"$@\"\n", browser.display()));
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let start = ["run", "orders.yaml", "--each", "orders.csv", "--decider", "literal", "--browser"];
    program.run(&[&start[..], &[script.to_str().unwrap()]].concat()).expect(0);
    assert!(program.work().join("browser.tried").is_dir());
    assert_eq!(taken(&site), [("Ada".into(), 1), ("Bob".into(), 1)].into());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_values_of_a_secret_column_are_typed_and_never_stored() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let steps = "steps:\n- Click \"Accept all cookies\"\n- Type \"${user}\" into \"User name\"\n\
                 - Type \"${secret:pin}\" into \"Password\"\n\
                 - {step: 'Click the button \"Sign in\"', expect: '\"Welcome back, Alice\" is shown'}\n";
    program.write("sign-in.yaml", &format!("name: Sign in\nurl: {}/login\n{steps}", site.url()));
    let password = legwork_demo_site::PASSWORD;
    program.write("users.csv", &format!("user,pin\nalice,{password}\nalice,wrong-{password}\n"));
    let start =
        ["run", "sign-in.yaml", "--each", "users.csv", "--secret-column", "pin", "--json", "--output", "out.csv"];
    let ended = program.run(&[&start[..], &["--decider", "literal"]].concat()).expect(1);
    let rows: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&rows[0]["status"], &rows[0]["variables"]["user"]),
        (&"success".into(), &"alice".into()),
        "{}",
        rows[0]
    );
    let failed = rows[2]["failed"].as_u64().unwrap() + rows[2]["errors"].as_u64().unwrap();
    assert_eq!((&rows[2]["validated"], failed), (&1.into(), 1), "{}", rows[2]);
    let is_in = |bytes: &[u8]| bytes.windows(password.len()).any(|part| part == password.as_bytes());
    assert!(!is_in(ended.out.as_bytes()) && !is_in(ended.err.as_bytes()));
    for file in files_below(&program.data()).into_iter().chain([program.work().join("out.csv")]) {
        assert!(!is_in(&std::fs::read(&file).unwrap_or_default()), "{}", file.display());
    }
}

/// The site shows in a row what an earlier row typed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secret_of_one_row_is_hidden_in_the_runs_of_the_others() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let steps = "steps:\n- Type \"${secret:pin}\" into \"Company name\"\n- Click the button \"Save settings\"\n";
    program.write("name.yaml", &format!("name: Name\nurl: {}\n{steps}", site.signed_in_url("/settings/company")));
    let values = ["CANARYaa11bb22", "CANARYcc33dd44"];
    program.write("rows.csv", &format!("pin\n{}\n{}\n", values[0], values[1]));
    let start = ["run", "name.yaml", "--each", "rows.csv", "--secret-column", "pin", "--json", "--output", "out.csv"];
    let ended = program.run(&[&start[..], &["--decider", "literal"]].concat()).expect(0);
    // The second row began on a page with the value of the first one.
    let typed: Vec<String> = site.ledger().iter().map(|entry| format!("{entry:?}")).collect();
    assert!(values.iter().zip(&typed).all(|(value, entry)| entry.contains(value)), "{typed:?}");
    for value in values {
        let is_in = |bytes: &[u8]| bytes.windows(value.len()).any(|part| part == value.as_bytes());
        assert!(!is_in(ended.out.as_bytes()) && !is_in(ended.err.as_bytes()));
        for file in files_below(&program.data()).into_iter().chain([program.work().join("out.csv")]) {
            assert!(!is_in(&std::fs::read(&file).unwrap_or_default()), "{value}: {}", file.display());
        }
    }
    let shown: String =
        files_below(&program.data()).iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    assert!(shown.contains("••••"), "the second row shows that something is hidden");
}

/// The page of the repeated row shows the value of the other one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_is_replayed_reads_its_secrets_and_hides_those_of_all_rows() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let steps = "steps:\n- Type \"${secret:pin}\" into \"Company name\"\n- Click the button \"Save settings\"\n";
    program.write("name.yaml", &format!("name: Name\nurl: {}\n{steps}", site.signed_in_url("/settings/company")));
    let values = ["CANARYaa11bb22", "CANARYcc33dd44"];
    program.write("rows.csv", &format!("pin\n{}\n{}\n", values[0], values[1]));
    let start = ["run", "name.yaml", "--each", "rows.csv", "--secret-column", "pin", "--json", "--decider", "literal"];
    let ended = program.run(&start).expect(0);
    let rows: Vec<Value> = ended.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let first = rows[0]["run"].as_str().unwrap();
    let before = site.ledger().len();
    let replayed = program.run(&["replay", first, "--json"]).expect(0);
    let typed: Vec<String> = site.ledger()[before..].iter().map(|entry| format!("{entry:?}")).collect();
    assert!(typed.iter().any(|entry| entry.contains(values[0])), "{typed:?}");
    for value in values {
        let is_in = |bytes: &[u8]| bytes.windows(value.len()).any(|part| part == value.as_bytes());
        assert!(!is_in(replayed.out.as_bytes()) && !is_in(replayed.err.as_bytes()), "{value}");
        for file in files_below(&program.data()) {
            assert!(!is_in(&std::fs::read(&file).unwrap_or_default()), "{value}: {}", file.display());
        }
    }
    // Without the file, nothing would be hidden.
    std::fs::remove_file(program.work().join("rows.csv")).unwrap();
    program.run(&["replay", first]).expect(2);
}

/// The page of the continued row shows the value of the one before.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_row_that_is_resumed_by_its_run_hides_the_secrets_of_all_rows() {
    let (site, program) = (DemoSite::start().await.unwrap(), Program::new());
    let steps = "steps:\n- Wait up to 25 seconds for \"${sign}\"\n- Type \"${secret:pin}\" into \"Company name\"\n\
                 - Click the button \"Save settings\"\n";
    program.write("name.yaml", &format!("name: Name\nurl: {}\n{steps}", site.signed_in_url("/settings/company")));
    let values = ["CANARYaa11bb22", "CANARYcc33dd44"];
    // The second row waits for a text that appears only when the company has this name.
    program.write("rows.csv", &format!("sign,pin\nCompany name,{}\nLast Company,{}\n", values[0], values[1]));
    let start = ["run", "name.yaml", "--each", "rows.csv", "--secret-column", "pin", "--json", "--decider", "literal"];
    let mut command = program.command(&start);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let run = loop {
        let shown = program.run(&["batches", "show", "last", "--json"]);
        let rows = shown.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let second = rows.into_iter().find(|row| row["row"] == 2 && row["run"].is_string());
        // It has looked at the page, and its first step waits for what is not there.
        let is_waiting = |run: &str| program.run(&["show", run, "--json"]).out.contains("\"observed\": {");
        match second.and_then(|row| row["run"].as_str().map(str::to_owned)).filter(|run| is_waiting(run)) {
            Some(run) => break run,
            None => assert!(child.try_wait().unwrap().is_none(), "the second row waits"),
        }
    };
    child.kill().unwrap();
    child.wait().unwrap();
    // Without the file, nothing would be hidden.
    std::fs::rename(program.work().join("rows.csv"), program.work().join("moved.csv")).unwrap();
    let refused = program.run(&["resume", &run]).expect(2);
    assert!(refused.err.contains("batches resume") && refused.err.contains("--each FILE"), "{}", refused.err);
    std::fs::rename(program.work().join("moved.csv"), program.work().join("rows.csv")).unwrap();
    let resumed = program.run(&["resume", &run, "--json"]);
    for value in values {
        let is_in = |bytes: &[u8]| bytes.windows(value.len()).any(|part| part == value.as_bytes());
        assert!(!is_in(resumed.out.as_bytes()) && !is_in(resumed.err.as_bytes()), "{value}");
        for file in files_below(&program.data()) {
            assert!(!is_in(&std::fs::read(&file).unwrap_or_default()), "{value}: {}", file.display());
        }
    }
    let kept: String =
        files_below(&program.data()).iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    assert!(kept.contains("••••"), "the page of the row shows that something is hidden");
}

#[test]
fn problems_of_rows_are_reported_before_a_browser_opens() {
    let program = Program::new();
    program.write("orders.yaml", "inputs:\n  customer:\n  quantity: 1\nsteps:\n- Type \"${customer}\" into \"Customer\"\n- Type \"${quantity}\" into \"Quantity\"\n");
    let check = |name: &str, content: &str, flags: &[&str], expected: &str| {
        program.write(name, content);
        let start = ["run", "orders.yaml", "--decider", "literal", "--browser", "/nonexistent", "--each", name];
        let refused = program.run(&[&start[..], flags].concat()).expect(2);
        assert!(refused.err.contains(expected), "{name}: {}", refused.err);
        assert_eq!(program.run(&["batches", "--json"]).expect(0).out, "[]\n");
    };
    check("a.csv", "customer,quantity\nAda,1\n,2\n", &[], "row 2 (line 3), column \"customer\": the cell is empty");
    check(
        "a.csv",
        "customer,quantty\nAda,1\n",
        &[],
        "column \"quantty\": the workflow has no input of this name; did you mean \"quantity\"?",
    );
    check("a.csv", "quantity\n1\n", &[], "column \"customer\": the workflow needs this input");
    check("a.csv", "customer,quantity\nAda,1,2\n", &[], "row 1 (line 2): the row has 3 cells");
    check("a.csv", "customer,customer\nAda,1\n", &[], "column \"customer\": there are two columns of this name");
    check("a.csv", "customer\nAda\n", &["--rows", "7-9"], "none of the 1 rows is selected");
    check("a.csv", "customer\nAda\n", &["--var", "customer=Bob"], "has a column of this name");
    check("a.csv", "customer\nAda\n", &["--output", "a.txt"], "must end in .csv or .jsonl");
    check("a.csv", "customer\nAda\n", &["--secret-column", "pin"], "column \"pin\": there is no such column");
    check("a.xlsx", "not a workbook", &[], "the workbook cannot be read");
    check("a.txt", "customer\nAda\n", &[], "the file is not .csv, .tsv, .jsonl, .ndjson or .xlsx");
    let refused = program.run(&["run", "orders.yaml", "--jobs", "2"]).expect(2);
    assert!(refused.err.contains("--each"), "{}", refused.err);
}
