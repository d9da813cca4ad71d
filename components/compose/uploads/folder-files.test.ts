import { describe, expect, test } from "vitest";
import { type Entry, filesInFolders, MAX_FILES } from "./folder-files";

/** As Chromium gives them: a file's kind by its name, and of a folder at most so many at a time. */
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

describe("of a folder", () => {
  test("come its pictures and videos and those of the folders within, by name as people count", async () => {
    const deep = folder("b", file("2.mp4"), folder("deep", file("1.jpg")));
    expect(await told(folder("Bells", file("10.jpg"), deep, file("9.jpg")))).toEqual({
      files: ["9.jpg", "10.jpg", "2.mp4", "1.jpg"],
      leftOut: [],
    });
  });

  test("comes more than a browser tells at a time", async () => {
    const hidden = Array.from({ length: 250 }, (_, index) => file(`.${index}`));
    expect((await told(folder("Bells", ...hidden, ...pictures(40)))).files).toHaveLength(40);
  });

  test.each([
    [[file("a.jpg"), file("b.txt")], "Bells: 1 file is neither a picture nor a video"],
    [[file("a.jpg"), file("b.txt"), file("c")], "Bells: 2 files are neither a picture nor a video"],
    [[file("b.txt")], "Bells: holds no pictures or videos"],
    [[], "Bells: holds no pictures or videos"],
  ])("is said what is left out (%#)", async (entries, says) => {
    expect((await told(folder("Bells", ...entries))).leftOut).toEqual([says]);
  });

  test("nothing is said of what systems put there", async () => {
    const own = [".DS_Store", "._a.jpg", "Thumbs.db", "desktop.ini"].map(file);
    expect(await told(folder("Bells", ...own, file("a.jpg")))).toEqual({ files: ["a.jpg"], leftOut: [] });
  });

  test("what cannot be read is said, and what was read before is taken", async () => {
    const broken: Entry = { isDirectory: false, name: "b.jpg", file: (_, failed) => failed(new Error("It is gone")) };
    expect(await told(folder("Bells", file("a.jpg"), broken))).toEqual({
      files: ["a.jpg"],
      leftOut: ["Bells: could not be read whole: It is gone"],
    });
  });
});

describe("of more than can be added at once", () => {
  test("come the first, over all folders together", async () => {
    expect(await told(folder("All", ...pictures(MAX_FILES)))).toMatchObject({ leftOut: [] });
    const { files, leftOut } = await told(
      folder("Old", ...pictures(99)),
      folder("New", ...pictures(2)),
      folder("Newer", file("a.jpg")),
    );
    expect([files.length, files.at(-1)]).toEqual([MAX_FILES, "1.jpg"]);
    expect(leftOut).toEqual([
      "New: holds more than can be added at once; only the first picture or video was looked at",
      "Newer: holds more than can be added at once; nothing of it was looked at",
    ]);
  });

  test("a tree without end is left after a while", async () => {
    const endless = (): Entry => ({
      ...folder("Round"),
      createReader: () => folder("Round", endless()).createReader(),
    });
    const { leftOut } = await told(folder("Tower", file("a.jpg"), endless()));
    expect(leftOut).toEqual([
      "Tower: holds more than can be added at once; only the first picture or video was looked at",
    ]);
  });
});
