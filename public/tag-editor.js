// The window in which people are tagged in the pictures and videos of a post. The composer loads it when it is opened
// (components/compose/targets/settings-fields.tsx, docs/adr/0059-tag-editor.md). A place in a picture is in percent, from the top left.

/** An arrow key moves a tag by 1%, with Shift by 10%. */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const MIDDLE = { x: 50, y: 50 };

const limited = (part) => Math.min(100, Math.max(0, Math.round(part)));
const percentOf = ({ x = 0.5, y = 0.5 }) => ({ x: limited(x * 100), y: limited(y * 100) });
const fractionOf = ({ x, y }) => ({ x: x / 100, y: y / 100 });
const filled = (text, gaps) => text.replace(/\{(\w+)\}/g, (_, gap) => gaps[gap]);

/** Returns the place to which a key moves a tag; undefined for other keys. */
export function placeAfter({ x, y }, key, isFar) {
  const by = isFar ? 10 : 1;
  const step = STEPS[key];
  return step && { x: limited(x + step[0] * by), y: limited(y + step[1] * by) };
}

/** Returns the tags of a field. Names that were typed without a place belong to the first file. */
export function tagsOf(value, [first]) {
  const entries = typeof value === "string" ? value.split("\n") : value;
  return entries.flatMap((entry) => {
    if (typeof entry !== "string") return entry;
    return entry.trim() ? { username: entry.trim(), path: first.path } : [];
  });
}

/** Creates an element. Properties that elements do not have are attributes. */
function make(name, { class: className, ...properties }, ...children) {
  const element = document.createElement(name);
  if (className) element.className = className;
  for (const [property, value] of Object.entries(properties)) {
    if (property in element) element[property] = value;
    else element.setAttribute(property, value);
  }
  element.append(...children);
  return element;
}

const FOCUS = "focus-visible:outline-white focus-visible:ring-6 focus-visible:ring-black";
const button = "inline-flex min-h-11 items-center justify-center rounded-lg border px-4 py-2 font-semibold";

/**
 * Opens the window.
 * @param given `files`: the post's stored files; `value`: the value of the field; `set`: is called with all tags after each change
 */
export function openTagEditor({ title, words, files, value, set }) {
  let tags = tagsOf(value, files);
  const status = make("p", { role: "status", class: "sr-only" });
  const close = make("button", { type: "button", class: `${button} border-edge hover:bg-sunk` }, words.done);
  const change = (changed) => {
    tags = changed;
    set(tags);
  };
  const sections = files.map((file) => sectionOf(file, { words, status, change, all: () => tags }));
  const dialog = make(
    "dialog",
    {
      "aria-labelledby": "tag-editor-title",
      class:
        "m-auto max-h-[calc(100dvh-2rem)] w-[min(40rem,calc(100vw-2rem))] overflow-y-auto rounded-2xl border border-line bg-surface p-0 text-ink shadow-xl backdrop:bg-black/50",
    },
    make(
      "div",
      { class: "grid gap-4 p-4 sm:p-6" },
      make("h2", { id: "tag-editor-title", class: "font-semibold text-lg" }, title),
      make("p", { class: "text-muted text-sm" }, words.howTo),
      status,
      ...sections,
      close,
    ),
  );
  close.onclick = () => dialog.close();
  dialog.onclose = () => dialog.remove();
  document.body.append(dialog);
  dialog.showModal();
}

/** One picture or video with its tags, and the field for the next person. */
function sectionOf({ path, name, kind, thumb }, { words, status, change, all }) {
  const isPicture = kind === "image";
  let next = MIDDLE;
  const field = make("input", {
    id: `tag-editor-name-${path}`,
    required: true,
    pattern: "@?[\\w.]{1,30}",
    title: words.pattern,
    autocomplete: "off",
    autocapitalize: "none",
    class: "min-h-11 min-w-0 flex-1 rounded-lg border border-edge bg-surface px-3",
  });
  const label = make(
    "label",
    { htmlFor: field.id, class: "wrap-anywhere font-medium" },
    filled(words.name, { file: name }),
  );
  const add = make("button", { class: `${button} border-accent bg-accent text-on-accent` }, words.add);
  const row = make("div", { class: "flex gap-2" }, field, add);
  const markers = make("div", {});
  const list = make("ul", { class: "flex flex-wrap gap-x-5 empty:hidden" });
  const section = make("form", { class: "grid gap-2 border-line border-t pt-3 text-sm" }, label, row, list);
  const isHere = (tag) => tag.path === path;

  function show() {
    const here = all().filter(isHere);
    markers.replaceChildren(nextMarker(), ...(isPicture ? here.map(markerOf) : []));
    list.replaceChildren(...here.map(({ username }) => make("li", {}, removeButton(username))));
  }
  function nextMarker() {
    const marker = make("span", {
      class: "pointer-events-none absolute size-4 rounded-full border-2 border-black bg-white",
    });
    return placed(marker, next);
  }
  function markerOf(tag) {
    const marker = make(
      "button",
      {
        type: "button",
        class: `absolute min-h-6 max-w-40 cursor-move touch-none truncate rounded bg-black px-2 text-white ${FOCUS}`,
      },
      tag.username,
    );
    let place = percentOf(tag);
    function redraw() {
      const text = `${tag.username}: ${filled(words.place, place)}. ${words.keys}`;
      marker.setAttribute("aria-label", text);
      placed(marker, place);
    }
    function move(to) {
      place = to;
      redraw();
      change(all().map((one) => (isHere(one) && one.username === tag.username ? { ...one, ...fractionOf(to) } : one)));
    }
    marker.onkeydown = (event) => {
      const moved = placeAfter(place, event.key, event.shiftKey);
      if (event.key === "Delete") remove(tag.username);
      if (!moved) return;
      event.preventDefault();
      move(moved);
      status.textContent = filled(words.place, moved);
    };
    marker.onpointerdown = (event) => marker.setPointerCapture(event.pointerId);
    marker.onpointermove = (event) => marker.hasPointerCapture(event.pointerId) && move(placeOf(event));
    redraw();
    return marker;
  }
  function removeButton(username) {
    const text = filled(words.remove, { name: username });
    const remover = make("button", { type: "button", class: "min-h-11 text-accent underline" }, text);
    remover.onclick = () => remove(username);
    return remover;
  }
  function remove(username) {
    change(all().filter((tag) => !isHere(tag) || tag.username !== username));
    show();
    field.focus();
  }
  function placeOf({ clientX, clientY }) {
    const { left, top, width, height } = markers.getBoundingClientRect();
    return { x: limited((100 * (clientX - left)) / width), y: limited((100 * (clientY - top)) / height) };
  }
  section.onsubmit = (event) => {
    event.preventDefault();
    const username = field.value.trim().replace(/^@/, "");
    const others = all().filter((tag) => !isHere(tag) || tag.username !== username);
    change([...others, { username, ...(isPicture && fractionOf(next)), path }]);
    field.value = "";
    next = MIDDLE;
    show();
    field.focus();
  };
  if (isPicture) {
    const picture = make("img", {
      src: thumb ?? "",
      alt: name,
      class: "block max-h-[45dvh] min-h-32 max-w-full rounded-lg",
    });
    markers.className = "absolute inset-0 cursor-crosshair";
    markers.onclick = (event) => {
      if (event.target !== markers) return;
      next = placeOf(event);
      show();
      field.focus();
    };
    section.prepend(make("div", { class: "relative mx-auto" }, picture, markers));
  }
  show();
  return section;
}

/** Puts an element at a place of the picture. In the middle it is centred, and at an edge it ends there, so it is never cut off. */
function placed(element, { x, y }) {
  element.style.left = `${x}%`;
  element.style.top = `${y}%`;
  element.style.translate = `${-x}% ${-y}%`;
  return element;
}
