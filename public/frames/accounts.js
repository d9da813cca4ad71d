// The list of accounts in a partner's page, with a button for each network. Networks open in a window of their own.
import { call, end, facts, isPassing, main, make, say, start, tell } from "./frame.js";

const LOOK_EVERY_MS = 2_000;
const [WIDTH, HEIGHT] = [560, 760];
const { words, marks } = facts;
const base = `/embed/connect/${facts.id}`;
let connecting; // the open window: { popup, name, ticket, known, isTold }; without `popup` if the list before this one opened it
let timer;
let shown; // the accounts in the list

start(base, ({ list }, before) => {
  show(list);
  if (before?.ticket) watch({ name: String(before.name), ticket: String(before.ticket), known: byId(shown) });
});

function byId(accounts) {
  return new Map(accounts.map((one) => [one.id, one]));
}

function show({ accounts, networks }) {
  shown = accounts;
  main.querySelector(".none").hidden = accounts.length > 0;
  main.querySelector(".accounts").replaceChildren(...accounts.map(accountRow));
  const list = main.querySelector(".networks");
  if (list.childElementCount === 0) list.replaceChildren(...networks.map(networkRow));
}

function accountRow({ platform, network, username, displayName, avatarUrl, needsReconnect, canReconnect }) {
  const face = make("span", { className: "face" });
  if (avatarUrl) {
    const picture = make("img", { src: avatarUrl, alt: "", referrerPolicy: "no-referrer", loading: "lazy" });
    picture.addEventListener("error", () => picture.remove());
    face.append(picture);
  }
  face.append(markOf(platform));
  const state = needsReconnect ? words.mustReconnect : `${network} · ${handleOf(username)}`;
  const who = make(
    "span",
    { className: "who" },
    make("strong", { textContent: displayName || username, dir: "auto" }),
    make("span", { textContent: state, className: needsReconnect ? "wrong" : "" }),
  );
  const row = make("li", {}, face, who);
  if (needsReconnect && canReconnect) row.append(connectButton(words.connectAgain, { platform, name: network }));
  return row;
}

function networkRow({ platform, name }) {
  const button = connectButton("", { platform, name });
  button.append(markOf(platform), name);
  return make("li", {}, button);
}

function connectButton(textContent, network) {
  const button = make("button", { type: "button", textContent });
  button.addEventListener("click", () => connect(network));
  return button;
}

function markOf(platform) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "mark");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/networks.svg#${marks[platform]}`);
  svg.append(use);
  return svg;
}

async function connect({ platform, name }) {
  // Opened during the click, or the browser would block it.
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + (outerHeight - HEIGHT) / 3);
  const popup = window.open("about:blank", "_blank", `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  if (!popup) return say(fill(words.blocked, name), "wrong");
  clearTimeout(timer);
  connecting?.popup?.close();
  const mine = { popup, name };
  connecting = mine; // at once, so that a second click finds it
  tell("window");
  const { answer, problem } = await call(`${base}/links`, { body: { platform } });
  if (mine !== connecting) return;
  if (problem) {
    popup.close();
    if (!isPassing(problem)) return end(problem);
    say(problem.message, "wrong"); // the person can press the button again
    return tell("cancelled", { message: problem.message });
  }
  popup.opener = null; // the network's page must not reach this frame
  popup.location.replace(answer.url);
  const { answer: before } = await call(`${base}/accounts`);
  if (mine !== connecting) return;
  watch(Object.assign(mine, { ticket: answer.ticket, known: byId(before?.accounts ?? shown) }));
}

function watch(mine) {
  connecting = mine;
  tell("window", { connecting: { name: mine.name, ticket: mine.ticket } }); // for a list that replaces this one
  say(fill(words.underWay, mine.name));
  timer = setTimeout(look, LOOK_EVERY_MS);
}

/**
 * Looks for the outcome until an account is connected, the window is closed and nothing can follow, or the session has ended. A
 * window that a network cut off from this page seems closed, so it is told once that it was closed, and an account can follow.
 */
async function look() {
  const mine = connecting;
  const isClosed = mine.popup?.closed ?? false;
  const { answer, problem } = await call(`${base}/accounts?ticket=${encodeURIComponent(mine.ticket)}`);
  if (mine !== connecting) return; // another window was opened meanwhile
  if (problem && !isPassing(problem)) return end(problem);
  if (answer) show(answer);
  const account = answer && connectedIn(answer, mine);
  if (account) {
    mine.popup?.close();
    tell("window");
    say(fill(words.connected, mine.name, handleOf(account.username)));
    return tell("connected", { account: { id: account.id, platform: account.platform, username: account.username } });
  }
  const failure = answer?.attempt?.text;
  const closed = isClosed ? fill(words.closed, mine.name) : undefined;
  if (failure) say(failure, "wrong");
  else if (closed) say(closed);
  const hasNoWindow = isClosed || !mine.popup;
  const message = hasNoWindow && failure ? failure : closed;
  if (answer && message && !mine.isTold) {
    mine.isTold = true;
    tell("cancelled", { message });
  }
  const isUnopened = answer?.attempt?.outcome === "not opened";
  if (answer && hasNoWindow && (failure || isUnopened)) {
    if (!failure && !closed) say(""); // the window was that of another person's list
    return tell("window");
  }
  timer = setTimeout(look, LOOK_EVERY_MS);
}

/** The account that was connected since the window was opened. */
function connectedIn({ accounts, attempt }, { known }) {
  const id = attempt?.outcome === "connected" ? attempt.accountId : undefined;
  return accounts.find(
    (one) => one.id === id || !known.has(one.id) || (known.get(one.id).needsReconnect && !one.needsReconnect),
  );
}

/** Some networks have names instead of handles. */
function handleOf(username) {
  return /^[\w.-]+$/.test(username) ? `@${username}` : username;
}

function fill(text, network, account = "") {
  return text.replace("{network}", () => network).replace("{account}", () => account); // a name can contain $
}
