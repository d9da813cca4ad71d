import { randomInt } from "node:crypto";

const LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/**
 * Returns a generator of unique record keys (atproto.com/specs/tid): microseconds since 1970 and ten random bits per
 * generator, in 13 letters that sort by time. Clocks have millisecond resolution and can be set back, so each key is made
 * later than the previous one.
 */
export function recordKeys(): (now?: number) => string {
  const writer = BigInt(randomInt(1024));
  let last = 0;
  return (now = Date.now()) => {
    const earliest = now * 1000;
    last = last < earliest ? earliest + randomInt(1000) : last + 1;
    let rest = BigInt(last) * 1024n + writer;
    let key = "";
    for (let place = 0; place < 13; place++) {
      key = LETTERS.charAt(Number(rest % 32n)) + key;
      rest /= 32n;
    }
    return key;
  };
}

/** Returns the next key of this process. */
export const newRecordKey = recordKeys();
