import type { ServerResponse } from "node:http";
import { expect, vi } from "vitest";
import { as, type Client, connectAccount, newOwner, readResponse, withStatus } from "../../testing";
import type { SourceAnswer } from "./import-source";

/** A file that arrives when the test releases it. */
export function withPausedFile(serve: (name: string, answer: SourceAnswer) => string, file: () => Buffer) {
  const waiting: ServerResponse[] = [];
  const url = serve("picture.jpg", (_, response) => waiting.push(response));
  const release = (send = (response: ServerResponse) => response.end(file()) as unknown) =>
    vi.waitFor(
      () => {
        expect(waiting.length).toBeGreaterThan(0);
        for (const response of waiting.splice(0)) send(response);
      },
      { timeout: 45_000 },
    );
  return { url, release };
}

export type UrlPost = {
  id: number;
  overallStatus: string;
  publications: { id: number; status: string; posts: { id: number; attachmentPaths: string[]; error?: string }[] }[];
  pendingImports?: {
    postId: number;
    attachmentIndex: number;
    importTaskId: number;
    sourceUrl: string;
    state: string;
  }[];
};

export const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

/** A publication on X with one post per list of attachments. */
export const postWithUrls = (
  account: number,
  posts: string[][],
  scheduledTime: string | undefined = tomorrow(),
  more = {},
) => ({
  scheduledTime,
  ...more,
  publications: [
    {
      socialMediaAccountId: account,
      platformSettings: { type: "TWITTER" },
      posts: posts.map((attachmentPaths, index) => ({ content: `Picture ${index}`, attachmentPaths })),
    },
  ],
});

/** A new owner with an account on X. */
export async function newX() {
  const ownerId = await newOwner();
  const account = await connectAccount(ownerId, "X_TWITTER");
  return { ownerId, client: as(ownerId), ...account };
}

export async function create(client: Client, body: object): Promise<UrlPost> {
  const [status, seen] = await readResponse(client.post("/v1/posts", body));
  if (status !== 201) throw new Error(JSON.stringify(seen));
  return seen as UrlPost;
}

/** Waits until a schedule has this status, and returns it. */
export const waitForStatus = (client: Client, id: number, overallStatus: string) =>
  withStatus<UrlPost>(client, id, [overallStatus], 15_000);
