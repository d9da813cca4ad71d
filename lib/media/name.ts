/** A name that can stand in a header and on a page: no control characters, no folders, at most 255 characters. */
export function printable(filename: string): string {
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
