import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** scrypt (RFC 7914) with N = 2^15, r = 8, p = 1: about 32 MB and 80 ms a check. The parameters are kept with the hash. */
const COST = 32_768;
const BLOCK_SIZE = 8;
const KEY_BYTES = 32;

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(
      password.normalize("NFKC"),
      salt,
      KEY_BYTES,
      { N: cost, r: BLOCK_SIZE, p: 1, maxmem: 256 * cost * BLOCK_SIZE },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  );
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, COST);
  return ["scrypt", COST, salt.toString("base64url"), key.toString("base64url")].join("$");
}

/** Takes the same time whether there is a hash to compare with or not, so that an address cannot be probed. */
export async function isPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, cost, salt, key] = (hash ?? `scrypt$${COST}$${"A".repeat(22)}$${"A".repeat(43)}`).split("$");
  const wanted = Buffer.from(key ?? "", "base64url");
  const derived = await derive(password, Buffer.from(salt ?? "", "base64url"), Number(cost));
  return timingSafeEqual(wanted, derived) && Boolean(hash);
}
