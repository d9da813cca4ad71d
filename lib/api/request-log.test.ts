import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db, requestLog, users } from "../db";
import { createOwnToken } from "../oauth";
import { as, newOwner, newPartner, nobody, signedInAs } from "../testing";
import { findRequest, flushRequestLog, listRequests } from "./request-log";

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const LIMIT = { limit: 100 };

/** The logged requests of a user, oldest first. */
async function logOf(ownerId: string) {
  await flushRequestLog();
  return (await listRequests({ ownerId }, LIMIT)).items.toReversed();
}

test("logs a request with its ID, status and client, without query values", async () => {
  const ownerId = await newOwner();
  const input = { name: "Nightly report", scopes: ["posts.read"], days: 7 };
  const { token } = await createOwnToken(ownerId, input);
  const bearer = { authorization: `Bearer ${token}` };
  const answer = await nobody.get("/v1/posts?limit=7&cursor=secret%20thing&limit=8", bearer);
  const refused = await nobody.get("/v1/accounts", bearer);
  expect([answer.status, refused.status]).toEqual([400, 403]);
  const lines = await logOf(ownerId);
  const common = { id: expect.any(Number), at: expect.any(String), ownerId, method: "GET", ms: expect.any(Number) };
  expect(lines).toEqual([
    {
      ...{ ...common, path: "/v1/posts?limit&cursor", status: 400, client: "Nightly report" },
      requestId: answer.headers.get("x-request-id"),
    },
    {
      ...{ ...common, path: "/v1/accounts", status: 403, client: "Nightly report" },
      requestId: refused.headers.get("x-request-id"),
    },
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/secret|Bearer/);
});

test("does not log the dashboard's requests or unauthenticated ones", async () => {
  const ownerId = await newOwner();
  expect((await signedInAs(ownerId).get("/v1/accounts")).status).toBe(200);
  expect((await nobody.get("/v1/accounts")).status).toBe(401);
  expect(await logOf(ownerId)).toEqual([]);
});

test("logs a partner's request for the partner and for the user it names", async () => {
  const partner = await newPartner();
  const created = await partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" });
  const { uuid } = (await created.json()) as { uuid: string };
  await partner.get("/v1/accounts", { "x-connect-user-id": uuid });
  const [line] = await logOf(uuid);
  expect(line).toMatchObject({ ownerId: uuid, partnerId: UUID, path: "/v1/accounts", client: "Test partner" });
  const all = await listRequests({ partnerId: line?.partnerId ?? "" }, LIMIT);
  expect(all.items.map(({ path }) => path)).toEqual(["/v1/accounts", "/v1/connect/users"]);
});

test("samples a burst, with separate limits for successes and failures", async () => {
  const ownerId = await newOwner();
  const caller = as(ownerId);
  await flushRequestLog();
  for (let turn = 0; turn < 60; turn++) await caller.get("/v1/accounts");
  for (let turn = 0; turn < 3; turn++) await caller.get("/v1/posts/1");
  const statuses = (await logOf(ownerId)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(3);
  // Another write may have happened in between, which resets the counts.
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(50);
  expect(statuses.length).toBeLessThanOrEqual(63);
});

test("pages and filters the log by failure and request ID, each person their own", async () => {
  const [ownerId, other] = [await newOwner(), await newOwner()];
  const caller = as(ownerId);
  const answers = [await caller.get("/v1/accounts"), await caller.get("/v1/posts/1"), await caller.get("/v1/media")];
  await flushRequestLog();
  const first = await listRequests({ ownerId }, { limit: 2 });
  expect(first.items.map(({ path }) => path)).toEqual(["/v1/media", "/v1/posts/1"]);
  const second = await listRequests({ ownerId }, { limit: 2, before: first.next });
  expect([second.items.map(({ path }) => path), second.next]).toEqual([["/v1/accounts"], undefined]);
  const failed = await listRequests({ ownerId }, { limit: 2, failedOnly: true });
  expect(failed.items.map(({ status }) => status)).toEqual([404]);
  const requestId = answers[0]?.headers.get("x-request-id") ?? "";
  expect((await listRequests({ ownerId }, { limit: 2, requestId })).items).toHaveLength(1);
  expect((await listRequests({ ownerId: other }, { limit: 2, requestId })).items).toEqual([]);
  expect((await listRequests({ ownerId }, { limit: 2, requestId: "' or 1=1" })).items).toEqual([]);
  expect(await findRequest(requestId)).toMatchObject({ ownerId, path: "/v1/accounts" });
  expect(await findRequest(randomUUID())).toBeUndefined();
});

test("skips rows of deleted owners and writes the others", async () => {
  const [gone, stays] = [await newOwner(), await newOwner()];
  await as(gone).get("/v1/accounts");
  await flushRequestLog();
  await as(gone).get("/v1/accounts");
  await as(stays).get("/v1/accounts");
  await db.delete(users).where(eq(users.id, gone));
  expect(await db.select().from(requestLog).where(eq(requestLog.ownerId, gone))).toEqual([]);
  expect(await logOf(stays)).toHaveLength(1);
});
