import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import sharp from "sharp";
import { root } from "./service";

/** As a file picker is given it. */
type Picked = { name: string; mimeType: string; buffer: Buffer };
type Look = { width?: number; height?: number; colour?: string };

/** A plain picture, of the type that its name says. */
export async function picture(name: string, { width = 900, height = 900, colour = "#0b655c" }: Look = {}) {
  const type = name.endsWith(".png") ? "png" : "jpeg";
  const image = sharp({ create: { width, height, channels: 3, background: colour } });
  return { name, mimeType: `image/${type}`, buffer: await image.toFormat(type).toBuffer() };
}

/** Two seconds of ffmpeg's test picture, upright, in what every Chromium plays (VP8). */
export async function film() {
  const name = "bells.webm";
  return { name, mimeType: "video/webm", buffer: await readFile(join(root, "e2e/setup", name)) };
}

/** Chooses files as a person does, who presses what opens the system's picker. */
export async function pick(page: Page, press: () => Promise<void>, ...files: Picked[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await press();
  await (await chooser).setFiles(files);
}

/** Adds files to what is being written, or to the library. */
export async function addFiles(page: Page, ...files: Picked[]): Promise<void> {
  await pick(page, () => page.getByRole("button", { name: "Add files" }).click(), ...files);
}
