import { deletionOf } from "../accounts";
import { stillPolicy } from "../http/page-policy";

const STYLE =
  "body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:10vh auto;padding:0 1rem;color-scheme:light dark}";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": stillPolicy({ styles: [STYLE] }),
  "referrer-policy": "no-referrer",
};

/** What became of a request to remove somebody's data, for the person whom a network sends here with their code. */
export async function deletionPage(code: string): Promise<Response> {
  const found = /^[A-Za-z0-9]{1,64}$/.test(code) ? await deletionOf(code) : undefined;
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
