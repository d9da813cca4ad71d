import type { ServerResponse } from "node:http";
import { eq, lte, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { POST as revokeInSettings } from "@/app/(dashboard)/settings/applications/revoke/route";
import { applications, db, feeds, grants, installation, rateLimits, users } from "../../db";
import { env } from "../../env";
import { hashOf } from "../../http/rate-limit";
import { listPersonalTokens, revokePersonalToken } from "../../oauth";
import { newClient, tokensFor } from "../../oauth/testing";
import {
  as,
  type Client,
  connectAccount,
  newOwner,
  newPartner,
  nobody,
  readResponse,
  sessionCookie,
  signedInAs,
  withFiles,
} from "../../testing";
import { stopFeedsOfUser } from "./feeds";
import { readDueFeeds } from "./take";
import { textOf } from "./thread";

type Item = { guid?: string; title?: string; extra?: string };
type Answer = (response: ServerResponse) => void;

/** What the server answers, by path. */
const answers = new Map<string, Answer>();
const files = withFiles(12, (request, response) => {
  const answer = answers.get(request.url ?? "");
  if (answer) answer(response);
  else response.writeHead(404).end();
});
let serial = 0;
const DAY_MS = 86_400_000;

const itemText = ({ guid, title = guid, extra = "" }: Item) =>
  `<item><title>${title}</title><link>https://bells.example/${guid}</link>
  <guid isPermaLink="false">${guid}</guid>${extra}</item>`;

/** Items are listed newest first, as in most feeds. */
const rss = (...items: Item[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Bells</title><link>https://bells.example/</link>
  <description>News</description>${items.map(itemText).join("")}</channel></rss>`;

/** A feed on the test's server; `set` changes what it answers. */
function served(text: string) {
  const path = `/feed-${++serial}.xml`;
  const set = (answer: Answer | string) =>
    answers.set(path, typeof answer === "string" ? (response) => response.end(answer) : answer);
  set(text);
  return { url: files().url + path, set, asked: () => files().asked.filter((one) => one.path === path) };
}

async function person() {
  const owner = await newOwner();
  const { id: accountId } = await connectAccount(owner, "X_TWITTER");
  return { owner, client: as(owner), accountId };
}

const templateOf = (accountId: number, content = "{{title}} {{link}}", isDraft = true) => ({
  isDraft,
  publications: [{ socialMediaAccountId: accountId, platformSettings: { type: "TWITTER" }, posts: [{ content }] }],
});

type Shown = { id: number; state: string; error?: string; posts: number };

async function added(client: Client, body: object): Promise<Shown> {
  const [status, feed] = await readResponse(client.post("/v1/feeds", body));
  expect([status, feed]).toEqual([201, expect.any(Object)]);
  return feed as Shown;
}

async function shown(client: Client, { id }: Shown): Promise<Shown> {
  const [, feed] = await readResponse(client.get(`/v1/feeds/${id}`));
  return feed as Shown;
}

/** Lets the time of a feed's next reading come, and reads it. */
async function readAgain({ id }: Pick<Shown, "id">): Promise<void> {
  await db.update(feeds).set({ dueAt: sql`now()` }).where(eq(feeds.id, id));
  await readDueFeeds();
}

/** The texts of the person's posts in the order of their creation, each with its status. */
async function posts(client: Client): Promise<string[][]> {
  const [, body] = await readResponse(client.get("/v1/posts?limit=100"));
  type Post = { overallStatus: string; publications: [{ posts: [{ content: string }] }] };
  return (body as { items: Post[] }).items
    .map(
      ({
        overallStatus,
        publications: [
          {
            posts: [post],
          },
        ],
      }) => [overallStatus, post.content],
    )
    .toReversed();
}

beforeEach(async () => {
  // Feeds of other tests must not be read by this one.
  await db.update(feeds).set({ dueAt: null }).where(lte(feeds.dueAt, sql`now() + interval '1 day'`));
});

describe("a new feed", () => {
  test("makes no post of the items that are there already, and by default one draft of each later item, oldest first", async () => {
    const { client, accountId } = await person();
    const { url, set } = served(rss({ guid: "2" }, { guid: "1" }));
    const { publications } = templateOf(accountId);
    const feed = await added(client, { url, template: { publications } });
    const template = { isDraft: true, publications };
    expect(feed).toMatchObject({ url, title: "Bells", state: "ACTIVE", posts: 0, template });
    expect(await posts(client)).toEqual([]);

    set(rss({ guid: "4" }, { guid: "3" }, { guid: "2" }));
    await readAgain(feed);
    await readAgain(feed);
    expect(await posts(client)).toEqual([
      ["DRAFT", "3 https://bells.example/3"],
      ["DRAFT", "4 https://bells.example/4"],
    ]);
    expect(await shown(client, feed)).toMatchObject({ posts: 2 });
  });

  test("makes posts of as many of its newest items as requested", async () => {
    const { client, accountId } = await person();
    const { url } = served(rss({ guid: "3" }, { guid: "2" }, { guid: "1" }));
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}"), newestItems: 2 });
    expect(feed.posts).toBe(2);
    expect(await posts(client)).toEqual([
      ["DRAFT", "2"],
      ["DRAFT", "3"],
    ]);
  });

  test("is shown by a dry run with what a network would refuse, and nothing is stored", async () => {
    const { client, accountId } = await person();
    const { url } = served(rss({ guid: "2", title: "long ".repeat(80) }, { guid: "1" }));
    const template = templateOf(accountId, "{{title}}");
    const [status, body] = await readResponse(client.post("/v1/feeds?dryRun=true", { url, template }));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      dryRun: true,
      title: "Bells",
      items: [
        { guid: "2", valid: false, problems: [{ path: "publications[0].posts[0].content" }] },
        { guid: "1", valid: true, problems: [], publications: [{ posts: [{ content: "1" }] }] },
      ],
    });
    expect(await readResponse(client.get("/v1/feeds"))).toEqual([200, []]);
    expect(await posts(client)).toEqual([]);
  });

  test("with an Idempotency-Key is added once, also if a dry run used the same key before", async () => {
    const { client, accountId } = await person();
    const { url } = served(rss({ guid: "2" }, { guid: "1" }));
    const body = { url, template: templateOf(accountId), newestItems: 2 };
    const key = { "idempotency-key": "again" };
    expect((await client.post("/v1/feeds?dryRun=true", body, key)).status).toBe(200);
    const first = await client.post("/v1/feeds", body, key);
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
    answers.delete(new URL(url).pathname); // the second answer must not need the feed's server
    const second = await client.post("/v1/feeds", body, key);
    expect([second.status, second.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    expect(await second.json()).toEqual(await first.json());
    expect(await readResponse(client.get("/v1/feeds"))).toEqual([200, [expect.objectContaining({ posts: 2 })]]);
    expect(await readResponse(client.post("/v1/feeds", { ...body, newestItems: 1 }, key))).toEqual([
      409,
      { error: "Idempotency-Key was already used with a different body" },
    ]);
  });

  test("with an Idempotency-Key keeps no connection to the database while its server answers slowly", async () => {
    const { client, accountId } = await person();
    const { url, set } = served("");
    const held: ServerResponse[] = [];
    set((response) => held.push(response));
    let isAnswered = false;
    const adding = Array.from({ length: env.databasePool + 1 }, async (_, index) => {
      const body = { url, template: templateOf(accountId) };
      const { status } = await client.post("/v1/feeds", body, { "idempotency-key": `slow ${index}` });
      isAnswered = true;
      return status;
    });
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(3); // one person's feeds take turns
    expect(await readResponse(client.get("/v1/feeds"))).toEqual([200, []]);
    expect(isAnswered).toBe(false);
    set(rss());
    for (const response of held) response.end(rss());
    expect(await Promise.all(adding)).toEqual(adding.map(() => 201));
  });

  test.each([
    ["an unknown path", (url: string) => `${url}.gone`, "url cannot be read: the server answers 404"],
    ["a page that is not a feed", (url: string) => url, "url is not a feed: expected RSS, Atom or JSON Feed"],
    ["a private address", () => "http://10.0.0.1/", "url cannot be read: the URL does not lead to a public address"],
    ["another scheme", () => "file:///etc/passwd", "url is not an http or https URL"],
  ])("is refused for %s", async (_, urlOf, error) => {
    const { client, accountId } = await person();
    const { url } = served("<html><body>Hello</body></html>");
    const [status, body] = await readResponse(
      client.post("/v1/feeds", { url: urlOf(url), template: templateOf(accountId) }),
    );
    expect([status, body]).toEqual([400, { error: expect.stringContaining(error) }]);
    expect(await readResponse(client.get("/v1/feeds"))).toEqual([200, []]);
  });

  test("is refused for an unknown placeholder and for another person's account, before it is read", async () => {
    const { client, accountId } = await person();
    const { url, asked } = served(rss());
    const stranger = await person();
    for (const [template, error] of [
      [templateOf(accountId, "{{summary}}".repeat(201)), "template has more than 200 placeholders: 201"],
      [templateOf(accountId, "{{headline}}"), "template contains an unknown placeholder, {{headline}}: "],
      [templateOf(stranger.accountId), "template.publications[0].socialMediaAccountId "],
    ] as const) {
      const [status, body] = await readResponse(client.post("/v1/feeds", { url, template }));
      expect([status, body]).toEqual([400, { error: expect.stringContaining(error) }]);
    }
    expect(asked()).toEqual([]);
  });
});

test("texts that cannot be stored and years that no time has do not make a feed unreadable", async () => {
  const { client, accountId } = await person();
  const feed = (...items: object[]) =>
    JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Be\0ll\ud800s", items });
  const [odd, old] = [
    { id: "2", title: "On\0e\udc00", content_text: "Tw\0o", date_published: "+020000-01-01T00:00:00Z" },
    { id: "1", title: "Old", date_published: "-000001-01-01T00:00:00Z" },
  ];
  const { url, set } = served(feed(odd, old));
  const template = templateOf(accountId, "{{title}} {{summary}}");
  const [status, body] = await readResponse(client.post("/v1/feeds?dryRun=true", { url, template }));
  expect([status, body]).toMatchObject([200, { title: "Bell\ufffds", items: [{ guid: "2" }, { guid: "1" }] }]);
  set(feed(old));
  const one = await added(client, { url, template });
  set(feed(odd, old));
  await readAgain(one);
  expect(await posts(client)).toEqual([["DRAFT", "One\ufffd Two"]]);
  expect(await shown(client, one)).toMatchObject({ state: "ACTIVE", posts: 1 });
});

describe("a post", () => {
  test("has the item's own texts: without HTML, with absolute addresses, and its picture", async () => {
    const { client, accountId } = await person();
    const extra = `<description><![CDATA[<p>One &amp; two</p><script>no()</script><p>three</p>]]></description>
      <enclosure url="/bell.jpg" type="image/jpeg" length="1"/>`;
    const { url } = served(rss({ guid: "1", title: "A &amp; B", extra }));
    const publications = [
      {
        socialMediaAccountId: accountId,
        platformSettings: { type: "TWITTER" },
        posts: [{ content: "{{ title }}: {{summary}}{{author}}", attachmentPaths: ["{{image}}"] }],
      },
    ];
    const [, body] = await readResponse(client.post("/v1/feeds?dryRun=true", { url, template: { publications } }));
    const image = new URL("/bell.jpg", url).href;
    expect(body).toMatchObject({
      items: [{ publications: [{ posts: [{ content: "A & B: One & two\nthree", attachmentPaths: [image] }] }] }],
    });
  });

  test("has the text of HTML as far as its elements are not nested too deeply", () => {
    const nested = (depth: number) => `<p>One</p>${"<b>".repeat(depth)}two`;
    expect([textOf(nested(500)), textOf(nested(501))]).toEqual(["One\ntwo", "One"]);
  });

  test.each([
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom"><title>Bells</title><id>urn:bells</id><updated>2031-04-02T08:00:00Z</updated>
      <entry><title type="html">A &lt;b&gt;bell&lt;/b&gt;</title><id>urn:1</id><link href="/1"/>
      <updated>2031-04-02T08:00:00Z</updated><author><name>Ada</name></author><content type="html">&lt;p&gt;Text&lt;/p&gt;</content></entry></feed>`,
    ],
    [
      "JSON Feed",
      JSON.stringify({
        ...{ version: "https://jsonfeed.org/version/1.1", title: "Bells" },
        items: [{ id: "urn:1", url: "/1", title: "A bell", content_html: "<p>Text</p>", authors: [{ name: "Ada" }] }],
      }),
    ],
    [
      "RDF",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://bells.example/"><title>Bells</title><link>https://bells.example/</link><description>News</description></channel>
      <item rdf:about="urn:1"><title>A bell</title><link>/1</link><description>Text</description><dc:creator>Ada</dc:creator></item></rdf:RDF>`,
    ],
  ])("is made of an item of %s", async (_, text) => {
    const { client, accountId } = await person();
    const { url } = served(text);
    const template = templateOf(accountId, "{{title}}|{{link}}|{{summary}}|{{author}}");
    const [, body] = await readResponse(client.post("/v1/feeds?dryRun=true", { url, template }));
    const content = `A bell|${new URL("/1", url).href}|Text|Ada`;
    expect(body).toMatchObject({
      title: "Bells",
      items: [{ guid: "urn:1", publications: [{ posts: [{ content }] }] }],
    });
  });

  test("is scheduled at the next free posting time if the template says so, or a draft if a network would refuse it", async () => {
    const { client, accountId } = await person();
    const slots = { timeZone: "UTC", slots: [{ weekday: "MONDAY", time: "09:30" }] };
    await client.put(`/v1/accounts/${accountId}/slots`, slots);
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}", false) });
    set(rss({ guid: "3" }, { guid: "2", title: "x".repeat(281) }, { guid: "1" }));
    await readAgain(feed);
    expect((await posts(client)).map(([status]) => status)).toEqual(["SCHEDULED", "DRAFT", "SCHEDULED"]);
    const [, list] = await readResponse(client.get("/v1/posts?status=SCHEDULED"));
    const times = (list as { items: { scheduledTime: string }[] }).items.map(({ scheduledTime }) => scheduledTime);
    expect(new Set(times).size).toBe(2);
    for (const time of times) expect([new Date(time).getUTCDay(), time.slice(11)]).toEqual([1, "09:30:00Z"]);
  });

  test("is made once, also if the feed is read several times at once", async () => {
    const { client, accountId } = await person();
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}") });
    set(rss(...[5, 4, 3, 2, 1].map((guid) => ({ guid: String(guid) }))));
    await db.update(feeds).set({ dueAt: sql`now()` }).where(eq(feeds.id, feed.id));
    await Promise.all([readDueFeeds(), readDueFeeds(), readDueFeeds()]);
    expect((await posts(client)).map(([, text]) => text).toSorted()).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("stays a draft after the database was restored, because it may have been published before", async () => {
    const { client, accountId } = await person();
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}", false) });
    set(rss({ guid: "1" }));
    await db.update(installation).set({ epoch: sql`${installation.epoch} + 1` });
    await readAgain(feed);
    set(rss({ guid: "2" }, { guid: "1" }));
    await readAgain(feed);
    expect((await posts(client)).map(([status]) => status)).toEqual(["DRAFT", "SCHEDULED"]);
  });
});

describe("reading", () => {
  test("asks for changes only, and an unchanged feed keeps its state", async () => {
    const { client, accountId } = await person();
    const { url, set, asked } = served("");
    const validators = { etag: '"one"', "last-modified": "Wed, 02 Apr 2031 08:00:00 GMT" };
    set((response) => response.writeHead(200, validators).end(rss({ guid: "1" })));
    const feed = await added(client, { url, template: templateOf(accountId) });
    set((response) => response.writeHead(304).end());
    await readAgain(feed);
    await readAgain(feed);
    expect(asked().map(({ headers }) => [headers["if-none-match"], headers["if-modified-since"]])).toEqual([
      [undefined, undefined],
      ['"one"', validators["last-modified"]],
      ['"one"', validators["last-modified"]],
    ]);
    expect(await shown(client, feed)).toMatchObject({ state: "ACTIVE" });
  });

  test("is tried again later after a failure, and the reason is shown", async () => {
    const { client, accountId } = await person();
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}") });
    set((response) => response.writeHead(503, { "retry-after": "7200" }).end());
    await readAgain(feed);
    const failing = await shown(client, feed);
    expect(failing).toMatchObject({ state: "FAILING", error: "The feed cannot be read: the server answers 503" });
    const [row] = await db.select({ dueAt: feeds.dueAt }).from(feeds).where(eq(feeds.id, feed.id));
    expect(Date.parse(row?.dueAt ?? "") - Date.now()).toBeGreaterThan(7_000_000);
    set(rss({ guid: "1" }));
    await readAgain(feed);
    expect(await shown(client, feed)).toMatchObject({ state: "ACTIVE", posts: 1 });
  });

  test("ends when the server says that the feed is gone", async () => {
    const { client, accountId } = await person();
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId) });
    set((response) => response.writeHead(410).end());
    await readAgain(feed);
    const stopped = await shown(client, feed);
    expect(stopped).toMatchObject({ state: "STOPPED", error: "The feed was removed by its server (410)" });
    expect(stopped).not.toHaveProperty("nextReadTime");
  });

  test("keeps an item that could not become a post for the next reading", async () => {
    const { owner, client, accountId } = await person();
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}") });
    set((response) => response.writeHead(200, { etag: '"two"' }).end(rss({ guid: "1" })));
    await client.delete(`/v1/accounts/${accountId}`);
    await readAgain(feed);
    expect(await shown(client, feed)).toMatchObject({
      state: "FAILING",
      error: expect.stringMatching(/^An item did not become a post: /),
    });
    const { id } = await connectAccount(owner, "X_TWITTER");
    await db
      .update(feeds)
      .set({ template: templateOf(id, "{{title}}") })
      .where(eq(feeds.id, feed.id));
    await readAgain(feed);
    expect(await posts(client)).toEqual([["DRAFT", "1"]]);
  });

  test("sees an item of a new feed again that could not become a post, and the reason is shown at once", async () => {
    const { client, accountId } = await person();
    const { url, set, asked } = served("");
    const item = (image: string) =>
      rss({ guid: "1", extra: `<enclosure url="${image}" type="image/png" length="1"/>` });
    const mail = "http://bells.example:25/a.png"; // the port of a mail server, where nothing is fetched from
    const answer = (text: string) => set((response) => response.writeHead(200, { etag: '"one"' }).end(text));
    answer(item(mail));
    const template = templateOf(accountId, "{{title}}");
    const [publication] = template.publications;
    const parts = [{ content: "{{title}}", attachmentPaths: ["{{image}}"] }];
    const body = { url, template: { ...template, publications: [{ ...publication, posts: parts }] }, newestItems: 1 };
    const feed = await added(client, body);
    expect(feed).toMatchObject({
      ...{ state: "FAILING", posts: 0 },
      error: expect.stringMatching(/^An item did not become a post: /),
    });
    answer(rss({ guid: "1" }));
    await readAgain(feed);
    expect(asked().map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined]);
    expect(await posts(client)).toEqual([["DRAFT", "1"]]);
    expect(await shown(client, feed)).toMatchObject({ state: "ACTIVE", posts: 1 });
  });

  test("of many feeds at once takes turns, so that one person's slow feeds do not keep another's waiting", async () => {
    const [slow, other] = [await person(), await person()];
    const ask = async ({ client, accountId }: typeof slow, url: string) =>
      (await client.post("/v1/feeds?dryRun=true", { url, template: templateOf(accountId) })).status;
    const { url, set, asked } = served("");
    const held: ServerResponse[] = [];
    set((response) => held.push(response));
    const answered = Promise.all(Array.from({ length: 8 }, () => ask(slow, url)));
    await expect.poll(() => held.length).toBe(3);
    expect(await ask(other, served(rss()).url)).toBe(200);
    expect(asked()).toHaveLength(3);
    set(rss());
    for (const response of held) response.end(rss());
    expect(await answered).toEqual(Array.from({ length: 8 }, () => 200));
    expect(asked()).toHaveLength(8);
  });

  test("a document that never ends is refused", async () => {
    const { client, accountId } = await person();
    const { url, set } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId) });
    const deep = `<rss version="2.0"><channel><title>x</title>${"<a>".repeat(1_000_000)}`;
    set((response) => response.end(deep));
    await readAgain(feed);
    expect(await shown(client, feed)).toMatchObject({
      state: "FAILING",
      error: "The feed is not a feed: expected RSS, Atom or JSON Feed",
    });
  });
});

describe("limits", () => {
  test("a reading makes 50 posts, and the next one goes on where it ended, also after a restore", async () => {
    const { client, accountId } = await person();
    const { url, set, asked } = served(rss());
    const feed = await added(client, { url, template: templateOf(accountId, "{{title}}", false) });
    const newest = (count: number) => rss(...Array.from({ length: count }, (_, n) => ({ guid: `${count - n}` })));
    const answer = (count: number) =>
      set((response) => response.writeHead(200, { etag: `"${count}"` }).end(newest(count)));
    await db.update(installation).set({ epoch: sql`${installation.epoch} + 1` });
    answer(52);
    await readAgain(feed);
    const first = Array.from({ length: 50 }, (_, n) => ["DRAFT", `${n + 1}`]);
    expect(await posts(client)).toEqual(first);
    expect(await shown(client, feed)).toMatchObject({ state: "ACTIVE", posts: 50 });
    await readAgain(feed);
    answer(53);
    await readAgain(feed);
    expect(await posts(client)).toEqual([...first, ["DRAFT", "51"], ["DRAFT", "52"], ["SCHEDULED", "53"]]);
    expect(asked().map(({ headers }) => headers["if-none-match"])).toEqual([undefined, undefined, undefined, '"52"']);
  });

  test("all feeds of a person together make 500 posts a day, and what waits becomes posts on the next day", async () => {
    const { owner, client, accountId } = await person();
    const [one, other] = [served(rss()), served(rss())];
    const template = templateOf(accountId, "{{title}}");
    const [kept, removed] = [
      await added(client, { url: one.url, template }),
      await added(client, { url: other.url, template }),
    ];
    const key = hashOf("posts of feeds", owner);
    await db.insert(rateLimits).values({ key, used: 499, endsAt: sql`now() + interval '1 day'` });
    one.set(rss({ guid: "2" }, { guid: "1" }));
    other.set(rss({ guid: "2" }, { guid: "1" }));
    await db.update(feeds).set({ dueAt: sql`now()` }).where(eq(feeds.ownerId, owner));
    await readDueFeeds(); // both at once
    expect(await posts(client)).toEqual([["DRAFT", "1"]]);
    const isFull = {
      state: "FAILING",
      error: "Your feeds made 500 posts today (UTC), which is the limit. The other new items become posts tomorrow",
    };
    expect([await shown(client, kept), await shown(client, removed)]).toEqual([
      expect.objectContaining(isFull),
      expect.objectContaining(isFull),
    ]);
    expect((await client.delete(`/v1/feeds/${removed.id}`)).status).toBe(204);
    expect(await added(client, { url: other.url, template, newestItems: 2 })).toMatchObject({ ...isFull, posts: 0 });

    await db.update(rateLimits).set({ endsAt: sql`now()` }).where(eq(rateLimits.key, key));
    await readAgain(kept);
    expect(await shown(client, kept)).toMatchObject({ state: "ACTIVE" });
    const [left] = await db.select().from(rateLimits).where(eq(rateLimits.key, key));
    expect(left?.used).toBe((await posts(client)).length - 1);
    expect(Date.parse(left?.endsAt ?? "") % DAY_MS).toBe(0);
  });
});

test("an item whose post cannot be stored does not count against the day", async () => {
  const { owner, client, accountId } = await person();
  const { url, set } = served(rss());
  const feed = await added(client, { url, template: templateOf(accountId) });
  const held: ServerResponse[] = [];
  set((response) => held.push(response));
  const reading = readAgain(feed);
  await expect.poll(() => held.length).toBe(1);
  await db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, owner)); // refuses the post
  held[0]?.end(rss({ guid: "1" }));
  await reading;
  await db.update(users).set({ deletingAt: null }).where(eq(users.id, owner));
  const day = eq(rateLimits.key, hashOf("posts of feeds", owner));
  expect([await posts(client), await db.select().from(rateLimits).where(day)]).toEqual([[], []]);
  set(rss({ guid: "1" }));
  await readAgain(feed);
  expect(await posts(client)).toEqual([["DRAFT", "1 https://bells.example/1"]]);
  expect(await db.select().from(rateLimits).where(day)).toMatchObject([{ used: 1 }]);
});

test("a feed is stopped by a password reset, also while it is being read, and makes no more posts", async () => {
  const { owner, client, accountId } = await person();
  const { url, set } = served(rss());
  const feed = await added(client, { url, template: templateOf(accountId, "{{title}}", false) });
  const held: ServerResponse[] = [];
  set((response) => held.push(response));
  const reading = readAgain(feed);
  await expect.poll(() => held.length).toBe(1);
  const said = await db.transaction((tx) => stopFeedsOfUser(tx, owner, { isFirstConfirmation: false }));
  expect(said).toEqual([`The feed ${url} was stopped. If it is yours, remove it and add it again.`]);
  held[0]?.end(rss({ guid: "1" }));
  await reading;
  expect(await posts(client)).toEqual([]);
  expect(await shown(client, feed)).toMatchObject({ state: "STOPPED", error: expect.stringContaining("reset") });
});

describe("a feed that an application has added", () => {
  const origin = new URL(env.appUrl).origin;
  async function allowed(owner: string) {
    const client = await newClient();
    const { access_token } = await tokensFor(client, {}, owner);
    const headers = { authorization: `Bearer ${access_token}` };
    const { clientId, clientSecret } = client;
    return {
      clientId,
      add: (body: object) => readResponse(nobody.post("/v1/feeds", body, headers)),
      leave: () =>
        nobody.post("/oauth/revoke", { token: access_token, client_id: clientId, client_secret: clientSecret }),
    };
  }
  const revocations: [where: string, revoke: (owner: string, clientId: string) => Promise<number>][] = [
    ["the API", async (owner, id) => (await as(owner).delete(`/v1/me/applications/${id}`)).status],
    [
      "the Settings page",
      async (owner, client) => {
        const headers = { origin, cookie: await sessionCookie(owner) };
        const body = new URLSearchParams({ client });
        const form = new Request(`${env.appUrl}/settings/applications/revoke`, { method: "POST", headers, body });
        return (await revokeInSettings(form)).status;
      },
    ],
  ];

  test.each(revocations)("is stopped by revoking the application in %s, and other feeds go on", async (_, revoke) => {
    const { owner, client, accountId } = await person();
    const [application, another] = [await allowed(owner), await allowed(owner)];
    const served1 = served(rss());
    const body = { url: served1.url, template: templateOf(accountId, "{{title}}") };
    const [, theirs] = await application.add(body);
    const [, others] = await another.add(body);
    const ofSession = await added(signedInAs(owner, origin), body);
    const ofToken = await added(client, body);
    expect(await revoke(owner, application.clientId)).toBeLessThan(400);

    served1.set(rss({ guid: "1" }));
    await db.update(feeds).set({ dueAt: sql`now()` }).where(sql`${feeds.ownerId} = ${owner} and due_at is not null`);
    await readDueFeeds();
    const [, list] = await readResponse(client.get("/v1/feeds"));
    expect((list as Shown[]).map(({ id, state, posts }) => [id, state, posts])).toEqual([
      [(theirs as Shown).id, "STOPPED", 0],
      ...[others as Shown, ofSession, ofToken].map(({ id }) => [id, "ACTIVE", 1]),
    ]);
    expect(await shown(client, theirs as Shown)).toMatchObject({
      error: "You revoked the application that added this feed. To continue it, remove it and add it again",
    });
  });

  type Allowed = Awaited<ReturnType<typeof allowed>>;
  const ends: [how: string, end: (application: Allowed) => Promise<unknown>][] = [
    ["the application ends its own permission", ({ leave }) => leave()],
    [
      "the application is deleted",
      ({ clientId }) => db.delete(applications).where(eq(applications.clientId, clientId)),
    ],
    [
      "the consent expires",
      ({ clientId }) => db.update(grants).set({ expiresAt: sql`now()` }).where(eq(grants.clientId, clientId)),
    ],
  ];

  test.each(ends)(
    "makes no more posts once %s, which also takes the application off the person's list",
    async (_, end) => {
      const { owner, client, accountId } = await person();
      const application = await allowed(owner);
      const { url, set } = served(rss());
      const [, feed] = await application.add({ url, template: templateOf(accountId, "{{title}}", false) });
      await end(application);
      set(rss({ guid: "1" }));
      await readAgain(feed as Shown);
      expect(await posts(client)).toEqual([]);
      expect(await shown(client, feed as Shown)).toMatchObject({
        state: "STOPPED",
        error:
          "The application that added this feed may not act for you any more. To continue it, remove it and add it again",
      });
    },
  );

  test("is not stored if the application is revoked while the feed is read", async () => {
    const { owner, client, accountId } = await person();
    const application = await allowed(owner);
    const { url, set } = served("");
    const held: ServerResponse[] = [];
    set((response) => held.push(response));
    const adding = application.add({ url, template: templateOf(accountId) });
    await expect.poll(() => held.length).toBe(1);
    await client.delete(`/v1/me/applications/${application.clientId}`);
    held[0]?.end(rss({ guid: "1" }));
    expect((await adding)[0]).toBe(401);
    expect(await readResponse(client.get("/v1/feeds"))).toEqual([200, []]);
  });

  test("waits while the operator has suspended the application", async () => {
    const { owner, client, accountId } = await person();
    const application = await allowed(owner);
    const { url, set } = served(rss());
    const [, feed] = await application.add({ url, template: templateOf(accountId, "{{title}}") });
    set(rss({ guid: "1" }));
    const suspend = async (suspendedAt: string | null) =>
      db.update(applications).set({ suspendedAt }).where(eq(applications.clientId, application.clientId));
    await suspend(new Date().toISOString());
    await readAgain(feed as Shown);
    expect(await posts(client)).toEqual([]);
    await suspend(null);
    await readDueFeeds();
    expect(await posts(client)).toEqual([["DRAFT", "1"]]);
  });
});

test("a feed of a personal token goes on when the token is revoked, as a webhook does", async () => {
  const { owner, client, accountId } = await person();
  const { url, set } = served(rss());
  const feed = await added(client, { url, template: templateOf(accountId, "{{title}}") });
  for (const { id } of await listPersonalTokens(owner)) await revokePersonalToken(owner, id);
  expect((await client.get("/v1/feeds")).status).toBe(401);
  set(rss({ guid: "1" }));
  await readAgain(feed);
  expect(await posts(as(owner))).toEqual([["DRAFT", "1"]]);
});

test("a feed needs a confirmed address, and without one nothing is read; a dry run needs none", async () => {
  const { owner, client, accountId } = await person();
  await db.update(users).set({ emailConfirmedAt: null }).where(eq(users.id, owner));
  const { url, asked } = served(rss());
  const body = { url, template: templateOf(accountId) };
  expect(await readResponse(client.post("/v1/feeds", body))).toEqual([
    403,
    { error: "Confirm your email address before you create feeds: Settings sends you the link again" },
  ]);
  expect(asked()).toEqual([]);
  expect((await client.post("/v1/feeds?dryRun=true", body)).status).toBe(200);
});

describe("a feed of a partner's user", () => {
  async function partnerUser() {
    const partner = await newPartner();
    const [, user] = await readResponse(partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" }));
    const { uuid: id } = user as { uuid: string };
    const { id: accountId } = await connectAccount(id, "X_TWITTER");
    const { url, set } = served(rss());
    const who = { "x-connect-user-id": id };
    const [status, feed] = await readResponse(partner.post("/v1/feeds", { url, template: templateOf(accountId) }, who));
    expect(status).toBe(201);
    set(rss({ guid: "1" }));
    const count = async () =>
      (await db.select({ posts: feeds.posts }).from(feeds).where(eq(feeds.ownerId, id))).map((row) => row.posts);
    return { id, clientId: partner.clientId, feed: feed as Shown, count };
  }

  test("waits while its partner is suspended, and while the user is", async () => {
    const { id, clientId, feed, count } = await partnerUser();
    const suspendedAt = new Date().toISOString();
    await db.update(applications).set({ suspendedAt }).where(eq(applications.clientId, clientId));
    await readAgain(feed);
    expect(await count()).toEqual([0]);
    await db.update(applications).set({ suspendedAt: null }).where(eq(applications.clientId, clientId));
    await db.update(users).set({ suspendedAt }).where(eq(users.id, id));
    await readAgain(feed);
    expect(await count()).toEqual([0]);
    await db.update(users).set({ suspendedAt: null }).where(eq(users.id, id));
    await readAgain(feed);
    expect(await count()).toEqual([1]);
  });

  test("is not read once its user is being deleted", async () => {
    const { id, feed, count } = await partnerUser();
    await db.update(users).set({ deletingAt: sql`now()` }).where(eq(users.id, id));
    await readAgain(feed);
    expect(await count()).toEqual([0]);
  });
});

test("a template of more than 100,000 characters is refused, and a long address of an item is left out", async () => {
  const { client, accountId } = await person();
  const long = `<item><guid>1</guid><title>One</title><link>https://bells.example/${"x".repeat(5_000)}</link></item>`;
  const { url } = served(`<rss version="2.0"><channel><title>Bells</title>${long}</channel></rss>`);
  const ask = (content: string) =>
    readResponse(client.post("/v1/feeds?dryRun=true", { url, template: templateOf(accountId, content) }));
  expect(await ask("x".repeat(99_990))).toEqual([400, { error: "template has more than 100,000 characters" }]);
  const [, body] = await ask("{{title}} {{link}}");
  expect(body).toMatchObject({ items: [{ guid: "1", publications: [{ posts: [{ content: "One" }] }] }] });
});

test("a feed that is removed keeps its posts, and is not read again", async () => {
  const { client, accountId } = await person();
  const { url } = served(rss({ guid: "1" }));
  const feed = await added(client, { url, template: templateOf(accountId, "{{title}}"), newestItems: 1 });
  expect((await client.delete(`/v1/feeds/${feed.id}`)).status).toBe(204);
  expect(await readResponse(client.get("/v1/feeds"))).toEqual([200, []]);
  expect(await posts(client)).toEqual([["DRAFT", "1"]]);
});
