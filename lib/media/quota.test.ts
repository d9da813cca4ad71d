import { describe, expect, test } from "vitest";
import { mediaQuotaLockText } from "../db/locks";
import { env } from "../env";
import { store, uploadOf } from "../storage";
import { as, connectAccount, jpeg, newOwner, readResponse, schedule, upload, uploaded } from "../testing";
import { whileTurnTaken } from "../testing/held";
import { withSettings } from "../testing/settings";
import { withGrants } from "./testing/grants";

const MB = 1_048_576;
withSettings({ quotas: { mediaBytes: MB, openGrants: 3, queuedImports: 2, publicationsPerDay: 10 } });

const grants = withGrants();

const grant = (client: ReturnType<typeof as>, sizeBytes: number) =>
  readResponse(client.post("/v1/media/upload/urls", { filename: "a.jpg", contentType: "image/jpeg", sizeBytes }));

describe("a user's quota", () => {
  test("counts stored files and open grants; the refusal states what is used, the limit and what to do", async () => {
    const client = as(await newOwner());
    const { length } = await jpeg();
    await uploaded(client, await jpeg());
    expect((await grant(client, MB - length - 5_000))[0]).toBe(200);
    const [status, body] = await grant(client, 10_000);
    expect([status, body]).toEqual([
      409,
      {
        error: expect.stringMatching(
          /^Your files use [\d,]+ of 1,048,576 bytes, and this file has 10,000\. Delete files that you no longer need, or ask/,
        ),
      },
    ]);
    expect((await grant(client, 1_000))[0]).toBe(200);
  });

  test("is not passed by two parallel uploads that fit only one at a time", async () => {
    const owner = await newOwner();
    const client = as(owner);
    const bytes = await jpeg();
    expect((await grant(client, MB - Math.floor(bytes.length * 1.5)))[0]).toBe(200);
    const both = [1, 2].map(() => () => upload(client, bytes));
    const answers = await whileTurnTaken(mediaQuotaLockText(owner), both);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("is free again when a file is deleted", async () => {
    const client = as(await newOwner());
    const bytes = await jpeg();
    const key = await uploaded(client, bytes);
    expect((await grant(client, MB - Math.floor(bytes.length * 1.5)))[0]).toBe(200);
    expect((await upload(client, bytes)).status).toBe(409);
    await client.delete(`/v1/media/${key.split("/")[1]}`);
    expect((await upload(client, bytes)).status).toBe(200);
  });

  test("is not passed with uploads to a grant that was confirmed or rejected, which are not kept", async () => {
    const { put, confirm, uploaded: uploadedByGrant } = grants;
    const [bytes, noPicture] = [await jpeg(), Buffer.from("not a picture")];
    const isKept = async ({ key }: { key: string }) => (await store.read(uploadOf(key))) !== undefined;
    const open = await uploadedByGrant(bytes);
    const [confirmed, rejected] = [await uploadedByGrant(bytes), await uploadedByGrant(noPicture)];
    expect([(await confirm(confirmed.key))[0], (await confirm(rejected.key))[0]]).toEqual([200, 400]);
    const later = [await put(open, bytes), await put(confirmed, bytes), await put(rejected, noPicture)];
    expect(later).toEqual([200, 200, 200]);
    expect([await isKept(open), await isKept(confirmed), await isKept(rejected)]).toEqual([true, false, false]);
  });

  test("limits open grants, also of parallel requests", async () => {
    const owner = await newOwner();
    const client = as(owner);
    const all = Array.from({ length: 6 }, () => () => grant(client, 10));
    const answers = await whileTurnTaken(mediaQuotaLockText(owner), all);
    expect(answers.map(([status]) => status).sort()).toEqual([200, 200, 200, 409, 409, 409]);
    expect((await grant(client, 10))[1]).toEqual({
      error:
        "You have 3 open upload grants, and the limit is 3. Confirm the files that you have uploaded, or wait until the grants expire after ten minutes",
    });
  });

  test("limits unfinished imports, also of parallel requests, of one user and not of others", async () => {
    const owner = await newOwner();
    const client = as(owner);
    const begin = (who: typeof client) =>
      readResponse(who.post("/v1/media/upload/import", { url: "https://example.com/a.jpg" }));
    const three = [1, 2, 3].map(() => () => begin(client));
    const answers = await whileTurnTaken(mediaQuotaLockText(owner), three);
    expect(answers.map(([status]) => status).sort()).toEqual([202, 202, 409]);
    expect(await begin(client)).toEqual([
      409,
      { error: "You have 2 unfinished imports, and the limit is 2. Start more when some of them have ended" },
    ]);
    expect((await begin(as(await newOwner())))[0]).toBe(202);
  });
});

describe("a disk without free space above the reserve", () => {
  const nothingFree = { reservedDiskBytes: Number.MAX_SAFE_INTEGER };

  test("refuses uploads, grants and uploads to earlier grants with 507, while everything else goes on", async () => {
    const owner = await newOwner();
    const client = as(owner);
    const bytes = await jpeg();
    const earlier = await grants.grant(bytes);
    const { id: socialMediaAccountId } = await connectAccount(owner, "X_TWITTER");
    const kept = env.reservedDiskBytes;
    Object.assign(env, nothingFree);
    try {
      const error =
        "The service has no space for new files at the moment. Try again later; the operator has to free some";
      const refused = await upload(client, await jpeg());
      expect(await readResponse(refused)).toEqual([507, { error }]);
      expect(refused.headers.get("retry-after")).toBe("5");
      expect(await grant(client, 10)).toEqual([507, { error }]);
      expect(await grants.put(earlier, bytes)).toBe(507);
      expect((await client.get("/v1/media")).status).toBe(200);
      const post = { socialMediaAccountId, platformSettings: { type: "TWITTER" }, posts: [{ content: "still here" }] };
      expect((await schedule(client, [post], new Date("2031-05-01T12:00:00Z"))).id).toEqual(expect.any(Number));
    } finally {
      Object.assign(env, { reservedDiskBytes: kept });
    }
    expect(await grants.put(earlier, bytes)).toBe(200);
  });
});
