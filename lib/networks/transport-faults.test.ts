import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Platform } from "../platforms";
import { allNetworks } from ".";
import type { FormatName } from "./network";
import { type AtSandbox, atSandbox, failureOf } from "./testing";

/** One format for each publishing call of a network. */
const FORMATS: { [P in Platform]: [FormatName, ...FormatName[]] } = {
  X_TWITTER: ["text"],
  YOUTUBE: ["video"],
  THREADS: ["text"],
  TIKTOK: ["video", "image"],
  INSTAGRAM: ["image"],
  LINKEDIN: ["text"],
  BLUE_SKY: ["text"],
  TELEGRAM: ["text", "image", "video", "carousel"],
  FACEBOOK: ["text", "image", "video"],
  PINTEREST: ["image", "video", "carousel"],
};
const REFUSALS = expect.toSatisfy((status) => [400, 403, 429].includes(status));

/** Transport faults of DECISIONS ("The sandbox networks"), applied to the adapters' requests. */
describe.each(allNetworks().map((network) => [network.name, network] as const))("%s", (_, network) => {
  let at: AtSandbox;
  beforeAll(async () => {
    at = await atSandbox(network);
  });
  afterEach(() => at.clearFaults());
  afterAll(() => at.close());

  const lastStatus = async () => (await at.calls()).findLast(({ operation }) => operation === "publish")?.status;
  const [first, ...others] = FORMATS[network.platform];

  test.each([first, ...others])(
    "%s: publishes each post once if its answer is cut off, truncated, late, compressed or has unknown fields",
    async (format) => {
      const person = await at.person();
      for (const fault of ["drop_response", "cut_body"]) {
        await at.fault({ operation: "publish", fault });
        const { kind } = await failureOf(at.publish(format, fault, person));
        expect([fault, kind, await lastStatus()]).toEqual([fault, "unknown", 0]);
      }
      await expect.poll(() => at.held(person)).toHaveLength(2); // a network that fetches the media shows the post a moment later

      await at.fault({ operation: "publish", fault: "late_response", afterSeconds: 250 });
      const publishing = at.publish(format, "late", person);
      await expect.poll(() => at.held(person)).toHaveLength(3);
      expect(await lastStatus()).toBe(0);
      await at.advance(250);
      await expect(publishing).resolves.toMatchObject({ id: expect.any(String) });
      expect(await at.held(person)).toHaveLength(3);

      await at.fault({ operation: "*", fault: "gzip", times: 100 });
      await expect(at.publish(format, "compressed", person)).resolves.toMatchObject({ id: expect.any(String) });
      expect(await at.held(person)).toHaveLength(4);

      await at.clearFaults();
      await at.fault({ operation: "*", fault: "unknown_fields", times: 100 });
      await expect(at.publish(format, "more fields", person)).resolves.toMatchObject({ id: expect.any(String) });
      expect(await at.held(person)).toHaveLength(5);
    },
  );

  test("publishes nothing if the connection is refused, the call fails, a gateway breaks or the call is delayed", async () => {
    const person = await at.person();
    const kinds = { refuse: 0, http_500: 500, http_502_html: 502, rate_limit: REFUSALS, redirect_elsewhere: 307 };
    for (const [fault, status] of Object.entries(kinds)) {
      await at.fault({ operation: "publish", fault });
      await failureOf(at.publish(first, fault, person));
      expect([fault, await lastStatus(), await at.held(person)]).toEqual([fault, status, []]);
    }
    await at.publish(first, "at last", person);
    expect(await at.held(person)).toHaveLength(1);
  });
});
