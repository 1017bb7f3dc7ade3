//! Artifacts: stored once, complete or not at all, and never outside of their folder.

use std::time::Duration;

use std::fs;

use legwork_store::{ArtifactError, Artifacts, FileArtifacts};

#[tokio::test]
async fn content_comes_back_with_its_type_and_is_kept_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = FileArtifacts::new(folder.path().join("artifacts"));
    let made = artifacts.put(b"hello".to_vec(), "text/plain").await.expect("keeps");
    assert_eq!(made.hash, "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
    assert_eq!(artifacts.put(b"hello".to_vec(), "text/plain").await.expect("keeps"), made);
    assert_eq!(artifacts.get(&made.hash, 5).await.expect("is there"), b"hello");
    assert_eq!(artifacts.stat(&made.hash).await.expect("is there"), made);
    let path = artifacts.path(&made.hash).expect("a file");
    assert_eq!(fs::read_dir(path.parent().expect("a shelf")).expect("reads").count(), 2);
}

#[tokio::test]
async fn sixteen_at_once_put_the_same_without_harm() {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = FileArtifacts::new(folder.path());
    let tasks: Vec<_> = (0..16)
        .map(|_| {
            let artifacts = artifacts.clone();
            tokio::spawn(async move { artifacts.put(vec![7; 100_000], "application/x").await.expect("keeps") })
        })
        .collect();
    for task in tasks {
        let made = task.await.expect("done");
        assert_eq!(artifacts.get(&made.hash, 100_000).await.expect("whole").len(), 100_000);
    }
}

#[tokio::test]
async fn refuses_names_that_are_no_hashes_and_content_above_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = FileArtifacts::new(folder.path().join("in"));
    fs::write(folder.path().join("secret"), "x").expect("writes");
    for name in ["../secret", "", "ab", "/etc/passwd", &"A".repeat(64), &format!("{}/..", "a".repeat(61))] {
        assert!(matches!(artifacts.get(name, 10).await, Err(ArtifactError::Name { .. })), "{name}");
        assert_eq!(artifacts.path(name), None);
    }
    assert!(matches!(artifacts.get(&"a".repeat(64), 10).await, Err(ArtifactError::Missing { .. })));
    let made = artifacts.put(vec![0; 11], "x/y").await.expect("keeps");
    assert!(matches!(artifacts.get(&made.hash, 10).await, Err(ArtifactError::TooLarge { size: 11, limit: 10, .. })));
}

#[tokio::test]
async fn damage_is_noticed_and_mended_by_the_next_put() {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = FileArtifacts::new(folder.path());
    let made = artifacts.put(b"whole".to_vec(), "text/plain").await.expect("keeps");
    let path = artifacts.path(&made.hash).expect("a file");
    fs::write(&path, b"who").expect("writes");
    assert!(matches!(artifacts.get(&made.hash, 10).await, Err(ArtifactError::Damaged { .. })));
    artifacts.put(b"whole".to_vec(), "text/plain").await.expect("keeps");
    assert_eq!(artifacts.get(&made.hash, 10).await.expect("mended"), b"whole");
}

#[tokio::test]
async fn a_sweep_leaves_only_what_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = FileArtifacts::new(folder.path());
    assert_eq!(
        FileArtifacts::new(folder.path().join("none")).sweep(Vec::new(), Duration::ZERO).await.expect("nothing to do"),
        0
    );
    let kept = artifacts.put(b"keep".to_vec(), "t/p").await.expect("keeps");
    let gone = artifacts.put(b"gone!".to_vec(), "t/p").await.expect("keeps");
    assert_eq!(artifacts.sweep(vec![kept.hash.clone()], Duration::ZERO).await.expect("sweeps"), 5 + 3);
    assert_eq!(artifacts.stat(&kept.hash).await.expect("is there"), kept);
    assert!(matches!(artifacts.stat(&gone.hash).await, Err(ArtifactError::Missing { .. })));
}

#[tokio::test]
async fn a_sweep_leaves_what_was_put_a_moment_ago_also_when_it_was_there_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let artifacts = FileArtifacts::new(folder.path());
    let put = artifacts.put(b"again".to_vec(), "text/plain").await.expect("puts");
    let path = artifacts.path(&put.hash).expect("a file");
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(7_200);
    let age =
        || std::fs::File::options().append(true).open(&path).expect("opens").set_modified(long_ago).expect("ages");
    age();
    artifacts.put(b"again".to_vec(), "text/plain").await.expect("puts");
    assert_eq!(artifacts.sweep(Vec::new(), Duration::from_secs(3_600)).await.expect("sweeps"), 0);
    age();
    assert_eq!(artifacts.sweep(Vec::new(), Duration::from_secs(3_600)).await.expect("sweeps"), 5);
    assert!(!path.exists());
}
