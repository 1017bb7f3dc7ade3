// The script of all pages. Each part queries its own elements and does nothing if there are none.
const $ = (selector, root = document) => root.querySelector(selector);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

// The cookie dialog covers the log-in page until it is answered.
const consent = $("#consent");
if (consent && !document.cookie.includes("harbor_consent=")) {
  consent.hidden = false;
  consent.addEventListener("click", (event) => {
    const answer = event.target.dataset.consent;
    if (!answer) return;
    document.cookie = `harbor_consent=${answer}; path=/`;
    consent.remove();
  });
} else {
  consent?.remove();
}

// Products: filters, sorting and pagination without a navigation.
const filter = $("#filter");
if (filter) {
  const table = $("#product-table");
  const order = { sort: "name", dir: "asc" };
  let asked = 0;
  const load = async (page = 1) => {
    const turn = ++asked;
    table.setAttribute("aria-busy", "true");
    const query = new URLSearchParams({ ...Object.fromEntries(new FormData(filter)), ...order, page });
    const answer = await fetch(`/products/table?${query}`);
    const html = await answer.text();
    if (turn !== asked) return;
    table.innerHTML = html;
    table.removeAttribute("aria-busy");
  };
  filter.addEventListener("change", () => load());
  filter.addEventListener("submit", (event) => { event.preventDefault(); load(); });
  table.addEventListener("click", (event) => {
    const { sort, dir, page } = event.target.dataset;
    if (sort) { Object.assign(order, { sort, dir }); load(); }
    if (page) load(page);
  });
}

// A custom drop-down that follows the ARIA pattern of a select-only combobox.
for (const combo of document.querySelectorAll(".combo")) {
  const box = $("[role=combobox]", combo), list = $("[role=listbox]", combo), value = $("input[type=hidden]", combo);
  const options = [...list.children];
  let at = 0;
  options.forEach((option, i) => (option.id = `${list.id}-${i}`));
  const show = (open) => {
    list.hidden = !open;
    box.setAttribute("aria-expanded", String(open));
    if (open) mark(Math.max(0, options.findIndex((o) => o.getAttribute("aria-selected") === "true")));
    else box.removeAttribute("aria-activedescendant");
  };
  const mark = (i) => {
    at = (i + options.length) % options.length;
    options.forEach((o, n) => o.classList.toggle("at", n === at));
    box.setAttribute("aria-activedescendant", options[at].id);
  };
  const choose = (option) => {
    options.forEach((o) => o.setAttribute("aria-selected", String(o === option)));
    $("span", box).textContent = value.value = option.textContent;
    show(false);
    box.focus();
  };
  box.addEventListener("click", () => show(list.hidden));
  list.addEventListener("click", (event) => event.target.role === "option" && choose(event.target));
  box.addEventListener("keydown", (event) => {
    const keys = { ArrowDown: () => (list.hidden ? show(true) : mark(at + 1)), ArrowUp: () => (list.hidden ? show(true) : mark(at - 1)),
      Enter: () => (list.hidden ? show(true) : choose(options[at])), " ": () => (list.hidden ? show(true) : choose(options[at])), Escape: () => show(false) };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  document.addEventListener("click", (event) => { if (!combo.contains(event.target)) show(false); });
}

// Forms that ask for confirmation before an irreversible action.
for (const form of document.querySelectorAll("form[data-confirm]")) {
  form.addEventListener("submit", (event) => { if (!confirm(form.dataset.confirm)) event.preventDefault(); });
}

// Documents: a download that a script creates.
$("#export")?.addEventListener("click", async () => {
  const orders = await (await fetch("/api/orders.csv")).blob();
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(orders), download: "orders.csv" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

// Partners: an open shadow root and a closed one.
const sheet = `<link rel="stylesheet" href="/site.css">`;
customElements.define("loyalty-card", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `${sheet}<form><p><label for="member">Member number</label><input id="member" inputmode="numeric"></p>
      <button class="main">Look up member</button></form><p role="status"></p>`;
    $("form", root).addEventListener("submit", (event) => {
      event.preventDefault();
      const number = $("input", root).value.trim();
      $("[role=status]", root).textContent = /^\d{4}$/.test(number) ? `Member ${number} has ${Number(number) % 97} points` : "A member number has four digits";
    });
  }
});
customElements.define("gift-voucher", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: "closed" });
    root.innerHTML = `${sheet}<form><p><label for="voucher">Voucher code</label><input id="voucher"></p>
      <button>Redeem voucher</button></form><p role="status"></p>`;
    $("form", root).addEventListener("submit", (event) => {
      event.preventDefault();
      $("[role=status]", root).textContent = `Voucher ${$("input", root).value.trim()} is worth € 25`;
    });
  }
});

// Notes are saved automatically, shortly after the last key press.
const notes = $("#notes");
if (notes) {
  let timer;
  notes.addEventListener("input", () => {
    $("#notes-status").textContent = "Saving…";
    clearTimeout(timer);
    timer = setTimeout(async () => {
      await fetch("/notes", { method: "POST", body: new URLSearchParams({ text: notes.innerText.trim() }) });
      $("#notes-status").textContent = "All changes saved";
    }, 300);
  });
}

// The board: HTML drag and drop.
let dragged;
for (const list of document.querySelectorAll("[data-column]")) {
  list.addEventListener("dragstart", (event) => { dragged = event.target; event.dataTransfer.setData("text/plain", dragged.textContent); });
  list.addEventListener("dragover", (event) => { event.preventDefault(); list.classList.add("over"); });
  list.addEventListener("dragleave", () => list.classList.remove("over"));
  list.addEventListener("drop", async (event) => {
    event.preventDefault();
    list.classList.remove("over");
    if (!dragged) return;
    const job = dragged.textContent, column = list.dataset.column;
    list.append(dragged);
    dragged = undefined;
    await fetch("/board", { method: "POST", body: new URLSearchParams({ job, column }) });
    $("#board-status").textContent = `“${job}” is now in ${column}`;
  });
}
$("#crane")?.addEventListener("input", (event) => { event.target.nextElementSibling.value = `${event.target.value} m`; });

// Activity: the next part is fetched when the end of the list scrolls into view.
const feed = $("#feed");
if (feed) {
  let loading = false, over = false;
  const more = async () => {
    if (loading || over) return;
    loading = true;
    const lines = await (await fetch(`/api/activity?from=${feed.children.length}`)).json();
    feed.append(...lines.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    loading = false;
    over = lines.length === 0;
    if (over) $("#feed-end").textContent = "That is all";
  };
  new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && more(), { rootMargin: "200px" }).observe($("#feed-end"));
}

// Handbook: buttons that scroll below the sticky header.
document.addEventListener("click", (event) => {
  const chapter = event.target.dataset?.read;
  if (chapter) { event.target.disabled = true; event.target.textContent = `Read “${chapter}”`; }
});

// Weather: content that appears late, after a timer and from the network.
$("#soon")?.addEventListener("click", async () => { await pause(150); $("#soon-out").textContent = "Calm, 3 knots from the south"; });
$("#later")?.addEventListener("click", async () => { await pause(2000); $("#later-out").textContent = "No warnings for the coast"; });
$("#fetched")?.addEventListener("click", async () => {
  $("#fetched-out").textContent = await (await fetch("/api/forecast?ms=400")).text();
});

// The till: dialogs of the browser, and one of the page.
const till = (state) => { $("#till-state").value = state; };
$("#open-till")?.addEventListener("click", () => { alert("The till is open. Count it first."); till("open"); });
$("#close-till")?.addEventListener("click", () => till(confirm("Close the till for today?") ? "closed for today" : "left open"));
$("#name-till")?.addEventListener("click", () => { const name = prompt("Name of this till", "Quay"); if (name !== null) $("#till-name").value = name; });
$("#count-till")?.addEventListener("click", () => $("#count").showModal());
$("#count")?.addEventListener("close", () => { if ($("#count").returnValue === "ok") till(`counted, € ${$("#coins").value}`); });
