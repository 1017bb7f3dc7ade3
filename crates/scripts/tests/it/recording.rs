use legwork::protocol::Status;
use legwork_demo_site::{DemoSite, Entry, PASSWORD, UPLOAD, UPLOAD_NAME};
use serde_json::json;

use crate::page::serve;
use crate::person::{record, run, runtime, sentences};

/// The posts that the server received, without what differs between two visits.
fn posts(site: &DemoSite) -> Vec<(String, Vec<(String, String)>)> {
    site.ledger().into_iter().map(|Entry { path, fields, .. }| (path, fields)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recorded_order_is_placed_again() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let recorder = record(&runtime, Some(&site.url()), false, async |person| {
        person.click("role=button[name=\"Accept all cookies\"]").await;
        person.type_into("role=textbox[name=\"User name\"]", "alice").await;
        person.type_into("role=textbox[name=\"Password\"]", PASSWORD).await;
        person.press("Enter").await;
        person.click("role=link[name=\"Orders\"]").await;
        person.click("role=link[name=\"New order\"]").await;
        person.type_into("#customer", "Ada Lind").await;
        person.type_into("#email", "ada@example.org").await;
        person.choose("#product", "Anch").await;
        person.type_into("#quantity", "3").await;
        person.click("#delivery").await;
        person.click("text=Courier").await;
        person.act("focus", json!({"target": "#date"})).await;
        for key in "12242026".chars() {
            person.press(&key.to_string()).await;
        }
        person.click("text=Card").await;
        person.click("text=Gift wrap").await;
        person.click("role=checkbox[name=\"The customer accepts the terms\"]").await;
        person.click("role=button[name=\"Place order\"]").await;
        person.click("role=link[name=\"All orders\"]").await;
        person.click("role=button[name=\"Delete order HS-1002\"]").await;
        person.act("dialog", json!({"accept": true})).await;
    })
    .await;
    insta::assert_snapshot!(sentences(&recorder));
    assert!(!recorder.text().contains(PASSWORD));

    let again = DemoSite::start().await.unwrap();
    let outcome =
        run(&runtime, &recorder.text().replace(&site.url(), &again.url()), &[("password", PASSWORD)], &[]).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}\n{}", recorder.text());
    assert_eq!(posts(&again), posts(&site));
    assert!(!posts(&site).is_empty());
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn frames_shadow_roots_tabs_and_files_are_recorded() {
    let (site, folder) = (DemoSite::start().await.unwrap(), tempfile::tempdir().unwrap());
    let files = tempfile::tempdir().unwrap();
    let file = files.path().join(UPLOAD_NAME);
    std::fs::write(&file, UPLOAD).unwrap();
    let runtime = runtime(&folder).await;
    let start = site.signed_in_url("/documents");
    let recorder = record(&runtime, Some(&start), false, async |person| {
        person.page().session().allow_uploads(vec![files.path().to_owned()]);
        person.act("upload", json!({"target": "input[type=file]", "files": [file.display().to_string()]})).await;
        person.click("role=button[name=\"Upload document\"]").await;
        person.click("role=link[name=\"Settings\"]").await;
        person.choose("#zone", "Europe/L").await;
        person.click("role=button[name=\"Save settings\"]").await;
        person.type_into("#postcode", "5003").await;
        person.type_into("#weight", "12").await;
        person.press("Enter").await;
        person.click("role=link[name=\"Partners\"]").await;
        person.type_into("role=textbox[name=\"Member number\"]", "4711").await;
        person.click("role=button[name=\"Look up member\"]").await;
        person.open(&format!("{}/pickup", site.url())).await;
        person.click("role=link[name=\"Show the code\"]").await;
        person.act("tab", json!({"op": "switch", "to": "1"})).await;
        person.type_into("#code", "KH-2741").await;
        person.click("role=button[name=\"Release parcel\"]").await;
        person.act("back", json!({})).await;
    })
    .await;
    insta::assert_snapshot!(sentences(&recorder).replace(&site.url(), "SITE"));

    let again = DemoSite::start().await.unwrap();
    let outcome = run(&runtime, &recorder.text().replace(&site.url(), &again.url()), &[], &[files.path()]).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}\n{}", recorder.text());
    assert_eq!(posts(&again), posts(&site));
    runtime.close().await;
}

const ROWS: &str = r#"
<h1>People</h1>
<table><tr><th>Name<th>Action
  <tr><td>Ada<td><button onclick="this.closest('tr').remove()">Remove</button>
  <tr><td>Bob<td><button onclick="this.closest('tr').remove()">Remove</button>
</table>
<section aria-label="Billing"><label>City <input></label></section>
<section aria-label="Delivery"><label>City <input></label></section>
<button>Same</button><button>Same</button>
<div class=x onclick="document.title='opened'" style="cursor:pointer">Open "all"</div>
<div class=y onclick="document.title='closed'" style="cursor:pointer">Close \ all</div>
<ul><li ondblclick="this.textContent='edited'">Buy rope</ul>
<p role=status>3 people</p>
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_element_is_named_by_its_place_before_the_page_reacts() {
    let (url, folder) = (serve(ROWS).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let recorder = record(&runtime, Some(&url), false, async |person| {
        person.click("xpath=(//button[.='Remove'])[2]").await;
        person.click("xpath=//button[.='Remove']").await;
        person.type_into("xpath=(//input)[2]", "Oslo").await;
        person.click("xpath=(//button[.='Same'])[2]").await;
        person.click("div.x").await;
        person.click("div.y").await;
        person.act("hover", json!({"target": "[role=status]"})).await;
        person.press("Alt+Shift+C").await;
        person.act("click", json!({"target": "li", "count": 2})).await;
    })
    .await;
    insta::assert_snapshot!(sentences(&recorder));
    runtime.close().await;
}

const FIELDS: &str = r#"
<button onclick="void 0">Forged</button><label>Other <input id=other></label>
<form><label>Name <input id=name></label>
<label>Passphrase <input id=phrase></label>
<label>Password <input id=password type=password></label>
<button type=button onclick="password.type='text'">Show</button>
<label>Card number <input id=card autocomplete=cc-number></label>
<label>Code <input id=code autocomplete=one-time-code></label>
<label>Controlled <input id=controlled></label>
<label>Volume <input id=volume type=range max=10 value=5></label>
<label>Notes <textarea id=notes></textarea></label>
<div id=editor contenteditable role=textbox aria-label=Story></div>
<label for=city>City</label><input id=city role=combobox aria-autocomplete=list aria-expanded=false>
<ul id=cities role=listbox aria-label=Cities></ul>
<button type=button onclick="document.title=prompt('Title?')">Rename</button></form>
<div id=host></div>
<script>
  // A field whose value belongs to a script, as in React.
  controlled.addEventListener('input', () => { controlled.value = controlled.value.toUpperCase(); });
  city.addEventListener('input', () => {
    cities.innerHTML = ['Oslo', 'Osaka'].map((name) => '<li role=option>' + name).join('');
  });
  cities.addEventListener('mousedown', (event) => { city.value = event.target.textContent; cities.innerHTML = ''; });
  host.attachShadow({ mode: 'closed' }).innerHTML = '<button>Inside</button>';
  // What a page does by itself is not the person's.
  document.querySelector('button').click();
  const input = document.getElementById('other');
  input.value = 'forged';
  input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  document.title = String(typeof legworkReport) + typeof legworkReporter;
</script>
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn values_are_recorded_unless_they_are_personal() {
    let (url, folder) = (serve(FIELDS).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let recorder = record(&runtime, Some(&url), false, async |person| {
        let title = person.page().snapshot().await.unwrap().title.clone();
        assert_eq!(title, "undefinedundefined", "the page cannot see the recorder");
        person.type_into("#name", "Ada \"the first\"").await;
        person.type_into("#phrase", "hunter-1").await;
        person.type_into("#password", "hunter-2").await;
        person.click("text=Show").await;
        person.type_into("#password", "-more").await;
        person.type_into("#card", "4111").await;
        person.type_into("#code", "927381").await;
        person.type_into("#controlled", "abc").await;
        person.act("focus", json!({"target": "#volume"})).await;
        person.press("ArrowRight").await;
        person.press("ArrowRight").await;
        person.type_into("#notes", "one\ntwo").await;
        person.type_into("#editor", "Once").await;
        person.type_into("#city", "Os").await;
        person.click("text=Osaka").await;
        person.click("text=Rename").await;
        person.act("dialog", json!({"accept": true, "text": "New"})).await;
        person.click("text=Inside").await;
    })
    .await;
    let text = recorder.text();
    for secret in ["hunter", "-more", "4111", "927381", "forged"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    insta::assert_snapshot!(text.replace(&url, "SITE"));
    runtime.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn typed_values_become_inputs_on_request_and_tabs_of_the_person_are_followed() {
    let (url, folder) = (serve(ROWS).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let recorder = record(&runtime, None, true, async |person| {
        person.open(&url).await;
        person.type_into("xpath=(//input)[1]", "Oslo").await;
        person.type_into("xpath=(//input)[2]", "Bergen").await;
        person.act("tab", json!({"op": "open", "url": format!("{url}/second")})).await;
        person.act("reload", json!({})).await;
        person.click("xpath=(//button[.='Remove'])[1]").await;
        person.act("tab", json!({"op": "close"})).await;
        person.click("xpath=(//button[.='Remove'])[1]").await;
    })
    .await;
    insta::assert_snapshot!(recorder.text().replace(&url, "SITE"));
    runtime.close().await;
}

/// A list whose options are plain texts, with one listener for all of them.
const DRAWN: &str = r#"
<h1>Paint</h1><p>Every tin has two litres.</p><div id=list><div>Red</div><div>Green</div><div>Blue</div></div>
<p role=status id=chosen></p><button onclick="document.title='next'">Next</button>
<script>
  list.addEventListener('click', (event) => {
    chosen.textContent = 'Chosen: ' + event.target.textContent;
    list.hidden = true;
  });
</script>
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_option_that_is_only_a_text_is_recorded_by_its_text_and_a_click_beside_everything_is_not() {
    let (url, folder) = (serve(DRAWN).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    let recorder = record(&runtime, Some(&url), false, async |person| {
        person.click("xpath=//p[1]").await;
        person.click("xpath=//div[.='Green']").await;
        person.click("text=Next").await;
    })
    .await;
    let text = recorder.text();
    assert_eq!(sentences(&recorder).trim_end(), "url\nClick \"Green\" (doubtful)\nClick the button \"Next\"", "{text}");
    assert!(text.contains("# the page does not say that this text is a control"), "{text}");
    let next = "- \"Click the button \\\"Next\\\"\"";
    let checked = text.replace(next, &format!("- 'Check that \"Chosen: Green\" is shown'\n  {next}"));
    let outcome = run(&runtime, &checked, &[], &[]).await;
    assert_eq!(outcome.status, Status::Success, "{outcome:?}\n{checked}");
    runtime.close().await;
}

const REPEATS: &str = r#"
<form onsubmit="return false"><label>Password <input id=password type=password></label>
<label>Code <input id=code autocomplete=one-time-code></label>
<label>Nickname <input id=nickname></label>
<button type=button id=entered>Check</button></form><h1></h1><a href="/other">Leave</a>
<script>
  // The page repeats what was typed: in a heading, in the name of a button, in a link and in a prompt.
  const repeat = () => {
    document.querySelector('h1').textContent = 'Your password is ' + password.value;
    entered.textContent = 'Continue as ' + password.value + ' with ' + encodeURIComponent(code.value);
    document.querySelector('a').textContent = 'Profile of ' + password.value;
  };
  password.addEventListener('change', repeat);
  code.addEventListener('change', repeat);
</script>
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_page_repeats_of_a_password_is_in_no_recording() {
    let (url, folder) = (serve(REPEATS).await, tempfile::tempdir().unwrap());
    let runtime = runtime(&folder).await;
    for inputs in [false, true] {
        let recorder = record(&runtime, Some(&url), inputs, async |person| {
            person.type_into("#password", "correct-horse-7").await;
            person.type_into("#code", "927381").await;
            person.type_into("#nickname", "correct-horse-7").await;
            person.click("#entered").await;
            person.click("css=a").await;
        })
        .await;
        let steps: Vec<String> = recorder.steps().map(|recorded| format!("{recorded:?}")).collect();
        let all = format!("{}\n{}\n{:?}", recorder.text(), steps.join("\n"), recorder.workflow());
        for value in ["correct-horse-7", "horse", "927381"] {
            assert!(!all.contains(value), "{value} in {all}");
        }
        let text = recorder.text();
        assert!(text.contains("Continue as •••• with ••••") && text.contains("the page repeats here"), "{text}");
        assert_eq!(recorder.secrets(), ["password", "code"], "{text}");
    }
    runtime.close().await;
}
