/**
 * Returns a text in a normalization form (NFC if none is given), in time linear in its length. `normalize` sorts the marks of a
 * letter, which takes quadratic time, so runs of more than 30 marks are cut like in stream-safe text (Unicode Standard Annex
 * #15, section 13). The result is the same for all other text, because nothing but marks is sorted.
 */
export const normalized = (text: string, form?: "NFC" | "NFKD") =>
  text.replace(/\P{M}*\p{M}{0,30}/gu, (piece) => piece.normalize(form));

/**
 * Parses the ID of a row in an address. Returns undefined for any other text, also for one that has the value of an ID but is
 * written differently, such as `01` or `1e0`: each row has one address.
 */
export function parseId(text: string): number | undefined {
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

/** What lookups compare of a text: networks compose letters and change white space. */
export const plainText = (text = "") => normalized(text).replace(/\s+/g, " ").trim();
