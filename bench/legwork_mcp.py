import os
from lib.base import CHROME, Mcp


class C(Mcp):
    """`legwork mcp` over stdio; an action answers with what it changed, so that no snapshot is asked for."""
    name, version = "legwork-mcp", "0.2.0"
    command = [os.environ.get("LEGWORK_BENCH_BIN", ""), "mcp"]
    ref_patterns = [r'ROLE "NAME" \[ref=(e\d+)\]', r'ROLE "NAME"[^\n]*?\[ref=(e\d+)\]']
    inline = ("open", "click", "type")
    seen = ""

    def env(self): return {**super().env(), "LEGWORK_DATA_DIR": self.dir + "/data", "LEGWORK_BROWSER_PATH": CHROME}

    def find(self, obs, role, name):
        # A ref outlives the answer that told it: whoever was told differences knows those from before.
        self.seen = obs + "\n" + self.seen
        return super().find(self.seen, role, name)

    def plan(self, verb, url="", ref="", text="", observe=True):
        return {"open": ("browser_navigate", {"url": url}), "snapshot": ("browser_snapshot", {}), "click": ("browser_click", {"target": ref}),
                "type": ("browser_type", {"target": ref, "text": text})}[verb]
