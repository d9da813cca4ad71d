import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InsufficientStorage } from "../errors";
import { withSettings } from "../testing/settings";
import { withSmallDisk } from "../testing/small-disk";
import { assertFreeSpace, storageErrorOf } from "./free-space";

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

  test("the error of a full disk is a 507 too", async () => {
    const error = await writeFile(join(small ?? "", "too much"), Buffer.alloc(9 * MB)).catch((fault) => fault);
    expect(storageErrorOf(error)).toBeInstanceOf(InsufficientStorage);
  });
});

test("other errors are not converted", () => {
  const error = new Error("anything");
  expect(storageErrorOf(error)).toBe(error);
});
