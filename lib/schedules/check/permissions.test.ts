import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { sealTokens, tokensOf } from "../../accounts/accounts";
import { accounts, db } from "../../db";
import { env } from "../../env";
import { networkOf } from "../../networks";
import type { Platform } from "../../platforms";
import { inAnHour, readResponse } from "../../testing";
import { plainPublication } from "../testing/due";

/** The plainest post with this setting, on an account that was connected without some of the scopes. */
async function validated(platform: Platform, settings: object, without: string[]) {
  const network = networkOf(platform);
  const { client, account, publication } = await plainPublication(network, "The bells of the town");
  const [row] = await db.select().from(accounts).where(eq(accounts.id, account));
  if (!row) throw new Error("the account was not connected");
  const tokens = tokensOf(row);
  const scopes = tokens.scopes?.filter((scope) => !without.includes(scope));
  expect(tokens.scopes?.length).toBe((scopes?.length ?? 0) + without.length);
  await db
    .update(accounts)
    .set({ tokensSealed: sealTokens(row, { ...tokens, scopes }) })
    .where(eq(accounts.id, account));
  const platformSettings = { ...publication.platformSettings, ...settings };
  const body = { scheduledTime: inAnHour().toISOString(), publications: [{ ...publication, platformSettings }] };
  const [, answer] = await readResponse(client.post("/v1/posts/validate", body));
  const { valid, problems } = answer as { valid: boolean; problems: Found[] };
  const ofScopes = problems.filter(({ rule }) => rule === "settings.scope");
  return { valid, found: ofScopes, others: problems.filter((problem) => !ofScopes.includes(problem)) };
}

type Found = { path: string; rule: string; message: string; fix?: string; severity?: string };

const CAPTIONS = { captions: "1\n00:00:01,000 --> 00:00:02,000\nBells\n", captionsLanguage: "en" };
const SCOPES = {
  drafts: ["video.upload"],
  gate: ["repo:app.bsky.feed.threadgate?action=create"],
  locations: ["threads_location_tagging"],
  manage: ["https://www.googleapis.com/auth/youtube.force-ssl"],
};

describe.each<[Platform, string, object, string[]]>([
  ["TIKTOK", "sendToDrafts", { sendToDrafts: true }, SCOPES.drafts],
  ["BLUE_SKY", "whoCanReply", { whoCanReply: ["FOLLOWERS"] }, SCOPES.gate],
  ["THREADS", "locationId", { locationId: "12345" }, SCOPES.locations],
])("%s: %s on an account without the permission", (platform, setting, settings, scopes) => {
  test("is refused, because the post would fail", async () => {
    const { valid, found } = await validated(platform, settings, scopes);
    expect(valid).toBe(false);
    expect(found).toEqual([
      {
        path: `publications[0].platformSettings.${setting}`,
        rule: "settings.scope",
        message: expect.stringMatching(/^This account's permission at \w+ does not cover .+, so the post would fail$/),
        fix: expect.stringMatching(/^Reconnect the account and allow .+, or remove the setting$/),
      },
    ]);
  });

  test("is accepted with the permission, and the setting may be absent without it", async () => {
    expect(await validated(platform, settings, [])).toMatchObject({ valid: true, found: [] });
    expect(await validated(platform, {}, scopes)).toMatchObject({ valid: true, found: [] });
  });
});

test.each<[string, object]>([
  ["captions", CAPTIONS],
  ["playlistId", { playlistId: "PL0123456789" }],
])("YOUTUBE: %s on an account without the permission is a warning, because the video goes out", async (setting, on) => {
  const { valid, found } = await validated("YOUTUBE", on, SCOPES.manage);
  expect(valid).toBe(true);
  expect(found).toMatchObject([
    {
      path: `publications[0].platformSettings.${setting}`,
      severity: "warning",
      message: expect.stringMatching(/, so the post is published without it$/),
    },
  ]);
});

test("settings that ask for nothing need no permission", async () => {
  expect((await validated("TIKTOK", { sendToDrafts: false }, SCOPES.drafts)).found).toEqual([]);
  expect((await validated("BLUE_SKY", { whoCanReply: [] }, SCOPES.gate)).found).toEqual([]);
});

test("Bluesky's broad scope includes the one for who can reply", async () => {
  const { permissions = [] } = networkOf("BLUE_SKY");
  expect(permissions).toMatchObject([{ scopes: expect.arrayContaining([...SCOPES.gate, "transition:generic"]) }]);
});

test("a setting that the operator has not set up is reported once", async () => {
  const { tiktokVideoUpload } = env;
  onTestFinished(() => void Object.assign(env, { tiktokVideoUpload }));
  Object.assign(env, { tiktokVideoUpload: false });
  const { found, others } = await validated("TIKTOK", { sendToDrafts: true }, []);
  expect(found).toEqual([]);
  expect(others.map(({ rule }) => rule)).toContain("tiktok.drafts_off");
});
