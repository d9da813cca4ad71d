import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type SenderPace, SlowSender } from "./consume";
import { stage } from "./staged";

const pace: SenderPace = { idleMs: 150, graceMs: 150, bytesPerSecond: 10_000 };

/** Sends so many bytes at each step, so many times, and then nothing more. */
function sender(bytes: number, everyMs: number, times = Number.POSITIVE_INFINITY): Readable {
  let sent = 0;
  return new Readable({
    read() {
      if (sent++ < times) setTimeout(() => this.push(Buffer.alloc(bytes)), everyMs);
    },
  });
}

test("M15: a sender that falls silent is cut", async () => {
  const silent = sender(100_000, 1, 3);
  await expect(stage(silent, 10_000_000, pace)).rejects.toThrow(SlowSender);
  expect(silent.destroyed).toBe(true);
});

test("M15: so is one that only drips", async () => {
  await expect(stage(sender(10, 20), 10_000_000, pace)).rejects.toThrow(SlowSender);
});

test("M15: one that keeps the pace is not, however long it takes", async () => {
  const steady = Readable.from(
    (async function* () {
      for (let step = 0; step < 30; step++) {
        await new Promise((resolve) => setTimeout(resolve, 15));
        yield Buffer.alloc(2_000);
      }
    })(),
  );
  // Far below what is sent, so that only the rule decides and not how busy the machine is.
  const patient: SenderPace = { idleMs: 10_000, graceMs: 100, bytesPerSecond: 1_000 };
  expect((await stage(steady, 10_000_000, patient)).sizeBytes).toBe(60_000);
});
