import * as z from "zod";
import { fingerprint, stableId } from "../core/ids";
import type { Call } from "../core/network";
import { avatarPath } from "../core/users";
import { fieldsOf, paginate, pick, presentPlaces } from "../meta/graph";
import { errors } from "./errors";
import { CLIENT } from "./oauth";
import { assertApp, tokenIn, type UserSession, userOf } from "./session";
import { type Business, type FacebookState, ownPagesOf, type Page, pagesOf, userId } from "./state";

/** `GET /me`. */
export function presentUser(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query());
  const person = state.world.users.findOrCreate("facebook", session.account);
  const url = new URL(avatarPath("facebook", person.name, ""), call.req.url).href;
  const user = { id: userId(person.name), name: person.displayName, picture: { data: { url, is_silhouette: false } } };
  return call.json(pick(user, fieldsOf(call, ["id", "name"]), "User"));
}

/** `GET /{app-id}`. Source: Graph API, application. */
export function application(state: FacebookState, call: Call): Response {
  assertApp(state, call);
  const node = { id: CLIENT.id, name: "Sandbox", deauth_callback_url: state.switches.deauthorizeUrl || undefined };
  return call.json(pick(node, fieldsOf(call, ["id", "name"]), "Application"));
}

/** `GET /{app-id}/permissions`. Source: Graph API, application permission. */
export function applicationPermissions(state: FacebookState, call: Call): Response {
  assertApp(state, call);
  return call.json({ data: state.switches.advancedAccess.map((permission) => ({ permission, status: "live" })) });
}

/** `GET /me/permissions`: lists granted and declined permissions. */
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

/** `DELETE /me/permissions`: revokes all permissions and with them all tokens of the grant. */
export function revokePermissions(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query());
  if (call.req.query("permission") === undefined) state.revocations.put(session.grant, 458);
  else throw errors.parameter("The sandbox can only revoke all permissions at once.");
  return call.json({ success: true });
}

/** At most two items, so that clients that ignore paging are noticed. */
const FEW = { most: 2 };

/** `GET /me/accounts`. */
export function accounts(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query(), "pages_show_list");
  const pages = ownPagesOf(state, session.account, session.grant);
  return paginate(call, pages, (page) => presentPage(state, call, session, page), FEW);
}

/** A Page as its user sees it. The Page token belongs to application, user and Page, and is the same each time. */
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
    // Pages of a business include a token only if the user has tasks on them.
    access_token:
      fields.includes("access_token") && page.tasks.length > 0 ? pageToken(state, call, session, page) : undefined,
    picture: { data: { url: new URL(avatarPath("facebook", session.account, ""), call.req.url).href } },
  };
  return pick(node, fields, "Page");
}

const FOR_EVER_SECONDS = 20 * 365 * 86_400;
const SHORT_SECONDS = 5400;

function pageToken(state: FacebookState, call: Call, session: UserSession, page: Page): string {
  const isLong = state.grants.findToken(tokenIn(call), "long") !== undefined;
  const key = `${session.grant}/${page.id}/${isLong}`;
  const known = state.pageTokens.get(key);
  if (known && state.grants.findToken(known, "page")) return known;
  const grant = state.grants.find(session.grant);
  if (!grant) throw errors.invalidToken(463);
  // A Page token that was requested with a short-lived token is short-lived too.
  const token = state.grants.issue(grant, "page", isLong ? FOR_EVER_SECONDS : SHORT_SECONDS);
  state.tokenPages.put(fingerprint(token), page.id);
  state.pageTokens.set(key, token);
  return token;
}

/**
 * `GET /pages/search` with a user's token. Source: Pages API, search for a Page; the refusals as people report them
 * (github.com/sns-sdks/python-facebook/issues/22).
 */
export function searchPages(state: FacebookState, call: Call): Response {
  const query = call.req.query();
  userOf(state, call, query);
  if (!query.appsecret_proof)
    throw errors.parameter("Page Public Metadata Access requires either app secret proof or an app token");
  if (!state.switches.mayReadPublicPages) throw errors.noPublicPages();
  return presentPlaces(call);
}

const SCOPE = "business_management";

/** `GET /me/businesses`. */
export function businesses(state: FacebookState, call: Call): Response {
  const session = userOf(state, call, call.req.query(), SCOPE);
  const own = state.businesses.values().filter(({ account }) => account === session.account);
  const present = ({ id }: Business) =>
    pick({ id, name: `Business ${id}` }, fieldsOf(call, ["id", "name"]), "Business");
  return paginate(call, own, present, FEW);
}

/** `GET /{business}/owned_pages` and `/client_pages`: all Pages of the business, whatever the user may do on them. */
export function businessPages(state: FacebookState, call: Call, which: "owned" | "clients"): Response {
  const session = userOf(state, call, call.req.query(), SCOPE);
  const id = call.req.param("id") ?? "";
  const business = state.businesses.get(id);
  if (business?.account !== session.account) throw errors.noObject(id, "get");
  if (business.isLocked) throw errors.noPermission(SCOPE);
  // Only the user's own list (`/me/accounts`) has `tasks`.
  if (fieldsOf(call, []).includes("tasks")) throw errors.noField("tasks", "Page");
  return paginate(call, business[which], (page) => presentPage(state, call, session, page), FEW);
}

const NewBusiness = z.strictObject({ account: z.string(), isLocked: z.boolean().default(false) });

/**
 * Creates a business of a user. It owns the user's first and last Page, one more that the user manages and one without access,
 * and has one client Page. A locked business cannot be read.
 */
export function createBusiness(state: FacebookState, body: unknown): Response {
  const { account, isLocked } = NewBusiness.parse(body);
  const number = state.businesses.values().filter((one) => one.account === account).length + 1;
  const business: Business = {
    id: idOf("business", account, number),
    account,
    isLocked,
    owned: [
      ...pagesOf(account).filter((_, index) => index !== 1),
      { id: idOf("hall", account, number), name: `Hall ${number}`, tasks: ["ANALYZE", "CREATE_CONTENT"] },
      { id: idOf("vault", account, number), name: `Vault ${number}`, tasks: [] },
    ] satisfies Page[],
    clients: [{ id: idOf("client", account, number), name: `Client ${number}`, tasks: ["CREATE_CONTENT"] }],
  };
  state.businesses.put(business.id, business);
  return Response.json({ id: business.id });
}

function idOf(what: string, account: string, number: number): string {
  return stableId(["facebook", what, account, String(number)], 100_000_000_000_000n, 899_999_999_999_999n);
}
