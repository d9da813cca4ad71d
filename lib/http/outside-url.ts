import { EgressError } from "./egress-error";

/** The Fetch standard's bad ports (https://fetch.spec.whatwg.org/#port-blocking) and those of databases and caches. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 5432, 6379, 9200, 11211, 27017,
]);
const MAX_LENGTH = 2048;

/** Whether a text means to be an http or https URL, right or wrong; anything else may be a storage key. */
export function isWebUrl(text: string): boolean {
  return /^https?:/i.test(text);
}

/**
 * A URL that we may be asked to call, as the WHATWG standard reads it. Whether its host may be reached is decided when it is.
 * @throws EgressError (`INVALID_URL`) for another scheme, user names, ports of other services, spaces and control
 * characters, or more than 2,048 characters; the message is what the URL is the subject of
 */
export function parseOutsideUrl(text: string): URL {
  const invalid = (message: string) => new EgressError("INVALID_URL", message, { lasting: true });
  if (text.length > MAX_LENGTH) throw invalid(`is longer than ${MAX_LENGTH} characters`);
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || /\p{Cc}/u.test(text) || !URL.canParse(text)) {
    throw invalid("is not an http or https URL");
  }
  const url = new URL(text);
  if (authorityOf(text).includes("@")) {
    throw invalid("holds a user name or a password, which Carillon does not send");
  }
  if (BAD_PORTS.has(portOf(url))) throw invalid("names a port that is kept for another service");
  return url;
}

/** What is wrong with a URL that we are to call, as the end of a sentence about it; undefined where it may be tried. */
export function outsideUrlProblem(text: string): string | undefined {
  try {
    parseOutsideUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof EgressError) return error.message;
    throw error;
  }
}

/** The port that a URL leads to, its scheme's own where it names none. */
export function portOf(url: URL): number {
  return Number(url.port || (url.protocol === "https:" ? 443 : 80));
}

/** What stands between the slashes and the path; WHATWG keeps nothing of an empty user name. */
function authorityOf(text: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
}
