import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { InsufficientStorage } from "../errors";
import { withSettings } from "../testing/settings";
import { withSmallDisk } from "../testing/small-disk";
import { assertFreeSpace, reserveSpace, storageErrorOf } from "./free-space";

const MB = 1_048_576;
withSettings({ reservedDiskBytes: 2 * MB });

const small = withSmallDisk();

describe.skipIf(!small)("a disk of 8 MB with a reserve of 2 MB (needs the right to mount one)", () => {
  const check = (megabytes: number) => assertFreeSpace(megabytes * MB, small);

  test("takes files up to the reserve, refuses larger ones, and stays writable for others", async () => {
    await check(5);
    await expect(check(7)).rejects.toThrow(InsufficientStorage);
    await writeFile(join(small ?? "", "media"), Buffer.alloc(5 * MB));
    await expect(check(2)).rejects.toThrow(InsufficientStorage);
    await writeFile(join(small ?? "", "database"), Buffer.alloc(2 * MB));
    await expect(check(0)).rejects.toThrow(InsufficientStorage);
  });

  describe("parallel uploads cannot count on the same free bytes", () => {
    const reserve = (megabytes: number) => reserveSpace(megabytes * MB, small);

    beforeAll(async () => {
      for (const name of ["media", "database"]) await rm(join(small ?? "", name), { force: true });
    });

    test("of two that fit only one at a time, the second is refused until the first has ended", async () => {
      const both = await Promise.allSettled([reserve(4), reserve(4)]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await expect(check(4)).rejects.toThrow(InsufficientStorage);
      for (const one of both) if (one.status === "fulfilled") one.value.release();
      (await reserve(4)).release();
    });

    test("bytes that were written count once", async () => {
      const space = await reserve(4);
      await space.write(4 * MB, () => writeFile(join(small ?? "", "written"), Buffer.alloc(4 * MB)));
      (await reserve(1)).release();
      await expect(reserve(3)).rejects.toThrow(InsufficientStorage);
      space.release();
      await rm(join(small ?? "", "written"));
    });

    test("a file without a declared size is refused when it becomes too large", async () => {
      const space = await reserve(0);
      let writes = 0;
      const add = async () => {
        await space.write(2 * MB, async () => {
          await writeFile(join(small ?? "", `piece ${writes}`), Buffer.alloc(2 * MB));
          writes += 1;
        });
      };
      await add();
      await add();
      await add();
      await expect(add()).rejects.toThrow(InsufficientStorage);
      expect(writes).toBe(3);
      space.release();
      for (let index = 0; index < 3; index++) await rm(join(small ?? "", `piece ${index}`));
    });
  });

  test("the error of a full disk is a 507 too", async () => {
    const error = await writeFile(join(small ?? "", "too much"), Buffer.alloc(9 * MB)).catch((fault) => fault);
    expect(storageErrorOf(error)).toBeInstanceOf(InsufficientStorage);
  });
});

test("other errors are not converted", () => {
  const error = new Error("anything");
  expect(storageErrorOf(error)).toBe(error);
});
