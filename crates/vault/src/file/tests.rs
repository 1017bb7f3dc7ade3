use jiff::Timestamp;
use tempfile::TempDir;
use url::Url;

use super::*;

fn secret(name: &str, value: &str) -> StoredSecret {
    StoredSecret {
        name: name.to_owned(),
        value: value.into(),
        origins: vec![Url::parse("https://shop.example").expect("an address")],
        username: Some("ada".to_owned()),
        changed: Timestamp::UNIX_EPOCH,
    }
}

fn vault(folder: &TempDir) -> VaultFile {
    VaultFile::new(&folder.path().join("data"), Some(folder.path().join("config/vault.key")))
}

fn nobody() -> Option<SecretString> {
    None
}

fn values(vault: &VaultFile, ask: &mut AskPassphrase<'_>) -> Vec<(String, String)> {
    let listed = vault.list(ask).expect("the vault opens");
    listed.into_iter().map(|secret| (secret.name, secret.value.expose_secret().to_owned())).collect()
}

#[test]
fn a_vault_is_created_changed_and_read_again_and_no_file_contains_a_value() {
    let folder = TempDir::new().expect("a folder");
    let first = vault(&folder);
    assert!(first.get("pw", &mut nobody).expect("no vault is an empty one").is_none());
    assert!(!first.exists(), "reading creates nothing");
    first
        .add(vec![secret("pw", "tulip-9432"), secret("code", "otpauth://totp/x?secret=AAAA")], false, &mut nobody)
        .expect("added");
    let taken = first.add(vec![secret("new", "x"), secret("pw", "other")], false, &mut nobody);
    assert!(matches!(taken, Err(VaultFileError::Exists(name)) if name == "pw"));
    first.add(vec![secret("pw", "rose-17")], true, &mut nobody).expect("replaced");
    let again = vault(&folder);
    let expected = [("code", "otpauth://totp/x?secret=AAAA"), ("pw", "rose-17")];
    assert_eq!(values(&again, &mut nobody), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    assert_eq!(again.remove("code", &mut nobody).expect("removed").name, "code");
    assert!(matches!(again.remove("code", &mut nobody), Err(VaultFileError::Unknown(_))));
    for file in ["data/vault.json", "config/vault.key"] {
        let path = folder.path().join(file);
        assert!(!is_accessible_by_others(&path).expect("it exists"), "{file}");
        let text = fs::read_to_string(path).expect("a file");
        assert!(!["rose", "shop.example", "ada", "\"pw\""].iter().any(|word| text.contains(word)), "{file}: {text}");
    }
}

#[test]
fn a_passphrase_is_asked_for_once_and_a_wrong_one_opens_nothing() {
    let folder = TempDir::new().expect("a folder");
    let first = vault(&folder);
    first.add(vec![secret("pw", "tulip")], false, &mut nobody).expect("added");
    assert!(matches!(first.protect(Some(&"short".into()), &mut nobody), Err(VaultFileError::ShortPassphrase)));
    let passphrase: SecretString = "correct horse battery".into();
    first.protect(Some(&passphrase), &mut nobody).expect("protected");
    assert!(first.has_passphrase().expect("a vault"));
    let again = vault(&folder);
    assert!(matches!(again.list(&mut nobody), Err(VaultFileError::NoPassphrase)));
    let wrong = again.list(&mut || Some("another passphrase".into()));
    assert!(matches!(wrong, Err(VaultFileError::Decrypt { key: "passphrase", .. })));
    let mut asked = 0;
    let mut ask = || {
        asked += 1;
        Some(passphrase.clone())
    };
    again.get("pw", &mut ask).expect("opened").expect("there");
    again.add(vec![secret("more", "rose")], false, &mut ask).expect("added");
    assert_eq!(asked, 1);
    vault(&folder).protect(None, &mut || Some(passphrase.clone())).expect("with the key file again");
    assert_eq!(values(&vault(&folder), &mut nobody).len(), 2);
}

#[test]
fn a_changed_file_and_a_missing_or_public_key_are_refused() {
    let folder = TempDir::new().expect("a folder");
    vault(&folder).add(vec![secret("pw", "tulip")], false, &mut nobody).expect("added");
    let (path, key) = (folder.path().join("data/vault.json"), folder.path().join("config/vault.key"));
    let text = fs::read_to_string(&path).expect("a file");
    let fails = |text: &str| {
        fs::write(&path, text).expect("written");
        vault(&folder).list(&mut nobody).expect_err("refused")
    };
    assert!(matches!(fails("{}"), VaultFileError::Format { .. }));
    assert!(matches!(fails(&text.replace("\"format\": 1", "\"format\": 2")), VaultFileError::Format { .. }));
    // The source of the key is authenticated, so that nobody can have a passphrase tried with fewer rounds.
    let mut sealed: SealedVault = serde_json::from_str(&text).expect("a vault");
    sealed.key = KeySource::Passphrase { iterations: 1, salt: "AAAA".to_owned() };
    let downgraded = serde_json::to_string(&sealed).expect("texts");
    fs::write(&path, &downgraded).expect("written");
    let opened = vault(&folder).list(&mut || Some("a passphrase".into()));
    assert!(matches!(opened, Err(VaultFileError::Decrypt { .. })));

    fs::write(&path, &text).expect("restored");
    assert_eq!(values(&vault(&folder), &mut nobody).len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("changed");
        assert!(matches!(vault(&folder).list(&mut nobody), Err(VaultFileError::Readable { .. })));
    }
    fs::remove_file(&key).expect("removed");
    assert!(matches!(vault(&folder).list(&mut nobody), Err(VaultFileError::NoKeyFile { .. })));
    let added = vault(&folder).add(vec![secret("more", "rose")], false, &mut nobody);
    assert!(matches!(added, Err(VaultFileError::NoKeyFile { .. })), "no new key replaces the lost one");
}

#[test]
fn two_writers_lose_nothing() {
    let folder = TempDir::new().expect("a folder");
    vault(&folder).add(Vec::new(), false, &mut nobody).expect("created");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let folder = &folder;
            scope.spawn(move || {
                vault(folder).add(vec![secret(&format!("pw{number}"), "x")], false, &mut nobody).expect("added");
            });
        }
    });
    assert_eq!(values(&vault(&folder), &mut nobody).len(), 8);
}
