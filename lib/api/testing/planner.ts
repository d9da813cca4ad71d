import { expect } from "vitest";
import { as, connectAccount, newOwner, readResponse, type Seen, schedule } from "../../testing";

/** The default time of `plan`. */
export const AT = new Date("2031-03-28T09:00:00Z");

/** An owner with two accounts on X who creates schedules and drafts. */
export async function newPlanner() {
  const owner = await newOwner();
  const client = as(owner);
  const [x, other] = [await connectAccount(owner, "X_TWITTER"), await connectAccount(owner, "X_TWITTER")];
  const on = ({ id }: { id: number }, content: string, fields: object = {}) => ({
    socialMediaAccountId: id,
    platformSettings: { type: "TWITTER" },
    posts: [{ content, ...fields }],
  });
  const plan = (publications: object[], at = AT) => schedule(client, publications, at);
  const draft = async (publications: object[], scheduledTime?: string) => {
    const [status, made] = await readResponse(client.post("/v1/posts", { isDraft: true, scheduledTime, publications }));
    expect(status).toBe(201);
    return made as Seen;
  };
  const all = async () => {
    const [, { items }] = (await readResponse(client.get("/v1/posts?limit=100"))) as [number, { items: Seen[] }];
    return items;
  };
  return { owner, client, x, other, on, plan, draft, all };
}
