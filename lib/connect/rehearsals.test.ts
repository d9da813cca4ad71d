import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { db, partners } from "../db";
import { submitConsent } from "../networks/testing";
import { newOwner, newPartner, newPerson } from "../testing";
import { completeAttempt } from "./complete";
import type { Failure } from "./failure";
import { openAttempt } from "./open";
import { rehearsalWays } from "./rehearsals";
import { rehearsalPlatforms, startRehearsal } from "./rehearse";
import { unsealState } from "./state";

const FAILURES: { [F in Failure]: true } = {
  denied: true,
  "missing permission": true,
  network: true,
  "account in use": true,
  "wrong browser": true,
  expired: true,
  suspended: true,
  unavailable: true,
  fault: true,
};

test("every failure of the bridge can be rehearsed", () => {
  const ends = Object.values(rehearsalWays).map((way) => way.ends);
  expect([...new Set(ends)].toSorted()).toEqual(["connected", ...Object.keys(FAILURES)].toSorted());
});

/** Opens a rehearsal's link, as the browser does that is sent there. */
async function opened(way: string, platform = "X_TWITTER") {
  const { clientId } = await newPartner();
  const [partner] = await db.select().from(partners).where(eq(partners.clientId, clientId));
  if (!partner) throw new Error("the partner was not stored");
  const url = await startRehearsal(partner, { way, platform, redirectUri: "com.acme.app:/done" });
  return openAttempt(unsealState(new URL(url).searchParams.get("whitelabel_state")));
}

describe("a rehearsal that is played at the link", () => {
  test.each(rehearsalPlatforms())("a permission that the person leaves out, on %s", async (platform) => {
    const { url, nonce } = await opened("permission-left-out", platform);
    const answer = await submitConsent(url, { account: newPerson(), decision: "allow" });
    const callback = new URL(answer.headers.get("location") ?? "").searchParams;
    const ended = completeAttempt(platform, callback, [nonce ?? ""]);
    await expect(ended).rejects.toMatchObject({ failure: "missing permission" });
  });

  test.each(["unavailable", "fault"])("%s", async (way) => {
    await expect(opened(way)).rejects.toMatchObject({ failure: way, traceCode: expect.any(String) });
  });

  test("meets nobody else: another person's link asks for everything while it waits", async () => {
    await opened("permission-left-out");
    const owner = await newOwner();
    const { url } = await openAttempt({ jti: randomUUID(), owner, platform: "X_TWITTER", redirectUri: "myapp://done" });
    expect(new URL(url).searchParams.get("scope")).toContain("offline.access");
  });
});
