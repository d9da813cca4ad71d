import { randomUUID } from "node:crypto";
import { databaseNow, dbOrTransaction, uploads } from "../db";
import { BadRequest } from "../errors";
import { assertFreeSpace, store } from "../storage";
import { fileTooLarge, MAX_BYTES } from "./file-errors";
import { extensionOf, safeFilename } from "./name";
import { assertBytesAvailable, assertGrantAvailable } from "./quota";

/** How long a pre-signed PUT can start (SPEC, "Limits": a ten-minute window). */
const WINDOW_SECONDS = 600;

export type UploadRequest = { filename: string; contentType: string; sizeBytes: number };

export type UploadGrant = {
  key: string;
  method: "PUT";
  url: string;
  headers: { [name: string]: string };
  expiresAt: string;
};

/**
 * Grants one upload directly to the store, with exactly this type, size and name.
 * @throws TooLarge above 100 MB; QuotaExceeded; InsufficientStorage; BadRequest for values that cannot be signed
 */
export async function grantUpload(
  ownerId: string,
  { filename, contentType, sizeBytes }: UploadRequest,
): Promise<UploadGrant> {
  if (sizeBytes > MAX_BYTES) throw fileTooLarge();
  assertName(filename);
  await assertFreeSpace(sizeBytes);
  const id = randomUUID();
  const key = `${ownerId}/${id}.${extensionOf(filename)}`;
  const now = await databaseNow();
  now.setMilliseconds(0);
  const expiresAt = new Date(now.getTime() + WINDOW_SECONDS * 1000);
  const name = safeFilename(filename);
  const terms = { key, contentType: contentType.toLowerCase(), sizeBytes, filename: name, now, expiresAt };
  const { url, headers } = await store.grantPut(terms);
  await dbOrTransaction.transaction(async (tx) => {
    await assertGrantAvailable(tx, ownerId);
    await assertBytesAvailable(tx, ownerId, sizeBytes);
    await tx
      .insert(uploads)
      .values({ id, ownerId, key, filename: name, sizeBytes, expiresAt: expiresAt.toISOString() });
  });
  return { key, method: "PUT", url, headers, expiresAt: expiresAt.toISOString().replace(".000Z", "Z") };
}

function assertName(filename: string): void {
  if (/\p{Cc}/u.test(filename)) throw new BadRequest("filename contains a control character");
  if (safeFilename(filename) === "file" && !/file$/.test(filename))
    throw new BadRequest("filename does not contain a file name");
}
