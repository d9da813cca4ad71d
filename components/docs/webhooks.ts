import type { OpenApi } from "@/lib/api";
import { type Html, html } from "../plain/page";
import { typeOf } from "./fields";
import { code, inline, markdown } from "./markdown";
import { docsWords } from "./words";

const verifying = code(
  `import { Webhook } from "standardwebhooks";
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, request.headers); // throws where it is not ours
if (seen.has(request.headers["webhook-id"])) return; // the same event may come twice`,
  "js",
);

/** The events, what each tells and what its `data` is. */
export function webhookTable({ webhooks }: OpenApi): Html {
  const rows = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = post.requestBody.content["application/json"]?.schema ?? {};
    return html`<tr><th scope="row"><code>${type}</code></th><td>${inline(post.summary)}</td><td>${typeOf(schema)}</td></tr>`;
  });
  return html`${markdown(docsWords.webhooksAbout)}${verifying}
<table><caption>${docsWords.events}</caption><thead><tr><th scope="col">${docsWords.type}</th><th scope="col">${docsWords.whatHappened}</th><th scope="col">${docsWords.body}</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}
