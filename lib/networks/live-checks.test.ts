import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { env } from "../env";
import { facebook } from "./facebook";
import { linkedin } from "./linkedin";
import type { ByHand, LiveCheck } from "./live-checks";
import type { NetworkSession } from "./network";
import { pinterest } from "./pinterest";
import { connectedTo, failureOf, sandboxApp, sandboxFor, type TestSandbox } from "./testing";
import { makeSession } from "./wire/fetch";
import { youtube } from "./youtube";

// What `doctor --live` reads of an application's settings at a network, with a simulated network of its own for each.

async function run(check: LiveCheck, session: NetworkSession): Promise<string | ByHand> {
  if (!("run" in check)) throw new Error("no call checks this");
  return check.run(session);
}

describe("Facebook", () => {
  let sandbox: TestSandbox;
  let alice: NetworkSession;
  beforeAll(async () => {
    sandbox = await sandboxFor("facebook");
    alice = await connectedTo(facebook, sandboxApp(facebook, sandbox.url, "facebook"), "alice");
  });
  afterEach(() => sandbox.control("facebook/switches", {}));
  afterAll(() => sandbox.close());

  test("products: every permission needs Advanced Access", async () => {
    expect(await run(facebook.live.products, alice)).toContain("pages_manage_posts");
    await sandbox.control("facebook/switches", { advancedAccess: ["pages_show_list", "pages_read_engagement"] });
    expect(await failureOf(run(facebook.live.products, alice))).toMatchObject({
      kind: "rejected",
      message:
        "Facebook has not approved pages_manage_posts (not listed), pages_manage_engagement (not listed), business_management (not listed) for the app",
    });
  });

  test("quotas: how much of a Page's calls is used", async () => {
    expect(await run(facebook.live.quotas, alice)).toContain("has used 1 percent of its calls");
  });

  test("webhooks: the deauthorize address is compared if Facebook states it", async () => {
    expect(await run(facebook.live.webhooks, alice)).toEqual({ byHand: expect.stringContaining("Facebook Login") });
    await sandbox.control("facebook/switches", { deauthorizeUrl: `${env.appUrl}/callbacks/facebook` });
    expect(await run(facebook.live.webhooks, alice)).toContain("is this address");
    await sandbox.control("facebook/switches", { deauthorizeUrl: "https://elsewhere.example/" });
    expect(await failureOf(run(facebook.live.webhooks, alice))).toMatchObject({
      kind: "rejected",
      message: "The deauthorize callback of the app is https://elsewhere.example/",
    });
  });

  test("a wrong secret of the app never asks the person to reconnect", async () => {
    const wrong = { ...alice, app: { ...alice.app, clientSecret: "mistaken" } };
    expect((await failureOf(run(facebook.live.webhooks, wrong))).kind).not.toBe("reconnect");
  });
});

describe("Pinterest", () => {
  let sandbox: TestSandbox;
  let alice: NetworkSession;
  beforeAll(async () => {
    sandbox = await sandboxFor("pinterest");
    alice = await connectedTo(pinterest, sandboxApp(pinterest, sandbox.url, "pinterest"), "alice");
  });
  afterEach(() => sandbox.control("pinterest/switches", {}));
  afterAll(() => sandbox.close());

  test("products: Trial access shows Pins only to their owner", async () => {
    expect(await run(pinterest.live.products, alice)).toContain("Standard access");
    await sandbox.control("pinterest/switches", { trial: true });
    expect(await failureOf(run(pinterest.live.products, alice))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("Trial access"),
    });
  });

  test("quotas: how many calls are left", async () => {
    expect(await run(pinterest.live.quotas, alice)).toMatch(/^\d+ of 1000 reading calls are left in 60 seconds/);
  });
});

test("LinkedIn: the scopes of the token show the products of the app", async () => {
  const sandbox = await sandboxFor("linkedin");
  try {
    const app = sandboxApp(linkedin, sandbox.url, "linkedin");
    const alice = await connectedTo(linkedin, app, "alice");
    expect(await run(linkedin.live.products, alice)).toContain("w_member_social");
    const ended = { ...alice, tokens: { accessToken: "ended" } };
    expect(await failureOf(run(linkedin.live.products, ended))).toMatchObject({ kind: "reconnect" });
  } finally {
    await sandbox.close();
  }
});

test("YouTube: the scopes of the token; a refusal of this call says nothing about the account", async () => {
  const sandbox = await sandboxFor("youtube");
  try {
    const app = sandboxApp(youtube, sandbox.url, "youtube");
    const alice = await connectedTo(youtube, app, "alice");
    const { connect } = youtube;
    const scopesOf = (session: NetworkSession) =>
      connect.kind === "oauth" ? connect.readScopes?.(session) : undefined;
    expect(await scopesOf(alice)).toEqual(alice.tokens.scopes);
    const ended = makeSession(youtube, app, { ...alice, tokens: { accessToken: "ended" } });
    expect(await scopesOf(ended)).toBeUndefined();
  } finally {
    await sandbox.close();
  }
});
