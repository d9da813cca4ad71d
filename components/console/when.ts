/** A time as the database writes it, to the minute and with its zone: pages that the server draws do not know the reader's. */
export function utc(time: string): string {
  const instant = new Date(time.replace(" ", "T").replace(/\+00$/, "Z"));
  const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return `${words.format(instant)} UTC`;
}
