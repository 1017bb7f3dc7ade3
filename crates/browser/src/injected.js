// Generated from injected/src by ; do not edit.
"use strict";
var legwork = (() => {
  var __defProp = Object.defineProperty;
  var __getOwnPropDesc = Object.getOwnPropertyDescriptor;
  var __getOwnPropNames = Object.getOwnPropertyNames;
  var __hasOwnProp = Object.prototype.hasOwnProperty;
  var __export = (target, all) => {
    for (var name in all)
      __defProp(target, name, { get: all[name], enumerable: !0 });
  }, __copyProps = (to, from, except, desc) => {
    if (from && typeof from == "object" || typeof from == "function")
      for (let key of __getOwnPropNames(from))
        !__hasOwnProp.call(to, key) && key !== except && __defProp(to, key, { get: () => from[key], enumerable: !(desc = __getOwnPropDesc(from, key)) || desc.enumerable });
    return to;
  };
  var __toCommonJS = (mod) => __copyProps(__defProp({}, "__esModule", { value: !0 }), mod);

  // src/index.ts
  var index_exports = {};
  __export(index_exports, {
    capture: () => capture,
    closedRoots: () => closedRoots,
    element: () => element,
    idOf: () => idOf,
    markSecret: () => markSecret,
    registerClosedRoot: () => registerClosedRoot
  });

  // src/capture-names.ts
  var UNREAD = new Set("script style noscript template select textarea datalist head".split(" "));
  function textOf(root, hidden = !1) {
    let text = "", node = root;
    for (let steps = 0; node !== null && steps < 2e3 && text.length < 2e3; steps++) {
      let down = null;
      if (node.nodeType === 3)
        text += node.data;
      else if (node.nodeType === 1) {
        let element2 = node;
        if (node === root || !UNREAD.has(element2.localName) && (hidden || element2.checkVisibility())) {
          let label = node === root ? null : element2.getAttribute("aria-label") ?? element2.getAttribute("alt");
          label !== null ? text += " " + label + " " : down = node.firstChild, element2.localName !== "span" && (text += element2.localName === "b" || element2.localName === "i" ? "" : " ");
        }
      }
      if (down !== null) {
        node = down;
        continue;
      }
      for (; node !== root && node.nextSibling === null; ) node = node.parentNode;
      node = node === root ? null : node.nextSibling;
    }
    return text.replace(/\s+/g, " ").trim();
  }
  function listed(element2, ids) {
    let root = element2.getRootNode(), texts = [];
    for (let id of ids.split(/\s+/)) {
      let found = id && root.getElementById?.(id);
      found && texts.push(found.getAttribute("aria-label") ?? textOf(found, !found.checkVisibility()));
    }
    return texts.join(" ").trim();
  }
  function givenName(element2, tag, role) {
    let ids = element2.getAttribute("aria-labelledby");
    if (ids) {
      let name = listed(element2, ids);
      if (name) return name;
    }
    let label = element2.getAttribute("aria-label");
    if (label && label.trim()) return label;
    switch (tag) {
      case "input":
      case "select":
      case "textarea":
      case "meter":
      case "progress":
      case "output": {
        let labels = element2.labels;
        if (labels && labels.length > 0) {
          let name = textOf(labels[0]);
          for (let i = 1; i < labels.length; i++) name += " " + textOf(labels[i]);
          if (name) return name;
        }
        let input = element2;
        if (tag === "input" && role === "button") {
          if (input.value) return input.value;
          if (input.type === "submit") return "Submit";
          if (input.type === "reset") return "Reset";
          if (input.type === "image") return input.alt || "Submit";
        }
        return element2.getAttribute("title") || element2.getAttribute("aria-placeholder") || element2.getAttribute("placeholder") || "";
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
  function headed(element2, tag) {
    for (let child = element2.firstElementChild, n = 0; child && n < 3; child = child.nextElementSibling, n++)
      if (child.localName === tag) return textOf(child);
    return "";
  }

  // src/capture-registry.ts
  var numbers = /* @__PURE__ */ new WeakMap(), elements = /* @__PURE__ */ new Map(), secrets = /* @__PURE__ */ new WeakSet(), last = 0, closedRoots = /* @__PURE__ */ new WeakMap();
  function registerClosedRoot(host, root) {
    closedRoots.set(host, root);
  }
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

  // src/capture-roles.ts
  var KNOWN = new Set(
    "alert alertdialog application article banner blockquote button caption cell checkbox columnheader combobox complementary contentinfo dialog document feed figure form grid gridcell group heading img link list listbox listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option progressbar radio radiogroup region row rowheader scrollbar search searchbox slider spinbutton status switch tab table tablist tabpanel textbox timer toolbar tooltip tree treegrid treeitem term".split(" ")
  ), SILENT = new Set("none presentation generic paragraph rowgroup code emphasis strong definition separator time".split(" ")), WIDGETS = new Set(
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
    td: "cell",
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
        if (KNOWN.has(word)) return word === "image" ? "img" : word;
        if (SILENT.has(word)) return "";
        if (word === "image") return "img";
      }
    let implied = IMPLIED[tag];
    if (implied !== void 0) return implied;
    switch (tag) {
      case "a":
      case "area":
        return element2.hasAttribute("href") ? "link" : "";
      case "input": {
        let type = element2.type, role = INPUTS[type];
        return role !== void 0 ? role : element2.hasAttribute("list") ? "combobox" : "textbox";
      }
      case "select":
        return element2.multiple || element2.size > 1 ? "listbox" : "combobox";
      case "th":
        return element2.getAttribute("scope") === "row" || isRowHead(element2) ? "rowheader" : "columnheader";
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
  function hasLabel(element2) {
    return element2.hasAttribute("aria-label") || element2.hasAttribute("aria-labelledby") || element2.hasAttribute("title");
  }
  function isRowHead(cell) {
    if (cell.hasAttribute("scope")) return !1;
    let beside = cell.nextElementSibling;
    return beside !== null && beside.localName === "td" && cell.previousElementSibling?.localName !== "th";
  }
  var INLINE = new Set(
    "a abbr b bdi bdo big button cite code data del dfn em font i img input ins kbd label mark meter nobr output picture progress q rp rt ruby s samp select slot small span strike strong sub sup svg text textarea time tspan tt u var wbr".split(" ")
  ), SKIPPED = new Set(
    "script style noscript template head meta link base title col colgroup source track param defs clipPath mask path datalist".split(" ")
  );

  // src/capture-states.ts
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
    let pressed = is("aria-pressed");
    pressed === "true" ? bits |= 128 : pressed === "mixed" && (bits |= 4), is("aria-required") === "true" && (bits |= 256), is("aria-readonly") === "true" && (bits |= 512);
    let invalid = is("aria-invalid");
    invalid !== null && invalid !== "false" && invalid !== "" && (bits |= 1024);
    let current = is("aria-current");
    return current !== null && current !== "false" && current !== "" && (bits |= 65536), is("aria-busy") === "true" && (bits |= 131072), is("aria-multiselectable") === "true" && (bits |= 8192), bits;
  }

  // src/capture-styles.ts
  var read = /* @__PURE__ */ new WeakMap();
  function handsOf(sheet) {
    let none = { count: -1, selectors: [], hidden: [] }, rules;
    try {
      rules = sheet.cssRules;
    } catch {
      return none;
    }
    let known = read.get(sheet);
    if (known && known.count === rules.length) return known;
    let hands = { count: rules.length, selectors: [], hidden: [] }, lists = [[rules, ""]];
    for (let seen = 0; lists.length > 0 && seen < 3e4; ) {
      let [list, above] = lists.pop();
      for (let i = 0; i < list.length && seen < 3e4; i++, seen++) {
        let rule = list[i], own = rule.selectorText, selector = own && above ? own.includes("&") ? own.replace(/&/g, `:is(${above})`) : `:is(${above}) ${own}` : own;
        if (selector) {
          let style = rule.style;
          style.cursor === "pointer" && hands.selectors.push(selector.replace(/:hover/g, "")), style.visibility !== "" && hands.hidden.push(selector);
        }
        rule.cssRules && rule.cssRules.length > 0 && lists.push([rule.cssRules, selector ?? above]);
      }
    }
    return read.set(sheet, hands), hands;
  }
  function styled(root, into) {
    let gather = (selector, set) => {
      try {
        for (let element2 of root.querySelectorAll(selector)) set.add(element2);
      } catch {
      }
    };
    gather('[style*="cursor"]', into.hands), gather('[style*="visibility"]', into.hidden);
    for (let sheets of [root.styleSheets, root.adoptedStyleSheets ?? []])
      for (let i = 0; i < sheets.length; i++) {
        if (sheets[i].disabled) continue;
        let hands = handsOf(sheets[i]);
        hands.count < 0 && (into.blind = !0);
        for (let selector of hands.selectors) gather(selector, into.hands);
        for (let selector of hands.hidden) gather(selector, into.hidden);
      }
  }

  // src/capture.ts
  var FEW = 800, VISIBLE = { visibilityProperty: !0 }, CONTENT_NAMED = new Set(
    "button link heading tab option menuitem menuitemcheckbox menuitemradio treeitem checkbox radio switch tooltip cell gridcell columnheader rowheader".split(" ")
  ), TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"], BLOCK = 1, HIDDEN = 2, MUTED = 4, HAND = 8, KEPT = 16, SPAN = 32;
  function capture(options = {}) {
    let maxNodes = options.maxNodes ?? 6e4, maxBytes = options.maxBytes ?? 4e6, maxText = options.maxText ?? 8192, maxSeen = maxNodes * 8;
    sweep();
    let lines = [], bytes = 0, seen = 0, away = 0, full = "", run = "", runDepth = 0, spanned = !1, fresh = !0, styles = { hands: /* @__PURE__ */ new Set(), hidden: /* @__PURE__ */ new Set(), blind: !1 }, hands = styles.hands, focused = /* @__PURE__ */ new Set(), testIds = !1, roots = [], asked = 0, isHand = (element2) => asked > FEW ? hands.has(element2) : getComputedStyle(element2).cursor === "pointer", enter = (root) => {
      asked > FEW ? styled(root, styles) : roots.push(root), root.activeElement && focused.add(root.activeElement), testIds || (testIds = root.querySelector("[data-testid],[data-test-id],[data-test],[data-cy],[data-qa]") !== null);
    }, clean = (text2) => (text2.length > maxText && (text2 = text2.slice(0, maxText) + `\u2026 (+${text2.length - maxText} characters)`), text2.replace(/[\s\x00-\x08]+/g, " ").trim()), push = (line) => {
      lines.push(line), bytes += line.length + 1, bytes > maxBytes ? full = "characters" : lines.length > maxNodes && (full = "nodes");
    }, flush = () => {
      if (run === "") return;
      let text2 = run.length > maxText ? clean(run) : run.trim();
      run = "", text2 !== "" && (push((fresh ? "" : "+") + runDepth + "		" + text2), fresh = !1);
    }, nexts = [document.documentElement], lists = [null], places = [0], flags = [BLOCK], depths = [0], level = 0;
    for (enter(document); level >= 0; ) {
      let node = nexts[level];
      if (node === null || full !== "") {
        let left = flags[level--];
        left & (BLOCK | KEPT) && flush(), left & BLOCK && (fresh = !0), spanned = (left & SPAN) !== 0;
        continue;
      }
      let list = lists[level];
      nexts[level] = list === null ? node.nextSibling : list[++places[level]] ?? null;
      let above = flags[level];
      if (node.nodeType === 3) {
        if (above & (HIDDEN | MUTED)) continue;
        let data = node.data;
        if (run === "") {
          if (!/\S/.test(data)) continue;
          runDepth = depths[level];
        }
        let text2 = /[\t\n\f\r\x00-\x08]|  /.test(data) ? data.replace(/[\t\n\f\r\x00-\x08 ]+/g, " ") : data;
        run += spanned && above & SPAN && /[\p{L}\p{N}]$/u.test(run) && /^[\p{L}\p{N}]/u.test(text2) ? " " + text2 : text2, spanned = !1;
        continue;
      }
      if (node.nodeType !== 1) continue;
      if (++seen > maxSeen) {
        full = "elements";
        continue;
      }
      let element2 = node, tag = element2.localName;
      if (SKIPPED.has(tag)) continue;
      if (tag === "br") {
        run += run === "" ? "" : " ";
        continue;
      }
      let inside = INLINE.has(tag) ? above & ~(BLOCK | KEPT | SPAN) : above & ~(KEPT | SPAN) | BLOCK;
      if (++asked === FEW + 1) for (let root of roots) styled(root, styles);
      if (element2.checkVisibility())
        (asked <= FEW || above & HIDDEN || styles.blind || styles.hidden.has(element2)) && (inside = element2.checkVisibility(VISIBLE) ? inside & ~HIDDEN : inside | HIDDEN);
      else if (tag !== "slot" && getComputedStyle(element2).display !== "contents") continue;
      tag === "span" && (inside |= SPAN);
      let depth = depths[level], role, named = !1;
      if (element2.hasAttributes()) {
        if (element2.getAttribute("aria-hidden") === "true" || element2.hasAttribute("inert")) continue;
        role = roleOf(element2, tag, element2.getAttribute("role")), named = !0;
      } else role = roleOf(element2, tag, null);
      inside & BLOCK && (flush(), fresh = !0);
      let states = 0;
      if (inside & HIDDEN) role = "";
      else {
        if (role !== "" && WIDGETS.has(role)) states = 1;
        else if (tag === "label") {
          let control = element2.control;
          control !== null && !control.hasAttribute("aria-label") && !control.hasAttribute("aria-labelledby") && (control.checkVisibility(VISIBLE) ? inside |= MUTED : (control.type === "checkbox" || control.type === "radio") && (role = control.type, states = 1 | controlStates(control, "input")));
        } else if ((tag === "legend" || tag === "caption") && !element2.querySelector("a,button,input,select")) continue;
        states === 0 && named && (element2.hasAttribute("onclick") || clickable(element2, tag) ? states = 1 : above & HAND ? inside |= HAND : !(above & MUTED) && tag !== "label" && tag !== "html" && tag !== "body" && isHand(element2) && (states = 1), states !== 0 && (role || (role = "generic"))), states !== 0 && isHand(element2) && (inside |= HAND);
      }
      if (role !== "") {
        flush();
        let name = named || tag === "table" || tag === "fieldset" || tag === "input" || tag === "select" || tag === "textarea" || tag === "svg" ? givenName(element2, tag, role) : "";
        if (tag === "label" && (name = textOf(element2)), role === "img" && name === "" && states === 0 || (role === "form" || role === "group") && name === "" && tag !== "fieldset" && tag !== "form") role = "";
        else {
          named && (states |= ariaStates(element2)), states |= controlStates(element2, tag), focused.has(element2) && (states |= 2048);
          let line = (fresh || inside & BLOCK ? "" : "+") + depth + "	" + role + "	" + (name === "" ? "" : clean(name)), walk = !0;
          if (name === "" && CONTENT_NAMED.has(role)) {
            let only = element2.firstChild;
            only !== null && only.nodeType === 3 && only.nextSibling === null && element2.shadowRoot === null && !closedRoots.has(element2) && (line += clean(only.data), walk = !1);
          }
          let value = null, id = idOf(element2);
          switch (line += "	#" + id, tag) {
            case "a":
            case "area": {
              let href = element2.getAttribute("href");
              href && (line += "	@" + (href.length > 200 && /^\s*(data|javascript):/i.test(href) ? href.slice(0, 60) + "\u2026" : clean(href)));
              break;
            }
            case "input":
            case "textarea": {
              let input = element2, type = input.type;
              isSecret(element2) ? (states |= 32768, input.value !== "" && (value = "\u2022\u2022\u2022\u2022")) : type === "file" ? input.files && input.files.length > 0 && (value = Array.from(input.files, (file) => file.name).join(", ")) : (states & 4096 || type === "range" || type === "color" || input.readOnly) && (value = input.value), tag === "input" && type !== "text" && (line += "	:" + type), walk = !1;
              break;
            }
            case "select":
              walk = !1;
              break;
            case "progress":
            case "meter":
              value = String(element2.value), walk = !1;
              break;
            case "summary":
              states |= 1;
              break;
            case "video":
            case "audio":
              walk = !1, states |= 1;
              break;
            case "h1":
            case "h2":
            case "h3":
            case "h4":
            case "h5":
            case "h6":
              role === "heading" && (line += "	^" + tag[1]);
              break;
          }
          if (named) {
            if (role === "heading" || role === "treeitem") {
              let given = element2.getAttribute("aria-level");
              given && (line += "	^" + clean(given));
            }
            if (value === null) {
              let text2 = element2.getAttribute("aria-valuetext") ?? element2.getAttribute("aria-valuenow");
              text2 && (value = text2);
            }
            if (element2.isContentEditable && (element2.hasAttribute("contenteditable") || role === "textbox") && (states |= 4097, (role === "generic" || role === "textbox") && (role === "generic" && (line = line.replace("	generic	", "	textbox	")), value = isSecret(element2) ? "\u2022\u2022\u2022\u2022" : textOf(element2), walk = !1)), states & 1) {
              let own = element2.getAttribute("id");
              own && (line += "	*" + clean(own));
              let form = element2.getAttribute("name");
              form && (line += "	&" + clean(form));
              let hint = element2.getAttribute("placeholder");
              if (hint && hint !== name && (line += "	~" + clean(hint)), testIds) {
                let attribute = TEST_IDS.find((attribute2) => element2.hasAttribute(attribute2));
                attribute && (line += "	%" + clean(element2.getAttribute(attribute)));
              }
            }
            let title = element2.getAttribute("title");
            title && title !== name && (line += "	?" + clean(title)), role === "generic" && (line += "	<" + tag);
          }
          if (states & 1) {
            if (away < 24 || (away & 31) === 0) {
              let box = element2.getBoundingClientRect(), view = element2.ownerDocument.documentElement;
              away = box.bottom < 0 || box.right < 0 || box.top > view.clientHeight || box.left > view.clientWidth ? away + 1 : 0;
            } else away++;
            away > 0 && (states |= 16384);
          }
          if (states !== 0 && (line += "	!" + states), value !== null && value !== "" && (value.length > maxText && (value = value.slice(0, maxText) + `\u2026 (+${value.length - maxText} characters)`), line += "	=" + value.replace(/\r?\n/g, "").replace(/[\t\r]/g, "")), role === "iframe") {
            let inner = null;
            try {
              inner = element2.contentDocument;
            } catch {
            }
            if (inner === null || inner.documentElement === null) {
              push(line + "	/");
              continue;
            }
            push(line), enter(inner), fresh = !0, level++, nexts[level] = inner.documentElement, lists[level] = null, flags[level] = BLOCK | KEPT, depths[level] = depth + 1;
            continue;
          }
          if (push(line), fresh = !1, depth++, inside |= KEPT, tag === "select") {
            let choices = element2.options;
            for (let i = 0; i < choices.length && full === ""; i++) {
              let option = choices[i], bits = (option.selected ? 64 : 0) | (option.disabled ? 8 : 0);
              push(depth + "	option	" + clean(option.label || option.text) + (bits ? "	!" + bits : ""));
            }
          }
          if (!walk) {
            fresh = (inside & BLOCK) !== 0;
            continue;
          }
          states & 1 && role !== "generic" && (inside |= HAND);
        }
      }
      let first = null, assigned = null, shadow = element2.shadowRoot ?? closedRoots.get(element2) ?? null;
      if (shadow !== null)
        enter(shadow), first = shadow.firstChild;
      else if (tag === "slot") {
        let nodes = element2.assignedNodes();
        nodes.length > 0 ? (assigned = nodes, first = nodes[0]) : first = element2.firstChild;
      } else tag === "details" && !element2.open ? (assigned = Array.from(element2.children).filter((child) => child.localName === "summary").slice(0, 1), first = assigned[0] ?? null) : first = element2.firstChild;
      first === null && !(inside & (BLOCK | KEPT)) || (level++, nexts[level] = first, lists[level] = assigned, places[level] = 0, flags[level] = inside, depths[level] = depth);
    }
    flush();
    let head = ["legwork 1", clean(document.URL), clean(document.baseURI), clean(document.title)];
    if (full !== "") {
      let left = document.getElementsByTagName("*").length - seen;
      head.push(full, String(Math.max(left, 0)), String(lines.length));
    }
    let text = head.join("	") + `
` + lines.join(`
`);
    return text.toWellFormed?.() ?? text;
  }
  function clickable(element2, tag) {
    if (tag === "summary" || tag === "body" || tag === "html") return tag === "summary";
    if (element2.hasAttribute("tabindex") && element2.tabIndex >= 0) return !0;
    let editable = element2.getAttribute("contenteditable");
    return editable !== null && editable !== "false";
  }
  return __toCommonJS(index_exports);
})();
