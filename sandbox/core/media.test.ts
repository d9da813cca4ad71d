import { expect, test } from "vitest";
import { gif, jpeg } from "../testing/media";
import { mp4 } from "../testing/mp4";
import { inspectMedia } from "./media";

test("reads type and dimensions of an image from its bytes", async () => {
  expect(await inspectMedia(await jpeg(640, 480))).toEqual({
    kind: "image",
    type: "image/jpeg",
    width: 640,
    height: 480,
    frames: 1,
  });
});

test("counts the frames of an animation and reads the size of one", async () => {
  expect(await inspectMedia(await gif())).toEqual({
    kind: "image",
    type: "image/gif",
    width: 32,
    height: 32,
    frames: 2,
  });
});

test("reads duration, codec and index position of a video from the container", async () => {
  const video = {
    kind: "video",
    type: "video/mp4",
    width: 720,
    height: 1280,
    durationSeconds: 5,
    codec: "avc",
    fps: 30,
  };
  expect(await inspectMedia(mp4())).toMatchObject({ ...video, isFastStart: true, hasSquarePixels: true });
  expect(await inspectMedia(mp4({ pixelAspect: [4, 3] }))).toMatchObject({ hasSquarePixels: false });
  expect(await inspectMedia(mp4({ isFastStart: false }))).toMatchObject({ ...video, isFastStart: false });
});

test("reports `other` for a file that cannot be decoded", async () => {
  expect((await inspectMedia(Buffer.from("not a picture"))).kind).toBe("other");
  expect((await inspectMedia((await jpeg()).subarray(0, 30))).kind).toBe("other");
});
