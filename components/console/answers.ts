import { findVisiblePartner, type Partner } from "@/lib/connect";
import { env } from "@/lib/env";
import type { Credentials } from "@/lib/oauth";
import { sessionUser, type User } from "@/lib/users";
import { html, plainPage } from "../plain/page";
import { uiWords } from "../ui/words";
import { consoleWords } from "./words";

/**
 * Who asks for a change in the console: somebody signed in, by a form of our own pages. Undefined for everybody else, who
 * is told that there is nothing here.
 */
export async function consoleActor(request: Request): Promise<User | undefined> {
  if (request.headers.get("origin") !== new URL(env.appUrl).origin) return undefined;
  const user = await sessionUser(request.headers);
  return user && !user.suspended && !user.deleting ? user : undefined;
}

/** The partner that a change is for, where the person may change it. */
export async function actorAndPartner(
  request: Request,
  client: string,
): Promise<{ user: User; partner: Partner } | undefined> {
  const user = await consoleActor(request);
  const partner = user && (await findVisiblePartner(user, client));
  return partner && { user, partner };
}

/** The partner that somebody signed in may look at. */
export async function partnerSeen(request: Request, client: string): Promise<Partner | undefined> {
  const user = await sessionUser(request.headers);
  return user && (await findVisiblePartner(user, client));
}

/** The same for what is somebody else's and for what never was. */
export function nothingHere(): Response {
  const body = html`<h1>${uiWords.nothingHere}</h1>
<p class="muted">${consoleWords.notYours}</p>
<div class="row"><a class="button" href="/">${uiWords.goHome}</a></div>`;
  return plainPage({ title: uiWords.nothingHere, body, status: 404 });
}

/** A credential, shown this once: nothing keeps the secret. */
export function credentialPage({ clientId, clientSecret }: Credentials, partner: string): Response {
  const body = html`<h1>${consoleWords.copySecret}</h1>
<p>${consoleWords.shownOnce(partner)}</p>
<dl class="facts"><dt>${consoleWords.clientId}</dt><dd><span class="code">${clientId}</span></dd>
<dt>${consoleWords.clientSecret}</dt><dd><span class="code">${clientSecret}</span></dd></dl>
<div class="row"><a class="button" href="/console/${clientId}/credentials">${consoleWords.copied}</a></div>`;
  return plainPage({ title: consoleWords.copySecret, body });
}
