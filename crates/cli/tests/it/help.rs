use crate::program::Place;

#[test]
fn every_command_explains_itself() {
    let place = Place::new();
    let commands = [
        "",
        "run",
        "demo",
        "serve",
        "validate",
        "runs",
        "batches",
        "show",
        "resume",
        "export",
        "doctor",
        "install-browser",
        "memory",
        "config",
        "completions",
    ];
    for command in commands {
        let arguments: Vec<_> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let said = place.run(&arguments);
        assert_eq!((said.code, said.err.as_str()), (0, ""), "{command}");
        let name = if command.is_empty() { "help" } else { command };
        insta::assert_snapshot!(name, said.out);
    }
}

#[test]
fn completions_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = place.run(&["completions", shell]);
        assert_eq!(said.code, 0, "{said}");
        assert!(said.out.contains("install-browser"), "{shell}");
    }
}
