// What the lists of accounts and webhooks in a partner's page share (components/plain/connect/frame.ts). The page passes a token,
// which this script exchanges for one of its own. It keeps that in memory only: a frame of another site has no reliable storage.

export const main = document.querySelector("main");
/** The session and the texts: `id`, `origins`, `hasEnded`, `words`, `theme`, and what the list needs. */
export const facts = JSON.parse(main.dataset.frame ?? "null");
if (!facts) window.close(); // the page at which a window of the list ends

const TRIED_AGAIN_AFTER_SECONDS = 5;
const notice = main.querySelector(".notice");
let partner; // the origin of the page that shows this frame
let token;

/**
 * Waits for the page's token and exchanges it. Then `show` gets the first answer and shows the list.
 * @param base the address of the session, without the origin
 * @param show also gets the window that the list before this one had open
 */
export function start(base, show) {
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== parent || !facts.origins.includes(origin) || data?.type !== "carillon:open" || partner) return;
    partner = origin;
    if (facts.afterSeconds) return tell("size", { height: height() }); // the page loads itself again, and then needs the token
    tell("opening"); // the page waits a few seconds for a first answer
    open(String(data.clientToken), data.connecting);
  });
  if (facts.afterSeconds) setTimeout(() => location.reload(), 1_000 * facts.afterSeconds);
  new ResizeObserver(() => tell("size", { height: height() })).observe(main);

  async function open(clientToken, connecting) {
    const body = { clientToken, origin: partner };
    const { answer, problem } = facts.hasEnded ? { problem: {} } : await callUntilAnswered(`${base}/open`, { body });
    if (problem) return end(problem);
    token = answer.token;
    main.querySelector(".lists").hidden = false;
    await show(answer, connecting);
    tell("ready", { theme: facts.theme, height: height() });
  }
}

const height = () => Math.ceil(main.getBoundingClientRect().height);

/** Tells the partner's page what has happened. */
export function tell(type, detail = {}) {
  if (partner) parent.postMessage({ type: `carillon:${type}`, ...detail }, partner);
}

/**
 * Calls the service. Reads without a body, and sends one with POST unless another method is given.
 * @returns `answer`, or `problem` with the status (0: no answer) and a sentence
 */
export async function call(path, { body, method = body ? "POST" : "GET" } = {}) {
  const headers = { ...(token ? { authorization: `Bearer ${token}` } : {}), "content-type": "application/json" };
  const sent = body ? { body: JSON.stringify(body) } : {};
  try {
    const response = await fetch(path, { method, ...sent, headers, credentials: "omit" });
    const answer = response.status === 204 ? undefined : await response.json();
    if (response.ok) return { answer };
    const { status } = response;
    const afterSeconds = Number(response.headers.get("retry-after")) || undefined;
    return { problem: { status, message: answer.error ?? answer.message, afterSeconds } };
  } catch {
    return { problem: { status: 0, message: facts.words.failed } };
  }
}

/** Whether the same call may succeed later: no answer, too many requests, or a problem of the service. */
export function isPassing({ status }) {
  return status === 0 || status === 429 || status >= 500;
}

/** Calls again while the problem may pass, and shows it meanwhile. A token that is used twice is refused, so nothing happens twice. */
export async function callUntilAnswered(path, options) {
  for (;;) {
    const outcome = await call(path, options);
    if (!outcome.problem || !isPassing(outcome.problem)) {
      say("");
      return outcome;
    }
    const { message, afterSeconds = TRIED_AGAIN_AFTER_SECONDS } = outcome.problem;
    say(message, "wrong");
    await new Promise((done) => setTimeout(done, 1_000 * afterSeconds));
  }
}

/** Shows that nothing more can be done here, and tells the page why. */
export function end({ status = 401, message = facts.words.ended }) {
  const isOver = status === 401 || status === 409;
  for (const button of main.querySelectorAll("button")) button.disabled = true;
  say(isOver ? facts.words.ended : message, "wrong");
  tell(isOver ? "ended" : "error", { status, message });
}

/** Shows a sentence above the list. */
export function say(text, look = "") {
  notice.textContent = text;
  notice.className = `notice ${look}`;
  notice.hidden = !text;
}

/** Makes an element with these properties and children. */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
