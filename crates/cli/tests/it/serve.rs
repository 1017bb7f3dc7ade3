//! `legwork serve` from the shell's side: the link, a response, the end.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Stdio},
};

use rustix::process::Signal;

use crate::support::{Program, kill};

/// A server, the link that it printed, and its address.
fn serve(program: &Program) -> (Child, String, String) {
    let mut child =
        program.command(&["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut link = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
    let address = link.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    (child, link, address)
}

#[test]
fn it_prints_a_link_answers_and_ends_when_it_is_asked_to() {
    let program = Program::new();
    let (mut child, link, address) = serve(&program);
    assert!(link.contains("/open?code="), "{link}");

    let another = program.run(&["serve", "--link"]).expect(0);
    assert!(another.out.starts_with(&format!("http://{address}/open?code=")) && another.out != link, "{}", another.out);

    let second = program.run(&["serve", "--port", "0", "--json"]).expect(2);
    let error = &second.json()["error"];
    assert_eq!(error["code"], "FA001", "{error}");
    assert!(error["message"].as_str().unwrap().contains("a server runs on this data folder already"), "{error}");

    let mut socket = TcpStream::connect(&address).unwrap();
    write!(socket, "GET /api/health HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":\"ok\""), "{answer}");

    kill(child.id(), Signal::TERM);
    assert!(child.wait().unwrap().success());
    let gone = program.run(&["serve", "--link"]).expect(3);
    assert!(gone.err.contains("no server answers") && gone.err.contains("legwork serve"), "{}", gone.err);
}

#[test]
fn an_address_that_others_reach_needs_a_proxy_that_protects_it() {
    let refused = Program::new().run(&["serve", "--host", "0.0.0.0", "--port", "0"]).expect(2);
    assert!(refused.err.contains("--behind-proxy https://"), "{}", refused.err);
}

/// The status of the answer to a request with this token.
fn asked(address: &str, token: &str, path: &str) -> u16 {
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!("Host: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n");
    write!(socket, "GET {path} HTTP/1.1\r\n{head}").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_running_server_honours_tokens_that_are_created_and_revoked() {
    let program = Program::new();
    let (mut child, _, address) = serve(&program);

    let made = program.run(&["token", "create", "ci", "--scope", "read,run", "--expires", "30d"]).expect(0);
    let token = made.out.trim();
    assert!(made.err.contains("Token ci (tk_") && made.err.contains("with read,run; expires "), "{}", made.err);
    assert_eq!(asked(&address, token, "/api/automation/sessions"), 200);
    let listed = program.run(&["token", "list"]).expect(0);
    assert!(listed.out.starts_with("ci  read,run") && !listed.out.contains(token), "{}", listed.out);
    let json: serde_json::Value =
        serde_json::from_str(&program.run(&["token", "list", "--json"]).expect(0).out).unwrap();
    assert_eq!((&json[0]["scopes"], &json[0]["expired"]), (&serde_json::json!(["read", "run"]), &false.into()));
    let taken = program.run(&["token", "create", "ci", "--scope", "read"]).expect(2);
    assert!(
        taken.err.contains("there is a token \"ci\" already") && taken.err.contains("token revoke"),
        "{}",
        taken.err
    );
    let link = program.run(&["serve", "--link", "--token", "ci"]).expect(0);
    assert!(link.out.contains("/open?code="), "{}", link.out);
    program.run(&["serve", "--link", "--token", "nobody"]).expect(2);

    program.run(&["token", "revoke", "ci"]).expect(0);
    assert_eq!(asked(&address, token, "/api/automation/sessions"), 401);
    program.run(&["token", "revoke", "ci"]).expect(2);
    let log = program.run(&["audit", "--since", "1h"]).expect(0).out;
    assert!(log.contains("401  -  127.0.0.1  serve GET /api/automation/sessions\n"), "{log}");
    assert!(log.contains("200  server.token  127.0.0.1  serve POST /api/link\n") && !log.contains(token), "{log}");
    let json: serde_json::Value = serde_json::from_str(&program.run(&["audit", "--json"]).expect(0).out).unwrap();
    assert_eq!(json.as_array().unwrap().len(), log.lines().count());
    kill(child.id(), Signal::TERM);
    assert!(child.wait().unwrap().success());
}
