import { avatarPath } from "../core/avatars";
import { fingerprint } from "../core/ids";
import type { Call } from "../core/network";
import { fieldsOf, pick } from "../meta/fields";
import { refusals } from "./errors";
import { tokenIn, type UserSession, userOf } from "./session";
import { type FacebookState, openPagesOf, type Page, userId } from "./state";

/** `GET /me`. */
export function presentUser(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query());
  const person = state.world.people.meet("facebook", session.account);
  const url = new URL(avatarPath("facebook", person.name, ""), call.req.url).href;
  const user = { id: userId(person.name), name: person.displayName, picture: { data: { url, is_silhouette: false } } };
  return call.json(pick(user, fieldsOf(call, ["id", "name"]), "User"));
}

/** `GET /me/permissions`: what was asked and declined is listed too. */
export function permissions(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query());
  const declined = (state.declined.get(session.grant) ?? []).filter((one) => !/^\d+$/.test(one));
  return call.json({
    data: [
      ...session.scopes.map((permission) => ({ permission, status: "granted" })),
      ...declined.map((permission) => ({ permission, status: "declined" })),
    ],
  });
}

/** `DELETE /me/permissions`: everything, or one. All tokens of the grant die with everything. */
export function withdraw(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query());
  if (call.req.query("permission") === undefined) state.deaths.put(session.grant, 458);
  else throw refusals.parameter("The sandbox takes back everything or nothing.");
  return call.json({ success: true });
}

/** `GET /me/accounts`. */
export function accounts(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query(), "pages_show_list");
  const pages = openPagesOf(state, session.account, session.grant);
  return listed(call, pages, (page) => presentPage(state, call, session, page));
}

/** A list, a few at a time. */
export function listed<Item extends { id: string }>(
  call: Call,
  all: Item[],
  present: (item: Item) => object,
): Response {
  const { limit = "25", after } = call.req.query();
  // Never more than two at once, so that whoever reads one page only sees too little.
  const size = Math.min(Math.max(Number(limit) || 25, 1), 2);
  const start = after ? all.findIndex(({ id }) => cursorOf(id) === after) + 1 : 0;
  const shown = all.slice(start, start + size);
  const last = shown.at(-1);
  const isMore = start + size < all.length;
  const next = new URL(call.req.url);
  if (last) next.searchParams.set("after", cursorOf(last.id));
  const cursors = last && { before: cursorOf(shown[0]?.id ?? ""), after: cursorOf(last.id) };
  return call.json({
    data: shown.map(present),
    ...(cursors ? { paging: { cursors, ...(isMore ? { next: next.href } : {}) } } : {}),
  });
}

const cursorOf = (id: string) => Buffer.from(id).toString("base64url");

/** A Page as its person sees it; its token belongs to application, person and Page, and is the same each time. */
export function presentPage(
  state: FacebookState,
  call: Call,
  session: UserSession,
  page: Page,
): Record<string, unknown> {
  const fields = fieldsOf(call, ["id", "name"]);
  const node = {
    id: page.id,
    name: page.name,
    username: undefined,
    category: "Brand",
    tasks: page.tasks,
    link: `https://www.facebook.com/${page.id}`,
    // Of a business's Page only to whom it lets act as it.
    access_token:
      fields.includes("access_token") && page.tasks.length > 0 ? pageToken(state, call, session, page) : undefined,
    picture: { data: { url: new URL(avatarPath("facebook", session.account, ""), call.req.url).href } },
  };
  return pick(node, fields, "Page");
}

const FOR_EVER_SECONDS = 20 * 365 * 86_400;
const SHORT_SECONDS = 5400;

function pageToken(state: FacebookState, call: Call, session: UserSession, page: Page): string {
  const isLong = state.grants.look(tokenIn(call), "long") !== undefined;
  const key = `${session.grant}/${page.id}/${isLong}`;
  const known = state.pageTokens.get(key);
  if (known && state.grants.look(known, "page")) return known;
  const grant = state.grants.find(session.grant);
  if (!grant) throw refusals.dead(463);
  // One taken with a short-lived token is short-lived itself.
  const token = state.grants.issue(grant, "page", isLong ? FOR_EVER_SECONDS : SHORT_SECONDS);
  state.tokenPages.put(fingerprint(token), page.id);
  state.pageTokens.set(key, token);
  return token;
}
