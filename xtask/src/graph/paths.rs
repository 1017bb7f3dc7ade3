//! Reads the modules of a crate from its source files, with the paths in them, and finds the file that a path names.
//!
//! It works on tokens and not on a syntax tree, because much of the code stands in the arguments of macros
//! (`tokio::select!`), which a parser of Rust leaves as tokens. Code for tests (`#[cfg(test)]`) is left out. What a
//! file uses without naming it is not seen: the methods of a type, and a macro that a crate declares for all of its
//! files.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::run::Failure;

/// What the names in modules were found to mean. A name whose meaning depends on itself has none.
type Meanings = BTreeMap<(usize, String), Option<Named>>;

/// The modules of one library or program.
#[derive(Default)]
pub(super) struct Modules {
    modules: Vec<Module>,
    /// Paths relative to the folder of the root file.
    pub(super) files: Vec<String>,
}

#[derive(Default)]
struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Names that a `use` brings in, with the path of the item.
    imports: BTreeMap<String, Import>,
    globs: Vec<Import>,
    items: BTreeSet<String>,
    /// The words in the calls of macros between the items, which may be items that the macro defines.
    macro_words: BTreeSet<String>,
    /// The words of all other code, without the declarations of imports.
    words: BTreeSet<String>,
    /// Paths in code, of two segments at least.
    paths: BTreeSet<Vec<String>>,
}

struct Import {
    path: Vec<String>,
    /// The declaration begins with `pub`: it is a re-export.
    is_public: bool,
}

/// What a path names: a module, or an item that the module defines.
#[derive(Clone, Copy)]
enum Named {
    Module(usize),
    ItemOf(usize),
}

impl Modules {
    /// Reads a crate from its root file.
    pub(super) fn read(root: &Path) -> Result<Modules, Failure> {
        let folder = root.parent().expect("a file has a folder");
        let mut modules = Modules::default();
        modules.read_file(folder, root, folder.to_owned(), None)?;
        Ok(modules)
    }

    /// For each file, the files that it uses, each with one of the paths that do so. A module that is imported as a
    /// name counts through the items that are named in it. A re-export counts if the file needs the item itself.
    pub(super) fn uses(&self) -> BTreeMap<usize, BTreeMap<usize, String>> {
        let mut uses: BTreeMap<usize, BTreeMap<usize, String>> = BTreeMap::new();
        let mut meanings = Meanings::new();
        for (number, module) in self.modules.iter().enumerate() {
            let needed = |(name, import): &(&String, &Import)| !import.is_public || module.words.contains(*name);
            let imports = module.imports.iter().filter(needed).map(|(_, import)| &import.path);
            for path in imports.chain(&module.paths) {
                let Some(Named::ItemOf(of)) = self.resolve(number, path, &mut meanings) else { continue };
                let used = self.modules[of].file;
                if used != module.file {
                    uses.entry(module.file).or_default().entry(used).or_insert_with(|| path.join("::"));
                }
            }
            // Which items of a module a `*` brings in is not known, so it counts as a use of the module's own file.
            for glob in module.globs.iter().filter(|glob| !glob.is_public) {
                let Some(Named::Module(of)) = self.resolve(number, &glob.path, &mut meanings) else { continue };
                let used = self.modules[of].file;
                if used != module.file {
                    uses.entry(module.file)
                        .or_default()
                        .entry(used)
                        .or_insert_with(|| format!("{}::*", glob.path.join("::")));
                }
            }
        }
        uses
    }

    fn read_file(
        &mut self,
        root: &Path,
        file: &Path,
        folder: PathBuf,
        parent: Option<usize>,
    ) -> Result<usize, Failure> {
        let failed = |why: &dyn std::fmt::Display| Failure::new(format!("{}: {why}", file.display()));
        let text = fs::read_to_string(file).map_err(|error| failed(&error))?;
        let tokens: TokenStream = text.parse().map_err(|error| failed(&error))?;
        self.files.push(file.strip_prefix(root).unwrap_or(file).display().to_string());
        let number = self.add(self.files.len() - 1, parent);
        for (parent, name, folder) in self.read_tokens(number, tokens, &folder, true) {
            let (beside, inside) = (folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs"));
            let file = if beside.exists() { beside } else { inside };
            let child = self.read_file(root, &file, folder.join(&name), Some(parent))?;
            self.modules[parent].children.insert(name, child);
        }
        Ok(number)
    }

    fn add(&mut self, file: usize, parent: Option<usize>) -> usize {
        self.modules.push(Module { file, parent, ..Module::default() });
        self.modules.len() - 1
    }

    /// Reads what a module contains. Returns the modules in it that are files: their parents, names and folders.
    fn read_tokens(
        &mut self,
        number: usize,
        tokens: TokenStream,
        folder: &Path,
        items: bool,
    ) -> Vec<(usize, String, PathBuf)> {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut in_files = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if is_test_attribute(&tokens[at..]) {
                at = end_of_item(&tokens, at);
                continue;
            }
            match (&tokens[at], tokens.get(at + 1), tokens.get(at + 2)) {
                (TokenTree::Ident(word), Some(next), _) if word == "use" && !is(next, '<') => {
                    let length = tokens[at..].iter().position(|token| is(token, ';')).unwrap_or(tokens.len() - at);
                    let is_public = is_word(&tokens[..at], 1, "pub") || is_word(&tokens[..at], 2, "pub");
                    self.read_use(number, &tokens[at + 1..at + length], &[], is_public);
                    at += length;
                }
                (TokenTree::Ident(word), Some(TokenTree::Ident(name)), Some(next)) if word == "mod" => {
                    let name = name.to_string();
                    match next {
                        TokenTree::Group(body) => {
                            let child = self.add(self.modules[number].file, Some(number));
                            self.modules[number].children.insert(name.clone(), child);
                            in_files.extend(self.read_tokens(child, body.stream(), &folder.join(name), true));
                        }
                        _ => in_files.push((number, name, folder.to_owned())),
                    }
                    at += 3;
                }
                (TokenTree::Ident(word), Some(TokenTree::Ident(name)), _) if items && defines(&word.to_string()) => {
                    self.modules[number].items.insert(name.to_string());
                    at += 2;
                }
                (TokenTree::Ident(_), Some(sign), Some(TokenTree::Group(arguments))) if items && is(sign, '!') => {
                    words(arguments.stream(), &mut self.modules[number].macro_words);
                    self.read_tokens(number, arguments.stream(), folder, false);
                    at += 3;
                }
                (TokenTree::Ident(_), ..) => {
                    let (path, length) = path_at(&tokens[at..]);
                    let is_member = at > 0
                        && (is(&tokens[at - 1], '.') || is(&tokens[at - 1], ':') && at > 1 && is(&tokens[at - 2], ':'));
                    if !is_member {
                        self.modules[number].words.insert(path[0].clone());
                    }
                    if path.len() > 1 && !is_member {
                        self.modules[number].paths.insert(path);
                    }
                    at += length;
                }
                (TokenTree::Group(group), ..) => {
                    self.read_tokens(number, group.stream(), folder, false);
                    at += 1;
                }
                _ => at += 1,
            }
        }
        in_files
    }

    /// Reads a tree of a `use` declaration, below the segments before it.
    fn read_use(&mut self, number: usize, tree: &[TokenTree], above: &[String], is_public: bool) {
        let mut path = above.to_vec();
        let mut at = 0;
        while at < tree.len() {
            match &tree[at] {
                TokenTree::Ident(word) if word == "as" => {
                    if let Some(TokenTree::Ident(name)) = tree.get(at + 1) {
                        self.modules[number].imports.insert(name.to_string(), Import { path, is_public });
                    }
                    return;
                }
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    for tree in inner.split(|token| is(token, ',')) {
                        self.read_use(number, tree, &path, is_public);
                    }
                    return;
                }
                token if is(token, '*') => {
                    self.modules[number].globs.push(Import { path, is_public });
                    return;
                }
                _ => {}
            }
            at += 1;
        }
        if let Some(name) = path.last().filter(|_| path.len() > 1) {
            self.modules[number].imports.insert(name.clone(), Import { path: path.clone(), is_public });
        }
    }

    /// Follows a path, through re-exports, to the module that defines what it names. Nothing if that is of another
    /// crate.
    fn resolve(&self, from: usize, path: &[String], meanings: &mut Meanings) -> Option<Named> {
        let mut module = match path[0].as_str() {
            "crate" => self.root(from),
            "self" => from,
            "super" => self.modules[from].parent?,
            name => match self.member(from, name, meanings)? {
                Named::Module(module) => module,
                item => return Some(item),
            },
        };
        for name in &path[1..] {
            if name == "super" {
                module = self.modules[module].parent?;
                continue;
            }
            match self.member(module, name, meanings) {
                Some(Named::Module(inner)) => module = inner,
                Some(item) => return Some(item),
                None => return Some(Named::ItemOf(module)),
            }
        }
        Some(Named::Module(module))
    }

    /// What a name means in a module.
    fn member(&self, module: usize, name: &str, meanings: &mut Meanings) -> Option<Named> {
        let found = &self.modules[module];
        if let Some(child) = found.children.get(name) {
            return Some(Named::Module(*child));
        }
        let key = (module, name.to_owned());
        if let Some(known) = meanings.get(&key) {
            return *known;
        }
        meanings.insert(key.clone(), None);
        let meaning = if let Some(Import { path, .. }) = found.imports.get(name) {
            // A `use` such as `url::Url` names another crate.
            if path[0] == name { None } else { self.resolve(module, path, meanings) }
        } else if found.items.contains(name) || found.macro_words.contains(name) {
            Some(Named::ItemOf(module))
        } else {
            found.globs.iter().find_map(|glob| match self.resolve(module, &glob.path, meanings) {
                Some(Named::Module(of)) => self.member(of, name, meanings),
                _ => None,
            })
        };
        meanings.insert(key, meaning);
        meaning
    }

    fn root(&self, mut module: usize) -> usize {
        while let Some(parent) = self.modules[module].parent {
            module = parent;
        }
        module
    }
}

/// Whether the token so many places before the end is this word.
fn is_word(tokens: &[TokenTree], from_end: usize, word: &str) -> bool {
    tokens.len().checked_sub(from_end).is_some_and(|at| matches!(&tokens[at], TokenTree::Ident(found) if found == word))
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn defines(keyword: &str) -> bool {
    matches!(keyword, "struct" | "enum" | "union" | "trait" | "type" | "fn" | "const" | "static")
}

/// The path at the beginning of some tokens, and how many tokens it has.
fn path_at(tokens: &[TokenTree]) -> (Vec<String>, usize) {
    let mut path = vec![tokens[0].to_string()];
    let mut at = 1;
    while let [first, second, TokenTree::Ident(name), ..] = &tokens[at..]
        && is(first, ':')
        && is(second, ':')
    {
        path.push(name.to_string());
        at += 3;
    }
    (path, at)
}

/// All words of some tokens.
fn words(tokens: TokenStream, found: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => drop(found.insert(word.to_string())),
            TokenTree::Group(group) => words(group.stream(), found),
            _ => {}
        }
    }
}

/// Whether some tokens begin with `#[cfg(test)]`.
fn is_test_attribute(tokens: &[TokenTree]) -> bool {
    let [sign, TokenTree::Group(attribute), ..] = tokens else { return false };
    is(sign, '#') && attribute.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// Words with which an item or a statement begins. What begins otherwise is a field, a variant or an arm.
const ITEMS: &[&str] = &[
    "async", "const", "enum", "extern", "fn", "impl", "let", "mod", "static", "struct", "trait", "type", "union",
    "unsafe", "use",
];

/// Where the item, field or arm ends that begins here with its attributes.
fn end_of_item(tokens: &[TokenTree], from: usize) -> usize {
    let first = tokens[from..].iter().find_map(|token| match token {
        TokenTree::Ident(word) if word != "pub" => Some(word.to_string()),
        _ => None,
    });
    let is_use = first.as_deref() == Some("use");
    let is_item = first.is_some_and(|word| ITEMS.contains(&word.as_str()));
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace && !is_use,
        token => is(token, ';') || !is_item && is(token, ','),
    };
    tokens[from..].iter().position(ends).map_or(tokens.len(), |end| from + end + 1)
}
