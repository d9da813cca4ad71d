import { afterEach, expect, test } from "vitest";
import { refreshDestinations } from "../../accounts";
import { env } from "../../env";
import { as, connectAccount, newOwner, readResponse } from "../../testing";

const kept = { ...env.networks };
afterEach(() => void Object.assign(env.networks, kept));

test("an account whose network is no longer set up is rejected when a schedule is created, with the reason", async () => {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "FACEBOOK");
  env.networks.facebook = { mode: "off" };
  const posts = [{ content: "a", chatId: "1" }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "FACEBOOK" }, posts }];
  const body = { scheduledTime: "2031-05-01T12:00:00Z", publications };
  expect(await readResponse(as(owner).post("/v1/posts", body))).toEqual([
    400,
    { error: "publications[0].socialMediaAccountId: Facebook is not set up on this server" },
  ]);
  expect(await readResponse(as(owner).post("/v1/posts/validate", body))).toMatchObject([
    200,
    { valid: false, problems: [{ rule: "account.unavailable" }] },
  ]);
  await expect(refreshDestinations({ id })).rejects.toMatchObject({
    kind: "later",
    message: "Facebook is not set up here",
  });
});
