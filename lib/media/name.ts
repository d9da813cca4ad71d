import { NotFound } from "../errors";

const OBJECT_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,8}$/;

/**
 * Returns the storage key of an owner's medium from its object's name, `<object_uuid>.<ext>`.
 * @throws NotFound for a malformed name, as for one that does not exist
 */
export function mediaKey(ownerId: string, name: string): string {
  if (!OBJECT_NAME.test(name)) throw new NotFound("Media", name);
  return `${ownerId}/${name}`;
}

/** The same of several names, without malformed ones. */
export function mediaKeys(ownerId: string, names: string[]): string[] {
  return names.filter((name) => OBJECT_NAME.test(name)).map((name) => `${ownerId}/${name}`);
}

/** Returns a file name that is safe in headers and on pages: no control characters, no folders, at most 255 characters. */
export function safeFilename(filename: string): string {
  const name = filename
    .toWellFormed()
    .replace(/\p{Cc}/gu, "")
    .split(/[\\/]/)
    .at(-1);
  return (name?.trim() ? name : "file").slice(0, 255).toWellFormed();
}

/** Returns the extension for a key, from the declared name. It does not decide the type (SPEC, "Media", rule 3). */
export function extensionOf(filename: string): string {
  return /\.([A-Za-z0-9]{1,8})$/.exec(filename)?.[1]?.toLowerCase() ?? "bin";
}
