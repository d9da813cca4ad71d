/**
 * The partner's page. On a desk the address is opened in a popup, within the click, so that no browser blocks it; where one
 * does, and on phones, the page itself goes there. How it ends it learns from its own return page, by a channel of its own
 * origin; a popup that is closed before is no news of success, so it asks its backend which accounts there are.
 */
export const HOME = `<h1>Partner</h1>
<button id="connect">Connect X</button>
<button id="app">Connect X in the app</button>
<p id="state" role="status"></p>
<script>
const say = (text) => { document.getElementById("state").textContent = text; };
const addressOf = async (query) => (await fetch("/connect-url?platform=X_TWITTER" + query)).json();
const count = async () => (await (await fetch("/accounts")).json()).length;
const hasRoom = matchMedia("(min-width: 768px) and (hover: hover) and (pointer: fine)").matches;

document.getElementById("connect").onclick = async () => {
  const popup = hasRoom ? window.open("about:blank", "carillon", "popup,width=520,height=720") : null;
  if (!popup) {
    location.href = await addressOf("");
    return;
  }
  say("Go on in the window that has opened");
  popup.location = await addressOf("");
  const look = setInterval(async () => {
    if (!popup.closed) return;
    clearInterval(look);
    say((await count()) > 0 ? "Connected" : "The window was closed, and nothing is connected");
  }, 200);
};
document.getElementById("app").onclick = async () => { location.href = await addressOf("&app"); };
new BroadcastChannel("acme connect").onmessage = () => say("Connected");
if (new URLSearchParams(location.search).has("connected")) say("Connected");
</script>`;

/** Where the browser ends: tells the page that opened it and closes itself; on a phone it leads on. */
export const CONNECTED = `<h1>Thank you</h1><p><a href="/?connected">Go on</a></p><script>
new BroadcastChannel("acme connect").postMessage("connected");
if (window.opener) window.close();
</script>`;
