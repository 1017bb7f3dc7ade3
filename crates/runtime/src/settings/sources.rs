//! The sources of settings and their precedence: flag, environment, project file, user file, default.

use std::{
    collections::BTreeMap,
    fmt, fs, io,
    path::{Path, PathBuf},
};

use toml_edit::{Document, TableLike};

use super::{
    SETTINGS, Setting, SettingsProblem, find,
    keys::{self, OTHER_VARIABLES, PREFIX, SECRET_PREFIX},
    nearest,
    value::{Value, ValueError},
};

/// The project's file, in the current folder.
pub const PROJECT_FILE: &str = "legwork.toml";

/// The file of the project's policy, in the current folder. Other tools read a `policy.toml` there.
pub const PROJECT_POLICY_FILE: &str = "legwork-policy.toml";

/// The file of the user's policy, beside the user's settings.
const USER_POLICY_FILE: &str = "policy.toml";

/// The name of the policy of an API request in messages.
pub const REQUEST_POLICY: &str = "options.policy";

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The command line.
    Flag,
    /// An environment variable.
    Env(String),
    /// A line of the project's file.
    Project(PathBuf, usize),
    /// A line of the user's file.
    User(PathBuf, usize),
    /// The default in the table.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag => f.write_str("command line"),
            Origin::Env(variable) => f.write_str(variable),
            Origin::Project(path, line) | Origin::User(path, line) => write!(f, "{}:{line}", path.display()),
            Origin::Default => f.write_str("default"),
        }
    }
}

/// The path and text of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFile {
    /// The path of the file.
    pub path: PathBuf,
    /// The text of the file.
    pub text: String,
}

/// All sources of settings as plain values.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// Names and values from the command line.
    pub flags: Vec<(String, String)>,
    /// The environment variables.
    pub env: BTreeMap<String, String>,
    /// The project's file.
    pub project: Option<TextFile>,
    /// The user's file.
    pub user: Option<TextFile>,
    /// The user's policy: that of `--policy`, or the user's `policy.toml`.
    pub policy: Option<TextFile>,
    /// The policy of the project.
    pub project_policy: Option<TextFile>,
    /// The policy of an API request.
    pub request_policy: Option<TextFile>,
}

impl Sources {
    /// The environment of this process, the project's files in the current folder and the user's files, or `config` and
    /// `policy` instead of the user's files.
    pub fn here(
        flags: Vec<(String, String)>,
        config: Option<&Path>,
        policy: Option<&Path>,
    ) -> Result<Sources, Vec<SettingsProblem>> {
        let env: BTreeMap<String, String> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let user_path = config.map(Path::to_owned).or_else(|| user_file(&env));
        let mut problems = Vec::new();
        let mut read = |path: &Path, needed: bool| match fs::read_to_string(path) {
            Ok(text) => Some(TextFile { path: path.to_owned(), text }),
            Err(error) if error.kind() == io::ErrorKind::NotFound && !needed => None,
            Err(error) => {
                let origin = Origin::User(path.to_owned(), 1);
                problems.push(SettingsProblem::new(origin, "", format!("the file cannot be read: {error}")));
                None
            }
        };
        let project = read(Path::new(PROJECT_FILE), false);
        let user = user_path.and_then(|path| read(&path, config.is_some()));
        let project_policy = read(Path::new(PROJECT_POLICY_FILE), false);
        let policy_path = policy.map(Path::to_owned).or_else(|| user_policy_file(&env));
        let policy = policy_path.and_then(|path| read(&path, policy.is_some()));
        let sources = Sources { flags, env, project, user, policy, project_policy, request_policy: None };
        if problems.is_empty() { Ok(sources) } else { Err(problems) }
    }
}

/// `$XDG_CONFIG_HOME/legwork/config.toml`, else `~/.config/legwork/config.toml`.
pub fn user_file(env: &BTreeMap<String, String>) -> Option<PathBuf> {
    base(env, "XDG_CONFIG_HOME", ".config").map(|folder| folder.join("legwork/config.toml"))
}

/// `$XDG_CONFIG_HOME/legwork/policy.toml`, else `~/.config/legwork/policy.toml`.
pub fn user_policy_file(env: &BTreeMap<String, String>) -> Option<PathBuf> {
    base(env, "XDG_CONFIG_HOME", ".config").map(|folder| folder.join("legwork").join(USER_POLICY_FILE))
}

/// `$XDG_DATA_HOME/legwork`, else `~/.local/share/legwork`.
pub(super) fn data_dir(env: &BTreeMap<String, String>) -> Option<PathBuf> {
    base(env, "XDG_DATA_HOME", ".local/share").map(|folder| folder.join("legwork"))
}

/// The XDG specification requires that a relative path is ignored.
fn base(env: &BTreeMap<String, String>, variable: &str, under_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| env.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(under_home)))
}

/// The value of every setting and its origin.
pub(super) type Resolved = BTreeMap<&'static str, (Value, Origin)>;

/// The resolved values and the warnings for a person.
#[derive(Debug, Default)]
pub(super) struct Merged {
    pub(super) values: Resolved,
    pub(super) problems: Vec<SettingsProblem>,
    pub(super) warnings: Vec<SettingsProblem>,
}

/// Merges the sources, the weakest first.
pub(super) fn merge(sources: &Sources) -> Merged {
    let mut merged = Merged::default();
    for setting in SETTINGS {
        let value = setting.read(setting.default).expect("the table's defaults are tested");
        merged.values.insert(setting.name, (value, Origin::Default));
    }
    if let Some(file) = &sources.user {
        merged.file(file, &|line| Origin::User(file.path.clone(), line));
    }
    if let Some(file) = &sources.project {
        merged.file(file, &|line| Origin::Project(file.path.clone(), line));
    }
    merged.env(&sources.env);
    for (name, text) in &sources.flags {
        match find(name) {
            Some(setting) => merged.take(setting, setting.kind.read(text), Origin::Flag),
            None => merged.problems.push(unknown(Origin::Flag, name)),
        }
    }
    merged
}

impl Merged {
    fn take(&mut self, setting: &'static Setting, read: Result<Value, ValueError>, origin: Origin) {
        match read {
            Ok(value) => {
                self.values.insert(setting.name, (value, origin));
            }
            Err(error) => self.problems.push(SettingsProblem::new(origin, setting.name, error.to_string())),
        }
    }

    fn env(&mut self, env: &BTreeMap<String, String>) {
        let variables: Vec<(String, &'static Setting)> =
            SETTINGS.iter().filter_map(|setting| Some((setting.variable()?, setting))).collect();
        for (variable, setting) in &variables {
            // A variable with an empty value counts as not set, as in most programs.
            if let Some(text) = env.get(variable).filter(|text| !text.trim().is_empty()) {
                self.take(setting, setting.kind.read(text), Origin::Env(variable.clone()));
            }
        }
        let early = OTHER_VARIABLES.iter().map(|(name, _)| *name);
        let keys = keys::key_variables().map(|(name, _)| name).filter(|name| name.starts_with(PREFIX));
        let known: Vec<&str> =
            variables.iter().map(|(variable, _)| variable.as_str()).chain(early).chain(keys).collect();
        for name in env.keys().filter(|name| name.starts_with(PREFIX) && !name.starts_with(SECRET_PREFIX)) {
            // An unknown variable may belong to another program or version, so it causes a warning and not an error.
            if !known.contains(&name.as_str()) {
                let mut warning = SettingsProblem::new(Origin::Env(name.clone()), "", "there is no such setting");
                warning.hint = nearest(name, known.iter().copied()).map(|near| format!("did you mean {near}?"));
                self.warnings.push(warning);
            }
        }
    }

    fn file(&mut self, file: &TextFile, origin: &dyn Fn(usize) -> Origin) {
        let text = file.text.strip_prefix('\u{feff}').unwrap_or(&file.text);
        match Document::parse(text) {
            Ok(document) => self.table(document.as_table(), "", text, origin),
            Err(error) => {
                let line = line_of(text, error.span().map_or(0, |span| span.start));
                self.problems.push(SettingsProblem::new(
                    origin(line),
                    "",
                    format!("this is not TOML: {}", error.message()),
                ));
            }
        }
    }

    fn table(&mut self, table: &dyn TableLike, prefix: &str, text: &str, origin: &dyn Fn(usize) -> Origin) {
        for (key, item) in table.iter() {
            let name = if prefix.is_empty() { key.to_owned() } else { format!("{prefix}.{key}") };
            let span = item.span().or_else(|| table.key(key).and_then(toml_edit::Key::span));
            let origin_here = origin(line_of(text, span.map_or(0, |span| span.start)));
            let below = format!("{name}.");
            match find(&name) {
                Some(setting) if !setting.is_project_safe() && matches!(origin_here, Origin::Project(..)) => {
                    let mut problem =
                        SettingsProblem::new(origin_here, setting.name, "a project's file may not set this");
                    problem.hint = Some(format!("set it for yourself: `legwork config set {} …`", setting.name));
                    self.problems.push(problem);
                }
                Some(setting) => self.take(setting, setting.kind.read_toml(item), origin_here),
                None => match item.as_table_like() {
                    Some(inner) if SETTINGS.iter().any(|setting| setting.name.starts_with(&below)) => {
                        self.table(inner, &name, text, origin);
                    }
                    _ => self.problems.push(unknown(origin_here, &name)),
                },
            }
        }
    }
}

/// The problem for an unknown key. Keys of model providers have their own message.
pub(super) fn unknown(origin: Origin, name: &str) -> SettingsProblem {
    if looks_like_key(name) {
        let mut problem =
            SettingsProblem::new(origin, name, "keys are not kept in settings, where they would lie in plain text");
        let variables: Vec<&str> = keys::required_keys().collect();
        problem.hint = Some(format!("set the provider's variable in the environment ({})", variables.join(", ")));
        return problem;
    }
    let near = nearest(name, SETTINGS.iter().map(|setting| setting.name)).or_else(|| similar_segment(name));
    let mut problem = SettingsProblem::new(origin, name, "there is no such setting");
    problem.hint = Some(match near {
        Some(near) => format!("did you mean {near:?}?"),
        None => "`legwork config` lists them all".to_owned(),
    });
    problem
}

/// The setting or section that a wrong name may mean: a similar section (`modle`), or a setting with the same last part
/// (`headed`).
fn similar_segment(name: &str) -> Option<&'static str> {
    let last = |name: &'static str| name.rsplit('.').next().unwrap_or(name);
    let word = name.rsplit('.').next().unwrap_or(name);
    let sections = SETTINGS.iter().filter_map(|setting| Some(setting.name.split_once('.')?.0));
    let near =
        nearest(word, sections.filter(|_| word == name).chain(SETTINGS.iter().map(|setting| last(setting.name))))?;
    let by_last = SETTINGS.iter().map(|setting| setting.name).find(|name| last(name) == near);
    let is_section = word == name
        && SETTINGS.iter().any(|setting| setting.name.split_once('.').is_some_and(|(section, _)| section == near));
    if is_section { Some(near) } else { by_last }
}

fn looks_like_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["api_key", "apikey", "api-key", "password", "secret", "access_token"].iter().any(|word| name.contains(word))
        || name.ends_with(".key")
        || name.ends_with(".token")
}

fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}
