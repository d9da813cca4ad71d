import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import {
  connectAccount,
  inAnHour,
  jpeg,
  letDue,
  postsOn,
  readResponse,
  schedule,
  settled,
  withWorker,
} from "../testing";
import { withGrants } from "./testing/grants";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const { mine, put, confirm, uploaded } = withGrants();
withWorker();

test("M16: an upload after the confirm or the first use does not change what is published", async () => {
  const { id, person } = await connectAccount(mine.owner, "X_TWITTER");
  const first = await jpeg(300, 200);
  const second = Buffer.concat([await jpeg(20, 10), Buffer.alloc(first.length)]).subarray(0, first.length);
  const confirmed = await uploaded(first);
  expect((await confirm(confirmed.key))[0]).toBe(200);
  const used = await uploaded(first);
  const posts = [{ content: "two", attachmentPaths: [confirmed.key, used.key] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
  const stored = await schedule(mine.caller, publications, inAnHour());
  expect([await put(confirmed, second), await put(used, second)]).toEqual([200, 200]);
  expect((await confirm(used.key))[0]).toBe(200);
  await letDue(stored);
  expect((await settled(mine.caller, stored.id)).overallStatus).toBe("COMPLETED");
  const [post] = await postsOn("x", person);
  expect(post?.media.map((item) => item.sha256)).toEqual([sha256(first), sha256(first)]);
}, 60_000);

test("a key that was never confirmed is inspected when a schedule uses it", async () => {
  const { id } = await connectAccount(mine.owner, "X_TWITTER");
  const { key } = await uploaded(await jpeg(320, 240));
  const keys = async () =>
    ((await readResponse(mine.caller.get("/v1/media")))[1] as { items: { path: string }[] }).items;
  expect(await keys()).not.toContainEqual(expect.objectContaining({ path: key }));
  const posts = [{ content: "first use", attachmentPaths: [key] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
  await schedule(mine.caller, publications, new Date(Date.now() + 86_400_000));
  const known = { path: key, contentType: "image/jpeg", width: 320, height: 240, thumbnailUrl: expect.any(String) };
  expect(await keys()).toContainEqual(expect.objectContaining(known));
});
