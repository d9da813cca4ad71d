/**
 * The partner's page. On a desktop it opens the address in a popup within the click handler, so that no browser blocks it. If
 * the popup is blocked, and on phones, the page itself goes there. The return page reports the end over a BroadcastChannel of
 * the same origin. Neither the return page nor a closed popup means success, so the page asks its backend for the accounts.
 */
export const HOME = `<h1>Partner</h1>
<button id="connect">Connect X</button>
<button id="app">Connect X in the app</button>
<p id="state" role="status"></p>
<script>
const say = (text) => { document.getElementById("state").textContent = text; };
const addressOf = async (query) => (await fetch("/connect-url?platform=X_TWITTER" + query)).json();
const count = async () => (await (await fetch("/accounts")).json()).length;
let none = "The window was closed, and nothing is connected";
const report = async () => say((await count()) > 0 ? "Connected" : none);
const back = () => { none = "You are back, and nothing is connected"; return report(); };
const hasRoom = matchMedia("(min-width: 768px) and (hover: hover) and (pointer: fine)").matches;

document.getElementById("connect").onclick = async () => {
  const popup = hasRoom ? window.open("about:blank", "carillon", "popup,width=520,height=720") : null;
  if (!popup) {
    location.href = await addressOf("");
    return;
  }
  say("Continue in the window that has opened");
  popup.location = await addressOf("");
  const look = setInterval(async () => {
    if (!popup.closed) return;
    clearInterval(look);
    await report();
  }, 200);
};
document.getElementById("app").onclick = async () => { location.href = await addressOf("&app"); };
new BroadcastChannel("acme connect").onmessage = back;
if (new URLSearchParams(location.search).has("back")) back();
</script>`;

/** The return page: informs the page that opened it and closes itself. On a phone it shows a link. */
export const CONNECTED = `<h1>Thank you</h1><p><a href="/?back">Go on</a></p><script>
new BroadcastChannel("acme connect").postMessage("back");
if (window.opener) window.close();
</script>`;
