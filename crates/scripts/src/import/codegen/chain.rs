//! Chains of calls with literal arguments: `page.getByRole('button', { name: 'Save' }).click()`, and the same in
//! Python. The names of methods are returned as in JavaScript.

/// A chain.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct CallChain {
    /// The locators within `expect(…)`; the calls are then its matchers.
    pub(super) expected: Option<Vec<Method>>,
    pub(super) calls: Vec<Method>,
    /// The variable that contains the page: `page`, `page1`.
    pub(super) page: String,
    /// Whether the chain begins at `page.keyboard` or `page.mouse`, which is then its first call.
    pub(super) is_device: bool,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Method {
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
    pub(super) options: Vec<(String, Argument)>,
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Text(String),
    Number(f64),
    Word(String),
    List(Vec<Argument>),
}

impl Method {
    pub(super) fn text(&self, index: usize) -> Option<&str> {
        match self.arguments.get(index)? {
            Argument::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The texts of the arguments, including those in a list.
    pub(super) fn texts(&self) -> Vec<String> {
        let texts = |argument: &Argument| match argument {
            Argument::Text(text) => vec![text.clone()],
            Argument::List(items) => items
                .iter()
                .filter_map(|item| if let Argument::Text(text) = item { Some(text.clone()) } else { None })
                .collect(),
            _ => Vec::new(),
        };
        self.arguments.iter().flat_map(texts).collect()
    }

    /// The texts of an option that is a text or a list of texts.
    pub(super) fn option_texts(&self, name: &str) -> Vec<String> {
        let value = self.options.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
        Method { arguments: value.into_iter().collect(), ..Method::default() }.texts()
    }

    pub(super) fn number(&self, index: usize) -> Option<usize> {
        match self.arguments.get(index)? {
            Argument::Number(number) if *number >= 0.0 && number.fract() == 0.0 => Some(*number as usize),
            _ => None,
        }
    }

    /// The error for the first option that none of these names is.
    pub(super) fn only_options(&self, known: &[&str]) -> Result<(), String> {
        match self.options.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => Err(format!("the option `{name}` of {} has no equivalent in a step", self.name)),
            None => Ok(()),
        }
    }

    pub(super) fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|(known, _)| known == name).and_then(|(_, value)| match value {
            Argument::Text(text) | Argument::Word(text) => Some(text.as_str()),
            _ => None,
        })
    }
}

/// Reads the chain of a statement. The error is the reason why the statement is not a chain.
pub(super) fn read(code: &str) -> Result<CallChain, String> {
    let mut reader = Reader { rest: code };
    let chain = reader.chain()?;
    if reader.rest.trim().is_empty() { Ok(chain) } else { Err(NOT_STRAIGHT.to_owned()) }
}

const NOT_STRAIGHT: &str = "only calls as the code generator writes them are read, one per line";

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, text: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        self.skip();
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn chain(&mut self) -> Result<CallChain, String> {
        let base = self.word().ok_or(NOT_STRAIGHT)?;
        let mut chain = CallChain::default();
        if base == "expect" {
            if !self.take("(") {
                return Err(NOT_STRAIGHT.to_owned());
            }
            let subject = self.chain()?;
            (chain.expected, chain.page) = (Some(subject.calls), subject.page);
            if !self.take(")") {
                return Err(NOT_STRAIGHT.to_owned());
            }
        } else if base.starts_with("page") || base.starts_with("popup") {
            base.clone_into(&mut chain.page);
        } else {
            return Err(NOT_STRAIGHT.to_owned());
        }
        while self.take(".") {
            let name = camel_case(self.word().ok_or(NOT_STRAIGHT)?);
            let mut method = Method { name, ..Method::default() };
            if self.take("(") {
                self.arguments(&mut method)?;
            } else if matches!(method.name.as_str(), "keyboard" | "mouse") {
                chain.is_device = true;
            } else if !matches!(method.name.as_str(), "first" | "last") {
                return Err(NOT_STRAIGHT.to_owned());
            }
            chain.calls.push(method);
        }
        Ok(chain)
    }

    fn arguments(&mut self, method: &mut Method) -> Result<(), String> {
        loop {
            if self.take(")") {
                return Ok(());
            }
            if self.take("{") {
                self.options(method)?;
            } else if let Some(name) = self.keyword() {
                let value = self.argument()?;
                method.options.push((camel_case(name), value));
            } else {
                let argument = self.argument()?;
                method.arguments.push(argument);
            }
            if !self.take(",") && !self.rest.trim_start().starts_with(')') {
                return Err(NOT_STRAIGHT.to_owned());
            }
        }
    }

    /// `name` of Python's `name=value`.
    fn keyword(&mut self) -> Option<&'a str> {
        self.skip();
        let (name, _) = self.rest.split_once('=')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_name || name.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        self.rest = &self.rest[name.len() + 1..];
        Some(name)
    }

    /// The rest of `{ name: 'Save', exact: true }`.
    fn options(&mut self, method: &mut Method) -> Result<(), String> {
        while !self.take("}") {
            let name = self.word().ok_or(NOT_STRAIGHT)?.to_owned();
            if !self.take(":") {
                return Err(NOT_STRAIGHT.to_owned());
            }
            // `position: { x: 1, y: 2 }` is reported by its name, not as a value that cannot be read.
            let value = if self.take("{") {
                self.options(&mut Method::default())?;
                Argument::Word("an object".to_owned())
            } else {
                self.argument()?
            };
            method.options.push((name, value));
            self.take(",");
        }
        Ok(())
    }

    fn argument(&mut self) -> Result<Argument, String> {
        self.skip();
        match self.rest.chars().next() {
            Some('\'' | '"' | '`') => self.text().map(Argument::Text),
            Some('[') => {
                self.take("[");
                let mut items = Vec::new();
                while !self.take("]") {
                    items.push(self.argument()?);
                    self.take(",");
                }
                Ok(Argument::List(items))
            }
            Some('/') => self.pattern().map(Argument::Text),
            Some(c) if c.is_ascii_digit() || c == '-' => {
                let end =
                    self.rest.find(|c: char| !(c.is_ascii_digit() || "-.".contains(c))).unwrap_or(self.rest.len());
                let (number, rest) = self.rest.split_at(end);
                self.rest = rest;
                number.parse().map(Argument::Number).map_err(|_| NOT_STRAIGHT.to_owned())
            }
            _ => match self.word() {
                Some(word @ ("true" | "false" | "True" | "False")) => Ok(Argument::Word(word.to_owned())),
                Some(word) => Err(format!("the value {word} is not a literal")),
                None => Err(NOT_STRAIGHT.to_owned()),
            },
        }
    }

    /// A regular expression that stands for one text: `/^Save$/`.
    fn pattern(&mut self) -> Result<String, String> {
        let refused = || "a regular expression".to_owned();
        let mut letters = self.rest.char_indices().skip(1);
        let mut text = String::new();
        let mut whole = String::new();
        loop {
            let (at, c) = letters.next().ok_or_else(refused)?;
            match c {
                '/' => {
                    self.rest = self.rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_alphabetic());
                    break;
                }
                '\\' => {
                    let (_, escaped) = letters.next().ok_or_else(refused)?;
                    if escaped.is_alphanumeric() {
                        return Err(refused());
                    }
                    text.push(escaped);
                    whole.push('x');
                }
                c => {
                    text.push(c);
                    whole.push(c);
                }
            }
        }
        let inner = whole.strip_prefix('^').and_then(|inner| inner.strip_suffix('$')).ok_or_else(refused)?;
        if inner.contains(['^', '$', '.', '*', '+', '?', '(', ')', '[', ']', '{', '}', '|']) {
            return Err(refused());
        }
        let text = text.strip_prefix('^').and_then(|text| text.strip_suffix('$')).ok_or_else(refused)?;
        Ok(text.to_owned())
    }

    fn text(&mut self) -> Result<String, String> {
        let mut letters = self.rest.char_indices();
        let quote = letters.next().map_or('"', |(_, c)| c);
        let mut text = String::new();
        while let Some((at, c)) = letters.next() {
            match c {
                c if c == quote => {
                    self.rest = &self.rest[at + c.len_utf8()..];
                    return Ok(text);
                }
                '$' if quote == '`' => return Err("a text with variables".to_owned()),
                '\\' => match letters.next().map(|(_, c)| c) {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some('r') => text.push('\r'),
                    Some('u') => {
                        let digits: String = letters.by_ref().take(4).map(|(_, c)| c).collect();
                        let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        text.push(code.ok_or("an escape sequence that is not known")?);
                    }
                    Some(other) => text.push(other),
                    None => break,
                },
                c => text.push(c),
            }
        }
        Err("a text that does not end on its line".to_owned())
    }
}

/// `get_by_role` as `getByRole`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    let camel = words.fold(first, |name, word| {
        let mut letters = word.chars();
        let initial = letters.next().map(|letter| letter.to_ascii_uppercase());
        name + &initial.into_iter().chain(letters).collect::<String>()
    });
    if camel == "toHaveUrl" { "toHaveURL".to_owned() } else { camel }
}
