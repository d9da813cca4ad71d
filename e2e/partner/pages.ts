/**
 * The partner's page. `@carillon/connect` opens the link in a popup, or in the page itself on phones. Neither the return nor a
 * closed popup means success, so the page asks its backend for the accounts.
 */
export const HOME = `<h1>Partner</h1>
<button id="connect">Connect X</button>
<button id="app">Connect X in the app</button>
<p id="state" role="status"></p>
<script type="module">
import { openConnect } from "/connect.js";

const say = (text) => { document.getElementById("state").textContent = text; };
const addressOf = async (query) => (await fetch("/connect-url?platform=X_TWITTER" + query)).json();
const count = async () => (await (await fetch("/accounts")).json()).length;
const report = async (none) => say((await count()) > 0 ? "Connected" : none);
const back = () => report("You are back, and nothing is connected");

document.getElementById("connect").onclick = () => {
  say("Continue in the window that has opened");
  openConnect({
    url: () => addressOf(""),
    onDone: back,
    onCancel: () => report("The window was closed, and nothing is connected"),
  });
};
document.getElementById("app").onclick = () => openConnect({ url: () => addressOf("&app"), mode: "redirect" });
if (new URLSearchParams(location.search).has("back")) back();
</script>`;

/** The return page: informs the page that opened it and closes itself. On a phone it shows a link. */
export const CONNECTED = `<h1>Thank you</h1><p><a href="/?back">Go on</a></p><script type="module">
import { finishConnect } from "/connect.js";
finishConnect();
</script>`;

/** The page with the list of accounts, under a policy without inline scripts and styles. */
export const EMBEDDED = `<h1>Partner</h1>
<main></main>
<p id="state" role="status"></p>
<script type="module" src="/embedded.js"></script>`;

/** The script of that page. The query of the page can choose the list, another address and another token. */
export const embeddedScript = (carillon: string) => `import "/element.js";

const say = (text) => { document.getElementById("state").textContent = text; };
const query = new URLSearchParams(location.search);
const list = document.createElement(query.get("list") ?? "carillon-connect");
list.setAttribute("src", query.get("src") ?? ${JSON.stringify(carillon)});
list.addEventListener("carillon-ready", () => say("Shown"));
list.addEventListener("carillon-connected", ({ detail }) => say("Connected " + detail.username));
list.addEventListener("carillon-cancelled", ({ detail }) => say("Cancelled: " + detail.message));
list.addEventListener("carillon-changed", () => say("Changed"));
list.addEventListener("carillon-ended", () => say("Ended"));
list.addEventListener("carillon-error", ({ detail }) => say("Error: " + detail.message));
if (query.has("token")) list.setAttribute("client-token", query.get("token"));
else list.fetchClientToken = async () => (await (await fetch("/session")).json()).clientToken;
document.querySelector("main").append(list);
`;
