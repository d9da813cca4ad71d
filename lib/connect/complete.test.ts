import { createHash, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test } from "vitest";
import { listOperatorProblems, openSession, storeAccount } from "../accounts";
import { tokensOf } from "../accounts/accounts";
import { accounts, connectAttempts, db } from "../db";
import { env } from "../env";
import { allNetworks, networkOf } from "../networks";
import { createPartner, suspendPartner } from "../oauth";
import { provisionConnectUser } from "../partners/connect-users";
import { type Platform, platforms } from "../platforms";
import { callsOn, fault, newOwner, newPerson } from "../testing";
import { setSwitches } from "../testing/sandbox";
import { setSuspended } from "../users";
import { dashboardReturn } from "./addresses";
import { completeAttempt } from "./complete";
import { connectWithPassword } from "./direct";
import { ConnectError } from "./failure";
import { openAttempt } from "./open";

const X = "X_TWITTER";
const LINK = "myapp://done?x=%7e&y=a%20b#part";

type AttemptInput = {
  owner: string;
  person?: string;
  platform?: Platform;
  jti?: string;
  redirectUri?: string;
  decision?: string;
  /** A permission that the person declines. */
  without?: string;
};

/** Opens a link and answers the consent page in one browser; `finish` handles the callback. */
async function begin({
  owner,
  person = newPerson(),
  platform = X,
  jti,
  redirectUri = LINK,
  decision = "allow",
  without,
}: AttemptInput) {
  const attempt = await openAttempt({ jti: jti ?? randomUUID(), owner, platform, redirectUri });
  const answer = await consent(attempt.url, person, decision, without);
  const callback = new URL(answer.headers.get("location") ?? "").searchParams;
  const finish = (query = callback, nonces = [attempt.nonce ?? ""]) => completeAttempt(platform, query, nonces);
  return { attempt, callback, person, finish };
}

function consent(url: string, account: string, decision = "allow", without?: string): Promise<Response> {
  const fields = { account, decision, ...(without ? { without } : {}) };
  return fetch(url, { method: "POST", redirect: "manual", body: new URLSearchParams(fields) });
}

/** Sets switches of a simulated network until the test has ended. */
async function switched(platform: Platform, switches: object): Promise<void> {
  const name = platforms[platform];
  await setSwitches(name, switches);
  onTestFinished(() => setSwitches(name, {}));
}

test.each<[Platform, object, string, number]>([
  ["PINTEREST", { denialHasError: true }, "denied", 403],
  ["PINTEREST", { denialHasError: false }, "network", 400],
  [X, { denialHasError: true }, "denied", 403],
  [X, { denialHasError: false }, "network", 400],
  ["TIKTOK", { denialHasErrCode: true }, "denied", 403],
  ["TIKTOK", { denialHasErrCode: false }, "denied", 403],
])("a declined consent of %s ends the attempt, with %o", async (platform, switches, failure, status) => {
  await switched(platform, switches);
  const owner = await newOwner();
  const { finish } = await begin({ owner, platform, decision: "deny" });
  expect(await failureOf(finish())).toEqual([failure, status]);
  expect(await accountsOf(owner)).toEqual([]);
});

test.each([false, true])("stores nothing if Facebook refuses the app, and redirects then: %s", async (redirects) => {
  await switched("FACEBOOK", { misconfiguredRedirects: redirects });
  const owner = await newOwner();
  const attempt = await openAttempt({ jti: randomUUID(), owner, platform: "FACEBOOK", redirectUri: LINK });
  const url = new URL(attempt.url);
  url.searchParams.set("client_id", "unknown");
  const answer = await fetch(url, { redirect: "manual" });
  const location = answer.headers.get("location");
  expect([answer.status, location !== null]).toEqual(redirects ? [302, true] : [answer.status, false]);
  if (location) {
    const finished = completeAttempt("FACEBOOK", new URL(location).searchParams, [attempt.nonce ?? ""]);
    expect(await failureOf(finished)).toEqual(["network", 400]);
  }
  expect(await accountsOf(owner)).toEqual([]);
});

test("a declined permission ends the attempt", async () => {
  const owner = await newOwner();
  const { finish } = await begin({ owner, platform: "TIKTOK", without: "video.publish" });
  const missing = [{ scope: "video.publish", purpose: "publish" }];
  await expect(finish()).rejects.toMatchObject({ failure: "missing permission", status: 403, missing });
  expect(await accountsOf(owner)).toEqual([]);
});

test.each(["error", "omitted"])(
  "TikTok connects with the user name although its scope is not asked for, if such fields are: %s",
  async (fieldsWithoutScope) => {
    await switched("TIKTOK", { fieldsWithoutScope });
    const owner = await newOwner();
    const { finish, person } = await begin({ owner, platform: "TIKTOK" });
    await finish();
    expect(await accountsOf(owner)).toMatchObject([{ username: person }]);
  },
);

describe("LinkedIn refuses a token that it has just issued", () => {
  const profilesOf = async (person: string) =>
    (await callsOn("linkedin", person, "profile")).map(({ status }) => status);

  test("four times: the fifth call connects the account", async () => {
    const owner = await newOwner();
    const { finish, person } = await begin({ owner, platform: "LINKEDIN" });
    await fault({ network: "linkedin", operation: "profile", fault: "token_unknown", account: person, times: 4 });
    await finish();
    expect(await profilesOf(person)).toEqual([401, 401, 401, 401, 200]);
    expect(await accountsOf(owner)).toMatchObject([{ state: "ACTIVE" }]);
  });

  test("each time: the connect ends after five calls", async () => {
    const owner = await newOwner();
    const { finish, person } = await begin({ owner, platform: "LINKEDIN" });
    await fault({ network: "linkedin", operation: "profile", fault: "token_unknown", account: person, times: 9 });
    expect(await failureOf(finish())).toEqual(["network", 400]);
    expect(await profilesOf(person)).toEqual([401, 401, 401, 401, 401]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("for another reason: the connect ends after one call", async () => {
    const owner = await newOwner();
    const { finish, person } = await begin({ owner, platform: "LINKEDIN" });
    await fault({ network: "linkedin", operation: "profile", fault: "rate_limit", account: person });
    expect(await failureOf(finish())).toEqual(["network", 502]);
    expect(await profilesOf(person)).not.toContain(200);
  });
});

/** How often the operator's problems with X were seen. */
async function problemsWithX(): Promise<number> {
  const problems = await listOperatorProblems();
  return problems.reduce((sum, { platform, times }) => sum + (platform === X ? times : 0), 0);
}

test("the operator is told if the network refuses our own application", async () => {
  const owner = await newOwner();
  const { finish } = await begin({ owner });
  const before = await problemsWithX();
  await fault({ network: "x", operation: "token", fault: "operator" });
  expect(await failureOf(finish())).toEqual(["network", 502]);
  expect(await problemsWithX()).toBe(before + 1);
});

/** The failure and status of a connect. Any other error fails the test. */
async function failureOf(connecting: Promise<unknown>): Promise<unknown> {
  const error = await connecting.then(
    () => "connected",
    (thrown) => thrown,
  );
  return error instanceof ConnectError ? [error.failure, error.status] : error;
}

const accountsOf = (owner: string) => db.select().from(accounts).where(eq(accounts.ownerId, owner));

describe("a connect", () => {
  test("stores one account and returns to the link's redirectUri, byte for byte", async () => {
    const owner = await newOwner();
    const { finish, person } = await begin({ owner });
    const { accountId, location } = await finish();
    expect(location).toBe(LINK);
    expect(await accountsOf(owner)).toMatchObject([{ id: accountId, platform: X, username: person, state: "ACTIVE" }]);
  });

  test("of the dashboard's own link returns the account's id", async () => {
    const { finish } = await begin({ owner: await newOwner(), redirectUri: dashboardReturn() });
    const { accountId, location } = await finish();
    expect(location).toBe(`${env.appUrl}/accounts?connected=${accountId}`);
  });

  describe("that reconnects an account", () => {
    /** An owner with a connected account, and an attempt to reconnect it as this person. */
    async function reconnecting(asPerson?: string) {
      const owner = await newOwner();
      const first = await begin({ owner });
      const { accountId } = await first.finish();
      const again = await begin({ owner, person: asPerson ?? first.person, redirectUri: dashboardReturn(accountId) });
      return { owner, accountId, first, again };
    }

    test("keeps its id and returns to the accounts page", async () => {
      const { owner, accountId, again } = await reconnecting();
      expect(await again.finish()).toMatchObject({ location: `${dashboardReturn()}?connected=${accountId}` });
      expect(await accountsOf(owner)).toHaveLength(1);
    });

    test("as another person changes nothing and names both accounts", async () => {
      const { owner, accountId, first, again } = await reconnecting(newPerson());
      const failed = await again.finish().catch((error: unknown) => error);
      const names = { wanted: `@${first.person}`, found: `@${again.person}`, isConnected: false };
      expect(failed).toMatchObject({ failure: "other account", status: 409, other: names });
      expect(await accountsOf(owner)).toMatchObject([{ id: accountId }]);
    });

    test("with the app password of another person changes nothing", async () => {
      const owner = await newOwner();
      const { accountId } = await (await begin({ owner, platform: "BLUE_SKY" })).finish();
      const other = { account: `${newPerson()}.bsky.test`, password: "sand-box7-pass-word" };
      const link = { jti: randomUUID(), redirectUri: dashboardReturn(accountId) };
      expect(await failureOf(connectWithPassword(owner, "BLUE_SKY", other, link))).toEqual(["other account", 409]);
      expect(await accountsOf(owner)).toMatchObject([{ id: accountId }]);
    });

    test("as another account of the owner says that it is connected already", async () => {
      const { owner, again } = await reconnecting(newPerson());
      await (await begin({ owner, person: again.person })).finish();
      const failed = await again.finish().catch((error: unknown) => error);
      expect(failed).toMatchObject({ other: { found: `@${again.person}`, isConnected: true } });
    });
  });

  test("C9: sends the network a separate state, an S256 challenge and fixed scopes, and stores no secret in plain text", async () => {
    const attempt = await openAttempt({ jti: randomUUID(), owner: await newOwner(), platform: X, redirectUri: LINK });
    const { searchParams } = new URL(attempt.url);
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: "code",
      client_id: "sandbox-x",
      redirect_uri: `${env.appUrl}/oauth/connect/callback/x`,
      scope: "tweet.read tweet.write users.read media.write offline.access",
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    const [row] = await db.select().from(connectAttempts).where(eq(connectAttempts.id, attempt.id));
    const kept = JSON.stringify(row, (_, value) =>
      value?.type === "Buffer" ? Buffer.from(value.data).toString("latin1") : value,
    );
    expect(kept).not.toContain(searchParams.get("state"));
    expect(kept).not.toContain(attempt.nonce);
  });
});

describe("ADR 38: a callback belongs to one browser, on every network", () => {
  const networks = allNetworks().filter(({ connect, platform }) => connect.kind === "oauth" && platform !== "BLUE_SKY");

  test.each(networks.map(({ platform }) => platform))(
    "%s: by PKCE, or by the cookie's hash as state",
    async (platform) => {
      const owner = await newOwner();
      const { url, nonce = "" } = await openAttempt({ jti: randomUUID(), owner, platform, redirectUri: LINK });
      const { searchParams } = new URL(url);
      const isPkce = searchParams.get("code_challenge_method") === "S256" && searchParams.has("code_challenge");
      const challenge = createHash("sha256").update(nonce).digest("base64url");
      expect([isPkce, searchParams.get("state") === challenge]).toEqual(isPkce ? [true, false] : [false, true]);
    },
  );

  test("without PKCE, the state decides, even if the stored attempt names another browser", async () => {
    const [owner, platform] = [await newOwner(), "LINKEDIN" as const];
    const [mine, other] = [await begin({ owner, platform }), await begin({ owner: await newOwner(), platform })];
    const nonceHash = createHash("sha256")
      .update(other.attempt.nonce ?? "")
      .digest();
    await db.update(connectAttempts).set({ nonceHash }).where(eq(connectAttempts.id, mine.attempt.id));
    expect(await failureOf(mine.finish(mine.callback, [other.attempt.nonce ?? ""]))).toEqual(["wrong browser", 403]);
    expect(await accountsOf(owner)).toEqual([]);
    expect(await callsOn("linkedin", mine.person, "token")).toEqual([]);
  });
});

describe("C13: a callback is handled once", () => {
  test("twenty at once in one browser: one exchange, one account, the same redirect for all", async () => {
    const owner = await newOwner();
    const { finish, person } = await begin({ owner, redirectUri: dashboardReturn() });
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => finish()));
    const [{ id } = { id: 0 }, ...others] = await accountsOf(owner);
    expect(others).toEqual([]);
    const end = [id, `${env.appUrl}/accounts?connected=${id}`];
    expect(outcomes.map(({ accountId, location }) => [accountId, location])).toEqual(Array(20).fill(end));
    expect(await callsOn("x", person, "token")).toMatchObject([{ status: 200 }]);
  });

  test("twenty at once with a refused code: one reports the reason, none connects, none waits", async () => {
    const owner = await newOwner();
    const { callback, finish } = await begin({ owner });
    callback.set("code", "made-up");
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => failureOf(finish())));
    const why = outcomes.filter((outcome) => String(outcome) === "network,400");
    const rest = outcomes.filter((outcome) => String(outcome) === "expired,410");
    expect([why.length, rest.length]).toEqual([1, 19]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("a reload in the same browser redirects again", async () => {
    const { finish } = await begin({ owner: await newOwner() });
    const first = await finish();
    expect(await finish()).toEqual(first);
  });

  test("C11: another browser cannot finish, and the first browser still can", async () => {
    const owner = await newOwner();
    const [mine, other] = [await begin({ owner }), await begin({ owner: await newOwner() })];
    for (const nonces of [[], [""], ["x"], [other.attempt.nonce ?? ""]]) {
      expect(await failureOf(mine.finish(mine.callback, nonces))).toEqual(["wrong browser", 403]);
    }
    expect(await accountsOf(owner)).toEqual([]);
    await mine.finish(mine.callback, [other.attempt.nonce ?? "", mine.attempt.nonce ?? ""]);
    expect(await failureOf(mine.finish(mine.callback, []))).toEqual(["wrong browser", 403]);
    expect(await accountsOf(owner)).toHaveLength(1);
  });

  test("C12: another network's callback is refused, and the right one still works", async () => {
    const { attempt, callback, finish } = await begin({ owner: await newOwner() });
    for (const platform of ["INSTAGRAM", "TELEGRAM", "FACEBOOK"] as const) {
      expect(await failureOf(completeAttempt(platform, callback, [attempt.nonce ?? ""]))).toEqual(["expired", 410]);
    }
    await finish();
  });

  test("C6: refused after fifteen minutes and with a missing or invented state", async () => {
    const { attempt, callback, finish } = await begin({ owner: await newOwner() });
    expect(await failureOf(finish(new URLSearchParams({ code: callback.get("code") ?? "" })))).toEqual([
      "expired",
      410,
    ]);
    expect(await failureOf(finish(new URLSearchParams({ code: "x", state: "x" })))).toEqual(["expired", 410]);
    const past = new Date(Date.now() - 1000).toISOString();
    await db.update(connectAttempts).set({ expiresAt: past }).where(eq(connectAttempts.id, attempt.id));
    expect(await failureOf(finish())).toEqual(["expired", 410]);
  });
});

describe("a link completes once", () => {
  test("two tabs at once connect one account and use up the link", async () => {
    const owner = await newOwner();
    const input = { owner, jti: randomUUID(), person: newPerson() };
    const tabs = [await begin(input), await begin(input)];
    const outcomes = await Promise.all(tabs.map((tab) => failureOf(tab.finish())));
    expect(outcomes.filter((outcome) => outcome === "connected")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== "connected")).toEqual([["expired", 410]]);
    expect(await accountsOf(owner)).toHaveLength(1);
    await expect(openAttempt({ ...input, platform: X, redirectUri: LINK })).rejects.toMatchObject({
      failure: "expired",
      status: 410,
    });
  });

  test("opening a link does not use it up", async () => {
    const input = { owner: await newOwner(), jti: randomUUID() };
    for (let time = 0; time < 4; time++) await openAttempt({ ...input, platform: X, redirectUri: LINK });
    await (await begin(input)).finish();
  });
});

describe("no account is stored", () => {
  test("if the person declines", async () => {
    const owner = await newOwner();
    const { finish } = await begin({ owner, decision: "deny" });
    expect(await failureOf(finish())).toEqual(["denied", 403]);
    expect(await failureOf(finish())).toEqual(["expired", 410]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("C18: if the network sends no code or refuses it", async () => {
    const owner = await newOwner();
    const [without, wrong] = [await begin({ owner }), await begin({ owner })];
    without.callback.delete("code");
    wrong.callback.set("code", "made-up");
    expect(await failureOf(without.finish())).toEqual(["network", 400]);
    expect(await failureOf(wrong.finish())).toEqual(["network", 400]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test.each([
    ["an error that no network sends", { error: "made-up" }],
    ["an empty error", { error: "" }],
    ["an error of 8,000 characters", { error: "a".repeat(8000) }],
    ["an error with U+0000", { error: "\0" }],
    ["a code with U+0000", { code: "a\0b" }],
    ["a code of 8,000 characters", { code: "a".repeat(8000) }],
    ["a code with half a surrogate pair", { code: "\ud83d" }],
    ["a code with line breaks", { code: "a\r\nx: y" }],
    ["a code of spaces", { code: "   " }],
  ])("400 for %s in the callback, which does not count as a failure of the network", async (_, change) => {
    const owner = await newOwner();
    const { callback, finish } = await begin({ owner });
    for (const [name, value] of Object.entries(change)) callback.set(name, value);
    expect(await failureOf(finish())).toEqual(["network", 400]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("C14: if the code belongs to another attempt's challenge", async () => {
    const owner = await newOwner();
    const [mine, injected] = [await begin({ owner }), await begin({ owner: await newOwner() })];
    mine.callback.set("code", injected.callback.get("code") ?? "");
    expect(await failureOf(mine.finish())).toEqual(["network", 400]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("if the permission to post is missing", async () => {
    const owner = await newOwner();
    const attempt = await openAttempt({ jti: randomUUID(), owner, platform: X, redirectUri: LINK });
    const narrow = attempt.url.replace(/tweet\.write(\+|%20)/, "");
    const callback = new URL((await consent(narrow, newPerson())).headers.get("location") ?? "").searchParams;
    expect(await failureOf(completeAttempt(X, callback, [attempt.nonce ?? ""]))).toEqual(["missing permission", 403]);
    expect(await accountsOf(owner)).toEqual([]);
  });

  test("if the user or partner is deleted or suspended", async () => {
    const open = (owner: string) => openAttempt({ jti: randomUUID(), owner, platform: X, redirectUri: LINK });
    await expect(open(randomUUID())).rejects.toMatchObject({ failure: "expired", status: 410 });
    const owner = await newOwner();
    await setSuspended(owner, true);
    await expect(open(owner)).rejects.toMatchObject({ failure: "suspended", status: 403 });
    const { clientId } = await createPartner("Test partner");
    const partner = await db.query.partners.findFirst({ where: (table) => eq(table.clientId, clientId) });
    const { id } = await provisionConnectUser(partner?.id ?? "", { externalUserId: "one", name: "One" });
    await open(id);
    await suspendPartner(clientId);
    await expect(open(id)).rejects.toMatchObject({ failure: "suspended", status: 403 });
  });
});

describe("C20: an account has one owner", () => {
  test("a second user gets 402 and changes nothing for the first", async () => {
    const [first, second] = [await newOwner(), await newOwner()];
    const person = newPerson();
    await (await begin({ owner: first, person })).finish();
    const before = await accountsOf(first);
    expect(await failureOf((await begin({ owner: second, person })).finish())).toEqual(["account in use", 402]);
    expect(await accountsOf(first)).toEqual(before);
    expect(await accountsOf(second)).toEqual([]);
  });

  test("a refused connect revokes nothing, so the first user's permission keeps working", async () => {
    const platform = "FACEBOOK";
    const [first, second] = [await newOwner(), await newOwner()];
    const person = newPerson();
    await (await begin({ owner: first, person, platform })).finish();
    const late = (await begin({ owner: second, person, platform })).finish();
    expect(await failureOf(late)).toEqual(["account in use", 402]);
    expect(await callsOn("facebook", person, "revoke")).toEqual([]);
    const [account] = await accountsOf(first);
    if (!account) throw new Error("the account was not stored");
    const { accountId } = await networkOf(platform).profile(await openSession(account));
    expect(accountId).toBe(account.networkAccountId);
  });

  test("several at once: one wins", async () => {
    const owners = await Promise.all(Array.from({ length: 5 }, () => newOwner()));
    const person = newPerson();
    const begun = await Promise.all(owners.map((owner) => begin({ owner, person })));
    const outcomes = await Promise.all(begun.map(({ finish }) => failureOf(finish())));
    expect(outcomes.filter((outcome) => outcome === "connected")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome !== "connected")).toEqual(Array(4).fill(["account in use", 402]));
  });
});

describe("C21: connecting again", () => {
  test("keeps the Account id, also after a disconnect, and clears RECONNECT_REQUIRED", async () => {
    const owner = await newOwner();
    const { finish, person } = await begin({ owner });
    const { accountId } = await finish();
    await db
      .update(accounts)
      .set({ state: "RECONNECT_REQUIRED", stateReason: "gone" })
      .where(eq(accounts.id, accountId));
    expect((await (await begin({ owner, person })).finish()).accountId).toBe(accountId);
    expect(await accountsOf(owner)).toMatchObject([{ state: "ACTIVE", stateReason: null }]);
    const gone = { disconnectedAt: new Date().toISOString(), tokensSealed: null };
    await db.update(accounts).set(gone).where(eq(accounts.id, accountId));
    expect((await (await begin({ owner, person })).finish()).accountId).toBe(accountId);
    expect(await accountsOf(owner)).toMatchObject([{ id: accountId, disconnectedAt: null }]);
  });

  test("never replaces a refresh token with nothing", async () => {
    const owner = await newOwner();
    const network = networkOf(X);
    const profile = { accountId: newPerson(), username: "a", displayName: "A" };
    await storeAccount(db, network, owner, profile, { accessToken: "one", refreshToken: "keep" });
    for (const refreshToken of [undefined, ""]) {
      const stored = await storeAccount(db, network, owner, profile, { accessToken: "two", refreshToken });
      expect(tokensOf(stored)).toMatchObject({ accessToken: "two", refreshToken: "keep" });
    }
  });
});
