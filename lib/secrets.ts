import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { base32, base64url } from "oslo/encoding";
import { createTOTPKeyURI, generateHOTP } from "oslo/otp";
import { perProcess } from "./db/per-process";
import { env, SettingsError } from "./env";

/**
 * What a key is used for. Each purpose has its own key, derived from the master secret by HKDF (RFC 5869) with the purpose as
 * label, so that a value made for one purpose is invalid for any other. The master secret is `SECRETS_KEY` (several, newest
 * first) or a file generated in `DATA_DIR`.
 */
export type KeyPurpose =
  | "account tokens"
  | "connect attempt"
  | "connect state"
  | "consent"
  | "data deletion"
  | "first answer"
  | "known browser"
  | "media address"
  | "preview link"
  | "retired key"
  | "second factor"
  | "session"
  | "sign-in"
  | "signing key"
  | "unsubscribe"
  | "upload grant"
  | "webhook secret";

type Key = { id: Buffer; secret: Buffer };

/**
 * Purposes whose values are in browsers and mailboxes, where we cannot seal them again: cookies, links and open forms. `keys
 * reseal` stores the keys of these purposes, so that the values stay valid when the old key is removed (lib/db/retired-keys.ts).
 */
export const retiredPurposes = [
  ...(["session", "known browser", "unsubscribe", "preview link"] as const),
  ...(["media address", "upload grant", "connect state", "consent"] as const),
] as const satisfies readonly KeyPurpose[];
export type RetiredPurpose = (typeof retiredPurposes)[number];

const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

function masterSecrets(): string[] {
  return perProcess("secrets.master", () => env.secretsKey ?? [generatedSecret()]);
}

/** A shorter file is not one that we wrote: a start on a full disk, or a copy of it, was cut off. */
const SHORTEST_SECRET = 32;

/**
 * The secret in DATA_DIR, generated on the first start. It gets its name when it is complete, and one of several concurrent
 * first starts gives it.
 * @throws SettingsError if the file is damaged: everybody could derive the keys from an empty secret
 */
function generatedSecret(): string {
  const folder = join(env.dataDir, "secrets");
  const file = join(folder, "key");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unfinished = `${file}.new-${randomToken(6)}`;
  try {
    if (!existsSync(file)) {
      writeFileSync(unfinished, `${randomToken()}\n`, { mode: 0o600, flush: true });
      linkSync(unfinished, file);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
  chmodSync(file, 0o600);
  const secret = readFileSync(file, "utf8").trim();
  if (secret.length >= SHORTEST_SECRET) return secret;
  const fix = "Put a copy of it back, or set SECRETS_KEY. If nothing is stored yet, remove the file";
  throw new SettingsError([`DATA_DIR: the key in ${file} is empty or cut off. ${fix}`]);
}

/** The keys of a purpose, newest first. */
function keysOf(purpose: KeyPurpose): Key[] {
  return perProcess(`secrets.keys.${purpose}`, () =>
    masterSecrets().map((master) => keyOf(Buffer.from(hkdfSync("sha256", master, "", `carillon ${purpose}`, 32)))),
  );
}

function keyOf(secret: Buffer): Key {
  return { id: sha256(secret).subarray(0, KEY_ID_BYTES), secret };
}

const CHECK_BYTES = 8;

/**
 * Returns a value for each key in SECRETS_KEY, newest first, by which another process can see whether it has the same key. It is
 * derived by HKDF like the keys themselves, so that it reveals nothing about them, and differs for each installation.
 */
export function keyChecks(installationId: string): string[] {
  return masterSecrets().map((master) =>
    Buffer.from(hkdfSync("sha256", master, installationId, "carillon key check", CHECK_BYTES)).toString("hex"),
  );
}

/** Keys of a purpose that are no longer in SECRETS_KEY but still verify what they made. They never make anything new. */
function retiredKeysOf(purpose: KeyPurpose): Key[] {
  return perProcess(`secrets.retired.${purpose}`, () => []);
}

/** Every key whose values of the purpose are accepted, newest first. */
const allKeysOf = (purpose: KeyPurpose) => [...keysOf(purpose), ...retiredKeysOf(purpose)];

/** Returns the keys of a purpose that end when the older keys are removed from SECRETS_KEY. */
export function olderKeysOf(purpose: RetiredPurpose): readonly Readonly<Key>[] {
  return keysOf(purpose).slice(1);
}

/** Lets this process accept what a retired key made. */
export function acceptRetiredKey(purpose: RetiredPurpose, secret: Buffer): void {
  const key = keyOf(secret);
  const isKnown = allKeysOf(purpose).some(({ id }) => id.equals(key.id));
  if (!isKnown) retiredKeysOf(purpose).push(key);
}

function newest(purpose: KeyPurpose): Key {
  const [key] = keysOf(purpose);
  if (!key) throw new Error("SECRETS_KEY contains no key");
  return key;
}

/** Returns 32 (or `bytes`) random bytes as base64url. */
export function randomToken(bytes = 32): string {
  return toBase64Url(randomBytes(bytes));
}

/** Base64url without padding (RFC 4648, section 5). This file contains every use of oslo: see ADR 24. */
export function toBase64Url(data: Uint8Array): string {
  return base64url.encode(data, { includePadding: false });
}

/** Base32 in capitals without padding (RFC 4648, section 6), as authenticator apps show a secret. */
export function toBase32(data: Uint8Array): string {
  return base32.encode(data, { includePadding: false });
}

/** Returns the six digits of a secret for a counter (HOTP, RFC 4226, section 5.3). */
export function oneTimeCode(secret: Uint8Array, counter: number): Promise<string> {
  return generateHOTP(secret, counter);
}

/** Returns the `otpauth:` address that an authenticator app reads from a QR code. */
export function authenticatorAddress(issuer: string, person: string, secret: Uint8Array): string {
  return createTOTPKeyURI(issuer, person, secret);
}

/** Decodes base64url. Returns undefined for padding or characters outside the URL-safe alphabet. */
export function fromBase64Url(text: string): Buffer | undefined {
  return /^[A-Za-z0-9_-]*$/.test(text) ? Buffer.from(text, "base64url") : undefined;
}

/** Returns the purpose's newest key as text, for libraries that take a secret. */
export function secretFor(purpose: KeyPurpose): string {
  return toBase64Url(newest(purpose).secret);
}

/** Returns all keys of the purpose as text, newest first, with the retired ones: what an older key made stays valid. */
export function secretsFor(purpose: KeyPurpose): string[] {
  return allKeysOf(purpose).map(({ secret }) => toBase64Url(secret));
}

/** The IDs with which values of the purpose begin, newest first. */
export function keyIdsOf(purpose: KeyPurpose): Buffer[] {
  return keysOf(purpose).map(({ id }) => id);
}

/** The IDs of the keys in SECRETS_KEY, newest first, in hexadecimal. An ID does not help to find its key. */
export function keyIds(): string[] {
  return keyIdsOf("account tokens").map((id) => id.toString("hex"));
}

/**
 * Encrypts with AES-256-GCM. `about` names the row and column of the value and is authenticated with it, so that a sealed
 * value cannot be moved to another row. Layout: key ID, IV, tag, ciphertext.
 */
export function seal(purpose: KeyPurpose, about: string, text: string): Buffer {
  const key = newest(purpose);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key.secret, iv).setAAD(Buffer.from(about));
  const ciphertext = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([key.id, iv, cipher.getAuthTag(), ciphertext]);
}

/** Decrypts a sealed value. @throws Error if it was sealed for another purpose or place, was changed, or its key was removed */
export function unseal(purpose: KeyPurpose, about: string, sealed: Buffer): string {
  const key = allKeysOf(purpose).find(({ id }) => id.equals(sealed.subarray(0, KEY_ID_BYTES)));
  if (!key) throw new Error(`a sealed value (${purpose}) needs a key that SECRETS_KEY no longer contains`);
  const iv = sealed.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES);
  const tag = sealed.subarray(KEY_ID_BYTES + IV_BYTES, KEY_ID_BYTES + IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key.secret, iv).setAAD(Buffer.from(about)).setAuthTag(tag);
  const ciphertext = sealed.subarray(KEY_ID_BYTES + IV_BYTES + TAG_BYTES);
  const text = decipher.update(ciphertext);
  try {
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new Error(`a sealed value (${purpose}) was changed, or was sealed for another place`, { cause });
  }
}

/** Returns the HMAC-SHA256 of `data` under the purpose's newest key, with the key's ID. */
export function macOf(purpose: KeyPurpose, data: string): { keyId: string; mac: string } {
  const key = newest(purpose);
  return { keyId: key.id.toString("hex"), mac: macWith(key, data) };
}

/** Returns the HMACs of `data` under every key of the purpose, newest first: to find what is named by one of them. */
export function macsOf(purpose: KeyPurpose, data: string): string[] {
  return allKeysOf(purpose).map((key) => macWith(key, data));
}

function macWith({ secret }: Key, data: string): string {
  return toBase64Url(createHmac("sha256", secret).update(data).digest());
}

/** True if the MAC is valid. The comparison takes constant time. */
export function isMacOf(purpose: KeyPurpose, data: string, keyId: string, mac: string): boolean {
  const key = allKeysOf(purpose).find(({ id }) => id.toString("hex") === keyId);
  const given = fromBase64Url(mac);
  if (!key || !given || given.length !== 32 || toBase64Url(given) !== mac) return false;
  return timingSafeEqual(createHmac("sha256", key.secret).update(data).digest(), given);
}

/** Returns the SHA-256 of a random value that only has to be recognised. It depends on no key, so no key's end affects it. */
export function sha256(value: string | Buffer): Buffer {
  return createHash("sha256").update(value).digest();
}

/** The S256 challenge of a PKCE verifier (RFC 7636, section 4.2). */
export function challengeOf(verifier: string): string {
  return toBase64Url(sha256(verifier));
}
