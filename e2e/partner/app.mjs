// A partner's product, as a partner writes it: outside of our workspace, with the packages as npm publishes them. The test copies
// this file into an empty folder, together with `list.html`, which is the list of accounts from the guide. Its arguments are the
// address of Carillon and the partner's credentials.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { CarillonPartner } from "@carillon/sdk";

const [baseUrl, clientId, clientSecret] = process.argv.slice(2);
const carillon = new CarillonPartner({ baseUrl, clientId, clientSecret });
const CUSTOMER = { externalUserId: "customer-1" };
const customer = carillon.for(CUSTOMER);

const LIST = await readFile(new URL("list.html", import.meta.url), "utf8");
const PAGE = `<!doctype html>
<html lang="en">
<title>Planner</title>
<script type="importmap">{ "imports": { "@carillon/connect/element": "/carillon.js" } }</script>
<h1>Planner</h1>
${LIST}
<button id="publish">Publish</button>
<p role="status"></p>
<script type="module">
  document.querySelector("#publish").onclick = async () => {
    document.querySelector("[role=status]").textContent = await (await fetch("/publish", { method: "POST" })).text();
  };
</script>`;

const server = createServer(async (request, response) => {
  const origin = `http://${request.headers.host}`;
  try {
    if (request.url === "/") return response.setHeader("content-type", "text/html").end(PAGE);
    if (request.url === "/carillon.js") {
      const script = await readFile(new URL("node_modules/@carillon/connect/dist/element.js", import.meta.url));
      return response.setHeader("content-type", "text/javascript").end(script);
    }
    if (request.url === "/carillon-session") {
      await carillon.post("/v1/connect/users", { body: { ...CUSTOMER, name: "Ada" } });
      const session = await customer.post("/v1/connect/sessions", { body: { origins: [origin] } });
      return response.end(JSON.stringify(session));
    }
    if (request.url === "/publish") return response.end(await publish());
    response.writeHead(404).end();
  } catch (error) {
    response.writeHead(500).end(error.message);
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));

async function publish() {
  const [account] = await customer.get("/v1/accounts");
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
