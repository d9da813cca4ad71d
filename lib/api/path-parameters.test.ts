import { beforeAll, expect, test } from "vitest";
import { as, connectAccount, newOwner, readResponse } from "../testing";
import { newPartner } from "../testing/owners";
import { routes } from "./app";

/** Text that PostgreSQL cannot store, a broken escape, and text that is longer than any ID. */
const ODD = ["%00", "a%00b", "%ff", "%ed%a0%80", "'", "a".repeat(5_000)];

let person: ReturnType<typeof as>;
let partner: Awaited<ReturnType<typeof newPartner>>;

beforeAll(async () => {
  person = as(await newOwner());
  partner = await newPartner();
});

test("an ID has one spelling; another text with its value is 404", async () => {
  const owner = await newOwner();
  const { id: account } = await connectAccount(owner, "X_TWITTER");
  const [, made] = await readResponse(
    as(owner).post("/v1/posts", {
      isDraft: true,
      publications: [
        { socialMediaAccountId: account, platformSettings: { type: "TWITTER" }, posts: [{ content: "a" }] },
      ],
    }),
  );
  const { id } = made as { id: number };
  expect((await as(owner).get(`/v1/posts/${id}`)).status).toBe(200);
  for (const text of [`0${id}`, ` ${id}`, `${id} `, `${id}.0`, `+${id}`, `${id}e0`, `-${id}`, `0x${id.toString(16)}`]) {
    const answer = await readResponse(as(owner).get(`/v1/posts/${encodeURIComponent(text)}`));
    expect(answer).toEqual([404, { error: `Posting schedule not found: ${text}` }]);
  }
  const listed = async (accountId: string) =>
    (await readResponse(as(owner).get(`/v1/posts?accountId=${accountId}`)))[1];
  expect(await listed(String(account))).toMatchObject({ items: [{ id }] });
  expect(await listed(`0${account}`)).toMatchObject({ items: [] });
});

const withParameters = routes.filter(({ path }) => path.includes("{"));

test.each(withParameters.map(({ method, path, scope }) => [method.toUpperCase(), path, scope] as const))(
  "%s %s refuses odd text in its address",
  async (method, path, scope) => {
    const caller = scope === "partner" ? partner : person;
    for (const [name] of path.matchAll(/\{\w+\}/g)) {
      for (const odd of ODD) {
        const address = path.replace(name, odd).replace(/\{\w+\}/g, "1");
        const { status } = await caller.request(address, { method });
        expect(status, address.slice(0, 80)).toBeGreaterThanOrEqual(400);
        expect(status, address.slice(0, 80)).toBeLessThan(500);
      }
    }
  },
);
