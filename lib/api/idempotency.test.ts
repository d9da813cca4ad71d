import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../db";
import { as, type Client, connectAccount, formOf, jpeg, newOwner, newPartner, readResponse } from "../testing";

let owner: string;
let caller: Client;
let account: number;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  account = (await connectAccount(owner, "X_TWITTER")).id;
});

const bodyOf = (content: string, id = account) => ({
  scheduledTime: "2031-05-01T12:00:00Z",
  publications: [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content }] }],
});
const GRANT = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: 1000 };
let keys = 0;
const newKey = () => `key ${++keys}`;
const send = (key: string, body: unknown, client = caller) =>
  client.post("/v1/posts", body, { "idempotency-key": key });

async function schedulesWith(content: string): Promise<number> {
  const { rows } = await db.execute(sql`select 1 from posts where content = ${content}`);
  return rows.length;
}

describe("the same key and body", () => {
  test("returns the first answer, marks it as replayed, and creates one schedule", async () => {
    const [key, content] = [newKey(), "idempotent once"];
    const first = await send(key, bodyOf(content));
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
    const made = await readResponse(first);
    for (let again = 0; again < 3; again++) {
      const answer = await send(key, bodyOf(content));
      expect(answer.headers.get("idempotency-replayed")).toBe("true");
      expect(await readResponse(answer)).toEqual(made);
    }
    expect(await schedulesWith(content)).toBe(1);
  });

  test("returns the same bytes", async () => {
    const key = newKey();
    const first = await (await send(key, bodyOf("idempotent bytes"))).text();
    expect(await (await send(key, bodyOf("idempotent bytes"))).text()).toBe(first);
  });

  test("returns it whatever the order of the fields is", async () => {
    const [key, content] = [newKey(), "idempotent order"];
    const made = await readResponse(send(key, bodyOf(content)));
    const [publication] = bodyOf(content).publications;
    const { posts, platformSettings, socialMediaAccountId } = publication ?? {};
    const publications = [{ posts, platformSettings, socialMediaAccountId }];
    const again = await send(key, { publications, scheduledTime: "2031-05-01T12:00:00Z" });
    expect([again.headers.get("idempotency-replayed"), await readResponse(again)]).toEqual(["true", made]);
    expect(await schedulesWith(content)).toBe(1);
  });

  test("returns it even after the schedule was deleted", async () => {
    const key = newKey();
    const made = await readResponse(send(key, bodyOf("idempotent deleted")));
    await caller.delete(`/v1/posts/${(made[1] as { id: number }).id}`);
    expect(await readResponse(send(key, bodyOf("idempotent deleted")))).toEqual(made);
    expect(await schedulesWith("idempotent deleted")).toBe(0);
  });

  test("T13: twenty concurrent requests create one schedule; the others get its answer or 409", async () => {
    const [key, content] = [newKey(), "idempotent parallel"];
    const answers = await Promise.all(Array.from({ length: 20 }, () => readResponse(send(key, bodyOf(content)))));
    expect(await schedulesWith(content)).toBe(1);
    const made = await readResponse(send(key, bodyOf(content)));
    for (const answer of answers) {
      if (answer[0] === 201) expect(answer).toEqual(made);
      else expect(answer).toEqual([409, { error: expect.stringMatching(/^A request with this Idempotency-Key /) }]);
    }
    expect(answers.some(([status]) => status === 201)).toBe(true);
  });

  test("is a new request a day later", async () => {
    const [key, content] = [newKey(), "idempotent yesterday"];
    await send(key, bodyOf(content));
    await db.execute(
      sql`update idempotency_keys set created_at = now() - interval '24 hours 1 second' where key = ${key}`,
    );
    const answer = await send(key, bodyOf(content));
    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([201, null]);
    expect(await schedulesWith(content)).toBe(2);
  });
});

test("the same key with another body is 409", async () => {
  const key = newKey();
  await send(key, bodyOf("idempotent one"));
  expect(await readResponse(send(key, bodyOf("idempotent two")))).toEqual([
    409,
    { error: "Idempotency-Key was already used with a different body" },
  ]);
});

test("an error is not stored, so the key can be used for the corrected request", async () => {
  const key = newKey();
  expect((await send(key, { ...bodyOf("a"), scheduledTime: "never" })).status).toBe(400);
  expect((await send(key, bodyOf("idempotent corrected"))).status).toBe(201);
});

test("the same key of another owner is independent", async () => {
  const other = await newOwner();
  const { id } = await connectAccount(other, "X_TWITTER");
  const key = newKey();
  const [, mine] = await readResponse(send(key, bodyOf("idempotent mine")));
  const [status, theirs] = await readResponse(send(key, bodyOf("idempotent theirs", id), as(other)));
  expect(status).toBe(201);
  expect((theirs as { id: number }).id).not.toBe((mine as { id: number }).id);
});

test("1 to 255 characters", async () => {
  const says = [400, { error: "Idempotency-Key must have 1 to 255 characters" }];
  expect(await readResponse(send("", bodyOf("a")))).toEqual(says);
  expect(await readResponse(send("k".repeat(256), bodyOf("a")))).toEqual(says);
  expect((await send("k".repeat(255), bodyOf("idempotent long"))).status).toBe(201);
});

describe("every other POST", () => {
  test("retry: an error is not stored, and another schedule is another request", async () => {
    const key = newKey();
    const [, made] = await readResponse(caller.post("/v1/posts", bodyOf("idempotent retry")));
    const { id } = made as { id: number };
    const retry = (of: number) => readResponse(caller.post(`/v1/posts/${of}/retry`, {}, { "idempotency-key": key }));
    expect((await retry(id))[0]).toBe(409);
    await db.execute(sql`update publications set status = 'FAILED' where schedule_id = ${id}`);
    await db.execute(sql`update schedules set status = 'FAILED' where id = ${id}`);
    const first = await retry(id);
    expect(first[0]).toBe(200);
    const again = await caller.post(`/v1/posts/${id}/retry`, {}, { "idempotency-key": key });
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    expect(await again.json()).toEqual(first[1]);
    expect(await retry(id + 1)).toEqual([409, { error: "Idempotency-Key was already used with a different body" }]);
  });

  test("a partner's own calls, scoped to the partner", async () => {
    const [one, two] = [await newPartner(), await newPartner()];
    const body = { externalUserId: "someone", name: "Ada" };
    const send = (partner: typeof one, input: object) =>
      partner.post("/v1/connect/users", input, { "idempotency-key": "k" });
    const first = await readResponse(send(one, body));
    const replay = await send(one, body);
    expect(replay.headers.get("idempotency-replayed")).toBe("true");
    expect(await readResponse(replay)).toEqual(first);
    expect((await send(one, { ...body, name: "Eve" })).status).toBe(409);
    const theirs = await send(two, body);
    expect([theirs.status, theirs.headers.get("idempotency-replayed")]).toEqual([200, null]);
  });

  test("an answer for one user is never returned for another", async () => {
    const partner = await newPartner();
    const urlFor = async (externalUserId: string) => {
      await partner.post("/v1/connect/users", { externalUserId, name: "Ada" });
      const input = { platform: "X_TWITTER", redirectUri: "https://a.example/" };
      const headers = {
        "x-api-key": partner.clientId,
        "x-connect-external-user-id": externalUserId,
        "idempotency-key": "k",
      };
      return readResponse(partner.post("/v1/connect/authorize-url", input, headers));
    };
    const first = await urlFor("one");
    expect(first[0]).toBe(200);
    expect(await urlFor("one")).toEqual(first);
    const [status, url] = await urlFor("two");
    expect(status).toBe(200);
    expect(url).not.toBe(first[1]);
  });

  test("both identity headers of a user give the same key for a partner's call about that user", async () => {
    const partner = await newPartner();
    const [, { uuid }] = (await readResponse(
      partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" }),
    )) as [number, { uuid: string }];
    const input = { platform: "X_TWITTER", redirectUri: "https://a.example/" };
    const headers = { "x-api-key": partner.clientId, "idempotency-key": "k" };
    const urlFor = (identity: { [name: string]: string }) =>
      partner.post("/v1/connect/authorize-url", input, { ...headers, ...identity });
    const first = await readResponse(urlFor({ "x-connect-user-id": uuid }));
    expect(first[0]).toBe(200);
    const replay = await urlFor({ "x-connect-external-user-id": "one" });
    expect([replay.headers.get("idempotency-replayed"), await readResponse(replay)]).toEqual(["true", first]);
    expect(await readResponse(urlFor({ "x-connect-external-user-id": "two" }))).toEqual([
      404,
      { error: "Connect user not found: two" },
    ]);
  });

  test("both identity headers of a user give the same key", async () => {
    const partner = await newPartner();
    const made = await readResponse(partner.post("/v1/connect/users", { externalUserId: "one", name: "Ada" }));
    const [, { uuid }] = made as [number, { uuid: string }];
    const start = (identity: { [name: string]: string }) =>
      partner.post("/v1/media/upload/urls", GRANT, { ...identity, "idempotency-key": "k" });
    const first = await readResponse(start({ "x-connect-user-id": uuid }));
    expect(first[0]).toBe(200);
    const replay = await start({ "x-connect-external-user-id": "one" });
    expect([replay.headers.get("idempotency-replayed"), await readResponse(replay)]).toEqual(["true", first]);
  });

  test("uploads: the same file is stored once, and another file is 409", async () => {
    const [bytes, other] = [await jpeg(30, 20), await jpeg(31, 20)];
    const key = newKey();
    const send = (file: Uint8Array, filename = "a.jpg") =>
      caller.request("/v1/media/upload", {
        method: "POST",
        body: formOf({ bytes: file, filename }),
        headers: { "idempotency-key": key },
      });
    const count = async () => (await db.execute(sql`select 1 from media where owner_id = ${owner}`)).rows.length;
    const before = await count();
    const first = await readResponse(send(bytes));
    const again = await send(bytes);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await readResponse(again)).toEqual(first);
    const says = [409, { error: "Idempotency-Key was already used with a different body" }];
    expect(await readResponse(send(other))).toEqual(says);
    expect(await readResponse(send(bytes, "b.jpg"))).toEqual(says);
    expect(await count()).toBe(before + 1);
  });

  test("validation ignores the key, because it changes nothing", async () => {
    const key = newKey();
    for (const input of [{}, { isDraft: true }]) {
      const answer = await caller.post("/v1/posts/validate", input, { "idempotency-key": key });
      expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([200, null]);
    }
  });
});
