import type { Staged, StagedFile } from "./staged";

/**
 * Where an object lies. `uploads`: what a pre-signed PUT left, which may still be written over. `objects`: media, each
 * written once and never again. `thumbnails`: small pictures of media, under the same id.
 */
export type Area = "uploads" | "objects" | "thumbnails";

/** An object by its area and uuid. Nothing that a caller chose is part of it. */
export type ObjectName = `${Area}/${string}`;

/** A range of bytes, the last one included. */
export type ByteRange = { first: number; last: number };

export type StoredObject = { sizeBytes: number; stream(): ReadableStream<Uint8Array> };

/** What a pre-signed PUT may bring, and until when. */
export type PutTerms = {
  /** The storage key as the API names it: `<owner_uuid>/<object_uuid>.<ext>`. */
  key: string;
  contentType: string;
  sizeBytes: number;
  /** The original name; goes into a header percent-encoded. */
  filename: string;
  now: Date;
  expiresAt: Date;
};

export type PutGrant = { url: string; headers: { [name: string]: string } };

/** Where bytes are kept: in `DATA_DIR`, or in a bucket. */
export type Store = {
  /** Makes a staged file the object of that name, durable and complete or not at all. The staged file is gone afterwards. */
  put(name: ObjectName, file: StagedFile, contentType: string): Promise<void>;
  /** The bytes of an object, or a range of them. Undefined where there is none. */
  read(name: ObjectName, range?: ByteRange): Promise<StoredObject | undefined>;
  /**
   * A private copy of an object as a staged file, to be looked at and put elsewhere: whoever writes to the object
   * meanwhile does not change the copy. Undefined where there is none.
   * @throws StreamTooLong above `maxBytes`
   */
  copyOut(name: ObjectName, maxBytes: number): Promise<Staged | undefined>;
  /** Removes an object; nothing happens where there is none. */
  remove(name: ObjectName): Promise<void>;
  /** Names of an area's objects that were last written before an instant. */
  writtenBefore(area: Area, instant: Date): AsyncIterable<ObjectName>;
  /** Lets a holder of the URL put `uploads/<object_uuid>` of a key once or several times, on exactly these terms. */
  grantPut(terms: PutTerms): Promise<PutGrant>;
};

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const KEY = /^[0-9a-f-]{36}\/([0-9a-f-]{36})\.[a-z0-9]{1,8}$/;

export function assertObjectName(name: ObjectName): void {
  const [, id = ""] = /^(?:uploads|objects|thumbnails)\/(.*)$/s.exec(name) ?? [];
  if (!ID.test(id)) throw new Error(`not the name of an object: ${name}`);
}

/** The object that a pre-signed PUT for this storage key writes. */
export function uploadOf(key: string): ObjectName {
  return `uploads/${KEY.exec(key)?.[1] ?? ""}`;
}

/** The headers that a pre-signed PUT must bring, on either store. */
export function headersOf({ contentType, sizeBytes, filename }: PutTerms): { [name: string]: string } {
  return {
    "Content-Type": contentType,
    "x-amz-meta-size-bytes": String(sizeBytes),
    "x-amz-meta-filename": encodeURIComponent(filename),
  };
}
