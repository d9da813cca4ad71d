import { expect, test, vi } from "vitest";
import { listenForIntruders } from "../../http/testing/canary";
import { hostileUrls } from "../../http/testing/hostile-urls";
import { as, connectAccount, newOwner, reached, readResponse, withWorker } from "../../testing";
import { casesOf } from "../../testing/breadth";
import { postWithUrls, tomorrow, type UrlPost, waitForStatus } from "../testing/posts-of-urls";

withWorker();

const BLOCKED = "The URL does not lead to a public address";

/** A way to pass URLs to the service: the response, and what happened to each URL if they were accepted. */
type Door = {
  taken: number;
  give(urls: string[]): Promise<[status: number, body: unknown]>;
  end(body: unknown, count: number): Promise<unknown[]>;
};

async function importDoor(): Promise<Door> {
  const client = as(await newOwner());
  return {
    taken: 202,
    give: ([url]) => readResponse(client.post("/v1/media/upload/import", { url })),
    async end(body) {
      const { errorCode, errorMessage } = await reached(client, (body as { id: number }).id, ["FAILED_PERMANENT"]);
      return [errorCode === "BLOCKED_ADDRESS" ? errorMessage : errorCode];
    },
  };
}

async function postDoor(write: (account: number, urls: string[]) => object): Promise<Door> {
  const owner = await newOwner();
  const client = as(owner);
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  return {
    taken: 201,
    give: (urls) => readResponse(client.post("/v1/posts", write(account, urls))),
    async end(body, count) {
      const { id } = body as { id: number };
      await waitForStatus(client, id, "MEDIA_IMPORT_FAILED");
      // The first import that fails gives the post this status, and the others add their reasons.
      return vi.waitFor(
        async () => {
          const { publications } = (await readResponse(client.get(`/v1/posts/${id}`)))[1] as UrlPost;
          const reasons = (publications[0]?.posts ?? []).flatMap(({ error = "" }) =>
            error.split(/attachmentPaths\[\d+\]: /).slice(1),
          );
          expect(reasons).toHaveLength(count);
          return reasons.map((reason) => reason.replace(/\. ?$/, ""));
        },
        { timeout: 45_000, interval: 100 },
      );
    },
  };
}

const flatOf = (accountId: number, mediaPaths: string[]) => ({
  platform: "X_TWITTER",
  accountId,
  content: "a",
  mediaPaths,
  scheduledTime: tomorrow(),
});

/** One post of a thread for each URL. */
const threadOf = (account: number, urls: string[]) =>
  postWithUrls(
    account,
    urls.map((url) => [url]),
  );

test.each<[door: string, atOnce: number, open: () => Promise<Door>]>([
  ["POST /v1/media/upload/import", 1, importDoor],
  ["attachmentPaths of a thread", 10, () => postDoor(threadOf)],
  ["mediaPaths of a flat post", 4, () => postDoor(flatOf)],
])(
  "T16: hostile URLs by %s cause no connection",
  async (_, atOnce, open) => {
    const canary = await listenForIntruders();
    const door = await open();
    const hostile = [
      ...hostileUrls(canary.port),
      { url: `http://localhost:${canary.port}/`, refusal: "BLOCKED_ADDRESS" },
    ];
    expect(new Set(hostile.map(({ url }) => url)).size).toBeGreaterThanOrEqual(150);
    const urlsRefusedAs = (code: string) => hostile.filter(({ refusal }) => refusal === code).map(({ url }) => url);
    for (const url of urlsRefusedAs("INVALID_URL")) expect([url, (await door.give([url]))[0]]).toEqual([url, 400]);
    // Every way leads to the same import, so `npm test` imports all of them only by the first way.
    const others = casesOf(urlsRefusedAs("BLOCKED_ADDRESS"), (_, index) => atOnce === 1 || index % 8 === 0);
    const waiting: { urls: string[]; body: unknown }[] = [];
    while (others.length > 0) {
      const urls = others.splice(0, atOnce);
      const [status, body] = await door.give(urls);
      expect([urls, status]).toEqual([urls, door.taken]);
      waiting.push({ urls, body });
    }
    for (const { urls, body } of waiting)
      expect([urls, await door.end(body, urls.length)]).toEqual([urls, urls.map(() => BLOCKED)]);
    expect(canary.hits).toBe(0);
    await canary.close();
  },
  120_000,
);
