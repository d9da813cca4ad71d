import { randomInt } from "node:crypto";

const LETTERS = "234567abcdefghijklmnopqrstuvwxyz";

/**
 * A writer of record keys that no other one chooses (atproto.com/specs/tid): microseconds since 1970 and ten random bits of
 * the writer's own, in 13 letters that sort by time. Clocks tell milliseconds and may be set back, so each key is later than
 * the one before.
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

/** The next key of this process. */
export const newRecordKey = recordKeys();
