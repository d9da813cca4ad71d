/** A secret with a name that a report may print. */
export type Canary = { name: string; secret: string };
/** A text and where it was stored or returned. */
export type Trace = { where: string; text: string };

/** Every place that contains a secret in any encoding. */
export function hitsOf(canaries: Canary[], traces: Trace[]): string[] {
  const hits = new Set<string>();
  for (const { name, secret } of canaries) {
    for (const [way, written] of waysOf(secret)) {
      for (const { where, text } of traces) {
        const at = text.indexOf(written);
        if (at < 0) continue;
        const around = text.slice(Math.max(0, at - 80), at).replace(/\s+/g, " ");
        hits.add(`${name} (${way}) in ${where}, after …${around}`);
      }
    }
  }
  return [...hits];
}

/** The secret as text, JSON-escaped, URL-encoded, in hex (as the database prints bytes) and in base64 at each alignment. */
function waysOf(secret: string): [way: string, written: string][] {
  const bytes = Buffer.from(secret);
  const ways: [string, string][] = [
    ["as it is", secret],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in an address", encodeURIComponent(secret)],
    ["in hex", bytes.toString("hex")],
    ["in capital hex", bytes.toString("hex").toUpperCase()],
    ["backwards", [...secret].reverse().join("")],
    ...[0, 1, 2].flatMap((offset): [string, string][] => [
      ["in base64", alignedBase64(bytes, offset, "base64")],
      ["in base64url", alignedBase64(bytes, offset, "base64url")],
    ]),
  ];
  return ways.filter(([, written]) => written.length >= 12);
}

/** The part of a secret's base64 that does not depend on the surrounding bytes, if it starts `offset` bytes into a group of three. */
function alignedBase64(bytes: Buffer, offset: number, alphabet: "base64" | "base64url"): string {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const whole = shifted.subarray(0, shifted.length - (shifted.length % 3)).toString(alphabet);
  return whole.slice(offset === 0 ? 0 : 4);
}
