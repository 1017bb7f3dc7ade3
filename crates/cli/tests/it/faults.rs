//! Failures after a request was sent: responses that are cut off or never arrive, documents instead of files, and
//! output that cannot be written. None of them is reported as a success.

use std::{
    fs::OpenOptions,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use crate::support::{Ended, Program, finish};

/// A server that answers each request, identified by method and path, with these bytes after this delay, and then
/// closes the connection.
fn serve(answer: fn(&str) -> (Duration, String)) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            thread::spawn(move || reply(stream, answer).unwrap_or_default());
        }
    });
    url
}

fn reply(mut stream: TcpStream, answer: fn(&str) -> (Duration, String)) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut head = String::new();
    while reader.read_line(&mut head)? > 2 {}
    let body = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    reader.take(body.unwrap_or(0)).read_to_end(&mut Vec::new())?;
    let request: Vec<&str> = head.split(' ').take(2).collect();
    let (delay, answer) = answer(&request.join(" "));
    thread::sleep(delay);
    stream.write_all(answer.as_bytes())
}

fn answer(kind: &str, length: usize, more: &str, body: &str) -> (Duration, String) {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\nconnection: close\r\n");
    (Duration::ZERO, format!("{head}{more}\r\n{body}"))
}

fn page(body: &str) -> (Duration, String) {
    let page = format!("<!doctype html><html lang=en><title>Shop</title><h1>Shop</h1>{body}</html>");
    answer("text/html", page.len(), "", &page)
}

fn steps(program: &Program, url: &str, step: &str, more: &[&str]) -> Ended {
    let file = program.write("steps.txt", step);
    let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "--json", "--url", url]);
    command.args(more).env("LEGWORK_TIMEOUTS_FLUSH", "300ms").env("LEGWORK_TIMEOUTS_ELEMENT", "1s");
    finish(command)
}

#[test]
fn a_change_whose_answer_breaks_off_is_no_success() {
    let url = serve(|request| match request {
        "POST /order" => answer("application/json", 5_000, "", "{\"order\":"),
        "POST /form" => answer("text/html", 5_000, "", "<title>Shop</title><h1>Thank you</h1>"),
        _ => page(
            "<button onclick=\"fetch('/order',{method:'POST'})\">Order</button>
            <form method=post action=/form><button>Send</button></form>",
        ),
    });
    for (button, path) in [("Order", "/order"), ("Send", "/form")] {
        let program = Program::new();
        let told = steps(&program, &url, &format!("Click the button \"{button}\""), &[]).expect(1).json();
        assert_eq!((&told["validation"], &told["error"]["code"]), (&json!("rejected"), &json!("TL015")), "{told}");
        let message = told["error"]["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("POST {url}{path} answered 200, and the body broke off: net::ERR")),
            "{told}"
        );
    }
}

#[test]
fn a_save_that_the_close_cuts_off_is_told_in_the_result() {
    let url = serve(|request| match request {
        "POST /save" => (Duration::from_secs(60), String::new()),
        _ => page("<button onclick=\"fetch('/save',{method:'POST'})\">Save</button>"),
    });
    let program = Program::new();
    let told = steps(&program, &url, "Click the button \"Save\"", &[]).expect(0).json();
    assert_eq!(told["validation"], "unvalidated", "{told}");
    let warnings: Vec<&str> = told["warnings"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let lost = format!("may be lost: an unanswered POST {url}/save; timeouts.flush limits the wait");
    assert!(warnings.iter().any(|warning| warning.ends_with(&lost)), "{told}");
    steps(&program, &url, "Click the button \"Save\"", &["--require", "validated"]).expect(1);
}

#[test]
fn an_error_document_in_place_of_a_file_is_no_download() {
    let url = serve(|request| match request {
        "GET /report.csv" => answer("application/json", 21, "", "{\"error\":\"no report\"}"),
        "GET /prices.csv" => answer("text/csv", 8, "", "a,b\n1,2\n"),
        _ => page("<a href=/report.csv download>Report</a><a href=/prices.csv download>Prices</a>"),
    });
    let program = Program::new();
    let told = steps(&program, &url, "Click the link \"Report\" and check that \"report.csv\" was downloaded", &[]);
    let told = told.expect(1).json();
    let message = told["error"]["message"].as_str().unwrap();
    assert!(message.contains("report.csv was downloaded, and contains JSON"), "{told}");
    // A click alone does not state a file name, so the download is neutral and the step is unvalidated.
    let told = steps(&program, &url, "Click the link \"Report\"", &[]).expect(0).json();
    assert_eq!(told["validation"], "unvalidated", "{told}");
    let told = steps(&program, &url, "Click the link \"Prices\" and check that \"prices.csv\" was downloaded", &[]);
    assert_eq!(told.expect(0).json()["validation"], "validated");
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_and_the_run_goes_on() {
    let url = serve(|_| page("<button onclick=\"document.title='Done'\">Do</button>"));
    for (more, as_json) in
        [(&["--events"][..], false), (&["--events", "--json"], true), (&["--json"], true), (&[], false)]
    {
        let program = Program::new();
        let file = program.write("steps.txt", "Click the button \"Do\"");
        let mut command = program.command(&["run", file.to_str().unwrap(), "--decider", "literal", "--url", &url]);
        command.args(more).stderr(std::process::Stdio::piped());
        command.stdout(OpenOptions::new().write(true).open("/dev/full").unwrap());
        let output = command.spawn().unwrap().wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{more:?}: {err}");
        assert!(err.contains("cannot write the output") && err.contains("No space left"), "{more:?}: {err}");
        if as_json {
            let told: Value = serde_json::from_str(&err).unwrap_or_else(|_| panic!("{more:?}: {err}"));
            assert_eq!((&told["status"], &told["error"]["code"]), (&json!("error"), &json!("ES003")), "{told}");
        }
        assert!(program.show_last().contains("success, validated"), "{}", program.show_last());
    }
}
