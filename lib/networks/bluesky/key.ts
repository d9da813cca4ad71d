import { randomInt } from "node:crypto";

const LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/**
 * A record key that no other writer chooses (atproto.com/specs/tid): microseconds since 1970 and ten random bits, in 13
 * letters that sort by time.
 */
export function newRecordKey(now = Date.now()): string {
  let rest = (BigInt(now) * 1000n + BigInt(randomInt(1000))) * 1024n + BigInt(randomInt(1024));
  let key = "";
  for (let place = 0; place < 13; place++) {
    key = LETTERS.charAt(Number(rest % 32n)) + key;
    rest /= 32n;
  }
  return key;
}
