//! Settings: one table (`table.rs`) and five sources. Every value has its origin, and all problems are reported at
//! once.
//!
//! [`Sources`] contains what was found in flags, the environment and files. `merge` applies their precedence, and the
//! result, [`Settings`], is typed and checked. A project's file is untrusted and may set safe settings only. Keys of
//! model providers come from the environment and never from a file.

mod check;
mod choices;
mod declare;
mod edit;
mod keys;
mod load;
mod nearest;
mod problem;
mod reference;
mod sources;
mod table;
mod typed;
mod value;

pub use legwork_agent::{CompactBy, DeciderChoice, Detail, InvestigationMode, Trigger};
pub use legwork_browser::PictureFormat;

pub(crate) use self::nearest::nearest;
pub use self::{
    check::within,
    choices::{LogFormat, MailSecurity, ReplyFormat, RequiredResult, Switch},
    declare::Setting,
    edit::{EditError, Scope, set, set_checked},
    keys::{Keys, is_provider_variable, is_read},
    load::{SettingView, UnusableSetting},
    problem::SettingsProblem,
    reference::reference,
    sources::{
        Origin, PROJECT_FILE, PROJECT_POLICY_FILE, REQUEST_POLICY, Sources, TextFile, user_file, user_policy_file,
    },
    table::{
        BrowserSettings, ContextSetting, Downloads, ExtractSettings, Investigation, Limits, Log, MemorySetting,
        ModelSetting, ModelsSetting, ObservationSettings, ReflectionSettings, RetentionSettings, Retries, RunSettings,
        SETTINGS, Screenshots, ServerSettings, Settings, TerminalSettings, Timeouts, ToolSettings, UploadSettings,
        find,
    },
    value::{Kind, Price, Value, ValueError},
};

#[cfg(test)]
mod tests;
