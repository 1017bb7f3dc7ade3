use std::{fs, time::Duration};

use secrecy::ExposeSecret;

use super::*;

fn file(path: &str, text: &str) -> Option<TextFile> {
    Some(TextFile { path: path.into(), text: text.to_owned() })
}

fn env(pairs: &[(&str, &str)]) -> std::collections::BTreeMap<String, String> {
    [("HOME", "/home/me")].iter().chain(pairs).map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn problems(sources: &Sources) -> String {
    let problems = Settings::load(sources).err().unwrap_or_default();
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_defaults_are_those_of_the_contract() {
    let settings = Settings::load(&Sources { env: env(&[]), ..Sources::default() }).expect("sound");
    let minutes = |n: u64| Duration::from_secs(60 * n);
    assert_eq!((settings.timeouts.workflow, settings.timeouts.step), (minutes(30), minutes(5)));
    assert_eq!(settings.timeouts.request, Duration::from_secs(30));
    assert_eq!(settings.timeouts.connection, Duration::from_secs(10));
    let Timeouts { model, script, browser_start, .. } = settings.timeouts;
    assert_eq!([model, script, browser_start].map(|time| time.as_secs()), [60, 8, 60]);
    assert_eq!(settings.retries, Retries { max_retries: 3, first_delay: Duration::from_secs(1) });
    assert_eq!((settings.limits.max_turns_per_step, settings.limits.max_turns_per_task), (10, 50));
    assert_eq!((settings.limits.max_consecutive_errors, settings.limits.max_total_errors), (5, 15));
    assert_eq!((settings.limits.max_actions, settings.limits.max_tokens, settings.limits.max_cost), (None, None, None));
    assert_eq!(settings.data_dir.to_str(), Some("/home/me/.local/share/legwork"));
    assert_eq!(settings.browser.viewport, (1280, 800));
    assert_eq!(settings.downloads.max_size, 100_000_000);
    assert!(settings.screenshots.enabled && !settings.browser.headed && !settings.policy().restricts());
    assert!(settings.shown().iter().all(|shown| shown.origin == Origin::Default));
}

#[test]
fn the_stronger_source_wins_and_every_value_keeps_its_origin() {
    let mut sources = Sources {
        flags: vec![("browser.headed".to_owned(), "true".to_owned())],
        env: env(&[("LEGWORK_BROWSER_HEADED", "no"), ("LEGWORK_TIMEOUTS_STEP", "4m"), ("LEGWORK_LOG_LEVEL", "")]),
        project: file("legwork.toml", "# ours\n[timeouts]\nstep = 200\nconnection = \"5s\"\n"),
        user: file(
            "config.toml",
            "data_dir = '~/runs'\ntimeouts.connection = 6.5\nlog = { level = 'info' }\n[model]\nname = \"openai/gpt-5\"\n[prices.\"openai/gpt-5\"]\ninput = 1\noutput = 10.5\n",
        ),
        ..Sources::default()
    };
    let settings = Settings::load(&sources).expect("sound");
    let shown: Vec<String> = settings
        .shown()
        .iter()
        .filter(|shown| shown.origin != Origin::Default)
        .map(|shown| format!("{} = {} ({})", shown.name, shown.value, shown.origin))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    data_dir = ~/runs (config.toml:1)
    prices = openai/gpt-5 (config.toml:6)
    browser.headed = true (command line)
    model.name = openai/gpt-5 (config.toml:5)
    timeouts.step = 240s (LEGWORK_TIMEOUTS_STEP)
    timeouts.connection = 5s (legwork.toml:4)
    log.level = info (config.toml:3)
    ");
    assert_eq!(settings.data_dir.to_str(), Some("/home/me/runs"));
    assert_eq!(settings.prices["openai/gpt-5"], Price { input: 1.0, output: 10.5, cached: None });
    sources.flags.clear();
    assert!(!Settings::load(&sources).expect("sound").browser.headed);
}

#[test]
fn every_problem_is_listed_with_its_place() {
    let sources = Sources {
        flags: vec![("browser.heded".to_owned(), "1".to_owned()), ("decider".to_owned(), "modle".to_owned())],
        env: env(&[
            ("LEGWORK_LIMITS_MAX_ACTIONS", "0"),
            ("LEGWORK_LIMITS_MAX_COST", "-1"),
            ("LEGWORK_BROWSER_VIEWPORT", "wide"),
        ]),
        project: file(
            "legwork.toml",
            "headed = true\n[browser]\npath = '/tmp/evil'\nheaded = 3\n[model]\nbase_url = 'http://evil.test'\n",
        ),
        user: file(
            "config.toml",
            "allowed_domains = ['ok.test', 'a/b']\n[modle]\nname = 'x'\n[model]\napi_key = 'sk-123'\nname = 'gpt'\n[retries]\nmax_retries = 99\n[prices.x]\ninput = 'much'\n",
        ),
        ..Sources::default()
    };
    let told = problems(&sources);
    assert!(!told.contains("sk-123"), "{told}");
    insta::assert_snapshot!(told, @r#"
    config.toml:1: allowed_domains: domain "a/b": a domain has no path
    config.toml:2: modle: there is no such setting; did you mean "model"?
    config.toml:5: model.api_key: keys are not kept in settings, where they would lie in plain text; set the provider's variable in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY)
    config.toml:6: model.name: expected a model as provider/name, such as openai/gpt-5, found "gpt"
    config.toml:8: retries.max_retries: expected at most 20, found "99"
    config.toml:9: prices: the price of "x" needs `input` and `output` in US dollars for a million tokens, and may have `cached`
    legwork.toml:1: headed: there is no such setting; did you mean "browser.headed"?
    legwork.toml:3: browser.path: a project's file may not set this; set it for yourself: `legwork config set browser.path …`
    legwork.toml:4: browser.headed: expected true or false, found integer
    legwork.toml:6: model.base_url: a project's file may not set this; set it for yourself: `legwork config set model.base_url …`
    LEGWORK_BROWSER_VIEWPORT: browser.viewport: expected a size such as 1280x800, found "wide"
    LEGWORK_LIMITS_MAX_ACTIONS: limits.max_actions: expected at least 1, found "0"
    LEGWORK_LIMITS_MAX_COST: limits.max_cost: expected US dollars such as 0.50, found "-1"
    command line: browser.heded: there is no such setting; did you mean "browser.headed"?
    command line: decider: expected one of auto, literal, model, found "modle"; did you mean "model"?
    "#);
}

#[test]
fn timeouts_must_be_in_order_and_retries_must_fit_into_a_step() {
    let of = |text: &str| problems(&Sources { env: env(&[]), user: file("config.toml", text), ..Sources::default() });
    insta::assert_snapshot!(of("[timeouts]\nworkflow = '4m'\nstep = '5m'\nrequest = '10m'\nconnection = '11m'\nelement = 0\n"), @"
    config.toml:6: timeouts.element: must be greater than zero
    config.toml:3: timeouts.step: must not be longer than timeouts.workflow (240s); it is 300s
    config.toml:4: timeouts.request: must not be longer than timeouts.step (300s); it is 600s
    config.toml:5: timeouts.connection: must not be longer than timeouts.request (600s); it is 660s
    config.toml:5: timeouts.connection: must not be longer than timeouts.model (60s); it is 660s
    ");
    insta::assert_snapshot!(of("[timeouts]\nworkflow = '4m'\nstep = '3m'\nmodel = '200s'\nscript = '40s'\nbrowser_start = '5m'\n"), @"
    config.toml:6: timeouts.browser_start: must not be longer than timeouts.workflow (240s); it is 300s
    config.toml:4: timeouts.model: must not be longer than timeouts.step (180s); it is 200s
    config.toml:5: timeouts.script: must not be longer than timeouts.request (30s); it is 40s
    ");
    insta::assert_snapshot!(of("[timeouts]\nmodel = 0\nscript = 0\nbrowser_start = 0\nconnection = '1s'\n"), @"
    config.toml:2: timeouts.model: must be greater than zero
    config.toml:3: timeouts.script: must be greater than zero
    config.toml:4: timeouts.browser_start: must be greater than zero
    config.toml:5: timeouts.connection: must not be longer than timeouts.model (0s); it is 1s
    ");
    insta::assert_snapshot!(of("[timeouts]\nmodel = '100s'\n[retries]\nmax_retries = 3\n"), @"config.toml:4: retries.max_retries: 3 retries of 100s and their waits take up to 407s, longer than timeouts.step, 300s");
    insta::assert_snapshot!(of("[retries]\nmax_retries = 8\n"), @"config.toml:2: retries.max_retries: 8 retries of 60s and their waits take up to 795s, longer than timeouts.step, 300s");
    insta::assert_snapshot!(of("[timeouts]\nrequest = '-1s'\nconnection = '0s'\n"), @r#"
    config.toml:2: timeouts.request: expected a time such as 90s or 5m, found "-1s"
    config.toml:3: timeouts.connection: must be greater than zero
    "#);
}

#[test]
fn defaults_give_way_to_what_was_asked_for() {
    let load = |flags: &[(&str, &str)]| {
        let flags = flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Settings::load(&Sources { flags, env: env(&[]), ..Sources::default() })
    };
    let settings = load(&[("timeouts.workflow", "20s")]).expect("sound");
    let seconds = Duration::from_secs;
    assert_eq!((settings.timeouts.step, settings.timeouts.request), (seconds(20), seconds(20)));
    assert_eq!((settings.timeouts.connection, settings.retries.max_retries), (seconds(10), 0));
    assert_eq!(load(&[("timeouts.step", "200s")]).expect("sound").retries.max_retries, 2);
    let short = load(&[("timeouts.workflow", "5s")]).expect("sound").timeouts;
    assert_eq!([short.model, short.script, short.browser_start], [seconds(5); 3]);
    // A page has its time, and a model another.
    let slow = load(&[("timeouts.model", "70s"), ("timeouts.request", "9s")]).expect("sound").timeouts;
    assert_eq!((slow.model, slow.request), (seconds(70), seconds(9)));
    // What is longer is not raised by itself, and what was set is not cut.
    load(&[("timeouts.step", "31m")]).expect_err("longer than the run");
    load(&[("timeouts.workflow", "20s"), ("timeouts.request", "30s")]).expect_err("both were set");
}

#[test]
fn broken_files_and_no_home_say_so() {
    insta::assert_snapshot!(problems(&Sources { user: file("config.toml", "a = 1\nb = = 2\n"), ..Sources::default() }), @"
    config.toml:2: this is not TOML: extra `=`, expected nothing
    default: data_dir: there is no home folder to keep runs in; set LEGWORK_DATA_DIR
    ");
}

#[test]
fn a_variable_that_means_nothing_is_a_warning() {
    let sources = Sources {
        env: env(&[("LEGWORK_MODLE_NAME", "x/y"), ("LEGWORK_SECRET_PW", "x"), ("OTHER", "x")]),
        ..Sources::default()
    };
    let warnings: Vec<String> =
        Settings::load(&sources).expect("sound").warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["LEGWORK_MODLE_NAME: there is no such setting; did you mean LEGWORK_MODEL_NAME?"]);
}

#[test]
fn keys_come_from_the_environment_and_are_never_printed() {
    let sources =
        Sources { env: env(&[("OPENAI_API_KEY", " sk-123 \n"), ("GEMINI_API_KEY", "")]), ..Sources::default() };
    let settings = Settings::load(&sources).expect("sound");
    assert_eq!(settings.keys.of_provider("openai/gpt-5").map(|key| key.expose_secret()), Some("sk-123"));
    assert!(settings.keys.of_provider("gemini/pro").is_none());
    let set: Vec<_> = settings.keys.present().into_iter().filter(|(.., set)| *set).collect();
    assert_eq!(set, [("openai", "OPENAI_API_KEY", true)]);
    assert!(!format!("{settings:?}").contains("sk-123"));
}

#[test]
fn setting_changes_one_line_and_keeps_the_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("deep/config.toml");
    let scope = Scope::User(path.clone());
    set("browser.headed", Some("yes"), &scope).expect("makes the file");
    assert_eq!(fs::read_to_string(&path).expect("is there"), "[browser]\nheaded = true\n");

    fs::write(&path, "# mine\ndecider = \"auto\" # for now\n\n[browser]\n# wide\nviewport = '1600x900'\n")
        .expect("writes");
    set("decider", Some("literal"), &scope).expect("sets");
    set("browser.args", Some("--mute-audio --lang=de"), &scope).expect("sets");
    set("limits.max_tokens", Some("50_000"), &scope).expect("sets");
    set("timeouts.step", Some("2m"), &scope).expect("sets");
    set("browser.viewport", None, &scope).expect("takes out");
    let text = fs::read_to_string(&path).expect("is there");
    insta::assert_snapshot!(text, @r#"
    # mine
    decider = "literal" # for now

    [browser]
    args = ["--mute-audio", "--lang=de"]

    [limits]
    max_tokens = 50000

    [timeouts]
    step = "120s"
    "#);
    let sources = Sources { env: env(&[]), user: Some(TextFile { path, text }), ..Sources::default() };
    let settings = Settings::load(&sources).expect("what was set can be read");
    assert_eq!(settings.browser.args, ["--mute-audio", "--lang=de"]);
    assert_eq!((settings.limits.max_tokens, settings.timeouts.step), (Some(50_000), Duration::from_secs(120)));
}

#[test]
fn what_may_not_be_set_is_refused_and_the_file_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("legwork.toml");
    fs::write(&path, "# mine\n").expect("writes");
    let (user, project) = (Scope::User(path.clone()), Scope::Project(path.clone()));
    let refused = |name, value, scope: &Scope| set(name, Some(value), scope).expect_err("refused").to_string();
    insta::assert_snapshot!(
        [
            refused("model.api_key", "sk-123", &user),
            refused("OPENAI_API_KEY", "sk-123", &user),
            refused("model.nmae", "a/b", &user),
            refused("model.name", "gpt", &user),
            refused("model.base_url", "https://me:pw@host/v1", &user),
            refused("model.base_url", "https://host/v1", &project),
        ]
        .join("\n"),
        @r#"
        command line: model.api_key: keys are not kept in settings, where they would lie in plain text; set the provider's variable in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY)
        command line: OPENAI_API_KEY: keys are not kept in settings, where they would lie in plain text; set the provider's variable in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY)
        command line: model.nmae: there is no such setting; did you mean "model.name"?
        command line: model.name: expected a model as provider/name, such as openai/gpt-5, found "gpt"
        command line: model.base_url: an address in the settings must not contain a password
        command line: model.base_url: a project's file may not set this; set it for yourself, without --project
        "#
    );
    assert_eq!(fs::read_to_string(&path).expect("is there"), "# mine\n");
    fs::write(&path, "a = = b").expect("writes");
    assert!(matches!(set("decider", Some("auto"), &user), Err(EditError::Broken { .. })));
}

#[test]
fn the_table_is_sound_and_in_the_reference() {
    let page = reference();
    for (at, setting) in SETTINGS.iter().enumerate() {
        assert!(setting.default.is_empty() || setting.kind.read(setting.default).is_ok(), "{}", setting.name);
        assert!(SETTINGS[..at].iter().all(|other| other.name != setting.name
            && (other.variable() != setting.variable() || setting.variable().is_none())));
        assert!(page.contains(&format!("| `{}` |", setting.name)));
    }
    let open_to_projects: Vec<&str> =
        SETTINGS.iter().filter(|setting| setting.is_project_safe()).map(|setting| setting.name).collect();
    let resumed: Vec<&str> =
        SETTINGS.iter().filter(|setting| setting.is_resumed()).map(|setting| setting.name).collect();
    insta::assert_snapshot!(resumed.join(" "), @"decider planning allowed_domains blocked_domains default_policy allow_write reflection.mode model.name model.base_url models.plan models.act models.validate models.extract models.look models.act_cheap models.escalate_below run.require limits.max_actions limits.max_tokens limits.max_cost");
    insta::assert_snapshot!(open_to_projects.join(" "), @"decider browser.engine browser.headed browser.viewport model.reply_format model.max_commands model.require_reasoning model.optional_fields model.strict_replies memory.enabled memory.max_tokens context.detail run.require timeouts.workflow timeouts.step timeouts.request timeouts.model timeouts.script timeouts.browser_start timeouts.connection timeouts.element timeouts.flush retries.max_retries retries.first_delay limits.max_turns_per_step limits.max_step_retries limits.max_consecutive_errors limits.max_total_errors limits.max_iterations observation.max_tokens investigation.mode investigation.min_confidence investigation.target_confidence investigation.max_rounds investigation.timeout investigation.tools extract.chunk_tokens extract.max_pages screenshots.enabled screenshots.format screenshots.quality screenshots.max_width log.level log.format");
}

#[test]
fn descriptions_name_no_command_and_no_flag() {
    // The web page shows them too. It leaves out the names of documents in parentheses.
    for Setting { name, doc, .. } in SETTINGS {
        let words = doc.replace("(docs/", "(");
        for foreign in ["legwork ", "--", "run \"", "exit code", "docs/"] {
            assert!(!words.contains(foreign), "{name}: {foreign}: {doc}");
        }
    }
}

#[test]
fn changed_sources_apply_except_to_what_is_read_once() {
    let sources = |text: &str| Sources { env: env(&[]), user: file("config.toml", text), ..Sources::default() };
    let mut own = Settings::load(&sources("[server]\nport = 8000\n")).expect("sound");
    // A program changed these fields.
    own.data_dir = "/elsewhere".into();
    own.screenshots.enabled = false;
    let text = "decider = \"literal\"\n[server]\nport = 9000\nanswer_timeout = \"1m\"\n[model]\nname = \"a/b\"\n";
    let reloaded = own.reloaded(&sources(text)).expect("sound");
    assert_eq!((reloaded.server.port, reloaded.server.answer_timeout), (8000, Duration::from_secs(60)));
    assert_eq!((reloaded.model.name.as_deref(), reloaded.decider), (Some("a/b"), DeciderChoice::Literal));
    assert_eq!((reloaded.data_dir.to_str(), reloaded.screenshots.enabled), (Some("/elsewhere"), false));
    let shown = |name: &str| reloaded.shown().into_iter().find(|row| row.name == name).expect("is there");
    assert_eq!((shown("server.port").value, shown("model.name").value), ("8000".to_owned(), "a/b".to_owned()));
    assert!(matches!(shown("model.name").origin, Origin::User(..)));
    assert!(own.reloaded(&sources("[model]\nname = \"nonsense\"\n")).is_err());
    // What is removed from the file has its default again.
    assert_eq!(reloaded.reloaded(&sources("")).expect("sound").model.name, None);
}

#[test]
fn a_change_that_a_check_refuses_is_not_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("config.toml");
    fs::write(&path, "[timeouts]\nrequest = \"40s\"\n").expect("writes");
    let load = |user: TextFile| Settings::load(&Sources { env: env(&[]), user: Some(user), ..Sources::default() });
    let refused = set_checked("timeouts.step", Some("10s"), &Scope::User(path.clone()), load);
    assert!(matches!(refused, Err(EditError::Contradiction(problems)) if problems.len() == 1));
    assert_eq!(fs::read_to_string(&path).expect("is there"), "[timeouts]\nrequest = \"40s\"\n");
    let settings = set_checked("timeouts.step", Some("50s"), &Scope::User(path), load).expect("fits");
    assert_eq!(settings.timeouts.step, Duration::from_secs(50));
}

#[test]
fn every_bound_fits_its_field() {
    let mut settings = Settings::load(&Sources { env: env(&[]), ..Sources::default() }).expect("sound");
    for setting in SETTINGS {
        let Kind::Count { min, max } = setting.kind else { continue };
        for number in [min, max] {
            settings.change(setting.name, &Value::Count(number));
            assert_eq!(settings.value(setting.name), Value::Count(number), "{}", setting.name);
        }
    }
}

#[test]
fn a_value_is_the_same_after_it_was_kept() {
    let settings = Settings::load(&Sources { env: env(&[]), ..Sources::default() }).expect("sound");
    for setting in SETTINGS.iter().filter(|setting| setting.kind != Kind::Prices) {
        let value = settings.value(setting.name);
        let empty = value == Value::List(Vec::new());
        assert!(empty || setting.read(&value.show()) == Ok(value), "{}", setting.name);
    }
}

#[test]
fn a_resumed_run_keeps_what_it_began_with() {
    let load = |flags: &[(&str, &str)], variables: &[(&str, &str)]| {
        let flags = flags.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Settings::load(&Sources { flags, env: env(variables), ..Sources::default() }).expect("sound")
    };
    let mut first = load(&[("model.name", "openai/a"), ("model.base_url", "http://a.test/v1")], &[]);
    // A program may have changed it.
    first.limits.max_actions = Some(5);
    first.allowed_domains = vec!["a.test".into(), "b.test".into()];
    let variables = [
        ("LEGWORK_LIMITS_MAX_ACTIONS", "9"),
        ("LEGWORK_LIMITS_MAX_COST", "2"),
        ("LEGWORK_MODEL_NAME", "openai/b"),
        ("LEGWORK_RUN_REQUIRE", "validated"),
        ("LEGWORK_LIMITS_MAX_TURNS_PER_STEP", "7"),
    ];
    let now = load(&[], &variables).resumed(&first.for_resume()).unwrap();
    assert_eq!((now.limits.max_actions, now.limits.max_cost, now.requires_validated()), (Some(5), None, false));
    assert_eq!(now.limits.max_turns_per_step, 7, "is not kept");
    assert_eq!(now.allowed_domains, first.allowed_domains);
    assert_eq!((now.model.name.as_deref(), now.model.base_url), (Some("openai/a"), first.model.base_url.clone()));

    let flags = [("limits.max_cost", "3"), ("model.name", "openai/c")];
    let flagged = load(&flags, &variables).resumed(&first.for_resume()).unwrap();
    assert_eq!((flagged.limits.max_actions, flagged.limits.max_cost), (Some(5), Some(3.0)));
    assert_eq!(
        (flagged.model.name.as_deref(), flagged.model.base_url),
        (Some("openai/c"), None),
        "one of another model"
    );

    let without_model = load(&[], &[]).for_resume();
    assert_eq!(load(&[], &variables).resumed(&without_model).unwrap().model.name.as_deref(), Some("openai/b"));

    // A rule that cannot be read does not vanish.
    let mut damaged = first.for_resume();
    damaged.insert("allowed_domains".into(), "a b.test:99999999".into());
    let refused = load(&[], &[]).resumed(&damaged).unwrap_err();
    assert_eq!(refused.to_string(), "the setting allowed_domains has an unusable value");
}

#[test]
fn other_processes_get_what_settings_are_read_from() {
    for passed in ["HOME", "OPENAI_API_KEY", "OLLAMA_HOST", "LEGWORK_BROWSER_PATH", "LEGWORK_MODEL_KEY"] {
        assert!(is_read(passed), "{passed}");
    }
    for kept_back in ["PATH", "LEGWORK_SECRET_PW", "AWS_SECRET_ACCESS_KEY"] {
        assert!(!is_read(kept_back), "{kept_back}");
    }
}

#[test]
fn the_files_of_this_machine_are_read_from_their_places() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("mine.toml");
    fs::write(&config, "decider = 'literal'\n").expect("writes");
    let sources = Sources::here(Vec::new(), Some(&config), None).expect("reads");
    assert_eq!(sources.user, Some(TextFile { path: config.clone(), text: "decider = 'literal'\n".to_owned() }));
    let missing =
        Sources::here(Vec::new(), Some(&folder.path().join("none.toml")), None).expect_err("was asked for by name");
    assert!(missing[0].message.starts_with("the file cannot be read"), "{}", missing[0]);

    let path = |pairs: &[(&str, &str)]| user_file(&env(pairs)).map(|path| path.display().to_string());
    assert_eq!(path(&[]).as_deref(), Some("/home/me/.config/legwork/config.toml"));
    assert_eq!(path(&[("XDG_CONFIG_HOME", "/etc/mine")]).as_deref(), Some("/etc/mine/legwork/config.toml"));
    // The XDG specification requires that relative paths are ignored.
    assert_eq!(path(&[("XDG_CONFIG_HOME", "mine")]).as_deref(), Some("/home/me/.config/legwork/config.toml"));
}

#[test]
fn an_invalid_value_is_a_typed_error() {
    let check = |name: &str, text: &str| find(name).unwrap().check(text).unwrap_err();
    let unexpected = |expected: &str, found: &str, near| ValueError::Unexpected {
        expected: expected.to_owned(),
        found: found.to_owned(),
        near,
    };
    assert_eq!(check("limits.max_actions", "many"), unexpected("a whole number", "many", None));
    assert_eq!(check("decider", "modle"), unexpected("one of auto, literal, model", "modle", Some("model")));
    assert_eq!(check("model.base_url", "https://me:pw@host/v1"), ValueError::Password);
    assert_eq!(check("prices", "x"), ValueError::PricesOutsideFile);
}
