//! Secrets from the vault: granted by name, typed into their own sites, and in no output.

use std::process::{Command, Stdio};

use legwork_demo_site::{DemoSite, PASSWORD, USER};
use legwork_vault::OneTimeCodeKey;
use serde_json::Value;

use crate::support::{Ended, Program, finish};

const KEY: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

/// Runs `legwork vault` with a value on standard input.
fn vault(program: &Program, arguments: &[&str], value: &str) -> Ended {
    finish(with_input(program.command(&[&["vault"], arguments].concat()), program, value))
}

fn with_input(mut command: Command, program: &Program, value: &str) -> Command {
    // A file, because the commands of these tests have no writer on the other end of a pipe.
    let path = program.write("value", value);
    command.stdin(Stdio::from(std::fs::File::open(path).unwrap()));
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stored_password_and_a_code_are_typed_into_their_site_and_shown_nowhere() {
    let site = DemoSite::start().await.unwrap();
    let program = Program::new();
    vault(&program, &["add", "pw", "--origin", &site.url()], &format!("{PASSWORD}\n")).expect(0);
    vault(&program, &["add", "code", "--origin", &site.url(), "--one-time-code"], KEY).expect(0);
    let file = program.write(
        "login.yaml",
        &format!(
            "url: {}/login\nsteps:\n  - Accept the cookies\n  - Type \"${{secret:code}}\" into \"User name\"\n  \
             - Type \"${{secret:pw}}\" into \"Password\"\n  - step: Click \"Sign in\"\n    expect: '\"Wrong user name or password.\" is shown'\n  \
             - Type \"{USER}\" into \"User name\"\n  - Type \"${{secret:pw}}\" into \"Password\"\n  - Click \"Sign in\"\n",
            site.url()
        ),
    );
    let file = file.to_str().unwrap();
    let refused = program.run(&["run", file]).expect(2);
    assert!(refused.err.contains("was not granted"), "the file alone grants nothing: {}", refused.err);

    let run = program.run(&["run", file, "--secret", "pw", "--secret", "code", "--json"]);
    let shown = format!("{}{}{}", run.out, run.err, program.run(&["show", "last", "--events"]).out);
    run.expect(0);
    let posts: Vec<_> = site.ledger().into_iter().filter(|entry| entry.path == "/login").collect();
    assert_eq!(posts.len(), 2, "{posts:#?}");
    let code = posts[0].fields.iter().find(|(name, _)| name == "username").map(|(_, value)| value.clone()).unwrap();
    let key = OneTimeCodeKey::parse(&OneTimeCodeKey::address(KEY).unwrap()).unwrap();
    let sent = posts[0].at_ms / 1000;
    let valid: Vec<_> = (0..=120).map(|age| key.code(sent - age)).collect();
    assert!(valid.contains(&code), "{code} was not valid in the two minutes before it was sent");
    for value in [PASSWORD, KEY, &code] {
        assert!(!shown.contains(value), "{value} is in the output or the record");
    }
}

#[test]
fn secrets_are_stored_listed_replaced_and_removed_and_mistakes_are_explained() {
    let program = Program::new();
    let fails = |arguments: &[&str], value: &str, expected: &str| {
        let ended = vault(&program, arguments, value).expect(2);
        assert!(ended.err.contains(expected), "{}", ended.err);
    };
    fails(&["add", "pw"], "tulip", "needs a site");
    fails(&["add", "my pw", "--origin", "https://shop.example"], "tulip", "cannot be the name");
    fails(&["add", "pw", "--origin", "shop.example"], "tulip", "is not an origin");
    fails(&["add", "pw", "--origin", "https://shop.example"], "\n", "the value is empty");
    fails(&["add", "code", "--origin", "https://shop.example", "--one-time-code"], "123 456", "is not base32");
    let add = ["add", "pw", "--origin", "https://shop.example", "--username", "ada"];
    vault(&program, &add, "tulip\n").expect(0);
    fails(&add, "rose", "there is a secret \"pw\" already");
    vault(&program, &["add", "pw", "--replace"], "rose").expect(0);
    let listed = vault(&program, &["list", "--json"], "").expect(0);
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    assert_eq!(listed[0]["name"], "pw");
    assert_eq!((&listed[0]["origins"][0], &listed[0]["username"]), (&"https://shop.example".into(), &"ada".into()));
    vault(&program, &["remove", "pw"], "").expect(0);
    fails(&["remove", "pw"], "", "there is no secret \"pw\"");
}

#[test]
fn an_export_is_imported_and_a_request_cannot_use_a_secret_elsewhere() {
    let program = Program::new();
    let file =
        program.write("export.csv", "name,url,username,password\nShop,https://shop.example/in,ada,tulip\nNote,,,\n");
    let file = file.to_str().unwrap();
    let tried = vault(&program, &["import", file, "--dry-run"], "").expect(0);
    assert!(
        tried.out.contains("shop_password") && tried.out.contains("line 3: Note: it has no password"),
        "{}",
        tried.out
    );
    assert!(vault(&program, &["list"], "").expect(0).out.contains("There are no secrets"));
    let done = vault(&program, &["import", file], "").expect(0);
    assert!(done.out.contains("1 secret was stored") && !done.out.contains("tulip"), "{}", done.out);
    let wrong = program.write("other.csv", "a,b\n1,2\n");
    let refused = vault(&program, &["import", wrong.to_str().unwrap()], "").expect(2);
    assert!(refused.err.contains("its columns are a, b"), "{}", refused.err);

    let workflow = program.write("w.txt", "Type \"${secret:shop_password}\" into \"Password\"\n");
    let workflow = workflow.to_str().unwrap();
    let elsewhere = "shop_password@https://evil.example";
    let refused = program.run(&["run", workflow, "--url", "https://evil.example", "--secret", elsewhere]).expect(2);
    assert!(refused.err.contains("binds the secret shop_password to https://shop.example"), "{}", refused.err);
}

#[test]
fn a_passphrase_comes_from_a_variable_or_a_command_and_a_run_without_it_says_so() {
    let program = Program::new();
    vault(&program, &["add", "pw", "--origin", "https://shop.example"], "tulip").expect(0);
    let refused = vault(&program, &["passphrase"], "").expect(2);
    assert!(refused.err.contains("nothing was entered"), "{}", refused.err);
    let data = program.data();
    let key = data.parent().unwrap().join("config/legwork/vault.key");
    let file = legwork_vault::VaultFile::new(&data, Some(key));
    file.protect(Some(&"correct horse battery".to_owned().into()), &mut || None).unwrap();

    let closed = vault(&program, &["list"], "").expect(2);
    assert!(
        closed.err.contains("has a passphrase") && closed.err.contains("LEGWORK_VAULT_PASSPHRASE"),
        "{}",
        closed.err
    );
    let with = |name: &str, value: &str| {
        let mut command = program.command(&["vault", "list"]);
        command.env(name, value);
        finish(command)
    };
    assert!(with("LEGWORK_VAULT_PASSPHRASE", "correct horse battery").expect(0).out.contains("pw"));
    assert!(with("LEGWORK_VAULT_PASSPHRASE_COMMAND", "echo correct horse battery").expect(0).out.contains("pw"));
    let wrong = with("LEGWORK_VAULT_PASSPHRASE", "another one here").expect(2);
    assert!(wrong.err.contains("cannot be decrypted: the passphrase is another one"), "{}", wrong.err);
}
