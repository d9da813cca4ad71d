import { createHash, randomBytes } from "node:crypto";

/** A decimal id derived only from its parts, so a user has the same id in every sandbox. */
export function stableId(parts: string[], lowest: bigint, span: bigint): string {
  const hash = createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 24);
  return (lowest + (BigInt(`0x${hash}`) % span)).toString();
}

export type Ids = { snowflake(): string; unixSnowflake(): string; stamp(prefix: string): string };

/** Ids that grow with time and never repeat, even across restarts. */
export function createIds(now: () => number): Ids {
  const snowflakes = growing(() => BigInt(Math.floor(now()) - 1_288_834_974_657) << 22n);
  const unixSnowflakes = growing(() => BigInt(Math.floor(now())) << 22n);
  const stamps = growing(() => BigInt(Math.floor(now())) * 1000n);
  return {
    /** X's format: milliseconds since 2010-11-04 shifted left by 22 bits, currently 19 digits. */
    snowflake: () => snowflakes().toString(),
    /** LinkedIn's format: milliseconds since 1970 shifted left by 22 bits, currently 19 digits. */
    unixSnowflake: () => unixSnowflakes().toString(),
    /** Meta's format: 17 digits, above 2^53. */
    stamp: (prefix) => prefix + stamps().toString().slice(-15),
  };
}

function growing(candidate: () => bigint): () => bigint {
  let last = 0n;
  return () => {
    const next = candidate();
    last = next > last ? next : last + 1n;
    return last;
  };
}

export function randomToken(bytes = 32): string {
  return randomBytes(bytes).toString("base64url");
}

/** SHA-256 of a secret, stored in its place: enough to recognise it, not to use it. */
export function fingerprint(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}
