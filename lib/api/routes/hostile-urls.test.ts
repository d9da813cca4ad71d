import { expect, test } from "vitest";
import { listenForIntruders } from "../../http/testing/canary";
import { hostileUrls } from "../../http/testing/hostile-urls";
import { as, connect, newOwner, reached, told, withWorker } from "../../testing";
import { postWithUrls, tomorrow, waitForStatus } from "../testing/posts-of-urls";

withWorker();

const BLOCKED = "The URL does not lead to a public address";

/** A way to pass a URL to the service: the response, and what happened if the URL was accepted. */
type Door = {
  taken: number;
  give(url: string): Promise<[status: number, body: unknown]>;
  end(body: unknown): Promise<unknown>;
};

async function importDoor(): Promise<Door> {
  const client = as(await newOwner());
  return {
    taken: 202,
    give: (url) => told(client.post("/v1/media/upload/import", { url })),
    async end(body) {
      const { errorCode, errorMessage } = await reached(client, (body as { id: number }).id, ["FAILED_PERMANENT"]);
      return errorCode === "BLOCKED_ADDRESS" ? errorMessage : errorCode;
    },
  };
}

async function postDoor(write: (account: number, url: string) => object): Promise<Door> {
  const owner = await newOwner();
  const client = as(owner);
  const { id: account } = await connect(owner, "X_TWITTER");
  return {
    taken: 201,
    give: (url) => told(client.post("/v1/posts", write(account, url))),
    async end(body) {
      const { publications } = await waitForStatus(client, (body as { id: number }).id, "MEDIA_IMPORT_FAILED");
      return publications[0]?.posts[0]?.error?.replace(/^attachmentPaths\[0\]: (.*)\.$/, "$1");
    },
  };
}

const flatOf = (accountId: number, url: string) => ({
  platform: "X_TWITTER",
  accountId,
  content: "a",
  mediaPaths: [url],
  scheduledTime: tomorrow(),
});

test.each<[door: string, open: () => Promise<Door>]>([
  ["POST /v1/media/upload/import", importDoor],
  ["attachmentPaths of a post", () => postDoor((account, url) => postWithUrls(account, [[url]]))],
  ["mediaPaths of a flat post", () => postDoor(flatOf)],
])(
  "T16: at least 150 hostile URLs by %s cause no connection",
  async (_, open) => {
    const canary = await listenForIntruders();
    const door = await open();
    const hostile = [
      ...hostileUrls(canary.port),
      { url: `http://localhost:${canary.port}/`, refusal: "BLOCKED_ADDRESS" },
    ];
    expect(new Set(hostile.map(({ url }) => url)).size).toBeGreaterThanOrEqual(150);
    const waiting: { url: string; body: unknown }[] = [];
    for (const { url, refusal } of hostile) {
      const [status, body] = await door.give(url);
      expect([url, status]).toEqual([url, refusal === "INVALID_URL" ? 400 : door.taken]);
      if (status === door.taken) waiting.push({ url, body });
    }
    for (const { url, body } of waiting) expect([url, await door.end(body)]).toEqual([url, BLOCKED]);
    expect(canary.hits).toBe(0);
    await canary.close();
  },
  120_000,
);
