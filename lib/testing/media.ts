import sharp from "sharp";
import { mp4 } from "../../sandbox/testing/mp4";
import { store } from "../storage";
import { as, type Client, newOwner, readResponse } from "./owners";

const COLOURS = 32;
let made = 0;
/** The encoded pictures by size and colour, because encoding a large one takes longer than most set-ups. */
const encoded = new Map<string, Promise<Buffer>>();

/** Returns a picture of one colour. The next ones of its size have other colours, and so other bytes. */
export async function jpeg(width = 400, height = 400): Promise<Buffer> {
  const r = (made++ % COLOURS) * (256 / COLOURS);
  const key = [width, height, r].join(" ");
  const encode = () =>
    sharp({ create: { width, height, channels: 3, background: { r, g: 120, b: 90 } } })
      .jpeg()
      .toBuffer();
  const known = encoded.get(key) ?? encode();
  encoded.set(key, known);
  return Buffer.from(await known); // a copy, because some tests change it
}

type Part = { bytes: Uint8Array; filename: string; name?: string };

/** Builds a multipart body with these parts, as a browser sends them. */
export function formOf(...parts: Part[]): FormData {
  const form = new FormData();
  for (const { bytes, filename, name = "file" } of parts)
    form.append(name, new Blob([new Uint8Array(bytes)]), filename);
  return form;
}

/** Uploads one file with the API. */
export function upload(client: Client, bytes: Uint8Array, filename = "picture.jpg"): Promise<Response> {
  return client.request("/v1/media/upload", { method: "POST", body: formOf({ bytes, filename }) });
}

/** Uploads one file that must be accepted. Returns its storage key. */
export async function uploaded(client: Client, bytes: Uint8Array, filename?: string): Promise<string> {
  const [status, body] = await readResponse(upload(client, bytes, filename));
  if (status !== 200) throw new Error(`the file was not accepted: ${status} ${JSON.stringify(body)}`);
  return (body as { path: string }).path;
}

/** Stores a picture in an owner's media. Returns its storage key. */
export async function picture(ownerId: string, width?: number, height?: number): Promise<string> {
  return uploaded(as(ownerId), await jpeg(width, height));
}

/** Stores a short upright video in an owner's media. Returns its storage key. */
export function clip(ownerId: string, shape?: Parameters<typeof mp4>[0]): Promise<string> {
  return uploaded(as(ownerId), mp4(shape), "clip.mp4");
}

/** Whether the store has the object of a storage key. */
export async function isStored(path: string): Promise<boolean> {
  const object = await store.read(`objects/${path.split("/")[1]?.split(".")[0] ?? ""}`, { first: 0, last: 0 });
  await object?.stream().cancel();
  return object !== undefined;
}

type ListedFile = { key: string; path: string; url: string };
export type FilePage = { items: ListedFile[]; nextCursor: string | null };

/** A new owner, with a client that calls the API for them and lists their files. */
export async function newLibrary() {
  const owner = await newOwner();
  const caller = as(owner);
  const list = async (query = "") => (await readResponse(caller.get(`/v1/media${query}`)))[1] as FilePage;
  return { owner, caller, list };
}
