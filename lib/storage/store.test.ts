import { createHash, randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { bucket } from "../testing/bucket";
import { disk } from "./disk";
import { s3Store } from "./s3";
import { discard, type Staged, StreamTooLong, stage } from "./staged";
import type { ObjectName, Store } from "./store";

const MAX = 1000;
const staged = (text: string) => stage(Readable.from([Buffer.from(text)]), MAX);
const textOf = async (object: { stream(): ReadableStream } | undefined) =>
  object && new Response(object.stream()).text();
const isThere = ({ path }: Staged) =>
  stat(path).then(
    () => true,
    () => false,
  );

const inBucket = (): Store =>
  s3Store({
    endpoint: bucket?.S3_ENDPOINT ?? "",
    bucket: bucket?.S3_BUCKET ?? "",
    region: bucket?.S3_REGION ?? "",
    accessKeyId: bucket?.S3_ACCESS_KEY_ID ?? "",
    secretAccessKey: bucket?.S3_SECRET_ACCESS_KEY ?? "",
  });

describe.each<[what: string, can: boolean, store: () => Store]>([
  ["in DATA_DIR", true, () => disk],
  ["on S3", bucket !== undefined, inBucket],
])("an object %s", (_, can, open) => {
  const store = open();

  test.skipIf(!can)("can be read completely once it is stored, and no longer after it is removed", async () => {
    const name: ObjectName = `objects/${randomUUID()}`;
    const file = await staged("0123456789");
    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect(await store.read(name)).toBeUndefined();
    await store.put(name, file, "image/png");
    expect(await isThere(file)).toBe(false);
    expect([await textOf(await store.read(name)), (await store.read(name))?.sizeBytes]).toEqual(["0123456789", 10]);
    const part = await store.read(name, { first: 2, last: 4 });
    expect([await textOf(part), part?.sizeBytes]).toEqual(["234", 10]);
    await store.remove(name);
    await store.remove(name);
    expect(await store.read(name)).toBeUndefined();
  });

  test.skipIf(!can)("can be copied, and the copy does not change when the object is replaced", async () => {
    const name: ObjectName = `uploads/${randomUUID()}`;
    expect(await store.copyOut(name, MAX)).toBeUndefined();
    await store.put(name, await staged("first"), "image/png");
    const first = await store.copyOut(name, MAX);
    await store.put(name, await staged("the second one"), "image/png");
    const second = await store.copyOut(name, MAX);
    expect([first?.sizeBytes, second?.sizeBytes]).toEqual([5, 14]);
    expect((await first?.digest)?.equals(createHash("blake2b512").update("first").digest())).toBe(true);
    const kept: ObjectName = `objects/${randomUUID()}`;
    if (first) await store.put(kept, first, "image/png");
    expect(await textOf(await store.read(kept))).toBe("first");
    await store.remove(kept);
    await expect(store.copyOut(name, 13)).rejects.toThrow(StreamTooLong);
    if (second) await discard(second);
  });

  test.skipIf(!can)("is listed with its size and the time it was written, in the order of the names", async () => {
    const begun = Date.now() - 2_000; // a store may round the time down to a second
    const names = ["a", "0"].map((digit): ObjectName => `objects/${digit}${randomUUID().slice(1)}`);
    for (const name of names) await store.put(name, await staged("abc"), "image/png");
    const found = async () => {
      const all = [];
      for await (const one of store.list("objects")) all.push(one);
      expect(all.map(({ name }) => name)).toEqual(all.map(({ name }) => name).toSorted());
      return all.filter(({ name }) => names.includes(name));
    };
    const listed = await found();
    expect(listed.map(({ name, sizeBytes }) => [name, sizeBytes])).toEqual(names.toReversed().map((name) => [name, 3]));
    for (const { writtenAt } of listed) expect(writtenAt.getTime()).toBeGreaterThanOrEqual(begun);
    for (const name of names) await store.remove(name);
    expect(await found()).toEqual([]);
  });

  test
    .skipIf(!can)
    .each([
      "objects/../secrets/key",
      "objects/..",
      "objects/",
      "objects/a",
      `objects/${randomUUID()}/x`,
      `objects/${randomUUID()}\0`,
      `objects/${randomUUID().toUpperCase()}`,
      `secrets/${randomUUID()}`,
      randomUUID(),
    ])("rejects the name %j, so that no name leads to another path", async (given) => {
    const name = given as ObjectName; // only a defect of Carillon could pass such a name
    const file = await staged("x");
    await expect(store.read(name)).rejects.toThrow("not an object name");
    await expect(store.put(name, file, "image/png")).rejects.toThrow("not an object name");
    await expect(store.copyOut(name, MAX)).rejects.toThrow("not an object name");
    await expect(store.remove(name)).rejects.toThrow("not an object name");
    await discard(file);
  });

  test.skipIf(!can)("is not stored from a file that is gone, and the error reaches the caller", async () => {
    const gone = await staged("x");
    await discard(gone);
    await expect(store.put(`objects/${randomUUID()}`, gone, "image/png")).rejects.toMatchObject({ code: "ENOENT" });
    await expect(store.put("objects/a" as ObjectName, gone, "image/png")).rejects.toThrow("not an object name");
  });
});

describe("a staged file", () => {
  test("M13: is rejected at the first byte above the limit and leaves no file", async () => {
    let sent = 0;
    const endless = Readable.from(
      (function* () {
        for (;;) {
          sent += 100;
          yield Buffer.alloc(100);
        }
      })(),
    );
    await expect(stage(endless, MAX)).rejects.toThrow(StreamTooLong);
    expect(sent).toBeLessThan(MAX + 5_000);
    const exact = await stage(Readable.from([Buffer.alloc(MAX)]), MAX);
    expect(exact.sizeBytes).toBe(MAX);
    await discard(exact);
  });
});
