/** Parses a time of the Graph API, which writes the UTC offset without a colon. */
export function graphTime(written: string): Date {
  return new Date(written.replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
}
