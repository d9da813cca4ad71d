import { deletePersonData, findDataDeletion } from "../accounts";
import { env } from "../env";
import { NotFound, TooLarge } from "../errors";
import { readText } from "../http/form";
import { stillPolicy } from "../http/page-policy";
import { appOf, type CallbackRequest, isOffered, type Network, networkOf } from "../networks";
import { type Platform, platforms, platformValues } from "../platforms";
import { handleNotices } from "../schedules";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem;color-scheme:light dark}";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": stillPolicy({ styles: [STYLE] }),
  "referrer-policy": "no-referrer",
};

/** The status page of a data deletion request, to which the network sends the person with their code. */
export async function deletionPage(code: string): Promise<Response> {
  const found = /^[A-Za-z0-9]{1,64}$/.test(code) ? await findDataDeletion(code) : undefined;
  if (!found) return page(404, "No such request", "There is no data deletion request with this code.");
  const day = new Date(found.at).toISOString().slice(0, 10);
  const what =
    found.accounts === 0
      ? "Carillon had no data about you."
      : "Your permission, name, picture and Pages, and the addresses of posts, were deleted.";
  return page(200, "Your data was deleted", `Done on ${day}. ${what} The code of this request is ${code}.`);
}

/** The texts are ours, and the code contains only letters and digits. */
function page(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Carillon</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  return new Response(html, { status, headers: HEADERS });
}

const MAX_BYTES = 65_536;

/**
 * Handles a notification from a network. Networks repeat a notification until it is answered with 200, so known
 * notifications get the same answer as new ones.
 * @throws NotFound if the network sends none; PlatformError `rejected` if the sender is not the network
 */
export async function answerCallback(name: string, request: Request): Promise<Response> {
  const network = networkNamed(name);
  if (!network?.notifications) throw new NotFound("Network", name);
  await handleNotices(network, network.notifications(appOf(network), await callbackOf(request)));
  return Response.json({});
}

/**
 * Deletes what we hold about a person. Answers with the address and code of a status page, in Meta's format
 * (…/app-dashboard/data-deletion-callback).
 * @throws NotFound if the network sends no such requests; PlatformError `rejected` if the sender is not the network
 */
export async function answerDeletion(name: string, request: Request): Promise<Response> {
  const network = networkNamed(name);
  if (!network?.deletionRequest) throw new NotFound("Network", name);
  const code = await deletePersonData(network, network.deletionRequest(appOf(network), await callbackOf(request)));
  return Response.json({ url: `${env.appUrl}/callbacks/deletions/${code}`, confirmation_code: code });
}

function networkNamed(name: string): Network | undefined {
  const platform = platformValues.find((one: Platform) => platforms[one] === name);
  return platform && isOffered(platform) ? networkOf(platform) : undefined;
}

async function callbackOf(request: Request): Promise<CallbackRequest> {
  const body = await readText(request, MAX_BYTES);
  if (body === undefined) throw new TooLarge("The body", "64 KB");
  return { headers: request.headers, body };
}
