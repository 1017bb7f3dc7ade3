//! The `settings!` macro. From the table in `table.rs` it generates a struct for each group,
//! [`SETTINGS`](super::SETTINGS), and the functions that read, return and change a setting by its name.

use super::value::{Kind, Value, ValueError};

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The name with a dot, as in files and in `config set`.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: Kind,
    /// The default in the notation of environment variables; empty if there is none.
    pub default: &'static str,
    /// The description.
    pub doc: &'static str,
    pub(super) marks: &'static [Mark],
}

/// Properties that only some settings have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// A project's file may set it, because the setting can neither run a program, nor send data or keys elsewhere, nor
    /// cost money.
    ProjectFile,
    /// A resumed run keeps the value that it was started with, unless a flag of the resume sets it.
    Resumed,
    /// As `Resumed`, for settings that belong together: a flag for one of the group replaces all of them, because the
    /// address of one model must not be used with another model.
    ResumedGroup,
    /// A process uses the value that it was started with. Every other setting applies to the next run.
    Restart,
}

impl Setting {
    /// The environment variable: `LEGWORK_BROWSER_HEADED` for `browser.headed`. A table of prices has none.
    pub fn variable(&self) -> Option<String> {
        (self.kind != Kind::Prices).then(|| format!("LEGWORK_{}", self.name.replace('.', "_").to_uppercase()))
    }

    /// Whether a project's file may set it.
    pub fn is_project_safe(&self) -> bool {
        self.has(Mark::ProjectFile)
    }

    /// Whether a resumed run keeps the value that it was started with.
    pub fn is_resumed(&self) -> bool {
        self.has(Mark::Resumed) || self.has(Mark::ResumedGroup)
    }

    /// Whether a changed value applies only after a restart of the server. Every other setting applies to the next run.
    pub fn needs_restart(&self) -> bool {
        self.has(Mark::Restart)
    }

    /// Whether the text is a valid value in a flag or a variable.
    ///
    /// # Errors
    /// The expected value.
    pub fn check(&self, text: &str) -> Result<(), ValueError> {
        self.kind.check(text)
    }

    pub(super) fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    /// The part of the name before the dot; empty for a setting without a group.
    pub(super) fn group(&self) -> &'static str {
        self.name.split_once('.').map_or("", |(group, _)| group)
    }

    /// Parses what [`Value::show`] writes.
    pub(super) fn read(&self, text: &str) -> Result<Value, ValueError> {
        if text.is_empty() { Ok(Value::Nothing) } else { self.kind.read(text) }
    }
}

/// Declares all settings; `table.rs` describes the notation.
macro_rules! settings {
    (
        $(#[doc = $all_doc:literal])+
        pub struct $All:ident {
            $(
                $(#[doc = $own_doc:literal])+
                $own:ident: $own_type:ty = $own_kind:expr, $own_default:literal $(, $($own_mark:ident)+)?;
            )*
        }
        $(
            $(#[doc = $group_doc:literal])+
            pub struct $Group:ident as $group:ident {
                $(
                    $(#[doc = $doc:literal])+
                    $field:ident: $type:ty = $kind:expr, $default:literal $(, $($mark:ident)+)?;
                )*
            }
        )*
    ) => {
        $(#[doc = $all_doc])+
        #[derive(Clone, Debug)]
        pub struct $All {
            $($(#[doc = $own_doc])+ pub $own: $own_type,)*
            $($(#[doc = $group_doc])+ pub $group: $Group,)*
            /// Keys of model providers, from the environment.
            pub keys: Keys,
            /// Environment variables that look like settings but are not.
            pub warnings: Vec<SettingsProblem>,
            /// Evidence rules that are disabled. This is not a setting: only `cargo xtask truth --ablate` sets it, to
            /// show that each rule is needed.
            #[doc(hidden)]
            pub disabled_evidence: Vec<legwork_agent::EvidenceRule>,
            /// The rules of the policy files.
            pub policy: PolicyLayers,
            pub(super) resolved: Resolved,
        }

        $(
            $(#[doc = $group_doc])+
            #[derive(Clone, Debug, PartialEq)]
            pub struct $Group {
                $($(#[doc = $doc])+ pub $field: $type,)*
            }
        )*

        /// Every setting, in the order of the reference.
        pub const SETTINGS: &[Setting] = &[
            $(Setting {
                name: stringify!($own),
                kind: $own_kind,
                default: $own_default,
                doc: concat!($($own_doc),+).trim_ascii(),
                marks: &[$($(Mark::$own_mark),+)?],
            },)*
            $($(Setting {
                name: concat!(stringify!($group), ".", stringify!($field)),
                kind: $kind,
                default: $default,
                doc: concat!($($doc),+).trim_ascii(),
                marks: &[$($(Mark::$mark),+)?],
            },)*)*
        ];

        impl $All {
            /// The settings with these values.
            pub(super) fn of(values: &Resolved, keys: Keys, warnings: Vec<SettingsProblem>) -> $All {
                $All {
                    $($own: typed(values, stringify!($own)),)*
                    $($group: $Group {
                        $($field: typed(values, concat!(stringify!($group), ".", stringify!($field))),)*
                    },)*
                    keys,
                    warnings,
                    disabled_evidence: Vec::new(),
                    policy: PolicyLayers::default(),
                    resolved: Resolved::new(),
                }
            }

            /// The current value of a setting, including a change that a program made to the field.
            pub(super) fn value(&self, name: &str) -> Value {
                match name {
                    $(stringify!($own) => self.$own.to_value(),)*
                    $($(concat!(stringify!($group), ".", stringify!($field)) => self.$group.$field.to_value(),)*)*
                    _ => Value::Nothing,
                }
            }

            /// Changes a setting. A value of another type is ignored.
            pub(super) fn change(&mut self, name: &str, value: &Value) {
                match name {
                    $(stringify!($own) => self.$own.change(value),)*
                    $($(concat!(stringify!($group), ".", stringify!($field)) => self.$group.$field.change(value),)*)*
                    _ => {}
                }
            }
        }
    };
}
pub(super) use settings;
