import type { Session } from "../network";
import { type ListedPin, type NewPin, newestPins } from "./api";

const CLOCK_DIFFERENCE_MS = 60_000;

/** Returns the newest Pins of the board or section whose content equals this one's. */
async function samePins(session: Session, pin: NewPin): Promise<ListedPin[]> {
  const newest = await newestPins(session, pin.board_id, pin.board_section_id);
  return newest.filter((listed) => isSame(listed, pin));
}

/** Returns the IDs of existing Pins with the same content: Pinterest accepts the same Pin any number of times. */
export async function twinsOf(session: Session, pin: NewPin): Promise<string[]> {
  return (await samePins(session, pin)).map(({ id }) => id);
}

/** Finds the one new Pin since `since` with the same content; undefined if none or several match. */
export async function findPin(
  session: Session,
  pin: NewPin,
  twins: string[],
  since: Date,
): Promise<string | undefined> {
  const from = since.getTime() - CLOCK_DIFFERENCE_MS;
  const matches = (await samePins(session, pin)).filter(
    ({ id, created_at }) => !twins.includes(id) && timeOf(created_at) >= from,
  );
  return matches.length === 1 ? matches[0]?.id : undefined;
}

/** Whether a Pin that was read back is the one we are looking for. */
export function isSame(listed: ListedPin, pin: NewPin): boolean {
  return (
    (listed.board_section_id ?? "") === (pin.board_section_id ?? "") &&
    plain(listed.title) === plain(pin.title) &&
    plain(listed.description) === plain(pin.description) &&
    plain(listed.alt_text) === plain(pin.alt_text) &&
    sameLink(listed.link) === sameLink(pin.link)
  );
}

const plain = (text = "") => text.normalize("NFC").replace(/\s+/g, " ").trim();

/** Normalizes a URL: a host alone gets a slash. */
const sameLink = (link = "") => (URL.canParse(link) ? new URL(link).href : link);

/** Times without an offset are UTC. */
function timeOf(written: string): number {
  return Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
}
