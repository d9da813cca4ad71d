import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { db } from "../db";
import { as, type Client, connect, newOwner, told } from "../testing";

let owner: string;
let caller: Client;
let account: number;

beforeAll(async () => {
  owner = await newOwner();
  caller = as(owner);
  account = (await connect(owner, "X_TWITTER")).id;
});

const bodyOf = (content: string, id = account) => ({
  scheduledTime: "2031-05-01T12:00:00Z",
  publications: [{ socialMediaAccountId: id, platformSettings: { type: "TWITTER" }, posts: [{ content }] }],
});
let keys = 0;
const newKey = () => `key ${++keys}`;
const send = (key: string, body: unknown, client = caller) =>
  client.post("/v1/posts", body, { "idempotency-key": key });

async function schedulesWith(content: string): Promise<number> {
  const { rows } = await db.execute(sql`select 1 from posts where content = ${content}`);
  return rows.length;
}

describe("the same key and body", () => {
  test("gives the first answer again and says so; there is one schedule", async () => {
    const [key, content] = [newKey(), "idempotent once"];
    const first = await send(key, bodyOf(content));
    expect([first.status, first.headers.get("idempotency-replayed")]).toEqual([201, null]);
    const made = await told(first);
    for (let again = 0; again < 3; again++) {
      const answer = await send(key, bodyOf(content));
      expect(answer.headers.get("idempotency-replayed")).toBe("true");
      expect(await told(answer)).toEqual(made);
    }
    expect(await schedulesWith(content)).toBe(1);
  });

  test("gives it even after the schedule was deleted", async () => {
    const key = newKey();
    const made = await told(send(key, bodyOf("idempotent deleted")));
    await caller.delete(`/v1/posts/${(made[1] as { id: number }).id}`);
    expect(await told(send(key, bodyOf("idempotent deleted")))).toEqual(made);
    expect(await schedulesWith("idempotent deleted")).toBe(0);
  });

  test("T13: twenty at once make one schedule; the others get its answer or are told to wait", async () => {
    const [key, content] = [newKey(), "idempotent parallel"];
    const answers = await Promise.all(Array.from({ length: 20 }, () => told(send(key, bodyOf(content)))));
    expect(await schedulesWith(content)).toBe(1);
    const made = await told(send(key, bodyOf(content)));
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
  expect(await told(send(key, bodyOf("idempotent two")))).toEqual([
    409,
    { error: "Idempotency-Key was used before with another body" },
  ]);
});

test("a refused request keeps nothing: the key is free for the corrected one", async () => {
  const key = newKey();
  expect((await send(key, { ...bodyOf("a"), scheduledTime: "never" })).status).toBe(400);
  expect((await send(key, bodyOf("idempotent corrected"))).status).toBe(201);
});

test("another owner's same key is another key", async () => {
  const other = await newOwner();
  const { id } = await connect(other, "X_TWITTER");
  const key = newKey();
  const [, mine] = await told(send(key, bodyOf("idempotent mine")));
  const [status, theirs] = await told(send(key, bodyOf("idempotent theirs", id), as(other)));
  expect(status).toBe(201);
  expect((theirs as { id: number }).id).not.toBe((mine as { id: number }).id);
});

test("1 to 255 characters", async () => {
  const says = [400, { error: "Idempotency-Key must have 1 to 255 characters" }];
  expect(await told(send("", bodyOf("a")))).toEqual(says);
  expect(await told(send("k".repeat(256), bodyOf("a")))).toEqual(says);
  expect((await send("k".repeat(255), bodyOf("idempotent long"))).status).toBe(201);
});
