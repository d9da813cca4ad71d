import { findDataDeletion, deletePersonData } from "../accounts";
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

/** What became of a request to remove somebody's data, for the person whom a network sends here with their code. */
export async function deletionPage(code: string): Promise<Response> {
  const found = /^[A-Za-z0-9]{1,64}$/.test(code) ? await findDataDeletion(code) : undefined;
  if (!found) return page(404, "No such request", "There is no request to remove data under this code.");
  const day = new Date(found.at).toISOString().slice(0, 10);
  const what =
    found.accounts === 0
      ? "Carillon held nothing of yours."
      : "Your permission, name, picture and Pages, and the addresses of posts, were removed.";
  return page(200, "Your data were removed", `Done on ${day}. ${what} The code of this request is ${code}.`);
}

/** Both texts are ours, and the code among them is of letters and digits. */
function page(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Carillon</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1><p>${text}</p></main></body></html>`;
  return new Response(html, { status, headers: HEADERS });
}

const MAX_BYTES = 65_536;

/**
 * What a network tells us unasked, at the address that is named after it. Networks tell again until they are answered 200, so
 * what is known already is answered like what is new.
 * @throws NotFound where the network tells nothing; PlatformError `rejected` where it is not the network
 */
export async function answerCallback(name: string, request: Request): Promise<Response> {
  const network = networkNamed(name);
  if (!network?.notifications) throw new NotFound("Network", name);
  await handleNotices(network, network.notifications(appOf(network), await callbackOf(request)));
  return Response.json({});
}

/**
 * Removes what we hold of a person, and answers where and under which code they can see that it is done, in the form that Meta
 * documents (…/app-dashboard/data-deletion-callback).
 * @throws NotFound where the network asks for none; PlatformError `rejected` where it is not the network
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
