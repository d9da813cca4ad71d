import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connect, jpeg, postsOn, schedule, settled, withWorker } from "../testing";
import { withGrants } from "./testing/grants";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const { mine, put, confirm, uploaded } = withGrants();
withWorker();

test("M16: what is put after a confirm, or after the first use, changes nothing that is published", async () => {
  const { id, person } = await connect(mine.owner, "X_TWITTER");
  const first = await jpeg(300, 200);
  const second = Buffer.concat([await jpeg(20, 10), Buffer.alloc(first.length)]).subarray(0, first.length);
  const confirmed = await uploaded(first);
  expect((await confirm(confirmed.key))[0]).toBe(200);
  const used = await uploaded(first);
  const posts = [{ content: "two", attachmentPaths: [confirmed.key, used.key] }];
  const publications = [{ socialMediaAccountId: id, platformSettings: { type: "X_TWITTER" }, posts }];
  const stored = await schedule(mine.caller, publications, new Date(Date.now() + 2_000));
  expect([await put(confirmed, second), await put(used, second)]).toEqual([200, 200]);
  expect((await confirm(used.key))[0]).toBe(200);
  expect((await settled(mine.caller, stored.id, 30_000)).overallStatus).toBe("COMPLETED");
  const [post] = await postsOn("x", person);
  expect(post?.media.map((item) => item.sha256)).toEqual([sha256(first), sha256(first)]);
}, 60_000);
