import { eq, sql } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { connectWithoutBrowser } from "../connect";
import { accounts, db } from "../db";
import { armFailPoint } from "../jobs/fail-point";
import { type NetworkSession, networkOf, PlatformError } from "../networks";
import { callsOn, connectAccount, fault, newOwner } from "../testing";
import { disconnectAccount, getAccount, previousTokensOf, requireReconnect, sealTokens, tokensOf } from "./accounts";
import { refreshDestinations } from "./destinations";
import { callNetwork } from "./network-calls";
import { listOperatorProblems } from "./operator-problems";
import { openSession, replaceRefusedToken } from "./session";

/** A new X account whose token expires in this many seconds. */
async function accountEndingIn(seconds: number) {
  const owner = await newOwner();
  const { id, person } = await connectAccount(owner, "X_TWITTER");
  await db
    .update(accounts)
    .set({ tokensExpireAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(accounts.id, id));
  const row = () => getAccount(owner, id);
  return { owner, id, person, row, refreshes: async () => (await callsOn("x", person, "refresh")).length };
}

async function works(session: NetworkSession): Promise<string | undefined> {
  return (await networkOf("X_TWITTER").profile(session)).username;
}

/** Waits until another connection waits for this transaction. (`pg_stat_activity` would not change within a transaction.) */
async function untilBlocked(tx: Pick<typeof db, "execute">): Promise<void> {
  const waiting = sql`select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`;
  await vi.waitFor(async () => expect((await tx.execute(waiting)).rows).toHaveLength(1), { timeout: 20_000 });
}

/** Returns the kind of the error if the session could not be opened. */
async function refusalOf(opening: Promise<unknown>): Promise<unknown> {
  const error = await opening.then(
    () => "opened",
    (thrown) => thrown,
  );
  return error instanceof PlatformError ? error.kind : error;
}

describe("a token that is about to expire is refreshed before it is used", () => {
  test("once for concurrent callers, and every session that opens works", async () => {
    const account = await accountEndingIn(-60);
    const before = tokensOf(await account.row());
    const stale = await account.row();
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => openSession(stale).then(works, (error: unknown) => error)),
    );
    expect(await account.refreshes()).toBe(1);
    const late = outcomes.filter((outcome) => outcome !== account.person);
    expect(late.length).toBeLessThan(12);
    for (const error of late) expect(error).toMatchObject({ kind: "later", retryAfterSeconds: 2 });
    const after = await account.row();
    expect(tokensOf(after).refreshToken).not.toBe(before.refreshToken);
    expect(after).toMatchObject({ state: "ACTIVE", refreshClaimUntil: null });
  });

  test("a caller that waited while another one refreshed it uses the new token", async () => {
    const account = await accountEndingIn(-60);
    const stale = await account.row();
    await openSession(stale);
    const fresh = tokensOf(await account.row());
    const set = (tx: Pick<typeof db, "update">, values: { [column: string]: unknown }) =>
      tx.update(accounts).set(values).where(eq(accounts.id, account.id));
    await set(db, { tokensSealed: stale.tokensSealed, tokensExpireAt: stale.tokensExpireAt });
    const waiter = await db.transaction(async (tx) => {
      await set(tx, {
        tokensSealed: sealTokens(stale, fresh),
        tokensExpireAt: sql`now() + interval '2 hours'`,
        refreshClaimUntil: sql`now() + interval '30 seconds'`, // the next claim has started already
      });
      const opening = openSession(stale);
      await untilBlocked(tx);
      return { opening };
    });
    expect(await works(await waiter.opening)).toBe(account.person);
  });

  test("not if it is still valid long enough", async () => {
    const account = await accountEndingIn(600);
    expect(await works(await openSession(await account.row()))).toBe(account.person);
    expect(await account.refreshes()).toBe(0);
  });

  test("a caller that read the account before the refresh still gets the new token", async () => {
    const account = await accountEndingIn(-60);
    const stale = await account.row();
    await openSession(stale);
    expect(await works(await openSession(stale))).toBe(account.person);
    expect(await account.refreshes()).toBe(1);
  });

  test("not while another worker's claim on the refresh is valid, and again after it expires", async () => {
    const account = await accountEndingIn(-60);
    const lease = (seconds: number) =>
      db
        .update(accounts)
        .set({ refreshClaimUntil: sql`now() + make_interval(secs => ${seconds})` })
        .where(eq(accounts.id, account.id));
    await lease(30);
    expect(await refusalOf(openSession(await account.row()))).toBe("later");
    expect(await account.refreshes()).toBe(0);
    await lease(-1);
    expect(await works(await openSession(await account.row()))).toBe(account.person);
  });
});

describe("if the refresh fails", () => {
  const failing = ({ person }: { person: string }, name: string) =>
    fault({ network: "x", operation: "refresh", account: person, fault: name });

  test("keeps the old refresh token if the answer contains no new one", async () => {
    const account = await accountEndingIn(-60);
    const before = tokensOf(await account.row());
    await failing(account, "no_refresh_token");
    expect(await works(await openSession(await account.row()))).toBe(account.person);
    expect(tokensOf(await account.row()).refreshToken).toBe(before.refreshToken);
  });

  test("requires connecting again after a final error, once, and does not try again", async () => {
    const account = await accountEndingIn(-60);
    await failing(account, "invalid_grant");
    expect(await refusalOf(openSession(await account.row()))).toBe("reconnect");
    const asked = await account.refreshes();
    expect(await account.row()).toMatchObject({
      state: "RECONNECT_REQUIRED",
      stateReason: "X no longer accepts this account's permission. Reconnect the account",
      refreshClaimUntil: null,
    });
    expect(await refusalOf(openSession(await account.row()))).toBe("reconnect");
    expect(await account.refreshes()).toBe(asked);
  });

  test("does not require connecting again after a server error: uses the old token while it is valid, then waits", async () => {
    const good = await accountEndingIn(120);
    await failing(good, "http_500");
    expect(await works(await openSession(await good.row()))).toBe(good.person);
    const ended = await accountEndingIn(-60);
    await failing(ended, "http_500");
    expect(await refusalOf(openSession(await ended.row()))).toBe("later");
    expect(await ended.row()).toMatchObject({ state: "ACTIVE", refreshClaimUntil: null });
    expect(await works(await openSession(await ended.row()))).toBe(ended.person);
  });
});

describe("an account that changes while its token is being refreshed", () => {
  /** A refresh that the network has completed but not answered yet. */
  async function refreshUnderWay() {
    const account = await accountEndingIn(-60);
    const before = await account.row();
    await fault({
      network: "x",
      operation: "refresh",
      account: account.person,
      fault: "late_response",
      afterSeconds: 2,
    });
    const outcome = refusalOf(openSession(before));
    await vi.waitFor(async () => expect(await callsOn("x", account.person, "refresh")).toMatchObject([{ status: 0 }]), {
      timeout: 45_000,
    });
    const stored = async () => (await db.select().from(accounts).where(eq(accounts.id, account.id)))[0];
    return { ...account, before, outcome, stored };
  }

  test("disconnected: its tokens stay erased, and no session is opened", async () => {
    const account = await refreshUnderWay();
    await disconnectAccount(db, account.owner, account.id);
    expect(await account.outcome).toBe("later");
    expect(await account.stored()).toMatchObject({ tokensSealed: null, tokensExpireAt: null, refreshClaimUntil: null });
    expect(await refusalOf(openSession(account.before))).toBe("reconnect");
    expect((await account.stored())?.tokensSealed).toBeNull();
  });

  test("connected again: it keeps the tokens from that connect", async () => {
    const account = await refreshUnderWay();
    await disconnectAccount(db, account.owner, account.id);
    expect(await connectWithoutBrowser(account.owner, "X_TWITTER", account.person)).toBe(account.id);
    const given = tokensOf(await account.row());
    expect(await account.outcome).toBe("later");
    expect(tokensOf(await account.row())).toEqual(given);
    expect(await account.row()).toMatchObject({ state: "ACTIVE", disconnectedAt: null, refreshClaimUntil: null });
    expect(await works(await openSession(account.before))).toBe(account.person);
  });
});

describe("a token that the network refuses before it expires", () => {
  test("is refreshed once, however young it is; a second refusal does not refresh again", async () => {
    const account = await accountEndingIn(600);
    const stale = await account.row();
    expect(await replaceRefusedToken(stale)).toBe(true);
    expect(await replaceRefusedToken(stale)).toBe(true); // another publication with the same token
    expect(await works(await openSession(await account.row()))).toBe(account.person);
    expect(await account.refreshes()).toBe(1);
    expect(await replaceRefusedToken(stale)).toBe(true); // there is a newer token by now
    expect(await replaceRefusedToken(await account.row())).toBe(false);
    expect(await account.refreshes()).toBe(1);
  });

  test("is refreshed for a profile, a list of destinations or any other call, which is then repeated", async () => {
    const account = await accountEndingIn(600);
    const { accessToken } = tokensOf(await account.row());
    const refused: string[] = [];
    const name = await callNetwork(account.id, async (session, network) => {
      if (session.tokens.accessToken === accessToken) {
        refused.push(accessToken);
        throw new PlatformError("reconnect", "Refused", { answer: { status: 401 } });
      }
      return (await network.profile(session)).username;
    });
    expect([name, refused.length, await account.refreshes()]).toEqual([account.person, 1, 1]);
    expect(await account.row()).toMatchObject({ state: "ACTIVE" });
  });

  test("requires connecting again if the refreshed token is refused too", async () => {
    const account = await accountEndingIn(600);
    const refuse = async () => {
      throw new PlatformError("reconnect", "Refused for good", { answer: { status: 401 } });
    };
    await expect(callNetwork(account.id, refuse)).rejects.toMatchObject({ message: "Refused for good" });
    expect(await account.refreshes()).toBe(1);
    expect(await account.row()).toMatchObject({ state: "RECONNECT_REQUIRED", stateReason: "Refused for good" });
  });

  test.each([
    ["for the first time", null],
    ["again within two minutes", sql`now() - interval '1 minute'`],
  ])(
    "%s, while the person connects again: the account stays connected, and the call is repeated",
    async (_, before) => {
      const account = await accountEndingIn(600);
      const row = await account.row();
      await db
        .update(accounts)
        .set({ tokensRefusedAt: before, tokensRefreshedAt: sql`now()` })
        .where(eq(accounts.id, account.id));
      const given = { ...tokensOf(row), accessToken: "given by the new connect" };
      const used: string[] = [];
      const refuseOld = async ({ tokens }: NetworkSession) => {
        used.push(tokens.accessToken);
        if (tokens.accessToken !== given.accessToken)
          throw new PlatformError("reconnect", "Refused", { answer: { status: 401 } });
      };
      const { calling } = await db.transaction(async (tx) => {
        const tokensSealed = sealTokens(row, given);
        await tx.update(accounts).set({ tokensSealed, tokensRefusedAt: null }).where(eq(accounts.id, account.id));
        const calling = callNetwork(account.id, refuseOld);
        await untilBlocked(tx);
        return { calling };
      });
      await calling;
      expect(used).toEqual([tokensOf(row).accessToken, given.accessToken]);
      expect(await account.row()).toMatchObject({ state: "ACTIVE", stateReason: null });
    },
  );

  test("is replaced by the newer token if another caller has refreshed it meanwhile", async () => {
    const account = await accountEndingIn(120);
    const stale = await account.row();
    await openSession(stale);
    const fresh = tokensOf(await account.row());
    expect(await replaceRefusedToken(stale)).toBe(true);
    expect(tokensOf(await account.row())).toEqual(fresh);
    // The new token is refused too: the previous one is tried next, then another new one, and after that there is none.
    expect(await replaceRefusedToken(await account.row())).toBe(true);
    expect(tokensOf(await account.row()).accessToken).toBe(tokensOf(stale).accessToken);
    expect(await replaceRefusedToken(await account.row())).toBe(true);
    await openSession(await account.row());
    expect(await account.refreshes()).toBe(2);
  });
});

describe("a LinkedIn token that is refused as revoked", () => {
  async function refusedAccount(ageSeconds: number) {
    const owner = await newOwner();
    const { id, person } = await connectAccount(owner, "LINKEDIN");
    const issued = sql`now() - make_interval(secs => ${ageSeconds})`;
    await db.update(accounts).set({ tokensRefreshedAt: issued }).where(eq(accounts.id, id));
    await fault({ network: "linkedin", operation: "destinations", fault: "token_unknown", account: person, times: 2 });
    return getAccount(owner, id);
  }

  test("is tried again while it is new", async () => {
    const account = await refusedAccount(30);
    expect(await refreshDestinations(account)).toEqual([]); // read without an error: a new person has no pages
    expect(await getAccount(account.ownerId, account.id)).toMatchObject({ state: "ACTIVE" });
  });

  test("requires connecting again once it is a minute old", async () => {
    const account = await refusedAccount(70);
    expect(await refusalOf(refreshDestinations(account))).toBe("reconnect");
    expect(await getAccount(account.ownerId, account.id)).toMatchObject({ state: "RECONNECT_REQUIRED" });
  });
});

test("an account without tokens or one that must be reconnected opens no session", async () => {
  const account = await accountEndingIn(600);
  await db.update(accounts).set({ state: "RECONNECT_REQUIRED", stateReason: "why" }).where(eq(accounts.id, account.id));
  await expect(openSession(await account.row())).rejects.toMatchObject({ kind: "reconnect", message: "why" });
  await db.update(accounts).set({ state: "ACTIVE", tokensSealed: null }).where(eq(accounts.id, account.id));
  await expect(openSession(await account.row())).rejects.toMatchObject({ kind: "reconnect" });
});

test("a disconnected account opens no session, even if it still has tokens", async () => {
  const account = await accountEndingIn(600);
  const row = await account.row();
  await db.update(accounts).set({ disconnectedAt: sql`now()` }).where(eq(accounts.id, account.id));
  await expect(openSession(row)).rejects.toMatchObject({
    kind: "reconnect",
    message: "This account is no longer connected",
  });
});

test.each<[what: string, as: Partial<typeof accounts.$inferInsert>]>([
  ["is disconnected", { disconnectedAt: new Date().toISOString(), tokensSealed: null, tokensExpireAt: null }],
  ["must be reconnected", { state: "RECONNECT_REQUIRED" }],
])("does not suggest a retry if the account %s, however old its token is", async (_, state) => {
  const account = await accountEndingIn(600);
  const row = await account.row();
  await db
    .update(accounts)
    .set({ ...state, tokensRefreshedAt: sql`now() - interval '3 minutes'` })
    .where(eq(accounts.id, account.id));
  expect(await replaceRefusedToken(row)).toBe(false);
});

test("tells the operator if the network refuses our own application, and uses the current token while it is valid", async () => {
  const timesSeen = async () => {
    const problems = await listOperatorProblems();
    return problems.reduce((sum, { platform, times }) => sum + (platform === "X_TWITTER" ? times : 0), 0);
  };
  const account = await accountEndingIn(120);
  const before = await timesSeen();
  await fault({ network: "x", operation: "refresh", fault: "operator" });
  await openSession(await account.row());
  expect(await timesSeen()).toBe(before + 1);
  expect(await account.row()).toMatchObject({ state: "ACTIVE" });
});

describe("a refresh whose answer is lost", () => {
  const lost = ({ person }: { person: string }) =>
    fault({ network: "x", operation: "refresh", account: person, fault: "drop_response" });

  test("is not repeated with the same token: the current access token is used while it is valid", async () => {
    const account = await accountEndingIn(120);
    await lost(account);
    await openSession(await account.row());
    await openSession(await account.row());
    expect(await account.refreshes()).toBe(1);
    expect(await account.row()).toMatchObject({ state: "ACTIVE" });
  });

  test("after the access token expired: one incident with the reason, and the refresh token was sent only once", async () => {
    const account = await accountEndingIn(-60);
    await lost(account);
    expect(await refusalOf(openSession(await account.row()))).toBe("later");
    expect(await refusalOf(openSession(await account.row()))).toBe("reconnect");
    expect(await account.refreshes()).toBe(1);
    const stateReason = "X did not answer when this account's permission was renewed. Reconnect the account";
    expect(await account.row()).toMatchObject({ state: "RECONNECT_REQUIRED", stateReason });
    expect(await requireReconnect(account.id, "again")).toBe(false);
  });

  test.each([
    ["before the call", "refreshing", 0],
    ["with the answer", "refreshed", 1],
  ] as const)("because its worker died %s: the next worker does not send the token again", async (_, point, calls) => {
    const account = await accountEndingIn(-60);
    armFailPoint(point, () => {
      throw new Error("died");
    });
    await expect(openSession(await account.row())).rejects.toThrow("died");
    expect(await refusalOf(openSession(await account.row()))).toBe("reconnect");
    expect(await account.refreshes()).toBe(calls);
  });
});

describe("the tokens from before a refresh", () => {
  test("are kept until the new ones have worked, then erased", async () => {
    const account = await accountEndingIn(-60);
    const before = await account.row();
    const session = await openSession(before);
    expect(previousTokensOf(await account.row())).toEqual(tokensOf(before));
    expect(await works(session)).toBe(account.person);
    expect((await account.row()).previousTokensSealed).toBeNull();
  });

  test("a value copied to another column or to another account cannot be read there", async () => {
    const [one, other] = [await accountEndingIn(3600), await accountEndingIn(3600)];
    const { platform, networkAccountId, tokensSealed } = await one.row();
    await db.update(accounts).set({ previousTokensSealed: tokensSealed }).where(eq(accounts.id, one.id));
    const copied = await one.row();
    const reason = "a sealed value (account tokens) was changed, or was sealed for another place";
    expect(() => previousTokensOf(copied)).toThrow(
      `accounts.previous_tokens_sealed ${platform} ${networkAccountId}: ${reason}`,
    );
    await db.update(accounts).set({ tokensSealed }).where(eq(accounts.id, other.id));
    await expect(openSession(await other.row())).rejects.toThrow(reason);
  });

  test("are restored if the new ones never worked", async () => {
    const account = await accountEndingIn(120);
    const before = tokensOf(await account.row());
    await openSession(await account.row());
    const fresh = tokensOf(await account.row());
    expect(await replaceRefusedToken(await account.row())).toBe(true);
    const now = await account.row();
    expect(tokensOf(now)).toMatchObject({ accessToken: before.accessToken, refreshToken: fresh.refreshToken });
    expect(now.previousTokensSealed).toBeNull();
  });
});
