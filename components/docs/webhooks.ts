import type { OpenApi } from "@/lib/api";
import { type Html, html } from "../plain-page";
import { typeOf } from "./fields";
import { code, inline, markdown } from "./markdown";

const ABOUT = `Each is a POST of \`{ "type": …, "timestamp": …, "data": … }\`, signed as [Standard Webhooks](https://www.standardwebhooks.com) says. Verify it with one of its libraries over the body as it came, then answer 2xx:`;

const VERIFYING = `import { Webhook } from "standardwebhooks";
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, request.headers); // throws where it is not ours
if (seen.has(request.headers["webhook-id"])) return; // the same event may come twice`;

/** The events, what each tells and what its `data` is. */
export function webhookTable({ webhooks }: OpenApi): Html {
  const rows = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post.requestBody.content["application/json"]?.schema ?? {};
    return html`<tr><th scope="row"><code>${type}</code></th><td>${inline(post.summary)}</td><td>${typeOf(schema)}</td></tr>`;
  });
  return html`${markdown(ABOUT)}${code(VERIFYING, "js")}
<table><caption>Events</caption><thead><tr><th scope="col">Type</th><th scope="col">What has happened</th><th scope="col">Body</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
