//! Tests marks on pictures and the readable text of a page, and that both leave the page unchanged.

use legwork_browser::{PictureFormat, ScreenshotOptions};
use legwork_protocol::Target;

use crate::support::{Page, Visit, run, visit};

const FORM: &str = r##"<!doctype html><title>Form</title><style>body{margin:40px;background:#fff;font:16px sans-serif}</style>
<p>Your name</p><input aria-label="Name" value="Ada" style="width:200px;height:40px">
<button style="width:120px;height:40px">Send</button>
<div id="box"></div><dialog id="sure"><button style="width:100px;height:40px">Yes</button></dialog>
<iframe title="Inner" srcdoc='<body style="margin:30px"><button style="width:90px;height:30px">Inside</button>' style="width:300px;height:120px;border:0"></iframe>
<script>document.querySelector("#box").attachShadow({mode:"closed"}).innerHTML='<button style="width:80px;height:30px">Shadow</button>';
document.querySelector("#sure").show();
</script>"##;

/// Counts the pixels with the colour of each mark. The picture is decoded in a page, because a browser can decode
/// images.
const COUNTER: &str = r#"<!doctype html><title>Count</title><output>…</output><script>
const image = new Image();
image.onload = () => {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const data = context.getImageData(0, 0, image.width, image.height).data;
  const colours = {"194,24,91": 0, "21,101,192": 0, "46,125,50": 0, "179,71,0": 0, "106,26,154": 0, "106,27,154": 0};
  for (let i = 0; i < data.length; i += 4) { const key = data[i] + "," + data[i + 1] + "," + data[i + 2]; if (key in colours) colours[key]++; }
  document.querySelector("output").textContent = Object.values(colours).join(" ");
};
image.src = "/picture.png";
</script>"#;

fn png(marks: Vec<Target>) -> ScreenshotOptions {
    ScreenshotOptions { format: PictureFormat::Png, marks, ..ScreenshotOptions::default() }
}

/// The number of pixels with the colours of the first five marks.
async fn coloured(visit: &Visit, picture: Vec<u8>) -> Vec<usize> {
    let headers = vec![("Content-Type".to_owned(), "image/png".to_owned())];
    visit.site.put("/picture.png", Page { body: picture, headers, ..Page::default() });
    visit.site.page("/count", COUNTER);
    assert!(visit.open("/count").await.ok());
    let counts = visit.read("output").await;
    let mut counts: Vec<usize> = counts.split(' ').map(|count| count.parse().unwrap()).collect();
    let purple = counts.pop().unwrap();
    *counts.last_mut().unwrap() += purple;
    counts
}

#[test]
fn marks_are_in_the_picture_and_gone_from_the_page() {
    run(async {
        let visit = visit(FORM).await;
        let page = visit.see().await;
        let marks: Vec<Target> = page.nodes.iter().filter_map(|node| node.reference).map(Target::from).collect();
        assert!(marks.len() >= 5, "{marks:?}");
        let before = visit.session.html().await.unwrap();
        let plain = visit.session.screenshot(png(Vec::new())).await.unwrap();
        let marked = visit.session.screenshot(png(marks.clone())).await.unwrap();
        let after = visit.session.screenshot(png(Vec::new())).await.unwrap();
        assert_eq!(visit.session.html().await.unwrap(), before);
        // The pictures are identical in every pixel.
        assert!(plain.bytes == after.bytes && plain.bytes != marked.bytes);
        // A stale ref does not prevent the other marks, and no mark remains in the page.
        let stale = [marks, vec![Target("e99999".into())]].concat();
        assert!(visit.session.screenshot(png(stale)).await.unwrap().bytes == marked.bytes);
        assert_eq!(visit.session.html().await.unwrap(), before);

        assert_eq!(coloured(&visit, plain.bytes).await, [0; 5]);
        let drawn = coloured(&visit, marked.bytes).await;
        assert!(drawn.iter().all(|pixels| *pixels > 250), "{drawn:?}");
    });
}

#[test]
fn a_pages_text_is_what_is_shown_through_shadow_roots_and_frames() {
    run(async {
        let visit = visit(
            r##"<!doctype html><title>Text</title><h1>Stock</h1><p style="display:none">gone</p>
<p style="visibility:hidden">unseen <b style="visibility:visible">seen</b></p>
<table><tr><th>Name<th>Price</tr><tr><th>Ash &amp; oak<td>49</tr></table>
<a href="/more">More</a> <a href="javascript:x()">Odd</a>
<input value="Ada"><input type="password" value="hunter2"><input type="checkbox" checked>
<select><option>Red<option selected>Blue</select><div id="host">light</div>
<iframe srcdoc="<p>framed</p>"></iframe><script>
const root = document.querySelector("#host").attachShadow({mode: "closed"}); root.innerHTML = "<p>shadow <slot></slot></p>";
</script>"##,
        )
        .await;
        let html = visit.session.readable().await.unwrap();
        let url = visit.site.url("/more");
        for text in [
            "<h1>Stock</h1>",
            "<th>Name</th><th>Price",
            "seen",
            "<td>Ash &amp; oak</td><td>49",
            &format!("<a href=\"{url}\">More</a>"),
            "Odd",
            "Ada",
            "[x]",
            "Blue",
            "framed",
            "shadow light",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        for text in ["gone", "unseen", "hunter2", "Red", "javascript", "<script"] {
            assert!(!html.contains(text), "{text}: {html}");
        }
    });
}
