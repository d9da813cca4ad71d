import { afterEach, describe, expect, test } from "vitest";
import { env } from "../lib/env";
import { allNetworks } from "../lib/networks";
import { platforms } from "../lib/platforms";
import { examine } from "./doctor";

describe("the versions that are spoken", () => {
  /** As the networks' contracts had it on `versionsAsOf`; whoever speaks another version looks its end up. */
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
    (await examine(now)).problems.filter(({ problem }) => problem.startsWith(`${name} `)).map(Object.values);

  test("are listed with their ends, and the day on which that was so", async () => {
    const { versionsAsOf, networks } = await examine();
    expect(versionsAsOf).toBe("2026-11-20");
    const listed = networks.map(({ platform, apiVersion, endOfLife }) => [platform, [apiVersion, endOfLife]]);
    expect(Object.fromEntries(listed)).toEqual(SPOKEN);
  });

  test.each(allNetworks().map(({ name, platform }) => [name, ...SPOKEN[platform]] as [string, string, string]))(
    "%s: said 90 days ahead where its end is known, and not before",
    async (name, version, end) => {
      if (end === "not announced") return void expect(await about(name, new Date("2099-01-01"))).toEqual([]);
      const daysAhead = (days: number) => about(name, new Date(Date.parse(end) - days * DAY_MS));
      const mend = "Update Carillon to a release that uses a newer version of the API";
      const ends = ["warning", `${name} ends version ${version} of its API on ${end}`, mend];
      expect(await daysAhead(91)).toEqual([]);
      expect(await daysAhead(89)).toEqual([ends]);
      expect(await daysAhead(1)).toEqual([ends]);
      expect(await daysAhead(0)).toEqual([["failure", `${name} ended version ${version} of its API on ${end}`, mend]]);
    },
  );

  test("the list is said to be old when it is a year old, as ends may have been announced since", async () => {
    const said = async (day: string) =>
      (await examine(new Date(day))).problems.filter(({ problem }) => problem.includes("2026-11-20"));
    expect(await said("2027-11-19T23:59:59Z")).toEqual([]);
    expect(await said("2027-11-20T00:00:00Z")).toEqual([
      {
        severity: "warning",
        problem: "The end dates of the networks' API versions were last checked on 2026-11-20",
        mend: "Update Carillon: newer end dates may have been announced",
      },
    ]);
  });
});

describe("credentials that are set", () => {
  const kept = { ...env.networks };
  afterEach(() => void Object.assign(env.networks, kept));

  /** As if an operator had set them: the sandbox stands for the network itself. */
  function setUp(changed: { clientSecret?: string; apiUrl?: string } = {}) {
    for (const { platform } of allNetworks()) {
      const name = platforms[platform];
      const known = kept[name];
      if (known.mode !== "sandbox") throw new Error(`${name} is not the sandbox's here`);
      env.networks[name] = { ...known, ...changed, mode: "real" };
    }
  }
  const problems = async () =>
    (await examine()).problems.filter(({ problem }) => !problem.startsWith("APP_URL")).map((one) => Object.values(one));

  test("right ones are taken by every network", async () => {
    setUp();
    expect(await problems()).toEqual([]);
  });

  test("wrong ones are failures, with what the network says and what to set", async () => {
    setUp({ clientSecret: "1000000001:not-the-secret" });
    const found = await problems();
    expect(found.map(([severity]) => severity)).toEqual(Array(allNetworks().length - 1).fill("failure"));
    expect(found).toContainEqual([
      "failure",
      "X does not accept the credentials it is set up with (status 401: Missing valid authorization header)",
      "Correct X_CLIENT_ID and X_CLIENT_SECRET",
    ]);
    expect(found).toContainEqual([
      "failure",
      expect.stringMatching(/^Telegram does not/),
      "Correct TELEGRAM_BOT_TOKEN",
    ]);
    expect(JSON.stringify(found)).not.toContain("not-the-secret");
  });

  test("a network that cannot be reached is a warning", async () => {
    setUp({ apiUrl: "http://127.0.0.1:9" });
    const found = await problems();
    expect(found).toContainEqual(["warning", "X could not be asked about its credentials", expect.any(String)]);
    expect(found.every(([severity]) => severity === "warning")).toBe(true);
  });

  test("that are missing are said by the names of their settings", async () => {
    for (const name of ["x", "bluesky", "telegram"] as const) env.networks[name] = { mode: "off" };
    expect((await problems()).map(([, , mend]) => mend)).toEqual([
      "Set X_CLIENT_ID and X_CLIENT_SECRET",
      "Set BLUESKY_CLIENT_KEY",
      "Set TELEGRAM_BOT_TOKEN",
    ]);
  });
});
