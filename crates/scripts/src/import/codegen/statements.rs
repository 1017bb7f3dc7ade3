//! The statements of a script. The code generator writes most on one line; options, handlers of dialogs and chains of
//! calls may have several.

/// A statement without its ends: `await`, `;`, a comment after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) code: String,
    /// Its first line, from 1.
    pub(super) number: usize,
}

/// The most lines of a statement.
const MOST_LINES: usize = 200;

/// The statements of a script, with those that only begin or end a block.
pub(super) fn statements(text: &str, is_python: bool) -> Vec<Statement> {
    let lines: Vec<&str> = text.lines().collect();
    let mut statements = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let number = at + 1;
        let mut code = trimmed(lines[at], is_python).to_owned();
        at += 1;
        if has_several_lines(&code) {
            while at < lines.len() && at - number < MOST_LINES {
                let next = trimmed(lines[at], is_python);
                if !is_open(&code) && !next.starts_with('.') {
                    break;
                }
                if !next.is_empty() {
                    let space = if next.starts_with('.') { "" } else { " " };
                    code += space;
                    code += next;
                }
                at += 1;
            }
        }
        let code = code.trim_end_matches(';').trim();
        let code = code.strip_prefix("await ").unwrap_or(code).trim();
        statements.push(Statement { code: code.to_owned(), number });
    }
    statements
}

/// A line without spaces around it; empty if it is a comment.
fn trimmed(line: &str, is_python: bool) -> &str {
    let line = line.trim();
    if line.starts_with(if is_python { "#" } else { "//" }) { "" } else { line }
}

/// Whether lines that follow may belong to the statement. A test, a loop or a function is a block of statements.
fn has_several_lines(code: &str) -> bool {
    let code = code.trim_start_matches("await ");
    let begins = ["page", "popup", "expect(", "test.use(", "import ", "const {", "download"];
    let is_assigned = ["const ", "let ", "var "].iter().any(|word| code.starts_with(word)) && !code.contains("async");
    begins.iter().any(|begin| code.starts_with(begin)) || is_assigned
}

/// Whether brackets are open at the end of the code.
fn is_open(code: &str) -> bool {
    let mut depth = 0_i32;
    let mut quote: Option<char> = None;
    let mut letters = code.chars();
    while let Some(c) = letters.next() {
        match (quote, c) {
            (Some(_), '\\') => drop(letters.next()),
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
    }
    depth > 0
}
