// Changes a page in one way, and reports to the server which elements are acted on. %MUTATION% is a `Mutation` of
// `mutation.rs` and the targets of the scenario: expressions that find the elements as they are before the change.
(({ kind, seed, targets, expected }) => {
  let state = (seed * 2654435761) >>> 0;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % below;
  };
  // Elements of the scenario with the number of their target, and elements that this script made.
  const marked = new Map();
  const made = new WeakSet();
  const chosen = seed % targets.length;

  // A beacon is sent even if the page is left at the same moment.
  const send = (what) => navigator.sendBeacon("/__mutation", JSON.stringify(what));
  const reported = new Set();
  function report(event) {
    const path = event.composedPath().filter((node) => node.nodeType === 1);
    if (path.length === 0 || /^(html|body)$/.test(path[0].localName)) return;
    const numberOf = (node) => {
      if (node.localName === "label") return marked.get(node) ?? marked.get(node.control);
      if (node.getAttribute("role") !== "listbox") return marked.get(node);
      // The options of a list belong to the box before it.
      const box = node.previousElementSibling;
      return marked.get(node) ?? [...marked].find(([element]) => box?.contains(element))?.[1];
    };
    const target = path.map(numberOf).find((number) => number !== undefined);
    const what = target === undefined ? { wrong: event.type + " " + path[0].outerHTML.slice(0, 160) } : { target };
    const key = JSON.stringify(what);
    if (target !== undefined && reported.has(key)) return;
    reported.add(key);
    send(what);
  }
  const listen = (window) => {
    for (const type of ["mousedown", "input", "change"]) window.addEventListener(type, report, true);
    window.addEventListener("keydown", (event) => event.key === "Enter" && report(event), true);
  };
  if (kind !== "record") listen(window);

  // How the expressions of targets find elements.
  const isMade = (element) => {
    for (let node = element; node; node = node.parentNode ?? node.host) if (made.has(node)) return true;
    return false;
  };
  const roots = () => [document, ...[...document.querySelectorAll("[data-host]")].map((host) => host.shadowRoot)];
  const all = (selector, root) =>
    (root ? [root] : roots()).flatMap((one) => [...one.querySelectorAll(selector)]).filter((element) => !isMade(element));
  const text = (element) => (element.textContent ?? "").replace(/\s+/g, " ").trim();
  const row = (name) => all("tr,li,article").filter((one) => text(one).includes(name)).pop();
  const nameOf = (element) =>
    element.getAttribute("aria-label") || element.title || (element.localName === "input" ? element.value : text(element));
  const button = (name, root) =>
    root === undefined || root
      ? all("button,a,input[type=submit]", root).find((one) => nameOf(one) === name)
      : undefined;
  const field = (name) => {
    const label = all("label").find((one) => text(one).startsWith(name));
    return label?.control ?? all("input,select,textarea").find((one) => one.getAttribute("aria-label") === name || one.placeholder === name);
  };
  const find = targets.map((source) => new Function("row", "button", "field", "all", "return (" + source + ")"));

  // What a change applies to.
  const unitOf = (target) => target.closest("tr,li,article");
  const sectionOf = (target) => target.closest("form") ?? target.closest("table,section,ul") ?? target.parentElement;
  const around = (target) => {
    const found = [target];
    for (let node = target.parentElement; node && node !== document.body; node = node.parentElement) found.push(node);
    return [...found, ...target.parentElement.children];
  };
  const fill = (element) => {
    made.add(element);
    return element;
  };
  const create = (name, content, parts = {}) => fill(Object.assign(document.createElement(name), { textContent: content }, parts));
  const texts = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.data.trim() && !node.parentElement.closest("script,style,textarea,option")) found.push(node);
    return found;
  };
  const WORDS = ["Umbrella", "Hooli", "Vandelay", "Tyrell", "Soylent", "Cyberdyne", "Wonka", "Massive", "Duff", "Oscorp"];
  const otherWord = () => WORDS[random(WORDS.length)] + " " + (100 + random(900));
  const TRANSLATED = { save: "Speichern", add: "Hinzufügen", ship: "Versenden", cancel: "Abbrechen", archive: "Archivieren", name: "Bezeichnung", customer: "Kunde" };
  const translate = (words) =>
    words.replace(/\p{L}+/gu, (word) => TRANSLATED[word.toLowerCase()] ?? [...word.toLowerCase()].reverse().join("") + "en");
  /** The nodes that name a target: its label, its own text or its attribute. */
  function rename(target, change) {
    const label = target.labels?.[0];
    const named = label ? texts(label) : texts(target);
    for (const node of named) node.data = change(node.data);
    for (const name of ["aria-label", "title", "placeholder"])
      if (target.getAttribute(name)) target.setAttribute(name, change(target.getAttribute(name)));
    if (target.localName === "input" && /submit|button/.test(target.type)) target.value = change(target.value);
  }
  function copyOf(unit, target) {
    const copy = fill(unit.cloneNode(true));
    // The commands of a row have the same names in each row.
    const isCommand = (node) => node.parentElement.closest("button,label") || text(node.parentElement) === text(target);
    for (const node of texts(copy)) if (!isCommand(node)) node.data = otherWord();
    for (const element of copy.querySelectorAll("[id]")) element.id += "-copy";
    for (const element of copy.querySelectorAll("[data-id]")) element.dataset.id = String(random(10_000));
    return copy;
  }
  const banner = () => {
    const shown = create("div", "We use cookies to improve this site. ");
    shown.append(create("button", "Accept", { type: "button" }));
    shown.style.cssText = "min-height:90px;padding:8px";
    document.body.prepend(shown);
  };

  const renamed = new Map();
  const KINDS = {
    record() {},
    ids(target) {
      for (const element of around(target)) {
        if (!element.id || element.id.startsWith("r-")) continue;
        const [old, id] = [element.id, "r-" + random(1_000_000)];
        for (const label of document.querySelectorAll("label[for]")) if (label.htmlFor === old) label.htmlFor = id;
        for (const name of ["aria-labelledby", "aria-describedby", "aria-controls", "form"])
          for (const other of document.querySelectorAll("[" + name + "]"))
            if (other.getAttribute(name) === old) other.setAttribute(name, id);
        element.id = id;
      }
    },
    classes(target) {
      for (const element of around(target)) if (element.className && typeof element.className === "string") element.className = "c" + random(1_000_000);
    },
    attributes(target) {
      for (const element of around(target))
        for (const name of element.getAttributeNames())
          if (/^data-(test|qa|cy)/.test(name)) element.setAttribute(name, "x" + random(1_000_000));
    },
    rebuild(target) {
      KINDS.ids(target);
      KINDS.classes(target);
      KINDS.attributes(target);
      KINDS.wrap(target);
    },
    wrap(target) {
      const inner = target.closest("label") ?? target;
      if (/^(tr|td|th|li|option|summary)$/.test(inner.localName)) return;
      for (let levels = 1 + random(3); levels > 0; levels--) {
        const wrapper = document.createElement(inner.closest("p,label,h1,h2") ? "span" : "div");
        inner.replaceWith(wrapper);
        wrapper.append(inner);
      }
    },
    sibling(target) {
      const inner = target.closest("label") ?? target;
      if (/^(tr|ul|ol|select|tbody)$/.test(inner.parentElement.localName)) return;
      inner.before(create("button", ["Help", "More", "Copy"][random(3)], { type: "button" }));
    },
    reverse(target) {
      const unit = unitOf(target);
      // The list of a drawn box stays behind it.
      const part = target.matches("[role=combobox]") ? target.parentElement : (target.closest("label,p,div") ?? target);
      const parent = unit?.parentElement ?? part.parentElement;
      const children = [...parent.children].filter((one) => !/^(script|style|template|h1|h2|nav|caption)$/.test(one.localName) && !one.querySelector(":scope > th"));
      for (const child of children.reverse()) parent.append(child);
    },
    "row-above"(target) {
      const unit = unitOf(target);
      if (unit === null) return KINDS.sibling(target);
      const first = [...unit.parentElement.children].find((one) => one.localName === unit.localName && !one.querySelector(":scope > th"));
      for (let count = 1 + random(2); count > 0; count--) (first ?? unit).before(copyOf(unit, target));
    },
    "rows-around"(target) {
      const unit = unitOf(target);
      if (unit === null) return KINDS.sibling(target);
      unit.before(copyOf(unit, target));
      unit.after(copyOf(unit, target));
    },
    twin(target) {
      const aside = fill(document.createElement("aside"));
      aside.append(create("h2", "Related"));
      const twin = fill((target.closest("label") ?? target).cloneNode(true));
      for (const element of [twin, ...twin.querySelectorAll("*")]) element.removeAttribute("id");
      aside.append(twin);
      if (random(2)) document.body.append(aside);
      else document.body.prepend(aside);
    },
    "translate-rest"(target) {
      // What names the elements of the scenario, and what the page says in response.
      const namesOf = (one) => [
        one,
        unitOf(one),
        ...(one.labels ?? []),
        ...(one.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => id && document.getElementById(id)),
      ];
      const kept = [...marked.keys(), target].flatMap(namesOf).concat(all("[role=status],[role=alert],[role=listbox]"));
      for (const node of texts(document.body))
        if (!node.data.includes(expected) && !kept.some((one) => one && one.contains(node))) node.data = translate(node.data);
    },
    banner,
    shift(target, isChosen) {
      if (!isChosen) return;
      target.addEventListener("mouseover", banner, { once: true });
    },
    late(target, isChosen) {
      if (!isChosen) return;
      const unit = target.closest("label") ?? target;
      const place = document.createComment("late");
      unit.replaceWith(place);
      setTimeout(() => place.replaceWith(unit), 600);
    },
    dialog(target) {
      const section = sectionOf(target);
      if (section.closest("[role=dialog],dialog,[data-host]") || section === document.body) return;
      const dialog = document.createElement("div");
      dialog.setAttribute("role", "dialog");
      dialog.setAttribute("aria-label", "Window");
      dialog.style.cssText = "border:1px solid;padding:12px";
      section.before(dialog);
      dialog.append(section);
    },
    shadow(target) {
      const section = sectionOf(target);
      if (section.getRootNode() !== document || section === document.body) return;
      const host = document.createElement("div");
      host.dataset.host = "";
      section.before(host);
      host.attachShadow({ mode: "open" }).append(section);
    },
    rephrase(target, isChosen) {
      if (isChosen) rename(target, (words) => ["Please ", "Quick ", "New: "][random(3)] + words.trim().toLowerCase());
    },
    translate(target, isChosen) {
      if (isChosen) rename(target, translate);
    },
    "twin-near"(target, isChosen) {
      if (!isChosen) return;
      const unit = target.closest("label") ?? target;
      const twin = fill(unit.cloneNode(true));
      for (const element of [twin, ...twin.querySelectorAll("*")]) element.removeAttribute("id");
      if (random(2)) unit.before(twin);
      else unit.after(twin);
    },
    removed(target, isChosen) {
      if (isChosen) (target.closest("label") ?? target).remove();
    },
    "row-removed"(target, isChosen) {
      if (isChosen) (unitOf(target) ?? target.closest("label") ?? target).remove();
    },
    hidden(target, isChosen) {
      if (isChosen) (target.closest("label") ?? target).style.display = "none";
    },
    disabled(target, isChosen) {
      if (!isChosen) return;
      target.disabled = true;
      if (target.localName === "a") target.setAttribute("aria-disabled", "true");
    },
    "other-function"(target, isChosen) {
      if (!isChosen) return;
      marked.delete(target);
      made.add(target);
      const isField = /^(input|select|textarea)$/.test(target.localName) && target.type !== "submit";
      const change = () => (isField ? "Coupon" : "Delete everything");
      rename(target, change);
      renamed.set(target, change);
      if (!isField) return;
      // A label is often rephrased. Another field has another name, too.
      KINDS.ids(target);
      KINDS.attributes(target);
      target.name = "coupon";
      target.removeAttribute("autocomplete");
    },
  };

  let busy = false;
  function look() {
    if (busy || document.body === null) return;
    busy = true;
    // An application that writes its names again would undo the change.
    for (const [element, change] of renamed) if (element.isConnected) rename(element, change);
    const fresh = [];
    for (const [number, locate] of find.entries()) {
      if ([...marked].some(([element, of]) => of === number && element.isConnected)) continue;
      let element;
      try {
        element = locate(row, button, field, all);
      } catch {
        // a part of the page does not exist yet
      }
      if (!element || marked.has(element) || isMade(element)) continue;
      marked.set(element, number);
      fresh.push([element, number]);
    }
    for (const [element, number] of fresh) {
      if (element.isConnected) KINDS[kind](element, number === chosen);
    }
    observer.takeRecords();
    busy = false;
  }
  const observer = new MutationObserver(look);
  document.addEventListener("DOMContentLoaded", () => {
    look();
    const attributeFilter = ["aria-label", "title", "value"];
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributeFilter });
  });
})(%MUTATION%);
