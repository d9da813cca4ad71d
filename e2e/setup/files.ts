import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Locator, Page } from "playwright/test";
import sharp from "sharp";
import { root } from "./service";

/** A file as Playwright passes it to a file picker. */
type Picked = { name: string; mimeType: string; buffer: Buffer };
type Look = { width?: number; height?: number; colour?: string };

/** A plain picture of the type in its file name. */
export async function picture(name: string, { width = 900, height = 900, colour = "#0b655c" }: Look = {}) {
  const type = name.endsWith(".png") ? "png" : "jpeg";
  const image = sharp({ create: { width, height, channels: 3, background: colour } });
  return { name, mimeType: `image/${type}`, buffer: await image.toFormat(type).toBuffer() };
}

/** An animated GIF of two colours that lasts a second. */
export async function animation(name: string) {
  const colours = ["#0b655c", "#a8201a"].map((background) =>
    sharp({ create: { width: 640, height: 640, channels: 3, background } })
      .png()
      .toBuffer(),
  );
  const frames = sharp(await Promise.all(colours), { join: { animated: true } });
  return { name, mimeType: "image/gif", buffer: await frames.gif({ delay: [500, 500] }).toBuffer() };
}

/** Two seconds of ffmpeg's test picture in portrait format, as VP8, which every Chromium plays. */
export async function film() {
  const name = "bells.webm";
  return { name, mimeType: "video/webm", buffer: await readFile(join(root, "e2e/setup", name)) };
}

/** Chooses files in the system's file picker after pressing what opens it. */
export async function pick(page: Page, press: () => Promise<void>, ...files: Picked[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  // A key press can overtake Playwright's request to intercept the picker, because it reaches the page on another channel.
  // This call uses the same channel as that request, so the request has arrived once it returns.
  await page.evaluate(() => undefined);
  await press();
  await (await chooser).setFiles(files);
}

/** Adds files to the post being written or to the library. */
export async function addFiles(page: Page, ...files: Picked[]): Promise<void> {
  await pick(page, () => page.getByRole("button", { name: "Add files" }).click(), ...files);
}

/** Writes a folder with these files to disk and returns its path. A file name may contain subfolders. */
export async function folderOf(path: string, files: { [name: string]: Buffer | string }): Promise<string> {
  for (const [name, bytes] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), bytes);
  }
  return path;
}

/** Drops files or folders on an element, as a person drags them from the system's file manager. @param paths on disk */
export async function dropOn(page: Page, target: Locator, ...paths: string[]): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error("The drop target is not visible");
  const chromium = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await chromium.send("Input.dispatchDragEvent", { type, x, y, data });
  }
  await chromium.detach();
}
