/** The server's clock, as the last answer's `Date` gave it: a wrong browser clock must not move a post. */
let offsetMs = 0;

export function noteServerTime(date: string | null): void {
  const server = date ? Date.parse(date) : Number.NaN;
  // `Date` is in whole seconds and a little old on arrival; below that the browser is right enough.
  if (!Number.isNaN(server)) offsetMs = Math.abs(server - Date.now()) < 5_000 ? 0 : server - Date.now();
}

export function serverNow(): number {
  return Date.now() + offsetMs;
}
