import { afterEach, describe, expect, test } from "vitest";
import { env } from "../lib/env";
import { allNetworks } from "../lib/networks";
import { platforms } from "../lib/platforms";
import { examine, versionProblems } from "./doctor";

describe("a version's end", () => {
  const said = (day: string) =>
    versionProblems({ name: "Net", version: { name: "v1", endsOn: "2027-06-30" } }, new Date(day)).map(
      ({ severity, problem }) => [severity, problem],
    );
  const ends = "Net ends version v1 of its API on 2027-06-30";
  const ended = "Net ended version v1 of its API on 2027-06-30";

  test.each([
    ["ninety days before it", "2027-04-01T00:00:00Z", []],
    ["a second less than that", "2027-04-01T00:00:01Z", [["warning", ends]]],
    ["a second before it", "2027-06-29T23:59:59Z", [["warning", ends]]],
    ["on the day", "2027-06-30T00:00:00Z", [["failure", ended]]],
    ["a year after", "2028-06-30T00:00:00Z", [["failure", ended]]],
  ])("%s", (_, day, problems) => {
    expect(said(day)).toEqual(problems);
  });

  test("that nobody announced is no problem", () => {
    expect(versionProblems({ name: "Net", version: { name: "v1" } }, new Date("2099-01-01"))).toEqual([]);
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
