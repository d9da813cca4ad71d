import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { withReceivers } from "../testing";
import { sealSecret } from "./secret";
import { sendDelivery } from "./send";

const TOTAL_MS = 15_000;
/** Far below the time that a client without a limit would wait. */
const AT_MOST_MS = 30_000;

const receiver = withReceivers(10);

/** One delivery attempt to this receiver. */
function attempt(url: string) {
  const more = { isFailing: false, isTest: true, failures: 0, at: new Date().toISOString(), seconds: 1_900_000_000 };
  const secrets = { secretSealed: sealSecret(1, "whsec_AAAA"), earlierSecrets: [] };
  return sendDelivery({
    id: randomUUID(),
    fence: 1,
    endpointId: 1,
    url,
    traceparent: null,
    body: "{}",
    ...more,
    ...secrets,
  });
}

test("15 seconds for the whole attempt: silence is a failure, and a status counts whatever its body does", async () => {
  const silent = receiver(() => {});
  const endless = receiver((_, response) => response.writeHead(200).write("taken"));
  const [unheard, taken] = await Promise.all([attempt(silent.url), attempt(endless.url)]);
  expect(unheard).toMatchObject({ status: null, answer: null, error: "The server did not start to answer in time" });
  expect(taken).toMatchObject({ status: 200, answer: "taken", error: null });
  for (const { durationMs } of [unheard, taken]) {
    expect(durationMs).toBeGreaterThanOrEqual(TOTAL_MS);
    expect(durationMs).toBeLessThan(AT_MOST_MS);
  }
});
