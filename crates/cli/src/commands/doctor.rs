//! `legwork doctor`: checks everything that a run needs, and prints how to fix what is missing.

use std::{path::Path, process::Stdio};

use legwork::{
    browser::{Capability, Engine, find_companions, find_executable},
    secrets::UserVault,
    settings::{Settings, SettingsProblem},
    store::SqliteLog,
};
use serde::Serialize;
use serde_json::json;

use crate::{
    command_args::{DoctorArgs, Global},
    data_dir::DataDir,
    error::CliError,
    exit::Exit,
    install::{self, Recipe},
    options,
    screen::Stream,
    style::Style,
};

/// With less free space than this, runs will soon fail.
const MIN_FREE_BYTES: u64 = 500_000_000;

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CheckState {
    Good,
    /// Runs work, with limitations.
    Warning,
    /// Runs do not work.
    Bad,
}

/// One check with its result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Finding {
    what: &'static str,
    state: CheckState,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Finding {
    fn new(what: &'static str, state: CheckState, found: impl Into<String>) -> Self {
        Finding { what, state, found: found.into(), fix: None }
    }

    fn fix(self, fix: impl Into<String>) -> Self {
        Finding { fix: Some(fix.into()), ..self }
    }
}

/// `legwork doctor`.
pub(crate) fn doctor(global: &Global, args: &DoctorArgs) -> Result<Exit, CliError> {
    let loaded = options::sources(global, Vec::new()).and_then(|sources| Settings::load(&sources));
    let mut findings = settings(&loaded);
    let (engine, path, data) = match &loaded {
        Ok(settings) => (settings.browser.engine, settings.browser.path.as_deref(), Some(settings.data_dir.as_path())),
        Err(_) => (Engine::default(), None, None),
    };
    findings.extend(browsers(engine, path));
    findings.push(sandbox());
    findings.extend(data.map(disk).unwrap_or_default());
    if let Ok(settings) = &loaded {
        findings.push(model(settings));
    }
    let exit = verdict(&findings);
    let text = if args.json {
        format!("{:#}\n", json!({ "ok": exit == Exit::Success, "findings": findings }))
    } else {
        shown(&findings, Style::on(Stream::Out.is_terminal()))
    };
    Stream::Out.write(&text)?;
    Ok(exit)
}

fn verdict(findings: &[Finding]) -> Exit {
    match findings.iter().find(|finding| finding.state == CheckState::Bad) {
        None => Exit::Success,
        Some(bad) if bad.what == "settings" => Exit::Usage,
        Some(_) => Exit::Fault,
    }
}

fn shown(findings: &[Finding], style: Style) -> String {
    let mut text = String::new();
    for finding in findings {
        let sign = match finding.state {
            CheckState::Good => style.good("✓"),
            CheckState::Warning => style.wait("!"),
            CheckState::Bad => style.bad("✗"),
        };
        text += &format!("{sign} {:<9} {}\n", finding.what, finding.found);
        if let Some(fix) = &finding.fix {
            text += &format!("            {} {fix}\n", style.dim("fix:"));
        }
    }
    text
}

fn settings(loaded: &Result<Settings, Vec<SettingsProblem>>) -> Vec<Finding> {
    let problems = match loaded {
        Err(problems) => problems.iter().map(|problem| (CheckState::Bad, problem)).collect(),
        Ok(settings) => settings.warnings.iter().map(|problem| (CheckState::Warning, problem)).collect::<Vec<_>>(),
    };
    if problems.is_empty() {
        return vec![Finding::new("settings", CheckState::Good, "in order")];
    }
    problems.into_iter().map(|(state, problem)| Finding::new("settings", state, problem.to_string())).collect()
}

/// The browsers: the one of the settings, and those of other engines, which are no problem if they are missing.
fn browsers(engine: Engine, named: Option<&Path>) -> Vec<Finding> {
    let others = Engine::ALL.into_iter().filter(|other| *other != engine);
    let others = others.filter(|other| find_executable(*other).is_ok());
    std::iter::once(browser(engine, named)).chain(others.map(|other| browser(other, None))).collect()
}

fn browser(engine: Engine, named: Option<&Path>) -> Finding {
    let install = match Recipe::here(engine) {
        Some(_) => match engine {
            Engine::Chromium => "legwork install-browser".to_owned(),
            Engine::Firefox | Engine::WebKit => format!("legwork install-browser --engine {}", engine.word()),
        },
        None => format!("install {}", engine.title()),
    };
    // Installing a browser does not help if the settings name another one.
    let install = match named {
        Some(_) => format!("correct `browser.path`, or remove it; {install}"),
        None => install,
    };
    let found = match named {
        Some(path) => Ok(path.to_owned()),
        None => find_executable(engine),
    };
    let Ok(path) = found else {
        return Finding::new("browser", CheckState::Bad, format!("no {} was found", engine.title())).fix(install);
    };
    if engine == Engine::WebKit {
        return webkit(&path, install);
    }
    let version = std::process::Command::new(&path).arg("--version").stderr(Stdio::null()).output();
    let shown = path.display();
    match version {
        Ok(output) if output.status.success() => {
            let version = String::from_utf8_lossy(&output.stdout);
            let found = format!("{} ({shown}); {}", version.trim(), limitations(engine));
            Finding::new("browser", CheckState::Good, found)
        }
        Ok(output) => {
            Finding::new("browser", CheckState::Bad, format!("{shown} does not start: {}", output.status)).fix(install)
        }
        Err(error) => {
            Finding::new("browser", CheckState::Bad, format!("{shown} cannot be started: {error}")).fix(install)
        }
    }
}

/// WebKit: its WebDriver server does not state its version, and needs the browser and a display.
fn webkit(driver: &Path, install: String) -> Finding {
    let shown = driver.display();
    if let Err(missing) = find_companions(Engine::WebKit) {
        return Finding::new("browser", CheckState::Bad, format!("{shown}, but {missing}")).fix(install);
    }
    Finding::new("browser", CheckState::Good, format!("WebKitGTK ({shown}); {}", limitations(Engine::WebKit)))
}

/// What the engine cannot do, in a few words.
fn limitations(engine: Engine) -> String {
    let capabilities = engine.capabilities();
    let missing: Vec<String> = Capability::ALL
        .iter()
        .filter(|capability| !capabilities.support(**capability).is_there())
        .map(|capability| capability.title().to_lowercase())
        .collect();
    let maturity = if engine != Engine::Chromium { " (experimental)" } else { "" };
    match missing.is_empty() {
        true => format!("{}{maturity}: all capabilities", engine.word()),
        false => format!("{}{maturity}: all capabilities but {}", engine.word(), missing.join("; ")),
    }
}

fn sandbox() -> Finding {
    let on = |path: &str| std::fs::read_to_string(path).is_ok_and(|text| text.trim() == "1");
    let off = |path: &str| std::fs::read_to_string(path).is_ok_and(|text| text.trim() == "0");
    if install::is_root() {
        return Finding::new("sandbox", CheckState::Warning, "off, because this is root")
            .fix("run legwork as another user");
    }
    // The browser's own helper works without user namespaces.
    let helper =
        ["/usr/lib/chromium/chrome-sandbox", "/opt/google/chrome/chrome-sandbox"].iter().any(|p| Path::new(p).exists());
    if !helper && off("/proc/sys/kernel/unprivileged_userns_clone") {
        return Finding::new("sandbox", CheckState::Warning, "user namespaces are off")
            .fix("sudo sysctl -w kernel.unprivileged_userns_clone=1");
    }
    if !helper && on("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") {
        return Finding::new("sandbox", CheckState::Warning, "AppArmor restricts user namespaces")
            .fix("sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
    }
    Finding::new("sandbox", CheckState::Good, "available")
}

fn disk(data: &Path) -> Vec<Finding> {
    let shown = data.display();
    // This check comes first, because opening the log may overwrite content that a damaged file still has.
    if let Err(error) = SqliteLog::check(data.join("runs.db")) {
        return vec![Finding::new("data", CheckState::Bad, error.to_string()).fix(error.hint())];
    }
    if let Err(error) = DataDir::open(data) {
        return vec![Finding::new(
            "data",
            CheckState::Bad,
            error.to_string().replace("error: ", "").replace('\n', " "),
        )];
    }
    let probe = data.join(".doctor");
    if let Err(error) = std::fs::write(&probe, b"").and_then(|()| std::fs::remove_file(&probe)) {
        return vec![
            Finding::new("data", CheckState::Bad, format!("{shown} cannot be written: {error}"))
                .fix(format!("chmod u+w {shown}, or set another with LEGWORK_DATA_DIR")),
        ];
    }
    let mut findings = vec![Finding::new("data", CheckState::Good, shown.to_string())];
    if let Ok(disk) = rustix::fs::statvfs(data) {
        let free = disk.f_bavail.saturating_mul(disk.f_frsize);
        let words = format!("{} free", legwork::record::describe::bytes(free));
        findings.push(if free < MIN_FREE_BYTES {
            Finding::new("disk", CheckState::Warning, words)
                .fix("free some space, or set another folder with LEGWORK_DATA_DIR")
        } else {
            Finding::new("disk", CheckState::Good, words)
        });
    }
    findings
}

fn model(settings: &Settings) -> Finding {
    let stored = UserVault::of(settings).model_key_variables();
    let present = settings.keys.present().into_iter();
    let present: Vec<_> =
        present.map(|(provider, variable, set)| (provider, variable, set || stored.contains(variable))).collect();
    let keys: Vec<_> = present.iter().filter(|(.., set)| *set).map(|(_, variable, _)| *variable).collect();
    let keys = if keys.is_empty() { "no keys are set".to_owned() } else { format!("set: {}", keys.join(", ")) };
    let names = models(settings);
    if names.is_empty() {
        return Finding::new("model", CheckState::Good, format!("none, so only literal steps run ({keys})"));
    }
    let provider = |name: &str| name.split('/').next().unwrap_or(name).to_owned();
    let lacks = |name: &str| {
        let needs = present.iter().find(|(known, variable, _)| **known == provider(name) && variable.ends_with("_KEY"));
        needs.filter(|(.., set)| !set).map(|(_, variable, _)| *variable)
    };
    let without: Vec<&str> = names.iter().filter(|name| lacks(name).is_some()).copied().collect();
    let mut wanted: Vec<&str> = names.iter().filter_map(|name| lacks(name)).collect();
    wanted.dedup();
    if without.is_empty() {
        return Finding::new("model", CheckState::Good, format!("{} ({keys})", names.join(", ")));
    }
    let has = if without.len() == 1 { "has no key" } else { "have no key" };
    let fix: Vec<String> = wanted.iter().map(|variable| format!("export {variable}=…")).collect();
    Finding::new("model", CheckState::Warning, format!("{} {has} ({keys})", without.join(", "))).fix(fix.join("; "))
}

/// All models that a run may call, without duplicates, the main model first.
fn models(settings: &Settings) -> Vec<&str> {
    let roles = &settings.models;
    let of_roles = [&roles.act, &roles.plan, &roles.validate, &roles.extract, &roles.look, &roles.act_cheap];
    let mut names: Vec<&str> = Vec::new();
    for name in settings.model.name.iter().chain(of_roles.into_iter().flatten()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_says_what_is_bad() {
        let of = |what, state| {
            verdict(&[Finding::new("disk", CheckState::Warning, ""), Finding::new(what, state, "")]).code()
        };
        assert_eq!(
            [of("settings", CheckState::Bad), of("browser", CheckState::Bad), of("browser", CheckState::Warning)],
            [2, 3, 0]
        );
    }
}
