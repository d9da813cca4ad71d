/**
 * Returns a time in UTC. n8n gives times of its calendar without an offset; they are in the workflow's time zone.
 * @throws Error if it is not a time
 */
export function utcTimeOf(time: string, timeZone: string): string {
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/.test(time);
  const asUtc = Date.parse(hasOffset ? time : `${time.replace(" ", "T")}Z`);
  if (Number.isNaN(asUtc)) throw new Error(`“${time}” is not a time. Use one such as 2031-05-01T09:00:00`);
  if (hasOffset) return new Date(asUtc).toISOString();
  // The offset at the first guess can be that of the other side of a change of the clocks.
  const guess = asUtc - offsetOf(asUtc, timeZone);
  return new Date(asUtc - offsetOf(guess, timeZone)).toISOString();
}

/** Returns by how many milliseconds the clocks of a time zone are ahead of UTC. */
function offsetOf(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1_000) * 1_000;
}
