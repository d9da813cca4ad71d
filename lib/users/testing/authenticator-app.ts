import { oneTimeCode } from "../../secrets";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The bytes of a base32 secret without padding (RFC 4648, section 6). */
export function secretOf(text: string): Buffer {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

/** What an authenticator app shows at a time, in milliseconds since 1970. */
export function codeAt(secret: string, at: number): Promise<string> {
  return oneTimeCode(secretOf(secret), Math.floor(at / 30_000));
}
