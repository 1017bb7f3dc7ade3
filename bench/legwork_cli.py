import os, shlex
from lib.base import CHROME, Cli


class C(Cli):
    """One process a verb; the background process keeps the browser. An action answers with what it changed."""
    name, version = "legwork-cli", "0.2.0"
    program = os.environ.get("LEGWORK_BENCH_BIN", "")
    ref_patterns = [r'ROLE "NAME" \[ref=(e\d+)\]', r'ROLE "NAME"[^\n]*?\[ref=(e\d+)\]']
    inline = ("open", "click", "type")
    seen = ""

    def env(self):
        return {**super().env(), "LEGWORK_DATA_DIR": self.dir + "/data", "LEGWORK_BROWSER_PATH": CHROME, "XDG_RUNTIME_DIR": self.dir}

    def find(self, obs, role, name):
        # A ref outlives the answer that told it: whoever was told differences knows those from before.
        self.seen = obs + "\n" + self.seen
        return super().find(self.seen, role, name)

    def plan(self, verb, url="", ref="", text="", observe=True):
        return "legwork", {"command": "legwork " + {"open": f"open {url}", "snapshot": "snapshot", "click": f"click {ref}",
                                                    "type": f"fill {ref} {shlex.quote(text)}"}[verb]}

    def tools(self):
        """One tool, as a coding agent's shell would be, told of by its help."""
        about = "Run a shell command. `legwork` drives a browser; its actions answer with what they changed:\n" + self.run("skill")
        return [{"name": "legwork", "description": about,
                 "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]}}]

    def run_tool(self, name, args): return self.run(*shlex.split(args["command"])[1:])

    def close(self): self.run("close", "--all")
