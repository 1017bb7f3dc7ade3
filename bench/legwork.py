import json, os, re
from lib.base import Lines
from lib.corpus import WIZARD_STEPS
from lib.script import text_of


class C(Lines):
    """The library behind JSON lines; actions answer with the new observation; the sessions of the concurrency row are contexts of one browser."""
    name, version = "legwork", "0.2.0"
    host = [os.environ.get("LEGWORK_BENCH_HOST", "")]
    ref_patterns = [r'ROLE "NAME" \[ref=(e\d+)\]', r'ROLE "NAME"[^\n]*?\[ref=(e\d+)\]']
    inline = ("open", "click", "type")

    def many(self, n, urls): return self.do("many", n=n, urls=urls)

    def agent(self, url, steps, llm): self.do("agent", url=url, task="; ".join(steps), llm=llm)

    def model(self, url):
        """Answers in the shape of Legwork's decisions, with refs read out of the prompt."""
        steps, refs = iter(WIZARD_STEPS), {}

        def answer(req):
            for role, name, ref in re.findall(r'(\w+) "([^"]+)"[^\n]*?\[ref=(e\d+)\]', "\n".join(map(text_of, req["messages"]))):
                refs[role, name] = ref
            step, do = next(steps, None), 'done "done"'
            if step:
                verb, role, name, text = step
                do = f"fill {refs[role, name]} {json.dumps(text)}" if verb == "type" else f"click {refs[role, name]}"
            return {"content": json.dumps({"why": "next", "do": do, "confidence": 0.9})}
        return answer
