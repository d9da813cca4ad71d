import { describe, expect, test } from "vitest";
import type { Tokens } from "../network";
import { failureOf } from "../testing";
import { bluesky } from ".";
import { APP_PASSWORD, blueskySandbox, connect } from "./testing/sandbox";

const at = blueskySandbox();
const signIn = (account: string, password = APP_PASSWORD, host?: string) => {
  if (!connect.password) throw new Error("Bluesky has no app passwords");
  return connect.password.signIn(at.app, { account, password, host });
};
const refresh = (tokens: Tokens) =>
  bluesky.refresh?.run(at.app, tokens) ?? Promise.reject(new Error("Bluesky has no refresh"));

describe("sign-in with an app password", () => {
  test.each(["alice.bsky.test", "@Alice.bsky.test\u200b", "alice.bsky.test "])(
    "as %j, on the account's own server",
    async (account) => {
      const tokens = await signIn(account);
      expect(tokens.extra).toEqual({
        did: expect.stringMatching(/^did:plc:/),
        pds: at.sandbox.url.replace("localhost", "127.0.0.1"),
      });
      const session = await at.withTokens(tokens);
      expect(session).toMatchObject({ username: "alice.bsky.test", accountId: tokens.extra?.did });
      expect(Date.parse(tokens.expiresAt ?? "") - Date.now()).toBeGreaterThan(7_000_000);
    },
  );

  test("at a given server, which reports where the account lives", async () => {
    const { extra } = await signIn("bob.bsky.test", APP_PASSWORD, at.sandbox.url);
    expect(extra?.pds).toBe(at.sandbox.url.replace("localhost", "127.0.0.1"));
  });

  test("can publish a post", async () => {
    const session = await at.withTokens(await signIn("bob.bsky.test"));
    await at.publish(session, "text", { content: "By app password" });
    expect(await at.held("By app password")).toHaveLength(1);
  });

  test.each([
    ["a main password", "alice.bsky.test", "correct horse battery", "rejected", "app password"],
    [
      "a wrong app password",
      "alice.bsky.test",
      "aaaa-bbbb-cccc-dddd",
      "reconnect",
      "this account name with this app password",
    ],
    ["an unknown account", "nobody.example.com", APP_PASSWORD, "rejected", "No Bluesky account named"],
    ["an invalid name", "not a name!", APP_PASSWORD, "rejected", "No Bluesky account named"],
  ])("rejects %s", async (_, account, password, kind, says) => {
    expect(await failureOf(signIn(account, password))).toMatchObject({ kind, message: expect.stringContaining(says) });
  });

  test("does not call an invalid address", async () => {
    expect(await failureOf(signIn("alice.bsky.test", APP_PASSWORD, "https://x.example/path"))).toMatchObject({
      kind: "rejected",
    });
  });

  test("does not call a server with a private address", async () => {
    const error = await failureOf(signIn("alice.bsky.test", APP_PASSWORD, "http://127.0.0.1:9"));
    expect(error).toMatchObject({ kind: "rejected", refused: true, answer: { status: 0 } });
  });
});

describe("session", () => {
  test("refreshes to a new pair; the used token returns the same pair again", async () => {
    const old = await signIn("p1.bsky.test");
    const next = await refresh(old);
    expect(next.refreshToken).not.toBe(old.refreshToken);
    expect((await refresh(old)).refreshToken).toBe(next.refreshToken);
    await at.withTokens(next);
  });

  test("returns the same pair after an incomplete answer", async () => {
    const tokens = await signIn("dave.bsky.test");
    await at.sandbox.fault({ operation: "refresh", fault: "no_refresh_token" });
    expect(await failureOf(refresh(tokens))).toMatchObject({ kind: "unknown", answer: { status: 200 } });
    const next = await refresh(tokens);
    expect(next.refreshToken).not.toBe(tokens.refreshToken);
    expect(await refresh(tokens)).toEqual(next);
  });

  test("expires after two hours with status 400 and is refreshed", async () => {
    const tokens = await signIn("p2.bsky.test");
    await at.sandbox.advance(7201);
    const error = await failureOf(at.withTokens(tokens));
    expect(error).toMatchObject({ kind: "reconnect", answer: { status: 400, code: "ExpiredToken" } });
    await at.withTokens(await refresh(tokens));
  });

  test("ends at the next refresh after the app password was revoked; the access token stays valid until it expires", async () => {
    const tokens = await signIn("p3.bsky.test");
    await at.sandbox.control("bluesky/revoke-app-password", { account: "p3" });
    await at.withTokens(tokens);
    const error = await failureOf(refresh(tokens));
    expect(error).toMatchObject({ kind: "reconnect", message: expect.stringContaining("revoked") });
  });

  test("ends when signing out", async () => {
    const tokens = await signIn("p4.bsky.test");
    await bluesky.revoke?.(at.app, tokens);
    expect(await failureOf(refresh(tokens))).toMatchObject({ kind: "reconnect" });
  });
});
