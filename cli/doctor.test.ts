import { afterEach, describe, expect, test } from "vitest";
import { reportOperatorProblem } from "../lib/accounts";
import { env } from "../lib/env";
import { allNetworks, PlatformError } from "../lib/networks";
import { platforms } from "../lib/platforms";
import "../lib/testing";
import { withSettings } from "../lib/testing/settings";
import { checkSetup, databaseSettings, durabilityProblems } from "./doctor";

test("a refusal of the service's own application is a failure, with what the operator must do and where", async () => {
  const reason = "Pinterest has not activated a test's application";
  const fix = "See developers.pinterest.com/apps";
  for (let call = 0; call < 2; call++)
    await reportOperatorProblem("PINTEREST", new PlatformError("operator", reason, { fix }));
  const { problems } = await checkSetup();
  expect(problems.find(({ problem }) => problem.includes(reason))).toEqual({
    severity: "failure",
    problem: expect.stringMatching(/^Posts on Pinterest wait for the operator: .* \(2 calls, the last at 20/),
    fix,
  });
});

describe("the API versions in use", () => {
  /** The contracts of the networks on `versionsAsOf`. After a change to another version, look up its end date. */
  const SPOKEN = {
    X_TWITTER: ["2.167", "not announced"],
    YOUTUBE: ["v3 (20260924)", "not announced"],
    THREADS: ["v1.0", "not announced"],
    TIKTOK: ["v2", "not announced"],
    INSTAGRAM: ["v26.0", "not announced"],
    LINKEDIN: ["202609", "2027-09-15"],
    BLUE_SKY: ["lexicons of 2026-08-20", "not announced"],
    TELEGRAM: ["Bot API 10.3", "not announced"],
    FACEBOOK: ["v26.0", "not announced"],
    PINTEREST: ["v5", "not announced"],
  };
  const DAY_MS = 86_400_000;
  const about = async (name: string, now: Date) =>
    (await checkSetup(now)).problems.filter(({ problem }) => problem.startsWith(`${name} `)).map(Object.values);

  test("lists the API versions with their end dates, and the day of the list", async () => {
    const { versionsAsOf, networks } = await checkSetup();
    expect(versionsAsOf).toBe("2026-11-20");
    const listed = networks.map(({ platform, apiVersion, endOfLife }) => [platform, [apiVersion, endOfLife]]);
    expect(Object.fromEntries(listed)).toEqual(SPOKEN);
  });

  test.each(allNetworks().map(({ name, platform }) => [name, ...SPOKEN[platform]] as [string, string, string]))(
    "%s: warns 90 days before the end date, and not earlier",
    async (name, version, end) => {
      if (end === "not announced") return void expect(await about(name, new Date("2099-01-01"))).toEqual([]);
      const daysAhead = (days: number) => about(name, new Date(Date.parse(end) - days * DAY_MS));
      const fix = "Update Carillon to a release that uses a newer version of the API";
      const ends = ["warning", `${name} ends version ${version} of its API on ${end}`, fix];
      expect(await daysAhead(91)).toEqual([]);
      expect(await daysAhead(89)).toEqual([ends]);
      expect(await daysAhead(1)).toEqual([ends]);
      expect(await daysAhead(0)).toEqual([["failure", `${name} ended version ${version} of its API on ${end}`, fix]]);
    },
  );

  test("warns when the list of end dates is a year old", async () => {
    const said = async (day: string) =>
      (await checkSetup(new Date(day))).problems.filter(({ problem }) => problem.includes("2026-11-20"));
    expect(await said("2027-11-19T23:59:59Z")).toEqual([]);
    expect(await said("2027-11-20T00:00:00Z")).toEqual([
      {
        severity: "warning",
        problem: "The end dates of the networks' API versions were last checked on 2026-11-20",
        fix: "Update Carillon: newer end dates may have been announced",
      },
    ]);
  });
});

describe("configured credentials", () => {
  const kept = { ...env.networks };
  afterEach(() => void Object.assign(env.networks, kept));

  /** Marks the sandbox credentials as real, so that they are tested at the sandbox. */
  function setUp(changed: { clientSecret?: string; apiUrl?: string } = {}) {
    for (const { platform } of allNetworks()) {
      const name = platforms[platform];
      const known = kept[name];
      if (known.mode !== "sandbox") throw new Error(`${name} is not in sandbox mode`);
      env.networks[name] = { ...known, ...changed, mode: "real" };
    }
  }
  const problems = async () =>
    (await checkSetup()).problems
      .filter(({ problem }) => !/^APP_URL|wait for the operator/.test(problem)) // other tests leave such problems
      .map((one) => Object.values(one));

  test("correct ones cause no problem at any network", async () => {
    setUp();
    expect(await problems()).toEqual([]);
  });

  test("wrong ones are failures with the network's message and the settings to correct", async () => {
    setUp({ clientSecret: "1000000001:not-the-secret" });
    const found = await problems();
    expect(found.map(([severity]) => severity)).toEqual(Array(allNetworks().length - 1).fill("failure"));
    expect(found).toContainEqual([
      "failure",
      "X rejects the configured credentials (status 401: Missing valid authorization header)",
      "Correct X_CLIENT_ID and X_CLIENT_SECRET",
    ]);
    expect(found).toContainEqual(["failure", expect.stringMatching(/^Telegram rejects/), "Correct TELEGRAM_BOT_TOKEN"]);
    expect(JSON.stringify(found)).not.toContain("not-the-secret");
  });

  test("a network that cannot be reached is a warning", async () => {
    setUp({ apiUrl: "http://127.0.0.1:9" });
    const found = await problems();
    expect(found).toContainEqual(["warning", "X could not be reached to check its credentials", expect.any(String)]);
    expect(found.every(([severity]) => severity === "warning")).toBe(true);
  });

  test("missing ones are reported with the names of their settings", async () => {
    for (const name of ["x", "bluesky", "telegram"] as const) env.networks[name] = { mode: "off" };
    expect((await problems()).map(([, , fix]) => fix)).toEqual([
      "Set X_CLIENT_ID and X_CLIENT_SECRET",
      "Set BLUESKY_CLIENT_KEY",
      "Set TELEGRAM_BOT_TOKEN",
    ]);
  });
});

describe("at a public address without SMTP_URL", () => {
  withSettings({ isLocal: false, smtpUrl: undefined });

  test("the missing mail server is a failure, before all other problems", async () => {
    expect((await checkSetup()).problems[0]).toEqual({
      severity: "failure",
      problem:
        "No mail server is configured: emails are written to DATA_DIR/mail, and users can neither confirm their address nor reset their password",
      fix: "Set SMTP_URL and MAIL_FROM",
    });
  });
});

test("fsync=off is a failure, and full_page_writes=off a warning; this database has both on", async () => {
  const severities = (settings: { fsync: string; fullPageWrites: string }) =>
    durabilityProblems(settings).map(({ severity }) => severity);
  expect(severities({ fsync: "off", fullPageWrites: "off" })).toEqual(["failure", "warning"]);
  expect(severities(await databaseSettings())).toEqual([]);
});
