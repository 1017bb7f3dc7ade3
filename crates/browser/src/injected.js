// Generated from injected/src by `cargo xtask generate`; do not edit.
"use strict";
(() => {
  var __defProp = Object.defineProperty;
  var __defNormalProp = (obj, key2, value) => key2 in obj ? __defProp(obj, key2, { enumerable: !0, configurable: !0, writable: !0, value }) : obj[key2] = value;
  var __publicField = (obj, key2, value) => __defNormalProp(obj, typeof key2 != "symbol" ? key2 + "" : key2, value);

  // src/answer.ts
  var isReady = (answer) => !("reason" in answer), ifReady = (answer, more) => isReady(answer) ? { ...answer, ...more } : answer;

  // src/capture-registry.ts
  var numbers = /* @__PURE__ */ new WeakMap(), elements = /* @__PURE__ */ new Map(), secrets = /* @__PURE__ */ new WeakSet(), last = 0, closedRoots = /* @__PURE__ */ new WeakMap(), anyClosed = !1, possibleClosedRoots = [], toldOf = /* @__PURE__ */ new WeakSet(), MOST = 500;
  function notePossibleClosedRoot(element2) {
    possibleClosedRoots.length < MOST && !toldOf.has(element2) && possibleClosedRoots.push(element2);
  }
  var looked = /* @__PURE__ */ new WeakSet();
  function firstLook(element2) {
    return looked.has(element2) ? !1 : (looked.add(element2), !0);
  }
  function countPossibleClosedRoots() {
    return possibleClosedRoots.length;
  }
  function takePossibleClosedRoots() {
    let taken = possibleClosedRoots.filter((element2) => element2.isConnected);
    for (let element2 of possibleClosedRoots) toldOf.add(element2);
    return possibleClosedRoots = [], taken;
  }
  function registerClosedRoot(host3, root2) {
    closedRoots.set(host3, root2), anyClosed = !0;
  }
  function shadowOf(element2) {
    return element2.shadowRoot ?? (anyClosed ? closedRoots.get(element2) ?? null : null);
  }
  var isNumbered = (element2) => numbers.has(element2);
  function idOf(element2) {
    let number = numbers.get(element2);
    return number === void 0 && (number = ++last, numbers.set(element2, number), elements.set(number, new WeakRef(element2))), number;
  }
  function element(number) {
    let found = elements.get(number)?.deref();
    return found?.isConnected ? found : void 0;
  }
  function markSecret(element2) {
    secrets.add(element2);
  }
  function isMarked(element2) {
    return secrets.has(element2);
  }
  function isSecret(element2) {
    return secrets.has(element2) || element2.type === "password";
  }
  function sweep() {
    if (!(elements.size < nextSweep)) {
      for (let [number, reference] of elements) reference.deref() || elements.delete(number);
      nextSweep = elements.size * 2 + 1e4;
    }
  }
  var nextSweep = 2e4;

  // src/capture-names.ts
  var UNREAD = new Set("script style noscript template select textarea datalist head".split(" ")), VISIBLE = { visibilityProperty: !0 }, BUTTONS = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/;
  function textOf(root2, hidden = !1, named2 = null) {
    let text = "", node = root2;
    for (let steps = 0; node !== null && steps < 2e3 && text.length < 2e3; steps++) {
      let down = null;
      if (node.nodeType === 3)
        text += node.data;
      else if (node === root2)
        down = node.firstChild;
      else if (node.nodeType === 1) {
        let element2 = node, given = ownText(element2, hidden, named2);
        given === null ? down = node.firstChild : text += given, element2.localName !== "span" && element2.localName !== "b" && element2.localName !== "i" && (text += " ");
      }
      if (down !== null) {
        node = down;
        continue;
      }
      for (; node !== root2 && node.nextSibling === null; ) node = node.parentNode;
      node = node === root2 ? null : node.nextSibling;
    }
    return text.replace(/\s+/g, " ").trim();
  }
  var INLINE = /^(inline|contents|ruby)/, CELL = /^table-cell/;
  function linesOf(root2) {
    let lines = [], line = "", isPre = /^(pre|break)/.test(getComputedStyle(root2).whiteSpace), endLine = () => {
      line !== "" && lines.push(line), line = "";
    }, addText = (text) => {
      let [first, ...more] = isPre ? text.split(`
`) : [text.replace(/\s+/g, " ")];
      line += line === "" && !isPre ? first.trimStart() : first;
      for (let next of more)
        lines.push(line), line = next;
    }, open = [...root2.childNodes].reverse();
    for (let steps = 0; open.length > 0 && steps < MOST_STEPS; steps++) {
      let node = open.pop();
      if (typeof node == "string")
        node === "" ? endLine() : line += node;
      else if (node.nodeType === 3) addText(node.data);
      else if (node.nodeType === 1) {
        let element2 = node;
        if (element2.localName === "br") {
          lines.push(line), line = "";
          continue;
        }
        let given = element2.textContent === "" ? element2.getAttribute("alt") ?? element2.ariaLabel : null;
        if (given !== null && addText(given), given !== null || UNREAD.has(element2.localName) || !element2.checkVisibility(VISIBLE)) continue;
        let { display } = getComputedStyle(element2);
        CELL.test(display) ? open.push(" ") : INLINE.test(display) || (endLine(), open.push("")), open.push(...[...element2.childNodes].reverse());
      }
    }
    lines.push(line);
    let clean2 = (text) => text.replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "").trimEnd();
    return lines.map(clean2).join(`
`).trim();
  }
  var MOST_STEPS = 1e4;
  function ownText(element2, hidden, named2) {
    if (element2.localName === "slot") {
      let assigned = element2.assignedNodes({ flatten: !0 }), texts = assigned.map(
        (node) => node.nodeType === 1 ? " " + textOf(node, hidden, named2) + " " : node.nodeType === 3 ? node.data : ""
      );
      return assigned.length === 0 ? null : texts.join("");
    }
    let isValue = named2 !== null && isControl(element2);
    if (!isValue && UNREAD.has(element2.localName) || !hidden && !element2.checkVisibility(VISIBLE) || named2 !== null && element2.getAttribute("aria-hidden") === "true") return "";
    if (isValue) return element2.contains(named2) ? "" : " " + shownValue(element2) + " ";
    let label = element2.getAttribute("aria-label") ?? element2.getAttribute("alt");
    return label === null ? null : " " + label + " ";
  }
  function isControl(element2) {
    if (element2.localName === "input") return !BUTTONS.test(element2.type);
    if (element2.localName === "select" || element2.localName === "textarea") return !0;
    let role = element2.getAttribute("role");
    return role !== null && /^(textbox|searchbox|combobox|listbox|menu|slider|spinbutton)$/.test(role);
  }
  function shownValue(element2) {
    let role = element2.getAttribute("role");
    return role === "menu" || isSecret(element2) ? "" : role === "slider" || role === "spinbutton" ? element2.getAttribute("aria-valuetext") ?? element2.getAttribute("aria-valuenow") ?? inputOf(element2) : element2.localName === "select" ? Array.from(element2.selectedOptions, (option) => option.text).join(" ") : element2.localName === "input" || element2.localName === "textarea" ? inputOf(element2) : role === "combobox" || role === "listbox" ? Array.from(element2.querySelectorAll("[role=option][aria-selected=true]"), (one) => textOf(one)).join(" ") : textOf(element2);
  }
  var inputOf = (element2) => element2.value ?? "", labelText = (label, control) => label.getAttribute("aria-label")?.trim() || textOf(label, !1, control);
  function listed(element2, ids) {
    let root2 = element2.getRootNode(), texts = [];
    for (let id of ids.split(/\s+/)) {
      let found = id && root2.getElementById?.(id);
      if (!found) continue;
      let value = found !== element2 && isControl(found) ? shownValue(found) : "";
      texts.push(value || (found.getAttribute("aria-label") ?? textOf(found, !found.checkVisibility(VISIBLE), element2)));
    }
    return texts.join(" ").trim();
  }
  function givenName(element2, tag, role, labelled = !0) {
    if (labelled) {
      let ids = element2.getAttribute("aria-labelledby");
      if (ids) {
        let name = listed(element2, ids);
        if (name) return name;
      }
      let label = element2.getAttribute("aria-label");
      if (label?.trim()) return label;
    }
    switch (tag) {
      case "input":
      case "select":
      case "textarea":
      case "meter":
      case "progress":
      case "output": {
        let labels = element2.labels;
        if (labels && labels.length > 0) {
          let name = labelText(labels[0], element2);
          for (let i = 1; i < labels.length; i++) name += " " + labelText(labels[i], element2);
          if (name) return name;
        }
        let input = element2;
        if (tag === "input" && role === "button") {
          let own2 = (input.type === "image" ? input.alt : input.value) || element2.getAttribute("title");
          if (own2) return own2;
          if (input.type === "submit" || input.type === "image") return "Submit";
          if (input.type === "reset") return "Reset";
        }
        return element2.getAttribute("title") || element2.getAttribute("aria-placeholder") || element2.getAttribute("placeholder") || "";
      }
      case "button": {
        let labels = role === "button" ? null : element2.labels;
        return labels === null ? "" : Array.from(labels, (label) => labelText(label, element2)).join(" ");
      }
      case "img":
      case "area":
        return element2.getAttribute("alt") ?? element2.getAttribute("title") ?? "";
      case "fieldset":
        return headed(element2, "legend");
      case "table":
        return headed(element2, "caption") || element2.getAttribute("title") || "";
      case "svg":
        return element2.firstElementChild?.localName === "title" ? element2.firstElementChild.textContent ?? "" : "";
      case "iframe":
      case "frame":
      case "section":
      case "dialog":
        return element2.getAttribute("title") ?? "";
      default:
        return "";
    }
  }
  function labelOf(element2, name) {
    let labels = element2.labels;
    return !labels || labels.length === 0 || name === "" || !element2.hasAttribute("aria-label") ? "" : textOf(labels[0]);
  }
  function headed(element2, tag) {
    for (let child = element2.firstElementChild, n = 0; child && n < 3; child = child.nextElementSibling, n++)
      if (child.localName === tag) return textOf(child);
    return "";
  }

  // src/capture-roles.ts
  var KNOWN = new Set(
    "alert alertdialog application article banner blockquote button caption cell checkbox columnheader combobox complementary contentinfo dialog document feed figure form grid gridcell group heading img link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option progressbar radio radiogroup region row rowheader scrollbar search searchbox slider spinbutton status switch tab table tablist tabpanel textbox timer toolbar tooltip tree treegrid treeitem term".split(" ")
  ), SILENT = new Set(
    "none presentation generic paragraph rowgroup code emphasis strong definition separator time".split(" ")
  ), WIDGETS = new Set(
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem scrollbar".split(" ")
  ), IMPLIED = {
    button: "button",
    h1: "heading",
    h2: "heading",
    h3: "heading",
    h4: "heading",
    h5: "heading",
    h6: "heading",
    ul: "list",
    ol: "list",
    menu: "list",
    li: "listitem",
    table: "table",
    tr: "row",
    nav: "navigation",
    main: "main",
    aside: "complementary",
    search: "search",
    dialog: "dialog",
    article: "article",
    figure: "figure",
    progress: "progressbar",
    meter: "meter",
    textarea: "textbox",
    option: "option",
    fieldset: "group",
    summary: "button",
    output: "status",
    iframe: "iframe",
    frame: "iframe",
    video: "video",
    audio: "audio",
    img: "img",
    math: "math",
    address: "group",
    hgroup: "",
    dt: "term"
  }, INPUTS = {
    checkbox: "checkbox",
    radio: "radio",
    button: "button",
    submit: "button",
    reset: "button",
    image: "button",
    range: "slider",
    number: "spinbutton",
    search: "searchbox",
    hidden: ""
  };
  function roleOf(element2, tag, given) {
    if (given !== null)
      for (let word of given.toLowerCase().split(/\s+/)) {
        if (KNOWN.has(word)) return word;
        if (SILENT.has(word)) return "";
        if (word === "image") return "img";
      }
    let implied = IMPLIED[tag];
    if (implied !== void 0) return implied;
    switch (tag) {
      case "a":
      case "area":
        return element2.hasAttribute("href") || isScripted(element2) ? "link" : "";
      case "input": {
        let type = element2.type, role = INPUTS[type];
        return role !== void 0 ? role : element2.hasAttribute("list") ? "combobox" : "textbox";
      }
      case "select":
        return element2.multiple || element2.size > 1 ? "listbox" : "combobox";
      case "th":
        return element2.getAttribute("scope") === "row" || isRowHead(element2) ? "rowheader" : "columnheader";
      case "td":
        return isBoldHead(element2) ? "columnheader" : "cell";
      case "header":
        return element2.closest("article,aside,main,nav,section") ? "" : "banner";
      case "footer":
        return element2.closest("article,aside,main,nav,section") ? "" : "contentinfo";
      case "form":
        return "form";
      case "section":
        return hasLabel(element2) ? "region" : "";
      case "svg":
      case "canvas":
        return hasLabel(element2) || element2.firstElementChild?.localName === "title" ? "img" : "";
      default:
        return "";
    }
  }
  function isScripted(link) {
    let hand = (element2) => element2 !== null && getComputedStyle(element2).cursor === "pointer";
    return hand(link) && !hand(link.parentElement);
  }
  var HANDLE = /(^|[\s_-])slider[\w-]*?[_-](handle|thumb|knob)(\s|$)/i;
  function isSliderHandle(element2) {
    return element2.firstElementChild === null && HANDLE.test(element2.getAttribute("class") ?? "") && !/\S/.test(element2.textContent ?? "");
  }
  function alongTrack(element2) {
    let along = element2.style.left || element2.style.bottom || element2.style.insetInlineStart;
    return /^[\d.]+%$/.test(along) ? along : null;
  }
  function hasLabel(element2) {
    return element2.hasAttribute("aria-label") || element2.hasAttribute("aria-labelledby") || element2.hasAttribute("title");
  }
  function isRowHead(cell) {
    if (cell.hasAttribute("scope")) return !1;
    let beside = cell.nextElementSibling;
    return beside !== null && beside.localName === "td" && cell.previousElementSibling?.localName !== "th";
  }
  var NOT_IN_HEAD = "button,input,select,textarea,[onclick]", BOLD = 600;
  function isBoldHead(cell) {
    let row = cell.parentElement;
    if (row === null || row.previousElementSibling !== null) return !1;
    let table = row.closest("table"), below = table?.rows[1];
    if (table?.rows[0] !== row || below === void 0 || row.cells.length < 2 || row.querySelector(NOT_IN_HEAD) !== null || row.querySelector("th") !== null || below.querySelector("th") !== null)
      return !1;
    let head2 = Array.from(row.cells).filter(hasText);
    return head2.length >= 2 && head2.every((one) => isBold(one) && !/\d/.test(one.textContent ?? "")) && Array.from(below.cells).some((one) => hasText(one) && !isBold(one)) && getComputedStyle(row).cursor !== "pointer";
  }
  var hasText = (element2) => /\S/.test(element2.textContent ?? "");
  function isBold(element2) {
    let at = element2;
    for (; ; ) {
      let first = Array.from(at.childNodes).find((node) => /\S/.test(node.textContent ?? ""));
      if (!(first instanceof Element)) return Number(getComputedStyle(at).fontWeight) >= BOLD;
      at = first;
    }
  }
  var INLINE2 = new Set(
    "a abbr b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark meter nobr output picture progress q rp rt ruby s samp select slot small span strike strong sub sup svg text textarea time tspan tt u var wbr".split(" ")
  ), SKIPPED = new Set(
    "script style noscript template head meta link base title col colgroup source track param defs clipPath mask path datalist".split(
      " "
    )
  ), ASKED = new Set("a area input select td th header footer section svg canvas".split(" ")), NAMED = new Set("table fieldset input select textarea svg".split(" ")), OTHER = { role: "", inline: !1, skipped: !1, named: !1 }, TAGS = /* @__PURE__ */ new Map();
  for (let tag of [...Object.keys(IMPLIED), ...INLINE2, ...SKIPPED, ...ASKED, "form"]) {
    let role = ASKED.has(tag) ? null : tag === "form" ? "form" : IMPLIED[tag] ?? "";
    TAGS.set(tag, { role, inline: INLINE2.has(tag), skipped: SKIPPED.has(tag), named: NAMED.has(tag) });
  }
  function tagOf(tag) {
    return TAGS.get(tag) ?? OTHER;
  }

  // src/capture-selectors.ts
  function lastCompound(selector) {
    if (/["'\\|]/.test(selector)) return null;
    let plain2 = selector;
    for (let before = ""; before !== plain2; )
      before = plain2, plain2 = plain2.replace(/\([^()[\]]*\)|\[[^[\]]*\]/g, "");
    return /[()[\]]/.test(plain2) ? null : /[^\s>+~]*$/.exec(plain2.trim())[0].replace(/:.*$/, "");
  }
  function keyOf(selector) {
    let last3 = lastCompound(selector);
    return last3 === null || last3.includes("#") ? "" : /\.[^.]+/.exec(last3)?.[0] ?? /^[a-z][a-z0-9-]*$/i.exec(last3)?.[0].toLowerCase() ?? "";
  }
  function partsOf(list) {
    if (!list.includes(",")) return [list];
    if (/["'\\]/.test(list)) return [list];
    let parts = [], depth = 0, start = 0;
    for (let i = 0; i < list.length; i++) {
      let sign = list[i];
      sign === "(" || sign === "[" ? depth++ : sign === ")" || sign === "]" ? depth-- : sign === "," && depth === 0 && (parts.push(list.slice(start, i).trim()), start = i + 1);
    }
    return parts.push(list.slice(start).trim()), parts;
  }
  var SelectorIndex = class {
    constructor() {
      /** The selectors without a class or tag. */
      __publicField(this, "others", []);
      __publicField(this, "keyed", /* @__PURE__ */ new Map());
      // The selectors for the elements of a tag with the same classes, joined into one. Most elements share their classes
      // with others.
      __publicField(this, "joined", /* @__PURE__ */ new Map());
      // The selectors that were added, and of each list the ones without a class or tag. The trees of web components have
      // the same style sheets.
      __publicField(this, "known", /* @__PURE__ */ new Set());
      __publicField(this, "lists", /* @__PURE__ */ new Map());
    }
    /** Adds the selectors of a list, each once. Returns those without a class or tag. */
    add(selectors) {
      let added2 = this.lists.get(selectors);
      if (added2 !== void 0) return added2;
      let others = [];
      this.lists.set(selectors, others);
      for (let selector of selectors) {
        let key2 = keyOf(selector);
        if (key2 === "" && others.push(selector), this.known.has(selector)) continue;
        this.known.add(selector), this.joined.clear();
        let alike = key2 === "" ? this.others : this.keyed.get(key2);
        alike === void 0 ? this.keyed.set(key2, [selector]) : alike.push(selector);
      }
      return others;
    }
    /** Whether an element matches a selector with a class or tag. `classes` is its class attribute. */
    matches(element2, tag, classes) {
      if (this.keyed.size === 0) return !1;
      let ofTag = this.joined.get(tag) ?? /* @__PURE__ */ new Map();
      this.joined.set(tag, ofTag);
      let selector = ofTag.get(classes);
      if (selector === void 0) {
        let names2 = new Set(classes.split(/\s+/).map((name) => "." + name));
        selector = [tag, ...names2].flatMap((key2) => this.keyed.get(key2) ?? []).join(), ofTag.set(classes, selector);
      }
      return selector !== "" && element2.matches(selector);
    }
  };

  // src/capture-styles.ts
  var NONE = /^0(px|%)?$/, NO_SIZE = /^0(px|pt|%|r?em)?$/, NO_COLOR = /^transparent$|^(rgb|hsl)a\(.*,\s*0%?\)$|\/\s*0%?\)$/, INLINE_ILLEGIBLE = /font(-size)?:\s*0|color:\s*(transparent|(rgb|hsl)a\([^)]*,\s*0%?\)|[^;]*\/\s*0%?\))/, AWAY = /(?:^|[\s;])(?:(?:left|right|top|bottom|inset[\w-]*|margin-(?:left|right|top)):\s*(?:-(?:\d{2,}(?:\.\d+)?(?:px|%|v[wh])|[\d.]+r?em)|calc\()|left:\s*100%|(?:transform|translate):[^;]*(?:\d{2,}(?:\.\d+)?(?:px|%|v[wh])|\d+r?em|var\(|calc\())/, TEXT = /attr\(|"[^"]*[\p{L}\p{N}]/u, PSEUDO = /::?(?:before|after)/g, read = /* @__PURE__ */ new WeakMap(), noSelectors = (count) => ({
    count,
    pointers: [],
    hidden: [],
    hovered: [],
    collapsible: [],
    displaced: [],
    illegible: [],
    generated: []
  });
  function selectorsOf(sheet) {
    let none = noSelectors(-1), rules;
    try {
      rules = sheet.cssRules;
    } catch {
      return none;
    }
    let known = read.get(sheet);
    if (known && known.count === rules.length) return known;
    let found = noSelectors(rules.length), lists = [[rules, ""]];
    for (let seen = 0; lists.length > 0 && seen < 3e4; ) {
      let [list, above2] = lists.pop();
      for (let i = 0; i < list.length && seen < 3e4; i++, seen++) {
        let rule = list[i], own2 = rule.selectorText, selector = own2 && above2 ? own2.includes("&") ? own2.replace(/&/g, `:is(${above2})`) : `:is(${above2}) ${own2}` : own2;
        if (selector) {
          let style = rule.style;
          style.cursor === "pointer" && found.pointers.push(selector.replace(/:hover/g, "")), (style.visibility !== "" || style.opacity !== "" && style.opacity !== "1") && found.hidden.push(selector), (NO_SIZE.test(style.fontSize) || NO_COLOR.test(style.color)) && found.illegible.push(selector), AWAY.test(style.cssText) && found.displaced.push(selector), /:(before|after)/.test(selector) && TEXT.test(style.content) && found.generated.push(selector.replace(PSEUDO, "")), (NONE.test(style.height) || NONE.test(style.maxHeight)) && found.collapsible.push(selector), selector.includes(":hover") && (style.visibility === "visible" || style.display !== "" && style.display !== "none") && found.hovered.push(selector);
        }
        rule.cssRules && rule.cssRules.length > 0 && lists.push([rule.cssRules, selector ?? above2]);
      }
    }
    return found.pointers = found.pointers.filter(isQuery), found.hidden = found.hidden.filter(isQuery), found.hovered = found.hovered.filter(isQuery), found.collapsible = found.collapsible.flatMap(partsOf).filter(isQuery), found.displaced = found.displaced.flatMap(partsOf).filter(isQuery), found.illegible = found.illegible.flatMap(partsOf).filter(isQuery), found.generated = found.generated.flatMap(partsOf).filter(isQuery), read.set(sheet, found), found;
  }
  function isQuery(selector) {
    try {
      return document.createDocumentFragment().querySelector(selector), !0;
    } catch {
      return !1;
    }
  }
  function hoverSelectors(root2) {
    return sheetsOf(root2).flatMap((sheet) => selectorsOf(sheet).hovered).join();
  }
  function gather(root2, selectors, into) {
    if (selectors.length === 0) return;
    let found = root2.querySelectorAll(selectors.join());
    for (let i = 0; i < found.length; i++) into.add(found[i]);
  }
  var sheetsOf = (root2) => [...root2.styleSheets, ...root2.adoptedStyleSheets ?? []].filter((sheet) => !sheet.disabled);
  function styled(root2, into) {
    gather(root2, ['[style*="cursor"]'], into.pointers), gather(root2, ['[style*="visibility"],[style*="opacity"]'], into.hidden);
    for (let sheet of sheetsOf(root2)) {
      let { count, pointers, hidden } = selectorsOf(sheet);
      count < 0 && (into.blind = !0), gather(root2, pointers, into.pointers), gather(root2, hidden, into.hidden);
    }
  }
  var HEIGHT = /height/, INLINE_AWAY = /:\s*-|transform|translate|calc\(/;
  function unusual(root2, into) {
    let inline = root2.querySelectorAll("[style]");
    for (let i = 0; i < inline.length; i++) {
      let style = inline[i].getAttribute("style");
      HEIGHT.test(style) && into.collapsible.add(inline[i]), INLINE_AWAY.test(style) && into.displaced.add(inline[i]), INLINE_ILLEGIBLE.test(style) && into.illegible.add(inline[i]);
    }
    let { collapsible, displaced, illegible, generated } = into.rules, shrunk = [], away = [], unread = [];
    for (let sheet of sheetsOf(root2)) {
      let selectors = selectorsOf(sheet);
      selectors.count < 0 && (into.blind = !0), shrunk.push(...collapsible.add(selectors.collapsible)), away.push(...displaced.add(selectors.displaced)), unread.push(...illegible.add(selectors.illegible)), generated.add(selectors.generated);
    }
    gather(root2, shrunk, into.collapsible), gather(root2, away.slice(0, MOST_AWAY), into.displaced), gather(root2, unread.slice(0, MOST_AWAY), into.illegible);
  }
  var MOST_AWAY = 100, SYMBOL_FONT = /material|symbol|icon|awesome|glyph/i;
  function generatedText(element2, side) {
    let { content, display, fontFamily } = getComputedStyle(element2, side);
    if (!content || content === "none" || content === "normal" || display === "none" || SYMBOL_FONT.test(fontFamily)) return "";
    let spoken = /\/\s*((?:"(?:[^"\\]|\\.)*"\s*|attr\([^)]*\)\s*)+)$/.exec(content)?.[1] ?? content, text = "";
    for (let [, quoted2, attribute] of spoken.matchAll(/"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)/g))
      text += attribute === void 0 ? quoted2.replace(/\\(.)/g, "$1") : element2.getAttribute(attribute) ?? "";
    return text = text.replace(/[\uE000-\uF8FF]/g, ""), /[\p{L}\p{N}]/u.test(text) ? text : "";
  }
  var MOST_BACKGROUNDS = 4;
  function isIllegible(element2) {
    let style = getComputedStyle(element2);
    if (style.fontSize === "0px") return !0;
    if (!NO_COLOR.test(style.color) || style.textShadow !== "none" || !NO_COLOR.test(style.webkitTextFillColor))
      return !1;
    let node = element2;
    for (let steps = 0; node !== null && steps < MOST_BACKGROUNDS; steps++, node = node.parentElement)
      if (getComputedStyle(node).backgroundClip.includes("text")) return !1;
    return !0;
  }
  function isOutOfReach(element2) {
    let view = element2.ownerDocument.defaultView, box = element2.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return !1;
    let right = box.left + Math.max(box.width, element2.scrollWidth), bottom = box.top + Math.max(box.height, element2.scrollHeight);
    if (right > 0 && bottom > 0 && box.left < view.innerWidth && box.top < view.innerHeight || element2.closest("[aria-live],[role=status],[role=alert],[role=log]") !== null) return !1;
    for (let node = element2; node !== null; node = node.parentElement) {
      let { position, overflowX, overflowY } = getComputedStyle(node), isBody = node.localName === "body";
      if (!isBody && node !== element2 && /auto|scroll/.test(overflowX + overflowY)) return !1;
      if (position === "fixed") return !0;
      if (isBody) break;
    }
    let root2 = element2.ownerDocument.documentElement;
    return bottom + view.scrollY <= 0 ? !0 : getComputedStyle(root2).direction === "rtl" ? !1 : right + view.scrollX <= 0 ? !0 : [root2, element2.ownerDocument.body].some(
      (part) => part && /hidden|clip/.test(getComputedStyle(part).overflowX)
    ) && box.left + view.scrollX >= view.innerWidth;
  }
  var MOST_WITHIN = 500;
  function inViewWithin(part) {
    let view = part.ownerDocument.defaultView, within3 = part.querySelectorAll("*"), found = [];
    for (let i = 0; i < within3.length && i < MOST_WITHIN; i++) {
      let element2 = within3[i], box = element2.getBoundingClientRect();
      box.width === 0 || box.height === 0 || box.right <= 0 || box.bottom <= 0 || box.left >= view.innerWidth || box.top >= view.innerHeight || found.some((outer) => outer.contains(element2)) || isCutBetween(element2, part) || found.push(element2);
    }
    return found;
  }
  function isCutBetween(element2, part) {
    for (let node = element2.parentElement; node !== null; node = node.parentElement) {
      if (/hidden|clip|auto|scroll/.test(getComputedStyle(node).overflow)) return !0;
      if (node === part) return !1;
    }
    return !1;
  }

  // src/find.ts
  var VISIBLE2 = { visibilityProperty: !0 };
  function visible(element2) {
    if (element2.localName === "option" || element2.localName === "optgroup")
      return element2.parentElement !== null && visible(element2.parentElement);
    if (!element2.checkVisibility(VISIBLE2)) return !1;
    let box = element2.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return !0;
    for (let child of element2.children) if (visible(child)) return !0;
    return !1;
  }
  function roots() {
    let found = [document];
    for (let i = 0; i < found.length && found.length < 2e3; i++)
      for (let element2 of found[i].querySelectorAll("*")) {
        let shadow = shadowOf(element2);
        if (shadow) found.push(shadow);
        else if (element2.localName === "iframe" || element2.localName === "frame")
          try {
            let inner = element2.contentDocument;
            inner && found.push(inner);
          } catch {
          }
      }
    return found;
  }
  var squeeze = (text) => text.replace(/\s+/g, " ").trim();
  function roleName(element2) {
    let role = roleOf(element2, element2.localName, element2.getAttribute("role")), given = givenName(element2, element2.localName, role);
    return { role, name: squeeze(given || textOf(element2) || generatedName(element2)) };
  }
  var generatedName = (element2) => element2.matches("button,a,[role]") ? generatedText(element2, "::before") + generatedText(element2, "::after") : "";
  function describe(element2) {
    let { role, name } = roleName(element2), short = name.length > 60 ? name.slice(0, 60) + "\u2026" : name;
    return (role && role !== "generic" ? role : "<" + element2.localName + ">") + (short ? ' "' + short + '"' : "");
  }
  function byText(wanted, all) {
    let quoted2 = /^(["'])(.*)\1$/s.exec(wanted.trim()), exact = quoted2 !== null, text = squeeze(exact ? quoted2[2] : wanted), lower = text.toLowerCase(), hits = [];
    for (let root2 of all)
      for (let element2 of root2.querySelectorAll("*")) {
        let tag = element2.localName;
        if (tag === "script" || tag === "style" || tag === "noscript" || tag === "head" || tag === "title") continue;
        let input = element2, own2 = tag === "input" && /^(button|submit|reset)$/.test(input.type) ? input.value : element2.textContent ?? "";
        if (own2.length < text.length || own2.length > 2e4) continue;
        let squeezed2 = squeeze(own2);
        (exact ? squeezed2 === text : squeezed2.toLowerCase().includes(lower)) && hits.push(element2);
      }
    let smallest = hits.filter((hit) => !hits.some((other) => other !== hit && hit.contains(other))), whole = smallest.filter((hit) => squeeze(hit.textContent ?? "").toLowerCase() === lower);
    return whole.length > 0 ? whole : smallest;
  }
  function placeOf(element2, query) {
    if (query.by !== "text") return null;
    let pattern = squeeze(/^(["'])(.*)\1$/s.exec(query.text.trim())?.[2] ?? query.text).split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
    if (pattern === "") return null;
    for (let expression of ["(?<![\\p{L}\\p{N}])" + pattern + "(?![\\p{L}\\p{N}])", pattern]) {
      let walker = element2.ownerDocument.createTreeWalker(element2, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        let found = new RegExp(expression, "iu").exec(node.data);
        if (found === null) continue;
        let range = element2.ownerDocument.createRange();
        return range.setStart(node, found.index), range.setEnd(node, found.index + found[0].length), range;
      }
    }
    return null;
  }
  function generics(name, all) {
    let lower = squeeze(name).toLowerCase(), hits = all.flatMap(
      (root2) => [...root2.querySelectorAll("*")].filter((element2) => {
        let role = roleOf(element2, element2.localName, element2.getAttribute("role"));
        return (role === "" || role === "generic") && (element2.textContent ?? "").length <= 2e4 && roleName(element2).name.toLowerCase() === lower;
      })
    ), shown2 = hits.filter(isNumbered), among = shown2.length > 0 ? shown2 : hits;
    return among.filter((hit) => !among.some((other) => other !== hit && hit.contains(other)));
  }
  function byRole(role, name, all) {
    if (role === "generic" && name) return generics(name, all);
    let hits = [];
    for (let root2 of all)
      for (let element2 of root2.querySelectorAll("*"))
        roleOf(element2, element2.localName, element2.getAttribute("role")) === role && hits.push([element2, ""]);
    if (name == null) return hits.map(([element2]) => element2);
    let lower = squeeze(name).toLowerCase();
    for (let hit of hits) hit[1] = roleName(hit[0]).name.toLowerCase();
    let whole = hits.filter((hit) => hit[1] === lower);
    return (whole.length > 0 ? whole : hits.filter((hit) => hit[1].includes(lower))).map(([element2]) => element2);
  }
  function findAll(query) {
    let all = roots(), found = [];
    switch (query.by) {
      case "css":
        for (let root2 of all) found.push(...root2.querySelectorAll(query.selector));
        break;
      case "xpath":
        for (let root2 of all) {
          if (root2.nodeType !== 9) continue;
          let result = root2.evaluate(
            query.path,
            root2,
            null,
            XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
            null
          );
          for (let i = 0; i < result.snapshotLength; i++) {
            let node = result.snapshotItem(i), element2 = node.nodeType === 1 ? node : node.parentElement;
            element2 !== null && found.push(element2);
          }
        }
        break;
      case "text":
        found = byText(query.text, all);
        break;
      case "role":
        found = byRole(query.role, query.name, all);
    }
    let shown2 = found.filter(visible);
    return shown2.length > 0 ? shown2 : found;
  }
  function wordsOf(query) {
    switch (query.by) {
      case "css":
        return query.selector;
      case "xpath":
        return query.path;
      case "text":
        return query.text;
      case "role":
        return query.name ?? query.role;
    }
  }
  function near(query) {
    let words = new Set(
      squeeze(wordsOf(query)).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    ), scored = [];
    for (let root2 of roots())
      for (let element2 of root2.querySelectorAll("a,button,input,select,textarea,summary,label,[role],h1,h2,h3")) {
        if (scored.length > 3e3) break;
        if (!visible(element2)) continue;
        let { role, name } = roleName(element2), score = query.by === "role" && role === query.role ? 2 : 0;
        for (let word of name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) words.has(word) && (score += 3);
        score > 0 && scored.push([score, describe(element2)]);
      }
    return scored.sort((a, b) => b[0] - a[0]), [...new Set(scored.map((entry) => entry[1]))].slice(0, 5);
  }

  // src/geometry.ts
  var isElement = (node) => node?.nodeType === 1;
  function above(node) {
    if (isElement(node) && node.assignedSlot) return node.assignedSlot;
    let parent = node.parentNode;
    return parent !== null && parent.nodeType === 11 && parent.host ? parent.host : parent;
  }
  function holds(outer, inner) {
    for (let node = inner; node !== null; node = above(node)) if (node === outer) return !0;
    return !1;
  }
  function frameOf(document2) {
    try {
      return document2.defaultView?.frameElement ?? null;
    } catch {
      return null;
    }
  }
  function insideOf(frame2) {
    let box = frame2.getBoundingClientRect(), scale = frame2.offsetWidth > 0 ? box.width / frame2.offsetWidth : 1, style = getComputedStyle(frame2), inset = (side) => (parseFloat(style.getPropertyValue("border-" + side + "-width")) + parseFloat(style.getPropertyValue("padding-" + side))) * scale;
    return { x: box.x + inset("left"), y: box.y + inset("top"), scale };
  }
  function boxOf(element2) {
    let { x, y, width, height } = element2.getBoundingClientRect();
    return outwards(element2.ownerDocument, x, y, width, height);
  }
  function boxInFrame(frame2, x, y, width, height) {
    let inside = insideOf(frame2);
    return outwards(
      frame2.ownerDocument,
      inside.x + x * inside.scale,
      inside.y + y * inside.scale,
      width * inside.scale,
      height * inside.scale
    );
  }
  function outwards(document2, x, y, width, height) {
    let frame2 = frameOf(document2);
    if (frame2 !== null) return boxInFrame(frame2, x, y, width, height);
    let view = document2.defaultView;
    return [x, y, width, height, view.innerWidth, view.innerHeight].map((length) => Math.round(length) || 0);
  }
  function tagOf2(element2) {
    let id = element2.id ? "#" + element2.id : "", classes = !id && typeof element2.className == "string" && element2.className.trim() ? "." + element2.className.trim().split(/\s+/)[0] : "";
    return "<" + element2.localName + id + classes + ">";
  }

  // src/hit.ts
  function hitIn(document2, x, y) {
    let root2 = document2, hit = null;
    for (; ; ) {
      let next = root2.elementFromPoint(x, y);
      if (next === null || next === hit) return hit;
      hit = next;
      let shadow = shadowOf(next);
      if (shadow === null) return hit;
      root2 = shadow;
    }
  }
  var OBSTACLE_TEXT = 60;
  function obstacle(hit) {
    let whole = hit;
    for (let node = hit; node !== null; node = above(node))
      isElement(node) && node.localName !== "body" && node.localName !== "html" && /fixed|sticky/.test(getComputedStyle(node).position) && (whole = node);
    let text = (whole.getAttribute("aria-label") ?? whole.innerText ?? "").replace(/\s+/g, " ").trim();
    return text === "" ? tagOf2(whole) : tagOf2(whole) + " " + JSON.stringify(text.length > OBSTACLE_TEXT ? text.slice(0, OBSTACLE_TEXT) + "\u2026" : text);
  }
  var INTERACTIVE = "a[href],button,input,select,textarea,label,summary,option,[contenteditable],[onclick],[tabindex],[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=combobox],[role=gridcell]", ignoresPointer = (element2) => getComputedStyle(element2).pointerEvents === "none";
  function isPartOfControl(element2, hit) {
    let start = isShownChoice(element2, hit) ? above(element2) : element2;
    for (let node = start; node !== null; node = above(node))
      if (isElement(node) && node.matches(INTERACTIVE)) return !ignoresPointer(node) && holds(node, hit);
    return getComputedStyle(hit).cursor === "pointer";
  }
  var CONTROLS = "input:not([type=hidden]),select,textarea,button,a[href],[role=button],[role=combobox]";
  function isShownChoice(element2, hit) {
    return element2.localName !== "input" || !element2.readOnly ? !1 : Array.from(hit.querySelectorAll(CONTROLS)).every((other) => other === element2 || !other.checkVisibility());
  }
  function isLabelOfShape(element2, hit) {
    if (!(element2 instanceof SVGElement) || !(hit instanceof SVGElement) || !ignoresPointer(element2)) return !1;
    let group = element2.parentElement;
    for (; group !== null && group.localName === "g" && !holds(group, hit); ) group = group.parentElement;
    return group?.localName === "g" && holds(group, hit) && group.textContent?.trim() === element2.textContent?.trim();
  }
  var BOX = 4;
  function isShownValue(element2, hit) {
    if (element2.localName !== "input" || element2.getAttribute("role") !== "combobox") return !1;
    let box = element2.parentElement;
    for (let up = 1; up < BOX && box !== null && !holds(box, hit); up++) box = box.parentElement;
    if (box === null || !holds(box, hit) || /^(body|form|main|section|dialog|fieldset)$/.test(box.localName))
      return !1;
    for (let node = hit; node !== null && node !== box; node = above(node))
      if (isElement(node) && node.matches(INTERACTIVE)) return !1;
    let controls = box.querySelectorAll("input,select,textarea,button,a[href],[role=button],[role=combobox]");
    return Array.from(controls).every((control) => control === element2 || !control.checkVisibility());
  }
  var FILE_BOX = 3;
  function isOwnFileField(element2, hit) {
    if (hit.localName !== "input" || hit.type !== "file") return !1;
    let label = element2.closest("label");
    if (label !== null && label.control === hit) return !0;
    let box = hit.parentElement;
    for (let up = 1; up < FILE_BOX && box !== null && !holds(box, element2); up++) box = box.parentElement;
    if (box === null || !holds(box, element2) || /^(body|main|section|dialog|tr|ul|ol|table)$/.test(box.localName))
      return !1;
    let controls = box.querySelectorAll("input:not([type=hidden]),select,textarea,button,a[href],[role=button]");
    return Array.from(controls).every(
      (other) => other === hit || holds(element2, other) || holds(other, element2) || !other.checkVisibility()
    );
  }
  function receives(element2, hit) {
    if (holds(element2, hit) || isOwnFileField(element2, hit)) return !0;
    let label = hit.closest("label");
    return label !== null && label.control === element2 || isShownValue(element2, hit) || isLabelOfShape(element2, hit) ? !0 : holds(hit, element2) && ignoresPointer(element2) && isPartOfControl(element2, hit);
  }
  function points(element2, text) {
    let view = element2.ownerDocument.defaultView, parts = [], boxes2 = [...text?.getClientRects() ?? []].filter((box) => box.width >= 1 && box.height >= 1);
    for (let box of boxes2.length > 0 ? boxes2 : element2.getClientRects()) {
      let left = Math.max(box.left, 0), top = Math.max(box.top, 0), right = Math.min(box.right, view.innerWidth), bottom = Math.min(box.bottom, view.innerHeight);
      right - left >= 1 && bottom - top >= 1 && parts.push([left, top, right - left, bottom - top]);
    }
    parts.sort((a, b) => b[2] * b[3] - a[2] * a[3]);
    let found = [];
    for (let [left, top, width, height] of parts.slice(0, 3))
      for (let [across, down] of [
        [0.5, 0.5],
        [0.25, 0.5],
        [0.75, 0.5],
        [0.5, 0.2],
        [0.5, 0.8]
      ])
        found.push([left + width * across, top + height * down]);
    return found;
  }
  var COMMANDS = "a[href],button,input[type=button],input[type=submit],[role=button],[role=link],[role=menuitem],[role=tab],[role=switch]", INTERACTIVE_TAGS = "input,select,textarea,label,summary,option";
  function isOnInnerControl(element2, hit) {
    if (element2.matches(INTERACTIVE_TAGS) || element2.matches(COMMANDS)) return !1;
    for (let node = hit; node !== null && node !== element2; node = above(node))
      if (isElement(node) && node.matches(COMMANDS)) return !0;
    return !1;
  }
  function ownText2(element2) {
    if (element2.matches(INTERACTIVE_TAGS) || element2.matches(COMMANDS)) return null;
    let walker = element2.ownerDocument.createTreeWalker(element2, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      let parent = node.parentElement;
      if (parent === null || node.data.trim() === "" || isOnInnerControl(element2, parent)) continue;
      let range = element2.ownerDocument.createRange();
      return range.selectNodeContents(node), range;
    }
    return null;
  }
  function tryPoints(element2, text) {
    let by = null, through = !1, onControl = null, own2 = text === null ? ownText2(element2) : null, inText = own2 === null ? [] : points(element2, own2);
    for (let [x, y] of [...points(element2, text), ...inText]) {
      let wanted = element2, hit = hitIn(element2.ownerDocument, x, y), reached = hit !== null && receives(element2, hit), isOnControl = reached && hit !== null && isOnInnerControl(element2, hit);
      for (let frame2 = frameOf(element2.ownerDocument); reached && frame2 !== null; frame2 = frameOf(frame2.ownerDocument)) {
        let inside = insideOf(frame2);
        [x, y] = [inside.x + x * inside.scale, inside.y + y * inside.scale], wanted = frame2, hit = hitIn(frame2.ownerDocument, x, y), reached = hit === wanted;
      }
      if (reached && !isOnControl) return { x, y };
      if (reached) {
        onControl ?? (onControl = { x, y });
        continue;
      }
      hit !== null && by === null && (by = obstacle(hit), through = hit.ownerDocument === element2.ownerDocument && ignoresPointer(element2) && !hitIn(element2.ownerDocument, x, y)?.closest("dialog"));
    }
    return onControl !== null ? onControl : by === null ? null : { by, through };
  }
  function hitTarget(element2, text = null) {
    let first = null;
    for (let block of [null, "center", "end", "start"]) {
      block !== null && (text?.startContainer.parentElement ?? element2).scrollIntoView({ block, inline: "nearest", behavior: "instant" });
      let hit = tryPoints(element2, text);
      if (hit !== null && "x" in hit) return hit;
      first ?? (first = hit);
    }
    return first;
  }

  // src/control.ts
  function isDisabled(element2) {
    if (element2.matches(":disabled")) return !0;
    for (let node = element2; node !== null; node = node.parentElement)
      if (node.getAttribute("aria-disabled") === "true") return !0;
    return !1;
  }
  var FIELDS = "input:not([type=hidden]),select,textarea,[contenteditable],[role=textbox],[role=searchbox],[role=combobox],[role=listbox],[role=spinbutton],[role=slider],[role=checkbox],[role=radio],[role=switch]";
  function labelledField(element2) {
    if (element2.id === "" || element2.matches(INTERACTIVE)) return null;
    let root2 = element2.getRootNode(), labelled = Array.from(root2.querySelectorAll("[aria-labelledby]")).filter(
      (other) => other.matches(FIELDS) && other.getAttribute("aria-labelledby")?.split(/\s+/).includes(element2.id)
    ), fields = labelled.filter((field) => !(field.matches("[role=listbox]") && labelled.length > 1));
    return fields.length === 1 ? fields[0] : null;
  }
  function controlOf(element2) {
    return element2.localName === "label" && element2.control !== null ? element2.control : labelledField(element2) ?? element2;
  }
  function clickedBy(element2) {
    let label = element2.closest("label");
    return label?.control && element2.closest(INTERACTIVE) === label ? label.control : controlOf(element2);
  }
  var PRESSED = "a[href],button,summary,option,[role=button],[role=link],[role=tab],[role=option],[role=menuitem],[role=menuitemcheckbox],[role=menuitemradio],[role=treeitem],[role=checkbox],[role=radio],[role=switch]";
  function withControl(element2, isField4) {
    let control = isField4 ? controlOf(element2) : clickedBy(element2), pressed2 = element2.closest(PRESSED);
    return isField4 || pressed2 === null ? [element2, control] : [element2, control, pressed2];
  }
  function standIn(element2) {
    return ["checkbox", "radio"].includes(element2.type) && !visible(element2) && Array.from(element2.labels ?? []).find(visible) || element2;
  }
  var DOT = 2, AROUND = 2;
  function drawingOf(control) {
    let { width, height } = control.getBoundingClientRect();
    if (!(width <= DOT && height <= DOT || getComputedStyle(control).opacity === "0")) return null;
    let box = above(control);
    for (let up = 0; up < AROUND && isElement(box); up++, box = above(box)) {
      if (box.querySelectorAll("input:not([type=hidden]),select,textarea,button,[role=button],a[href]").length !== 1 || /^(td|th|tr|li|form|body)$/.test(box.localName)) return null;
      let drawn = Array.from(box.children).find((other) => {
        let { width: width2, height: height2 } = other.getBoundingClientRect();
        return !other.contains(control) && visible(other) && width2 > DOT && height2 > DOT;
      });
      if (drawn !== void 0) return drawn;
    }
    return null;
  }

  // src/capture-states.ts
  var ERROR_CLASS = /^(?!(no|non|ng|btn|button|badge|icon|bg|tag|label)[-_])(.*[-_])?(errors?|errorlist|invalid|failure|failed)([-_].*)?$|^(alert|toast|notification|message|notice|flash|is)[-_](danger|error)$|^mui\w+-(standard|filled|outlined|color)error$/i, styledAsError = /* @__PURE__ */ new Map();
  function isErrorStyled(element2) {
    let names2 = element2.getAttribute("class");
    if (names2 === null || names2 === "") return !1;
    let known = styledAsError.get(names2);
    return known === void 0 && (styledAsError.size > 5e3 && styledAsError.clear(), known = names2.split(/\s+/).some((name) => ERROR_CLASS.test(name)), styledAsError.set(names2, known)), known;
  }
  var UNWRITABLE = new Set("button submit reset image checkbox radio range file color hidden".split(" "));
  function controlStates(element2, tag) {
    let bits = 0;
    switch (tag) {
      case "input": {
        let input = element2, type = input.type;
        (type === "checkbox" || type === "radio") && (input.checked && (bits |= 2), input.indeterminate && type === "checkbox" && (bits |= 4)), input.required && (bits |= 256), UNWRITABLE.has(type) || (bits |= input.readOnly ? 512 : 4096), input.multiple && (bits |= 8192);
        break;
      }
      case "textarea": {
        let area = element2;
        bits |= area.readOnly ? 512 : 4096, area.required && (bits |= 256);
        break;
      }
      case "select":
        element2.multiple && (bits |= 8192), element2.required && (bits |= 256);
        break;
      case "summary": {
        let details = element2.parentElement;
        return details?.localName === "details" && (bits |= details.open ? 16 : 32), bits;
      }
      case "button":
        break;
      default:
        return bits;
    }
    return element2.matches(":disabled") ? bits |= 8 : tag !== "button" && element2.matches(":user-invalid") && (bits |= 1024), bits;
  }
  function ariaStates(element2) {
    let bits = 0, is = (name) => element2.getAttribute(name), checked = is("aria-checked");
    checked === "true" ? bits |= 2 : checked === "mixed" && (bits |= 4);
    let expanded = is("aria-expanded");
    expanded === "true" ? bits |= 16 : expanded === "false" && (bits |= 32), is("aria-disabled") === "true" && (bits |= 8), is("aria-selected") === "true" && (bits |= 64);
    let pressed2 = is("aria-pressed");
    pressed2 === "true" ? bits |= 128 : pressed2 === "mixed" && (bits |= 4), is("aria-required") === "true" && (bits |= 256), is("aria-readonly") === "true" && (bits |= 512);
    let invalid = is("aria-invalid");
    invalid !== null && invalid !== "false" && invalid !== "" && (bits |= 1024);
    let current = is("aria-current");
    current !== null && current !== "false" && current !== "" && (bits |= 65536);
    let sort = is("aria-sort");
    return sort === "ascending" ? bits |= 4194304 : sort === "descending" && (bits |= 8388608), is("aria-busy") === "true" && (bits |= 131072), is("aria-multiselectable") === "true" && (bits |= 8192), bits;
  }

  // src/capture-transient.ts
  var MESSAGE = "[role=alert],[role=alertdialog],[role=status],[aria-live=polite],[aria-live=assertive],output,[role=progressbar],progress,[aria-busy=true]", BUSY = "[role=progressbar],progress,[aria-busy=true]", MESSAGE_CLASS = /toast|snackbar|notification|(^|[\s_-])(message|notice|alert|flash|spinner|spin|loader|loading|throbber|busy)([\s_-]|$)/i, SPINNER_CLASS = /(^|[\s_-])(spinner|loader|loading|throbber|busy)([\s_-]|$)/i, WATCHED = {
    subtree: !0,
    childList: !0,
    characterData: !0,
    attributes: !0,
    attributeFilter: ["class", "style", "hidden", "open", "aria-busy", "aria-hidden"]
  }, LOOKS = 400, LOADING_LOOKS = 60, MOST2 = 30, LENGTH = 200, SHORT = 80, shown = /* @__PURE__ */ new Map(), disowned = /* @__PURE__ */ new WeakSet(), looks = LOADING_LOOKS, acted = !1, observer = new MutationObserver(look);
  observer.observe(document, WATCHED);
  function forgetTransients() {
    observer.disconnect(), observer.takeRecords(), shown = /* @__PURE__ */ new Map(), disowned = /* @__PURE__ */ new WeakSet(), looks = LOOKS, acted = !0, observer.observe(document, WATCHED);
  }
  function disown(node) {
    for (let up = node; up !== null; up = up.parentNode)
      up.nodeType === 1 && (up === node || up === node.parentNode || isMessage(up)) && disowned.add(up);
  }
  var isDisowned = (node) => disowned.has(node), isSpinner = (element2) => element2.matches(BUSY) || [element2.id, classOf(element2)].some((name) => SPINNER_CLASS.test(name)), classOf = (element2) => element2.getAttribute("class") ?? "", isMessage = (element2) => element2.matches(MESSAGE) || MESSAGE_CLASS.test(classOf(element2));
  function messageAround(node) {
    for (let up = node; up !== null; up = up.parentNode)
      if (up.nodeType === 1 && isMessage(up)) return up;
    return null;
  }
  function look(records2) {
    let found = /* @__PURE__ */ new Set();
    for (let record of records2) {
      if (looks - found.size <= 0) break;
      let around = messageAround(record.target);
      around !== null && found.add(around);
      for (let node of record.type === "childList" ? record.addedNodes : [record.target]) {
        if (node.nodeType !== 1) {
          acted && node.parentElement !== null && found.add(node.parentElement);
          continue;
        }
        let element2 = node;
        if ((isMessage(element2) || acted) && found.add(element2), around !== null || element2.firstElementChild === null) continue;
        let inner = 0;
        for (let below of element2.querySelectorAll("[role],[aria-live],[aria-busy],[class],output,progress")) {
          if (++inner > 50) break;
          isMessage(below) && found.add(below);
        }
      }
    }
    for (let element2 of found) {
      if (looks-- <= 0) return observer.disconnect();
      note(element2);
    }
  }
  var isShown = (element2) => element2.isConnected && element2.checkVisibility({ visibilityProperty: !0 });
  function note(element2) {
    if (!isShown(element2)) return;
    let message = isMessage(element2), given = roleOf(element2, element2.localName, element2.getAttribute("role")), label = [element2.id, classOf(element2)].find((name) => SPINNER_CLASS.test(name)) ?? "", busy = element2.getAttribute("aria-busy") === "true", text = textOf(element2);
    if (text.length > (message ? LENGTH : SHORT)) {
      if (label === "" && !busy) return;
      text = "";
    }
    let role = message ? given === "" || given === "generic" ? text === "" ? "generic" : "status" : given : "text";
    if (text === "" && role !== "progressbar" && label === "" && !busy) return;
    let texts = shown.get(element2) ?? /* @__PURE__ */ new Map();
    texts.size < 5 && texts.set(text, { role, label, error: isErrorStyled(element2), busy, text }), shown.set(element2, texts);
  }
  function transients() {
    look(observer.takeRecords());
    let gone = [];
    for (let [element2, texts] of shown) {
      if (disowned.has(element2)) continue;
      let there = isShown(element2), now = there ? textOf(element2) : "";
      for (let [text, transient] of texts)
        !(there && now.includes(text) && (!transient.busy || element2.getAttribute("aria-busy") === "true")) && gone.length < MOST2 && !gone.some((other) => other.text === text && other.role === transient.role && text !== "") && gone.push(transient);
    }
    return gone;
  }

  // src/tracker-channel.ts
  var LIST = {
    encode: (list) => list.join(`
`),
    decode: (text) => text.split(`
`).filter((line) => line !== "")
  }, TASKS = {
    encode: ({ pending, downloads, leaves, calm, what }) => [pending, downloads, leaves ? 1 : 0, calm ? 1 : 0, what].join(" "),
    decode: (text) => {
      let [pending, downloads, leaves, calm, ...what] = text.split(" ");
      return {
        pending: Number(pending),
        downloads: Number(downloads),
        leaves: leaves === "1",
        calm: calm === "1",
        what: what.join(" ")
      };
    }
  }, CODECS = { tasks: TASKS, saves: LIST, strays: LIST }, eventName = (key2, event) => key2 + "-" + event, questionName = (key2, question) => key2 + "-ask-" + question, answerName = (key2, question) => key2 + "-answer-" + question;
  function ask(key2, view, question) {
    let answer = null, listen = (event) => answer = String(event.detail), name = answerName(key2, question);
    return view.addEventListener(name, listen, { once: !0 }), view.dispatchEvent(new Event(questionName(key2, question))), view.removeEventListener(name, listen), answer === null ? null : CODECS[question].decode(answer);
  }
  var TEXT2 = "editor-text";
  function askText(key2, editor) {
    let text = null, listen = (event) => {
      let { detail } = event;
      typeof detail == "string" && (text = detail);
    }, name = key2 + "-answer-" + TEXT2, view = editor.ownerDocument.defaultView;
    return view?.addEventListener(name, listen, { once: !0 }), editor.dispatchEvent(new Event(key2 + "-ask-" + TEXT2, { composed: !0 })), view?.removeEventListener(name, listen), text;
  }

  // src/click-listeners.ts
  var MOST_TEXT = 80, MOST_ELEMENTS = 4, MOST_SHAPES = 40, CONTROLS2 = "a,button,input,select,textarea,label,iframe,[role],[tabindex],[contenteditable]", listening = /* @__PURE__ */ new WeakSet(), any = !1;
  function watchClickListeners(key2) {
    addEventListener(
      eventName(key2, "listens"),
      (event) => {
        listening.add(event.composedPath()[0]), any = !0;
      },
      { capture: !0 }
    );
  }
  function hasClickListener(element2) {
    return !any || !listening.has(element2) ? !1 : element2.textContent.trim().length <= MOST_TEXT && element2.getElementsByTagName("*").length <= (element2 instanceof SVGElement ? MOST_SHAPES : MOST_ELEMENTS) && element2.querySelector(CONTROLS2) === null;
  }
  function hasListeningParts(element2) {
    if (!any) return !1;
    for (let part of element2.children) if (listening.has(part)) return !0;
    return !1;
  }

  // src/editor.ts
  var CODE = ".monaco-editor,.CodeMirror,.cm-editor,.ace_editor", codeEditor = (element2) => element2.closest(CODE);
  function editorInput(editor) {
    return editor.querySelector(
      ".native-edit-context,textarea.inputarea,.cm-content,textarea.ace_text-input,.CodeMirror textarea,textarea"
    );
  }
  var channel = "";
  function askForTexts(key2) {
    channel = key2;
  }
  function codeText(element2) {
    let editor = codeEditor(element2);
    return editor === null || element2 !== editor && element2 !== editorInput(editor) ? null : (channel === "" ? null : askText(channel, editor)) ?? editorText(editor);
  }
  var LINES = ".view-lines > .view-line,.CodeMirror-code .CodeMirror-line,.cm-content > .cm-line,.ace_text-layer .ace_line";
  function drawnLines(editor) {
    return Array.from(editor.querySelectorAll(LINES)).filter((line) => line.parentElement?.closest(".ace_line") === null).map((line) => ({ line, box: line.getBoundingClientRect() })).sort((one, other) => one.box.top - other.box.top);
  }
  var shownLines = (editor) => drawnLines(editor).map(
    ({ line }) => (line.textContent ?? "").replace(/\u00a0/g, " ").replace(/[\u200b\ufeff]/g, "").replace(/\s+$/, "")
  ), WHOLE = ".view-lines,.CodeMirror-sizer,.cm-content,.ace_scrollbar-v > .ace_scrollbar-inner", NUMBERS = ".line-numbers,.CodeMirror-linenumber,.cm-lineNumbers > .cm-gutterElement,.ace_gutter-cell";
  function drawnPart(editor) {
    let drawn = drawnLines(editor), whole = editor.querySelector(WHOLE);
    if (drawn.length === 0 || whole === null) return "";
    let height = Math.min(...drawn.map(({ box }) => box.height));
    if (!(height > 0)) return "";
    let view = editor.getBoundingClientRect(), first = firstNumber(editor, whole, drawn[0].box.top, height), last3 = first + drawn.length - 1, endsInView = drawn[drawn.length - 1].box.bottom < view.bottom - height, beyond = editor.matches(".monaco-editor") ? view.height - height : 0, total = endsInView ? last3 : Math.max(last3, Math.round((whole.offsetHeight - beyond) / height));
    return first === 1 && total <= last3 + 1 ? "" : `lines ${first}\u2013${last3} of about ${total}`;
  }
  function firstNumber(editor, whole, top, height) {
    for (let number of editor.querySelectorAll(NUMBERS))
      if (Math.abs(number.getBoundingClientRect().top - top) < height / 2 && /^\s*\d+\s*$/.test(number.textContent ?? ""))
        return Number(number.textContent);
    let bar = whole.closest(".ace_scrollbar-v"), above2 = bar === null ? top - whole.getBoundingClientRect().top : bar.scrollTop;
    return Math.max(0, Math.round(above2 / height)) + 1;
  }
  var squeeze2 = (text) => text.replace(/\s+/g, "");
  function editorText(element2) {
    let editor = codeEditor(element2);
    return editor === null ? element2.innerText ?? element2.textContent ?? "" : shownLines(editor).join(`
`);
  }
  function showsCode(element2, text) {
    let lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/\u00a0/g, " ").replace(/\s+$/, "")), shown2 = shownLines(codeEditor(element2));
    for (; lines.length > 1 && lines[lines.length - 1] === ""; ) lines.pop();
    for (; shown2.length > 1 && shown2[shown2.length - 1] === ""; ) shown2.pop();
    if (shown2.length === 0) return lines.join("") === "";
    if (shown2.length === lines.length) return shown2.every((line, at) => line === lines[at]);
    if (shown2.length > lines.length) return squeeze2(shown2.join("")) === squeeze2(lines.join(""));
    let needle = `
` + shown2.join(`
`) + `
`;
    return shown2.length >= 5 && (`
` + lines.join(`
`) + `
`).includes(needle);
  }
  function paste(input, text) {
    let data = new DataTransfer();
    return data.setData("text/plain", text), !input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData: data, bubbles: !0, cancelable: !0, composed: !0 })
    );
  }

  // src/capture-churn.ts
  var REMOVED = 50, LENGTH2 = 200, SHOWN = 200, since = nothing(), last2 = null, key = "", hover = !1, pressed = !1, observer2 = new MutationObserver(noteAll);
  function nothing() {
    return {
      changed: /* @__PURE__ */ new WeakSet(),
      shown: /* @__PURE__ */ new Map(),
      any: !1,
      title: !1,
      removed: /* @__PURE__ */ new Set()
    };
  }
  function watchChurn(given) {
    if (key !== "") return;
    key = given, watchClickListeners(key), askForTexts(key);
    let options = { subtree: !0, childList: !0, characterData: !0 };
    addEventListener(eventName(key, "own"), () => observer2.observe(document, options)), addEventListener(eventName(key, "hover"), () => {
      hover = !0, observer2.observe(document, { ...options, attributes: !0 });
    }), addEventListener(eventName(key, "owned"), () => {
      noteAll(observer2.takeRecords()), observer2.disconnect(), hover = !1;
    }), addEventListener(
      "beforetoggle",
      (event) => hover && event.newState === "open" && note2(event.target),
      { capture: !0 }
    );
  }
  function expectHover(view) {
    pressed = !1, view.dispatchEvent(new Event(eventName(key, "press")));
  }
  function noteHovered(document2) {
    pressed = !0;
    let selectors = hoverSelectors(document2);
    if (selectors !== "")
      for (let element2 of document2.querySelectorAll(selectors)) noteShown(element2);
  }
  function noteAll(records2) {
    for (let record of records2) {
      record.type === "attributes" && noteAttribute(record.target), record.type === "characterData" && note2(record.target.parentElement);
      for (let node of record.addedNodes) note2(node.nodeType === 1 ? node : record.target);
      for (let node of record.removedNodes) noteRemoved(node);
    }
  }
  function noteAttribute(element2) {
    element2.checkVisibility() ? (!pressed || !element2.matches(":hover")) && noteShown(element2) : noteRemoved(element2);
  }
  function noteShown(element2) {
    since.shown.size >= SHOWN || (since.any = !0, disown(element2), since.shown.set(element2, textIn(element2)));
  }
  var textIn = (node) => (node.textContent ?? "").slice(0, LENGTH2 * 4).replace(/\s+/g, " ").trim();
  function note2(node) {
    node !== null && (since.any = !0, node.localName === "title" ? since.title = !0 : hover ? noteShown(node) : (disown(node), since.changed.add(node)));
  }
  function noteRemoved(node) {
    let text = textIn(node).slice(0, LENGTH2);
    text === "" || since.removed.size >= REMOVED || (since.any = !0, since.removed.add(text));
  }
  function takeChurn(given) {
    if (given === void 0) return last2;
    watchChurn(given);
    let { changed: changed2, shown: shown2, any: any2, title, removed: removed2 } = since;
    return last2 = any2 ? { has: (node) => changed2.has(node) || shown2.get(node) === textIn(node), title, removed: removed2 } : null, any2 && (since = nothing()), dispatchEvent(new Event(eventName(key, "read"))), last2;
  }

  // src/equivalent.ts
  var MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], plain = (text) => text.normalize("NFKC").replace(/\u200b|\u200c|\u200d|\ufeff/g, "").replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'").replace(/[–—]/g, "-").replace(/\s+/g, " ").trim(), bare = (text) => plain(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""), ignoresCase = (text) => /\p{N}|^\S{1,4}$|@|^https?:/u.test(text) && !/\s\S+\s/.test(text);
  function numbers2(text) {
    let digits = text.replace(/^[A-Z]{3}(?=[\s\d+-])|(?<=[\s\d])[A-Z]{3}$/g, "").replace(/[\p{Sc}%\s'’_]/gu, "").replace(/^\+/, "");
    if (!/^-?(\d[\d.,]*|[.,]\d+)$/.test(digits) || digits.replace(/\D/g, "").length > 15 || /^-?0\d/.test(digits)) return null;
    let separators = digits.replace(/[\d-]/g, ""), decimal = (at2) => +(digits.slice(0, at2).replace(/[.,]/g, "") + "." + digits.slice(at2 + 1)), grouped = /^-?\d{1,3}([.,]\d{3})+$/.test(digits), whole = Number(digits.replace(/[.,]/g, ""));
    if (separators === "") return [whole];
    if (separators.length === 1)
      return grouped && !/^-?0/.test(digits) ? [whole, decimal(digits.search(/[.,]/))] : [decimal(digits.search(/[.,]/))];
    let last3 = separators[separators.length - 1];
    if (new Set(separators).size === 1) return grouped ? [whole] : null;
    let at = digits.lastIndexOf(last3);
    return separators.split(last3).length !== 2 || !/^-?\d{1,3}([.,]\d{3})+$/.test(digits.slice(0, at)) ? null : [decimal(at)];
  }
  function sameDate(date, actual) {
    let [year, month, day] = date.split("-").map(Number), names2 = Array.from(
      actual.toLowerCase().matchAll(/\p{L}{3,}/gu),
      (found2) => MONTHS.indexOf(found2[0].slice(0, 3))
    ).filter((at) => at >= 0), found = Array.from(actual.matchAll(/\d+/g), (digits) => Number(digits[0])), take = (wanted) => {
      let at = found.indexOf(wanted);
      return at >= 0 && found.splice(at, 1), at >= 0;
    };
    return (names2.length > 0 ? !names2.includes(month - 1) : !take(month)) ? !1 : take(day) && (take(year) || take(year % 100));
  }
  function minutes(text) {
    let found = /^\s*(\d{1,2})(?:\s*[:.h]\s*(\d{2})(?::\d{2}(?:\.\d+)?)?)?\s*([ap])?\.?m?\.?\s*$/i.exec(text);
    if (!found) return null;
    let half = found[3]?.toLowerCase();
    return (Number(found[1]) % (half ? 12 : 24) + (half === "p" ? 12 : 0)) * 60 + Number(found[2] ?? 0);
  }
  function isCode(text) {
    let digits = text.replace(/\P{N}/gu, "").length;
    return digits > 0 && text.replace(/\P{L}/gu, "").length <= Math.max(digits, 6);
  }
  function equivalent(wanted, actual, readings = {}) {
    if (plain(wanted) === plain(actual)) return !0;
    let [a, b] = [plain(wanted).toLowerCase(), plain(actual).toLowerCase()];
    if (a === b) return ignoresCase(wanted.trim());
    if (a === "" || b === "") return !1;
    if (readings.date && !readings["datetime-local"] && sameDate(readings.date, actual) || readings.time && minutes(actual) !== null && minutes(actual) === minutes(readings.time)) return !0;
    let [x, y] = [bare(wanted), bare(actual)];
    if (isCode(a) && (prefixed(y, b, x) || prefixed(x, a, y))) return !0;
    let [m, n] = [numbers2(wanted), numbers2(actual)];
    return m !== null && n !== null ? m.some((value) => n.includes(value)) : b.replace(/^https?:\/\//, "").replace(/\/$/, "") === a.replace(/\/$/, "") ? !0 : isCode(a) && x !== "" && x === y;
  }
  function prefixed(long, text, short) {
    let code = long.slice(0, Math.max(0, long.length - short.length));
    return text.startsWith("+") && /^\d{1,3}$/.test(code) && long === code + short && short.length >= 7;
  }
  var DAY = "d{1,2}|t{1,2}|j{1,2}", MONTH = "m{1,2}", YEAR = "[yja]{4}|y{2}", BETWEEN = "\\s?[./-]\\s?", TOKENS = [
    [new RegExp(`(?<![a-z])(${YEAR})(${BETWEEN})(${MONTH})\\2(${DAY})(?![a-z])`, "i"), "ymd"],
    [new RegExp(`(?<![a-z])(${DAY})(${BETWEEN})(${MONTH})\\2(${YEAR})(?![a-z])`, "i"), "dmy"],
    [new RegExp(`(?<![a-z])(${MONTH})(${BETWEEN})(${DAY})\\2(${YEAR})(?![a-z])`, "i"), "mdy"]
  ];
  function dateLike(date, hint) {
    let [year, month, day] = date.split("-"), write = (order2, between2, lengths) => Array.from(order2, (part) => {
      let text = part === "y" ? year.slice(-lengths.y) : String(Number(part === "m" ? month : day));
      return part === "y" ? text : text.padStart(lengths[part], "0");
    }).join(between2);
    for (let [tokens, order2] of TOKENS) {
      let found = tokens.exec(hint);
      if (found)
        return write(order2, found[2], {
          [order2[0]]: found[1].length,
          [order2[1]]: found[3].length,
          [order2[2]]: found[4].length
        });
    }
    let example = /(?<!\d)(\d{1,4})([./-]\s?)(\d{1,2})\2(\d{1,4})(?!\d)/.exec(hint);
    if (!example) return null;
    let [, first, between, second, third] = example;
    if (first.length === 4) return write("ymd", between, { y: 4, m: second.length, d: third.length });
    if (third.length !== 4 || first.length > 2) return null;
    let order = Number(first) > 12 || between.trim() === "." ? "dmy" : Number(second) > 12 ? "mdy" : null;
    return order && write(order, between, { [order[0]]: first.length, [order[1]]: second.length, y: 4 });
  }

  // src/focus.ts
  function active() {
    let document2 = window.document;
    for (; ; ) {
      let element2 = document2.activeElement;
      for (let root2 = element2 && shadowOf(element2); root2?.activeElement; root2 = element2 && shadowOf(element2))
        element2 = root2.activeElement;
      if (element2 === null) return document2.body ?? document2.documentElement;
      let inner = null;
      if ((element2.localName === "iframe" || element2.localName === "frame") && (inner = element2.contentDocument), inner === null) return element2;
      document2 = inner;
    }
  }
  function hasFocus(element2) {
    let node = element2;
    for (; node !== null; ) {
      let root2 = node.getRootNode();
      if (root2.activeElement !== node && !(root2.activeElement?.contains(node) && root2.activeElement.isContentEditable))
        return !1;
      node = root2.nodeType === 9 ? frameOf(root2) : root2.host;
    }
    return !0;
  }
  function follows(from, to) {
    let [full, next] = [from, to];
    if (full.localName !== "input" || next.localName !== "input" || full.ownerDocument !== next.ownerDocument)
      return !1;
    let around = full.closest("form,fieldset,[role=group]") ?? full.parentElement?.parentElement;
    return full.maxLength > 0 && full.value.length >= full.maxLength && next.maxLength > 0 && !!around?.contains(next) && next.type !== "password" == (full.type !== "password");
  }
  var bound = null, watched = /* @__PURE__ */ new WeakSet(), MODIFIER = /^(Control|Shift|Alt|Meta)$/;
  function bind(element2, once = !1) {
    return element2 !== null && watch(element2.ownerDocument.defaultView), bound = { element: element2, once, parts: element2 === null ? [] : [element2] }, bound;
  }
  function unbind() {
    bound = null;
  }
  function suppressInput({ durationMs }) {
    let binding = bind(null);
    setTimeout(() => bound === binding && unbind(), durationMs);
  }
  function keep(event) {
    if (bound === null || !event.isTrusted) return;
    let { element: element2 } = bound;
    if (element2 !== null && bound.strayed === void 0) {
      if (hasFocus(bound.parts[bound.parts.length - 1])) {
        bound.once && event.type === "keydown" && !MODIFIER.test(event.key) && unbind();
        return;
      }
      let now = active();
      if (follows(bound.parts[bound.parts.length - 1], now)) {
        bound.parts.push(now);
        return;
      }
      bound.strayed = describe(now);
    }
    event.preventDefault(), event.stopImmediatePropagation();
  }
  function watch(view) {
    if (!watched.has(view)) {
      watched.add(view);
      for (let type of ["keydown", "keypress", "beforeinput"])
        view.addEventListener(type, keep, { capture: !0, passive: !1 });
    }
  }
  watch(window);

  // src/outcome.ts
  var check = null;
  function checkAtRest(next) {
    check = next;
  }
  var frame = () => new Promise((resolve) => {
    requestAnimationFrame(resolve), setTimeout(resolve, 50);
  });
  async function inputOutcome() {
    if (check === null) return null;
    let mine = check, now = await mine();
    for (let frames = 0; frames < 2 && now?.kind === "differs"; frames++)
      await frame(), now = await mine();
    return now;
  }

  // src/field.ts
  var SET = { step: "set" }, NATIVE = /^(date|time|datetime-local|month|week|color|range)$/, CLIP = 300, isField = (element2) => element2.localName === "input" || element2.localName === "textarea", isEditable = (element2) => isField(element2) || element2.isContentEditable || !!element2.editContext, clip = (text) => text.length > CLIP ? text.slice(0, CLIP) + "\u2026" : text;
  function inputOf2(element2) {
    if (element2.localName === "iframe") {
      let body = element2.contentDocument?.body;
      if (body?.isContentEditable) return body;
    }
    if (isEditable(element2)) return element2;
    let editor = element2.matches(".monaco-editor,.CodeMirror,.cm-editor,.ace_editor") ? element2 : element2.querySelector(".monaco-editor,.CodeMirror,.cm-editor,.ace_editor"), input = editor && editorInput(editor);
    if (input) return input;
    let found = [], within3 = (root2) => {
      for (let inner of root2.querySelectorAll("*")) {
        if (found.length > 1) return;
        let shadow = shadowOf(inner);
        shadow && within3(shadow);
        let host3 = inner.parentElement;
        (inner.localName === "textarea" || inner.localName === "input" && !/^(button|submit|reset|image|checkbox|radio|file|hidden)$/.test(inner.type) || inner.isContentEditable && !host3?.isContentEditable) && visible(inner) && found.push(inner);
      }
    }, own2 = shadowOf(element2);
    return own2 && within3(own2), within3(element2), found.length === 1 ? found[0] : element2;
  }
  function setNative(input, value) {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(input), "value").set.call(input, value), input.dispatchEvent(new Event("input", { bubbles: !0, composed: !0 })), input.dispatchEvent(new Event("change", { bubbles: !0 }));
  }
  var WRITTEN = {
    date: "a date, written 2026-12-31",
    month: "a month, written 2026-12",
    week: "a week, written 2026-W52",
    time: "a time, written 17:30",
    "datetime-local": "a date and a time, written 2026-12-31T17:30",
    color: "a colour, written #ff0000",
    range: "a number",
    number: "a number such as 1234.5, without groups of thousands"
  };
  function hex(text, document2) {
    if (/^#[\da-f]{6}$/i.test(text.trim()) || !CSS.supports("color", text)) return text.trim().toLowerCase();
    let context = document2.createElement("canvas").getContext("2d");
    return context === null ? text : (context.fillStyle = text, String(context.fillStyle));
  }
  function accepted(input, entry) {
    let type = input.type, read2 = type === "range" || type === "number" ? entry.readings?.number : entry.readings?.[type], value = type === "color" ? hex(entry.text, input.ownerDocument) : read2 ?? entry.text.trim();
    if (value === "") return { value };
    let copy = input.ownerDocument.createElement("input");
    copy.type = type;
    for (let name of ["min", "max", "step"])
      input.hasAttribute(name) && copy.setAttribute(name, input.getAttribute(name));
    copy.value = value;
    let [min, max, step] = [copy.min, copy.max, copy.step].map((text) => text && " " + text), limits = (min && " from" + min) + (max && (min ? " to" : " up to") + max) + (step && step !== " any" ? " in steps of" + step : "");
    return type === "range" ? copy.value === "" || Number.isNaN(Number(value)) || Number(copy.value) !== Number(value) ? {
      accepts: "a number from " + (copy.min || "0") + " to " + (copy.max || "100") + " in steps of " + (copy.step || "1")
    } : { value: copy.value } : copy.value === "" || type === "color" && copy.value !== value ? { accepts: WRITTEN[type] + limits } : type !== "number" && !copy.validity.valid ? { accepts: WRITTEN[type] + limits } : { value: copy.value };
  }
  function inFormat(field, entry) {
    let date = entry.readings?.date;
    if (!date || field.localName !== "input" || entry.readings?.["datetime-local"]) return entry.text;
    let described2 = (field.getAttribute("aria-describedby") ?? "").split(/\s+/).map((id) => id && field.ownerDocument.getElementById(id)?.textContent || ""), hints = [
      field.placeholder,
      field.getAttribute("data-date-format"),
      field.getAttribute("data-format"),
      field.title,
      ...described2,
      ...Array.from(field.labels ?? [], (label) => label.textContent),
      field.getAttribute("aria-label"),
      /^[\s\d./-]+$/.test(field.value) ? field.value : ""
    ];
    for (let hint of hints) {
      let written = hint && dateLike(date, hint);
      if (written) return written;
    }
    return entry.text;
  }
  var isPicker = (field) => field.localName === "input" && (/date|time|calendar|picker|hh?:mm/i.test(
    [field.id, field.name, field.className, field.placeholder, field.getAttribute("data-date-format")].join(" ")
  ) || /\b(date|time|day)\b/i.test(
    [field.getAttribute("aria-label"), ...Array.from(field.labels ?? [], (label) => label.textContent)].join(" ")
  ) || /^(dialog|grid|true)$/.test(field.getAttribute("aria-haspopup") ?? "") || /\b[dmy]{2,4}[./-]/i.test(field.placeholder) || field.closest('[class*="picker" i]') !== null), isPicked = (field, entry) => !!(entry.readings?.date || entry.readings?.time || entry.readings?.["datetime-local"]) && isPicker(field), textHeldBy = (element2) => isField(element2) ? codeEditor(element2) ? editorText(element2) : element2.value : editorText(element2);
  function twin(element2) {
    if (element2.isConnected) return element2;
    let field = element2, document2 = element2.ownerDocument, by = element2.id ? "#" + CSS.escape(element2.id) : field.name ? element2.localName + '[name="' + CSS.escape(field.name) + '"]' : null;
    if (by !== null) {
      let found = document2.querySelectorAll(by);
      return found.length === 1 && isEditable(found[0]) ? found[0] : null;
    }
    let description = described.get(element2), alike = Array.from(document2.querySelectorAll(element2.localName)).filter(
      (other) => visible(other) && describe(other) === description
    );
    return description?.includes('"') && alike.length === 1 ? alike[0] : null;
  }
  var described = /* @__PURE__ */ new WeakMap();
  function isTaken(element2, text) {
    let words = text.replace(/[\s,;]+/g, " ").trim().toLowerCase();
    if (words === "" || !isField(element2) || element2.value !== "") return !1;
    let around = element2.parentElement;
    for (let up = 0; up < 2 && around !== null; up++, around = around.parentElement)
      if ((around.innerText ?? "").replace(/[\s,;]+/g, " ").toLowerCase().includes(words))
        return !0;
    return !1;
  }
  function isCompleted(field, text) {
    let { value, selectionStart, selectionEnd } = field;
    return text !== "" && value.toLowerCase().startsWith(text.toLowerCase()) && selectionStart === text.length && selectionEnd === value.length;
  }
  function holdsText(element2, text, entry) {
    if (codeEditor(element2)) return showsCode(element2, text);
    let actual = textHeldBy(element2);
    if (entry.secret && element2.type === "password") return actual === text;
    if (!isField(element2))
      return equivalent(text, actual, entry.readings) || actual.replace(/\s+/g, "") === text.replace(/\s+/g, "");
    let { type } = element2;
    return element2.localName === "input" && (NATIVE.test(type) || type === "number") ? actual === text || text !== "" && actual !== "" && equivalent(text, actual, entry.readings) : equivalent(text, actual, entry.readings) || isTaken(element2, text);
  }
  var filled = /* @__PURE__ */ new Map(), FILLED = 50;
  function remember(field, text, entry) {
    filled.delete(field);
    for (let [known] of filled) (!known.isConnected || filled.size >= FILLED) && filled.delete(known);
    filled.set(field, { text, entry });
  }
  function forgetFilled(element2) {
    filled.delete(element2);
  }
  function forgetAllFilled() {
    filled.clear();
  }
  function lostField(kept = !1) {
    for (let [field, { text, entry }] of filled)
      if (!(!field.isConnected || field.ownerDocument.defaultView === null || holdsText(field, text, entry)))
        return kept || filled.delete(field), entry.secret || isSecret(field) ? { field: describe(field) } : { field: describe(field), given: clip(text), actual: clip(textHeldBy(field)) };
    return null;
  }
  function check2(element2, text, entry) {
    described.set(element2, describe(element2));
    let hidden = () => entry.secret || isSecret(element2);
    checkAtRest(() => {
      let now = twin(element2);
      return now === null ? null : holdsText(now, text, entry) ? (codeEditor(now) || remember(now, text, entry), { kind: "held" }) : { kind: "differs", actual: hidden() ? null : clip(textHeldBy(now)) };
    });
  }
  function selectAll(element2) {
    isField(element2) ? element2.select() : element2.ownerDocument.getSelection()?.selectAllChildren(element2);
  }
  function edit(document2, text) {
    try {
      return text === "" ? document2.execCommand("delete") : document2.execCommand("insertText", !1, text);
    } catch {
      return !1;
    }
  }
  function focusable(element2) {
    let host3 = element2;
    if (!isField(host3)) for (; host3.isContentEditable && host3.parentElement?.isContentEditable; ) host3 = host3.parentElement;
    return host3;
  }
  function give(element2) {
    return element2.scrollIntoView({ block: "nearest", behavior: "instant" }), focusable(element2).focus({ preventScroll: !0 }), hasFocus(element2) ? null : { focusLostTo: describe(active()) };
  }
  function replace(element2, entry) {
    if (element2.localName === "input") {
      let input = element2;
      if (NATIVE.test(input.type) || input.type === "number" && entry.text !== "") {
        let acceptance = accepted(input, entry);
        if ("accepts" in acceptance) return acceptance;
        let lost2 = give(input);
        return lost2 !== null ? lost2 : input.type !== "number" || entry.again ? (setNative(input, acceptance.value), check2(input, acceptance.value, entry), SET) : inserted(input, acceptance.value, entry);
      }
    }
    let lost = give(element2);
    if (lost !== null) return lost;
    if (isField(element2) && !codeEditor(element2)) return inserted(element2, inFormat(element2, entry), entry);
    if (entry.secret) return { accepts: "no secrets, because it is an editor; a secret can only be typed into a field" };
    check2(element2, entry.text, entry), bind(element2);
    let empty = editorText(element2).trim() === "", chord = codeEditor(element2) ? "Control+A" : void 0;
    return chord === void 0 && selectAll(element2), { step: "insert", chord, empty };
  }
  function inserted(field, text, entry) {
    if (check2(field, text, entry), entry.again && !entry.secret && field.localName === "input" && text !== "") {
      selectAll(field), bind(field);
      let picked = !entry.submit && isPicked(field, entry);
      return { step: "keys", leave: picked, commit: picked };
    }
    if (selectAll(field), !hasFocus(field)) return { focusLostTo: describe(active()) };
    let before = field.value;
    if (entry.again && text !== "" ? typeSecret(field, text) : (text !== "" || before !== "") && edit(field.ownerDocument, text), !holdsText(field, text, entry)) {
      if (field.value === before && text !== before && !entry.secret)
        return bind(field), { step: "insert", empty: before === "" };
      if (entry.submit || entry.secret)
        return { step: "differs", actual: entry.secret || isSecret(field) ? null : clip(field.value) };
    }
    return entry.submit ? bind(field, !0) : isPicked(field, entry) && field.blur(), SET;
  }
  var keyEvent = (type, key2) => new KeyboardEvent(type, { key: key2, bubbles: !0, cancelable: !0, composed: !0 });
  function typeSecret(element2, text) {
    let at = element2;
    for (let character of text) {
      if (!hasFocus(at)) {
        let now = active();
        if (!follows(at, now)) return describe(now);
        at = now;
      }
      at.dispatchEvent(keyEvent("keydown", character)) && hasFocus(at) && edit(at.ownerDocument, character), at.dispatchEvent(keyEvent("keyup", character));
    }
    return null;
  }
  function secretKeys(element2, text) {
    if (!isEditable(element2) || codeEditor(element2))
      return { accepts: "no secrets, because it is not a field; name the field that the secret is for" };
    let lost = give(element2);
    if (lost !== null) return lost;
    let before = textHeldBy(element2), focusLostTo = typeSecret(element2, text);
    return focusLostTo !== null ? { focusLostTo } : (checkTyped(element2, before, [before + text], text, !0, [element2]), SET);
  }
  function awaitKeys(element2, text) {
    let field = isField(element2) && !codeEditor(element2);
    if (/\t/.test(text) || /[\r\n]/.test(text) && element2.localName === "input") {
      unbind(), checkAtRest(null);
      return;
    }
    let binding = bind(element2), before = isEditable(element2) ? textHeldBy(element2) : null, { selectionStart: start, selectionEnd: end } = element2, after = before === null ? [] : field && before !== null && typeof start == "number" && typeof end == "number" ? [before.slice(0, start) + text + before.slice(end)] : [before + text, text];
    checkTyped(element2, before, after, text, !1, binding.parts, () => binding.strayed), !field && !isEditable(element2) && checkAtRest(() => binding.strayed === void 0 ? null : { kind: "focus_lost", to: binding.strayed });
  }
  function checkTyped(element2, before, after, text, secret, parts, strayed) {
    described.set(element2, describe(element2)), checkAtRest(() => {
      let other = strayed?.();
      if (other !== void 0) return { kind: "focus_lost", to: other };
      let now = twin(element2);
      if (now === null || before === null) return null;
      let entry = { text, secret };
      if (parts.length > 1)
        return equivalent(before + text, parts.map(textHeldBy).join("")) ? { kind: "held" } : { kind: "differs", actual: secret ? null : clip(parts.map(textHeldBy).join("")) };
      let squeezed2 = (text2) => text2.replace(/\s+/g, "").toLowerCase(), actual = textHeldBy(now);
      if (isField(now) && !codeEditor(now)) {
        if (after.some((whole) => holdsText(now, whole, entry) || isCompleted(now, whole))) return { kind: "held" };
      } else if (squeezed2(actual).includes(squeezed2(text)) || squeezed2(actual) !== squeezed2(before) && codeEditor(now) !== null)
        return { kind: "held" };
      return { kind: "differs", actual: secret || isSecret(now) ? null : clip(actual) };
    });
  }
  function pasteInto(element2, text, orEdit) {
    let lost = give(element2);
    return lost !== null ? lost : (codeEditor(element2) || selectAll(element2), paste(element2, text) || orEdit && edit(element2.ownerDocument, text) ? SET : null);
  }

  // src/press.ts
  var expected = null, missed = null, arrived = !1, done = !1, landed = null, expectedTarget = null, targetReached = !1, onArrival = null, named = "", clicked = !1, released = null, watched2 = /* @__PURE__ */ new WeakSet();
  function expectPress(element2, what) {
    expected = element2, named = what, clicked = !1, released = null, missed = null, arrived = !1, done = !1;
    let view = element2.ownerDocument.defaultView;
    watch2(view), expectHover(view);
  }
  function forgetExpectedPress() {
    expected = null;
  }
  function setExpectedTarget(element2) {
    expectedTarget = element2, targetReached = !1, watch2(element2.ownerDocument.defaultView);
  }
  function pointerArrived({ timeoutMs }) {
    return targetReached || expectedTarget === null ? Promise.resolve(!0) : new Promise((resolve) => {
      let timer2 = setTimeout(() => onArrival?.(!1), timeoutMs);
      onArrival = (there) => {
        clearTimeout(timer2), onArrival = null, resolve(there);
      };
    });
  }
  function watch2(view) {
    if (!watched2.has(view)) {
      watched2.add(view);
      for (let type of [
        "pointerdown",
        "mousedown",
        "pointerup",
        "mouseup",
        "click",
        "auxclick",
        "dblclick",
        "contextmenu"
      ])
        view.addEventListener(type, checkPress, { capture: !0, passive: !1 });
      for (let type of ["mousemove", "mouseover"])
        view.addEventListener(type, checkArrival, { capture: !0, passive: !0 });
      view.addEventListener("keydown", forgetEdited, { capture: !0, passive: !0 });
    }
  }
  var focusedBefore = null, LEAVES = /^(cancel|close|back|reset|clear|discard|dismiss|remove|×|✕|abbrechen|zurück|schließen|verwerfen|annuler|fermer|retour|cancelar|cerrar|volver|annulla|chiudi)/i;
  function changedField(pressed2) {
    let button = pressed2.closest("button,input,[role=button]"), name = button === null ? "" : (button.getAttribute("aria-label") ?? button.innerText ?? "").trim();
    if (LEAVES.test(name))
      return forgetAllFilled(), null;
    if (button === null || button.localName === "input" && !/^(submit|button|image)$/.test(button.type)) {
      for (let field of [focusedBefore, pressed2.ownerDocument.activeElement]) field !== null && forgetFilled(field);
      return null;
    }
    let found = lostField();
    return found !== null && name !== "" && found.actual === name ? changedField(pressed2) : (found === null && forgetAllFilled(), found === null ? null : { kind: "field_changed", ...found });
  }
  function forgetEdited(event) {
    let got = event.composedPath()[0];
    event.isTrusted && event.key !== "Tab" && isElement(got) && forgetFilled(got);
  }
  function receiver(event) {
    let got = event.composedPath()[0];
    if (!isElement(got) || got.shadowRoot !== null || shadowOf(got) === null) return got;
    let { clientX, clientY } = event;
    return hitIn(got.ownerDocument, clientX, clientY) ?? got;
  }
  function checkArrival(event) {
    if (expectedTarget === null || !event.isTrusted) return;
    let got = receiver(event);
    !isElement(got) || !receives(expectedTarget, got) || (expectedTarget = null, targetReached = !0, onArrival?.(!0));
  }
  var ARRIVAL = 150;
  function landing() {
    return expected === null || done ? null : new Promise((resolve) => {
      let timer2 = setTimeout(resolve, ARRIVAL);
      landed = () => {
        clearTimeout(timer2), resolve();
      };
    });
  }
  function replacement(old, at) {
    let found = at?.closest(old.localName) ?? null;
    return found !== null && found !== old && describe(found) === named ? found : null;
  }
  function checkPress(event) {
    if (expected === null || !event.isTrusted) return;
    if (event.type === "mousedown" && !expected.isConnected) {
      let { clientX, clientY } = event, stands = replacement(expected, hitIn(expected.ownerDocument, clientX, clientY));
      if (stands !== null) {
        holds(stands, receiver(event)) && (expected = stands), arrived = !0;
        return;
      }
    }
    let down = event.type === "pointerdown" || event.type === "mousedown";
    down && !arrived && (noteHovered(expected.ownerDocument), focusedBefore = expected.ownerDocument.activeElement), arrived || (arrived = down), event.type === "mouseup" && (missed ?? (missed = changedField(expected)), done = !0, released = event, landed !== null && setTimeout(landed, 0), landed = null);
    let got = receiver(event);
    clicked || (clicked = /click|contextmenu/.test(event.type) && isElement(got) && receives(expected, got)), missed === null && down && isElement(got) && !receives(expected, got) && (missed = { kind: "intercepted", by: tagOf2(got) }), missed !== null && (event.preventDefault(), event.stopImmediatePropagation());
  }
  watch2(window);
  function takeMissedPress() {
    if (expected === null) return null;
    if (missed === null && arrived && !done && expected.isConnected && window !== window.top)
      return { kind: "release_lost" };
    let why = missed ?? (arrived ? null : PRESS_LOST);
    if (why === null && done && !clicked && released !== null && !expected.isConnected) {
      let stands = hitIn(expected.ownerDocument, released.clientX, released.clientY);
      replacement(expected, stands) !== null && (why = { kind: "replaced" });
    }
    return expected = null, missed = null, why;
  }
  var PRESS_LOST = { kind: "press_lost" };

  // src/press-point.ts
  function pressPoint(element2, what, press = !1, query) {
    let hit = hitTarget(element2, query === void 0 ? null : placeOf(element2, query));
    if (hit === null) return { reason: "not_visible", what };
    if ("by" in hit) {
      let inert = element2.closest("[inert]");
      return hit.through ? {
        reason: "not_clickable",
        what,
        why: "it has `pointer-events: none`, so that a click goes through it to " + hit.by
      } : inert !== null ? { reason: "not_clickable", what, why: "it is in " + tagOf2(inert) + ", which is inert" } : { reason: "covered", what, by: hit.by };
    }
    return setExpectedTarget(element2), press && expectPress(element2, what), { element: idOf(element2), what, point: { x: hit.x, y: hit.y } };
  }

  // src/checkbox.ts
  function checkedState(element2) {
    let input = element2;
    if (element2.localName === "input" && (input.type === "checkbox" || input.type === "radio")) return input.checked;
    let aria = element2.getAttribute("aria-checked") ?? element2.getAttribute("aria-pressed");
    return aria !== null ? aria === "true" : null;
  }
  function checkableIn(given) {
    let element2 = controlOf(given);
    return checkedState(element2) === null ? element2.querySelector("input[type=checkbox],input[type=radio],[role=checkbox],[role=switch],[role=radio]") ?? element2 : element2;
  }
  function check3(given, what, on) {
    let element2 = checkableIn(given), now = checkedState(element2);
    if (now === null)
      return {
        reason: "wrong_kind",
        what,
        is: tagOf2(element2),
        hint: "only checkboxes, radio buttons and switches can be checked; use click"
      };
    if (now === on) return { element: idOf(element2), what, done: !0 };
    if (!on && (element2.type === "radio" || element2.getAttribute("role") === "radio"))
      return { reason: "wrong_kind", what, is: "a radio button", hint: "check another one of its group instead" };
    let labels = Array.from(element2.labels ?? []), last3 = { reason: "not_visible", what };
    for (let shown2 of [element2, ...labels, given, null]) {
      let stand = shown2 ?? drawingOf(element2);
      if (!(stand === null || !visible(stand)) && (last3 = pressPoint(stand, what), isReady(last3)))
        return { ...last3, element: idOf(element2) };
    }
    return last3;
  }
  function isChecked({ element: number }) {
    let element2 = element(number);
    return element2 ? checkedState(element2) : null;
  }

  // src/element-query.ts
  function findEvery(query) {
    let found;
    try {
      found = findAll(query);
    } catch (error) {
      return { reason: "invalid_selector", message: String(error.message) };
    }
    return found.length > 0 ? found : { reason: "not_found", candidates: near(query) };
  }
  function locate(target, fits) {
    if ("element" in target) {
      let found2 = element(target.element);
      return found2?.ownerDocument.defaultView ? found2 : { reason: "stale" };
    }
    let found = findEvery("nth" in target ? target.nth.query : target.query);
    if (!Array.isArray(found)) return found;
    if ("nth" in target)
      return found.at(target.nth.nth) ?? { reason: "not_found", candidates: found.slice(0, 5).map(describe) };
    let fitting = found.length > 1 && fits !== void 0 ? found.filter(fits) : [];
    return fitting.length === 1 ? fitting[0] : found.length > 1 ? { reason: "ambiguous", count: found.length, candidates: found.slice(0, 5).map(describe) } : found[0];
  }

  // src/expand.ts
  function expandedState(element2) {
    let details = element2.localName === "summary" ? element2.parentElement : element2;
    if (details?.localName === "details") return details.open;
    let aria = element2.getAttribute("aria-expanded");
    return aria === "true" || aria === "false" ? aria === "true" : null;
  }
  var ITEMS = "[role=treeitem],[role=row],[role=listitem],[role=gridcell],li,tr", NESTED = "[role=group],[role=tree],[role=treeitem],[role=row],ul,ol,table", FIELDS2 = "input,select,textarea,[role=checkbox],[role=switch],[role=radio],[draggable=true]", TOGGLE = /toggl|expand|collaps|switcher|disclos|twist|chevron|caret|arrow|-ocl\b|tree-control|iconcontainer/i;
  function isToggle(element2) {
    if (element2.matches(FIELDS2) || (element2.textContent ?? "").trim().length > 1) return !1;
    if (element2.hasAttribute("aria-expanded")) return !0;
    let name = element2.getAttribute("aria-label") ?? element2.getAttribute("title") ?? "";
    return TOGGLE.test(element2.getAttribute("class") ?? "") || TOGGLE.test(name);
  }
  function toggleOf(item) {
    let outer = item.parentElement, isWrapped = outer !== null && !item.matches("li,tr") && outer.matches("li,[role=none],[role=presentation]");
    for (let root2 of isWrapped ? [item, outer] : [item])
      for (let found of root2.querySelectorAll("*")) {
        let nested = found.closest(NESTED);
        if ((nested === null || nested === item || !root2.contains(nested) || nested === root2) && !item.matches(FIELDS2) && visible(found) && isToggle(found)) return found;
      }
    return null;
  }
  function expand(element2, what, open) {
    let toggle = element2.matches(ITEMS) ? toggleOf(element2) : null, holder = expandedState(element2) === null && toggle !== null ? toggle : element2, now = expandedState(holder);
    if (now === open) return { element: idOf(holder), what, done: !0 };
    if (toggle === null && now === null && element2.matches("[role=treeitem]"))
      return { reason: "wrong_kind", what, is: tagOf2(element2), hint: "this item of the tree contains no other items" };
    let shown2 = holder.localName === "details" ? holder.querySelector("summary") ?? holder : toggle ?? element2, pressed2 = pressPoint(shown2, what);
    return "element" in pressed2 ? { ...pressed2, element: idOf(holder) } : pressed2;
  }
  function isExpanded({ element: number }) {
    let element2 = element(number);
    return element2 ? expandedState(element2) : null;
  }

  // src/capture-reversions.ts
  var WATCHED2 = {
    subtree: !0,
    childList: !0,
    characterData: !0,
    characterDataOldValue: !0,
    attributes: !0,
    attributeOldValue: !0,
    attributeFilter: ["aria-pressed", "aria-checked", "aria-selected"]
  }, RECORDS = 2e3, MOST3 = 10, LENGTH3 = 80, removed = /* @__PURE__ */ new Map(), added = /* @__PURE__ */ new WeakSet(), values = /* @__PURE__ */ new Map(), restored = /* @__PURE__ */ new Map(), withdrawn = /* @__PURE__ */ new Map(), ENTRY = "li,tr,article,[role=listitem],[role=row],[role=option],[role=article]", records = 0, looks2 = 0, observer3 = new MutationObserver(look2);
  function forgetReversions() {
    observer3.disconnect(), removed = /* @__PURE__ */ new Map(), added = /* @__PURE__ */ new WeakSet(), values = /* @__PURE__ */ new Map(), restored = /* @__PURE__ */ new Map(), withdrawn = /* @__PURE__ */ new Map(), records = RECORDS, looks2 = 0, observer3.observe(document, WATCHED2);
  }
  var clip2 = (text) => text.length > LENGTH3 ? text.slice(0, LENGTH3) + "\u2026" : text, contentOf = (node) => (node.textContent ?? "").slice(0, 400).replace(/\s+/g, " ").trim();
  function look2(found) {
    looks2++;
    for (let record of found) {
      if (records-- <= 0) return observer3.disconnect();
      record.type === "childList" ? noteChildren(record) : noteValue(record);
    }
    for (let known of values.values())
      for (let value of known.values()) value.read() !== value.first && (value.meanwhile = value.read());
  }
  function noteChildren({ target, removedNodes, addedNodes }) {
    for (let node of removedNodes) {
      let text = contentOf(node);
      if (text !== "" && added.has(node) && node.nodeType === 1 && node.matches(ENTRY) && withdrawn.set(text, target), text === "" || added.has(node)) continue;
      let here2 = removed.get(target) ?? /* @__PURE__ */ new Map();
      here2.set(text, { look: looks2, meanwhile: "" }), removed.set(target, here2);
    }
    let here = removed.get(target);
    for (let node of addedNodes)
      here !== void 0 && noteAdded(node, target, here), added.add(node);
  }
  function noteAdded(node, parent, here) {
    let text = contentOf(node), back = here.get(text);
    if (back !== void 0)
      here.delete(text), back.look !== looks2 && restored.set({ text: clip2(text), meanwhile: back.meanwhile }, parent);
    else if (node.nodeType === 1 && isSpinner(node))
      here.clear();
    else for (let gone of here.values()) gone.meanwhile || (gone.meanwhile = clip2(text));
  }
  function noteValue({ type, target, attributeName, oldValue }) {
    let name = attributeName ?? "", known = values.get(target) ?? /* @__PURE__ */ new Map();
    if (known.has(name)) return;
    values.set(target, known);
    let attribute = () => target.getAttribute(name) ?? "", isText = type === "characterData", parent = isText ? target.parentElement : target;
    if (parent === null) return;
    let read2 = isText ? () => target.textContent ?? "" : attribute, label = isText ? () => read2() : () => `${textOf(parent)} ${name}=${attribute()}`;
    known.set(name, { node: target, parent, label, read: read2, first: oldValue ?? "", meanwhile: null });
  }
  function reversions() {
    look2(observer3.takeRecords());
    let found = [...restored].filter(([, parent]) => !isDisowned(parent)).map(([reversion]) => reversion);
    for (let known of values.values())
      for (let { node, parent, label, read: read2, first, meanwhile } of known.values())
        meanwhile === null || read2() !== first || !node.isConnected || isDisowned(parent) || found.push({ text: clip2(label().trim()), meanwhile: clip2(meanwhile.trim()) });
    let isGone = ([text, parent]) => !isDisowned(parent) && !document.body.innerText.replace(/\s+/g, " ").includes(text);
    for (let [text] of [...withdrawn].filter(isGone)) found.push({ text: clip2(text), meanwhile: "" });
    return found.filter(({ text }) => text !== "").slice(0, MOST3);
  }

  // src/settle.ts
  function arm(key2, view) {
    forgetExpectedPress(), watchChurn(key2), forgetTransients(), forgetReversions(), unbind(), checkAtRest(null), armedAt = performance.now();
    for (let target of /* @__PURE__ */ new Set([...own(window), view])) target.dispatchEvent(new Event(eventName(key2, "arm")));
  }
  var armedAt = 0;
  function own(view) {
    let found = [view];
    for (let at = 0; at < view.length; at++)
      try {
        view[at].document && found.push(...own(view[at]));
      } catch {
      }
    return found;
  }
  var askAll = (key2, question) => own(window).flatMap((view) => ask(key2, view, question) ?? []), unrelatedWindows = ({ key: key2 }) => askAll(key2, "strays"), tasksOf = (key2, view) => ask(key2, view, "tasks") ?? { pending: 0, downloads: 0, leaves: !1, calm: !1, what: "" }, within = (promise, ms) => {
    let timer2 = 0, late = new Promise(
      (resolve) => timer2 = setTimeout(resolve, Math.max(ms, 0), void 0)
    );
    return Promise.race([promise, late]).finally(() => clearTimeout(timer2));
  }, lull = () => new Promise((resolve) => {
    let scheduler = globalThis.scheduler;
    scheduler?.postTask ? scheduler.postTask(resolve, { priority: "background" }) : setTimeout(resolve, 0);
  }), PAINT = /color|background|shadow|outline|fill|stroke|decoration|border-radius|filter|cursor/;
  function moving(view) {
    let began = armedAt - (document.timeline.currentTime === null ? 0 : performance.now() - Number(document.timeline.currentTime));
    return view.document.getAnimations().filter((animation) => {
      if (animation.playState !== "running") return !1;
      let property = animation.transitionProperty;
      return property && PAINT.test(property) || animation.startTime !== null && Number(animation.startTime) < began - 20 ? !1 : Number(animation.effect?.getComputedTiming().endTime ?? 1 / 0) - Number(animation.currentTime ?? 0) <= 1e3;
    });
  }
  async function settle({ key: key2, limitMs, element: element2 }) {
    let rest = await atRest(key2, limitMs, element2 === null ? void 0 : element(element2)), outcome = await inputOutcome();
    return unbind(), outcome === null ? rest : { ...rest, outcome };
  }
  async function atRest(key2, limit, element2) {
    let until = performance.now() + limit, press = landing();
    press !== null && await press;
    let missed2 = takeMissedPress();
    if (missed2 !== null) return { missed: missed2 };
    let views = /* @__PURE__ */ new Set([window]), own2 = element2?.ownerDocument.defaultView;
    own2 && views.add(own2);
    let waited = !1;
    for (; ; ) {
      let busy = "", calm = !0, saving = 0, leaves = !1, left = until - performance.now();
      for (let view of views) {
        let tasks = tasksOf(key2, view);
        if (calm && (calm = tasks.calm), saving += tasks.downloads, leaves || (leaves = tasks.leaves), tasks.pending > 0) {
          if (busy = tasks.what, left <= 0) break;
          await within(
            new Promise((resolve) => view.addEventListener(eventName(key2, "idle"), resolve, { once: !0 })),
            left
          );
          continue;
        }
        let animations = moving(view);
        if (animations.length > 0) {
          if (busy = "an animation", left <= 0) break;
          await within(Promise.allSettled(animations.map((animation) => animation.finished)), Math.min(left, 1e3));
        }
      }
      if (busy !== "") {
        if (waited = !0, performance.now() >= until) return { busy };
        continue;
      }
      if (calm && saving === 0 && !waited) return { leaves };
      if (await within(
        lull().then(() => !0),
        Math.max(left, 50)
      ) === void 0)
        return { busy: "a busy main thread" };
      let quiet = !0, downloads = 0;
      for (let view of views) {
        let tasks = tasksOf(key2, view);
        downloads += tasks.downloads, quiet && (quiet = tasks.pending === 0 && moving(view).length === 0);
      }
      if (quiet) return { downloads, leaves };
      if (performance.now() >= until) return { busy: "work upon work" };
    }
  }
  var UNDO = /^(undo|rückgängig|annuler|deshacer|annulla|desfazer|ongedaan maken)\b/i, MESSAGES = "[role=alert],[role=status],[aria-live]," + ["toast", "snack", "notif"].map((name) => `[class*=${name} i]`).join(), BUTTONS2 = "button,a,[role=button]", LEAST_MESSAGE = 5, LONGEST_MESSAGE = 200, undoes = (button) => UNDO.test(button.innerText.trim()) && button.checkVisibility({ visibilityProperty: !0, opacityProperty: !0 });
  function offersUndo() {
    for (let view of own(window)) {
      for (let message of view.document.querySelectorAll(MESSAGES))
        for (let button of message.querySelectorAll(BUTTONS2)) if (undoes(button)) return !0;
      for (let button of view.document.querySelectorAll(BUTTONS2)) {
        let around = button.parentElement;
        if (around === null || !undoes(button)) continue;
        let buttons = [...around.querySelectorAll(BUTTONS2)].map((one) => one.innerText.length), beside = around.innerText.length - buttons.reduce((sum, length) => sum + length, 0);
        if (beside >= LEAST_MESSAGE && beside <= LONGEST_MESSAGE) return !0;
      }
    }
    return !1;
  }
  async function flush({ key: key2, limitMs, asksUndo }) {
    let until = performance.now() + limitMs;
    for (let waited = !1; ; waited = !0) {
      let pending = askAll(key2, "saves");
      if (asksUndo && offersUndo() && pending.push("a change that can still be undone"), pending.length === 0 || performance.now() >= until) return { waited, pending };
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  // src/fill.ts
  var TEXTLESS = /^(button|submit|reset|image|checkbox|radio|file|hidden)$/, DATED = /^(date|time|datetime-local|month|week)$/, AMBIGUOUS_DATE = /^\d{1,2}[/-]\d{1,2}[/-]\d{4}$/;
  function caretToEnd(element2) {
    let input = element2;
    if (element2.localName === "input" || element2.localName === "textarea")
      try {
        input.setSelectionRange(input.value.length, input.value.length);
      } catch {
      }
    else {
      let selection = element2.ownerDocument.getSelection();
      selection?.selectAllChildren(element2), selection?.collapseToEnd();
    }
  }
  function entered(element2, what, came) {
    return "accepts" in came ? { reason: "not_accepted", what, accepts: came.accepts } : "focusLostTo" in came ? { reason: "focus_lost", what, to: came.focusLostTo } : { element: idOf(element2), what, entry: came };
  }
  function fill(given, what, need) {
    let element2 = inputOf2(controlOf(given)), tag = element2.localName;
    if (tag === "select") return { reason: "wrong_kind", what, is: "a list", hint: "choose an option with select" };
    if (tag === "input" && TEXTLESS.test(element2.type)) {
      let hint = element2.type === "file" ? "use upload" : /checkbox|radio/.test(element2.type) ? "use check or uncheck" : "use click";
      return { reason: "wrong_kind", what, is: "an input of type " + element2.type, hint };
    }
    if (!isEditable(element2)) return { reason: "not_editable", what, is: tagOf2(element2) };
    if (isDisabled(element2)) return { reason: "disabled", what };
    if (element2.readOnly && tag === "input" && need.kind === "fill" && need.entry?.readings.date)
      return ifReady(pressPoint(element2, what), { calendar: !0 });
    if (element2.readOnly && need.kind === "fill" && AMBIGUOUS_DATE.test(need.entry?.text.trim() ?? ""))
      return { reason: "not_accepted", what, accepts: "a date that can mean only one day, written 2026-12-31" };
    if (element2.readOnly && isField(element2) || element2.getAttribute("aria-readonly") === "true")
      return { reason: "read_only", what, is: "read-only" };
    if (need.kind === "fill") {
      if (need.entry) return entered(element2, what, replace(element2, need.entry));
      if (tag === "input" && NATIVE.test(element2.type) && !DATED.test(element2.type))
        return { reason: "not_accepted", what, accepts: "no secrets, because it does not show its value as text only" };
      let lost2 = give(element2);
      return lost2 === null ? { element: idOf(element2), what } : entered(element2, what, lost2);
    }
    let lost = give(element2);
    return lost !== null ? entered(element2, what, lost) : (codeEditor(element2) === null && caretToEnd(element2), need.text !== null && awaitKeys(element2, need.text), { element: idOf(element2), what });
  }
  function enterSecret({ element: number, ...entry }) {
    let element2 = element(number);
    return element2 ? entered(element2, describe(element2), replace(element2, { ...entry, secret: !0 })) : { reason: "gone" };
  }
  function typeSecret2({ element: number, text }) {
    let element2 = element(number);
    return element2 ? entered(element2, describe(element2), secretKeys(element2, text)) : { reason: "gone" };
  }
  function suppressSubmit({ durationMs }) {
    let suppress = (event) => {
      event.preventDefault(), event.stopImmediatePropagation();
    };
    addEventListener("submit", suppress, { capture: !0 }), setTimeout(() => removeEventListener("submit", suppress, { capture: !0 }), durationMs);
  }
  function blurElement({ element: element2 }) {
    element(element2)?.blur();
  }
  function pasteText({ element: number, text, orEdit }) {
    let element2 = element(number);
    if (!element2) return { reason: "gone" };
    let what = describe(element2), came = pasteInto(element2, text, orEdit);
    return came === null ? { element: number, what } : entered(element2, what, came);
  }
  function focusedElement({ key: key2, text }) {
    let element2 = active();
    arm(key2, element2.ownerDocument.defaultView);
    let foreignFrame = element2.localName === "iframe" || element2.localName === "frame";
    return !foreignFrame && text !== null ? awaitKeys(element2, text) : foreignFrame || awaitKey(element2), { element: idOf(element2), what: element2 === document.body ? "the page" : describe(element2), foreignFrame };
  }
  function awaitKey(element2) {
    let binding = bind(element2, !0);
    checkAtRest(() => binding.strayed === void 0 ? null : { kind: "focus_lost", to: binding.strayed });
  }
  function maskField({ element: number }) {
    let element2 = number === null ? active() : element(number);
    if (!element2) return window.origin;
    if (!isMarked(element2)) {
      markSecret(element2);
      let style = element2.style, [property, value] = DATED.test(element2.type) ? ["color", "transparent"] : ["-webkit-text-security", "disc"], hide = () => {
        style.getPropertyValue(property) !== value && style.setProperty(property, value, "important");
      };
      hide(), new MutationObserver(hide).observe(element2, { attributes: !0, attributeFilter: ["style"] });
    }
    return (element2.ownerDocument.defaultView ?? window).origin;
  }

  // src/select.ts
  function select(given, what, values2) {
    let element2 = controlOf(given);
    if (element2.localName !== "select") return ifReady(pressPoint(element2, what), { customList: !0 });
    let options = Array.from(element2.options), labelOf2 = (option) => (option.label || option.text).replace(/\s+/g, " ").trim();
    if (values2.length > 1 && !element2.multiple)
      return { reason: "wrong_kind", what, is: "a list of which one option can be chosen", hint: "give one value" };
    let chosen = /* @__PURE__ */ new Set();
    for (let value of values2) {
      let lower = value.replace(/\s+/g, " ").trim().toLowerCase(), found = options.find((option) => option.value === value) ?? options.find((option) => labelOf2(option) === value) ?? options.find((option) => labelOf2(option).toLowerCase() === lower);
      if (!found) return { reason: "no_option", what, option: value, options: options.slice(0, 30).map(labelOf2) };
      if (found.disabled || found.parentElement.disabled === !0)
        return { reason: "disabled", what: "option " + JSON.stringify(labelOf2(found)) };
      chosen.add(found);
    }
    element2.scrollIntoView({ block: "nearest", behavior: "instant" }), element2.focus({ preventScroll: !0 });
    let before = options.map((option) => option.selected).join();
    if (element2.multiple) for (let option of options) option.selected = chosen.has(option);
    else for (let option of chosen) option.selected = !0;
    let changed2 = before !== options.map((option) => option.selected).join();
    changed2 && (element2.dispatchEvent(new Event("input", { bubbles: !0, composed: !0 })), element2.dispatchEvent(new Event("change", { bubbles: !0 })));
    let wanted = Array.from(chosen, labelOf2);
    return checkAtRest(() => {
      if (!element2.isConnected) return null;
      let now = Array.from(element2.selectedOptions, labelOf2);
      return now.length === wanted.length && wanted.every((label) => now.includes(label)) ? { kind: "held" } : { kind: "differs", actual: now.join(", ") };
    }), { element: idOf(element2), what, changed: changed2 };
  }

  // src/actionability.ts
  async function checkActionable({ key: key2, target, need }) {
    let located2 = locate(target, SETS_FIELD.has(need.kind) && queryOf(target)?.by === "text" ? isField2 : void 0);
    if (!("nodeType" in located2)) return { result: located2 };
    let box = boxOf(located2), shown2 = withControl(located2, SETS_FIELD.has(need.kind)).filter(isNumbered).map(idOf);
    return { result: await prepare(located2, key2, need, queryOf(target)), box, shown: shown2 };
  }
  var SETS_FIELD = /* @__PURE__ */ new Set(["field", "fill", "type", "select", "check", "file"]), isField2 = (element2) => controlOf(element2).matches(FIELDS), queryOf = (target) => "query" in target ? target.query : "nth" in target ? target.nth.query : void 0;
  async function isStill(element2) {
    if (!element2.ownerDocument.getAnimations().some((animation) => {
      let target = animation.effect?.target;
      return animation.playState === "running" && !!target && holds(target, element2);
    })) return !0;
    let view = element2.ownerDocument.defaultView, frame2 = () => new Promise((resolve) => view.requestAnimationFrame(resolve)), began = await frame2(), before = element2.getBoundingClientRect();
    for (let now = began; now - began < 30; ) {
      now = await frame2();
      let after = element2.getBoundingClientRect();
      if (before.x !== after.x || before.y !== after.y || before.width !== after.width || before.height !== after.height)
        return !1;
    }
    return !0;
  }
  var NO_TEXT = /^(checkbox|radio|button|submit|reset|image|file|range|color)$/;
  function leavesField(element2) {
    let field = active();
    return (isField(field) ? field.value !== "" && !NO_TEXT.test(field.type) : isEditable(field)) && !element2.contains(field) && !field.contains(element2);
  }
  async function prepare(given, key2, need, query) {
    let what = describe(given), { kind } = need, element2 = kind === "press" || kind === "point" ? standIn(given) : given;
    if (kind === "attached") return { element: idOf(element2), what };
    if (kind === "field") return { element: idOf(controlOf(given)), what };
    let view = element2.ownerDocument.defaultView, control = controlOf(element2);
    if (kind === "blur") {
      arm(key2, view);
      let inner = active();
      return (element2.contains(inner) ? inner : control).blur(), checkAtRest(() => {
        let lost = lostField(!0);
        return lost === null ? { kind: "held" } : { kind: "differs", ...lost };
      }), { element: idOf(element2), what };
    }
    if (kind === "file") {
      let input = control.localName === "input" ? control : control.querySelector("input[type=file]");
      if (input !== null && input.type === "file")
        return input.disabled ? { reason: "disabled", what } : (arm(key2, view), { element: idOf(input), what, fileField: { multiple: input.multiple } });
    }
    if (kind === "check" && !visible(element2)) {
      if (isDisabled(checkableIn(element2))) return { reason: "disabled", what };
      let checked = check3(element2, what, need.on);
      return isReady(checked) && arm(key2, view), checked;
    }
    let shown2 = kind === "fill" || kind === "type" ? codeEditor(element2) ?? element2 : element2;
    if (!visible(shown2) && !(kind === "select" && visible(control))) return { reason: "not_visible", what };
    if (kind !== "scroll" && kind !== "focus" && isDisabled(kind === "press" ? clickedBy(element2) : control))
      return { reason: "disabled", what };
    if (!await isStill(element2)) return { reason: "moving", what };
    if (!element2.isConnected) return { reason: "gone" };
    switch (arm(key2, view), kind) {
      case "press":
        return ifReady(pressPoint(element2, what, !0, query), { leavesField: leavesField(element2) });
      case "point":
      case "file":
        return pressPoint(element2, what, !1, query);
      case "fill":
      case "type":
        return fill(element2, what, need);
      case "select":
        return select(element2, what, need.values);
      case "check":
        return check3(element2, what, need.on);
      case "expand":
        return expand(element2, what, need.open);
      case "focus":
        return control.focus(), need.keyNext && awaitKey(active() === control ? control : active()), { element: idOf(element2), what };
      case "scroll":
        return element2.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" }), { element: idOf(element2), what };
    }
  }

  // src/calendar.ts
  var MONTHS2 = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], TELLS = ["aria-label", "title", "data-date", "data-day", "datetime"], NEXT = /next|forward|following|chevron-?right|arrow-?right|^[›»>→]$/i, PREVIOUS = /prev|back|chevron-?left|arrow-?left|^[‹«<←]$/i, AROUND2 = 6;
  function dayIn(text) {
    let iso = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/.exec(text);
    if (iso) return iso[0];
    let year = /(?<!\d)(\d{4})(?!\d)/.exec(text), day = /(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?![\d:])/.exec(text), month = Array.from(
      text.toLowerCase().matchAll(/\p{L}{3,}/gu),
      (word) => MONTHS2.indexOf(word[0].slice(0, 3))
    ).find((at) => at >= 0);
    return !year || !day || month === void 0 ? null : [year[1], String(month + 1).padStart(2, "0"), day[1].padStart(2, "0")].join("-");
  }
  var dayOf = (element2) => {
    for (let name of TELLS) {
      let text = element2.getAttribute(name), day = text !== null && text.length < 60 ? dayIn(text) : null;
      if (day !== null) return day;
    }
    return null;
  }, isDisabled2 = (element2) => element2.matches(":disabled,[aria-disabled=true]") || /disabled/i.test(element2.getAttribute("class") ?? "");
  function stepTo(date, field) {
    let days = [];
    for (let element2 of field.ownerDocument.querySelectorAll(TELLS.map((name) => "[" + name + "]").join())) {
      let day = element2 === field || element2.contains(field) ? null : dayOf(element2);
      day !== null && visible(element2) && days.push([day, element2]);
    }
    if (days.length < 20) return null;
    let wanted = days.filter(([day]) => day === date).map(([, element2]) => element2);
    if (wanted.length > 0) {
      let element2 = wanted[wanted.length - 1];
      return isDisabled2(element2) ? null : { element: element2, found: !0 };
    }
    let sorted = days.map(([day]) => day).sort(), way = date > sorted[sorted.length - 1] ? NEXT : date < sorted[0] ? PREVIOUS : null;
    if (way === null) return null;
    let box = days[Math.floor(days.length / 2)][1];
    for (let up = 0; up < AROUND2 && box !== null; up++, box = box.parentElement) {
      let buttons = Array.from(box.querySelectorAll("button,[role=button],a,span,div")).filter((button) => {
        let names2 = [
          button.getAttribute("aria-label"),
          button.getAttribute("title"),
          button.getAttribute("class"),
          button.childElementCount === 0 ? button.textContent : ""
        ];
        return names2.some((name) => name && way.test(name.trim())) && !/year|decade|day/i.test(names2.join(" ")) && dayOf(button) === null && visible(button) && !isDisabled2(button);
      });
      if (buttons.length > 0) return { element: buttons[0], found: !1 };
    }
    return null;
  }
  function calendarStep({ element: number, date }) {
    let field = element(number), step = field && stepTo(date, field);
    return !field || !step ? {
      reason: "read_only",
      what: field ? describe(field) : "",
      is: "read-only, and its calendar does not offer " + date
    } : ifReady(pressPoint(step.element, describe(step.element)), { done: step.found });
  }
  function calendarOutcome({ element: element2, text, readings }) {
    let field = element(element2);
    return field ? equivalent(text, field.value, readings) ? { kind: "held" } : { kind: "differs", actual: field.value } : null;
  }

  // src/capture-attributes.ts
  var TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"], BITS = /* @__PURE__ */ new Map([
    ["aria-hidden", 1],
    ["inert", 1],
    ["role", 2],
    ["class", 8192],
    ["aria-label", 4],
    ["aria-labelledby", 4],
    ["onclick", 8],
    ["tabindex", 8],
    ["contenteditable", 24],
    ["title", 64],
    ["id", 128],
    ["name", 256],
    ["placeholder", 512],
    ["aria-rowcount", 2048],
    ["aria-setsize", 2048]
  ]);
  for (let name of TEST_IDS) BITS.set(name, 1024);
  for (let state of "checked expanded disabled selected pressed required readonly invalid current busy multiselectable level valuetext valuenow".split(
    " "
  ))
    BITS.set("aria-" + state, 32);
  function attributesOf(element2) {
    if (!element2.hasAttributes()) return 0;
    let names2 = element2.getAttributeNames(), bits = 4096;
    for (let i = 0; i < names2.length; i++) bits |= BITS.get(names2[i]) ?? 0;
    return bits;
  }

  // src/capture-icons.ts
  var ICON = /(?:^|\s)(?:fa|fas|far|bi|icon|lucide|feather|ti|mdi|ri|bx|bxs|pi|codicon|octicon|glyphicon|tabler-icon|anticon|ion|uil|la|heroicon|iconoir|ph)-(?!icon\b)([a-z][a-z0-9-]*)/i, STYLE = /^(xs|sm|md|lg|xl|fw|li|ul|spin|pulse|fixed|solid|regular|outline|inline|size-.*)$/, MOST_PARTS = 10, NAMED2 = "[aria-label],[aria-labelledby],[alt]:not([alt='']),[title],title,input,select,textarea,button,a", USUAL = [
    [/^(bars|hamburger|navicon|list-nested|menu-.*|.*-menu)$/, "menu"],
    [/^(x|xmark|times|close|x-lg)$/, "close"],
    [/^(ellipsis|dots|more|kebab|three-dots|overflow)(-.*)?$/, "more"],
    [/^(search|magnifying-glass|magnify)$/, "search"]
  ], asWords = (name) => name.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/[-_\s]+/g, " ").trim().toLowerCase(), ofClasses = /* @__PURE__ */ new Map(), names = /* @__PURE__ */ new Map(), MOST_CLASSES = 500;
  function iconOf(part) {
    let symbol = part.localName === "use" ? /#(.+)$/.exec(part.getAttribute("href") ?? part.getAttribute("xlink:href") ?? "") : null, stated = part.getAttribute("data-icon") ?? part.getAttribute("data-lucide") ?? part.getAttribute("data-feather") ?? symbol?.[1];
    if (stated) return stated.replace(/^(icon|i)-/, "");
    let classes = part.getAttribute("class");
    if (!classes) return "";
    let icon = ofClasses.get(classes);
    if (icon === void 0) {
      icon = "";
      for (let name of classes.split(/\s+/)) {
        let found = ICON.exec(name)?.[1];
        if (found && !STYLE.test(found)) {
          icon = found;
          break;
        }
      }
      ofClasses.size >= MOST_CLASSES && ofClasses.clear(), ofClasses.set(classes, icon);
    }
    return icon;
  }
  function usualName(icon) {
    let name = names.get(icon);
    return name === void 0 && (name = USUAL.find(([pattern]) => pattern.test(icon))?.[1] ?? asWords(icon), names.size >= MOST_CLASSES && names.clear(), names.set(icon, name)), name;
  }
  function isIconOnly(element2) {
    let first = element2.firstElementChild;
    if (first === null || /[\p{L}\p{N}]/u.test(element2.textContent ?? "")) return !1;
    if (first.localName === "i" && first === element2.lastElementChild && first.firstElementChild === null) {
      let names2 = first.getAttributeNames();
      if (names2.length === 1 && names2[0] === "class") return !0;
    }
    return element2.querySelector("svg,i,img,use,[class*=icon]") !== null && element2.querySelector(NAMED2) === null;
  }
  function iconName(element2, hasTestId) {
    for (let attribute of hasTestId ? TEST_IDS : []) {
      let given = element2.getAttribute(attribute);
      if (given !== null && /^[a-z][a-z_-]{2,40}$/i.test(given)) return asWords(given);
    }
    let first = element2.firstElementChild, icon = iconOf(element2) || (first === null ? "" : iconOf(first)), parts = icon === "" ? element2.querySelectorAll("*") : [];
    for (let at = 1; icon === "" && at < parts.length && at < MOST_PARTS - 1; at++) icon = iconOf(parts[at]);
    return icon === "" ? "" : usualName(icon);
  }

  // src/capture-labels.ts
  var NOT_TYPED = /^(hidden|checkbox|radio|button|submit|reset|image)$/, ROLES = /^(combobox|listbox|textbox|searchbox|spinbutton|slider)$/, EDITORS = "[contenteditable]:not([contenteditable=false])", WHOLE2 = /^(form|body|table|tr)$/;
  var VISIBLE3 = { visibilityProperty: !0 }, isShown2 = (element2) => element2.checkVisibility(VISIBLE3) && element2.closest("[aria-hidden=true],[inert]") === null;
  function isShownIn(part, field) {
    for (let up = field; up !== null && up !== part; up = up.parentElement)
      if (up.hasAttribute("inert") || up.getAttribute("aria-hidden") === "true") return !1;
    return field.checkVisibility(VISIBLE3);
  }
  var isField3 = (element2) => element2.localName === "select" || element2.localName === "textarea" || element2.localName === "input" && !NOT_TYPED.test(element2.type) || ROLES.test(element2.getAttribute("role") ?? "");
  function isReplaced(control) {
    let { type } = control;
    return type !== "checkbox" && type !== "radio" && !isShown2(control);
  }
  var LabelledFields = class {
    constructor() {
      // Querying each tree once, when it is needed, and not around each label keeps a form with many labels fast.
      __publicField(this, "trees", /* @__PURE__ */ new Map());
    }
    /**
     * The field that follows a label without a shown control of its own, in the part of the form that belongs to the
     * label; null if there is none, or if it has another name.
     */
    of(label) {
      let beside = label.nextSibling;
      if (beside !== null && beside.nodeType === 3 && /\S/.test(beside.nodeValue)) return null;
      let { parts, place } = this.treeAt(label), start = place + 1;
      for (; label.firstElementChild !== null && start < parts.length && label.contains(parts[start]); start++)
        if (isField3(parts[start])) return null;
      let part = label.parentElement;
      for (let up = 0; up < 3 && part !== null && !(up > 0 && WHOLE2.test(part.localName)); up++) {
        let isWhole = WHOLE2.test(part.localName), others = !1, first = null, editors = [];
        for (let i = start; i < parts.length && part.contains(parts[i]); i++) {
          let field2 = parts[i];
          if (field2.localName === "label") {
            others = !0;
            break;
          }
          isWhole && label.nextElementSibling?.contains(field2) !== !0 || (field2.hasAttribute("contenteditable") && field2.matches(EDITORS) && isShownIn(part, field2) && editors.push(field2), first === null && isField3(field2) && isShownIn(part, field2) && (first = field2));
        }
        let field = editors.length === 1 ? editors[0] : first;
        if (field !== null) return isNamed(field) ? null : field;
        if (others || this.labelBefore(parts, place, part)) return null;
        part = part.parentElement;
      }
      return null;
    }
    /** Whether a part of the form contains a label before the one at `place`. */
    labelBefore(parts, place, part) {
      for (let i = place - 1; i >= 0 && part.contains(parts[i]); i--) if (parts[i].localName === "label") return !0;
      return !1;
    }
    /** The tree of a label, at the place of the label. A capture mostly asks in document order. */
    treeAt(label) {
      let root2 = label.getRootNode(), tree = this.trees.get(root2);
      tree === void 0 && (tree = { parts: Array.from(root2.querySelectorAll("label,input,select,textarea,[role],[contenteditable]")), place: -1 }, this.trees.set(root2, tree));
      let next = tree.parts.indexOf(label, tree.place + 1);
      return tree.place = next >= 0 ? next : tree.parts.indexOf(label), tree;
    }
  };
  function isNamed(field) {
    if (field.hasAttribute("aria-label")) return !0;
    let labels = field.hasAttribute("id") || field.closest("label") !== null ? field.labels : null;
    return labels != null && labels.length > 0 ? !0 : field.hasAttribute("aria-labelledby") && !isNamedByItself(field);
  }
  function isNamedByItself(element2) {
    let root2 = element2.getRootNode(), ids = (element2.getAttribute("aria-labelledby") ?? "").split(/\s+/).filter((id) => id !== "");
    return ids.length > 0 && ids.every((id) => element2.contains(root2.getElementById?.(id) ?? document));
  }

  // src/capture-lines.ts
  var MAX_NODES = 6e4, MAX_CHARACTERS = 4e6, MAX_TEXT = 8192, cut = (text) => text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) + `\u2026 (+${text.length - MAX_TEXT} characters)` : text, clean = (text) => {
    let short = cut(text);
    return (/[^\S ]|[\x00-\x08]| {2}/.test(short) ? short.replace(/[\s\x00-\x08]+/g, " ") : short).trim();
  }, Lines = class {
    constructor() {
      __publicField(this, "lines", []);
      /** The limit that ended the capture; empty while none did. */
      __publicField(this, "full", "");
      /** Whether the next line begins a line of text on the page. */
      __publicField(this, "fresh", !0);
      __publicField(this, "characters", 0);
      __publicField(this, "run", "");
      __publicField(this, "tail", "");
      __publicField(this, "depth", 0);
      __publicField(this, "flags", 0);
      /** Whether the run ends with the end of a span. */
      __publicField(this, "spanned", !1);
      /** The number of pairs of texts whose gap was measured, and whether there is one between elements of these classes. */
      __publicField(this, "measured", 0);
      __publicField(this, "gaps", /* @__PURE__ */ new Map());
      /** The text at the end of the run, or the element that consists of it. */
      __publicField(this, "last", null);
    }
    push(line) {
      this.lines.push(line), this.characters += line.length + 1, this.characters > MAX_CHARACTERS ? this.full = "characters" : this.lines.length > MAX_NODES && (this.full = "nodes");
    }
    /** The prefix of an element's line: a plus if the element continues the preceding line of text. */
    start(inside) {
      return this.fresh || inside & 1 ? "" : "+";
    }
    /** Called after an element's line was added. `isFresh` states whether its content begins a new line of text. */
    continueWith(isFresh) {
      this.fresh = isFresh;
    }
    /** Ends the run. */
    flush() {
      if (this.run === "") return;
      let text = this.run.length > MAX_TEXT ? clean(this.run) : this.run.trim(), flags = this.flags;
      this.run = this.tail = "", this.flags = 0;
      let states = (flags & 64 ? 262144 : 0) | (flags & 128 ? 524288 : 0) | (flags & 768 ? 1048576 : 0);
      text !== "" && (this.push((this.fresh ? "" : "+") + this.depth + "		" + text + (states === 0 ? "" : "	!" + states)), this.fresh = !1);
    }
    /** Adds text to the run: that of `node`, or one that a style sheet adds. */
    addText(data, above2, depth, node) {
      if (this.run === "") {
        if (!/\S/.test(data)) return;
        this.depth = depth;
      }
      this.flags |= above2;
      let text = /[\t\n\f\r\x00-\x08]| {2}/.test(data) ? data.replace(/[\t\n\f\r\x00-\x08 ]+/g, " ") : data, isAdjacent = this.spanned && above2 & 32 && /[\p{L}\p{N}]$/u.test(this.tail.slice(-2)) && /^[\p{L}\p{N}]/u.test(text), { last: last3 } = this;
      this.run += isAdjacent && (last3 === null || node === null || this.isApart(last3, node)) ? " " + text : text, text !== "" && (this.tail = text, this.last = node), this.spanned = !1;
    }
    isApart(before, after) {
      let key2 = classesOf(before) + `
` + classesOf(after), known = this.measured < MOST_MEASURED ? void 0 : this.gaps.get(key2);
      if (known !== void 0) return known;
      this.measured++;
      let apart = isApart(before, after);
      return this.gaps.set(key2, apart), apart;
    }
    /** Adds a line break to the run as a space. */
    breakLine() {
      this.run !== "" && (this.run += this.tail = " ");
    }
    enterBlock() {
      this.flush(), this.fresh = !0;
    }
    /** Leaves an element with these flags. */
    leave(left) {
      left & 17 && this.flush(), left & 1 && (this.fresh = !0), this.spanned = (left & 32) !== 0;
    }
  }, MOST_MEASURED = 400;
  function classesOf(node) {
    let element2 = node.nodeType === 1 ? node : node.parentElement, { parentElement: parent } = element2, style = element2.getAttribute("style") ?? "";
    return `${parent?.localName} ${parent?.getAttribute("class")} > ${element2.getAttribute("class")} ${style}`;
  }
  var GAP = 0.2;
  function isApart(before, after) {
    let left = boxesOf(before), right = boxesOf(after);
    if (left.length === 0 || right.length === 0) return !0;
    let end = left[left.length - 1], start = right[0];
    return start.top >= end.bottom || end.top >= start.bottom ? !0 : Math.max(start.left - end.right, end.left - start.right) > Math.min(end.height, start.height) * GAP;
  }
  function boxesOf(node) {
    let range = node.ownerDocument.createRange();
    return range.selectNodeContents(node), range.getClientRects();
  }

  // src/capture-element.ts
  var CONTENT_NAMED = new Set(
    "button link heading tab option menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch tooltip cell gridcell columnheader rowheader".split(
      " "
    )
  ), MASKED = "\u2022\u2022\u2022\u2022";
  function describeElement(visit, start, isFocused) {
    let name = nameOf(visit);
    if (name === null) return null;
    noteStates(visit, isFocused);
    let draft = {
      line: start + visit.depth + "	" + visit.role + "	" + (name === "" ? "" : clean(name)),
      name,
      value: null,
      walk: !0,
      note: ""
    };
    return addContentName(visit, draft), draft.name === "" && draft.walk && visit.states & 1 && isIconOnly(visit.element) && (visit.attributes & 64 && visit.element.getAttribute("title") || (draft.line += clean(iconName(visit.element, (visit.attributes & 1024) !== 0)))), draft.line += "	#" + idOf(visit.element), addByTag(visit, draft), visit.attributes !== 0 && addByAttributes(visit, draft), visit.editor !== null && addEditor(visit.editor, visit, draft), visit.states !== 0 && (draft.line += "	!" + visit.states), draft.value !== null && draft.value !== "" && (draft.line += "	=" + cut(draft.value).replace(/\r?\n/g, "").replace(/[\t\r]/g, "")), draft;
  }
  function nameOf({ element: element2, tag, kind, attributes, role, states, label }) {
    if (label !== "") return label;
    if (role === "combobox" && attributes & 4 && isNamedByItself(element2))
      return element2.getAttribute("aria-label") ?? "";
    let name = tag === "label" ? textOf(element2) : attributes !== 0 || kind.named ? givenName(element2, tag, role, (attributes & 4) !== 0) : "";
    return name !== "" ? name : role === "img" && states === 0 || (role === "form" || role === "group") && tag !== "fieldset" && tag !== "form" ? null : name;
  }
  function noteStates(visit, isFocused) {
    let { element: element2, tag, attributes, inside } = visit, states = visit.states;
    attributes & 32 && (states |= ariaStates(element2)), states |= controlStates(element2, tag), isFocused && (states |= 2048), inside & 64 && (states |= 262144), inside & 128 && (states |= 524288), (inside & 512 || inside & 256 && !(states & 1)) && (states |= 1048576), visit.states = states;
  }
  function addContentName(visit, draft) {
    let { element: element2, role } = visit;
    if (draft.name !== "" && (visit.before = visit.after = ""), draft.name !== "" || !CONTENT_NAMED.has(role) || element2.firstElementChild !== null || shadowOf(element2) !== null || visit.inside & 1024 && !(visit.states & 1)) return;
    let text = visit.before + element2.textContent + visit.after;
    draft.line += clean(text), draft.walk = text === "";
  }
  function addByTag(visit, draft) {
    let { element: element2, tag } = visit;
    switch (tag) {
      case "a":
      case "area": {
        let href = element2.getAttribute("href");
        href && (draft.line += "	@" + (href.length > 200 && /^\s*(data|javascript):/i.test(href) ? href.slice(0, 60) + "\u2026" : clean(href)));
        break;
      }
      case "input":
      case "textarea":
        addField(visit, draft), draft.walk = !1;
        break;
      case "select":
        draft.walk = !1;
        break;
      case "tr":
        element2.parentElement?.localName === "tfoot" && (visit.states |= 2097152);
        break;
      case "progress":
      case "meter":
        draft.value = String(element2.value), draft.walk = !1;
        break;
      case "summary":
        visit.states |= 1;
        break;
      case "video":
      case "audio":
        draft.walk = !1, visit.states |= 1;
        break;
      case "h1":
      case "h2":
      case "h3":
      case "h4":
      case "h5":
      case "h6":
        visit.role === "heading" && (draft.line += "	^" + tag[1]);
        break;
    }
  }
  function addField(visit, draft) {
    let input = visit.element, type = input.type;
    isSecret(input) ? (visit.states |= 32768, input.value !== "" && (draft.value = MASKED)) : type === "file" ? input.files && input.files.length > 0 && (draft.value = Array.from(input.files, (file) => file.name).join(", ")) : (visit.states & 4096 || type === "range" || type === "color" || input.readOnly) && (draft.value = input.value), visit.tag === "input" && type !== "text" && (draft.line += "	:" + type);
  }
  function addByAttributes(visit, draft) {
    let { element: element2, attributes } = visit;
    if (visit.role === "heading" || visit.role === "treeitem") {
      let given = attributes & 32 ? element2.getAttribute("aria-level") : null;
      given && (draft.line += "	^" + clean(given));
    }
    if (attributes & 2048) {
      let size = Number(element2.getAttribute("aria-rowcount") ?? element2.getAttribute("aria-setsize"));
      size > 0 && (draft.line += "	$" + size);
    }
    if (draft.value === null && attributes & 32) {
      let text = element2.getAttribute("aria-valuetext") ?? element2.getAttribute("aria-valuenow");
      text && (draft.value = text);
    }
    draft.value === null && visit.role === "slider" && (draft.value = alongTrack(element2)), (attributes & 16 || visit.role === "textbox") && element2.isContentEditable && addEditable(visit, draft), visit.states & 1 && addHandles(visit, draft);
    let label = (attributes & 64 ? element2.getAttribute("title") : null) || (visit.states & 4608 ? labelOf(element2, draft.name) : "");
    label && label !== draft.name && (draft.line += "	?" + clean(label)), visit.role === "generic" && (draft.line += "	<" + visit.tag);
  }
  function addEditable(visit, draft) {
    visit.states |= 4097, !(visit.role !== "generic" && visit.role !== "textbox") && (visit.role === "generic" && (draft.line = draft.line.replace("	generic	", "	textbox	")), draft.value = isSecret(visit.element) ? MASKED : linesOf(visit.element), draft.walk = !1);
  }
  function addEditor(editor, visit, draft) {
    let isReadOnly = visit.element.readOnly || visit.element.ariaReadOnly === "true";
    visit.states |= 1 | (isReadOnly ? 512 : 4096), draft.value = isSecret(visit.element) ? MASKED : editorText(editor), draft.note = drawnPart(editor), draft.walk = !1;
  }
  function addHandles({ element: element2, attributes }, draft) {
    let own2 = attributes & 128 ? element2.getAttribute("id") : null;
    own2 && (draft.line += "	*" + clean(own2));
    let form = attributes & 256 ? element2.getAttribute("name") : null;
    form && (draft.line += "	&" + clean(form));
    let hint = attributes & 512 ? element2.getAttribute("placeholder") : null;
    if (hint && hint !== draft.name && (draft.line += "	~" + clean(hint)), attributes & 1024) {
      let attribute = TEST_IDS.find((attribute2) => element2.hasAttribute(attribute2));
      attribute && (draft.line += "	%" + clean(element2.getAttribute(attribute)));
    }
  }
  function pushOptions(select2, depth, lines) {
    let choices = select2.options;
    for (let i = 0; i < choices.length && lines.full === ""; i++) {
      let option = choices[i], bits = (option.selected ? 64 : 0) | (option.disabled ? 8 : 0);
      lines.push(depth + "	option	" + clean(option.label || option.text) + (bits ? "	!" + bits : ""));
    }
  }

  // src/change.ts
  var ANY = { subtree: !0, childList: !0, attributes: !0, characterData: !0 }, changed = !1, waiting = /* @__PURE__ */ new Set(), observer4 = new MutationObserver(noteChange);
  function noteChange() {
    observer4.disconnect(), changed = !0;
    for (let resolve of waiting) resolve();
  }
  function expectChange() {
    observer4.disconnect(), observer4.takeRecords(), changed = !1, observer4.observe(document, ANY);
  }
  function waitForChange({ timeoutMs }) {
    return changed || observer4.observe(document, ANY), changed || observer4.takeRecords().length > 0 ? (noteChange(), Promise.resolve(!0)) : new Promise((resolve) => {
      let end = (value) => {
        clearTimeout(timer2), waiting.delete(noted), resolve(value);
      }, noted = () => end(!0), timer2 = setTimeout(end, timeoutMs, !1);
      waiting.add(noted);
    });
  }

  // src/capture.ts
  var MAX_SEEN = MAX_NODES * 8, FEW = 800, MOST_GENERATED = 50, EDITOR = /editor|CodeMirror/, VISIBLE4 = { visibilityProperty: !0 }, SEEN = { visibilityProperty: !0, opacityProperty: !0 }, ANONYMOUS = /* @__PURE__ */ new Set(["generic", "form", "group"]), HOSTS = new Set(
    "article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" ")
  );
  function capture({ key: key2 }) {
    sweep();
    let walk = new Walk(takeChurn(key2 ?? void 0));
    walk.run(), expectChange();
    let text = head(walk) + `
` + walk.lines.lines.join(`
`);
    return text.toWellFormed?.() ?? text;
  }
  function head({ churn, lines, seen }) {
    let itself = churn === null ? "" : [churn.title ? "title" : "", ...Array.from(churn.removed, clean)].join(""), gone = transients().map(
      ({ role, label, error, busy, text }) => [role, (error ? 262144 : 0) | (busy ? 131072 : 0), clean(label), clean(text)].join("")
    ), back = reversions().map(({ text, meanwhile }) => clean(text) + "" + clean(meanwhile)), fields = [
      "legwork 3",
      clean(document.URL),
      clean(document.baseURI),
      clean(document.title),
      String(countPossibleClosedRoots()),
      itself,
      gone.join(""),
      back.join("")
    ];
    if (lines.full !== "") {
      let left = document.getElementsByTagName("*").length - seen;
      fields.push(lines.full, String(Math.max(left, 0)), String(lines.lines.length));
    }
    return fields.join("	");
  }
  var Walk = class {
    constructor(churn) {
      this.churn = churn;
      __publicField(this, "lines", new Lines());
      /** The number of visited elements. */
      __publicField(this, "seen", 0);
      __publicField(this, "styles", {
        pointers: /* @__PURE__ */ new Set(),
        hidden: /* @__PURE__ */ new Set(),
        collapsible: /* @__PURE__ */ new Set(),
        displaced: /* @__PURE__ */ new Set(),
        illegible: /* @__PURE__ */ new Set(),
        rules: {
          collapsible: new SelectorIndex(),
          displaced: new SelectorIndex(),
          illegible: new SelectorIndex(),
          generated: new SelectorIndex()
        },
        blind: !1
      });
      __publicField(this, "focused", /* @__PURE__ */ new Set());
      __publicField(this, "roots", []);
      /** The fields that are named by a label which is not associated with them. */
      __publicField(this, "labels", /* @__PURE__ */ new Map());
      /** The elements that open controls show beside them. */
      __publicField(this, "popups", /* @__PURE__ */ new Set());
      __publicField(this, "fields", new LabelledFields());
      /** The code editors, by the elements that receive their input. */
      __publicField(this, "editors", /* @__PURE__ */ new Map());
      /** The elements in view within parts that are out of reach. */
      __publicField(this, "inView", /* @__PURE__ */ new Set());
      /** The number of elements whose style was queried. */
      __publicField(this, "asked", 0);
      // The stack: at each level the next node, or a list of nodes and the index in it.
      __publicField(this, "nexts", [document.documentElement]);
      __publicField(this, "lists", [null]);
      __publicField(this, "places", [0]);
      __publicField(this, "flags", [1]);
      __publicField(this, "depths", [0]);
      /** The text that a style sheet adds at the end. */
      __publicField(this, "tails", [""]);
      __publicField(this, "level", 0);
    }
    run() {
      for (this.enterRoot(document); this.level >= 0; ) {
        let node = this.nexts[this.level];
        node === null || this.lines.full !== "" ? this.leave() : this.visit(node);
      }
      this.lines.flush();
    }
    leave() {
      let { level, lines } = this;
      this.tails[level] !== "" && lines.addText(this.tails[level], this.flags[level], this.depths[level], null), lines.leave(this.flags[level]), this.level--;
    }
    visit(node) {
      let { level, lines } = this, list = this.lists[level];
      this.nexts[level] = list === null ? node.nextSibling : list[++this.places[level]] ?? null;
      let above2 = this.flags[level], type = node.nodeType;
      if (type === 3 && !(above2 & 1030) && lines.addText(node.data, above2, this.depths[level], node), type !== 1) return;
      if (++this.seen > MAX_SEEN) {
        lines.full = "elements";
        return;
      }
      let element2 = node, tag = element2.localName, kind = tagOf(tag);
      if (kind.skipped && !(tag === "path" && this.isOperablePath(element2, above2))) return;
      if (tag === "br") return lines.breakLine();
      let inside = kind.inline ? above2 & -50 : above2 & -49 | 1, visit = {
        element: element2,
        tag,
        kind,
        attributes: attributesOf(element2),
        above: above2,
        inside,
        depth: this.depths[level],
        role: "",
        states: 0,
        before: "",
        after: "",
        label: "",
        editor: null
      };
      !this.findVisibility(visit) || !this.findRole(visit) || (visit.inside & 1 && lines.enterBlock(), this.findAction(visit) && (this.findGenerated(visit), !(visit.role !== "" && !this.pushLine(visit)) && this.enterContent(visit)));
    }
    /** Determines whether an element or its content is shown, and the resulting flags of its content. */
    findVisibility(visit) {
      let { element: element2, tag, above: above2 } = visit, { styles } = this;
      if (++this.asked === FEW + 1) for (let root2 of this.roots) styled(root2, styles);
      if (this.asked <= FEW || above2 & 258 || styles.blind || styles.hidden.has(element2)) {
        if (element2.checkVisibility(SEEN)) visit.inside &= -259;
        else if (element2.checkVisibility(VISIBLE4))
          visit.inside &= -3, !(above2 & 256) && onScreen(element2) && (visit.inside |= 256);
        else if (element2.checkVisibility()) visit.inside |= 2;
        else if (unseen(element2, tag)) return !1;
      } else if (!element2.checkVisibility() && unseen(element2, tag)) return !1;
      tag === "span" && (visit.inside |= 32), this.inView.size > 0 && this.inView.has(element2) && (visit.inside &= -513);
      let { collapsible, displaced, illegible } = styles.rules, classes = visit.attributes & 8192 ? element2.getAttribute("class") : "";
      if ((styles.collapsible.has(element2) || collapsible.matches(element2, tag, classes)) && isCollapsed(element2))
        visit.inside |= 512;
      else if (tag !== "input" && (styles.displaced.has(element2) || displaced.matches(element2, tag, classes)) && isOutOfReach(element2)) {
        if (!(above2 & 512)) for (let within3 of inViewWithin(element2)) this.inView.add(within3);
        visit.inside |= 512;
      }
      return (above2 & 1024 || styles.illegible.has(element2) || illegible.matches(element2, tag, classes)) && (visit.inside = isIllegible(element2) ? visit.inside | 1024 : visit.inside & -1025), this.churn?.has(element2) && (visit.inside |= 128), EDITOR.test(classes) && this.noteEditor(visit), this.editors.size > 0 && this.findEditor(visit), !0;
    }
    /**
     * Notes a code editor. The lines that it draws are the value of the element that receives its input, and are not
     * texts of the page.
     */
    noteEditor(visit) {
      let input = codeEditor(visit.element) === visit.element ? editorInput(visit.element) : null;
      input !== null && (this.editors.set(input, visit.element), visit.inside |= 4);
    }
    /** Finds the editor whose input an element receives. Such an element is mostly almost invisible. */
    findEditor(visit) {
      visit.editor = this.editors.get(visit.element) ?? null, visit.editor !== null && (visit.inside &= -1795);
    }
    /** Determines the role of an element. Returns false if the element is removed from the accessibility tree. */
    findRole(visit) {
      let { element: element2, tag, kind } = visit, { attributes } = visit;
      return attributes !== 0 && isErrorStyled(element2) && (visit.inside |= 64), attributes & 1 && (element2.hasAttribute("inert") || isAriaHidden(element2) && !isOperated(element2, tag)) ? !1 : (visit.role = attributes & 2 ? roleOf(element2, tag, element2.getAttribute("role")) : kind.role ?? roleOf(element2, tag, null), visit.role === "textbox" && visit.above & 8 && tag === "span" && element2.getAttribute("aria-readonly") === "true" && (visit.role = ""), this.popups.size > 0 && visit.role === "" && this.popups.has(element2) && (visit.role = "menu"), attributes & 32 && element2.getAttribute("aria-expanded") === "true" && this.notePopup(element2), !0);
    }
    /** Notes the menu without a role that an open button shows: a box with commands over the page, after the button. */
    notePopup(opener) {
      let popup = opener.nextElementSibling;
      if (popup === null || popup.hasAttribute("role") || !/^(button|a|div|span)$/.test(opener.localName)) return;
      /absolute|fixed/.test(getComputedStyle(popup).position) && popup.querySelector("a,button") !== null && popup.querySelector("input,select,textarea") === null && this.popups.add(popup);
    }
    /**
     * Determines whether an element can be acted on. Returns false if the element adds nothing to what other lines
     * contain.
     */
    findAction(visit) {
      let { element: element2, tag } = visit;
      if (visit.inside & 2)
        return visit.role = "", !0;
      if (visit.role !== "" && WIDGETS.has(visit.role)) visit.states = 1;
      else if (tag === "label") this.findLabelled(visit);
      else if ((tag === "legend" || tag === "caption") && !element2.querySelector("a,button,input,select")) return !1;
      return visit.states === 0 && (tag !== "label" && !(visit.above & 12) && hasClickListener(element2) ? (visit.inside |= 8, this.act(visit)) : visit.attributes !== 0 && this.findUnnamedAction(visit)), visit.states !== 0 && !(visit.inside & 8) && ANONYMOUS.has(visit.role) && this.isHand(element2) && (visit.inside |= 8), !0;
    }
    /**
     * A label represents its control if that is hidden. If the control is shown, the label is reported as its name. A
     * label without a shown control is a text of its own, and the name of the field that follows it.
     */
    findLabelled(visit) {
      let { element: element2 } = visit, control = element2.control;
      if (control === null || isReplaced(control)) {
        visit.inside |= 1;
        let field = this.fields.of(element2);
        field !== null && (this.labels.set(field, textOf(element2, !1, field)), visit.inside |= 4);
        return;
      }
      control.hasAttribute("aria-label") || control.hasAttribute("aria-labelledby") || (control.checkVisibility(VISIBLE4) ? visit.inside |= 4 : (control.type === "checkbox" || control.type === "radio") && (visit.role = control.type, visit.states = 1 | controlStates(control, "input")));
    }
    /** Determines whether an element without a corresponding role accepts clicks. */
    findUnnamedAction(visit) {
      let { element: element2, tag, above: above2 } = visit;
      visit.attributes & 8 && clickable(element2, tag) || tag === "summary" ? visit.states = 1 : tag === "a" && !(above2 & 12) && visit.attributes & 1092 && isIconOnly(element2) ? (visit.states = 1, visit.role = "button") : above2 & 8 ? visit.inside |= 8 : !(above2 & 4) && tag !== "label" && tag !== "html" && tag !== "body" && this.isHand(element2) && !hasListeningParts(element2) && (visit.states = 1, visit.inside |= 8), visit.states !== 0 && this.act(visit);
    }
    /** Notes that an element without a corresponding role accepts clicks. */
    act(visit) {
      visit.states = 1, visit.role || (visit.role = isSliderHandle(visit.element) ? "slider" : "generic");
    }
    /** Determines the texts that style sheets add to a control. Elsewhere they are mostly decoration. */
    findGenerated(visit) {
      let { element: element2, above: above2, inside, role, states } = visit;
      if (!((above2 | inside) & 8 || states & 1 && role !== "generic") || inside & 6) return;
      let { blind } = this.styles, { generated } = this.styles.rules, { others } = generated;
      if (blind || others.length > MOST_GENERATED) {
        if (/[\p{L}\p{N}]/u.test(element2.textContent)) return;
      } else if (!generated.matches(element2, visit.tag, element2.getAttribute("class") ?? "") && (others.length === 0 || !element2.matches(others.join())))
        return;
      visit.before = generatedText(element2, "::before"), visit.after = generatedText(element2, "::after");
    }
    /** Whether a shape of a drawing can be clicked by itself. Most paths are parts of icons. */
    isOperablePath(element2, above2) {
      if (above2 & 14) return !1;
      if (hasClickListener(element2)) return !0;
      let parent = element2.parentElement;
      return element2.hasAttribute("class") && this.isHand(element2) && parent !== null && !this.isHand(parent);
    }
    isHand(element2) {
      return this.asked > FEW ? this.styles.pointers.has(element2) : getComputedStyle(element2).cursor === "pointer";
    }
    /** Adds the line of an element. Returns false if its content is not walked, or is walked as that of a frame. */
    pushLine(visit) {
      let { element: element2, tag } = visit, { lines } = this;
      lines.flush(), this.labels.size > 0 && (visit.label = this.labels.get(element2) ?? "");
      let described2 = describeElement(visit, lines.start(visit.inside), this.focused.has(element2));
      return described2 === null ? !0 : visit.role === "iframe" ? (this.enterFrame(visit, described2.line), !1) : (lines.push(described2.line), described2.note !== "" && lines.push("+" + visit.depth + "		" + described2.note), lines.continueWith(!1), visit.depth++, visit.inside |= 16, tag === "select" && pushOptions(element2, visit.depth, lines), described2.walk ? (visit.states & 1 && visit.role !== "generic" && (visit.inside |= 8), !0) : (lines.continueWith((visit.inside & 1) !== 0), !1));
    }
    enterFrame({ element: element2, depth }, line) {
      let inner = null;
      try {
        inner = element2.contentDocument;
      } catch {
      }
      if (inner === null || inner.documentElement === null) {
        this.lines.push(line + "	/");
        return;
      }
      this.lines.push(line), this.enterRoot(inner), this.lines.continueWith(!0), this.descend(inner.documentElement, null, 17, depth + 1);
    }
    enterRoot(root2) {
      this.asked > FEW ? styled(root2, this.styles) : this.roots.push(root2), unusual(root2, this.styles), root2.activeElement && this.focused.add(root2.activeElement);
    }
    /** Continues with the content of an element in the flat tree. */
    enterContent({ element: element2, tag, inside, depth, before, after }) {
      before !== "" && this.lines.addText(before, inside, depth, null);
      let first = null, list = null, shadow = shadowOf(element2);
      if (shadow === null && tag.includes("-") && notePossibleClosedRoot(element2), shadow !== null)
        this.enterRoot(shadow), first = shadow.firstChild;
      else if (tag === "slot") {
        let nodes = element2.assignedNodes();
        list = nodes.length > 0 ? nodes : null, first = nodes[0] ?? element2.firstChild;
      } else if (tag === "details" && !element2.open)
        list = Array.from(element2.children).filter((child) => child.localName === "summary").slice(0, 1), first = list[0] ?? null;
      else if (element2.firstElementChild === null) {
        this.addOnlyText(element2, tag, inside, depth, after);
        return;
      } else
        list = rowsInOrder(element2), first = list === null ? element2.firstChild : list[0];
      (first !== null || inside & 17 || after !== "") && this.descend(first, list, inside, depth, after);
    }
    /**
     * Adds the content of an element without child elements. Most elements contain only a text, and getting its node
     * would cost more than getting the text.
     */
    addOnlyText(element2, tag, inside, depth, after) {
      let isLeftOut = (inside & 1030) !== 0, data = isLeftOut ? "" : element2.textContent + after;
      if (!/\S/.test(data) && !isLeftOut && HOSTS.has(tag) && firstLook(element2)) {
        let box = element2.getBoundingClientRect();
        box.width > 0 && box.height > 0 && notePossibleClosedRoot(element2);
      }
      if (data !== "") this.lines.addText(data, inside, depth, element2);
      else if (!(inside & 17) && !element2.hasChildNodes()) return;
      this.lines.leave(inside);
    }
    descend(first, list, flags, depth, tail = "") {
      let level = ++this.level;
      this.nexts[level] = first, this.lists[level] = list, this.places[level] = 0, this.flags[level] = flags, this.depths[level] = depth, this.tails[level] = tail;
    }
  };
  function rowsInOrder(element2) {
    let first = element2.firstElementChild;
    if (!first.hasAttribute("aria-rowindex") || first.nextElementSibling === null) return null;
    let rows = Array.from(element2.children, (row) => [Number(row.getAttribute("aria-rowindex")), row]);
    return rows.every(([index], at) => at === 0 || rows[at - 1][0] <= index) || rows.some(([index]) => !(index > 0)) ? null : rows.sort(([one], [other]) => one - other).map(([, row]) => row);
  }
  function unseen(element2, tag) {
    let { display } = getComputedStyle(element2);
    return display === "" && element2.parentElement !== null && notePossibleClosedRoot(element2.parentElement), tag !== "slot" && display !== "contents";
  }
  function onScreen(element2) {
    let box = element2.getBoundingClientRect();
    return box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  }
  function isCollapsed(element2) {
    return element2.clientHeight === 0 && element2.scrollHeight > 0 && /hidden|clip/.test(getComputedStyle(element2).overflowY);
  }
  var isAriaHidden = (element2) => element2.getAttribute("aria-hidden") === "true";
  function isOperated(element2, tag) {
    let style = getComputedStyle(element2), { width, height } = element2.getBoundingClientRect();
    return style.pointerEvents === "none" || width === 0 || height === 0 ? !1 : tag === "button" || hasClickListener(element2) || tag === "a" && style.cursor === "pointer";
  }
  function clickable(element2, tag) {
    if (element2.hasAttribute("onclick")) return !0;
    let editable = element2.getAttribute("contenteditable");
    return editable !== null && editable !== "false" ? !0 : tag !== "body" && tag !== "html" && element2.hasAttribute("tabindex") && element2.tabIndex >= 0;
  }

  // src/element-facts.ts
  function elementFacts({ element: number }) {
    let element2 = number === null ? active() : element(number);
    if (!element2) return null;
    let { role, name } = roleName(element2), control = pressedControl(element2), button = submits(control) ? control : defaultButton(control);
    return {
      origin: (element2.ownerDocument.defaultView ?? window).origin,
      role,
      name: element2 === element2.ownerDocument.body ? "" : name,
      submits: submits(control),
      submitter: button ? roleName(button).name : "",
      formTarget: formTarget(control, button),
      linkTarget: linkTarget(element2),
      downloads: element2.closest("a[download],area[download]") !== null,
      frame: element2.localName === "iframe" || element2.localName === "frame" ? idOf(element2) : null
    };
  }
  function formTarget(control, button) {
    let form = control?.form ?? control?.closest("form");
    if (!form) return "";
    let ofButton = (name) => button?.getAttribute(`form${name}`);
    return (ofButton("method") ?? form.getAttribute("method"))?.toLowerCase() === "dialog" ? "" : resolved(ofButton("action") || form.getAttribute("action") || form.ownerDocument.URL, form);
  }
  function linkTarget(element2) {
    let link = element2.closest("a[href],area[href],a[*|href]"), href = link?.getAttribute("href") ?? link?.getAttributeNS("http://www.w3.org/1999/xlink", "href");
    return link && href ? resolved(href, link) : "";
  }
  function resolved(address, element2) {
    try {
      return new URL(address, element2.baseURI).href;
    } catch {
      return "";
    }
  }
  function pressedControl(element2) {
    let control = element2.closest("button,input,select,textarea");
    if (control !== null) return control;
    let label = element2.closest("label");
    if (label?.control) return label.control;
    for (let outer = element2; outer !== null; outer = outer.parentElement)
      if (outer.localName.includes("-") && outer.getAttribute("type") === "submit" && outer.closest("form")) return outer;
    return null;
  }
  function submits(control) {
    return control === null ? !1 : control.localName.includes("-") ? !0 : control.form ? /^(submit|image)$/.test(control.type) : !1;
  }
  function defaultButton(control) {
    let form = control?.form;
    return form ? [...form.elements, ...form.querySelectorAll("input[type=image]")].find(submits) : void 0;
  }

  // src/frames.ts
  async function frameOffset({ element: element2, x, y }) {
    let frame2 = element(element2);
    if (!frame2) return { covered: { by: "nothing: the frame is gone" } };
    let hit = await offsetInView(frame2, x, y);
    return "by" in hit ? { covered: { by: hit.by } } : { point: hit };
  }
  function frameBox({
    element: element2,
    x,
    y,
    width,
    height
  }) {
    let frame2 = element(element2);
    return frame2 ? boxInFrame(frame2, x, y, width, height) : null;
  }
  async function offsetInView(frame2, x, y) {
    for (let block of [null, "center"]) {
      if (block !== null) {
        frame2.scrollIntoView({ block, behavior: "instant" });
        for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      let owner = frame2, [px, py] = [x, y];
      for (; ; ) {
        let inside = insideOf(owner);
        [px, py] = [inside.x + px * inside.scale, inside.y + py * inside.scale];
        let hit = hitIn(owner.ownerDocument, px, py);
        if (hit !== owner) {
          if (block === null) break;
          return { by: hit === null ? "the edge of the view" : obstacle(hit) };
        }
        let next = frameOf(owner.ownerDocument);
        if (next === null) return { x: px, y: py };
        owner = next;
      }
    }
    return { by: "the edge of the view" };
  }

  // src/highlight.ts
  var STYLE2 = "outline:2px solid #c2185b;background:#c2185b22", host = null, root, boxes = /* @__PURE__ */ new Map();
  function highlight({ element: number, style }) {
    let element2 = element(number);
    if (!element2) return !1;
    if (host === null) {
      host = document.createElement("div"), host.style.cssText = "all:initial!important;position:fixed!important;inset:0 auto auto 0!important;width:0!important;height:0!important;z-index:2147483647!important", root = host.attachShadow({ mode: "closed" });
      for (let moved of ["scroll", "resize"]) addEventListener(moved, follow, { capture: !0, passive: !0 });
    }
    host.isConnected || document.documentElement.append(host), boxes.get(element2)?.remove();
    let box = document.createElement("div");
    return box.style.cssText = STYLE2 + ";" + style + ";position:fixed;box-sizing:border-box;pointer-events:none", boxes.set(element2, box), root.append(box), follow(), !0;
  }
  function unhighlight({ element: element2 }) {
    let only = element2 === null ? null : element(element2), gone = 0;
    for (let [highlighted, box] of boxes)
      only !== null && highlighted !== only || (box.remove(), boxes.delete(highlighted), gone++);
    return boxes.size === 0 && host?.remove(), gone;
  }
  function follow() {
    for (let [element2, box] of boxes) {
      let [x, y, width, height] = boxOf(element2);
      for (let [side, length] of Object.entries({ left: x, top: y, width, height }))
        box.style.setProperty(side, length + "px");
    }
  }

  // src/locate.ts
  var quoted = (text) => "'" + text.replace(/[\\']/g, "\\$&").replace(/\n/g, "\\n") + "'";
  function locator({ element: number }) {
    let element2 = element(number);
    if (!element2) return null;
    let { playwright, target } = located(element2), frame2 = frameOf(element2.ownerDocument);
    return {
      playwright: frame2 === null ? playwright : "locator(" + quoted(path(frame2)) + ").contentFrame()." + playwright,
      target
    };
  }
  function located(element2) {
    let alone = (selector) => {
      let found = findAll({ by: "css", selector });
      return found.length === 1 && found[0] === element2;
    }, testId = element2.getAttribute("data-testid");
    if (testId !== null) {
      let target = '[data-testid="' + CSS.escape(testId) + '"]';
      if (alone(target)) return { playwright: "getByTestId(" + quoted(testId) + ")", target };
    }
    let { role, name } = roleName(element2), named2 = role && role !== "generic" && name && name.length <= 120, alike = named2 ? findAll({ by: "role", role, name }) : [];
    if (named2 && !/["\]]/.test(name)) {
      let target = "role=" + role + '[name="' + name + '"]', lower = name.toLowerCase(), near2 = findAll({ by: "role", role, name: null }).filter(
        (other) => roleName(other).name.toLowerCase().includes(lower)
      ), by = "getByRole(" + quoted(role) + ", { name: " + quoted(name) + (near2.length > 1 ? ", exact: true" : "") + " })";
      if (alike.length === 1) return { playwright: by, target };
    }
    let id = element2.id && "#" + CSS.escape(element2.id);
    if (id && alone(id)) return { playwright: "locator(" + quoted(id) + ")", target: id };
    let at = path(element2);
    return { playwright: "locator(" + quoted(at) + ")", target: at };
  }
  function path(element2) {
    let parts = [];
    for (let at = element2; at !== null; at = at.parentElement) {
      let id = at.id && "#" + CSS.escape(at.id);
      if (id && at.getRootNode().querySelectorAll(id).length === 1) {
        parts.unshift(id);
        break;
      }
      let tag = CSS.escape(at.localName), like = Array.from(at.parentElement?.children ?? []).filter(
        (other) => other.localName === at.localName
      );
      parts.unshift(like.length > 1 ? tag + ":nth-of-type(" + (like.indexOf(at) + 1) + ")" : tag);
    }
    return parts.join(" > ");
  }

  // src/marks.ts
  var COLOURS = ["#c2185b", "#1565c0", "#2e7d32", "#b34700", "#6a1b9a", "#00696b"], LEFT_BEHIND = 1e4, host2 = null, timer = 0;
  function drawMarks({ labels }) {
    removeMarks();
    let overlay = document.createElement("div");
    overlay.style.cssText = "all:initial!important;position:fixed!important;inset:0!important;width:100vw!important;height:100vh!important;pointer-events:none!important;z-index:2147483647!important;background:none!important;overflow:visible!important";
    let root2 = overlay.attachShadow({ mode: "closed" }), drawn = 0;
    for (let [number, label] of labels) {
      let element2 = element(number), box = element2 && boxOf2(element2);
      if (!box) continue;
      let colour = COLOURS[drawn++ % COLOURS.length], frame2 = document.createElement("div");
      frame2.style.cssText = `position:fixed;left:${box.x}px;top:${box.y}px;width:${box.width}px;height:${box.height}px;box-sizing:border-box;border:2px solid ${colour}`;
      let name = document.createElement("span");
      name.style.cssText = `position:absolute;left:-2px;top:${box.y >= 15 ? -15 : -2}px;font:bold 11px/13px monospace;padding:0 2px;color:#fff;background:${colour};white-space:nowrap`, name.textContent = label, frame2.append(name), root2.append(frame2);
    }
    document.documentElement.append(overlay), host2 = overlay;
    try {
      overlay.setAttribute("popover", "manual"), overlay.showPopover();
    } catch {
      overlay.removeAttribute("popover");
    }
    return timer = setTimeout(removeMarks, LEFT_BEHIND), drawn;
  }
  function removeMarks() {
    clearTimeout(timer), host2?.remove(), host2 = null;
  }
  function boxOf2(element2) {
    let { x, y, width, height } = element2.getBoundingClientRect();
    for (let frame2 = frameOf(element2.ownerDocument); frame2 !== null; frame2 = frameOf(frame2.ownerDocument)) {
      let inside = insideOf(frame2);
      [x, y, width, height] = [
        inside.x + x * inside.scale,
        inside.y + y * inside.scale,
        width * inside.scale,
        height * inside.scale
      ];
    }
    return width >= 3 && height >= 3 && x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0 ? { x, y, width, height } : null;
  }

  // src/options.ts
  var OPTIONS = "[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem],[aria-selected]:not([role])", presentBefore = /* @__PURE__ */ new WeakSet(), ofOtherLists = /* @__PURE__ */ new WeakSet(), textBefore = "", squeezed = (text) => text.replace(/\s+/g, " ").trim().toLowerCase();
  function elementsWithText(text) {
    let found = /* @__PURE__ */ new Set(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.data.length < text.length || squeezed(node.data) !== text || node.parentElement === null)
        continue;
      let outer = node.parentElement;
      for (; outer.parentElement !== null && squeezed(outer.parentElement.textContent ?? "") === text; )
        outer = outer.parentElement;
      visible(outer) && found.add(outer);
    }
    return [...found];
  }
  function isClipped(element2) {
    let around = element2.parentElement;
    for (let up = 0; up < 4 && around !== null; up++, around = around.parentElement)
      if ((around.clientWidth === 0 || around.clientHeight === 0) && /hidden|clip/.test(getComputedStyle(around).overflow))
        return !0;
    return !1;
  }
  function isMoving(option, options) {
    return options.slice(0, options.indexOf(option)).some(
      (other) => other.parentElement === option.parentElement && /(^|[\s_-])loading/i.test(other.getAttribute("class") ?? "")
    );
  }
  var stateHolder = (opener) => opener.hasAttribute("aria-expanded") ? opener : opener.querySelector("[role=combobox],[aria-expanded]") ?? opener;
  function ownLists(opener) {
    let holder = stateHolder(opener), ids = `${holder.getAttribute("aria-controls") ?? ""} ${holder.getAttribute("aria-owns") ?? ""}`, root2 = holder.getRootNode();
    return ids.split(/\s+/).filter((id) => id !== "").flatMap((id) => root2.getElementById(id) ?? []);
  }
  function findOption({ list, value, before }) {
    let lower = squeezed(value), opener = element(list), isCombobox = opener !== void 0 && stateHolder(opener).getAttribute("role") === "combobox", isOption = (element2) => element2 !== opener && !(isCombobox && element2.matches("[role^=menuitem]")) && visible(element2) && !isClipped(element2), all = findAll({ by: "css", selector: OPTIONS }).filter(isOption), plain2 = () => findAll({ by: "css", selector: "li,[data-value]" }).filter(visible), name = (element2) => (element2.innerText ?? "").replace(/\s+/g, " ").trim();
    if (before) {
      presentBefore = new WeakSet(before.flatMap((text) => elementsWithText(squeezed(text))));
      let others = opener !== void 0 && stateHolder(opener).getAttribute("aria-expanded") === "false" ? [...all, ...plain2()].filter((element2) => !holds(opener, element2)) : [];
      ofOtherLists = new WeakSet(others);
    }
    let isNew = (element2) => !ofOtherLists.has(element2), lists = opener ? ownLists(opener) : [], own2 = all.filter((element2) => lists.some((other) => holds(other, element2))), shown2 = own2.length > 0 ? own2 : all.filter(isNew), named2 = shown2.length > 0 ? shown2 : plain2().filter(isNew), found = named2.find((element2) => name(element2).toLowerCase() === lower) ?? named2.find((element2) => element2.getAttribute("data-value") === value || element2.getAttribute("value") === value) ?? named2.find((element2) => (element2.getAttribute("aria-label") ?? "").toLowerCase() === lower) ?? (!before && shown2.length === 0 ? elementsWithText(lower).find((element2) => !presentBefore.has(element2) && !(opener && holds(element2, opener))) : void 0);
    return found && !isMoving(found, named2) ? { element: idOf(found), what: name(found), done: isChosen(found) } : { reason: "no_option", what: "", option: value, options: shown2.slice(0, 30).map(name) };
  }
  function typeAhead({ list, value }) {
    let element2 = element(list);
    if (element2?.localName !== "input" || element2.readOnly || element2.getAttribute("role") !== "combobox" && !element2.hasAttribute("aria-autocomplete")) return !1;
    let text = value.trim();
    textBefore = element2.value;
    let came = replace(element2, { text: text.length > 3 ? text.slice(0, -1) : text, submit: !0 });
    return "step" in came && (came.step === "set" || came.step === "differs");
  }
  function clearTypeAhead({ list }) {
    let element2 = element(list);
    element2 && replace(element2, { text: textBefore, submit: !0 });
  }
  var isChosen = (option) => ["aria-selected", "aria-checked"].some((name) => option.getAttribute(name) === "true");
  function fieldsOf(list) {
    let root2 = list.getRootNode(), id = list.id === "" ? "" : CSS.escape(list.id), naming = id === "" ? [] : [...root2.querySelectorAll(`[aria-controls~="${id}"],[aria-owns~="${id}"]`)], beside = list.previousElementSibling, near2 = [root2.activeElement, beside, ...beside?.querySelectorAll("input") ?? []];
    return [...naming, ...near2].filter((field) => field instanceof Element && field !== list);
  }
  function optionOutcome({ list, option, value, label }) {
    let entry = element(option);
    if (entry && (isChosen(entry) || /\b(selected|checked|active|chosen)\b/i.test(String(entry.className))))
      return { kind: "held" };
    let opener = element(list), menu = opener?.localName === "button" && /^(true|menu)$/.test(opener.getAttribute("aria-haspopup") ?? ""), isCommand = opener?.localName === "button" && entry !== void 0 && entry.getAttribute("role") !== "option" && (entry.closest("a,button") ?? entry.querySelector("a,button")) !== null;
    if (!opener || menu || isCommand || /^menuitem/.test(entry?.getAttribute("role") ?? "")) return null;
    let wanted = [value, label].map(squeezed).filter((text) => text !== "");
    if (findAll({ by: "css", selector: "[role=option],[role=treeitem]" }).some((other) => isChosen(other) && wanted.includes(squeezed(other.innerText ?? ""))))
      return { kind: "held" };
    let texts = (element2) => {
      let fields = [element2, ...element2.querySelectorAll("input,textarea")].filter(
        (field) => "value" in field
      ), lists = new Set(element2.querySelectorAll("[role=listbox],[role=option],[role=menu],select,datalist")), own2 = (node) => node.nodeType === 3 ? node.nodeValue : lists.has(node) || node.nodeType === 1 && !visible(node) ? "" : Array.from(node.childNodes, own2).join(" ");
      return squeezed([...fields.map((field) => field.value), own2(element2)].join(" "));
    };
    if (opener.getAttribute("role") === "listbox" && !visible(opener)) {
      let isWanted = (field) => "value" in field && wanted.includes(squeezed(String(field.value)));
      if (fieldsOf(opener).some(isWanted)) return { kind: "held" };
    }
    let around = opener;
    for (let up = 0; up < 4 && around !== null && !/^(body|form|main)$/.test(around.localName); up++, around = around.parentElement) {
      let shown2 = texts(around);
      if (wanted.some((text) => shown2.includes(text))) return { kind: "held" };
    }
    return { kind: "differs", actual: texts(opener) };
  }

  // src/pointer.ts
  function describePoint({ key: key2, x, y }) {
    arm(key2, window);
    let hit = hitIn(document, x, y), what = hit && tagOf2(hit);
    for (let node = hit, far = 0; node !== null && far < 5; node = above(node), far++) {
      if (node.nodeType !== 1 || /^(body|html)$/i.test(node.localName)) continue;
      let { role, name } = roleName(node);
      if (role && role !== "generic" && (name || role === "iframe")) {
        what = describe(node);
        break;
      }
    }
    return { view: [innerWidth, innerHeight], what };
  }
  function wheelHandled({ timeoutMs }) {
    return new Promise((resolve) => {
      let once = { capture: !0, once: !0, passive: !0 };
      addEventListener("scroll", () => requestAnimationFrame(() => resolve(!0)), once), addEventListener("wheel", (event) => setTimeout(() => event.defaultPrevented && resolve(!0)), once), setTimeout(resolve, timeoutMs, !1);
    });
  }
  var accepted2 = null;
  function watchDragOver({ element: element2 }) {
    let view = element(element2)?.ownerDocument.defaultView;
    accepted2 = new Promise((resolve) => {
      view?.addEventListener("dragover", (event) => setTimeout(() => resolve(event.defaultPrevented)), {
        capture: !0,
        once: !0
      });
    });
  }
  function acceptsDrop({ timeoutMs }) {
    let late = new Promise((resolve) => setTimeout(resolve, timeoutMs, !1));
    return Promise.race([accepted2 ?? late, late]);
  }

  // src/read.ts
  var textIn2 = (element2) => {
    let code = codeText(element2);
    if (code !== null) return code;
    let input = element2;
    switch (element2.localName) {
      case "input":
        return input.type === "checkbox" || input.type === "radio" ? String(input.checked) : input.value;
      case "textarea":
        return input.value;
      case "select":
        return Array.from(element2.selectedOptions, (option) => option.label || option.text).join(
          ", "
        );
      default:
        return (element2.innerText ?? element2.textContent ?? "").trim();
    }
  }, MASKED2 = "\u2022\u2022\u2022\u2022";
  function contentOf2(element2, content) {
    if (content === "text") return isSecret(element2) ? MASKED2 : textIn2(element2);
    if (content === "html") return element2.outerHTML;
    let name = content.attribute;
    return name === "value" && "value" in element2 ? isSecret(element2) ? MASKED2 : String(element2.value) : (name === "href" || name === "src") && name in element2 ? String(element2[name]) : element2.getAttribute(name);
  }
  function readElements({ target, scope, content, limit }) {
    let found;
    if ("query" in target && scope !== "only") {
      let every = findEvery(target.query);
      if (!Array.isArray(every)) return every;
      found = scope === "all" ? every : every.slice(0, 1);
    } else {
      let located2 = locate(target);
      if (!("nodeType" in located2)) return located2;
      found = [located2];
    }
    let left = limit, texts = [];
    for (let element2 of found) {
      if (left <= 0) break;
      let text = contentOf2(element2, content);
      text !== null && text.length > left && (text = text.slice(0, left + 1)), left -= text?.length ?? 0, texts.push(text);
    }
    return { texts, what: describe(found[0]), box: boxOf(found[0]) };
  }
  function html({ limit }) {
    let text = (document.doctype ? new XMLSerializer().serializeToString(document.doctype) + `
` : "") + document.documentElement.outerHTML;
    return { html: text.length > limit ? null : text, length: text.length };
  }
  var WORDY = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]/u;
  function includesWords(whole, text) {
    let isWithin = (at) => WORDY.test(whole.charAt(at - 1)) && WORDY.test(whole.charAt(at)) && at > 0 && at < whole.length;
    if (text === "") return !0;
    for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1))
      if (!isWithin(at) && !isWithin(at + text.length)) return !0;
    return !1;
  }
  function includesText({ text }) {
    let lower = text.replace(/\s+/g, " ").trim().toLowerCase(), within3 = (root2) => {
      let whole = root2.nodeType === 9 ? root2.body?.innerText ?? "" : Array.from(root2.children, (child) => child.innerText ?? "").join(" ");
      if (includesWords(whole.replace(/\s+/g, " ").toLowerCase(), lower)) return !0;
      for (let element2 of root2.querySelectorAll("*")) {
        let input = element2;
        if ((element2.localName === "input" || element2.localName === "textarea") && input.type !== "password" && visible(element2) && includesWords(input.value.toLowerCase(), lower))
          return !0;
        let shadow = shadowOf(element2);
        if (shadow !== null && within3(shadow)) return !0;
        if (element2.localName === "iframe" && visible(element2))
          try {
            let inner = element2.contentDocument;
            if (inner && within3(inner)) return !0;
          } catch {
          }
      }
      return !1;
    };
    return within3(document);
  }

  // src/readable.ts
  var SKIPPED2 = /* @__PURE__ */ new Set([
    "script",
    "style",
    "noscript",
    "template",
    "svg",
    "canvas",
    "video",
    "audio",
    "object",
    "embed",
    "option",
    "head"
  ]), KEPT2 = /* @__PURE__ */ new Set([
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "p",
    "ul",
    "ol",
    "li",
    "table",
    "thead",
    "tbody",
    "tfoot",
    "tr",
    "th",
    "td",
    "caption",
    "dl",
    "dt",
    "dd",
    "pre",
    "code",
    "blockquote"
  ]), escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
  function fieldText(element2) {
    if (element2.localName === "select")
      return Array.from(element2.selectedOptions, (option) => option.label || option.text).join(
        ", "
      );
    if (element2.localName === "textarea") return element2.value;
    if (element2.localName !== "input") return null;
    let input = element2;
    return input.type === "password" || isSecret(input) ? "\u2022\u2022\u2022\u2022" : input.type === "checkbox" || input.type === "radio" ? input.checked ? "[x]" : "[ ]" : input.type === "hidden" || input.type === "file" ? "" : input.value;
  }
  function readableHtml({ limit }) {
    let out = [], size = 0, put = (text) => {
      size += text.length, out.push(text);
    }, open = [document.body ?? document.documentElement];
    for (; open.length > 0 && size < limit; ) {
      let next = open.pop();
      typeof next == "string" ? put(next) : next.nodeType === 3 ? put(escaped(next.data)) : next.nodeType === 1 && enter(next, open, put);
    }
    return out.join("");
  }
  function enter(element2, open, put) {
    let tag = element2.localName;
    if (SKIPPED2.has(tag)) return;
    let style = getComputedStyle(element2);
    if (style.display === "none" || style.display !== "contents" && !element2.checkVisibility()) return;
    let shown2 = style.visibility === "visible", field = fieldText(element2);
    if (field !== null) {
      shown2 && field !== "" && put(" " + escaped(field) + " ");
      return;
    }
    if (tag === "br" || tag === "hr") return put(shown2 ? "<" + tag + ">" : "");
    if (tag === "img") return put(shown2 ? escaped(element2.alt) : "");
    if (tag === "iframe" || tag === "frame") {
      let inner = bodyOf(element2);
      inner !== null && open.push("</div>", inner, "<div>");
      return;
    }
    let href = tag === "a" && element2.getAttribute("href")?.startsWith("#") === !1 ? element2.href : "", as = tag === "th" && Array.from(element2.parentElement?.children ?? []).some((cell) => cell.localName === "td") ? "td" : href.startsWith("http") ? "a" : KEPT2.has(tag) ? tag : style.display.startsWith("inline") || style.display === "contents" ? "" : "div";
    as !== "" && (put(as === "a" ? '<a href="' + escaped(href) + '">' : "<" + as + ">"), open.push("</" + as + ">"));
    let slotted = tag === "slot" ? element2.assignedNodes() : [], root2 = shadowOf(element2) ?? element2, children = slotted.length > 0 ? slotted : Array.from(root2.childNodes);
    for (let i = children.length - 1; i >= 0; i--) (shown2 || children[i].nodeType === 1) && open.push(children[i]);
  }
  function bodyOf(frame2) {
    try {
      return frame2.contentDocument?.body ?? null;
    } catch {
      return null;
    }
  }

  // src/scroll.ts
  function scroll({ key: key2, direction, screens, element: element2 }) {
    arm(key2, window);
    let box = element2 === null ? null : element(element2) ?? null;
    for (; box !== null; box = box.parentElement) {
      let style = getComputedStyle(box);
      if (direction === "left" || direction === "right" ? box.scrollWidth > box.clientWidth && /auto|scroll/.test(style.overflowX) : box.scrollHeight > box.clientHeight && /auto|scroll/.test(style.overflowY))
        break;
    }
    let root2 = box ?? document.scrollingElement ?? document.documentElement, height = (box ? root2.clientHeight : innerHeight) * 0.9 * screens, width = (box ? root2.clientWidth : innerWidth) * 0.9 * screens, by = (left, top) => root2.scrollBy({ left, top, behavior: "instant" });
    direction === "up" ? by(0, -height) : direction === "down" ? by(0, height) : direction === "left" ? by(-width, 0) : direction === "right" ? by(width, 0) : root2.scrollTo({ top: direction === "top" ? 0 : root2.scrollHeight, behavior: "instant" });
  }

  // src/storage.ts
  var storageOf = (area) => area === "local" ? localStorage : sessionStorage, entriesOf = (storage) => Object.keys(storage).map((name) => ({ name, value: storage.getItem(name) }));
  function within2(area, value) {
    let storage;
    try {
      storage = storageOf(area);
    } catch {
      return { error: "this page has no storage" };
    }
    try {
      return { value: value(storage) };
    } catch (error) {
      return { error: String(error) };
    }
  }
  function originStorage() {
    let entries = (area) => {
      let read2 = within2(area, entriesOf);
      return "value" in read2 ? read2.value : [];
    };
    return { origin, localStorage: entries("local"), sessionStorage: entries("session") };
  }
  var storageEntries = ({ area }) => within2(area, (storage) => entriesOf(storage).sort((one, other) => one.name < other.name ? -1 : 1)), storageEntry = ({ area, name }) => within2(area, (storage) => storage.getItem(name)), setStorageEntry = ({ area, origin: expected2, name, value }) => within2(area, (storage) => {
    if (origin !== expected2) throw "the page is another one by now";
    return storage.setItem(name, value), null;
  }), deleteStorageEntries = ({ area, name }) => within2(area, (storage) => {
    if (name === null) {
      let all = storage.length;
      return storage.clear(), all;
    }
    let had = storage.getItem(name) !== null;
    return storage.removeItem(name), had ? 1 : 0;
  });

  // src/user-keys.ts
  var EDITING = /^(a|c|v|x|y|z|Backspace|Delete|Insert|Home|End|ArrowLeft|ArrowRight|ArrowUp|ArrowDown)$/i, BROWSER = /^(t|n|w|r|l|f|g|h|j|k|d|u|p|o|q|i|\+|-|=|0|1|2|3|4|5|6|7|8|9|Tab|F4|F5)$/i, MODIFIERS = /^(Shift|Control|Alt|Meta|AltGraph|CapsLock|NumLock|ScrollLock|Dead|Process|Unidentified)$/, MOVES = /^(Arrow|Home$|End$|PageUp$|PageDown$)/, NATIVE2 = "input,select,textarea,button,a[href],summary,video,audio,iframe,option", isEnter = (event) => event.key === "Enter" && !event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey, offersValues = (element2) => element2.getAttribute("role") === "combobox" || element2.hasAttribute("aria-autocomplete") || element2.hasAttribute("list") || (element2.getAttribute("aria-haspopup") ?? "false") !== "false";
  function chordOf(event, element2, inField) {
    let { key: key2 } = event;
    if (MODIFIERS.test(key2) || event.getModifierState("AltGraph")) return null;
    let held = [event.ctrlKey && "Control", event.altKey && "Alt", event.metaKey && "Meta"].filter(
      (name) => name !== !1
    ), isText = key2.length === 1;
    if (held.length > 0)
      return inField && EDITING.test(key2) || (event.altKey ? MOVES.test(key2) || /^(d|F4)$/i.test(key2) : BROWSER.test(key2)) ? null : (!isText && event.shiftKey && held.push("Shift"), [...held, isText ? key2.toUpperCase() : key2].join("+"));
    if (/^F\d+$/.test(key2)) return /^F(5|11|12)$/.test(key2) ? null : key2;
    let named2 = event.shiftKey && !isText ? "Shift+" + key2 : key2;
    if (key2 === "Escape") return named2;
    let isNative = element2.matches(NATIVE2);
    if (key2 === "Enter") return inField || !isNative ? named2 : null;
    if (inField)
      return offersValues(element2) && (MOVES.test(key2) || key2 === "Tab") && !/^(Home|End)$/.test(key2) ? named2 : null;
    if (isNative || key2 === "Tab") return null;
    let isFocused = element2 !== element2.ownerDocument.body && element2 !== element2.ownerDocument.documentElement;
    return MOVES.test(key2) || key2 === " " ? isFocused ? key2 === " " ? "Space" : named2 : null : named2;
  }

  // src/user-input.ts
  var MOVED = 8, TEXT3 = 200, NAME2 = 80, FOLLOWS_PRESS = /* @__PURE__ */ new Set(["pointerup", "pointermove", "click", "auxclick", "contextmenu", "focusout", "keyup"]), PASSWORD = /passw|passphrase|passcode|kennwort|wachtwoord|contraseña|clave|senha|palavra-passe|mot de passe|lösenord|adgangskode|hasło|heslo|jelszó|parola|salasana|пароль|密码|密碼|パスワード|비밀번호|secret|token|api[ _-]?key|\bpin\b|\bcv[cv]2?\b|security code/i;
  function numbersAround(element2) {
    let numbers3 = [];
    for (let node = element2; node !== null; )
      isElement(node) && isNumbered(node) && numbers3.push(idOf(node)), node = above(node) ?? (node.nodeType === 9 ? frameOf(node) : null);
    return numbers3;
  }
  var reporter = {
    isSecret,
    markSecret,
    describe(element2, or) {
      let page = capture({ key: null }), shown2 = !isNumbered(element2) && or ? or : element2, around = numbersAround(shown2);
      return idOf(shown2), { element: shown2, capture: page, path: around, selector: path(shown2) };
    },
    send({ element: element2, capture: capture2, path: path2, selector }, input, onto, text) {
      let report = { capture: capture2, path: path2, selector, input, onto: onto ? numbersAround(onto) : [], text };
      capture2 === void 0 && path2.length === 0 && (report.path = [idOf(element2)]), globalThis.legworkReport?.(JSON.stringify(report));
    }
  };
  function outermost() {
    let found = reporter, view = window;
    try {
      for (; view.parent !== view; ) {
        view = view.parent;
        let outer = view.legworkReporter;
        if (outer === void 0) break;
        found = outer;
      }
    } catch {
    }
    return found;
  }
  function innermost(event) {
    let target = event.composedPath()[0];
    if (!isElement(target)) return document.body;
    let element2 = target;
    for (; ; ) {
      let root2 = shadowOf(element2), at = event, inner = root2 === null ? null : event instanceof MouseEvent && at.detail > 0 ? root2.elementFromPoint(at.clientX, at.clientY) : root2.activeElement;
      if (inner === null || inner === element2) return element2;
      element2 = inner;
    }
  }
  var isBox = (element2) => element2.localName === "input" && /^(checkbox|radio)$/.test(element2.type), isButton = (element2) => element2.localName === "input" && /^(button|submit|reset|image)$/.test(element2.type);
  function shortText(element2) {
    let text = textOf(element2).replace(/\s+/g, " ").trim();
    return text !== "" && text.length <= NAME2 ? text : void 0;
  }
  function textField(element2) {
    if (element2.localName === "textarea") return element2;
    if (element2.localName === "input")
      return isBox(element2) || isButton(element2) || element2.type === "file" ? null : element2;
    let host3 = element2;
    if (!host3.isContentEditable) return null;
    for (; host3.parentElement?.isContentEditable; ) host3 = host3.parentElement;
    return host3;
  }
  function personal(field) {
    let purpose = (field.getAttribute("autocomplete") ?? "").toLowerCase(), isCard = /\bcc-/.test(purpose), to = outermost(), labels = Array.from(field.labels ?? [], (label) => textOf(label)), names2 = [field.id, field.getAttribute("name"), field.getAttribute("aria-label"), ...labels], hasPassword = to.isSecret(field) || /password|one-time-code/.test(purpose) || names2.some((name) => PASSWORD.test(name ?? ""));
    return !isCard && !hasPassword ? null : (to.markSecret(field), isCard ? "card" : "secret");
  }
  var textIn3 = (field) => codeEditor(field) !== null || field.isContentEditable ? editorText(field).replace(/\n$/, "") : field.value, Listener = class {
    constructor() {
      /** The element under the pressed button, and the page before the press. */
      __publicField(this, "down", null);
      /** The field that is being filled in. */
      __publicField(this, "field", null);
      /** The label of the last click, which may stand for its control. */
      __publicField(this, "label", null);
      /** Enter was pressed in a field: the click on a button that follows is the browser's doing. */
      __publicField(this, "submits", !1);
      /** Enter was pressed where it may be text. */
      __publicField(this, "enter", null);
      /** A press on an element that the page may have removed: whether a click follows is not known yet. */
      __publicField(this, "undecided", null);
      __publicField(this, "dragged", null);
      __publicField(this, "pointed", null);
    }
    start() {
      this.on("pointerdown", (event) => this.pressed(event)), this.on("pointerup", (event) => this.released(event)), this.on("pointermove", (event) => this.pointed = innermost(event)), this.on("click", (event) => this.clicked(event)), this.on("auxclick", (event) => event.button === 1 && this.clicked(event)), this.on("contextmenu", (event) => this.clicked(event, 2)), this.on("input", (event) => this.entered(event)), this.on("change", (event) => this.changed(event)), this.on("focusout", () => this.left()), this.on("keydown", (event) => this.keyed(event)), this.on("keyup", () => this.keyReleased()), this.on("beforeinput", () => this.enter = null), this.on("pagehide", () => this.keyReleased()), this.on("dragstart", (event) => {
        this.dragged = innermost(event)?.closest("[draggable=true]") ?? null;
      }), this.on("drop", (event) => this.dropped(event));
    }
    on(type, handle) {
      let listen = (event) => {
        if (event.isTrusted)
          try {
            FOLLOWS_PRESS.has(type) || this.decide(), handle(event);
          } catch (error) {
            console.debug("legwork: an input is not reported:", error);
          }
      };
      addEventListener(type, listen, { capture: !0, passive: type.startsWith("pointer") });
    }
    report(element2, input, or) {
      let to = outermost();
      to.send(to.describe(element2, or), input), this.field = null;
    }
    pressed(event) {
      this.submits = !1;
      let element2 = innermost(event);
      if (element2 === null) return;
      personal(element2);
      let control = clickedBy(element2), description = outermost().describe(isBox(control) ? control : element2, element2.closest("label"));
      this.down = { description, x: event.clientX, y: event.clientY, clicked: !1 };
    }
    released(event) {
      let { down } = this;
      if (down === null || event.button !== 0) return;
      let moved = Math.hypot(event.clientX - down.x, event.clientY - down.y) >= MOVED, decide = () => {
        let { description } = down;
        down.clicked || moved || description.element.isConnected || this.sendClick(description, { kind: "click", count: 1, button: "left", modifiers: [] });
      };
      this.undecided = decide, setTimeout(() => this.undecided === decide && this.decide());
    }
    decide() {
      let { undecided } = this;
      this.undecided = null, undecided?.();
    }
    /** Reports a click. If observations do not show the element, its text says which one it is. */
    sendClick(description, input) {
      outermost().send(description, input, void 0, shortText(description.element)), this.field = null;
    }
    clicked(event, button = event.button) {
      let element2 = innermost(event);
      if (element2 === null) return;
      let byKey = event.detail === 0 && button === 0;
      if (byKey && this.submits && element2.matches("button,input")) {
        this.submits = !1;
        return;
      }
      if (this.down !== null && (this.down.clicked = !0), button === 0) {
        let control = clickedBy(element2);
        if (control !== element2 && !element2.contains(control) && element2.closest("label") !== null) {
          this.label = element2.closest("label");
          return;
        }
        if (control !== element2 && element2.localName === "label") {
          this.label = element2;
          return;
        }
        if (isBox(element2)) {
          this.boxClicked(element2, byKey);
          return;
        }
        if (element2.closest("select,option,optgroup") || this.isSetByValue(element2)) return;
      }
      let held = [
        [event.altKey, "Alt"],
        [event.ctrlKey, "Control"],
        [event.metaKey, "Meta"],
        [event.shiftKey, "Shift"]
      ], buttons = ["left", "middle", "right"], input = {
        kind: "click",
        count: button === 0 ? Math.max(event.detail, 1) : 1,
        button: buttons[button] ?? "left",
        modifiers: held.filter(([is]) => is).map(([, name]) => name)
      };
      this.reportPress(element2, input, byKey);
    }
    /** Reports a pointer input together with the page as it was before the press, if the press was on this element. */
    reportPress(element2, input, byKey) {
      let before = this.down?.description;
      if (byKey || before === void 0 || !(before.element === element2 || element2.contains(before.element)))
        return this.report(element2, input);
      this.sendClick(before, input);
    }
    boxClicked(box, byKey) {
      let input = { kind: "check", on: box.checked }, before = this.down?.description, label = this.label;
      this.label = null, !byKey && before !== void 0 && (before.element === box || before.element === label) ? outermost().send(before, input) : this.report(box, input, label ?? box.labels?.[0]), this.field = null;
    }
    isSetByValue(element2) {
      return element2.localName === "input" && /^(file|color|range)$/.test(element2.type);
    }
    entered(event) {
      let element2 = innermost(event);
      if (element2 === null) return;
      if (element2.localName === "select") {
        let chosen = Array.from(
          element2.selectedOptions,
          (option) => option.label || option.text
        );
        this.report(element2, { kind: "select", values: chosen.map((label) => label.replace(/\s+/g, " ").trim()) });
        return;
      }
      let field = textField(element2);
      if (field === null) return;
      let secret = personal(field), text = textIn3(field), input = secret === null ? { kind: "fill", text, personal: null, concealed: null } : { kind: "fill", text: null, personal: secret, concealed: text };
      this.field !== field ? this.report(field, input) : outermost().send({ element: field, path: [], selector: "" }, input), this.field = field;
    }
    changed(event) {
      let element2 = innermost(event);
      element2?.localName !== "input" || element2.type !== "file" || !element2.files || this.report(element2, { kind: "upload", files: Array.from(element2.files, (file) => file.name) });
    }
    left() {
      this.field !== null && (outermost().send({ element: this.field, path: [], selector: "" }, { kind: "leave" }), this.field = null);
    }
    keyed(event) {
      if (this.submits = !1, event.isComposing || event.repeat) return;
      if (event.altKey && event.shiftKey && !event.ctrlKey && event.code === "KeyC") {
        event.preventDefault(), event.stopImmediatePropagation(), this.verify();
        return;
      }
      let element2 = innermost(event);
      if (element2 === null) return;
      let field = textField(element2);
      field !== null && personal(field);
      let key2 = chordOf(event, element2, field !== null);
      if (key2 !== null) {
        if (/^(Shift\+)?Enter$/.test(key2) && field !== null && field.localName !== "input") {
          this.enter = { description: outermost().describe(field), key: key2 };
          return;
        }
        this.submits = isEnter(event) && field !== null, this.report(element2, { kind: "press", key: key2 });
      }
    }
    keyReleased() {
      this.enter !== null && (outermost().send(this.enter.description, { kind: "press", key: this.enter.key }), this.enter = null, this.field = null);
    }
    dropped(event) {
      let onto = innermost(event), source = this.dragged;
      if (this.dragged = null, source === null || onto === null) return;
      let to = outermost();
      to.send(to.describe(source), { kind: "drag" }, onto), this.field = null;
    }
    /** Records that the selected text is shown, or the text of the element under the pointer. */
    verify() {
      let selection = getSelection(), selected = selection?.toString().replace(/\s+/g, " ").trim() ?? "", element2 = selected === "" ? this.pointed : selection?.anchorNode?.parentElement ?? null;
      if (element2 === null || !element2.isConnected) return;
      let text = (selected || textOf(element2)).slice(0, TEXT3);
      text !== "" && this.report(element2, { kind: "verify", text });
    }
  };
  function reportUserInput() {
    typeof globalThis.legworkReport == "function" && (globalThis.legworkReporter = reporter, new Listener().start());
  }

  // src/view.ts
  var FIRST_PAINT = 500, FRAME = 200;
  function painted(ms = FIRST_PAINT) {
    if (performance.getEntriesByName("first-contentful-paint").length > 0 || document.visibilityState === "hidden") return Promise.resolve();
    let observer5, first = new Promise((resolve) => {
      observer5 = new PerformanceObserver(
        (list) => list.getEntriesByName("first-contentful-paint").length > 0 && resolve(!0)
      ), observer5.observe({ type: "paint", buffered: !0 });
    });
    return within(first, ms).finally(() => observer5?.disconnect());
  }
  async function viewRect() {
    return await painted(), { x: scrollX, y: scrollY, width: innerWidth, height: innerHeight };
  }
  async function pageRect({ limit }) {
    await painted();
    let { scrollWidth, scrollHeight } = document.scrollingElement ?? document.documentElement;
    return { x: 0, y: 0, width: Math.min(scrollWidth, limit), height: Math.min(scrollHeight, limit) };
  }
  function elementRect({ element: element2 }) {
    let { x, y, width, height } = element(element2).getBoundingClientRect();
    return { x, y, width, height };
  }
  var scrollPosition = () => [scrollX, scrollY];
  function redraw({ key: key2 }) {
    return arm(key2, window), new Promise((resolve) => {
      requestAnimationFrame(() => resolve(!0)), setTimeout(resolve, FRAME, !1);
    });
  }

  // src/index.ts
  var pageScript = {
    // Reading.
    capture,
    element: (call) => element(call.element),
    elementFacts,
    html,
    idOf,
    includesText,
    locator,
    origin: () => origin,
    outerHtml: () => document.documentElement.outerHTML,
    readElements,
    readableHtml,
    registerClosedRoot,
    takePossibleClosedRoots,
    title: () => document.title,
    // Acting.
    allowInput: unbind,
    blurElement,
    calendarOutcome,
    calendarStep,
    checkActionable,
    clearTypeAhead,
    enterSecret,
    findOption,
    focusedElement,
    frameBox,
    frameOffset,
    inputOutcome,
    isChecked,
    isExpanded,
    maskField,
    optionOutcome,
    pasteText,
    pointerArrived,
    scroll,
    suppressInput,
    suppressSubmit,
    typeAhead,
    typeSecret: typeSecret2,
    // Gestures and pictures.
    acceptsDrop,
    describePoint,
    drawMarks,
    elementRect,
    highlight,
    pageRect,
    removeMarks,
    scrollPosition,
    unhighlight,
    viewRect,
    watchDragOver,
    wheelHandled,
    // Waiting.
    flush,
    redraw,
    settle,
    unrelatedWindows,
    waitForChange,
    // Storage.
    deleteStorageEntries,
    originStorage,
    setStorageEntry,
    storageEntries,
    storageEntry
  };
  Object.assign(globalThis, { legwork: pageScript });
  reportUserInput();
})();
