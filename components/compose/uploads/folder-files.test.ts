import { describe, expect, test } from "vitest";
import { type Entry, filesInFolders, MAX_FILES } from "./folder-files";

/** Imitates Chromium: a file's type by its name, and a folder's entries in batches. */
const AT_A_TIME = 100;
const TYPES: { [ending: string]: string } = { jpg: "image/jpeg", mp4: "video/mp4", txt: "text/plain" };

function file(name: string): Entry {
  const type = TYPES[name.split(".").at(-1) ?? ""] ?? "";
  return { isDirectory: false, name, file: (found) => queueMicrotask(() => found(new File(["a"], name, { type }))) };
}

function folder(name: string, ...entries: Entry[]) {
  const createReader = () => {
    let read = 0;
    return {
      readEntries(found: (some: Entry[]) => void) {
        const some = entries.slice(read, read + AT_A_TIME);
        read += some.length;
        queueMicrotask(() => found(some));
      },
    };
  };
  return { isDirectory: true as const, name, createReader };
}

async function told(...folders: ReturnType<typeof folder>[]) {
  const { files, leftOut } = await filesInFolders(folders);
  return { files: files.map(({ name }) => name), leftOut };
}

const pictures = (count: number) => Array.from({ length: count }, (_, index) => file(`${index + 1}.jpg`));

describe("a folder", () => {
  test("yields its pictures and videos, including subfolders, in natural order", async () => {
    const deep = folder("b", file("2.mp4"), folder("deep", file("1.jpg")));
    expect(await told(folder("Bells", file("10.jpg"), deep, file("9.jpg")))).toEqual({
      files: ["9.jpg", "10.jpg", "2.mp4", "1.jpg"],
      leftOut: [],
    });
  });

  test("yields more files than the browser returns in one batch", async () => {
    const hidden = Array.from({ length: 250 }, (_, index) => file(`.${index}`));
    expect((await told(folder("Bells", ...hidden, ...pictures(40)))).files).toHaveLength(40);
  });

  test.each([
    [[file("a.jpg"), file("b.txt")], "Bells: 1 file is neither a picture, a video nor a PDF"],
    [[file("a.jpg"), file("b.txt"), file("c")], "Bells: 2 files are neither a picture, a video nor a PDF"],
    [[file("b.txt")], "Bells: holds no pictures or videos"],
    [[], "Bells: holds no pictures or videos"],
  ])("reports what was left out (%#)", async (entries, says) => {
    expect((await told(folder("Bells", ...entries))).leftOut).toEqual([says]);
  });

  test("ignores system files silently", async () => {
    const own = [".DS_Store", "._a.jpg", "Thumbs.db", "desktop.ini"].map(file);
    expect(await told(folder("Bells", ...own, file("a.jpg")))).toEqual({ files: ["a.jpg"], leftOut: [] });
  });

  test("reports unreadable entries and keeps what was read before", async () => {
    const broken: Entry = { isDirectory: false, name: "b.jpg", file: (_, failed) => failed(new Error("It is gone")) };
    expect(await told(folder("Bells", file("a.jpg"), broken))).toEqual({
      files: ["a.jpg"],
      leftOut: ["Bells: could not be read whole: It is gone"],
    });
  });
});

describe("too many files", () => {
  test("yields the first files across all folders", async () => {
    expect(await told(folder("All", ...pictures(MAX_FILES)))).toMatchObject({ leftOut: [] });
    const { files, leftOut } = await told(
      folder("Old", ...pictures(99)),
      folder("New", ...pictures(2)),
      folder("Newer", file("a.jpg")),
    );
    expect([files.length, files.at(-1)]).toEqual([MAX_FILES, "1.jpg"]);
    expect(leftOut).toEqual([
      "New: has more files than can be added at once. Pictures and videos read from it: 1",
      "Newer: has more files than can be added at once. Pictures and videos read from it: 0",
    ]);
  });

  test("stops in an endless tree", async () => {
    const endless = (): Entry => ({
      ...folder("Round"),
      createReader: () => folder("Round", endless()).createReader(),
    });
    const { leftOut } = await told(folder("Tower", file("a.jpg"), endless()));
    expect(leftOut).toEqual(["Tower: has more files than can be added at once. Pictures and videos read from it: 1"]);
  });
});
