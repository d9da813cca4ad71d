import { fileTypeFromBuffer } from "file-type";
import { PlatformError } from "../errors";
import { MB } from "../limits";
import type { NetworkSession, Run } from "../network";
import { firstLink, pageFacts } from "../wire/web-page";
import type { Article } from "./api";
import { limits } from "./limits";
import { uploadImage } from "./uploads";

const MAX_PAGE_BYTES = 4 * MB;
const MAX_PICTURE_BYTES = 8 * MB;
/** …/shares/post-api-schema */
const MAX_TITLE = 400;
const MAX_DESCRIPTION = 4086;

/**
 * Builds a preview card for the first link of a text, because LinkedIn creates none for API posts. Pages that cannot be read
 * or have no title get no card. `upload` counts from 1: the second try omits the image, which may have made the first fail.
 */
export async function articleOf(text: string, run: Run, upload: number): Promise<{ article: Article } | undefined> {
  const source = firstLink(text);
  if (!source) return undefined;
  const article = await run.step(`card, upload ${upload}`, async () => (await read(run, source, upload === 1)) ?? null);
  return article ? { article } : undefined;
}

async function read(session: NetworkSession, source: string, withPicture: boolean): Promise<Article | undefined> {
  const page = await session.app.fetchWebFile(source, MAX_PAGE_BYTES);
  const { title, description, image } = page ? pageFacts(page) : {};
  if (!title) return undefined;
  const picture = withPicture && image && URL.canParse(image, source) ? new URL(image, source).href : undefined;
  return {
    source,
    title: truncate(title, MAX_TITLE),
    description: description && truncate(description, MAX_DESCRIPTION),
    thumbnail: picture && (await thumbnailOf(session, picture)),
  };
}

/** Uploads the page's image to LinkedIn; a card also works without one. */
async function thumbnailOf(session: NetworkSession, address: string): Promise<string | undefined> {
  const file = await session.app.fetchWebFile(address, MAX_PICTURE_BYTES);
  const type = file && (await fileTypeFromBuffer(file.bytes))?.mime;
  if (!file || !type || !limits.image.image.types.includes(type)) return undefined;
  const bytes = new Uint8Array(file.bytes);
  const picture = { sizeBytes: bytes.length, open: async () => new Blob([bytes]).stream() };
  return uploadImage(session, picture).catch((error: unknown) => {
    if (error instanceof PlatformError && error.kind === "rejected") return undefined;
    throw error;
  });
}

const truncate = (text: string, characters: number) => [...text].slice(0, characters).join("");
