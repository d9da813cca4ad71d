import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UnusableFile } from "./file-errors";
import { type InspectedFile, inspectFile } from "./inspect";
import { filmOf, films, hasFfmpeg, soundOnly, unsupportedFilms } from "./testing/films";
import { oddFiles } from "./testing/odd-files";
import { pictures } from "./testing/pictures";

/** Where a file is cut: near its beginning, in its middle, and just before its end. */
const CUTS: [where: string, keep: (length: number) => number][] = [
  ["after 40 bytes", () => 40],
  ["in its middle", (length) => Math.floor(length / 2)],
  ["before its last tenth", (length) => Math.floor(length * 0.9)],
];
const GARBAGE = Buffer.from("PK\x03\x04 a file that begins where the film ends");

/** The peak memory of all processes during this test, in megabytes above the start (Linux, proc(5)). */
const memory = memoryOf();
let judged = 0;

async function look(bytes: Uint8Array): Promise<InspectedFile> {
  const path = join(tmpdir(), `carillon-corpus-${randomUUID()}`);
  await writeFile(path, bytes);
  judged += 1;
  try {
    return await inspectFile(path, "anyone");
  } finally {
    await rm(path);
  }
}
const refused = (bytes: Uint8Array) => expect(look(bytes)).rejects.toThrow(UnusableFile);

beforeAll(async () => {
  await look(await (pictures[0]?.[2]() ?? Buffer.alloc(0)));
  memory.begin();
});

describe.each(pictures)("%s", (_, type, make) => {
  let whole: Buffer;
  beforeAll(async () => {
    whole = await make();
  });
  test("is accepted when complete", async () => {
    expect(await look(whole)).toMatchObject({ contentType: type });
  });
  test.each(CUTS)("is rejected when cut %s, because pixels are missing", async (_, keep) => {
    await refused(whole.subarray(0, keep(whole.length)));
  });
});

describe.each(oddFiles)("%s", (_, make, expected, because) => {
  test(`type` in expected ? `is taken: ${because}` : `is refused: ${because}`, async () => {
    const bytes = await make();
    if ("type" in expected) expect(await look(bytes)).toMatchObject({ contentType: expected.type });
    else await expect(look(bytes)).rejects.toThrow(expected.refused);
  });
});

describe.skipIf(!hasFfmpeg)("films from ffmpeg", () => {
  describe.each(films)("%s", (what, extension, args, type) => {
    let whole: Buffer;
    beforeAll(async () => {
      whole = await filmOf([what, extension, args]);
    });
    test("is accepted when every packet of every track is there", async () => {
      const found = await look(whole);
      expect(found).toMatchObject({ contentType: type, width: 160, height: 120 });
      // The last audio packet of a codec may reach a little beyond the video.
      expect(Math.floor((found.durationSeconds ?? 0) * 10)).toBe(20);
      expect(found.details).toMatchObject({ frameRate: 10, hasAudio: args.includes("-c:a") });
    });
    test.each(CUTS)("is rejected when cut %s, because packets are missing", async (_, keep) => {
      await refused(whole.subarray(0, keep(whole.length)));
    });
    test("is rejected with extra bytes at its end, which may be another file", async () => {
      await refused(Buffer.concat([whole, GARBAGE]));
    });
  });

  test.each(unsupportedFilms)("%s is rejected as an unsupported type", async (what, extension, args, type) => {
    await expect(look(await filmOf([what, extension, args]))).rejects.toThrow(type);
  });

  test.each(soundOnly)("%s is rejected without a video track", async (...film) => {
    await refused(await filmOf(film));
  });
});

afterAll(() => {
  // T17: at least 120 files, and the memory of all processes together grows by less than 150 MB.
  expect(judged).toBeGreaterThanOrEqual(hasFfmpeg ? 160 : 105);
  expect(memory.grownMb()).toBeLessThan(150);
});

function memoryOf() {
  const statusOf = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/status`, "utf8");
    } catch {
      return "";
    }
  };
  const mb = (pid: number, what: "VmRSS" | "VmHWM") =>
    Number(new RegExp(`${what}:\\s+(\\d+)`).exec(statusOf(pid))?.[1] ?? 0) / 1024;
  const children = () => {
    try {
      const list = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ");
      return list.filter(Boolean).map(Number);
    } catch {
      return [];
    }
  };
  const sum = (what: "VmRSS" | "VmHWM") => [process.pid, ...children()].reduce((all, pid) => all + mb(pid, what), 0);
  let before = 0;
  return {
    begin() {
      before = sum("VmRSS");
    },
    grownMb: () => sum("VmHWM") - before,
  };
}
