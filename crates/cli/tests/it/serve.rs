//! `legwork serve` from the shell's side: the link, a response, the end.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::Stdio,
};

use rustix::process::Signal;

use crate::support::{Program, kill};

#[test]
fn it_prints_a_link_answers_and_ends_when_it_is_asked_to() {
    let program = Program::new();
    let mut child =
        program.command(&["serve", "--port", "0"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut link = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
    let address = link.strip_prefix("http://").unwrap().split('/').next().unwrap().to_owned();
    assert!(link.contains("/open?code="), "{link}");

    let another = program.run(&["serve", "--link"]).expect(0);
    assert!(another.out.starts_with(&format!("http://{address}/open?code=")) && another.out != link, "{}", another.out);

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
