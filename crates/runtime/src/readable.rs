//! Converts a page to Markdown: headings, lists, tables and links keep their form, and a table row is one line.
//!
//! The conversion uses htmd and not a reader view such as dom_smoothie. A reader view looks for an article and drops
//! the rest of the page, and most extractions need that rest. On seventeen pages (three reference pages, fourteen of an
//! admin template) dom_smoothie kept 13–92 % of the words and no table rows, and took two to four times as long.

use std::borrow::Cow;

use htmd::HtmlToMarkdown;
use legwork_protocol::ActionFailure;

/// The HTML as Markdown. A large page takes time, so the conversion runs on a blocking thread.
pub(crate) async fn markdown(html: String) -> Result<String, ActionFailure> {
    let failed = |reason: String| ActionFailure::Unreadable { what: "the page's text".into(), reason };
    let made = tokio::task::spawn_blocking(move || HtmlToMarkdown::new().convert(&html)).await;
    let text = made.map_err(|error| failed(error.to_string()))?.map_err(|error| failed(error.to_string()))?;
    Ok(text.lines().map(unpadded).collect::<Vec<_>>().join("\n"))
}

/// A table row without the padding that aligns its columns, because spaces and dashes cost tokens too.
fn unpadded(line: &str) -> Cow<'_, str> {
    if !line.starts_with('|') {
        return Cow::Borrowed(line);
    }
    let dashes = |word: &str| word.len() > 3 && word.bytes().all(|byte| byte == b'-');
    let words = line.split_whitespace().map(|word| if dashes(word) { "---" } else { word });
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_row_of_a_table_is_a_line() {
        let html = "<div><h1>Stock</h1><table><thead><tr><th><div>Product</div></th><th>Price</th></tr></thead><tbody>\
            <tr><td>Mooring rope</td><td><div>34</div></td></tr><tr><td>Buoy</td><td>5</td></tr></tbody></table></div>\
            <p>Prices without <a href=\"http://site.test/tax\">tax</a></p>";
        let text = markdown(html.to_owned()).await.expect("it is HTML");
        assert_eq!(
            text.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            [
                "# Stock",
                "| Product | Price |",
                "| --- | --- |",
                "| Mooring rope | 34 |",
                "| Buoy | 5 |",
                "Prices without [tax](http://site.test/tax)",
            ]
        );
    }
}
