import { parseUrl } from "../env/parse-url";
import { EgressError } from "./egress-error";

/** The Fetch standard's blocked ports (https://fetch.spec.whatwg.org/#port-blocking) and the ports of databases and caches. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 5432, 6379, 9200, 11211, 27017,
]);
const MAX_LENGTH = 2048;

/** True if a text begins like an http or https URL, even an invalid one. Any other text may be a storage key. */
export function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/**
 * Parses a URL chosen by a caller, according to the WHATWG standard. Whether its host may be called is checked at each call.
 * @throws EgressError (`INVALID_URL`) for another scheme, a user name, a port of another service, spaces, control characters
 * or more than 2,048 characters. The message is the predicate of a sentence whose subject is the URL
 */
export function parseOutsideUrl(text: string): URL {
  const invalid = (message: string) => new EgressError("INVALID_URL", message, { lasting: true });
  if (text.length > MAX_LENGTH) throw invalid(`is longer than ${MAX_LENGTH} characters`);
  const url = /^https?:\/\/[^\s\\]+$/i.test(text) && !/\p{Cc}/u.test(text) ? parseUrl(text) : undefined;
  if (!url) throw invalid("is not an http or https URL");
  if (authorityOf(text).includes("@")) {
    throw invalid("contains a user name or a password, which Carillon does not send");
  }
  if (BAD_PORTS.has(portOf(url))) throw invalid("uses a port that is reserved for another service");
  return url;
}

/** Returns the message of `parseOutsideUrl`, or undefined if the URL is valid. */
export function outsideUrlProblem(text: string): string | undefined {
  try {
    parseOutsideUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return error.message;
    throw error;
  }
}

/** Returns the port of a URL, or the default port of its scheme. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

/** The text between `//` and the path. A parsed URL does not show an empty user name. */
function authorityOf(text: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
}
