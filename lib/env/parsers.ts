import { BlockList, isIP } from "node:net";
import { z } from "zod";
import { type FailPoint, failPoints } from "../jobs/fail-points";
import { parseUrl } from "./parse-url";

// How each kind of setting is parsed. A message completes the sentence `"<value>" …`, or stands alone if it begins with
// "must" or "contains".

const privateNetworks = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  privateNetworks.addSubnet(network, bits, "ipv4");
for (const [network, bits] of [
  ["::", 127],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateNetworks.addSubnet(network, bits, "ipv6");

/** Names that are not in the public DNS: those of one label, such as a container's, and reserved ones (RFC 6761, RFC 6762, RFC 8375). */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/** True if a URL's host is an address or a name that is not reachable from the internet (RFC 6890). Names are not looked up. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(address);
  if (family === 0) return PRIVATE_NAME.test(hostname.replace(/\.$/, ""));
  return privateNetworks.check(address, family === 4 ? "ipv4" : "ipv6");
}

/** A whole number from `min` to `max`. */
export const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `is not a whole number between ${min} and ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `is not a whole number between ${min} and ${max}`);

/** The URL of a host in the form in which browsers send it (no default port, lower case), without a trailing slash. */
export const origin = z
  .string()
  .refine((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""), "is not an http or https URL")
  .refine(
    (text) => !/[?#]/.test(text) && !parseUrl(text)?.username && !parseUrl(text)?.password,
    "must not contain a query, a fragment or a user name",
  )
  .transform((text) => new URL(text).href.replace(/\/+$/, ""));

/** The URL of one of our own hosts. It must not have a path, because all paths belong to Carillon. */
export const ownOrigin = origin.refine(
  (text) => /^\/?$/.test(parseUrl(text)?.pathname ?? "/"),
  "must not contain a path",
);

/** The URL of a server that is not a web server. `scheme` matches its beginning, and `kind` is what a URL of this kind is called. */
const serverUrl = (scheme: RegExp, kind: string) =>
  z
    .string()
    .refine((text) => scheme.test(text), { error: `is not ${kind}`, abort: true })
    .refine((text) => parseUrl(text) !== undefined, {
      error:
        "is not a correct URL. Check its port, and write / ? and # in a user name or a password as %2F %3F and %23",
      abort: true,
    });

/** A PostgreSQL database: `postgres://host/name`, or `postgres:///name?host=/folder/of/the/socket`. */
export const databaseUrl = serverUrl(/^postgres(?:ql)?:\/\//i, "a PostgreSQL URL").refine(
  (text) => databaseHost(text) !== "",
  "must contain the host of the database",
);

/** Returns the host of a database, or the folder of its socket. It is empty if the URL has none. */
export function databaseHost(url: string): string {
  const { host, searchParams } = new URL(url);
  return host || searchParams.get("host") || "";
}

/** A mail server. */
export const mailServer = serverUrl(/^smtps?:\/\/[^/?#]/i, "an smtp or smtps URL");

export const onOff = z.enum(["on", "off"], "is not on or off");
export const text = z
  .string()
  .refine((given) => given === given.trim(), "must not begin or end with a space or a line break");

/** A text that can be sent in a header. */
export const word = text.regex(/^[!-~]*$/, "must contain only ASCII characters without spaces");

export const bucketName = text.regex(
  /^[A-Za-z0-9][\w.:-]{0,254}$/,
  "is not the name of a bucket, which has letters, digits, hyphens, dots, colons and underscores",
);

/** A sender: `post@example.com` or `Carillon <post@example.com>`. */
export const sender = z
  .string()
  .refine(
    (from) => !/\p{Cc}/u.test(from) && /^(?:[^<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from.trim()),
    "is not an email address or a name followed by <address>",
  );

/** Where to report security problems: email addresses and https addresses, as RFC 9116 writes them. */
export const securityContacts = z.string().transform((list, context) =>
  list.split(",").map((entry) => {
    const contact = entry.trim();
    const url = parseUrl(/^[^\s@:/]+@[^\s@:/]+$/.test(contact) ? `mailto:${contact}` : contact);
    if (url && /^(https|mailto):$/.test(url.protocol) && !/\s/.test(contact)) return url.href;
    context.addIssue({
      code: "custom",
      message: `contains "${contact}", which is neither an email address nor an https address`,
    });
    return z.NEVER;
  }),
);

/** A list of exceptions to the rule that outgoing calls reach public addresses only. */
export const egress = z.string().transform((list, context) =>
  list.split(",").map((entry) => {
    const [host, ip, port, ...rest] = entry.trim().split("+");
    const name = parseUrl(`http://${isIP(host ?? "") === 6 ? `[${host}]` : host}`)?.hostname;
    const isPort = /^\d{1,5}$/.test(port ?? "") && Number(port) >= 1 && Number(port) <= 65_535;
    if (!host || !name || !ip || isIP(ip) === 0 || !isPort || rest.length > 0) {
      context.addIssue({
        code: "custom",
        message: `contains "${entry.trim()}", which is not in the form host+ip+port`,
      });
    }
    // Written like the host of a URL, so that the two can be compared.
    return { host: name?.replace(/^\[(.*)\]$/, "$1") ?? "", ip: ip ?? "", port: Number(port) };
  }),
);

/** A list of armed fail points, or `on` for none yet. */
export const armedFailPoints = z.string().transform((list, context) =>
  list === "on"
    ? []
    : list.split(",").map((entry) => {
        const [, name, action, nth = "1"] = /^(\w+):(kill|stop)(?:@(\d{1,6}))?$/.exec(entry.trim()) ?? [];
        const point: FailPoint | undefined = failPoints.find((known) => known === name);
        if (!point)
          context.addIssue({ code: "custom", message: `contains "${entry.trim()}", which is not a fail point` });
        return {
          point: point ?? failPoints[0],
          action: action === "stop" ? "stop" : "kill",
          nth: Number(nth),
        } as const;
      }),
);

/** A list of IP addresses and networks (CIDR). */
export const proxies = z.string().transform((list, context) => {
  const trusted = new BlockList();
  for (const entry of list.split(",").map((one) => one.trim())) {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || rest.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))) {
      context.addIssue({ code: "custom", message: `contains "${entry}", which is not an IP address or a network` });
    } else {
      trusted.addSubnet(address, Number(bits ?? most), family === 4 ? "ipv4" : "ipv6");
    }
  }
  return trusted;
});

/** Random keys of the required length have about 170 bits by this measure, and never fewer than 140. */
const MIN_ENTROPY_BITS = 120;

/**
 * A rough estimate that only finds careless keys. It takes the lower of two values of Shannon's entropy: that of the characters
 * and that of the steps between them, of which a key such as `abcdef` has few. If a key repeats its beginning, the repetitions do
 * not count.
 */
function entropyBits(key: string): number {
  const codes = [...key].map((character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  const isPeriod = (length: number) => key.startsWith(key.slice(length)); // the length of the key is always a period
  const period = codes.findIndex((_, index) => isPeriod(index + 1)) + 1;
  return period * Math.min(entropyPerItem(codes), entropyPerItem(steps));
}

function entropyPerItem(items: number[]): number {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / items.length);
  return shares.reduce((sum, share) => sum - share * Math.log2(share), 0);
}

/** One or more keys of at least 256 bits, newest first. */
export const keys = z.string().transform((list, context) => {
  const entries = list.split(",").map((key) => key.trim());
  if (entries.some((key) => key.length < 43)) {
    context.addIssue({
      code: "custom",
      message: "contains a key shorter than 256 bits (43 characters of base64url)",
      params: { secret: true },
    });
  }
  if (entries.some((key) => key.length >= 43 && entropyBits(key) < MIN_ENTROPY_BITS)) {
    context.addIssue({
      code: "custom",
      message: "contains a key that is easy to guess because it is a pattern or has few different characters",
      params: { secret: true },
    });
  }
  if (new Set(entries).size < entries.length) {
    context.addIssue({ code: "custom", message: "contains the same key twice", params: { secret: true } });
  }
  return entries;
});
