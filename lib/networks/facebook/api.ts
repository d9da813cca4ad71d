import { z } from "zod";
import { PlatformError } from "../errors";
import { appSecretProof, searchPlaces } from "../meta/graph";
import type { App, Destination, NetworkCall, NetworkSession, SettingOption } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { form, query } from "../wire/query";
import { multipart } from "../wire/request-body";

export const VERSION = "v26.0";

/** The permissions that every post needs. */
export const SCOPES = ["pages_show_list", "pages_read_engagement", "pages_manage_posts"];

/** The identity of a call: the user's token, or a Page's token. */
export type GraphCaller = { app: App; token: string; fetch: NetworkSession["fetch"] };

export function userCaller({ app, tokens, fetch }: NetworkSession): GraphCaller {
  return { app, token: tokens.accessToken, fetch };
}

type Fields = { [name: string]: string | undefined };

export function get(caller: GraphCaller, path: string, fields: Fields): Promise<Response> {
  return caller.fetch(`/${VERSION}${path}?${query({ ...fields, ...appSecretProof(caller) })}`, authorized(caller));
}

export function postForm(caller: GraphCaller, path: string, fields: Fields, more: NetworkCall = {}): Promise<Response> {
  const call = form({ ...fields, ...appSecretProof(caller) });
  return caller.fetch(`/${VERSION}${path}`, { ...call, ...authorized(caller), ...more });
}

/** Like `postForm`, for fields that include files. */
export function postMultipart(
  caller: GraphCaller,
  path: string,
  parts: Parameters<typeof multipart>[0],
  more: NetworkCall = {},
): Promise<Response> {
  const { headers, body } = multipart({ ...parts, ...appSecretProof(caller) });
  const call = { method: "POST", headers, body, timeoutSeconds: 300 };
  return caller.fetch(`/${VERSION}${path}`, { ...call, ...authorized(caller), ...more });
}

function authorized({ token }: GraphCaller): Pick<NetworkCall, "auth"> {
  return { auth: { bearer: token } };
}

/** The identity of calls about our own app. Meta: an app token can view all fields of its app (…/docs/graph-api/reference/application). */
function appCaller({ app }: NetworkSession): GraphCaller {
  return { app, token: `${app.clientId}|${app.clientSecret}`, fetch: app.fetch };
}

async function readApp<T>(session: NetworkSession, path: string, fields: Fields, schema: z.ZodType<T>): Promise<T> {
  const answer = get(appCaller(session), `/${session.app.clientId}${path}`, fields).catch((error: unknown) => {
    // The token is the app's own, so this says nothing about the account.
    if (!(error instanceof PlatformError) || error.kind !== "reconnect") throw error;
    throw new PlatformError("rejected", "Facebook does not show the settings of this service's app", {
      answer: error.answer,
    });
  });
  return readAnswer("Facebook", schema, await answer);
}

const appSchema = z.object({ deauth_callback_url: z.string().nullish() });

/** Returns the deauthorize address of our app; undefined if Facebook does not state it, and null if it says that there is none. */
export async function readDeauthorizeUrl(session: NetworkSession): Promise<string | null | undefined> {
  return (await readApp(session, "", { fields: "deauth_callback_url" }, appSchema)).deauth_callback_url;
}

const permissionsSchema = z.object({ data: z.array(z.object({ permission: z.string(), status: z.string() })) });

/**
 * Returns the review states of our app's permissions by name (…/docs/graph-api/reference/application-permission). Meta does not list
 * the states; `live` is the one of approved permissions.
 */
export async function readReviewStates(session: NetworkSession): Promise<Map<string, string>> {
  const { data } = await readApp(session, "/permissions", {}, permissionsSchema);
  return new Map(data.map(({ permission, status }) => [permission, status]));
}

const usageSchema = z.string().transform((text, context) => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue("not JSON");
    return z.NEVER;
  }
});
const useSchema = z.record(
  z.string(),
  z.array(z.object({ call_count: z.number(), total_time: z.number(), total_cputime: z.number() })),
);

/** Returns how much of a Page's allowance is used, in percent (…/docs/graph-api/overview/rate-limiting); undefined if not stated. */
export async function readUsedPercent(page: GraphCaller, pageId: string): Promise<number | undefined> {
  const { headers } = await get(page, `/${pageId}`, { fields: "id" });
  const stated = usageSchema.pipe(useSchema).safeParse(headers.get("x-business-use-case-usage")).data ?? {};
  const percents = Object.values(stated)
    .flat()
    .flatMap((use) => [use.call_count, use.total_time, use.total_cputime]);
  return percents.length > 0 ? Math.max(...percents) : undefined;
}

/** Searches a post's place with the person's token (`searchPlaces`). */
export function searchPages(session: NetworkSession, name: string): Promise<SettingOption[]> {
  return searchPlaces("Facebook", name, (parameters) => get(userCaller(session), "/pages/search", parameters));
}

const PAGE_SIZE = "100";
/** More pages of results than any user has; protects against a cursor that never ends. */
const MAX_RESULT_PAGES = 50;
const MAY_POST = ["CREATE_CONTENT", "PROFILE_PLUS_CREATE_CONTENT"];

const ownSchema = z.object({ id: idSchema, name: z.string(), tasks: z.array(z.string()).optional() });
const businessPageSchema = z.object({ id: idSchema, name: z.string(), access_token: z.string().optional() });
const businessSchema = z.object({ id: idSchema });
const pagingSchema = z.object({
  next: z.string().optional(),
  cursors: z.object({ after: z.string() }).optional(),
});

const mayPost = ({ tasks }: { tasks?: string[] }) => tasks?.some((task) => MAY_POST.includes(task)) === true;

/** Lists the Pages that the user may post to: their own Pages and those of their businesses. */
export async function listPages(session: NetworkSession): Promise<Destination[]> {
  // …/documentation/facebook-login/guides/access-tokens#pagetokens
  const own = await readAllPages(userCaller(session), "/me/accounts", "id,name,tasks", ownSchema);
  const open = own.filter(mayPost);
  const held = session.tokens.scopes?.includes("business_management") ? await businessPages(session) : [];
  // Tasks are only reported for own Pages, so an own Page without the task must not come back through a business.
  const isNew = ({ id }: { id: string }) => !own.some((one) => one.id === id);
  const pages = new Map([...open, ...held.filter(isNew)].map(({ id, name }) => [id, name]));
  return [...pages].map(([id, title]) => ({ id, title, type: "PAGE" }));
}

/**
 * …/marketing-api/reference/business/owned_pages and /client_pages list all Pages of a business; the user has a role on those
 * with a token, which is not stored. A list that cannot be read is skipped.
 */
async function businessPages(session: NetworkSession): Promise<{ id: string; name: string }[]> {
  const pages = [];
  const person = userCaller(session);
  for (const { id } of await orEmpty(readAllPages(person, "/me/businesses", "id", businessSchema))) {
    for (const edge of ["owned_pages", "client_pages"])
      pages.push(
        ...(await orEmpty(readAllPages(person, `/${id}/${edge}`, "id,name,access_token", businessPageSchema))),
      );
  }
  return pages.filter(({ access_token: token }) => token !== undefined);
}

async function orEmpty<Item>(work: Promise<Item[]>): Promise<Item[]> {
  return work.catch((error: unknown) => {
    if (error instanceof PlatformError) return [];
    throw error;
  });
}

/** Reads all pages of a list. */
async function readAllPages<Item>(
  caller: GraphCaller,
  path: string,
  names: string,
  item: z.ZodType<Item>,
): Promise<Item[]> {
  const schema = z.object({ data: z.array(item), paging: pagingSchema.optional() });
  const items: Item[] = [];
  let after: string | undefined;
  for (let round = 0; round < MAX_RESULT_PAGES; round++) {
    const fields = { fields: names, limit: PAGE_SIZE, after };
    const { data, paging } = await readAnswer("Facebook", schema, await get(caller, path, fields));
    items.push(...data);
    after = paging?.next ? paging.cursors?.after : undefined;
    if (!after) break;
  }
  return items;
}

const pageSchema = z.object({ access_token: z.string().optional() });
const tokenPageSchema = ownSchema.omit({ name: true }).extend(pageSchema.shape);

/** The name under which a Page's token is kept in `Tokens.extra`. */
const keyOf = (pageId: string) => `page ${pageId}`;

/**
 * Reads the tokens of the Pages that the user may post to, to be sealed with the user's own token (`Tokens.extra`). A Page
 * token has no end date if the user's token is long-lived (…/guides/access-tokens/get-long-lived). If they cannot be read,
 * none is returned, because `pageCaller` reads a missing one.
 */
export async function pageTokens(caller: GraphCaller): Promise<{ [key: string]: string }> {
  const pages = await orEmpty(readAllPages(caller, "/me/accounts", "id,tasks,access_token", tokenPageSchema));
  return Object.fromEntries(
    pages.filter(mayPost).flatMap(({ id, access_token: token }) => (token ? [[keyOf(id), token]] : [])),
  );
}

/** Users can decline single permissions, so a callback without an error does not mean that all were granted. */
export async function readGrantedScopes(person: GraphCaller): Promise<string[]> {
  const { data } = await readAnswer("Facebook", permissionsSchema, await get(person, "/me/permissions", {}));
  return data.filter(({ status }) => status === "granted").map(({ permission }) => permission);
}

/** Whether Facebook still accepts a Page's token. */
async function isAccepted(page: GraphCaller, pageId: string): Promise<boolean> {
  return get(page, `/${pageId}`, { fields: "id" }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PlatformError && ["reconnect", "rejected"].includes(error.kind)) return false;
      throw error;
    },
  );
}

/**
 * Returns a Page's identity. The kept token is checked for every attempt. If there is none (an account connected to an earlier
 * release, or a new Page), or Facebook no longer accepts it, the Page's token is read with the user's. It is a credential, so it
 * is never recorded in a step.
 * @param scopes the permissions that the calls need
 * @throws PlatformError `rejected` if the user no longer has access to the Page
 */
export async function pageCaller(
  session: NetworkSession,
  pageId: string | undefined,
  scopes = SCOPES,
): Promise<GraphCaller> {
  if (!pageId) throw new PlatformError("rejected", "A Facebook post needs a Page");
  const person = userCaller(session);
  const explained = async (error: unknown) => Promise.reject(await refusalOf(person, scopes, error));
  const asPage = (token: string): GraphCaller => ({
    ...person,
    token,
    fetch: (path, call) => person.fetch(path, call).catch(explained),
  });
  const kept = session.tokens.extra?.[keyOf(pageId)];
  if (kept && (await isAccepted({ ...person, token: kept }, pageId))) return asPage(kept);
  const answer = await get(person, `/${pageId}`, { fields: "access_token" })
    .catch(explained)
    .catch((error: unknown) => {
      throw error instanceof PlatformError && error.answer?.code === "100/33" ? pageAccessLost(error) : error;
    });
  const { access_token: token } = await readAnswer("Facebook", pageSchema, answer);
  if (!token) throw pageAccessLost();
  return asPage(token);
}

/**
 * Returns what a refused call for a Page means. Facebook reports a missing permission (10, 200 to 299) also if the user granted
 * all of them but lost the Page, or the task to create content on it. Connecting again would not help then, and it would stop the
 * posts of the account's other Pages.
 */
async function refusalOf(person: GraphCaller, scopes: string[], error: unknown): Promise<unknown> {
  if (!(error instanceof PlatformError) || error.kind !== "reconnect") return error;
  if (!/^(10|2\d\d)(\/|$)/.test(error.answer?.code ?? "")) return error;
  const granted = await readGrantedScopes(person).catch((unread: unknown) => {
    if (!(unread instanceof PlatformError) || unread.refused) throw unread;
    // Only this read has no answer. The call itself was refused.
    throw new PlatformError("later", unread.message, { answer: unread.answer });
  });
  return scopes.every((scope) => granted.includes(scope)) ? pageAccessLost(error) : error;
}

function pageAccessLost(error?: PlatformError): PlatformError {
  const says = "This account may no longer post to this Page. Ask the Page's owner for access, or choose another Page";
  return new PlatformError("rejected", says, { answer: error?.answer });
}
