// The judge's server appends this script to each TodoMVC page. It reports the content of the list to the judge whenever it
// changes. It neither hides nor changes anything.
(() => {
  const episode = new URLSearchParams(location.search).get("episode");
  const shown = (element) => element.getClientRects().length > 0;
  // Most applications use ids. Those whose components can occur several times on a page use classes.
  const all = (name) => [...document.querySelectorAll(name)].filter(shown);
  const state = () => ({
    shown: all("#todo-list li, #todo-list .listItem, .todo-list li, .todo__list li").map((item) => {
      const done = item.querySelector("input[type=checkbox]")?.checked || item.classList.contains("completed");
      return (done ? "[x] " : "") + (item.querySelector("label")?.textContent ?? item.textContent).trim();
    }),
    left: Number.parseInt(document.querySelector("#todo-count, .todo-count, .todo__count")?.textContent ?? ""),
  });

  let told = "";
  const look = () => {
    const now = JSON.stringify({ state: state() });
    if (now === told) return;
    told = now;
    // Synchronous, so that the judge has the report before an action is finished.
    const request = new XMLHttpRequest();
    request.open("POST", "/~judge/" + episode, false);
    request.setRequestHeader("content-type", "application/json");
    request.send(now);
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (const event of ["load", "change", "hashchange"]) addEventListener(event, look);
})();
