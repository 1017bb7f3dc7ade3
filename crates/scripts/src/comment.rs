//! Comments in scripts and workflow files.

/// The lines of a comment. Every character that may end a line in YAML, Python or JavaScript, and any other control
/// character, becomes a space: a step may contain such characters, and what follows would be executed as code.
pub(crate) fn comment_lines(text: &str) -> impl Iterator<Item = String> {
    let ends_line = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    text.lines().map(move |line| line.replace(ends_line, " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_comment_ends_its_line() {
        let text = "one\ntwo\rimport os\u{2028}x\u{2029}y\u{85}z\u{c}\u{b}!";
        let lines: Vec<String> = comment_lines(text).collect();
        assert_eq!(lines, ["one", "two import os x y z  !"]);
    }
}
