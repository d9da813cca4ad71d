// Makes the documentation quicker to use; every page works without it (components/docs/page.ts).

// The search: lists the entries of the sidebar that match while the person types. Enter without a choice asks the server,
// which also reads the texts of the pages.
const form = document.querySelector("form.find");
const field = form.querySelector("input");
const list = form.querySelector("[role=listbox]");
const entries = [...document.querySelectorAll(".side a")].map((link) => ({
  link,
  text: link.textContent.replace(/\s+/g, " ").toLowerCase(),
}));
const MOST = 8;
let active = -1;

field.setAttribute("role", "combobox");
field.setAttribute("aria-autocomplete", "list");
field.setAttribute("aria-controls", list.id);
form.querySelector("kbd").hidden = false;
close();

function close() {
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  choose(-1);
}

function choose(index) {
  active = index;
  for (const [at, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(at === index));
  const chosen = list.children[index];
  if (chosen) field.setAttribute("aria-activedescendant", chosen.id);
  else field.removeAttribute("aria-activedescendant");
  chosen?.scrollIntoView({ block: "nearest" });
}

function show() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries.filter(({ text }) => words.every((word) => text.includes(word))).slice(0, MOST);
  list.replaceChildren(...found.map(({ link }, at) => optionOf(link, at)));
  if (words.length === 0 || found.length === 0) return close();
  list.hidden = false;
  field.setAttribute("aria-expanded", "true");
  choose(-1);
}

function optionOf(link, at) {
  const option = document.createElement("li");
  option.id = `found-${at}`;
  option.setAttribute("role", "option");
  option.append(...[...link.childNodes].map((node) => node.cloneNode(true)));
  // Before the field loses the focus, which closes the list.
  option.addEventListener("pointerdown", (event) => event.preventDefault());
  option.addEventListener("click", () => location.assign(link.href));
  return option;
}

field.addEventListener("input", show);
field.addEventListener("blur", close);
field.addEventListener("keydown", (event) => {
  const count = list.hidden ? 0 : list.children.length;
  if (event.key === "Escape" && count > 0) close();
  else if (event.key === "Enter" && active >= 0) list.children[active].click();
  else if (event.key === "ArrowDown" && count > 0) choose((active + 1) % count);
  else if (event.key === "ArrowUp" && count > 0) choose((active <= 0 ? count : active) - 1);
  else return;
  event.preventDefault();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=radio]), textarea")) return;
  event.preventDefault();
  field.focus();
  field.select();
});

// Earlier, all calls were on one page: `/docs#createPost`.
if (location.pathname === "/docs" && location.hash) {
  const moved = document.querySelector(`.side a[href="/docs/${CSS.escape(location.hash.slice(1))}"]`);
  if (moved) location.replace(moved.href);
}

// The language of the examples, kept from page to page where the browser allows it.
const KEY = "docs-language";
const radios = [...document.querySelectorAll(".languages input")];
try {
  const kept = radios.find(({ value }) => value === localStorage.getItem(KEY));
  if (kept) kept.checked = true;
  for (const radio of radios) radio.addEventListener("change", () => localStorage.setItem(KEY, radio.value));
} catch {
  // The browser keeps nothing for this site.
}

for (const button of document.querySelectorAll("button[data-copied]")) {
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const shown = [...document.querySelectorAll(".languages pre")].find((one) => one.checkVisibility());
    await navigator.clipboard.writeText(shown.textContent.trimEnd());
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}
