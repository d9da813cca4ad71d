import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Network, NetworkSession } from "../network";
import { failureOf, memoryRun, newMemory } from "../testing";
import { makeApp, makeSession } from "../wire/fetch";
import { bluesky } from ".";
import { linkCardOf } from "./link-card";
import { publishPost } from "./publish";
import { APP_PASSWORD, blueskySandbox, connect } from "./testing/sandbox";

const at = blueskySandbox();
const pages = new Map<string, { type: string; body: string | Buffer; status?: number; location?: string }>();
let web: Server;
let base: string;
let strangers: Server;
let strangersUrl: string;
let strangersHits = 0;
let session: NetworkSession;

const listen = async (server: Server) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listening on TCP, so never a pipe's name
};

beforeAll(async () => {
  web = createServer((request, response) => {
    const page = pages.get(request.url ?? "");
    const location = page?.location ? { location: page.location } : {};
    response.writeHead(page ? (page.status ?? 200) : 404, { "content-type": page?.type ?? "text/plain", ...location });
    response.end(page?.body);
  });
  strangers = createServer((_, response) => {
    strangersHits += 1;
    response.end();
  });
  [base, strangersUrl] = await Promise.all([listen(web), listen(strangers)]);
  session = await signedIn();
  pages.set("/small.png", { type: "image/png", body: await png(40, 20) });
  pages.set("/large.png", { type: "image/png", body: Buffer.concat([await png(9, 9), Buffer.alloc(1_000_000)]) });
  pages.set("/text.png", { type: "image/png", body: "no picture" });
});
afterAll(() => {
  web.close();
  strangers.close();
});

async function signedIn(): Promise<NetworkSession> {
  // This test's page server counts as one of the network's hosts; all other addresses of this machine stay blocked.
  const own = `${at.sandbox.url}/bluesky`;
  const network: Network = { ...bluesky, hosts: { api: own, entrance: own, appview: own, plc: own, page: base } };
  const app = makeApp(network, { mode: "real", clientId: "x", clientSecret: "x" });
  const tokens = await connect.password?.signIn(app, { account: "alice.bsky.test", password: APP_PASSWORD });
  if (!tokens) throw new Error("Bluesky has no app passwords");
  return makeSession(network, app, { accountId: tokens.extra?.did ?? "", username: "alice.bsky.test", tokens });
}

const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#883311" } })
    .png()
    .toBuffer();
function page(path: string, head: string, more: { status?: number; location?: string; type?: string } = {}): string {
  pages.set(path, { type: "text/html; charset=utf-8", body: `<!doctype html><head>${head}</head>`, ...more });
  return base + path;
}

describe("link cards", () => {
  test("has the page's Open Graph title, description and uploaded image", async () => {
    const url = page(
      "/full",
      `<meta property="og:title" content="Bells &amp; towers &#8212; &quot;all&quot;"><meta content='Why they
        ring' property='og:description'><meta property="og:image" content="/small.png">`,
    );
    expect(await linkCardOf(session, url)).toEqual({
      uri: url,
      title: 'Bells & towers — "all"',
      description: "Why they ring",
      thumb: expect.objectContaining({ $type: "blob", mimeType: "image/png" }),
    });
  });

  test("falls back to the page's title and description", async () => {
    const url = page("/plain", `<title>Just a page</title><meta name="description" content="Words">`);
    expect(await linkCardOf(session, url)).toEqual({ uri: url, title: "Just a page", description: "Words" });
  });

  test.each(["/large.png", "/text.png", "/missing.png"])("has no image if it cannot be used: %s", async (image) => {
    const url = page("/picture", `<title>T</title><meta property="og:image" content="${image}">`);
    expect(await linkCardOf(session, url)).toEqual({ uri: url, title: "T", description: "" });
  });

  test("follows redirects, up to a limit", async () => {
    page("/to", "<title>There</title>");
    expect(await linkCardOf(session, page("/from", "", { status: 302, location: "/to" }))).toMatchObject({
      title: "There",
    });
    expect(await linkCardOf(session, page("/round", "", { status: 302, location: "/round" }))).toBeUndefined();
  });

  test.each([
    ["a missing page", () => `${base}/nowhere`],
    ["a page without a title", () => page("/untitled", "<p>")],
    ["a file that is not a page", () => `${base}/small.png`],
  ])("is missing for %s", async (_, url) => {
    expect(await linkCardOf(session, url())).toBeUndefined();
  });

  test("sends nothing to a loopback address, whether linked directly or by a redirect", async () => {
    expect(await linkCardOf(session, strangersUrl)).toBeUndefined();
    expect(await linkCardOf(session, page("/lure", "", { status: 302, location: strangersUrl }))).toBeUndefined();
    expect(await linkCardOf(session, "http://169.254.169.254/latest/meta-data")).toBeUndefined();
    const url = page("/inside", `<title>T</title><meta property="og:image" content="${strangersUrl}/x.png">`);
    expect(await linkCardOf(session, url)).toEqual({ uri: url, title: "T", description: "" });
    expect(strangersHits).toBe(0);
  });
});

describe("link cards in posts", () => {
  const publish = (content: string) =>
    publishPost({ content, media: [], settings: {} }, memoryRun(session, newMemory()));
  const embedOf = async (text: string) => (await at.held(text))[0]?.settings.embed;

  test("uses the first link, and no card if the post has an image", async () => {
    const content = `See ${page("/first", "<title>First</title>")} and ${base}/second`;
    await publish(content);
    expect(await embedOf(content)).toMatchObject({
      $type: "app.bsky.embed.external",
      external: { uri: `${base}/first`, title: "First", description: "" },
    });
    const beside = `With a picture ${base}/first`;
    const media = [await at.sandbox.image()];
    await publishPost({ content: beside, media, settings: {} }, memoryRun(session, newMemory()));
    expect(await embedOf(beside)).toMatchObject({ $type: "app.bsky.embed.images" });
  });

  test("uploads the picture again after the server deleted it", async () => {
    const address = page("/late", `<title>Late</title><meta property="og:image" content="${base}/small.png">`);
    const [memory, content] = [newMemory(), `Late ${address}`];
    const post = { content, media: [], settings: {} };
    await at.sandbox.fault({ operation: "publish", fault: "refuse" });
    expect(await failureOf(publishPost(post, memoryRun(session, memory)))).toMatchObject({ kind: "unknown" });
    memory.intents.clear();
    await at.sandbox.advance(7 * 3600);
    session = await signedIn();
    await publishPost(post, memoryRun(session, memory));
    expect(await embedOf(content)).toMatchObject({ external: { title: "Late", thumb: { mimeType: "image/png" } } });
  });

  test("publishes the post if the page cannot be read", async () => {
    const content = `Look at ${base}/gone`;
    await publish(content);
    expect(await at.held(content)).toHaveLength(1);
    expect(await embedOf(content)).toBeUndefined();
  });
});
