//! Installs a browser with the system's package manager: selects the commands and runs them.

use std::{path::PathBuf, process::Stdio};

use legwork::browser::Engine;

use crate::error::CliError;

/// Commands that install a browser, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    pub(crate) commands: Vec<Vec<String>>,
}

/// Package managers with their install commands.
const PACKAGE_MANAGERS: [(&str, &[&[&str]]); 6] = [
    ("apt-get", &[&["apt-get", "update"], &["apt-get", "install", "-y", "--no-install-recommends", "chromium"]]),
    ("dnf", &[&["dnf", "install", "-y", "chromium"]]),
    ("pacman", &[&["pacman", "-Sy", "--noconfirm", "chromium"]]),
    ("apk", &[&["apk", "add", "chromium"]]),
    ("zypper", &[&["zypper", "--non-interactive", "install", "chromium"]]),
    ("brew", &[&["brew", "install", "--cask", "chromium"]]),
];

/// Ubuntu's `chromium` package only installs a snap, which cannot be driven over a pipe. Chrome's own package can.
const UBUNTU: &str = "https://dl.google.com/linux/direct/google-chrome-stable_current_amd64.deb";

impl Recipe {
    /// The commands of the first package manager that exists. `has` returns whether a program is on the path.
    pub(crate) fn find(engine: Engine, has: impl Fn(&str) -> bool, root: bool, os_release: &str) -> Option<Recipe> {
        let (manager, commands) = PACKAGE_MANAGERS.into_iter().find(|(manager, _)| has(manager))?;
        let mut commands: Vec<Vec<String>> =
            commands.iter().map(|command| command.iter().map(|&word| word.to_owned()).collect()).collect();
        let ubuntu = os_release.lines().any(|line| line.trim() == "ID=ubuntu");
        if engine == Engine::Firefox {
            // Ubuntu's package of Firefox only installs a snap, which cannot use a profile in the folder for temporary
            // files, and nothing else can be fetched without a new package source.
            if manager == "apt-get" && ubuntu {
                return None;
            }
            // Debian has the extended support release only, and so may the others; it is recent enough.
            let package = if matches!(manager, "apt-get") { "firefox-esr" } else { "firefox" };
            for word in commands.iter_mut().flatten().filter(|word| *word == "chromium") {
                package.clone_into(word);
            }
        } else if engine == Engine::WebKit {
            // The WebDriver server with its browser, and a display without a screen. The packages of other systems are
            // not tested.
            if manager != "apt-get" {
                return None;
            }
            for command in commands.iter_mut().filter(|command| command.last().is_some_and(|word| word == "chromium")) {
                command.splice(command.len() - 1.., ["webkit2gtk-driver", "xvfb"].map(str::to_owned));
            }
        } else if manager == "apt-get" && ubuntu {
            let package = std::env::temp_dir().join("google-chrome-stable.deb").display().to_string();
            let fetch = if has("curl") { vec!["curl", "-fsSLo"] } else { vec!["wget", "-qO"] };
            let fetch = fetch.into_iter().chain([package.as_str(), UBUNTU]).map(str::to_owned).collect();
            let install = ["apt-get", "install", "-y", "--no-install-recommends", &package].map(str::to_owned).to_vec();
            commands = vec![commands.swap_remove(0), fetch, install];
        }
        // Homebrew refuses root, and asks for a password itself if it needs one.
        if !root && manager != "brew" && has("sudo") {
            for command in commands.iter_mut().filter(|command| command[0] == manager) {
                command.insert(0, "sudo".to_owned());
            }
        }
        Some(Recipe { commands })
    }

    /// The commands for this machine.
    pub(crate) fn here(engine: Engine) -> Option<Recipe> {
        let os_release = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        Recipe::find(engine, |program| on_path(program).is_some(), is_root(), &os_release)
    }

    /// The commands as a person would type them.
    pub(crate) fn shown(&self) -> String {
        self.commands.iter().map(|command| command.join(" ")).collect::<Vec<_>>().join(" && ")
    }

    /// Whether the commands ask for nothing: they need no password, because the process has the rights itself. What
    /// Homebrew asks for cannot be known before.
    pub(crate) fn is_unattended(&self) -> bool {
        is_root() && self.commands.iter().all(|command| command[0] != "sudo")
    }

    /// Runs the commands. The output of the package manager goes to standard error.
    pub(crate) fn run(&self) -> Result<(), CliError> {
        // Two package managers that run at the same time fail; a later attempt succeeds when the other one has ended.
        for command in &self.commands {
            let mut tries = 0;
            loop {
                let status = std::process::Command::new(&command[0])
                    .args(&command[1..])
                    .env("DEBIAN_FRONTEND", "noninteractive")
                    .stdout(Stdio::from(std::io::stderr()))
                    .status()
                    .map_err(|error| CliError::fault(format!("{} could not be started", command[0])).because(&error))?;
                tries += 1;
                if status.success() {
                    break;
                }
                if tries == 3 {
                    return Err(CliError::fault(format!("`{}` failed: {status}", command.join(" ")))
                        .hint("install Chromium or Chrome, then run `legwork doctor`"));
                }
                std::thread::sleep(std::time::Duration::from_secs(3));
            }
        }
        Ok(())
    }
}

/// The path of a program.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// Whether this process runs as root.
pub(crate) fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|me| {
        use std::os::unix::fs::MetadataExt;
        me.uid() == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(has: &[&str], root: bool, os_release: &str) -> Option<String> {
        shown_for(Engine::Chromium, has, root, os_release)
    }

    fn shown_for(engine: Engine, has: &[&str], root: bool, os_release: &str) -> Option<String> {
        Recipe::find(engine, |program| has.contains(&program), root, os_release).map(|recipe| recipe.shown())
    }

    #[test]
    fn the_system_s_own_package_manager_is_used() {
        let debian = "ID=debian\n";
        assert_eq!(
            shown(&["apt-get", "sudo"], false, debian).unwrap(),
            "sudo apt-get update && sudo apt-get install -y --no-install-recommends chromium"
        );
        assert_eq!(
            shown(&["apt-get", "sudo"], true, debian).unwrap(),
            "apt-get update && apt-get install -y --no-install-recommends chromium"
        );
        assert_eq!(shown(&["apk"], false, "").unwrap(), "apk add chromium");
        assert_eq!(shown(&["brew", "sudo"], false, "").unwrap(), "brew install --cask chromium");
        assert_eq!(shown(&[], true, debian), None);
    }

    #[test]
    fn webkit_is_its_driver_and_a_display() {
        let shown = |has: &[&str]| shown_for(Engine::WebKit, has, true, "ID=debian\n");
        assert_eq!(
            shown(&["apt-get"]).unwrap(),
            "apt-get update && apt-get install -y --no-install-recommends webkit2gtk-driver xvfb"
        );
        assert_eq!(shown(&["brew"]), None);
    }

    #[test]
    fn on_ubuntu_no_snap_is_installed() {
        let shown = shown(&["apt-get", "curl", "sudo"], false, "NAME=\"Ubuntu\"\nID=ubuntu\n").unwrap();
        assert!(shown.starts_with("sudo apt-get update && curl -fsSLo "), "{shown}");
        assert!(shown.ends_with("google-chrome-stable.deb") && !shown.contains("chromium"), "{shown}");
    }
}
