// The list of accounts in a partner's page, with a button for each network. Networks open in a window of their own.
import { call, end, facts, main, make, say, start, tell } from "./frame.js";

const LOOK_EVERY_MS = 2_000;
/** No answer, or too many requests: the next look may succeed. */
const PASSING = [0, 429];
const [WIDTH, HEIGHT] = [560, 760];
const { words, marks } = facts;
const base = `/embed/connect/${facts.id}`;
let connecting; // the open window: { popup, name, ticket, known }
let timer;

start(base, ({ list }) => show(list));

function show({ accounts, networks }) {
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
  clearTimeout(timer);
  connecting?.popup.close();
  // Opened during the click, or the browser would block it.
  const left = Math.round(screenX + (outerWidth - WIDTH) / 2);
  const top = Math.round(screenY + (outerHeight - HEIGHT) / 3);
  const popup = window.open("about:blank", "_blank", `popup,width=${WIDTH},height=${HEIGHT},left=${left},top=${top}`);
  if (!popup) return say(fill(words.blocked, name), "wrong");
  const { answer, problem } = await call(`${base}/links`, { body: { platform } });
  if (problem) {
    popup.close();
    return end(problem);
  }
  popup.opener = null; // the network's page must not reach this frame
  popup.location.replace(answer.url);
  const { answer: before } = await call(`${base}/accounts`);
  connecting = { popup, name, ticket: answer.ticket, known: new Map(before?.accounts.map((one) => [one.id, one])) };
  say(fill(words.underWay, name));
  timer = setTimeout(look, LOOK_EVERY_MS);
}

/** Looks for the outcome until an account is connected, the window is closed after another end, or the session has ended. */
async function look() {
  const mine = connecting;
  const isClosed = mine.popup.closed;
  const { answer, problem } = await call(`${base}/accounts?ticket=${mine.ticket}`);
  if (mine !== connecting) return; // another window was opened meanwhile
  if (problem && !PASSING.includes(problem.status)) return end(problem);
  if (answer) show(answer);
  const account = answer && connectedIn(answer, mine);
  if (account) {
    mine.popup.close();
    say(fill(words.connected, mine.name, handleOf(account.username)));
    return tell("connected", { account: { id: account.id, platform: account.platform, username: account.username } });
  }
  const failure = answer?.attempt?.text;
  if (failure) say(failure, "wrong");
  else if (isClosed) say(fill(words.closed, mine.name));
  if (failure && isClosed) return tell("cancelled", { message: failure });
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
  return text.replace("{network}", network).replace("{account}", account);
}
