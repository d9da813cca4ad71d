import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Platform } from "../platforms";
import { allNetworks } from ".";
import type { FormatName } from "./network";
import { type AtSandbox, atSandbox, failureOf } from "./testing";

type Outcome = { [fact: string]: unknown };
type Row = {
  /** The simplest format of the network. */
  format: FormatName;
  /** How the network answers a repeated post; undefined if it accepts it as a new post. */
  duplicate?: Outcome;
  /** How a video ends whose processing fails, at each call that can report it; undefined if it is uploaded again. */
  processing: { operations: string[]; outcome?: Outcome };
  /** All accounts share the bot's token, so it counts as revoked for one call only. */
  isShared?: true;
  /** Whether connecting returns a refresh token. */
  refreshes?: true;
};

const failed = (code: string, kind = "rejected"): Outcome => ({ kind, answer: { code } });
const ROWS: { [P in Platform]: Row } = {
  X_TWITTER: {
    format: "text",
    duplicate: { kind: "rejected", duplicate: true, answer: { status: 403 } },
    processing: { operations: ["upload", "prepare", "status"], outcome: failed("failed") },
    refreshes: true,
  },
  YOUTUBE: {
    format: "video",
    duplicate: failed("duplicate"),
    processing: { operations: ["publish", "status"], outcome: failed("conversion") },
    refreshes: true,
  },
  // Among Meta's networks only Pages detect duplicates; the closest is suspected spam, although the post may be public.
  THREADS: {
    format: "text",
    duplicate: { kind: "unknown", answer: { code: "4/2207051" } },
    processing: { operations: ["prepare", "status"] },
  },
  TIKTOK: {
    format: "image",
    processing: { operations: ["prepare", "publish", "status"], outcome: failed("internal", "later") },
    refreshes: true,
  },
  INSTAGRAM: {
    format: "image",
    duplicate: { kind: "unknown", answer: { code: "4/2207051" } },
    processing: { operations: ["prepare", "status"] },
  },
  LINKEDIN: {
    format: "text",
    duplicate: { kind: "rejected", duplicate: true, answer: { status: 422 } },
    processing: { operations: ["upload", "prepare", "status"] },
  },
  BLUE_SKY: { format: "text", processing: { operations: ["upload", "prepare", "status"] }, refreshes: true },
  TELEGRAM: { format: "text", processing: { operations: [] }, isShared: true },
  FACEBOOK: {
    format: "text",
    duplicate: { kind: "rejected", answer: { status: 400, code: "506" } },
    processing: { operations: ["prepare", "upload", "publish", "status"], outcome: failed("1363127") },
  },
  PINTEREST: { format: "image", processing: { operations: ["upload", "prepare", "status"] }, refreshes: true },
};

/** Faults that each network reports in its own way (DECISIONS, "The sandbox networks"), applied to the adapters' requests. */
describe.each(allNetworks().map((network) => [network.name, network] as const))("%s", (_, network) => {
  const { format, duplicate, processing, isShared, refreshes } = ROWS[network.platform];
  let at: AtSandbox;
  beforeAll(async () => {
    at = await atSandbox(network);
  });
  afterEach(() => at.clearFaults());
  afterAll(() => at.close());

  test("duplicate: is answered like a repeated post", async () => {
    const person = await at.person();
    await at.publish(format, "first", person);
    const first = await at.held(person);
    await at.fault({ operation: "publish", fault: "duplicate" });
    const publishing = at.publish(format, "second", person);
    if (duplicate) expect(await failureOf(publishing)).toMatchObject(duplicate);
    else await publishing;
    // Instagram and Threads publish the post anyway, which makes their answer misleading.
    const isOut = !duplicate || ["INSTAGRAM", "THREADS"].includes(network.platform);
    expect(await at.held(person)).toHaveLength(first.length + (isOut ? 1 : 0));
  });

  test("operator: the refusal of our application is neither the account's fault nor the post's, and says what to do", async () => {
    const person = await at.person();
    await at.fault({ operation: "publish", fault: "operator" });
    const error = await failureOf(at.publish(format, "refused", person));
    expect(error).toMatchObject({ kind: "operator", refused: true, fix: expect.any(String) });
    expect(await at.held(person)).toEqual([]);
  });

  if (["X_TWITTER", "LINKEDIN", "FACEBOOK"].includes(network.platform))
    test("a repeated post without a fault gets the same answer", async () => {
      const person = await at.person();
      await at.publish(format, "again", person);
      expect(await failureOf(at.publish(format, "again", person))).toMatchObject({ ...duplicate });
      expect(await at.held(person)).toHaveLength(1);
    });

  test.each(processing.operations)("processing_fails: reported by the call to %s", async (operation) => {
    const person = await at.person();
    await at.fault({ operation, fault: "processing_fails" });
    const publishing = at.publish("video", "unlucky", person);
    const { outcome } = processing;
    if (outcome) expect(await failureOf(publishing)).toMatchObject(outcome);
    else await publishing;
    expect(await at.held(person)).toHaveLength(outcome ? 0 : 1);
    expect(await at.faults()).toEqual([]);
  });

  test("revoke_token: invalidates the presented token and its refresh token", async () => {
    const person = await at.person();
    const { session } = person;
    await at.fault({ operation: "publish", fault: "revoke_token" });
    const { kind } = await failureOf(at.publish(format, "withdrawn", person));
    expect([kind, await at.held(person)]).toEqual([isShared ? "operator" : "reconnect", []]);
    if (isShared) return void (await at.publish(format, "again", person));
    expect(await failureOf(network.profile(session))).toMatchObject({ kind: "reconnect" });
    expect(await failureOf(network.refresh?.run(at.app, session.tokens) ?? Promise.resolve())).toMatchObject({
      kind: "reconnect",
    });
  });

  if (refreshes)
    test("no_refresh_token: omits it when connecting and refreshing", async () => {
      const { session } = await at.person();
      expect(session.tokens.refreshToken).toEqual(expect.any(String));
      await at.fault({ operation: "refresh", fault: "no_refresh_token" });
      const refreshed = await network.refresh?.run(at.app, session.tokens);
      expect(refreshed).toMatchObject({ accessToken: expect.any(String), refreshToken: undefined });
      await at.fault({ operation: "token", fault: "no_refresh_token" });
      expect((await at.person()).session.tokens).toMatchObject({
        accessToken: expect.any(String),
        refreshToken: undefined,
      });
    });

  test("faults for every operation apply to the given number of calls; a reset clears faults, calls and posts but not people", async () => {
    const person = await at.person();
    await at.publish(format, "forgotten", person);
    await at.fault({ operation: "*", fault: "http_500", times: 9 });
    for (let call = 0; call < 2; call++) await failureOf(network.profile(person.session));
    expect(await at.faults()).toMatchObject([{ operation: "*", times: 7 }]);
    await at.reset();
    expect([await at.faults(), await at.posts(), await at.calls()]).toEqual([[], [], []]);
    await at.publish(format, "known still", person);
    expect(await at.held(person)).toHaveLength(1);
  });
});
