import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { connectAttempts, db } from "../db";
import { networkOf } from "../networks";
import { submitConsent } from "../networks/testing";
import { getPartner, listConnectUsers, type Partner, rehearsalPerson, rehearsalPlatforms } from "../partners";
import type { Platform } from "../platforms";
import { newOwner, newPartner, newPerson } from "../testing";
import { completeAttempt } from "./complete";
import { ConnectError, type connectFailureStatuses } from "./failure";
import { openAttempt } from "./open";
import { createRehearsalLink, listRehearsalTraces, type RehearsalLink } from "./rehearsal";
import { isLinkExpired, unsealConnectState } from "./state";

const REDIRECT_URI = "com.acme.app:/done?x=%7e";

async function newRehearsalPartner(): Promise<Partner> {
  const { clientId } = await newPartner();
  return { ...(await getPartner(clientId)), clientId, createdAt: "", roles: ["owner"] };
}

type Consent = { account: string; decision: string; [field: string]: string };

/** Opens a rehearsal link as a browser does and answers the consent page; returns the outcome. */
async function rehearse(link: RehearsalLink, consent: Partial<Consent> = {}, platform: Platform = "X_TWITTER") {
  const partner = await newRehearsalPartner();
  const url = new URL(await createRehearsalLink(partner, { link, platform, redirectUri: REDIRECT_URI }));
  const account = link === "account-in-use" ? rehearsalPerson(partner) : newPerson();
  const outcome = await connect(url, platform, { account, decision: "allow", ...consent }).catch(failureOf);
  return { outcome, partner };
}

async function connect(url: URL, platform: Platform, consent: Consent): Promise<string> {
  const sealed = url.searchParams.get("whitelabel_state");
  if (sealed === null) return finish(url.href, platform, consent); // opened elsewhere: this is the network's page
  const state = unsealConnectState(sealed);
  const attempt = await openAttempt({ ...state, isExpired: isLinkExpired(state, new Date()) });
  return finish(attempt.url, platform, consent, attempt.nonce);
}

async function finish(url: string, platform: Platform, consent: Consent, nonce?: string): Promise<string> {
  const answer = await submitConsent(url, consent);
  const callback = new URL(answer.headers.get("location") ?? "").searchParams;
  const { location } = await completeAttempt(platform, callback, nonce ? [nonce] : []);
  return location;
}

function failureOf(error: unknown): string {
  if (error instanceof ConnectError) return error.failure;
  if (error instanceof Error && error.name === "StateExpired") return "expired";
  throw error;
}

describe("a rehearsal link", () => {
  test("connects a test user and ends at the console with the partner's redirectUri", async () => {
    const { outcome, partner } = await rehearse("new");
    const end = new URL(outcome);
    expect([end.pathname, end.searchParams.get("redirectUri")]).toEqual([
      `/console/${partner.clientId}/rehearsal`,
      REDIRECT_URI,
    ]);
    const [trace] = await listRehearsalTraces(partner.id);
    expect(trace).toMatchObject({ outcome: "connected", connectUser: { externalUserId: "rehearsal-user" } });
  });

  test("belongs to an ordinary connect user, whom the partner's lists show", async () => {
    const { partner } = await rehearse("new");
    const { items } = await listConnectUsers(partner.id, { limit: 10 });
    expect(items.map(({ name }) => name)).toEqual(["Rehearsal user"]);
  });

  test.each<[link: RehearsalLink, failure: keyof typeof connectFailureStatuses]>([
    ["expired", "expired"],
    ["changed", "expired"],
    ["used", "expired"],
    ["other-browser", "wrong browser"],
    ["account-in-use", "account in use"],
    ["suspended-user", "suspended"],
  ])("%s ends as: %s", async (link, failure) => {
    expect((await rehearse(link)).outcome).toBe(failure);
  });

  test("is refused with every problem", async () => {
    const partner = await newRehearsalPartner();
    const input = { link: "toString", platform: "TELEGRAM", redirectUri: "javascript:alert(1)" };
    await expect(createRehearsalLink(partner, input)).rejects.toThrow(
      "link must be one of new, expired, changed, used, other-browser, account-in-use, suspended-user; " +
        "platform is not simulated here; redirectUri must not use the scheme javascript",
    );
  });
});

describe("an outcome chosen on the consent page", () => {
  test("Deny ends as: denied", async () => {
    expect((await rehearse("new", { decision: "deny" })).outcome).toBe("denied");
  });

  test.each(rehearsalPlatforms())(
    "a failing token endpoint and a failing profile on %s end as: network",
    async (platform) => {
      for (const outcome of ["token_error", "profile_error"])
        expect([outcome, (await rehearse("new", { outcome }, platform)).outcome]).toEqual([outcome, "network"]);
    },
  );

  test.each(["invalid_grant", "token_error", "token_html", "no_answer", "rate_limit", "redirect", "profile_error"])(
    "%s ends as: network",
    async (outcome) => {
      expect((await rehearse("new", { outcome })).outcome).toBe("network");
    },
  );

  test.each(rehearsalPlatforms())(
    "a permission that is left out on %s ends as: missing permission",
    async (platform) => {
      const { connect: flow } = networkOf(platform);
      const without = (flow.kind === "oauth" && flow.requiredScopes.at(-1)) || "";
      expect((await rehearse("new", { without }, platform)).outcome).toBe("missing permission");
    },
  );

  test("does not affect another connect on the same network", async () => {
    const open = async () => {
      const owner = await newOwner();
      const input = { jti: randomUUID(), owner, platform: "THREADS", redirectUri: "myapp://done" } as const;
      return openAttempt(input);
    };
    const [failing, other] = [await open(), await open()];
    const callbackOf = async (url: string, consent: Consent) =>
      new URL((await submitConsent(url, consent)).headers.get("location") ?? "").searchParams;
    const armed = await callbackOf(failing.url, { account: newPerson(), decision: "allow", outcome: "token_error" });
    const plain = await callbackOf(other.url, { account: newPerson(), decision: "allow" });
    expect((await completeAttempt("THREADS", plain, [other.nonce ?? ""])).location).toBe("myapp://done");
    await expect(completeAttempt("THREADS", armed, [failing.nonce ?? ""])).rejects.toMatchObject({
      failure: "network",
    });
    const [row] = await db.select().from(connectAttempts).where(eq(connectAttempts.id, other.id));
    expect(row?.completedAt).not.toBeNull();
  });
});
