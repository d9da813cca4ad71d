import { serveFiles } from "../../../lib/http/testing/file-server";
import { ownPort } from "../../../lib/testing/own-port";
import type { OwnProduct } from "../../setup/product";
import { type Headers, jsonOf, send, sendJson } from "../http";
import {
  allowedCallback,
  authorizePath,
  connectAccount,
  consent,
  hiddenFields,
  newApplication,
  newPartner,
  newPerson,
  signIn,
} from "../people";
import type { Example } from "./request";
import type { Kind } from "./verdict";

/** How to build a valid request for a route. It is built again for each try if the route uses something up. */
export type Door = { kind: Kind; example(): Promise<Omit<Example, "method" | "path">> };

const FUTURE = "2090-01-01T00:00:00Z";
const FEED = `<rss version="2.0"><channel><title>Bells</title>
<item><title>A bell</title><link>https://bells.example/1</link></item></channel></rss>`;

/** Allows a product to call one address of this machine, where `serveFeed` then serves a feed. */
export const feedSettings = async () => ({ EGRESS_ALLOW: `127.0.0.1+127.0.0.1+${await ownPort()}` });

/** @param others feeds at other paths than the usual one's */
export const serveFeed = ({ settings }: OwnProduct, others: { [path: string]: string } = {}) =>
  serveFiles(
    ({ url = "" }, response) => response.end(others[url] ?? FEED),
    Number(settings.EGRESS_ALLOW?.split("+").at(-1)),
  );

/**
 * Creates the people, the partner, the accounts and the files that the examples need.
 * @param feedUrl a feed that the product may read
 */
export async function openDoors(product: OwnProduct, seed: number, feedUrl: string): Promise<{ [name: string]: Door }> {
  const { url } = product;
  const person = await newPerson(product, `doors-${seed}@example.com`);
  const partner = await newPartner(product);
  const application = await newApplication(product);
  const revoked = await newApplication(product);
  const account = await connectAccount(product, person, "X_TWITTER", `doors${seed}`);
  const spare = await connectAccount(product, person, "TELEGRAM", `spare${seed}`);
  // The owner of the resources that are deleted: an invented ID such as 1 may belong to a real resource.
  const leaver = await newPerson(product, `leaver-${seed}@example.com`);
  const left = await connectAccount(product, leaver, "X_TWITTER", `left${seed}`);
  const [chat] = jsonOf<{ id: string }[]>(
    await send(url, `/v1/accounts/${spare}/chats?platform=TELEGRAM`, { headers: person.headers }),
  );
  const cookie = await signIn(product, person.email);
  const mine = { headers: person.headers };
  const theirs = { headers: partner.headers };
  let count = 0;

  const posts = [{ content: "Right", attachmentPaths: [], chatId: null }];
  const publication = { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts };
  const schedule = { scheduledTime: FUTURE, isDraft: true, publications: [publication] };
  const agent = (await product.carillon("tokens", "create", "--user", person.email, "--scope", "posts.propose")) as {
    access_token: string;
  };
  const draft = async () =>
    String(jsonOf<{ id: number }>(await sendJson(url, "POST", "/v1/posts", schedule, person.headers)).id);
  const upload = async () =>
    jsonOf<{ path: string }>(await send(url, "/v1/media/upload", { method: "POST", ...file(person.headers) }));
  const endUser = async () => {
    const body = { externalUserId: `user ${seed} ${count++}`, name: "Right" };
    return jsonOf<{ uuid: string }>(await sendJson(url, "POST", "/v1/connect/users", body, partner.headers));
  };
  const connectLink = async ({ uuid }: { uuid: string }) => {
    const headers = { ...partner.headers, "x-api-key": partner.clientId, "x-connect-user-id": uuid };
    const body = { platform: "X_TWITTER", redirectUri: "https://partner.example/done" };
    return new URL(jsonOf<string>(await sendJson(url, "POST", "/v1/connect/authorize-url", body, headers)));
  };
  const otherSession = async () => {
    await signIn(product, person.email);
    const { items } = jsonOf<{ items: { id: string }[] }>(await send(url, "/v1/me/sessions", mine));
    return items[0]?.id ?? ""; // the one used last, which is not `cookie`
  };
  const client = { client_id: partner.clientId, client_secret: partner.clientSecret };
  const failed = await failedSchedule(product, person.headers, account);
  const address = await mediaAddress(product, person.headers, upload);
  const stranger = await endUser();
  const forStranger = { headers: { ...partner.headers, "x-connect-user-id": stranger.uuid } };
  const { query, headers } = await allowedCallback(product, await connectLink(stranger), `own${seed}`);
  await send(url, `/oauth/connect/callback/x?${query}`, { headers });
  const [theirOwn] = jsonOf<{ id: number }[]>(await send(url, "/v1/accounts", forStranger));
  const importing = { url: "https://example.invalid/right.gif" };
  const imported = String(
    jsonOf<{ id: number }>(await sendJson(url, "POST", "/v1/media/upload/import", importing, person.headers)).id,
  );

  const webhook = { url: "https://hooks.example.invalid/right", events: ["post.failed"] };
  const hookOf = async (headers: Headers) =>
    String(jsonOf<{ id: number }>(await sendJson(url, "POST", "/v1/webhooks", webhook, headers)).id);
  const hook = await hookOf(person.headers);
  // An owner has at most 50 webhooks, so each request gets a new user.
  const anotherUser = async () => ({ ...partner.headers, "x-connect-user-id": (await endUser()).uuid });
  const sent = async () =>
    jsonOf<{ id: string }>(await sendJson(url, "POST", `/v1/webhooks/${hook}/test`, {}, person.headers)).id;

  const groupOf = async (headers: Headers) => {
    const body = { name: "Right", colour: "TEAL", accountIds: [] };
    return String(jsonOf<{ id: number }>(await sendJson(url, "POST", "/v1/account-groups", body, headers)).id);
  };
  const group = await groupOf(person.headers);

  const feed = { url: feedUrl, template: { publications: [publication] } };
  const existingFeed = async () => {
    const [one] = jsonOf<{ id: number }[]>(await send(url, "/v1/feeds", mine));
    const { id } = one ?? jsonOf<{ id: number }>(await sendJson(url, "POST", "/v1/feeds", feed, person.headers));
    return { ...mine, params: { id: String(id) } };
  };

  const link = async (id: string) => {
    const made = await sendJson(url, "POST", `/v1/posts/${id}/review-links`, { days: 7 }, person.headers);
    return new URL(jsonOf<{ url: string }>(made).url).searchParams.get("link") ?? "";
  };
  const opinion = async () => ({
    link: await link(await draft()),
    name: "Right",
    text: "Right",
    shown: "0".repeat(64),
  });
  const reviewed = await withFeedback(product, person.headers, await draft(), link);

  // Deleting routes come last: an invented ID such as 1 may belong to a resource that other routes need.
  const api: { [name: string]: Door["example"] } = {
    "GET /v1/accounts": async () => mine,
    "GET /v1/accounts/plans": async () => mine,
    "GET /v1/account-groups": async () => mine,
    // An owner has at most 100 groups, so each request gets a new user.
    "POST /v1/account-groups": async () => ({
      headers: await anotherUser(),
      json: { name: "Right", colour: "TEAL", accountIds: [] },
    }),
    "PATCH /v1/account-groups/{id}": async () => ({
      ...mine,
      params: { id: group },
      json: { colour: "CORAL", accountIds: [account] },
    }),
    "DELETE /v1/account-groups/{id}": async () => {
      const headers = await anotherUser();
      return { headers, params: { id: await groupOf(headers) } };
    },
    "GET /v1/feeds": async () => mine,
    "POST /v1/feeds": async () => ({ ...mine, query: "dryRun=true", json: feed }),
    "GET /v1/feeds/{id}": existingFeed,
    "DELETE /v1/feeds/{id}": existingFeed,
    "GET /v1/accounts/{id}/chats": async () => ({ ...mine, params: { id: String(spare) }, query: "platform=TELEGRAM" }),
    "GET /v1/accounts/{id}/options": async () => ({ ...mine, params: { id: String(spare) } }),
    "GET /v1/accounts/{id}/options/{setting}": async () => ({
      ...mine,
      params: { id: String(spare), setting: "playlistId" },
    }),
    "GET /v1/accounts/{id}/slots": async () => ({ ...mine, params: { id: String(spare) } }),
    "PUT /v1/accounts/{id}/slots": async () => ({
      ...mine,
      params: { id: String(spare) },
      json: { timeZone: "Europe/Berlin", slots: [{ weekday: "MONDAY", time: "09:30" }] },
    }),
    "GET /v1/slots/next": async () => ({ ...mine, query: `accountIds=${account}&match=any&count=3` }),
    "GET /v1/accounts/{id}/chats/{chatId}/sections": async () => ({
      ...mine,
      params: { id: String(spare), chatId: chat?.id ?? "" },
    }),
    "POST /v1/accounts/{id}/confirm": async () => ({
      ...forStranger,
      params: { id: String(theirOwn?.id) },
    }),
    "DELETE /v1/accounts/{id}": async () => ({ headers: leaver.headers, params: { id: String(left) } }),
    "POST /v1/connect/users": async () => ({
      ...theirs,
      json: { externalUserId: `user ${seed} ${count++}`, name: "Right", email: "a@example.com" },
    }),
    "GET /v1/connect/users": async () => ({ ...theirs, query: "limit=3" }),
    "GET /v1/connect/users/{uuid}": async () => ({ ...theirs, params: { uuid: stranger.uuid } }),
    "DELETE /v1/connect/users/{uuid}": async () => ({ ...theirs, params: { uuid: (await endUser()).uuid } }),
    "POST /v1/connect/authorize-url": async () => ({
      headers: { ...partner.headers, "x-api-key": partner.clientId, "x-connect-user-id": stranger.uuid },
      json: { platform: "X_TWITTER", redirectUri: "https://partner.example/done" },
    }),
    "POST /v1/connect/sessions": async () => ({
      ...forStranger,
      json: { origins: ["https://partner.example"], networks: ["LINKEDIN"], appearance: { accent: "#0b5f57" } },
    }),
    "GET /v1/me": async () => mine,
    "GET /v1/me/usage": async () => mine,
    "GET /v1/me/attention": async () => mine,
    "PUT /v1/me/attention": async () => ({ ...mine, json: { readTime: FUTURE } }),
    "GET /v1/me/export": async () => mine,
    "GET /v1/me/applications": async () => mine,
    "DELETE /v1/me/applications/{id}": async () =>
      consent(product, revoked, cookie).then(() => ({ ...mine, params: { id: revoked.clientId } })),
    "GET /v1/me/sessions": async () => mine,
    "DELETE /v1/me/sessions": async () => ({ headers: leaver.headers }),
    "DELETE /v1/me/sessions/{id}": async () => ({ ...mine, params: { id: await otherSession() } }),
    "GET /v1/me/notifications": async () => mine,
    "PUT /v1/me/notifications": async () => ({
      ...mine,
      json: { email: { postPublished: true, postFailed: true, accountReconnect: true, webhookDisabled: true } },
    }),
    "DELETE /v1/me": async () => ({ headers: await anotherUser() }),
    "POST /v1/media/upload": async () => ({ ...rawFile(person.headers) }),
    "POST /v1/media/upload/urls": async () => ({
      ...mine,
      json: { filename: "right.gif", contentType: "image/gif", sizeBytes: 43 },
    }),
    "POST /v1/media/upload/confirm": async () => ({ ...mine, json: { key: (await upload()).path } }),
    "POST /v1/media/upload/import": async () => ({ ...mine, json: { url: "https://example.invalid/right.gif" } }),
    "GET /v1/media/upload/import/{id}": async () => ({ ...mine, params: { id: imported } }),
    "GET /v1/media": async () => ({ ...mine, query: "limit=3" }),
    "GET /v1/media/{key}": async () => ({ ...mine, params: { key: (await upload()).path.split("/").at(-1) ?? "" } }),
    "PATCH /v1/media/{key}": async () => ({
      ...mine,
      params: { key: (await upload()).path.split("/").at(-1) ?? "" },
      json: { altText: "A dot" },
    }),
    "DELETE /v1/media/{key}": async () => ({ ...mine, params: { key: (await upload()).path.split("/").at(-1) ?? "" } }),
    "POST /v1/posts": async () => ({ ...mine, json: schedule }),
    "POST /v1/posts/validate": async () => ({ ...mine, json: flat(account) }),
    "POST /v1/posts/import": async () => ({
      ...mine,
      headers: { ...mine.headers, "content-type": "text/csv" },
      raw: `scheduledTime,accounts,text\n2030-01-01T12:00:00Z,${account},Right\n`,
    }),
    "GET /v1/posts/export": async () => ({ ...mine, query: "status=DRAFT&text=right&from=2030-01-01T00:00:00Z" }),
    "GET /v1/posts/duplicates": async () => ({ ...mine, query: "limit=3&withinHours=24" }),
    "POST /v1/posts/merge": async () => {
      const ids = [Number(await draft()), Number(await draft())];
      return { ...mine, query: "dryRun=false", json: { ids, keep: ids[0] } };
    },
    "GET /v1/media-labels": async () => mine,
    "GET /v1/media/counts": async () => mine,
    "GET /v1/posts/counts": async () => mine,
    "GET /v1/posts": async () => ({ ...mine, query: "limit=3&status=DRAFT&text=right&from=2030-01-01T00:00:00Z" }),
    "GET /v1/posts/{id}": async () => ({ ...mine, params: { id: failed } }),
    "GET /v1/posts/{id}/receipt": async () => ({ ...mine, params: { id: failed } }),
    "GET /v1/posts/{id}/preview": async () => ({ ...mine, params: { id: failed } }),
    "PUT /v1/posts/{id}": async () => ({ ...mine, params: { id: await draft() }, json: schedule }),
    "POST /v1/posts/{id}/approve": async () => {
      const headers = { authorization: `Bearer ${agent.access_token}` };
      const made = jsonOf<{ id: number; proposal: { digest: string } }>(
        await sendJson(url, "POST", "/v1/posts", schedule, headers),
      );
      return { ...mine, params: { id: String(made.id) }, json: { digest: made.proposal.digest } };
    },
    "POST /v1/posts/{id}/leave": async () => ({ ...mine, params: { id: failed } }),
    "POST /v1/posts/{id}/retry": async () => ({ ...mine, params: { id: failed } }),
    "POST /v1/posts/{id}/repeat": async () => ({
      ...mine,
      params: { id: failed },
      query: "dryRun=true",
      json: { every: "WEEK", weekdays: ["MONDAY"], time: "09:30", timeZone: "Europe/Berlin", count: 3 },
    }),
    "POST /v1/posts/{id}/review-links": async () => ({ ...mine, params: { id: await draft() }, json: { days: 7 } }),
    "GET /v1/posts/{id}/review-links": async () => ({ ...mine, params: { id: failed } }),
    "DELETE /v1/posts/{id}/review-links/{linkId}": async () => {
      const id = await draft();
      const made = await sendJson(url, "POST", `/v1/posts/${id}/review-links`, { days: 7 }, person.headers);
      return { ...mine, params: { id, linkId: String(jsonOf<{ id: number }>(made).id) } };
    },
    "GET /v1/posts/{id}/feedback": async () => ({ ...mine, params: { id: failed } }),
    "PATCH /v1/posts/{id}/feedback/{feedbackId}": async () => ({
      ...mine,
      params: reviewed,
      json: { answer: "Right", isClosed: true },
    }),
    "DELETE /v1/posts/{id}": async () => ({ ...mine, params: { id: await draft() } }),
    "GET /v1/events": async () => ({ ...mine, query: "limit=3&since=now" }),
    "POST /v1/webhooks": async () => ({ headers: await anotherUser(), json: webhook }),
    "GET /v1/webhooks": async () => ({ ...mine, query: "limit=3" }),
    "GET /v1/webhooks/{id}": async () => ({ ...mine, params: { id: hook } }),
    "PUT /v1/webhooks/{id}": async () => ({ ...mine, params: { id: hook }, json: webhook }),
    "POST /v1/webhooks/{id}/rotate-secret": async () => ({ ...mine, params: { id: hook } }),
    "POST /v1/webhooks/{id}/test": async () => ({ ...mine, params: { id: hook } }),
    "GET /v1/webhooks/{id}/deliveries": async () => ({ ...mine, params: { id: hook }, query: "limit=3" }),
    "POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver": async () => ({
      ...mine,
      params: { id: hook, deliveryId: await sent() },
    }),
    "DELETE /v1/webhooks/{id}": async () => {
      const headers = await anotherUser();
      return { headers, params: { id: await hookOf(headers) } };
    },
    "GET /v1/openapi.json": async () => ({}),
    "GET /.well-known/oauth-authorization-server": async () => ({}),
    "GET /.well-known/oauth-protected-resource": async () => ({}),
    "GET /.well-known/oauth-protected-resource/mcp": async () => ({}),
    "GET /.well-known/jwks.json": async () => ({}),
    "GET /media/{id}": async () => address,
  };
  const oauth: { [name: string]: Door["example"] } = {
    "POST /oauth/token": async () => ({ json: { grant_type: "client_credentials", ...client, audience: url } }),
    "POST /oauth/revoke": async () => ({ form: { token: "no token", ...client } }),
  };
  const pages: { [name: string]: Door["example"] } = {
    "GET /authorize": async () => ({ headers: { cookie }, query: authorizePath(application).split("?")[1] }),
    "POST /authorize": async () => {
      const page = await send(url, authorizePath(application), { headers: { cookie } });
      return { headers: { cookie, origin: url }, form: { ...hiddenFields(page.text), decision: "allow" } };
    },
    "GET /reviews": async () => ({ query: new URLSearchParams({ link: await link(await draft()) }).toString() }),
    "POST /reviews": async () => ({ headers: { origin: url }, form: await opinion() }),
    "GET /oauth/connect": async () => ({ query: (await connectLink(await endUser())).search.slice(1) }),
    "GET /oauth/connect/callback/{platform}": async () => ({
      params: { platform: "x" },
      ...(await allowedCallback(product, await connectLink(await endUser()), `c${seed}x${count++}`)),
    }),
  };
  await consent(product, application, cookie); // The whole flow must work before its routes are tried one by one.
  return { ...doorsOf("api", api), ...doorsOf("oauth", oauth), ...doorsOf("page", pages) };
}

function doorsOf(kind: Kind, examples: { [name: string]: Door["example"] }): { [name: string]: Door } {
  return Object.fromEntries(Object.entries(examples).map(([name, example]) => [name, { kind, example }]));
}

function flat(accountId: number) {
  return { platform: "X_TWITTER", accountId, content: "Right", mediaPaths: [], scheduledTime: FUTURE };
}

/** A white PNG of one pixel. The smallest possible GIF would be refused. */
const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64",
);

function rawFile(headers: Headers) {
  const head =
    '--right\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  const raw = Buffer.concat([Buffer.from(head), PICTURE, Buffer.from("\r\n--right--\r\n")]);
  return { headers: { ...headers, "content-type": "multipart/form-data; boundary=right" }, raw };
}

function file(headers: Headers) {
  const { raw, ...rest } = rawFile(headers);
  return { ...rest, body: raw };
}

/** The signed address of an uploaded file. */
async function mediaAddress(product: OwnProduct, headers: Headers, upload: () => Promise<{ path: string }>) {
  const { path } = await upload();
  const { items } = jsonOf<{ items: { path: string; url: string }[] }>(
    await send(product.url, "/v1/media", { headers }),
  );
  const { pathname, search } = new URL(items.find((item) => item.path === path)?.url ?? "about:blank");
  return { params: { id: pathname.split("/").at(-1) ?? "" }, query: search.slice(1), headers: { range: "bytes=0-3" } };
}

/** A schedule with feedback left through one of its review links. */
async function withFeedback(
  { url }: OwnProduct,
  headers: Headers,
  id: string,
  linkTo: (id: string) => Promise<string>,
): Promise<{ id: string; feedbackId: string }> {
  const form = new URLSearchParams({ link: await linkTo(id), name: "Right", text: "Right", shown: "0".repeat(64) });
  const type = { "content-type": "application/x-www-form-urlencoded" };
  await send(url, "/reviews", { method: "POST", headers: type, body: form.toString() });
  const { items } = jsonOf<{ items: { id: number }[] }>(await send(url, `/v1/posts/${id}/feedback`, { headers }));
  return { id, feedbackId: String(items[0]?.id) };
}

/** A schedule that X always refuses, so that it can be retried any number of times. */
async function failedSchedule(product: OwnProduct, headers: Headers, account: number): Promise<string> {
  const fault = { network: "x", operation: "publish", fault: "duplicate", times: 100_000 };
  const set = await sendJson(product.sandboxUrl, "POST", "/_control/faults", fault);
  if (set.status !== 204) throw new Error(`the sandbox took no fault: ${set.text}`);
  const publications = [
    { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "Refused" }] },
  ];
  const body = { scheduledTime: new Date().toISOString(), publications };
  const { id } = jsonOf<{ id: number }>(await sendJson(product.url, "POST", "/v1/posts", body, headers));
  for (let patience = 300; patience > 0; patience--) {
    const seen = jsonOf<{ overallStatus: string }>(await send(product.url, `/v1/posts/${id}`, { headers }));
    if (seen.overallStatus === "FAILED") return String(id);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the schedule did not fail");
}
