import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { discard, type Staged, type StagedFile, stageUndigested } from "./staged";

/**
 * The area of an object. `uploads`: files from pre-signed PUTs, which may be overwritten. `objects`: media, each written once.
 * `thumbnails`: small pictures of media, under the same ID. `marks`: counts of the database, by the ID
 * of its installation (lib/installation). `stores`: one object that identifies the store.
 */
export type Area = "uploads" | "objects" | "thumbnails" | "marks" | "stores";

/** An object by its area and UUID. It contains no input of a caller. */
export type ObjectName = `${Area}/${string}`;

/** A range of bytes, inclusive. */
export type ByteRange = { first: number; last: number };

export type StoredObject = { sizeBytes: number; stream(): ReadableStream<Uint8Array> };

export type ListedObject = { name: ObjectName; sizeBytes: number; writtenAt: Date };

/** The terms of a pre-signed PUT. */
export type PutTerms = {
  /** The storage key as the API names it: `<owner_uuid>/<object_uuid>.<ext>`. */
  key: string;
  contentType: string;
  sizeBytes: number;
  /** The original file name. It is percent-encoded in a header. */
  filename: string;
  now: Date;
  expiresAt: Date;
};

export type PutGrant = { url: string; headers: { [name: string]: string } };

/** An object store: in `DATA_DIR`, or in a bucket. */
export type Store = {
  /** Stores a staged file as an object, atomically and durably. The staged file no longer exists afterwards. */
  put(name: ObjectName, file: StagedFile, contentType: string): Promise<void>;
  /** Reads an object or a range of it. Returns undefined if it does not exist. */
  read(name: ObjectName, range?: ByteRange): Promise<StoredObject | undefined>;
  /**
   * Copies an object to a staged file. Later writes to the object do not change the copy. Returns undefined if the object does
   * not exist.
   * @throws StreamTooLong above `maxBytes`
   */
  copyOut(name: ObjectName, maxBytes: number): Promise<Staged | undefined>;
  /** Removes an object, if it exists. */
  remove(name: ObjectName): Promise<void>;
  /** Lists the objects of an area in ascending order of their names, with constant memory. */
  list(area: Area): AsyncIterable<ListedObject>;
  /** Returns a URL with which `uploads/<object_uuid>` of a key can be written, once or several times, on exactly these terms. */
  grantPut(terms: PutTerms): Promise<PutGrant>;
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEY = /^[0-9a-f-]{36}\/([0-9a-f-]{36})\.[a-z0-9]{1,8}$/;

export function assertObjectName(name: string): asserts name is ObjectName {
  if (!isObjectName(name)) throw new Error(`not an object name: ${name}`);
}

export function isObjectName(name: string): name is ObjectName {
  const [, id = ""] = /^(?:uploads|objects|thumbnails|marks|stores)\/(.*)$/s.exec(name) ?? [];
  return ID.test(id);
}

/** Returns the object that a pre-signed PUT for a storage key writes. */
export function uploadOf(key: string): ObjectName {
  return `uploads/${KEY.exec(key)?.[1] ?? ""}`;
}

/** Returns the headers that a pre-signed PUT must have, in both stores. */
export function headersOf({ contentType, sizeBytes, filename }: PutTerms): { [name: string]: string } {
  return {
    "Content-Type": contentType,
    "x-amz-meta-size-bytes": String(sizeBytes),
    "x-amz-meta-filename": encodedName(filename),
  };
}

/** S3 refuses an object with more than 2 KB of metadata, and OpenStack Swift a value of more than 256 bytes. */
const MAX_NAME_BYTES = 256;

/** Encodes a file name for a header. Leaves out the end of a name that is too long. */
function encodedName(filename: string): string {
  let encoded = "";
  for (const character of filename) {
    const next = encoded + encodeURIComponent(character);
    if (next.length > MAX_NAME_BYTES) break;
    encoded = next;
  }
  return encoded;
}

/**
 * Writes a small object to a store, reads it back and removes it. Returns why this failed, or undefined. If this process ends
 * in between, the object is removed like any upload that was never confirmed.
 */
export async function storeProblem(store: Store): Promise<string | undefined> {
  const name = `uploads/${randomUUID()}` as const;
  const written = randomUUID();
  try {
    const file = await stageUndigested(Readable.from([Buffer.from(written)]), 100);
    try {
      await store.put(name, file, "text/plain");
    } finally {
      await discard(file);
    }
    const found = await store.read(name);
    const read = found && (await new Response(found.stream()).text());
    await store.remove(name);
    return read === written ? undefined : "an object that was just written could not be read back";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
