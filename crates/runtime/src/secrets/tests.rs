use base64::{Engine, engine::general_purpose::STANDARD};
use legwork_vault::StoredSecret;

use super::*;
use crate::settings::{Settings, Sources};

fn url(text: &str) -> Url {
    Url::parse(text).expect("an address")
}

fn secrets_of(values: &[(&str, &str)]) -> RunSecrets {
    let secrets = RunSecrets::new(Some(&url("https://shop.test/login")));
    for (name, value) in values {
        secrets.put(name, SecretString::from(*value), Binding::Default);
    }
    secrets
}

#[track_caller]
fn masks(value: &str, text: &str, expected: &str) {
    let mut text = text.to_owned();
    secrets_of(&[("pw", value)]).mask(&mut text);
    assert_eq!(text, expected);
}

#[test]
fn a_secret_is_typed_into_its_origin_and_nowhere_else() {
    let secrets = secrets_of(&[("user", "alice"), ("pw", "hunter22")]);
    let typed =
        secrets.reveal("${secret:user}:${secret:pw}!", &url("https://shop.test/other/page")).expect("its origin");
    assert_eq!(typed.expose_secret(), "alice:hunter22!");
    for elsewhere in ["http://shop.test/", "https://shop.test:444/", "https://evil.shop.test/", "data:text/html,x"] {
        assert!(
            matches!(secrets.reveal("${secret:pw}", &url(elsewhere)), Err(SecretDenied::Elsewhere { .. })),
            "{elsewhere}"
        );
    }
    let denied = secrets.reveal("${secret:pw}", &url("https://evil.test/x?y")).expect_err("elsewhere").to_string();
    insta::assert_snapshot!(denied, @"secret pw is bound to https://shop.test, and this page is https://evil.test; if that is meant, bind it to this origin: `pw@https://evil.test` (`--secret`, or `secrets` in a request)");
    let unknown = secrets.reveal("${secret:pin}", &url("https://shop.test")).expect_err("unknown").to_string();
    insta::assert_snapshot!(unknown, @r#"there is no secret "pin" (there is pw, user); give it with `--secret pin`, or list it under `secrets` in a request"#);
}

#[test]
fn bindings_of_their_own_and_none_at_all() {
    let secrets = RunSecrets::new(None);
    secrets.put("a", SecretString::from("aaaaaaaa"), Binding::Default);
    secrets.put(
        "b",
        SecretString::from("bbbbbbbb"),
        Binding::Origins(vec![url("https://one.test"), url("http://two.test:81")]),
    );
    secrets.put("c", SecretString::from("cccccccc"), Binding::Anywhere);
    let page = url("http://two.test:81/x");
    assert!(matches!(secrets.reveal("${secret:a}", &page), Err(SecretDenied::Unbound { .. })));
    assert_eq!(secrets.reveal("${secret:b}${secret:c}", &page).expect("bound").expose_secret(), "bbbbbbbbcccccccc");
    secrets.bind_default(&page);
    assert_eq!(secrets.reveal("${secret:a}", &page).expect("bound now").expose_secret(), "aaaaaaaa");
}

#[test]
fn what_is_no_handle_stays() {
    let secrets = secrets_of(&[("pw", "hunter22")]);
    for text in ["", "plain", "${pw}", "${secret:}", "${secret:a b}", "${secret:pw", "$ {secret:pw}"] {
        assert!(!secrets.holds_secret(text), "{text}");
        assert_eq!(secrets.reveal(text, &url("https://x.test")).expect("nothing to refuse").expose_secret(), text);
    }
    assert!(secrets.holds_secret("${secret: ${secret:pw}"));
    assert_eq!(handles_in("${secret:a} ${b} ${secret:c.d}"), ["a", "c.d"]);
}

#[test]
fn a_value_is_masked_in_every_spelling() {
    let value = "p&ss w<r>d/\"1'+é";
    for spelled in [
        value.to_owned(),
        "p%26ss%20w%3Cr%3Ed%2F%221%27%2B%C3%A9".to_owned(),
        "p%26ss+w%3cr%3ed%2f%221%27%2b%c3%a9".to_owned(),
        "p%26ss%20w%3Cr%3Ed%2F%221'%2B%C3%A9".to_owned(),
        "p&amp;ss w&lt;r&gt;d/&quot;1&#39;+é".to_owned(),
        "p&amp;ss w&lt;r&gt;d/\"1'+é".to_owned(),
        "p&ss w<r>d/\\\"1'+é".to_owned(),
        "p&ss w<r>d\\/\\\"1'+é".to_owned(),
        STANDARD.encode(value),
    ] {
        masks(value, &format!("before {spelled} after"), "before ${secret:pw} after");
    }
}

/// The forms that a page can make of a value on purpose. `cargo xtask attack --class canaries` shows them on real
/// pages.
#[test]
fn a_value_is_masked_in_the_forms_that_a_page_can_make_of_it() {
    let value = "Hunter-22x";
    for form in [
        "48756e7465722d323278",
        "48756E7465722D323278",
        "48 75 6e 74 65 72 2d 32 32 78",
        "48:75:6E:74:65:72:2D:32:32:78",
        "0x48,0x75,0x6e,0x74,0x65,0x72,0x2d,0x32,0x32,0x78",
        "72, 117, 110, 116, 101, 114, 45, 50, 50, 120",
        "%48%75%6e%74%65%72%2d%32%32%78",
        "&#72;&#117;&#110;&#116;&#101;&#114;&#45;&#50;&#50;&#120;",
        "&#x48;&#x75;&#x6e;&#x74;&#x65;&#x72;&#x2d;&#x32;&#x32;&#x78;",
        r"\u0048\u0075\u006e\u0074\u0065\u0072\u002d\u0032\u0032\u0078",
        r"\u{48}\u{75}\u{6e}\u{74}\u{65}\u{72}\u{2d}\u{32}\u{32}\u{78}",
        r"\x48\x75\x6e\x74\x65\x72\x2d\x32\x32\x78",
        "Ｈｕｎｔｅｒ－２２ｘ",
        "x22-retnuH",
        "Uhagre-22k",
        "HUNTER-22X",
        "H u n t e r - 2 2 x",
        "H.u.n.t.e.r.-.2.2.x",
        "H\u{200b}u\u{200b}n\u{200b}t\u{200b}e\u{200b}r\u{200b}-\u{200b}2\u{200b}2\u{200b}x",
        "Hunt er-2 2x",
        "Hunte\nr-22x",
    ] {
        masks(value, &format!("before {form} after"), "before ${secret:pw} after");
        masks(value, &format!("before{form}after"), "before${secret:pw}after");
    }
}

/// What is only similar to a short value stays as it is: the page must remain readable.
#[test]
fn ordinary_text_is_not_taken_for_a_short_value() {
    masks("4815", "5184 4 815 1481 48150 48-15", "5184 4 815 1481 48150 48-15");
    masks("admin", "nimda ADMIN Admin adm in", "nimda ADMIN Admin adm in");
    masks("over", "Rostov er, cover, ov er", "Rostov er, cover, ov er");
    masks("hunter", "huntergatherer, hun ter, HUNTER", "huntergatherer, hun ter, HUNTER");
    masks("monday12", "Monday 12, monday-1-2, MONDAY 12", "Monday 12, monday-1-2, MONDAY 12");
}

#[test]
fn a_value_inside_longer_base64_is_masked() {
    for user in ["", "a", "al", "ali", "alice"] {
        let mut text = format!("Basic {}", STANDARD.encode(format!("{user}:correct horse:x")));
        secrets_of(&[("pw", "correct horse")]).mask(&mut text);
        assert!(text.contains("${secret:pw}"), "{text}");
    }
}

/// The longer, percent-encoded form begins with the base64 form. Its rejection must not hide the shorter one.
#[test]
fn base64_of_a_short_value_is_masked_in_an_address() {
    masks("p@ss-w0", "?a=Basic%20cEBzcy13MA%3D%3D", "?a=Basic%20${secret:pw}");
    masks("p@ss-w0", "?a=Basic%20cEBzcy13MA%3d%3dx", "?a=Basic%20${secret:pw}x");
    masks("p@ss-w0", "?a=Basic%20cEBzcy13MA==", "?a=Basic%20${secret:pw}");
}

#[test]
fn short_values_do_not_spoil_the_page() {
    masks("abc", "abc abcabc", "abc abcabc");
    masks("admin", "Django administration, admin (admin)", "Django administration, ${secret:pw} (${secret:pw})");
    masks("hunter22", "xhunter22x", "x${secret:pw}x");
    assert!(secrets_of(&[]).put("pin", SecretString::from("123"), Binding::Default).is_some());
    assert!(secrets_of(&[]).put("pw", SecretString::from("admin"), Binding::Default).is_some());
    assert!(secrets_of(&[]).put("pw", SecretString::from("correct horse"), Binding::Default).is_none());
}

#[test]
fn masking_twice_is_masking_once_even_for_words_of_the_handle() {
    masks("secret", "secret ${secret:pw}", "${secret:pw} ${secret:pw}");
    let secrets = secrets_of(&[("long", "hunter22hunter"), ("short", "hunter22")]);
    let mut text = "hunter22hunter hunter22".to_owned();
    secrets.mask(&mut text);
    secrets.mask(&mut text);
    assert_eq!(text, "${secret:long} ${secret:short}");
}

#[test]
fn nothing_prints_a_value() {
    let secrets = secrets_of(&[("pw", "hunter22")]);
    assert_eq!(format!("{secrets:?}"), r#"RunSecrets { names: ["pw"], .. }"#);
}

#[test]
fn specs_are_read() {
    let parse = |text| SecretSpec::parse(text).map(|spec| format!("{:?} -> {:?}", spec.source, spec.binding));
    let origins = |text| match SecretSpec::parse(text).map(|spec| spec.binding) {
        Ok(Binding::Origins(origins)) => origins.iter().map(ToString::to_string).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(parse("pw").expect("reads"), r#"Named("pw") -> Default"#);
    assert_eq!(parse("pw@*").expect("reads"), r#"Named("pw") -> Anywhere"#);
    assert_eq!(parse("pw=a@b.txt").expect("reads"), r#"File { name: "pw", path: "a@b.txt" } -> Default"#);
    assert_eq!(parse("file:.env@*").expect("reads"), r#"Lines(".env") -> Anywhere"#);
    assert_eq!(parse("env:pw").expect("reads"), r#"Prefixed("pw") -> Default"#);
    assert_eq!(origins("pw=x@https://a.test,http://b.test:81"), ["https://a.test/", "http://b.test:81/"]);
    assert_eq!(SecretSpec::parse("my pw"), Err(SpecError::Name));
    assert_eq!(SecretSpec::parse("pw="), Err(SpecError::Path));
    assert!(matches!(SecretSpec::parse("pw@example.org"), Err(SpecError::Origin { .. })));
    assert!(matches!(SecretSpec::parse("pw@https://a.test/path"), Err(SpecError::Origin { .. })));
}

fn gather(
    secrets: &RunSecrets,
    specs: &[SecretSpec],
    env: &dyn Fn(&str) -> Option<String>,
    prompt: &mut dyn FnMut(&str) -> Option<SecretString>,
) -> Result<Vec<String>, Vec<SecretError>> {
    secrets.gather(specs, &mut SecretSources { env, vault: None, prompt })
}

#[test]
fn a_secret_that_only_the_workflow_names_is_not_read_from_the_environment() {
    let specs = [SecretSpec::requested("pw")];
    let env = |_: &str| panic!("no variable is read for a secret that was not granted");
    let nobody = gather(&RunSecrets::new(None), &specs, &env, &mut |_| None).expect_err("nobody granted it");
    assert!(matches!(nobody.as_slice(), [SecretError::NotGranted { name }] if name == "pw"), "{nobody:?}");
    let secrets = RunSecrets::new(Some(&url("https://shop.test")));
    gather(&secrets, &specs, &env, &mut |_| Some(SecretString::from("typed in"))).expect("a person supplied it");
    assert_eq!(secrets.names(), ["pw"]);
}

#[test]
fn a_secret_is_stored_and_read_in_the_same_form() {
    for text in ["pw", "env:pw", "pw=a/file", "file:.env@*", "env:pw@https://a.test"] {
        let spec = SecretSpec::parse(text).expect("reads");
        assert_eq!(SecretSpec::parse(&spec.to_string()), Ok(spec), "{text}");
    }
}

#[test]
fn values_come_from_environment_files_and_people() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("one"), "from a file\r\n").expect("writes");
    std::fs::write(path("many"), "# ours\nexport A=\"quoted value\"\n\nB = plain = value\n").expect("writes");
    let env = |name: &str| match name {
        "LEGWORK_SECRET_API_KEY" => Some("prefixed".to_owned()),
        "PLAIN" => Some("by its own name".to_owned()),
        "api-key" => panic!("the prefixed one comes first"),
        _ => None,
    };
    let mut prompt = |name: &str| (name == "asked").then(|| SecretString::from("typed in"));
    let specs: Vec<SecretSpec> =
        ["api-key", "PLAIN", "asked", &format!("one={}", path("one")), &format!("file:{}", path("many"))]
            .map(|text| SecretSpec::parse(text).expect("reads"))
            .into();
    let secrets = RunSecrets::new(Some(&url("https://shop.test")));
    assert_eq!(gather(&secrets, &specs, &env, &mut prompt).expect("all there"), Vec::<String>::new());
    let all = secrets
        .reveal(
            "${secret:api-key}|${secret:PLAIN}|${secret:asked}|${secret:one}|${secret:A}|${secret:B}",
            &url("https://shop.test"),
        )
        .expect("bound");
    assert_eq!(all.expose_secret(), "prefixed|by its own name|typed in|from a file|quoted value|plain = value");

    let bad = [
        SecretSpec::requested("PLAIN"),
        SecretSpec::parse("nobody").expect("reads"),
        SecretSpec::parse("x=/no/such").expect("reads"),
    ];
    let problems = gather(&RunSecrets::new(None), &bad, &env, &mut prompt).expect_err("none of them");
    insta::assert_snapshot!(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @"
    the workflow uses the secret PLAIN, which was not granted: add `--secret PLAIN`, or list it under `secrets` in a request
    secret nobody is not given: store it with `legwork vault add nobody --origin ORIGIN`, set the variable LEGWORK_SECRET_NOBODY, or use `--secret nobody=FILE`
    the secrets file /no/such cannot be read
    ");
}

proptest::proptest! {
    /// Masked text contains no value, and masking does not change handles.
    #[test]
    fn nothing_of_a_value_is_left(value in "[ -~é]{8,20}", before in "[ -~]{0,9}", after in "[ -~]{0,9}") {
        let secrets = secrets_of(&[("pw", &value)]);
        let mut text = format!("{before} {value} {after}");
        secrets.mask(&mut text);
        let without_handles = text.replace("${secret:pw}", "\u{0}");
        proptest::prop_assert!(without_handles != text && !without_handles.contains(&value));
        let once = text.clone();
        secrets.mask(&mut text);
        proptest::prop_assert_eq!(once, text);
    }
}

/// Nobody spells a key letter by letter, and each of more than a hundred forms would multiply the tables.
#[test]
fn a_long_value_is_masked_in_its_written_forms_only() {
    let key = "-----KEY-----\nMIIEvQIBADANBg/kqhkiG9w0+".repeat(60);
    assert!(spellings::spellings(&key).iter().map(|spelling| spelling.text.len()).sum::<usize>() < 60 * key.len());
    for form in [key.clone(), key.replace('\n', " "), key.replace('\n', "\\n"), STANDARD.encode(&key)] {
        masks(&key, &format!("before {form} after"), "before ${secret:pw} after");
    }
}

#[test]
fn a_secret_that_is_too_long_is_refused() {
    let long = "x".repeat(LONGEST_SECRET + 1);
    let spec = [SecretSpec::parse("key").expect("a name")];
    let refused = gather(&RunSecrets::new(None), &spec, &|_| Some(long.clone()), &mut |_| None);
    assert!(matches!(&refused.expect_err("too long")[..], [SecretError::TooLong { .. }]));
}

/// A user's vault with a password and the key of one-time codes, both for one site.
fn user_vault(folder: &tempfile::TempDir) -> UserVault {
    let settings = Settings::load(&Sources {
        env: [("HOME", folder.path())].map(|(name, path)| (name.to_owned(), path.display().to_string())).into(),
        ..Sources::default()
    });
    let secrets = UserVault::of(&settings.expect("settings"));
    let secret = |name: &str, value: &str| StoredSecret {
        name: name.to_owned(),
        value: value.into(),
        origins: vec![url("https://shop.test")],
        username: None,
        changed: Timestamp::UNIX_EPOCH,
    };
    let code = "otpauth://totp/Shop?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
    secrets.file().add(vec![secret("pw", "tulip-9432"), secret("code", code)], false, &mut || None).expect("added");
    secrets
}

#[test]
fn a_stored_secret_is_bound_to_its_own_origins_and_a_request_adds_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let user_vault = user_vault(&folder);
    let read = |text: &str, env: &dyn Fn(&str) -> Option<String>| {
        let secrets = RunSecrets::new(Some(&url("https://elsewhere.test")));
        let specs = [SecretSpec::parse(text).expect("reads")];
        let mut prompt = |name: &str| -> Option<SecretString> { panic!("{name} is in the vault") };
        secrets
            .gather(&specs, &mut SecretSources { env, vault: Some(&user_vault), prompt: &mut prompt })
            .map(|_| secrets)
            .map_err(|problems| problems[0].to_string())
    };
    let nothing = |_: &str| None;
    for spec in ["pw", "env:pw", "pw@https://shop.test"] {
        let secrets = read(spec, &nothing).expect("it is stored");
        let there = secrets.reveal("${secret:pw}", &url("https://shop.test")).expect("bound");
        assert_eq!(there.expose_secret(), "tulip-9432", "{spec}");
        let elsewhere = secrets.reveal("${secret:pw}", &url("https://elsewhere.test"));
        assert!(matches!(elsewhere, Err(SecretDenied::Elsewhere { .. })), "{spec}");
    }
    for spec in ["pw@https://evil.test", "pw@https://shop.test,https://evil.test", "pw@*"] {
        let refused = read(spec, &nothing).expect_err(spec);
        assert!(refused.contains("binds the secret pw to https://shop.test"), "{refused}");
    }
    let secrets = read("pw@https://evil.test", &|name| (name == "LEGWORK_SECRET_PW").then(|| "other".to_owned()));
    assert_eq!(
        secrets.expect("given").reveal("${secret:pw}", &url("https://evil.test")).expect("bound").expose_secret(),
        "other"
    );
}

#[test]
fn the_code_of_the_moment_is_typed_and_masked() {
    let folder = tempfile::tempdir().expect("a folder");
    let user_vault = user_vault(&folder);
    let secrets = RunSecrets::new(None);
    let specs = [SecretSpec::parse("code").expect("reads")];
    let mut sources = SecretSources { env: &|_| None, vault: Some(&user_vault), prompt: &mut |_| None };
    secrets.gather(&specs, &mut sources).expect("it is stored");
    let site = url("https://shop.test");
    let code = |seconds| {
        let now = Timestamp::from_second(seconds).expect("a time");
        secrets.reveal_at("code ${secret:code}", &site, now).expect("bound").expose_secret().to_owned()
    };
    assert_eq!(code(59), "code 287082");
    assert_eq!(code(1_111_111_109), "code 081804");
    let mut shown = "You entered 287082, then 081804; not 123456".to_owned();
    secrets.mask(&mut shown);
    assert_eq!(shown, "You entered ${secret:code}, then ${secret:code}; not 123456");
    let elsewhere = secrets.reveal("${secret:code}", &url("https://evil.test"));
    assert!(matches!(elsewhere, Err(SecretDenied::Elsewhere { .. })));
    let bad = secrets.gather(
        &specs,
        &mut SecretSources {
            env: &|_| Some("otpauth://totp/x?secret=1".to_owned()),
            vault: None,
            prompt: &mut |_| None,
        },
    );
    assert!(matches!(&bad.expect_err("malformed")[..], [SecretError::OneTimeCode { .. }]));
}

#[test]
fn secrets_of_other_runs_are_hidden_and_have_no_handle() {
    let secrets = secrets_of(&[("pin", "CANARYbb")]);
    let values = ["CANARYaa", "CANARYbb", "CANARYbb-longer", "pin-secret", "abc"];
    secrets.hide(HiddenValues::new(values.map(SecretString::from)));
    let check = |text: &str, expected: &str| {
        let mut text = text.to_owned();
        secrets.mask(&mut text);
        assert_eq!(text, expected);
    };
    check("Ada has CANARYaa, Bob has CANARYbb", "Ada has ••••, Bob has ${secret:pin}");
    check("Cyd has CANARYbb-longer", "Cyd has ••••");
    check(&STANDARD.encode("CANARYaa"), "••••");
    // Short values follow the rule for short secrets, and a handle stays one.
    check("abc ${secret:pin} ${secret:pin-secret}", "abc ${secret:pin} ${secret:pin-secret}");
    assert_eq!(secrets.names(), ["pin"]);
    // With many values, their usual encodings are still hidden.
    let many = (0..1000).map(|at| SecretString::from(format!("value-{at}-x")));
    secrets.hide(HiddenValues::new(many));
    check("value-7-x value-7-y CANARYbb", "•••• value-7-y ${secret:pin}");
    check(&STANDARD.encode("value-999-x"), "••••");
}
