import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mp4 } from "../../../sandbox/testing/mp4";
import { inWorkshop } from ".";
import { inspectInProcess } from "./inspect";
import { rewrapVideo } from "./rewrap-video";

const CHILDREN = `/proc/${process.pid}/task/${process.pid}/children`;
const MB = 1_048_576;
const recipe = { contentType: "video/mp4", width: 720, height: 1280, rewrap: true } as const;

let folder: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "carillon-rewrap-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function stored(bytes: Uint8Array): Promise<{ path: string; to: string }> {
  const [path, to] = [join(folder, `${count}.mp4`), join(folder, `${count++}-rewrapped.mp4`)];
  await writeFile(path, bytes);
  return { path, to };
}

/** The most memory that any process of the workshop has used, in megabytes (proc(5)). */
function peakMb(): number {
  const pids = readFileSync(CHILDREN, "utf8").split(" ").filter(Boolean);
  const peaks = pids.map((pid) => {
    const isWorkshop = readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("workshop.js");
    const status = isWorkshop ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  });
  return Math.max(...peaks);
}

describe("a rewrapped video", () => {
  test("has its index in front, and every picture at its time", async () => {
    const { path, to } = await stored(mp4({ seconds: 2, fps: 25, isFastStart: false }));
    const made = await rewrapVideo({ path, to, recipe });
    const bytes = await readFile(to);
    expect(made).toEqual({ contentType: "video/mp4", width: 720, height: 1280, sizeBytes: bytes.length });
    expect(bytes.indexOf("moov")).toBeLessThan(bytes.indexOf("mdat"));
    const [from, seen] = [await inspectInProcess(path), await inspectInProcess(to)];
    expect(from.details.index).toBe("end");
    expect(seen).toEqual({ ...from, details: { ...from.details, index: "front" } });
  });

  test("is not made of a video whose edit list hides a part, even if nothing is recorded about it", async () => {
    const whole = Buffer.from(mp4({ seconds: 2, fps: 25 }));
    const { path, to } = await stored(withEdits(whole, [{ duration: 25_000, mediaTime: 0 }]));
    expect((await inspectInProcess(path)).details.editList).toBe("cut");
    await expect(rewrapVideo({ path, to, recipe })).rejects.toThrow("an edit list hides a part of this video");
  });

  test.skipIf(!existsSync(CHILDREN))("takes far less memory for an index behind 90 MB than the file has", async () => {
    const turn = { ownerId: "anyone", lane: "publishing" } as const;
    const small = await stored(mp4({ seconds: 7, fps: 30, sampleBytes: 52_000, isFastStart: false }));
    await inWorkshop("convert", { ...small, recipe }, turn);
    const before = peakMb();
    const large = await stored(mp4({ seconds: 60, fps: 30, sampleBytes: 52_000, isFastStart: false }));
    const { sizeBytes } = await inWorkshop("convert", { ...large, recipe }, turn);
    expect(sizeBytes).toBeGreaterThan(89 * MB);
    expect(peakMb() - before).toBeLessThan(60);
  });
});

describe("edit lists", () => {
  // The film has 2 seconds, in units of 1/25,000 of a second.
  const whole = { duration: 50_000, mediaTime: 0 };
  test.each<[what: string, edits: Parameters<typeof withEdits>[1], editList: string | undefined]>([
    ["that show all of it only align the track", [whole], "start"],
    ["that wait first only align the track", [{ duration: 5_000, mediaTime: -1 }, whole], "start"],
    ["of no stated length only align the track", [{ ...whole, duration: 0 }], "start"],
    ["that leave out the end cut it", [{ ...whole, duration: 40_000 }], "cut"],
    ["that leave out the start cut it", [{ duration: 40_000, mediaTime: 10_000 }], "cut"],
    [
      "with two parts cut it",
      [
        { duration: 25_000, mediaTime: 0 },
        { duration: 25_000, mediaTime: 25_000 },
      ],
      "cut",
    ],
    ["at another speed cut it", [{ ...whole, rate: 0x20000 }], "cut"],
    ["that show nothing cut it", [{ duration: 50_000, mediaTime: -1 }], "cut"],
  ])("%s", async (_, edits, editList) => {
    const { path } = await stored(withEdits(Buffer.from(mp4({ seconds: 2, fps: 25, isFastStart: false })), edits));
    expect((await inspectInProcess(path)).details).toMatchObject({ index: "end", editList });
  });
});

/** Adds an edit list to the track of a film that has none (ISO/IEC 14496-12, 8.6.6). */
function withEdits(film: Buffer, edits: { duration: number; mediaTime: number; rate?: number }[]): Buffer {
  const list = Buffer.alloc(24 + edits.length * 12);
  list.writeUInt32BE(list.length, 0);
  list.write("edts", 4);
  list.writeUInt32BE(list.length - 8, 8);
  list.write("elst", 12);
  list.writeUInt32BE(edits.length, 20);
  for (const [index, { duration, mediaTime, rate = 0x10000 }] of edits.entries()) {
    list.writeUInt32BE(duration, 24 + index * 12);
    list.writeInt32BE(mediaTime, 28 + index * 12);
    list.writeUInt32BE(rate, 32 + index * 12);
  }
  const media = film.indexOf("mdia") - 4;
  const made = Buffer.concat([film.subarray(0, media), list, film.subarray(media)]);
  for (const type of ["moov", "trak"]) {
    const at = made.indexOf(type) - 4;
    made.writeUInt32BE(made.readUInt32BE(at) + list.length, at);
  }
  const isFront = made.indexOf("moov") < made.indexOf("mdat");
  const offset = made.indexOf("stco") + 12;
  if (isFront) made.writeUInt32BE(made.readUInt32BE(offset) + list.length, offset);
  return made;
}
