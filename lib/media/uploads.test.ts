import { expect, test } from "vitest";
import { as, newOwner, told } from "../testing";
import { testUploads } from "./testing/uploads";

testUploads();

test.each<[what: string, change: object, status: number, error: string | RegExp]>([
  ["a file above 100 MB", { sizeBytes: 104_857_601 }, 413, "file is too large: the maximum is 100 MB"],
  ["an empty file", { sizeBytes: 0 }, 400, /^sizeBytes /],
  ["a size that is not whole", { sizeBytes: 1.5 }, 400, /^sizeBytes /],
  ["no size", { sizeBytes: undefined }, 400, "sizeBytes cannot be null"],
  ["no name", { filename: undefined }, 400, "filename cannot be null"],
  ["an empty name", { filename: "" }, 400, /^filename /],
  ["a name of 300 characters", { filename: `${"a".repeat(296)}.jpg` }, 400, /^filename /],
  ["a name with a line break", { filename: "a\r\nX-Evil: 1.jpg" }, 400, "filename holds a control character"],
  ["a name with U+0000", { filename: "a\0.jpg" }, 400, /^filename /],
  ["a folder without a name", { filename: "../" }, 400, "filename names no file"],
  ["a type that is none", { contentType: "picture" }, 400, /^contentType /],
  ["a type with a line break", { contentType: "image/jpeg\r\nX-Evil: 1" }, 400, /^contentType /],
])("M9: %s is not granted", async (_, change, status, error) => {
  const asked = { filename: "a.jpg", contentType: "image/jpeg", sizeBytes: 3, ...change };
  const answer = await told(as(await newOwner()).post("/v1/media/upload/urls", asked));
  expect(answer).toEqual([status, { error: typeof error === "string" ? error : expect.stringMatching(error) }]);
});

test.each([
  ["../../etc/passwd.PNG", "png"],
  ["a.tar.gz", "gz"],
  ["a.🐎", "bin"],
  ["a.a-very-long-extension", "bin"],
  ["noextension", "bin"],
])("M9: the key of %j ends in %j", async (filename, extension) => {
  const owner = await newOwner();
  const [status, body] = await told(
    as(owner).post("/v1/media/upload/urls", { filename, contentType: "image/png", sizeBytes: 3 }),
  );
  expect(status).toBe(200);
  expect((body as { key: string }).key).toMatch(new RegExp(`^${owner}/[0-9a-f-]{36}\\.${extension}$`));
});
