import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect, test } from "vitest";
import { checkSetup } from "../../../cli/doctor";
import { db, installation, publications } from "../../db";
import { holdPublishing, publishingHold } from "../../db/installation";
import { networkOf } from "../../networks";
import { as, newOwner } from "../../testing";
import { claimedPost, createDuePost } from "../testing/due";
import { newWorker } from "../testing/workers";
import { claimPublication } from "./claim";
import { publishingState, resumePublishing } from "./pause";
import { storeIntent } from "./steps";

const REASON = "The database is older than its mark";

afterEach(async () => {
  await db.update(installation).set({ heldAt: null, heldReason: null, heldSincePoint: null });
});

describe("while publishing is held", () => {
  test("no publication is claimed, and publishing resume does not change that", async () => {
    const { publicationId } = await createDuePost(networkOf("X_TWITTER"));
    await holdPublishing(REASON);
    expect(await claimPublication(publicationId, newWorker())).toBeUndefined();
    await resumePublishing();
    expect(await claimPublication(publicationId, newWorker())).toBeUndefined();
    await db.update(installation).set({ heldAt: null });
    expect(await claimPublication(publicationId, newWorker())).toBeDefined();
  });

  test("a final call is not announced, and the publication waits without a failed attempt", async () => {
    const { claim, post } = await claimedPost();
    await holdPublishing(REASON);
    await expect(storeIntent(claim, post.id, "post")).rejects.toMatchObject({
      outcome: "WAITING",
      message: "All publishing is held after a restore",
    });
    const [row] = await db.select().from(publications).where(eq(publications.id, claim.publicationId));
    expect(row).toMatchObject({ attempts: 0 });
  });

  test("the status, doctor and the API show the reason", async () => {
    await holdPublishing(REASON, new Date("2026-11-01T00:00:00Z"));
    const held = { reason: REASON, sincePoint: "2026-11-01T00:00:00.000Z" };
    expect(await publishingState()).toMatchObject({ paused: false, held });
    const { problems } = await checkSetup();
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: "failure", problem: expect.stringContaining(REASON) }),
    );
    const me = await as(await newOwner()).get("/v1/me");
    expect(await me.json()).toMatchObject({
      publishingPaused: true,
      publishingHeld: true,
      publishingPausedReason: REASON,
    });
  });

  test("a second hold keeps the first reason and the earlier instant", async () => {
    await holdPublishing(REASON, new Date("2026-11-02T00:00:00Z"));
    await holdPublishing(`another ${randomUUID()}`, new Date("2026-11-01T00:00:00Z"));
    expect(await publishingHold()).toMatchObject({ reason: REASON, sincePoint: "2026-11-01T00:00:00.000Z" });
    await holdPublishing("without an instant");
    expect(await publishingHold()).toMatchObject({ sincePoint: "2026-11-01T00:00:00.000Z" });
  });
});
