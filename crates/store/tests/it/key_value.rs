//! Key-value entries beside the runs.

use jiff::{Timestamp, ToSpan};
use legwork_store::{KeyValueStore, SqliteLog};

#[tokio::test]
async fn of_two_who_keep_the_same_first_note_one_succeeds_and_kinds_do_not_mix() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || SqliteLog::open(folder.path().join("runs.db")).expect("opens");
    let (one, two) = (open(), open());
    let (first, second) =
        tokio::join!(one.put_if_absent("a", "k", "1".into()), two.put_if_absent("a", "k", "2".into()));
    let (first, second) = (first.expect("keeps"), second.expect("keeps"));
    assert!(first != second, "one of them");
    let note = two.entry("a", "k").await.expect("reads").expect("is there");
    assert_eq!(note.body, if first { "1" } else { "2" });

    one.put_entry("a", "k", "3".into()).await.expect("keeps");
    one.put_entry("b", "k", "4".into()).await.expect("keeps");
    let bodies = |notes: Vec<legwork_store::KeyValueEntry>| notes.into_iter().map(|note| note.body).collect::<Vec<_>>();
    assert_eq!(bodies(two.entries("a").await.expect("reads")), ["3"]);
    // An entry keeps the time at which it was first stored.
    assert_eq!(two.entry("a", "k").await.expect("reads").map(|note| note.made), Some(note.made));
    assert_eq!(one.delete_older("a", Timestamp::now() - 1.hour()).await.expect("drops"), 0);
    assert_eq!(one.delete_older("a", Timestamp::now() + 1.hour()).await.expect("drops"), 1);
    assert!(
        one.delete_entry("b", "k").await.expect("drops") && !one.delete_entry("b", "k").await.expect("drops nothing")
    );
    assert_eq!(two.entries("b").await.expect("reads"), []);
}
