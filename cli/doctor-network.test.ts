import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { storedDestinations } from "../lib/accounts";
import { sealTokens, tokensOf } from "../lib/accounts/accounts";
import { accounts, db } from "../lib/db";
import { env } from "../lib/env";
import { allNetworks, networkOf } from "../lib/networks";
import { type Platform, platforms, platformValues } from "../lib/platforms";
import { callsOn, connectAccount, control, fault, newOwner, postsOn } from "../lib/testing";
import { withApiServed } from "../lib/testing/served";
import { checkNetwork, type Line, scopeLine } from "./doctor-network";

withApiServed();

const CHECKS = ["identity", "scopes", "products", "quotas", "upload", "webhooks"];

async function check(platform: Platform) {
  const { id, person } = await connectAccount(await newOwner(), platform);
  const { report, problems } = await checkNetwork(networkOf(platform), id);
  return { id, person, report, problems, resultOf: resultsOf(report.checks) };
}

function resultsOf(lines: Line[]) {
  return (name: Line["check"]) => lines.find((line) => line.check === name);
}

/** What no call of the network shows, and what the network does not have. All other points are checked by a call. */
const NOT_CALLED: { [P in Platform]: { [C in Line["check"]]?: "by hand" | "not needed" } } = {
  X_TWITTER: { quotas: "by hand", webhooks: "not needed" },
  YOUTUBE: { quotas: "by hand", webhooks: "not needed" },
  THREADS: { products: "by hand", webhooks: "by hand" },
  TIKTOK: { webhooks: "by hand" },
  INSTAGRAM: { products: "by hand", webhooks: "by hand" },
  LINKEDIN: { quotas: "by hand", webhooks: "not needed" },
  BLUE_SKY: { products: "not needed", webhooks: "not needed" },
  TELEGRAM: { quotas: "not needed" },
  FACEBOOK: { webhooks: "by hand" }, // unless Facebook states the address
  PINTEREST: { webhooks: "not needed" },
};

describe.each(platformValues)("%s", (platform) => {
  const network = platforms[platform];

  test("each point is checked or says how to check it by hand, and nothing is published", async () => {
    const { id, person, report, problems } = await check(platform);
    expect(problems).toEqual([]);
    expect(report).toMatchObject({ mode: "sandbox", account: { id } });
    expect(report.checks.map((line) => line.check)).toEqual(CHECKS);
    for (const { check: name, result, found, todo } of report.checks) {
      expect([name, result]).toEqual([name, NOT_CALLED[platform][name] ?? "passed"]);
      expect([found, todo].filter((text) => text.length < 5 || text.endsWith("."))).toEqual([]);
    }
    expect(await postsOn(network, person)).toEqual([]);
    expect(await callsOn(network, person, "publish")).toEqual([]);
  });
});

/** The call that each network's upload begins with. */
const UPLOADS = [
  ["X_TWITTER", "upload"],
  ["YOUTUBE", "prepare"],
  ["THREADS", "prepare"],
  ["TIKTOK", "prepare"],
  ["INSTAGRAM", "prepare"],
  ["LINKEDIN", "prepare"],
  ["BLUE_SKY", "upload"],
  ["TELEGRAM", "upload"],
  ["FACEBOOK", "prepare"],
  ["PINTEREST", "prepare"],
] as const;

/** The settings that add scopes, and what the report says if the account has none of these. All are on for simulated networks. */
const SWITCHED: [platform: Platform, settings: string, found: string][] = [
  [
    "FACEBOOK",
    "FACEBOOK_COMMENTS and FACEBOOK_BUSINESS_PAGES",
    "pages_manage_engagement (FACEBOOK_COMMENTS is on), business_management (FACEBOOK_BUSINESS_PAGES is on)",
  ],
  ["INSTAGRAM", "INSTAGRAM_COMMENTS", "instagram_business_manage_comments (INSTAGRAM_COMMENTS is on)"],
  ["THREADS", "THREADS_LOCATIONS", "threads_location_tagging (THREADS_LOCATIONS is on)"],
  ["LINKEDIN", "LINKEDIN_PAGES", "w_organization_social, rw_organization_admin (LINKEDIN_PAGES is on)"],
  ["YOUTUBE", "YOUTUBE_MANAGE", "https://www.googleapis.com/auth/youtube.force-ssl (YOUTUBE_MANAGE is on)"],
  [
    "TIKTOK",
    "TIKTOK_VIDEO_LIST and TIKTOK_VIDEO_UPLOAD",
    "video.list (TIKTOK_VIDEO_LIST is on), video.upload (TIKTOK_VIDEO_UPLOAD is on)",
  ],
];

describe("a failed check of a network", () => {
  test.each(UPLOADS)(
    "%s: a refused upload is a failure with the reason, and the account stays connected",
    async (platform, operation) => {
      await fault({ network: platforms[platform], operation, fault: "rate_limit", afterSeconds: 60 });
      const { id, problems, resultOf } = await check(platform);
      expect(resultOf("identity")).toMatchObject({ result: "passed" });
      expect(resultOf("upload")).toMatchObject({ result: "failed", todo: expect.stringContaining("some minutes") });
      const problem = expect.stringMatching(/, upload: ./);
      expect(problems).toEqual([{ severity: "failure", problem, fix: resultOf("upload")?.todo }]);
      const [account] = await db.select({ state: accounts.state }).from(accounts).where(eq(accounts.id, id));
      expect(account).toEqual({ state: "ACTIVE" });
    },
  );

  test("products: LinkedIn refuses an application without the product, and the line says where to add it", async () => {
    await fault({ network: "linkedin", operation: "prepare", fault: "operator" });
    const { resultOf } = await check("LINKEDIN");
    expect(resultOf("upload")).toMatchObject({
      result: "failed",
      todo: expect.stringContaining("linkedin.com/developers"),
    });
  });

  test("products: YouTube without the enabled API", async () => {
    const { id } = await connectAccount(await newOwner(), "YOUTUBE");
    await fault({ network: "youtube", operation: "profile", fault: "operator", every: 2 });
    const { report } = await checkNetwork(networkOf("YOUTUBE"), id);
    const todo = expect.stringContaining("console.cloud.google.com");
    expect(resultsOf(report.checks)("products")).toMatchObject({ result: "failed", todo });
  });

  test("identity: the other checks are not run, and its reason is reported once", async () => {
    const { id } = await connectAccount(await newOwner(), "PINTEREST");
    await fault({ network: "pinterest", operation: "profile", fault: "revoke_token" });
    const { report, problems } = await checkNetwork(networkOf("PINTEREST"), id);
    const others = CHECKS.slice(1).map(() => "not run");
    expect(report.checks.map(({ result }) => result)).toEqual(["failed", ...others]);
    expect(problems).toHaveLength(1);
  });

  const withScopes = allNetworks().flatMap((network) =>
    network.connect.kind === "oauth" ? [[network.name, network, network.connect] as const] : [],
  );
  test.each(withScopes)("scopes: %s", (_, network, connect) => {
    const { requiredScopes, switchedScopes = [] } = connect;
    const [first = "", ...rest] = requiredScopes;
    const added = switchedScopes.flatMap(({ scopes }) => scopes);
    expect(scopeLine(network, connect, rest)).toMatchObject({ result: "failed", found: `Not granted: ${first}` });
    expect(scopeLine(network, connect, [...requiredScopes, ...added])).toMatchObject({ result: "passed" });
    expect(scopeLine(network, connect, undefined)).toMatchObject({ result: "by hand" });
  });

  test.each(SWITCHED)("scopes: %s without those that %s adds", async (platform, settings, found) => {
    const network = networkOf(platform);
    if (network.connect.kind === "bot") throw new Error("a bot has no scopes");
    const line = scopeLine(network, network.connect, network.connect.requiredScopes);
    expect(line).toMatchObject({ result: "warning", found: `Not granted: ${found}` });
    expect(line.todo).toContain(`switch ${settings} off`);
  });

  test("scopes: a login configuration of Facebook must contain them too", () => {
    const [network, settings] = [networkOf("FACEBOOK"), env.networks.facebook];
    if (network.connect.kind === "bot" || settings.mode === "off") throw new Error("Facebook is not set up");
    const { connect } = network;
    const advice = () => [[], connect.requiredScopes].map((scopes) => scopeLine(network, connect, scopes).todo);
    for (const todo of advice()) expect(todo).not.toContain("configuration");
    Object.assign(env.networks, { facebook: { ...settings, configId: "77" } });
    onTestFinished(() => void Object.assign(env.networks, { facebook: settings }));
    for (const todo of advice()) {
      expect(todo).toContain("the application at Facebook may request them and that the login configuration 77");
      expect(todo).toContain("(FACEBOOK_CONFIG_ID) contains them");
      expect(todo).toContain("then reconnect the account");
    }
  });

  /** If the network is asked, the scopes that Carillon stored do not count. */
  test.each(["FACEBOOK", "THREADS", "LINKEDIN", "YOUTUBE"] as const)("scopes: %s is asked", async (platform) => {
    const { id } = await connectAccount(await newOwner(), platform);
    const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
    if (!row) throw new Error("the account was not connected");
    const tokensSealed = sealTokens(row, { ...tokensOf(row), scopes: ["stored"] });
    await db.update(accounts).set({ tokensSealed }).where(eq(accounts.id, id));
    const { report } = await checkNetwork(networkOf(platform), id);
    expect(resultsOf(report.checks)("scopes")).toMatchObject({ result: "passed" });
  });

  test("rights: a chat of the account in which the bot may not post", async () => {
    const { id } = await connectAccount(await newOwner(), "TELEGRAM");
    const before = await checkNetwork(networkOf("TELEGRAM"), id);
    expect(resultsOf(before.report.checks)("scopes")).toMatchObject({ result: "passed" });
    const [chat] = (await storedDestinations([id])).get(id) ?? [];
    await control("telegram/remove-bot", { chatId: chat?.id });
    const { report, problems } = await checkNetwork(networkOf("TELEGRAM"), id);
    expect(resultsOf(report.checks)("scopes")).toMatchObject({
      result: "failed",
      found: expect.stringContaining(`${chat?.title}: `),
      todo: expect.stringContaining("Administrators: the bot must be listed"),
    });
    expect(problems).toHaveLength(1);
  });

  test("quotas: X states what is left of the calls for the identity, and the credits are checked by hand", async () => {
    const { resultOf } = await check("X_TWITTER");
    expect(resultOf("quotas")).toMatchObject({
      result: "by hand",
      found: expect.stringMatching(/that are left: \d+ of 75 in 15 minutes$/),
      todo: expect.stringContaining("Usage and Credits"),
    });
  });

  test("quotas: TikTok allows this creator no call now", async () => {
    const { id } = await connectAccount(await newOwner(), "TIKTOK");
    await fault({ network: "tiktok", operation: "profile", fault: "rate_limit", afterSeconds: 60, every: 4 });
    const { report } = await checkNetwork(networkOf("TIKTOK"), id);
    const todo = expect.stringContaining("about 15 posts");
    expect(resultsOf(report.checks)("quotas")).toMatchObject({ result: "failed", todo });
  });

  test.each([
    ["THREADS", "appUrl"],
    ["TIKTOK", "baseUrl"],
  ] as const)("webhooks: the address of %s does not lead to this service", async (platform, setting) => {
    const kept = env[setting];
    onTestFinished(() => void Object.assign(env, { [setting]: kept }));
    Object.assign(env, { [setting]: "http://127.0.0.1:9" });
    const { resultOf } = await check(platform);
    expect(resultOf("webhooks")).toMatchObject({
      result: "failed",
      found: expect.stringContaining("http://127.0.0.1:9"),
    });
  });
});

describe("the account", () => {
  test("one that cannot be used is a failure that says where to connect another", async () => {
    const { report, problems } = await checkNetwork(networkOf("TIKTOK"), 2_000_000_000);
    expect(report).toMatchObject({ credentials: "accepted", account: null, checks: [] });
    expect(problems).toEqual([
      {
        severity: "failure",
        problem: "TikTok was not called: account 2000000000 is not an account of TikTok that can be used now",
        fix: expect.stringContaining("/accounts"),
      },
    ]);
  });

  test("one of another network is not used", async () => {
    const { id } = await connectAccount(await newOwner(), "X_TWITTER");
    expect((await checkNetwork(networkOf("PINTEREST"), id)).report.account).toBeNull();
  });
});
