/** Formats a database time to the second, with the zone. */
export function utcToSecond(time: string): string {
  const instant = new Date(time.replace(" ", "T").replace(/\+00$/, "Z"));
  const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
  return `${words.format(instant)} UTC`;
}
