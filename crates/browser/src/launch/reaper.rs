//! A tiny shell that outlives us for a moment. It waits on a pipe whose other end only we hold; when we die, however we
//! die, the pipe ends, and it kills the browser's process group and removes its temporary profile.

use std::{
    io::{self, Write},
    os::unix::process::CommandExt,
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
};

/// First line: the browser's process. Then nothing until the end of the pipe. The browser gets up to two seconds to
/// leave by itself. The profile has to stay away for a second: a dying browser may still write, and one that was only just
/// started when we died, so that nobody could name it, makes its profile before it finds its pipe closed.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
read -r browser
read -r dismissed && exit 0
if [ -n "$browser" ]; then
  for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$browser" 2>/dev/null || break; sleep 0.2; done
  kill -9 -- "-$browser" 2>/dev/null
fi
[ -n "$1" ] || exit 0
absent=0
for _ in $(seq 25); do
  rm -rf -- "$1" 2>/dev/null
  sleep 0.2
  if [ -e "$1" ]; then absent=0; else absent=$((absent + 1)); fi
  [ "$absent" -lt 5 ] || exit 0
done
"#;

pub(crate) struct Reaper {
    shell: Child,
    pipe: ChildStdin,
}

impl Reaper {
    /// Starts it for a profile that is to be removed, or for none.
    pub(crate) fn start(profile: Option<&Path>) -> io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", SCRIPT, "legwork-guardian"]);
        command.arg(profile.unwrap_or(Path::new("")));
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A group of its own: a Ctrl-C in the terminal is meant for us.
        let mut shell = command.process_group(0).spawn()?;
        let pipe = shell.stdin.take().expect("it was asked for above");
        Ok(Reaper { shell, pipe })
    }

    /// Names the browser to end.
    pub(crate) fn watch(&self, browser: u32) {
        // One that is already dead cannot be told; the next start cleans up.
        let _ = writeln!(&self.pipe, "{browser}");
    }

    /// There is nothing left to do for it.
    pub(crate) fn dismiss(mut self) {
        let _ = writeln!(&self.pipe, "dismissed");
        drop(self.pipe);
        let _ = self.shell.wait();
    }
}
