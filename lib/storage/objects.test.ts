import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { keepObject, readObject, removeObject, stageObject } from ".";

const stage = (id: string, text: string) => stageObject(id, Readable.from([Buffer.from(text)]), new PassThrough());

async function contentOf(id: string, range?: { first: number; last: number }): Promise<string | undefined> {
  const object = await readObject(id, range);
  return object && new Response(object.stream()).text();
}

describe("an object", () => {
  test("appears under its id when it is kept, complete, and goes when it is removed", async () => {
    const id = randomUUID();
    const path = await stage(id, "0123456789");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await contentOf(id)).toBeUndefined();
    await keepObject(id);
    expect([await contentOf(id), await contentOf(id, { first: 2, last: 4 })]).toEqual(["0123456789", "234"]);
    expect((await readObject(id))?.sizeBytes).toBe(10);
    await expect(stat(path)).rejects.toThrow("ENOENT");
    await removeObject(id);
    await removeObject(id);
    expect(await contentOf(id)).toBeUndefined();
  });

  test("is staged once: a second one never mixes with the first", async () => {
    const id = randomUUID();
    await stage(id, "first");
    await expect(stage(id, "second")).rejects.toThrow("EEXIST");
    await keepObject(id);
    expect(await contentOf(id)).toBe("first");
    await removeObject(id);
  });

  test("whose bytes break off leaves a file that can be removed", async () => {
    const id = randomUUID();
    const broken = new Readable({ read() {} });
    broken.on("error", () => {}); // whoever hands a stream over listens to it
    broken.push("half");
    broken.destroy(new Error("cut"));
    await expect(stageObject(id, broken, new PassThrough())).rejects.toThrow();
    await removeObject(id);
    await stage(id, "again");
    await removeObject(id);
  });
});

test.each(["../secrets/key", "..", "", "a", `${randomUUID()}/x`, `${randomUUID()}\0`, randomUUID().toUpperCase()])(
  "%j is no object id, so no path",
  async (id) => {
    await expect(readObject(id)).rejects.toThrow("not an object id");
    await expect(stage(id, "x")).rejects.toThrow("not an object id");
    await expect(removeObject(id)).rejects.toThrow("not an object id");
  },
);
