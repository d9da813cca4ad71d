// A partner's product, as a partner writes it: outside of our workspace, with the packages as npm publishes them. The test copies
// this file into an empty folder, together with three examples of the guide: `list.html` is the list of accounts, `webhooks.html` the
// list of webhooks and `link.js` opens one connect link. Its arguments are the address of Carillon, the partner's credentials and the
// port to listen on.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { CarillonPartner, verifyWebhook } from "@carillon/sdk";

const [baseUrl, clientId, clientSecret, port] = process.argv.slice(2);
const address = `http://127.0.0.1:${port}`;
const carillon = new CarillonPartner({ baseUrl, clientId, clientSecret });
const CUSTOMER = { externalUserId: "customer-1" };
const customer = carillon.for(CUSTOMER);

const example = (name) => readFile(new URL(name, import.meta.url), "utf8");
const LIST = await example("list.html");
const head = `<!doctype html>
<html lang="en">
<title>Planner</title>
<script type="importmap">
  { "imports": { "@carillon/connect": "/index.js", "@carillon/connect/element": "/element.js" } }
</script>
<h1>Planner</h1>`;
const PAGE = `${head}
${LIST}
<button id="connect">Connect Threads</button>
<button id="publish">Publish</button>
<p role="status"></p>
<script type="module">
  document.querySelector("#publish").onclick = async () => {
    document.querySelector("[role=status]").textContent = await (await fetch("/publish", { method: "POST" })).text();
  };
</script>
<script type="module">
  const button = document.querySelector("#connect");
  async function showAccounts() {
    document.querySelector("[role=status]").textContent = await (await fetch("/accounts")).text();
  }
  ${await example("link.js")}
</script>`;
const WEBHOOKS = `${head}
${await example("webhooks.html")}
<script type="module">
  import "@carillon/connect/element";

  const list = document.querySelector("carillon-webhooks");
  list.fetchClientToken = async () =>
    (await (await fetch("/carillon-session?shows=webhooks", { method: "POST" })).json()).clientToken;
</script>`;
const CONNECTED = `${head}
<script type="module">
  import { finishConnect } from "@carillon/connect";

  finishConnect();
</script>`;

const { secret } = await carillon.post("/v1/webhooks", {
  body: { url: `${address}/hook`, events: ["account.connected", "post.completed"] },
});
/** The events that Carillon has sent. */
const events = [];

const server = createServer(async (request, response) => {
  try {
    const page = { "/": PAGE, "/webhooks": WEBHOOKS, "/connected": CONNECTED }[request.url];
    if (page) return response.setHeader("content-type", "text/html").end(page);
    if (request.url === "/index.js" || request.url === "/element.js") {
      const script = await example(`node_modules/@carillon/connect/dist${request.url}`);
      return response.setHeader("content-type", "text/javascript").end(script);
    }
    const { pathname, searchParams } = new URL(request.url, address);
    if (pathname === "/carillon-session") {
      await carillon.post("/v1/connect/users", { body: { ...CUSTOMER, name: "Ada" } });
      const body = { origins: [address], shows: searchParams.get("shows") ?? undefined };
      return response.end(JSON.stringify(await customer.post("/v1/connect/sessions", { body })));
    }
    if (pathname === "/carillon-link") {
      const body = { platform: "THREADS", redirectUri: `${address}/connected` };
      return response.end(JSON.stringify(await customer.post("/v1/connect/authorize-url", { body })));
    }
    if (pathname === "/accounts") {
      return response.end((await customer.get("/v1/accounts")).map(({ platform }) => platform).join(", "));
    }
    if (request.url === "/publish") return response.end(await publish());
    if (request.url === "/hook") {
      events.push(await verifyWebhook({ body: await buffer(request), headers: request.headers, secret }));
      return response.writeHead(204).end();
    }
    if (request.url === "/events") return response.end(JSON.stringify(events));
    response.writeHead(404).end();
  } catch (error) {
    response.writeHead(error.status || 500).end(error.message);
  }
});
server.listen(Number(port), "127.0.0.1", () => console.log(address));

async function publish() {
  const account = (await customer.get("/v1/accounts")).find(({ platform }) => platform === "X_TWITTER");
  const post = await customer.post("/v1/posts", {
    body: {
      scheduledTime: new Date().toISOString(),
      publications: [
        {
          socialMediaAccountId: account.id,
          platformSettings: { type: "TWITTER" },
          posts: [{ content: "The bells are ready" }],
        },
      ],
    },
  });
  return (await customer.waitFor(post)).overallStatus;
}
