import { randomUUID } from "node:crypto";
import { databaseNow } from "../db";
import { env } from "../env";
import { BadRequest } from "../errors";
import {
  type Partner,
  partnerRedirectProblem,
  provisionRehearsalUser,
  type RehearsalUser,
  rehearsalPerson,
  rehearsalPlatforms,
} from "../partners";
import type { Platform } from "../platforms";
import { setSuspended } from "../users";
import { connectWithoutBrowser } from "./direct";
import { openAttempt } from "./open";
import { connectUrl } from "./state";
import { type ConnectTrace, listConnectTraces } from "./traces";

const EXPIRED_AGE_MS = 3_600_000;

/**
 * The links that a partner can open in a rehearsal. Everything that happens on or after the network's page is chosen on
 * the simulated network's consent page.
 */
export const rehearsalLinks = [
  "new",
  "expired",
  "changed",
  "used",
  "other-browser",
  "account-in-use",
  "suspended-user",
] as const;
export type RehearsalLink = (typeof rehearsalLinks)[number];

type RehearsalInput = { link: string; platform: string; redirectUri: string };

/**
 * Creates a link for a test user of the partner and returns its address. The bridge treats it like any other link. It ends
 * at the console, which shows what the partner's own redirectUri would have received.
 * @throws BadRequest with every problem; BeingDeleted while the test user is being deleted
 */
export async function createRehearsalLink(partner: Partner, input: RehearsalInput): Promise<string> {
  const link = rehearsalLinks.find((value) => value === input.link);
  const platform = rehearsalPlatforms().find((value) => value === input.platform);
  const redirectProblem = partnerRedirectProblem(input.redirectUri);
  if (!link || !platform || redirectProblem) {
    throw new BadRequest(
      ...[
        !link && `link must be one of ${rehearsalLinks.join(", ")}`,
        !platform && "platform is not simulated here",
        redirectProblem && `redirectUri ${redirectProblem}`,
      ].filter((problem): problem is string => typeof problem === "string"),
    );
  }
  return linkAddress(link, partner, platform, input.redirectUri);
}

async function linkAddress(link: RehearsalLink, partner: Partner, platform: Platform, redirectUri: string) {
  const userId = async (name: RehearsalUser) => (await provisionRehearsalUser(partner.id, name)).id;
  const owner = await userId(link === "suspended-user" ? "rehearsal-suspended-user" : "rehearsal-user");
  const state = {
    jti: randomUUID(),
    client: partner.clientId,
    owner,
    platform,
    redirectUri: rehearsalReturn(partner, redirectUri),
  };
  const now = await databaseNow();
  switch (link) {
    case "new":
      return connectUrl(state, now);
    case "expired":
      return connectUrl(state, new Date(now.getTime() - EXPIRED_AGE_MS));
    case "changed":
      return `${connectUrl(state, now).slice(0, -3)}AAA`;
    case "used":
      await connectWithoutBrowser(owner, platform, `${rehearsalPerson(partner)}_1`, state.jti);
      return connectUrl(state, now);
    case "other-browser": // opened here, so the browser that returns has not opened it
      return (await openAttempt(state)).url;
    case "account-in-use":
      await connectWithoutBrowser(await userId("rehearsal-other-user"), platform, rehearsalPerson(partner));
      return connectUrl(state, now);
    case "suspended-user":
      await setSuspended(owner, true);
      return connectUrl(state, now);
  }
}

/** The latest attempts of the partner's test users, newest first. */
export async function listRehearsalTraces(partnerId: string): Promise<ConnectTrace[]> {
  const externalUserIds: RehearsalUser[] = ["rehearsal-user", "rehearsal-suspended-user"];
  return (await listConnectTraces(partnerId, { limit: 5, externalUserIds })).items;
}

function rehearsalReturn({ clientId }: Partner, redirectUri: string): string {
  return `${env.appUrl}/console/${clientId}/rehearsal?${new URLSearchParams({ redirectUri })}`;
}
