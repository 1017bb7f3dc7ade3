//! A small shell process that outlives Legwork briefly. It waits on a pipe whose other end only Legwork holds. When
//! Legwork ends, in whichever way, the pipe ends; the shell then kills the browser's process group and removes its
//! temporary profile.

use std::{
    io::{self, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
};

/// The first line of the input is the browser's process identifier; then the script reads until the end of the pipe.
/// A browser with a debugging pipe gets up to two seconds to exit by itself, and so does a display, which is asked to:
/// it removes its socket. The profile must stay absent for a second:
/// a dying browser may still write to it, and a browser whose identifier was not yet passed on creates it before it
/// notices the closed pipe. On a busy machine that may take many seconds.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
read -r browser
read -r dismissed && exit 0
if [ -n "$browser" ]; then
  [ "$2" != ask ] || kill "$browser" 2>/dev/null
  [ "$2" = kill ] || for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$browser" 2>/dev/null || break; sleep 0.2; done
  kill -9 "-$browser" 2>/dev/null
fi
[ -n "$1" ] || exit 0
absent=0
for _ in $(seq 300); do
  rm -rf -- "$1" 2>/dev/null
  sleep 0.2
  if [ -e "$1" ]; then absent=0; else absent=$((absent + 1)); fi
  [ "$absent" -lt 5 ] || exit 0
done
"#;

/// How the first process of a browser ends when Legwork has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It notices the end of Legwork.
    ByItself,
    /// It is asked to end.
    Asked,
    /// It is killed without delay.
    Killed,
}

pub(crate) struct Reaper {
    shell: Child,
    pipe: ChildStdin,
}

impl Reaper {
    /// Starts the reaper, for a temporary profile or for none.
    pub(crate) fn start(profile: Option<&Path>, end: End) -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "legwork-guardian"]);
        command.arg(profile.unwrap_or(Path::new("")));
        command.arg(match end {
            End::ByItself => "wait",
            End::Asked => "ask",
            End::Killed => "kill",
        });
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // Its own process group, because Ctrl-C in the terminal is meant for Legwork.
        let mut shell = command.process_group(0).spawn()?;
        let pipe = shell.stdin.take().expect("it was asked for above");
        Ok(Reaper { shell, pipe })
    }

    /// Passes on the identifier of the browser to end.
    pub(crate) fn watch(&self, browser: u32) {
        // If the reaper is already dead, writing fails; the next start of Legwork cleans up.
        let _ = writeln!(&self.pipe, "{browser}");
    }

    /// Leaves the removal of the profile to the reaper, because processes of the browser still write to it.
    pub(crate) fn clean_up(self) {
        let Reaper { mut shell, pipe } = self;
        drop(pipe);
        // Somebody must wait for the shell, so that it does not stay a zombie while Legwork runs.
        std::thread::spawn(move || shell.wait());
    }

    /// Ends the reaper, because there is nothing left to clean up.
    pub(crate) fn dismiss(mut self) {
        let _ = writeln!(&self.pipe, "dismissed");
        drop(self.pipe);
        let _ = self.shell.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read,
        time::{Duration, Instant},
    };

    use super::*;

    #[test]
    fn a_profile_that_could_not_be_removed_at_the_end_is_removed_by_the_reaper() {
        let folder = tempfile::tempdir().unwrap();
        let profile = folder.path().join("profile");
        std::fs::create_dir_all(profile.join("cache")).unwrap();
        let reaper = Reaper::start(Some(&profile), End::ByItself).unwrap();
        reaper.clean_up();
        let deadline = Instant::now() + Duration::from_secs(90);
        while profile.exists() {
            assert!(Instant::now() < deadline, "the profile is still there");
            std::thread::yield_now();
        }
    }

    #[test]
    fn the_whole_process_group_of_a_browser_is_killed() {
        let mut browser = Command::new("/bin/sh")
            .args(["-c", "trap '' HUP INT TERM; sleep 3600 & wait"])
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let reaper = Reaper::start(None, End::Killed).unwrap();
        reaper.watch(browser.id());
        let Reaper { mut shell, pipe } = reaper;
        drop(pipe);
        // The output ends when no process of the group holds it any more.
        let mut output = String::new();
        browser.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        browser.wait().unwrap();
        shell.wait().unwrap();
    }
}
