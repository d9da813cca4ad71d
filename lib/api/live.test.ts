import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db, users } from "../db";
import { liveReader } from "../notices";
import { createPersonalToken } from "../oauth";
import { notifyDashboards } from "../reviews/schedule-row";
import { newOwner, sessionCookie, shown } from "../testing";
import { deleteUser, listSessions, revokeSession, setSuspended } from "../users";
import { emit, endOfLog } from "../webhooks";
import { readNextBatch } from "../webhooks/reader";
import { api } from ".";
import { streamsOf } from "./live";

/** Generous, because other test files may leave transactions open, which hide later events. */
const PATIENT = { timeout: 60_000 };
/** A stream must end within this time. */
const ENDS_WITHIN_MS = 1_000;

type Message = { id: string; type: string };

/** Opens a stream like a dashboard, and collects its messages. */
async function follow(owner: string, { lastEventId, since }: { lastEventId?: string; since?: string } = {}) {
  const cookie = await sessionCookie(owner);
  const headers = { cookie, ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }) };
  const answer = await api.request(`/live${since === undefined ? "" : `?since=${since}`}`, { headers });
  const messages: Message[] = [];
  let hasEnded = false;
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  const listening = (async () => {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      for (const [, id = "", data = ""] of part.value.matchAll(/^id: (\S+)\ndata: (.+)$/gm)) {
        messages.push({ id, type: JSON.parse(data).type });
      }
    }
    hasEnded = true;
  })();
  return {
    answer,
    messages,
    types: () => messages.map(({ type }) => type),
    hasEnded: () => hasEnded,
    async leave() {
      await reader?.cancel();
      await listening;
    },
  };
}

const happen = (ownerId: string, ...types: ("post.scheduled" | "post.completed")[]) =>
  emit(
    db,
    types.map((type) => ({ ownerId, type, data: { secret: "in the thing" } })),
  );

/** Runs the worker's loop once and waits for the result. */
async function announced(check: () => void): Promise<void> {
  await vi.waitFor(
    async () => {
      await readNextBatch(liveReader);
      check();
    },
    { timeout: 45_000, interval: 100 },
  );
}

test("a dashboard gets the events of its own person only, in order", PATIENT, async () => {
  const [owner, other] = [await newOwner(), await newOwner()];
  await happen(owner, "post.completed"); // before the stream was opened
  await shown(owner);
  const dashboard = await follow(owner);
  expect(dashboard.answer.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  await happen(other, "post.completed");
  await happen(owner, "post.scheduled", "post.completed");
  await announced(() => expect(dashboard.types()).toContain("post.completed"));
  expect(dashboard.types()).toEqual(["open", "post.scheduled", "post.completed"]);
  await dashboard.leave();
  expect(streamsOf(owner)).toEqual([]);
});

test("after a reconnect it gets each missed event once, from any process", PATIENT, async () => {
  const owner = await newOwner();
  const before = await follow(owner);
  await happen(owner, "post.scheduled");
  await announced(() => expect(before.types()).toEqual(["open", "post.scheduled"]));
  await before.leave();
  await happen(owner, "post.completed");
  await shown(owner);
  const after = await follow(owner, { lastEventId: before.messages.at(-1)?.id });
  await announced(() => expect(after.types()).toEqual(["post.completed"]));
  const anew = await follow(owner, { lastEventId: "not a place" });
  await vi.waitFor(() => expect(anew.types()).toEqual(["open"]), 45_000);
  await after.leave();
  await anew.leave();
});

test(
  "a page that says when it was rendered gets what has happened since then, and no request to load everything again",
  PATIENT,
  async () => {
    const owner = await newOwner();
    await happen(owner, "post.scheduled");
    await shown(owner);
    const since = (await endOfLog()).join(".");
    await happen(owner, "post.completed");
    await shown(owner);
    const page = await follow(owner, { since });
    await announced(() => expect(page.types()).toContain("post.completed"));
    expect(page.types()).not.toContain("open");
    // After a loss, the browser asks for the same address with the ID of the last message that it had.
    const again = await follow(owner, { since, lastEventId: page.messages.at(-1)?.id });
    await happen(owner, "post.scheduled");
    await announced(() => expect(again.types()).toEqual(["post.scheduled"]));
    const wrong = await follow(owner, { since: "yesterday" });
    await vi.waitFor(() => expect(wrong.types()).toEqual(["open"]), 45_000);
    await Promise.all([page.leave(), again.leave(), wrong.leave()]);
  },
);

describe("the stream ends within a second", () => {
  test("after signing out; a session in another browser continues", PATIENT, async () => {
    const owner = await newOwner();
    const one = await follow(owner);
    const [session] = await listSessions(owner);
    const two = await follow(owner);
    await revokeSession(owner, session?.id ?? "");
    await vi.waitFor(() => expect(one.hasEnded()).toBe(true), { timeout: ENDS_WITHIN_MS });
    await happen(owner, "post.completed");
    await announced(() => expect(two.types()).toEqual(["open", "post.completed"]));
    await two.leave();
  });

  test.each<[when: string, end: (owner: string) => Promise<unknown>]>([
    ["the person is deleted", deleteUser],
    ["the person is suspended", (owner) => setSuspended(owner, true)],
    [
      "another process sets a new password",
      (owner) =>
        db
          .update(users)
          .set({ sessionEpoch: sql`${users.sessionEpoch} + 1` })
          .where(eq(users.id, owner)),
    ],
  ])("after %s", PATIENT, async (_, end) => {
    const owner = await newOwner();
    const dashboard = await follow(owner);
    // LISTEN starts a moment after the first stream of a process.
    await happen(owner, "post.scheduled");
    await announced(() => expect(dashboard.types()).toContain("post.scheduled"));
    await end(owner);
    await vi.waitFor(() => expect(dashboard.hasEnded()).toBe(true), { timeout: ENDS_WITHIN_MS });
    expect(streamsOf(owner)).toEqual([]);
  });
});

test("401 without a session, 429 for too many streams", async () => {
  const owner = await newOwner();
  expect((await api.request("/live")).status).toBe(401);
  const { access_token } = await createPersonalToken(owner, ["api"]);
  expect((await api.request("/live", { headers: { authorization: `Bearer ${access_token}` } })).status).toBe(401);
  const suspended = await newOwner();
  await setSuspended(suspended, true);
  expect((await follow(suspended)).answer.status).toBe(403);

  const many = await Promise.all(Array.from({ length: 6 }, () => follow(owner)));
  const refused = await follow(owner);
  expect([refused.answer.status, refused.answer.headers.get("retry-after")]).toEqual([429, "60"]);
  await many[0]?.leave();
  const next = await follow(owner);
  expect(next.answer.status).toBe(200);
  for (const one of [...many.slice(1), next]) await one.leave();
});

test("HEAD does not open a stream", async () => {
  const owner = await newOwner();
  const head = await api.request("/live", { method: "HEAD", headers: { cookie: await sessionCookie(owner) } });
  expect([head.status, head.headers.get("content-type"), streamsOf(owner)]).toEqual([
    200,
    "text/event-stream; charset=utf-8",
    [],
  ]);
});

test("a dashboard is notified at once about feedback on its own person's posts only", PATIENT, async () => {
  const [ada, bob] = [await newOwner(), await newOwner()];
  const [one, other] = [await follow(ada), await follow(bob)];
  await vi.waitFor(async () => {
    await notifyDashboards(db, ada);
    expect(one.types()).toContain("feedback.changed");
  }, 30_000);
  expect(other.types()).not.toContain("feedback.changed");
  expect(new Set(one.messages.map(({ id }) => id)).size).toBe(1); // the position in the log does not change
  await Promise.all([one.leave(), other.leave()]);
});
