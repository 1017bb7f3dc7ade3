//! The statements of a script, before they are written in a language. Names are those of Playwright for JavaScript; the
//! writer for Python converts them.

/// A line of a script, or a few lines that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Statement {
    Comment(String),
    /// A call whose result is not used.
    Call(Expression),
    /// A variable of the script that a step saved.
    Save {
        name: String,
        value: Expression,
    },
    /// An action that opens a tab, which is the current one from now on.
    Popup(Vec<Statement>),
    /// An action that starts a download, and the name of the file.
    Download {
        action: Vec<Statement>,
        name: String,
    },
    /// An action that opens a file chooser, and the files.
    FileChooser {
        action: Vec<Statement>,
        files: Vec<Value>,
    },
    /// The answer for the next dialog.
    AnswerDialog {
        accept: bool,
        text: Option<Value>,
    },
    /// The tab with this number, from 1, is the current one from now on.
    SwitchTab(u32),
    OpenTab,
    CloseTab,
    /// An assertion about a locator, a page or a value.
    Expect {
        subject: Expression,
        matcher: &'static str,
        arguments: Vec<Value>,
        options: Vec<(&'static str, Value)>,
    },
    /// The line fails, because this cannot be expressed.
    Fail(String),
}

/// A chain of calls that begins at the page, at the keyboard or at a variable.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expression {
    pub(crate) base: Base,
    pub(crate) calls: Vec<Call>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Base {
    Page,
    /// `page.keyboard`, `page.mouse`.
    Device(&'static str),
    Variable(String),
}

/// One call of a chain. Options are the last argument in TypeScript and keyword arguments in Python.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) method: &'static str,
    pub(crate) arguments: Vec<Value>,
    pub(crate) options: Vec<(&'static str, Value)>,
}

/// A value in a script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Text(Vec<Piece>),
    Number(f64),
    Bool(bool),
    /// A regular expression that both languages read alike.
    Pattern {
        source: String,
        ignore_case: bool,
    },
    List(Vec<Value>),
    Locator(Expression),
    /// A JavaScript function for the page.
    Function(&'static str),
}

/// A part of a text: letters, or the value of a variable of the script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Literal(String),
    Variable(String),
    Secret(String),
    BaseUrl,
}

impl Value {
    pub(crate) fn text(text: impl Into<String>) -> Value {
        Value::Text(vec![Piece::Literal(text.into())])
    }
}

impl Call {
    pub(crate) fn new(method: &'static str, arguments: Vec<Value>) -> Call {
        Call { method, arguments, options: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: Value) -> Call {
        self.options.push((name, value));
        self
    }
}

impl Expression {
    pub(crate) fn page() -> Expression {
        Expression { base: Base::Page, calls: Vec::new() }
    }

    pub(crate) fn call(mut self, call: Call) -> Expression {
        self.calls.push(call);
        self
    }

    /// The same chain with one more call without options.
    pub(crate) fn then(self, method: &'static str, arguments: Vec<Value>) -> Expression {
        self.call(Call::new(method, arguments))
    }
}
