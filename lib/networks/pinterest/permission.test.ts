import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { platformErrorFrom } from "../errors";
import type { App, OAuthConnect, Tokens } from "../network";
import { connectBy, failureOf, memoryRun, newMemory } from "../testing";
import { makeSession } from "../wire/fetch";
import { pinterest } from ".";
import { publishImage } from "./publish";
import { connect, pinOn, pinterestSandbox } from "./testing/sandbox";

let sandbox: Awaited<ReturnType<typeof pinterestSandbox>>;
let tokens: Tokens;

beforeAll(async () => {
  sandbox = await pinterestSandbox();
  ({ tokens } = await sandbox.connected("alice"));
});
afterEach(() => sandbox.switches({}));
afterAll(() => sandbox.close());

const refreshed = (app: App) => failureOf(Promise.resolve(pinterest.refresh?.run(app, tokens)));

describe("refused refresh", () => {
  /** Our application, with a fixed answer of its token endpoint. */
  const answered = (status: number, body: object): App => ({
    ...sandbox.app,
    async fetch(path, call) {
      if (path !== "/v5/oauth/token") return sandbox.app.fetch(path, call);
      throw platformErrorFrom("Pinterest", pinterest.errors, body, { status, headers: new Headers() });
    },
  });
  const unknown = { code: 2, message: "Authentication failed." };

  test.each([
    [400, { code: 1, message: "Bad refresh token" }],
    [401, { code: 7, message: "Refused" }],
    [401, unknown],
  ])("status %i requires connecting again: %o", async (status, body) => {
    expect(await refreshed(answered(status, body))).toMatchObject({ kind: "reconnect", answer: { status } });
  });

  test("invalid service credentials do not affect the account", async () => {
    expect(await refreshed({ ...sandbox.app, clientSecret: "mistaken" })).toMatchObject({
      kind: "operator",
      message: expect.stringContaining("this service's own credentials"),
      answer: { status: 401, code: "2" },
    });
  });

  test("an inactive application does not affect the account", async () => {
    await sandbox.switches({ pending: true });
    expect(await refreshed(sandbox.app)).toMatchObject({ kind: "operator", answer: { status: 401, code: "3" } });
  });
});

describe("forbidden call", () => {
  /** A token that can only read the account, with these scopes reported for it. */
  async function reader(scopes: string[] | undefined) {
    const narrow: OAuthConnect = {
      ...connect,
      async begin(app, request) {
        const { url } = await connect.begin(app, request);
        const asked = new URL(url);
        asked.searchParams.set("scope", "user_accounts:read");
        return { url: asked.href };
      },
    };
    const given = await connectBy(sandbox.app, narrow, "bob");
    return makeSession(pinterest, sandbox.app, { accountId: "", username: "bob", tokens: { ...given, scopes } });
  }
  const publish = async (scopes: string[] | undefined) => {
    const post = pinOn("1", "Not permitted", { media: [await sandbox.image()] });
    return failureOf(publishImage(post, memoryRun(await reader(scopes), newMemory())));
  };

  test("is rejected if every scope was granted", async () => {
    expect(await publish(connect.requiredScopes)).toMatchObject({
      kind: "rejected",
      message: "Pinterest does not allow this: You are not permitted to access that resource.",
      answer: { status: 403, code: "29" },
    });
  });

  test.each([[["user_accounts:read"]], [undefined]])(
    "requires connecting again if a scope is missing: %o",
    async (scopes) => {
      expect(await publish(scopes)).toMatchObject({ kind: "reconnect", answer: { status: 403, code: "29" } });
    },
  );
});
