import { afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { facebook } from "../facebook";
import { described as describedFacebook } from "../facebook/testing/described";
import { instagram } from "../instagram";
import { described as describedInstagram } from "../instagram/testing/described";
import type { Network, NetworkSession, SettingOption } from "../network";
import { connectedTo, failureOf, sandboxApp, sandboxFor, type TestSandbox } from "../testing";
import { threads } from "../threads";
import { described as describedThreads } from "../threads/testing/described";

const TOWER = { id: "110506962309835", title: "Bell Tower, Sint-Baafsplein, Ghent, Belgium" };
const CAFE = { id: "110506962309836", title: "Bell Tower Café, Ghent, Belgium" };
const FEATURE = {
  kind: "operator",
  message: "Facebook searches places only for apps with the feature Page Public Metadata Access",
  fix: expect.stringContaining("Page Public Metadata Access"),
};

describe.each([
  ["facebook", facebook as Network, "placeId", describedFacebook],
  ["instagram", instagram as Network, "locationId", describedInstagram],
  ["threads", threads as Network, "locationId", describedThreads],
] as const)("a search for a place at %s", (name, network, setting, described) => {
  let sandbox: TestSandbox;
  let alice: NetworkSession;
  beforeAll(async () => {
    sandbox = await sandboxFor(name, { described });
    alice = await connectedTo(network, sandboxApp(network, sandbox.url, name), "alice");
    return () => sandbox.close();
  });
  afterEach(async () => {
    await sandbox.clearFaults();
    await sandbox.control(`${name}/switches`, {});
  });
  const search = (text: string, session = alice): Promise<SettingOption[]> => {
    const found = network.settingSearches?.[setting];
    if (!found) throw new Error(`${name} has no search for ${setting}`);
    return found(session, text);
  };

  test("finds places by a part of their name, with their addresses", async () => {
    expect(await search("bell tower")).toEqual(expect.arrayContaining([TOWER, CAFE]));
    expect(await search("Café")).toEqual([CAFE]);
  });

  test("finds nothing for a name that no place has", async () => {
    expect(await search("Nowhere & = ?")).toEqual([]);
  });

  test("tells the operator if the network has not approved the app for any call", async () => {
    await sandbox.fault({ operation: "destinations", fault: "operator" });
    expect(await failureOf(search("Bell"))).toMatchObject({
      kind: "operator",
      fix: expect.stringContaining("App Review"),
    });
  });

  test("an internal error is not taken for a missing permission", async () => {
    await sandbox.fault({ operation: "destinations", fault: "http_500" });
    expect(await failureOf(search("Bell"))).toMatchObject({ kind: "unknown" });
  });

  if (network.platform !== "THREADS") {
    test("leaves out Pages without coordinates", async () => {
      expect(await search("Bell Tower")).toEqual([TOWER, CAFE]);
    });

    test("names the feature that the app needs, and does not disconnect the account", async () => {
      await sandbox.control(`${name}/switches`, { mayReadPublicPages: false });
      expect(await failureOf(search("Bell"))).toMatchObject(FEATURE);
    });
  }

  if (network.platform === "INSTAGRAM") {
    test("credentials that Facebook does not know are a matter of the operator, not of the account", async () => {
      const { env } = await import("../../env");
      const { facebook: app } = env.networks;
      if (app.mode === "off") throw new Error("Facebook is off");
      const { clientSecret } = app;
      onTestFinished(() => void Object.assign(app, { clientSecret }));
      Object.assign(app, { clientSecret: "another" });
      expect(await failureOf(search("Bell"))).toMatchObject({
        kind: "operator",
        message: expect.stringContaining("own credentials"),
        fix: expect.stringContaining("FACEBOOK_CLIENT_ID"),
      });
    });
  }

  if (network.platform === "THREADS") {
    test.each(["q", "query"])("works if Threads reads the name from %s", async (locationsBy) => {
      await sandbox.control("threads/switches", { locationsBy });
      expect(await search("Café")).toEqual([CAFE]);
    });

    test("shows what Threads finds for an app that is not approved: Menlo Park", async () => {
      await sandbox.control("threads/switches", { locationsApproved: false });
      expect(await search("Bell Tower")).toEqual([
        { id: "166793820034304", title: "Harbour, Menlo Park, United States" },
      ]);
    });

    test("asks for a new connection if the account's permission does not cover locations", async () => {
      const tokens = { ...alice.tokens, scopes: ["threads_basic", "threads_content_publish"] };
      expect(await failureOf(search("Bell", { ...alice, tokens }))).toMatchObject({
        kind: "rejected",
        message: "This account's permission at Threads does not cover locations. Reconnect the account",
      });
    });
  }
});
