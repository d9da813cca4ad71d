import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type SenderPace, SlowSender } from "./consume";
import { stage } from "./staged";

const pace: SenderPace = { idleMs: 150, graceMs: 150, bytesPerSecond: 10_000 };

/** Sends this many bytes at each step, this many times, and then nothing. */
function sender(bytes: number, everyMs: number, times = Number.POSITIVE_INFINITY): Readable {
  let sent = 0;
  return new Readable({
    read() {
      if (sent++ < times) setTimeout(() => this.push(Buffer.alloc(bytes)), everyMs);
    },
  });
}

test("M15: a sender that stops sending is disconnected", async () => {
  const silent = sender(100_000, 1, 3);
  await expect(stage(silent, 10_000_000, pace)).rejects.toThrow(SlowSender);
  expect(silent.destroyed).toBe(true);
});

test("M15: a sender below the minimum rate is disconnected", async () => {
  await expect(stage(sender(10, 20), 10_000_000, pace)).rejects.toThrow(SlowSender);
});

test("M15: a sender at the minimum rate may take as long as it needs", async () => {
  const steady = Readable.from(
    (async function* () {
      for (let step = 0; step < 30; step++) {
        await new Promise((resolve) => setTimeout(resolve, 15));
        yield Buffer.alloc(2_000);
      }
    })(),
  );
  // Far below the actual rate, so that a busy machine does not affect the result.
  const patient: SenderPace = { idleMs: 10_000, graceMs: 100, bytesPerSecond: 1_000 };
  expect((await stage(steady, 10_000_000, patient)).sizeBytes).toBe(60_000);
});
