import { NotFound } from "../errors";

const OBJECT_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/;

/**
 * The storage key of an owner's medium by its object's name, `<object_uuid>.<ext>`.
 * @throws NotFound for what cannot be such a name: it is as absent as one that never was
 */
export function mediaKey(ownerId: string, name: string): string {
  if (!OBJECT_NAME.test(name)) throw new NotFound("Media", name);
  return `${ownerId}/${name}`;
}

/** A name that can stand in a header and on a page: no control characters, no folders, at most 255 characters. */
export function safeFilename(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .split(/[\\/]/)
    .at(-1);
  return (name || "file").slice(0, 255).toWellFormed();
}

/** The key's extension comes from the declared name; it says nothing about the type (SPEC, "Media", rule 3). */
export function extensionOf(filename: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase() ?? "bin";
}
