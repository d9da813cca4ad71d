import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { db, mediaConversions } from "../db";
import { perProcess } from "../db/per-process";
import { env } from "../env";
import type { Places } from "../jobs/places";
import { store } from "../storage";
import { as, jpeg, newOwner, nobody, readResponse, upload } from "../testing";
import { mediaAddress } from "./address";
import { convertMedia } from "./convert";
import { type Media, mediaByKeys, openMedia } from "./media";

describe("a conversion of a medium", () => {
  const recipe = { contentType: "image/jpeg", width: 100, height: 50 } as const;
  async function medium(): Promise<{ item: Media; owner: string }> {
    const owner = await newOwner();
    const [, body] = await readResponse(upload(as(owner), await jpeg(200, 100), "Sommer.PNG"));
    const [item] = (await mediaByKeys(owner, [(body as { path: string }).path])).values();
    if (!item) throw new Error("the medium is not there");
    return { item, owner };
  }
  const rowsOf = (item: Media) => db.select().from(mediaConversions).where(eq(mediaConversions.mediaId, item.id));

  test("is made once, even for four concurrent calls, and can be opened and addressed", async () => {
    const { item } = await medium();
    const staged = vi.spyOn(store, "put");
    const all = await Promise.all(Array.from({ length: 4 }, () => convertMedia(item, recipe)));
    expect(staged).toHaveBeenCalledTimes(1);
    staged.mockRestore();
    const again = await convertMedia(item, recipe);
    expect(new Set([...all, again].map(({ id }) => id)).size).toBe(1);
    expect(await rowsOf(item)).toHaveLength(1);
    expect(again).toMatchObject({ contentType: "image/jpeg", filename: "Sommer.jpg", width: 100, height: 50 });
    const bytes = Buffer.from(await new Response(await openMedia(again)).arrayBuffer());
    expect(bytes.length).toBe(again.sizeBytes);
    const served = await nobody.get(mediaAddress(again.id).slice(env.appUrl.length));
    expect([served.status, served.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true);
  });

  test("starts at once while other owners have all places for the files that users send", async () => {
    const { item } = await medium();
    const { intake } = perProcess<{ intake: Places }>("media.workshop", () => {
      throw new Error("the upload of the medium used no workshop");
    });
    const taken = [await intake.take("ada"), await intake.take("bea")];
    const sent = upload(as(await newOwner()), await jpeg(40, 30));
    try {
      expect(await convertMedia(item, recipe)).toMatchObject({ width: 100, height: 50 });
      expect(await Promise.race([sent, "still waiting"])).toBe("still waiting");
    } finally {
      for (const release of taken) release();
    }
    expect((await sent).status).toBe(200);
  });

  test("is removed with its original", async () => {
    const { item, owner } = await medium();
    const conversion = await convertMedia(item, recipe);
    expect((await as(owner).delete(`/v1/media/${item.key.split("/")[1]}`)).status).toBe(204);
    expect(await rowsOf(item)).toEqual([]);
    expect(await store.read(`objects/${conversion.id}`)).toBeUndefined();
    expect((await nobody.get(mediaAddress(conversion.id).slice(env.appUrl.length))).status).toBe(404);
    await expect(convertMedia(item, recipe)).rejects.toThrow("missing from the store");
  });
});
