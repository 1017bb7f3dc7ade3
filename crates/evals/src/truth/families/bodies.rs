//! Responses with status 200 whose JSON body says what became of the change, while the page says `Done` to all of them;
//! and bodies that hold such values for other reasons.

use serde_json::json;

use crate::truth::{
    case::{Behaviour, Variant, behaviour},
    phrase::{click, fill_and_click},
    site::json,
};

/// A button after which the page says `Done`, and the bodies of the genuine and of the failing response.
macro_rules! says {
    ($name:literal, $about:literal, $done:tt, $other:tt) => {
        behaviour("body", $name, $about)
            .page(
                r#"<h1>Jobs</h1><button id="b">Run export</button><p id="r"></p><script>
  on('#b', 'click', async () => { await send('change'); $('#r').textContent = 'Done'; });
</script>"#,
            )
            .server(|call| {
                call.note_unless_failing();
                json(200, if call.fails { json!($other) } else { json!($done) })
            })
            .ask(click("Run export"))
            .silent()
            .commands(["click button \"Run export\""])
    };
}

pub(super) fn behaviours() -> Vec<Behaviour> {
    vec![
        says!("job", "the only object has a failed state", {"job": {"state": "done"}}, {"job": {"state": "failed"}}),
        says!("changed", "nothing was changed", {"changed": true}, {"changed": false}),
        says!("own_code", "a code of the interface's own beside a refusal", {"code": 1000, "msg": "OK"}, {"code": 2107, "msg": "Quota exceeded"}),
        says!("modified", "no document was modified", {"matchedCount": 1, "modifiedCount": 1}, {"matchedCount": 1, "modifiedCount": 0}),
        says!("updated", "no record was updated", {"updated": 3}, {"updated": 0}),
        says!("result", "the result is not ok", {"result": {"ok": true}}, {"result": {"ok": false}}),
        says!("outcome", "an object of any name is not ok", {"id": 7, "outcome": {"success": true}}, {"id": 7, "outcome": {"success": false}}),
        says!("nok", "a state is `NOK`", {"status": "OK"}, {"status": "NOK"}),
        says!("none_done", "the list of what was done is empty", {"done": [1, 2]}, {"done": []}),
        says!("rule", "a record has a field `error` of its own", {"id": 3, "name": "alert", "error": "rate > 5%"}, {})
            .only(&[Variant::Genuine]),
        says!("inner", "a success contains a flag that is false", {"ok": true, "data": {"ok": false}}, {})
            .only(&[Variant::Genuine]),
        says!("old_jobs", "jobs of earlier days have failed", {"id": 9, "jobs": [{"state": "failed"}, {"state": "done"}]}, {})
            .only(&[Variant::Genuine]),
        says!("record", "a record has flags that are false", {"id": 9, "deleted": false, "enabled": false, "published": false}, {})
            .only(&[Variant::Genuine]),
        says!("inserted", "all was inserted and nothing updated", {"inserted": 3, "updated": 0}, {}).only(&[Variant::Genuine]),
        behaviour("body", "echo", "a setting is stored as `false`, and a state as `failed`, as was put in")
            .page(
                r#"<h1>Delivery</h1><label>Note <input id="n"></label><button id="b">Save</button><p id="r"></p><script>
  on('#b', 'click', async () => { await fetch('change', { method: 'PUT', body: JSON.stringify({ accepted: false, status: 'failed', note: $('#n').value }) }); $('#r').textContent = 'Saved'; });
</script>"#,
            )
            .server(|call| {
                call.note("done");
                json(200, json!({ "id": 7, "accepted": false, "status": "failed", "note": "late" }))
            })
            .ask(fill_and_click("late", "Note", "Save"))
            .only(&[Variant::Genuine])
            .commands(["fill textbox \"Note\" late", "click button \"Save\""]),
    ]
}
