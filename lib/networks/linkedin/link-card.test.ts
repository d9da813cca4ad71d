import { afterAll, beforeAll, expect, test } from "vitest";
import { jpeg } from "../../../sandbox/testing/media";
import { withFiles } from "../../testing/files";
import type { NetworkSession } from "../network";
import { failureOf, memoryRun, newMemory } from "../testing";
import { publishText } from "./publish";
import { described } from "./testing/described";
import { linkedInSandbox, post } from "./testing/sandbox";

type Sandbox = Awaited<ReturnType<typeof linkedInSandbox>>;
let sandbox: Sandbox;
let alice: NetworkSession;
let picture: Buffer;

const tag = (name: string, content: string) => `<meta property="og:${name}" content="${content}">`;
const pages: { [path: string]: string } = {
  "/whole": tag("title", "Bells &amp; more") + tag("description", "They ring") + tag("image", "/picture.jpg"),
  "/long": `<title>${"t".repeat(500)}</title>${tag("description", "d".repeat(5000))}`,
  "/no-picture": tag("title", "Alone") + tag("image", "/gone.jpg"),
  "/text-as-picture": tag("title", "Odd") + tag("image", "/whole"),
  "/untitled": "<p>Hello</p>",
};

// This test's server is allowed explicitly; other addresses stay guarded.
const files = withFiles(3, (request, response) => {
  const html = pages[request.url ?? ""];
  if (request.url === "/picture.jpg") response.writeHead(200, { "content-type": "image/jpeg" }).end(picture);
  else if (request.url === "/file.pdf") response.writeHead(200, { "content-type": "application/pdf" }).end("<title>x");
  else if (html) response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
  else response.writeHead(404, { "content-type": "text/html" }).end("<title>Not found</title>");
});

beforeAll(async () => {
  picture = await jpeg();
  sandbox = await linkedInSandbox({ described }); // every request is compared with LinkedIn's description
  alice = await sandbox.connected("alice");
});
afterAll(() => sandbox.close());

async function articleOf(path: string, memory = newMemory()) {
  const text = `Read ${files().url}${path}, today`;
  await publishText(post(text), memoryRun(alice, memory));
  const [one, ...more] = (await sandbox.posts()).filter((held) => held.text === text);
  expect(more).toEqual([]);
  return { ...one, article: Object(one).settings.article };
}

test("creates a card with the page's title, description and image", async () => {
  const { article, media } = await articleOf("/whole");
  expect(article).toEqual({
    source: `${files().url}/whole`,
    title: "Bells & more",
    description: "They ring",
    thumbnail: expect.stringMatching(/^urn:li:image:/),
  });
  expect(media).toMatchObject([{ type: "image/jpeg", sizeBytes: picture.length }]);
});

test("shortens the texts to LinkedIn's limits", async () => {
  const { article } = await articleOf("/long");
  expect([article.title.length, article.description.length]).toEqual([400, 4086]);
});

test.each(["/no-picture", "/text-as-picture"])("omits an unusable image: %s", async (path) => {
  expect((await articleOf(path)).article).not.toHaveProperty("thumbnail");
});

test.each(["/untitled", "/file.pdf", "/nowhere"])("creates no card without a page title: %s", async (path) => {
  expect((await articleOf(path)).article).toBeUndefined();
});

test("does not read a private address and publishes the post", async () => {
  const text = "Not for us: http://127.0.0.1:9/secret and http://localhost/x";
  await publishText(post(text), memoryRun(alice));
  expect(await sandbox.posts()).toContainEqual(expect.objectContaining({ text, settings: { visibility: "PUBLIC" } }));
});

test("publishes without the image if LinkedIn cannot process it", async () => {
  pages["/spoiled"] = pages["/whole"] ?? "";
  await sandbox.fault({ operation: "upload", fault: "processing_fails" });
  const { article } = await articleOf("/spoiled");
  expect(article).toMatchObject({ title: "Bells & more" });
  expect(article).not.toHaveProperty("thumbnail");
});

test("sends exactly the same card after a lost answer, even if the page has changed", async () => {
  const memory = newMemory();
  const text = `Read ${files().url}/changing, today`;
  pages["/changing"] = tag("title", "Before");
  await sandbox.fault({ operation: "publish", fault: "drop_response" });
  expect(await failureOf(publishText(post(text), memoryRun(alice, memory)))).toMatchObject({ kind: "unknown" });
  pages["/changing"] = tag("title", "After");
  expect((await articleOf("/changing", memory)).article).toMatchObject({ title: "Before" });
});
