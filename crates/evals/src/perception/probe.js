// Runs before all scripts of a page. It notes which elements listen for presses, and finds what a person could operate: the
// judge of the perception suite must not depend on what Legwork takes for operable.
(() => {
  const PRESSES = new Set(["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart"]);
  const NATIVE =
    "a[href], button, input:not([type=hidden]), select, textarea, summary, option, canvas, audio[controls], video[controls], " +
    "[contenteditable]:not([contenteditable=false]), [role=button], [role=link], [role=tab], [role=checkbox], [role=switch], " +
    "[role=radio], [role=option], [role=menuitem], [role=combobox], [role=slider], [role=spinbutton], [role=treeitem], [role=textbox]";
  // An element that covers most of the view listens for its parts.
  const LARGEST = 0.4;
  const STEP = 6;
  const listening = new WeakSet();
  const add = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (PRESSES.has(type) && this instanceof Element) listening.add(this);
    return add.call(this, type, ...rest);
  };

  const parentOf = element => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host ?? null;
  const listens = element =>
    listening.has(element) || ["onclick", "onmousedown", "onpointerdown"].some(name => element[name] !== null && element[name] !== undefined);
  // Whether it reacts as a whole. An element that covers most of the view, or that contains others to operate, listens for
  // its parts.
  const isPart = element => {
    const box = element.getBoundingClientRect();
    const contained = [...element.querySelectorAll("*")];
    return (
      box.width * box.height < innerWidth * innerHeight * LARGEST &&
      !contained.some(one => one.matches(NATIVE) || listens(one) || (points(one) && !points(element)))
    );
  };
  const points = element => getComputedStyle(element).cursor === "pointer";

  // The innermost element at a point, also inside of shadow roots and frames of the same origin.
  const deepest = (x, y, root = document) => {
    const found = root.elementFromPoint(x, y);
    if (!found) return null;
    // For a point on the light content of a host, its shadow root names the host itself.
    if (found.shadowRoot && found.shadowRoot !== root) return deepest(x, y, found.shadowRoot) ?? found;
    if (found.tagName === "IFRAME" && found.contentDocument) {
      const box = found.getBoundingClientRect();
      return deepest(x - box.x - found.clientLeft, y - box.y - found.clientTop, found.contentDocument) ?? found;
    }
    return found;
  };

  // What a press on an element operates, if anything.
  const operated = element => {
    let area = null;
    for (let one = element; one && one !== document.documentElement; one = parentOf(one)) {
      if (one.matches(":disabled, [aria-disabled=true], [inert]")) return null;
      // A label toggles its box, and otherwise only moves the focus.
      if (one.matches("label")) {
        if (one.control?.matches("[type=checkbox], [type=radio]")) return one.control;
        return area;
      }
      if (one.matches(NATIVE)) return one;
      // A handle that changes a size is dragged.
      if (getComputedStyle(one).cursor.endsWith("-resize")) return null;
      if (one.tagName === "BODY") break;
      if (listens(one)) return area ?? (isPart(one) ? one : null);
      const parent = parentOf(one);
      if (!area && points(one) && !(parent && points(parent))) area = one;
    }
    return area;
  };

  const within = (inner, outer) => {
    for (let one = inner; one; one = parentOf(one)) if (one === outer) return true;
    return false;
  };
  const centre = element => {
    const box = element.getBoundingClientRect();
    const view = element.ownerDocument.defaultView;
    let [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let frame = view.frameElement; frame; frame = frame.ownerDocument.defaultView.frameElement) {
      const outer = frame.getBoundingClientRect();
      [x, y] = [x + outer.x + frame.clientLeft, y + outer.y + frame.clientTop];
    }
    return deepest(x, y);
  };
  const nameOf = element => {
    const text = (element.getAttribute("aria-label") ?? element.innerText ?? element.textContent ?? "").trim();
    return text.replace(/\s+/g, " ").slice(0, 80);
  };
  // Whether an element with a ref operates another one by a command of its own: `expand` presses the toggle of an item,
  // `fill` sets a slider, and the hidden field of an editor receives what is typed into its text.
  const isOperatedBy = (element, seen) => {
    for (let one = parentOf(element); one; one = parentOf(one))
      if (seen.has(one) && one.matches("[role=treeitem], [aria-expanded], [role=slider]")) return true;
    let editor = element;
    for (let up = 0; up < 3 && editor; up++) {
      const fields = editor.querySelectorAll("textarea, [contenteditable=true]");
      if ([...fields].some(field => seen.has(field))) return true;
      editor = editor.parentElement;
    }
    return false;
  };
  const noteOf = element => {
    const box = element.getBoundingClientRect();
    const kind = `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${[...element.classList].slice(0, 2).join(".")}`;
    return `${kind} at ${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}×${Math.round(box.height)}`;
  };

  window.perceptionProbe = {
    // The elements for which the observation has a ref.
    seen: new Set(),
    // Every operable element of the view: how many points of the grid operate it, how many of them are on an element with a ref
    // that operates it, the texts at the others, its own text and a note on where it is.
    survey() {
      const found = new Map();
      for (let y = STEP / 2; y < innerHeight; y += STEP) {
        for (let x = STEP / 2; x < innerWidth; x += STEP) {
          const hit = deepest(x, y);
          const element = hit && operated(hit);
          if (!element) continue;
          const entry = found.get(element) ?? { points: 0, seen: 0, texts: {} };
          entry.points += 1;
          let isSeen = this.seen.has(element);
          for (let one = hit; one && !isSeen; one = parentOf(one)) {
            if (one === element) break;
            isSeen = this.seen.has(one);
          }
          const text = isSeen ? "" : nameOf(hit);
          if (isSeen) entry.seen += 1;
          else if (text) entry.texts[text] = (entry.texts[text] ?? 0) + 1;
          found.set(element, entry);
        }
      }
      return [...found].map(([element, entry]) => {
        // A ref around the element acts on it if the middle of it does.
        let outer = parentOf(element);
        while (outer && !this.seen.has(outer)) outer = parentOf(outer);
        const middle = outer && centre(outer);
        const isReached = (!!middle && within(middle, element)) || isOperatedBy(element, this.seen);
        return { ...entry, seen: isReached ? entry.points : entry.seen, text: nameOf(element), note: noteOf(element) };
      });
    },
  };
})();
