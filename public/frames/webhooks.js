// The list of a user's webhooks in a partner's page, with their deliveries. It calls the API with the token of its frame.
import { call, callUntilAnswered, end, facts, main, make, say, start, tell } from "./frame.js";

const PAGE = 20;
const LOOK_AGAIN_MS = 2_000;
const { words, eventTypes } = facts;
const form = main.querySelector("form");
const { url: address } = form.elements;
const [submit, cancel] = form.querySelectorAll("button");
let changing; // the webhook in the form; undefined while a new one is added
const { lang } = document.documentElement;
const locale = navigator.language.startsWith(lang) ? navigator.language : lang;
const timeOf = (instant) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" }).format(
    new Date(/Z$/.test(instant) ? instant : `${instant}Z`),
  );

form
  .querySelector("fieldset")
  .append(
    ...eventTypes.map((type) =>
      make("label", {}, make("input", { type: "checkbox", name: "events", value: type }), type),
    ),
  );
form.addEventListener("change", sayEvents);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
cancel.addEventListener("click", () => edit(undefined));
edit(undefined);
start(`/embed/webhooks/${facts.id}`, () => showAll(callUntilAnswered));

/** Calls the API. Shows a problem above the list. Only the end of the session ends the list. */
async function ask(path, options, send = call) {
  const { answer, problem } = await send(`/v1/webhooks${path}`, options);
  if (problem?.status === 401) end(problem);
  else if (problem) say(problem.message, "wrong");
  return { answer, isDone: !problem };
}

/** @param send tries again by itself while there is no list yet */
async function showAll(send = call) {
  const webhooks = [];
  for (let cursor = ""; cursor !== null; ) {
    const { answer } = await ask(`?limit=${PAGE}${cursor}`, {}, send);
    if (!answer) return; // the list stays as it was
    webhooks.push(...answer.items);
    cursor = answer.nextCursor ? `&cursor=${encodeURIComponent(answer.nextCursor)}` : null;
  }
  main.querySelector(".none").hidden = webhooks.length > 0;
  main.querySelector(".webhooks").replaceChildren(...webhooks.map(rowOf));
}

function rowOf(webhook) {
  const { url, events, enabled, disabledReason } = webhook;
  const state = enabled ? words.on : disabledReason ? fill(words.offBecause, { reason: disabledReason }) : words.off;
  const who = make(
    "div",
    { className: "who" },
    make("strong", { textContent: url }),
    make("span", {
      textContent: `${state} · ${countOf(events)}`,
      className: enabled || !disabledReason ? "" : "wrong",
    }),
  );
  const row = make("li", {}, who);
  const deliveries = make("div", { className: "deliveries", hidden: true });
  const buttons = make("p", { className: "buttons" });
  const button = (text, work) => buttons.append(buttonOf(text, work, url));
  const path = `/${webhook.id}`;
  const toggle = buttonOf(words.deliveries, () => showDeliveries(path, deliveries, toggle), url);
  toggle.ariaExpanded = "false";
  buttons.append(toggle);
  if (enabled) {
    button(words.sendTest, async () => {
      if (!(await ask(`${path}/test`, { method: "POST" })).isDone) return;
      say(words.testSent);
      await loadDeliveries(path, deliveries);
      open(deliveries, toggle, true);
    });
  }
  button(words.edit, () => edit(webhook));
  button(enabled ? words.switchOff : words.switchOn, () =>
    put(webhook, { ...webhook, enabled: !enabled }, words.saved),
  );
  button(words.newSecret, () =>
    question(row, words.newSecretQuestion, words.newSecret, async () => {
      const { answer } = await ask(`${path}/rotate-secret`, { method: "POST" });
      if (answer) showSecret(row, answer.secret);
    }),
  );
  button(words.remove, () =>
    question(row, words.removeQuestion, words.remove, async () => {
      if (!(await ask(path, { method: "DELETE" })).isDone) return;
      if (changing?.id === webhook.id) edit(undefined);
      await changed(words.removed);
    }),
  );
  row.append(buttons, deliveries);
  return row;
}

/** A button that does one thing at a time. Its name for screen readers includes what it is about. */
function buttonOf(textContent, work, about) {
  const button = make("button", { type: "button", textContent });
  if (about) button.ariaLabel = `${textContent}: ${about}`;
  button.addEventListener("click", async () => {
    if (button.ariaBusy === "true") return;
    button.ariaBusy = "true";
    say("");
    await work();
    button.ariaBusy = "false";
  });
  return button;
}

/** Asks below a row before something is done that cannot be undone. A frame of another site cannot open a dialog. */
function question(row, text, yes, work) {
  row.querySelector(".question")?.remove();
  const box = make("div", { className: "secret question" }, make("p", { textContent: text }));
  const close = () => box.remove();
  const confirm = buttonOf(yes, async () => {
    close();
    await work();
  });
  confirm.className = "wrong";
  const keep = buttonOf(words.keep, close);
  box.append(make("p", { className: "buttons" }, confirm, keep));
  row.querySelector(".buttons").after(box);
  keep.focus();
}

function showSecret(row, secret) {
  row.querySelector(".secret")?.remove();
  const code = make("code", { textContent: secret });
  row
    .querySelector(".buttons")
    .after(make("div", { className: "secret" }, make("p", { textContent: words.secret }), code));
}

/** Fills the form with a webhook, or empties it for a new one. */
function edit(webhook) {
  changing = webhook;
  form.querySelector("h2").textContent = webhook ? words.change : words.add;
  submit.textContent = webhook ? words.save : words.addIt;
  cancel.hidden = !webhook;
  address.value = webhook?.url ?? "";
  const wanted = new Set(webhook?.events ?? eventTypes);
  for (const box of boxes()) box.checked = wanted.has(box.value);
  sayEvents();
  if (webhook) address.focus();
}

function boxes() {
  return [...form.querySelectorAll("input[name=events]")];
}

function chosen() {
  return boxes().flatMap((box) => (box.checked ? [box.value] : []));
}

function countOf(events) {
  return events.length === eventTypes.length
    ? words.allEvents
    : fill(words.someEvents, { count: events.length, total: eventTypes.length });
}

function sayEvents() {
  form.querySelector("summary").textContent = countOf(chosen());
}

async function save() {
  const body = { url: address.value.trim(), events: chosen() };
  address.ariaInvalid = String(!body.url);
  if (!body.url) {
    say(words.enterAddress, "wrong");
    return address.focus();
  }
  if (body.events.length === 0) return say(words.chooseEvent, "wrong");
  submit.disabled = true;
  if (changing)
    await put(changing, { ...body, enabled: changing.enabled, description: changing.description }, words.saved);
  else await add(body);
  submit.disabled = false;
}

async function add(body) {
  const { answer } = await ask("", { body });
  if (!answer) return;
  edit(undefined);
  await changed(words.added);
  showSecret(main.querySelector(".webhooks li"), answer.secret); // the newest is first
}

async function put({ id }, { url, events, description, enabled }, text) {
  const body = { url, events, enabled, ...(description ? { description } : {}) };
  if (!(await ask(`/${id}`, { method: "PUT", body })).isDone) return;
  if (changing?.id === id) edit(undefined);
  await changed(text);
}

async function changed(text) {
  await showAll();
  say(text);
  tell("changed");
}

async function showDeliveries(path, list, toggle) {
  if (list.hidden) await loadDeliveries(path, list);
  open(list, toggle, list.hidden);
}

function open(list, toggle, isOpen) {
  list.hidden = !isOpen;
  toggle.ariaExpanded = String(isOpen);
}

/** Shows the newest deliveries, or adds the next page of older ones. */
async function loadDeliveries(path, box, cursor) {
  const { answer } = await ask(
    `${path}/deliveries?limit=${PAGE}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
  );
  if (!answer) return;
  const rows = answer.items.map((delivery) => deliveryRow(path, box, delivery));
  const list = cursor ? box.querySelector("ul") : make("ul");
  list.append(...rows);
  box.querySelector(":scope > .buttons")?.remove();
  if (!cursor) box.replaceChildren(list);
  if (list.childElementCount === 0)
    box.replaceChildren(make("p", { className: "none", textContent: words.noDeliveries }));
  if (answer.nextCursor) {
    const older = buttonOf(words.older, () => loadDeliveries(path, box, answer.nextCursor));
    box.append(make("p", { className: "buttons" }, older));
  }
  if (!cursor) lookAgain(path, box, answer.items);
}

/** Looks again while the list is open and a delivery waits for its first attempt or is being sent: then no next attempt is planned. */
function lookAgain(path, box, deliveries) {
  const isUnderWay = deliveries.some(
    ({ state, attempts, nextAttemptTime }) => state === "PENDING" && (attempts.length === 0 || !nextAttemptTime),
  );
  const isSeen = () => box.isConnected && !box.hidden;
  if (isUnderWay) setTimeout(() => isSeen() && loadDeliveries(path, box), LOOK_AGAIN_MS);
}

function deliveryRow(path, box, { id, type, state, body, attempts, nextAttemptTime, createdTime }) {
  const states = { PENDING: words.sending, DELIVERED: words.delivered, FAILED: words.gaveUp };
  const next =
    nextAttemptTime && attempts.length > 0 ? ` · ${fill(words.retriedAt, { time: timeOf(nextAttemptTime) })}` : "";
  const summary = make(
    "summary",
    {},
    make("span", { className: state === "FAILED" ? "wrong" : "" }, `${states[state] ?? state} · `),
    make("code", { textContent: type }),
    ` · ${timeOf(createdTime)}${next}`,
  );
  const tries = attempts.map(({ startTime, status, error }) =>
    make("p", {
      textContent: fill(status ? words.answered : words.noAnswer, { time: timeOf(startTime), status, reason: error }),
    }),
  );
  const again = buttonOf(words.sendAgain, async () => {
    if ((await ask(`${path}/deliveries/${id}/redeliver`, { method: "POST" })).isDone) await loadDeliveries(path, box);
  });
  const request = make("pre", { textContent: JSON.stringify(JSON.parse(body), null, 2) });
  return make("li", {}, make("details", {}, summary, ...tries, request, make("p", { className: "buttons" }, again)));
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}
