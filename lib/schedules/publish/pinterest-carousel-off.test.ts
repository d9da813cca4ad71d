import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, posts, schedules } from "../../db";
import { readEnv } from "../../env";
import {
  as,
  type Client,
  callsOn,
  connectAccount,
  newOwner,
  picture,
  postsOn,
  read,
  readResponse,
  type Seen,
  schedule,
} from "../../testing";
import { patched } from "../../testing/patch";
import { withSettings } from "../../testing/settings";
import { claimPublication } from "./claim";
import { publish } from "./publish";

const { pinterestCarousel } = readEnv({ PINTEREST_CAROUSEL: "off" });
withSettings({ pinterestCarousel });

const later = () => new Date(Date.now() + 3_600_000);

/** A due post that this test publishes. */
async function publishHere(client: Client, { id, publications }: Seen): Promise<Seen> {
  await db.update(schedules).set({ scheduledTime: sql`now()` }).where(eq(schedules.id, id));
  const claim = await claimPublication(publications[0]?.id ?? 0, { id: randomUUID(), assertAlive() {} });
  if (claim) await publish(claim);
  return read(client, id);
}

async function owned() {
  const owner = await newOwner();
  const client = as(owner);
  const { id, person } = await connectAccount(owner, "PINTEREST");
  const [, boards] = await readResponse(client.get(`/v1/accounts/${id}/chats?platform=PINTEREST`));
  const chatId = (boards as { id: string }[])[0]?.id;
  const files = [await picture(owner), await picture(owner, 500, 700)];
  const on = (content: string, attachmentPaths: string[]) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "PINTEREST" },
    posts: [{ content, attachmentPaths, chatId }],
  });
  return { client, person, files, on };
}

test("several images are rejected with a fix, and the first one is published alone", async () => {
  expect(pinterestCarousel).toBe(false);
  const { client, person, files, on } = await owned();
  const body = { scheduledTime: later().toISOString(), publications: [on("the first", files)] };
  const path = "publications[0].posts[0].attachmentPaths";
  const apply = [{ op: "replace" as const, path: "/publications/0/posts/0/attachmentPaths", value: files.slice(0, 1) }];
  expect(await readResponse(client.post("/v1/posts/validate", body))).toMatchObject([
    200,
    {
      valid: false,
      problems: [{ path, rule: "format.unsupported", limit: ["image", "video"], fix: "Keep one attachment", apply }],
    },
  ]);
  expect(await readResponse(client.post("/v1/posts", body))).toEqual([
    400,
    { error: `${path}: Pinterest does not take several attachments here` },
  ]);
  const [status, made] = await readResponse(client.post("/v1/posts", patched(body, apply)));
  expect(status).toBe(201);
  expect((await publishHere(client, made as Seen)).overallStatus).toBe("COMPLETED");
  expect(await postsOn("pinterest", person)).toMatchObject([{ text: "the first", media: [{}] }]);
});

test("a carousel that was scheduled before fails with the reason, and nothing is sent", async () => {
  const { client, person, files, on } = await owned();
  const made = await schedule(client, [on("too late", files.slice(0, 1))], later());
  // As if carousels had been offered when the schedule was created.
  const [post] = made.publications[0]?.posts ?? [];
  await db
    .update(posts)
    .set({ attachmentPaths: files })
    .where(eq(posts.id, post?.id ?? 0));
  const seen = await publishHere(client, made);
  expect(seen.publications).toMatchObject([
    { status: "FAILED", posts: [{ error: "Pinterest does not take this kind of post" }] },
  ]);
  expect(await callsOn("pinterest", person, "publish")).toEqual([]);
});
