import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Platform, platforms } from "../platforms";
import { allNetworks, networkOf } from ".";
import { PlatformError } from "./errors";
import type { BotConnect, FormatName, OAuthConnect, OutgoingMedia, Published } from "./network";
import { publishImage } from "./pinterest/publish";
import { searchPost } from "./search-run";
import { type AtSandbox, atSandbox, connectBy, failureOf, newMemory, type SandboxPerson, sandboxFor } from "./testing";
import { initVideo } from "./tiktok/api";
import { chunkBytesFor, chunkPlan } from "./tiktok/upload";

// Behaviour of the networks that no source confirms: docs/networks/unconfirmed.md. If Carillon could depend on it, the simulated
// network has a switch for it, and Carillon must work either way.

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/networks/unconfirmed.md"), "utf8");

/** A line of the page: its fact, readings, switch and what Carillon does. */
type Line = { network: string; fact: string; readings: string; toggle: string; conduct: string };

/** The lines of the page's tables, without their headings. */
const lines: Line[] = PAGE.split(/^## /m)
  .slice(1)
  .flatMap((section) => {
    const [name = "", ...rows] = section.split("\n");
    const network = allNetworks().find((one) => one.name === name.trim());
    if (!network) throw new Error(`docs/networks/unconfirmed.md: there is no network ${name}`);
    return rows
      .filter((row) => row.startsWith("| ") && !/^\| (Not confirmed|-)/.test(row))
      .map((row) => row.split(" | ").map((cell) => cell.replace(/^\|\s+|\s*\|?$/g, "")))
      .map(([fact = "", readings = "", toggle = "", conduct = ""]) => ({
        network: platforms[network.platform],
        fact,
        readings,
        toggle,
        conduct,
      }));
  });

/** The name and the values of a switch, the name of a fault, or the file of a test that sends both readings. */
function parsed({ toggle }: Line): { name?: string; values: unknown[]; fault?: string; file?: string } {
  const fault = /^fault `(\w+)`$/.exec(toggle)?.[1];
  const file = /^test `(lib\/[\w/.-]+\.test\.ts)`$/.exec(toggle)?.[1];
  const [, name, one, other] = /^`(\w+)`: `([^`]+)`, `([^`]+)`$/.exec(toggle) ?? [];
  return {
    name,
    fault,
    file,
    values: [one, other].flatMap((value) => (value === undefined ? [] : [JSON.parse(value)])),
  };
}

/**
 * The texts of the tests that set switches: those of the networks and of the bridge's callbacks. The code before the tests of this
 * file is left out, and so are the underscores in numbers.
 */
const tests = ["lib/networks", "lib/connect"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((file) => join(ROOT, folder, file)),
  )
  .filter((file) => file.endsWith(".test.ts"))
  .flatMap((file) =>
    readFileSync(file, "utf8")
      .split("describe(")
      .slice(file === import.meta.filename ? 1 : 0)
      .join("describe(")
      .split(/^ *(?=test\b)/m),
  )
  .map((text) => text.replace(/(\d)_(?=\d)/g, "$1"));

/** The tests that name a switch or a fault. */
const testsOf = (name: string) => tests.filter((text) => new RegExp(`\\b${name}\\b`).test(text));

/** True if a test contains a value as code: a text in quotes, a number or a truth value. */
function contains(text: string, value: unknown): boolean {
  const code = String(value).replace(/[^\w\s]/g, "\\$&");
  return new RegExp(typeof value === "string" ? `["'\`]${code}["'\`]` : `(?<![\\w.])${code}(?![\\w.])`).test(text);
}

describe("docs/networks/unconfirmed.md", () => {
  test("has lines for every network, and no line twice", () => {
    expect(new Set(lines.map(({ network }) => network))).toEqual(new Set(Object.values(platforms)));
    const facts = lines.map(({ network, fact }) => `${network}: ${fact}`);
    expect(facts.filter((fact, index) => facts.indexOf(fact) !== index)).toEqual([]);
  });

  test.each(lines)("$network, $fact: tests set both values, or a fault, or no call depends on it", (line) => {
    const { name, fault, file, values } = parsed(line);
    const given = [name, fault, file].filter((one) => one !== undefined);
    expect(given.length === 1 || line.toggle === "none", `not a switch: ${line.toggle}`).toBe(true);
    expect(new Set(values).size).toBe(name ? 2 : 0);
    expect([line.readings, line.conduct]).not.toContain("");
    if (fault) expect(testsOf(fault).length).toBeGreaterThan(0);
    const unset = values.filter((value) => !testsOf(name ?? "").some((text) => contains(text, value)));
    expect(unset, `values of ${name} that no test sets`).toEqual([]);
    if (file) expect(readFileSync(join(ROOT, file), "utf8").toLowerCase()).toContain(line.network.toLowerCase());
    if (line.toggle === "none") expect(line.conduct).toMatch(/\bno (call|answer)\b/);
  });

  test("the simulated network accepts both values of each switch and knows each fault", async () => {
    const sandbox = await sandboxFor("x"); // one sandbox simulates all networks
    try {
      for (const line of lines) {
        const { name, fault, values } = parsed(line);
        if (fault) await sandbox.fault({ operation: "refresh", fault });
        for (const value of values) await sandbox.control(`${line.network}/switches`, { [name ?? ""]: value });
        if (name)
          await expect(sandbox.control(`${line.network}/switches`, { [`${name}Too`]: true })).rejects.toThrow("400");
      }
    } finally {
      await sandbox.close();
    }
  });
});

type MediaOf = (() => OutgoingMedia[] | Promise<OutgoingMedia[]>) | undefined;

/** A simulated network for a group of tests. Each test starts with its defaults. */
function simulated(platform: Platform) {
  const network = networkOf(platform);
  let at: AtSandbox;
  beforeAll(async () => {
    at = await atSandbox(network);
  });
  const set = (switches: object) => at.control(`${platforms[platform]}/switches`, switches);
  beforeEach(async () => {
    await at.clearFaults();
    await set({});
  });
  afterAll(() => at.close());
  /** The IDs of a person's posts with this text, or of all. */
  const held = async (person: SandboxPerson, text?: string) =>
    (await at.held(person)).filter((one) => text === undefined || one.text === text).map(({ id }) => id);
  return {
    network,
    at: () => at,
    set,
    held,
    /** Publishes under switches with which the network either accepts the post or refuses it for good. */
    async publishedOrRefused(
      switches: object,
      format: FormatName,
      text: string,
      mediaOf: MediaOf,
      isAccepted: boolean,
    ) {
      await set(switches);
      const person = await at.person();
      const publishing = at.publish(format, text, person, mediaOf ? { media: await mediaOf() } : {});
      if (isAccepted) await publishing;
      else expect(await failureOf(publishing)).toMatchObject({ kind: "rejected" });
      expect(await held(person)).toHaveLength(isAccepted ? 1 : 0);
    },
    /** Publishes with an app whose network may require a proof of its secret. Carillon sends no proof there. */
    async publishedWithoutProof(format: FormatName, requiresProof: boolean) {
      const person = await at.person();
      await set({ requiresProof });
      const publishing = at.publish(format, "A post", person);
      if (!requiresProof) await publishing;
      else expect(await failureOf(publishing)).toMatchObject({ kind: "operator", fix: expect.any(String) });
    },
    /** The error of redeeming a code with a wrong secret. */
    wrongSecret() {
      const app = { ...at.app, clientSecret: "wrong" };
      const callback = { code: "a", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
      return failureOf((network.connect as OAuthConnect).exchange(app, callback));
    },
    /** Tokens of a person who grants everything, or everything but one permission. */
    connect: (person: string, without?: string) =>
      connectBy(at.app, network.connect as OAuthConnect, person, { without }),
    /** The calls whose path has this end. */
    callsTo: async (end: string) => (await at.calls()).filter(({ path }) => path.endsWith(end)),
  };
}

/** Like the worker: tries again while the outcome is open or the network asks to wait. */
async function settled(work: () => Promise<Published>): Promise<Published> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      const isOpen = error instanceof PlatformError && (error.kind === "later" || error.kind === "unknown");
      if (!isOpen || tries === 8) throw error;
    }
  }
}

const FINAL = { kind: "rejected", refused: true };

describe("X", () => {
  const { at, connect, held, network, set } = simulated("X_TWITTER");

  test.each([315_360_000, 15_552_000])("a refresh token that lasts %d s is used until it ends", async (seconds) => {
    await set({ refreshSeconds: seconds });
    const tokens = await connect(`kept${seconds / 86_400}`);
    await at().advance(181 * 86_400);
    const fresh = network.refresh?.run(at().app, tokens);
    if (seconds > 181 * 86_400) expect(await fresh).toMatchObject({ refreshToken: expect.any(String) });
    else expect(await failureOf(fresh)).toMatchObject({ kind: "reconnect" });
  });

  test.each([true, false])("revokes a permission if the answer has a body: %s", async (revocationHasBody) => {
    await set({ revocationHasBody });
    const { session } = await at().person();
    await network.revoke?.(at().app, session.tokens);
    expect(await failureOf(network.profile(session))).toMatchObject({ kind: "reconnect" });
  });

  /** Publishes under a switch that either accepts the text or refuses it for good. */
  async function acceptedOrFinal(switches: object, text: string, isAccepted: boolean, said: string) {
    const person = await at().person();
    await set(switches);
    const publishing = at().publish("text", text, person);
    if (isAccepted) await publishing;
    else expect(await failureOf(publishing)).toMatchObject({ ...FINAL, message: expect.stringContaining(said) });
    expect(await held(person)).toHaveLength(isAccepted ? 1 : 0);
  }

  test.each([false, true])("a mention of somebody else, if X refuses those: %s", (refusesMentions) =>
    acceptedOrFinal({ refusesMentions }, "Thanks @someone", !refusesMentions, "not permitted"),
  );

  test.each([true, false])("spaces alone, if X accepts them: %s", (acceptsBlankTexts) =>
    acceptedOrFinal({ acceptsBlankTexts }, "   ", acceptsBlankTexts, "X refused"),
  );

  test.each([400, 403])("several cashtags, refused with the status %d", (cashtagStatus) =>
    acceptedOrFinal({ cashtagStatus }, "$AAA or $BBB", false, "at most one cashtag"),
  );

  test.each([true, false])("the longest text of a subscriber, if X weighs it: %s", (weighsLongerTexts) =>
    acceptedOrFinal({ subscription: "Premium", weighsLongerTexts }, "あああ ".repeat(3571), true, ""),
  );

  test.each([2400, 1])("waits as stated if X limits an account to %d posts a day", async (postsPerDay) => {
    const person = await at().person();
    await set({ postsPerDay });
    await at().publish("text", "The first", person);
    const second = at().publish("text", "The second", person);
    if (postsPerDay > 1) {
      await second;
      expect(await held(person)).toHaveLength(2);
      return;
    }
    const { kind, refused, isWaitStated, retryAfterSeconds } = await failureOf(second);
    expect({ kind, refused, isWaitStated }).toEqual({ kind: "later", refused: true, isWaitStated: true });
    expect(retryAfterSeconds).toBeGreaterThan(3600);
  });

  test.each([3600, 0])("publishes a lost text once if X refuses repetitions for %d s", async (duplicateSeconds) => {
    await set({ duplicateSeconds });
    const person = await at().person();
    const memory = newMemory();
    await at().fault({ operation: "publish", fault: "drop_response" });
    const { id } = await settled(() => at().publish("text", "Said before", person, {}, memory));
    expect(await held(person)).toEqual([id]);
    const again = at().publish("text", "Said before", person);
    if (duplicateSeconds === 0) await again;
    else expect(await failureOf(again)).toMatchObject({ ...FINAL, duplicate: true });
  });

  test.each([true, false])("a text with another image, if that is a repetition: %s", async (duplicatesIgnoreMedia) => {
    await set({ duplicatesIgnoreMedia });
    const person = await at().person();
    await at().publish("image", "The same words", person, { media: [await at().image({ shade: 10 })] });
    const again = at().publish("image", "The same words", person, { media: [await at().image({ shade: 200 })] });
    if (!duplicatesIgnoreMedia) await again;
    else expect(await failureOf(again)).toMatchObject({ ...FINAL, duplicate: true });
    expect(await held(person)).toHaveLength(duplicatesIgnoreMedia ? 1 : 2);
  });

  test.each(["post.fields", "tweet.fields"])(
    "finds a post whose answer was lost if X accepts only %s, also a long one",
    async (fieldLists) => {
      await set({ fieldLists, subscription: "Premium" });
      const person = await at().person();
      const memory = newMemory();
      const publish = () =>
        at().publish("text", `Read back with ${fieldLists}${" again".repeat(60)}`, person, {}, memory);
      await at().fault({ operation: "publish", fault: "drop_response" });
      expect(await failureOf(publish())).toMatchObject({ kind: "unknown", refused: false });
      const { id } = await publish();
      expect((await at().held(person)).map((one) => one.id)).toEqual([id]);
    },
  );
});

describe("YouTube", () => {
  const { at, held, network, set } = simulated("YOUTUBE");

  test.each([true, false])("connects if Google checks the challenge of a web client: %s", async (verifiesPkce) => {
    await set({ verifiesPkce });
    const { session } = await at().person();
    expect(await network.profile(session)).toMatchObject({ accountId: session.accountId });
  });

  test.each([604_800, 30])("publishes a video once if an upload session lasts %d s", async (sessionSeconds) => {
    await set({ sessionSeconds });
    const person = await at().person();
    const memory = newMemory();
    const publish = () => at().publish("video", "A video", person, {}, memory); // each call is a minute later
    await at().fault({ operation: "publish", fault: "rate_limit" });
    expect(await failureOf(publish())).toMatchObject({ kind: "later", refused: true });
    const { id } = await publish();
    expect(await held(person)).toEqual([id]);
  });

  test.each([true, false])("uploads a video if its bytes need the token: %s", async (uploadsNeedToken) => {
    await set({ uploadsNeedToken });
    const person = await at().person();
    const { id } = await at().publish("video", "A video", person);
    expect(await held(person)).toEqual([id]);
  });

  test.each([0, 640])("publishes a video if thumbnails must have a width of %d", async (minThumbnailWidth) => {
    await set({ minThumbnailWidth });
    const person = await at().person();
    const thumbnail = await at().image({ width: 360, height: 640 });
    const { id, note } = await at().publish("video", "A video", person, { thumbnail });
    expect(note).toEqual(minThumbnailWidth ? expect.stringContaining("The cover was not set") : undefined);
    expect(await held(person)).toEqual([id]);
  });

  test.each([413, 400] as const)("a video that is too large, refused with the status %d", async (tooLargeStatus) => {
    await set({ maxVideoBytes: 100, tooLargeStatus });
    const person = await at().person();
    expect(await failureOf(at().publish("video", "A video", person))).toMatchObject(FINAL);
    expect(await held(person)).toEqual([]);
  });
});

describe("Threads", () => {
  const { at, held, publishedWithoutProof, set } = simulated("THREADS");

  test.each([false, true])("publishes, or tells the operator, if a proof is required: %s", (requiresProof) =>
    publishedWithoutProof("text", requiresProof),
  );

  test.each(["9/2207042", "4/2207042", "613"])("waits after a used-up quota with the code %s", async (quotaCode) => {
    await set({ quotaCode, quotaReadable: false, postsPerDay: 1 });
    const person = await at().person();
    await at().publish("text", "The first", person);
    const second = await failureOf(at().publish("text", "The second", person));
    expect(second).toMatchObject({ kind: "later", refused: true, throttled: true });
  });

  test.each([false, true])("publishes at once if answers state the app's usage: %s", async (usageHeaders) => {
    await set({ usageHeaders });
    const person = await at().person();
    const { id } = await at().publish("text", "In use", person);
    expect(await held(person)).toEqual([id]);
  });

  test.each([0, 2])("publishes once if the publication does not show in %d reads", async (publishedShowsAfterReads) => {
    await set({ publishedShowsAfterReads });
    const person = await at().person();
    const memory = newMemory();
    await at().fault({ operation: "publish", fault: "drop_response" });
    const { id } = await settled(() => at().publish("text", "Lost", person, {}, memory));
    expect(await held(person)).toEqual([id]);
  });

  test.each([0, 120])("publishes a reply once if posts can be replied to after %d s", async (replyAfterSeconds) => {
    await set({ replyAfterSeconds });
    const person = await at().person();
    const after = await at().publish("text", "First", person);
    const memory = newMemory();
    const reply = () => at().publish("text", "Second", person, { after }, memory); // each call is a minute later
    if (replyAfterSeconds > 0) expect(await failureOf(reply())).toMatchObject({ kind: "later", refused: true });
    const { id } = await reply();
    expect((await at().held(person)).filter(({ text }) => text === "Second").map((one) => one.id)).toEqual([id]);
  });

  test.each(["message", "title"])("understands the error for too many links in the field %s", async (linkLimitIn) => {
    await set({ linkLimitIn });
    const links = Array.from({ length: 6 }, (_, index) => `https://example.com/${index}`).join(" ");
    expect(await failureOf(at().publish("text", links, await at().person()))).toMatchObject({
      kind: "rejected",
      message: expect.stringContaining("more than 5 links"),
    });
  });
});

describe("TikTok", () => {
  const { at, held, network, set } = simulated("TIKTOK");

  test.each(["server_error", "temporarily_unavailable"])(
    "tries a refresh again after the error %s",
    async (tokenTrouble) => {
      const { session } = await at().person();
      await set({ tokenTrouble });
      expect(await failureOf(network.refresh?.run(at().app, session.tokens))).toMatchObject({ kind: "later" });
    },
  );

  test.each(["photo", "video"])("publishes a lost photo once if its address has /%s/", async (photoAddress) => {
    await set({ photoAddress });
    const person = await at().person();
    const memory = newMemory();
    const publish = () => at().publish("image", "Lost photos", person, {}, memory);
    await at().fault({ operation: "publish", fault: "drop_response" });
    expect(await failureOf(publish())).toMatchObject({ kind: "unknown" });
    await expect.poll(() => held(person)).toHaveLength(1); // TikTok fetches the photo after its answer
    if (photoAddress === "photo") expect(await held(person)).toEqual([(await publish()).id]);
    else expect(await failureOf(publish())).toMatchObject({ kind: "unknown" });
    expect(await held(person)).toHaveLength(1);
  });

  test.each(["both sides", "shorter side"])("publishes the largest photos if %s are limited", async (photoLimit) => {
    await set({ photoLimit });
    const person = await at().person();
    for (const [width, height] of [
      [1080, 1920],
      [1920, 1080],
    ] as const) {
      const { id } = await at().publish("image", "Large", person, { media: [await at().image({ width, height })] });
      expect(id).not.toBe("");
    }
  });

  test.each([67_108_864, 64_000_000])(
    "announces videos in sizes that TikTok takes: at most %i",
    async (maxChunkBytes) => {
      await set({ maxChunkBytes });
      for (const size of [64_000_000, 64_000_001, 67_108_864, 67_108_865, 4 * 1024 ** 3]) {
        const { session } = await at().person();
        const { chunkSize, chunks } = chunkPlan(size, chunkBytesFor(size));
        const source = { video_size: size, chunk_size: chunkSize, total_chunk_count: chunks.length };
        expect((await initVideo(session, { privacy_level: "PUBLIC_TO_EVERYONE" }, source)).publishId).not.toBe("");
      }
    },
  );

  test.each([7200, 86_400])("reads how long an access token lasts: %d s", async (accessSeconds) => {
    await set({ accessSeconds });
    const { tokens } = (await at().person()).session;
    const fresh = await networkOf("TIKTOK").refresh?.run(at().app, tokens);
    for (const one of [tokens, fresh]) {
      const seconds = (Date.parse(one?.expiresAt ?? "") - Date.now()) / 1000;
      expect(seconds).toBeGreaterThan(accessSeconds - 60);
      expect(seconds).toBeLessThanOrEqual(accessSeconds);
    }
    expect(fresh?.refreshToken).not.toBe(tokens.refreshToken);
  });

  test.each([401, 403])("a scope that the app lacks concerns the operator, with status %d", async (status) => {
    await set({ missedScopeStatus: status });
    const person = await at().person();
    await at().fault({ operation: "prepare", fault: "operator" });
    expect(await failureOf(at().publish("video", "No scope", person))).toMatchObject({
      kind: "operator",
      answer: { status, code: "scope_permission_missed" },
    });
  });
});

describe("Instagram", () => {
  const { at, network, held, publishedWithoutProof, set, callsTo } = simulated("INSTAGRAM");

  test.each([false, true])("publishes, or tells the operator, if a proof is required: %s", (requiresProof) =>
    publishedWithoutProof("image", requiresProof),
  );

  test.each([false, true])(
    "publishes a story of a post with text if captions are refused: %s",
    async (storiesRefuseCaptions) => {
      await set({ storiesRefuseCaptions });
      const person = await at().person();
      const { id } = await at().publish("image", "Words", person, { settings: { publicationType: "STORY" } });
      expect(await held(person)).toEqual([id]);
    },
  );

  test.each([900, 60])("a video of 90 s in a carousel, if %d s are allowed", async (maxChildSeconds) => {
    await set({ maxChildSeconds });
    const person = await at().person();
    const media = [await at().image(), at().video({ seconds: 90 })];
    const publishing = at().publish("carousel", "An album", person, { media });
    if (maxChildSeconds === 900) await publishing;
    else expect(await failureOf(publishing)).toMatchObject(FINAL);
    expect(await held(person)).toHaveLength(maxChildSeconds === 900 ? 1 : 0);
  });

  test.each(["code points", "UTF-16 units"])(
    "publishes the longest caption if it is counted in %s",
    async (captionUnit) => {
      await set({ captionUnit });
      const person = await at().person();
      const { id } = await at().publish("image", "😀".repeat(1100), person);
      expect(await held(person)).toEqual([id]);
    },
  );

  test.each([2196, 2200])("sends the longest first comment if comments may have %i characters", async (commentMax) => {
    await set({ commentMax });
    const { text } = network.comment ?? {};
    const person = await at().person();
    const post = await at().publish("image", "Commented", person);
    const comment = (length: number) => at().comment("😀".repeat(length / 2), post, person);
    expect((await comment(text?.max ?? 0)).id).toMatch(/^\d+$/);
    await expect(comment(commentMax + 2)).rejects.toMatchObject({ kind: "rejected" });
  });

  test.each(["error", "id"])("publishes once if a second publication is answered with: %s", async (publishedAgain) => {
    await set({ publishedAgain, publishedShowsAfterReads: 2 }); // the container's old state leads to a second call
    const person = await at().person();
    const memory = newMemory();
    const before = (await callsTo("/media_publish")).length;
    await at().fault({ operation: "publish", fault: "drop_response" });
    const { id } = await settled(() => at().publish("image", "Lost", person, {}, memory));
    expect(await held(person)).toEqual([id]);
    expect((await callsTo("/media_publish")).length - before).toBeGreaterThan(1);
  });

  const settings = { publicationType: "STORY", aiContent: true };

  test("publishes a story with the AI label if stories take it", async () => {
    await set({ storiesTakeAiLabel: true });
    const person = await at().person();
    await at().publish("image", "", person, { settings });
    expect(await at().held(person)).toMatchObject([{ settings: { is_ai_generated: true } }]);
  });

  test("publishes no story without the AI label that the user asked for", async () => {
    await set({ storiesTakeAiLabel: false });
    const person = await at().person();
    const refused = await failureOf(at().publish("image", "", person, { settings }));
    expect(refused).toMatchObject({ kind: "rejected", refused: true });
    expect(await at().held(person)).toEqual([]);
  });
});

describe("LinkedIn", () => {
  const { at, held, set, wrongSecret } = simulated("LINKEDIN");

  test.each(["202609", "202612"])("publishes if the newest version is %s", async (newestVersion) => {
    await set({ newestVersion });
    const person = await at().person();
    const { id } = await at().publish("text", "A post", person);
    expect(await held(person)).toEqual([id]);
  });

  test.each(["Client authentication failed", "The authorization code has expired"])(
    "wrong credentials concern the operator if LinkedIn says: %s",
    async (clientRefusal) => {
      await set({ clientRefusal });
      expect(await wrongSecret()).toMatchObject({ kind: "operator" });
    },
  );

  test.each([
    [{ escapesCount: false }, "(".repeat(2000), true],
    [{ escapesCount: true }, "(".repeat(2000), false],
    [{ textUnit: "UTF-16 units" }, "😀".repeat(1500), true],
    [{ textUnit: "code points" }, "😀".repeat(1500), true],
    [{ errorDetails: "list" }, "a".repeat(3001), false],
    [{ errorDetails: "object" }, "a".repeat(3001), false],
  ])("%o: a long text is published, or refused for good", async (switches, text, isAccepted) => {
    await set(switches);
    const person = await at().person();
    const publishing = at().publish("text", text, person);
    if (isAccepted) await publishing;
    else expect(await failureOf(publishing)).toMatchObject({ ...FINAL, message: expect.stringContaining("too long") });
    expect(await held(person)).toHaveLength(isAccepted ? 1 : 0);
  });

  test.each([false, true])("a video of 5:1, if such videos are refused: %s", async (refusesOddVideos) => {
    await set({ refusesOddVideos });
    const person = await at().person();
    const publishing = at().publish("video", "Wide", person, { media: [at().video({ width: 1000, height: 200 })] });
    if (!refusesOddVideos) await publishing;
    else expect(await failureOf(publishing)).toMatchObject({ kind: "rejected" });
    expect(await held(person)).toHaveLength(refusesOddVideos ? 0 : 1);
  });

  test("publishes a video once if its status may be read", async () => {
    await set({ statusForbidden: false }); // the other reading: uploads.test.ts
    const person = await at().person();
    const { id } = await at().publish("video", "Seen", person);
    expect(await held(person)).toEqual([id]);
  });

  test.each([false, true])("waits at the limit of calls if parts of uploads count: %s", async (uploadsCount) => {
    const person = await at().person();
    await set({ uploadsCount, callsPerDay: 1 });
    const memory = newMemory();
    const publish = () => at().publish("video", "A video", person, {}, memory);
    expect(await failureOf(publish())).toMatchObject({ kind: "later", refused: true, isWaitStated: true });
    await set({ uploadsCount });
    const { id } = await publish();
    expect(await held(person)).toEqual([id]);
  });

  test.each([false, true])(
    "a lost image is published once if only its text identifies it: %s",
    async (duplicatesIgnoreMedia) => {
      // A wait for the image would move the simulated clock past the time in which LinkedIn recognizes a repetition.
      await set({ duplicatesIgnoreMedia, imagesReadable: true });
      const person = await at().person();
      const memory = newMemory();
      await at().fault({ operation: "publish", fault: "drop_response" });
      const { id } = await settled(() => at().publish("image", "Lost", person, {}, memory));
      expect(await held(person)).toEqual([id]);
      const again = at().publish("image", "Lost", person);
      if (!duplicatesIgnoreMedia) await again;
      else expect(await failureOf(again)).toMatchObject({ ...FINAL, duplicate: true });
    },
  );
});

describe("Bluesky", () => {
  const { at, held, set } = simulated("BLUE_SKY");

  test.each([
    [{ maxVideoSeconds: 600 }, true],
    [{ maxVideoSeconds: 180 }, false],
    [{ maxVideoBlobBytes: 300_000_000 }, true],
    [{ maxVideoBlobBytes: 1000 }, false],
  ])("%o: a video of 200 s is published, or refused for good", async (switches, isAccepted) => {
    await set(switches);
    const person = await at().person();
    const publishing = at().publish("video", "Long", person, { media: [at().video({ seconds: 200 })] });
    if (isAccepted) await publishing;
    else expect(await failureOf(publishing)).toMatchObject(FINAL);
    expect(await held(person)).toHaveLength(isAccepted ? 1 : 0);
  });
});

describe("Telegram", () => {
  const { at, held, network, set } = simulated("TELEGRAM");

  test.each([false, true])("ignores its own posts if Telegram sends them: %s", async (sendsOwnPosts) => {
    await set({ sendsOwnPosts });
    const person = await at().person();
    const bot = network.connect as BotConnect;
    const { offset } = await bot.updates(at().app, 0, 0);
    const memory = newMemory();
    const publish = () => at().publish("text", "Own", person, {}, memory);
    await at().fault({ operation: "publish", fault: "drop_response" });
    for (let tries = 1; tries <= 2; tries++) expect(await failureOf(publish())).toMatchObject({ kind: "unknown" });
    const news = await bot.updates(at().app, offset, 0);
    expect(news).toEqual({ events: [], offset: offset + (sendsOwnPosts ? 1 : 0) });
    expect(await held(person)).toHaveLength(1);
  });
});

describe("Facebook", () => {
  const { at, connect, held, network, publishedOrRefused, set, callsTo, wrongSecret } = simulated("FACEBOOK");

  test.each([true, false])(
    "after a declined permission, connects again if Facebook asks again: %s",
    async (asksAgain) => {
      await set({ asksAgain });
      const declined = await connect(`hesitant${asksAgain}`, "pages_manage_posts");
      expect(declined.scopes).not.toContain("pages_manage_posts");
      const { scopes = [] } = await connect(`hesitant${asksAgain}`);
      expect(scopes.includes("pages_manage_posts")).toBe(asksAgain);
    },
  );

  test.each([100, 190])("a wrong proof with the code %d concerns the operator", async (proofCode) => {
    const { session } = await at().person();
    await set({ proofCode });
    const other = { ...session, app: { ...session.app, clientSecret: "wrong" } };
    expect(await failureOf(network.profile(other))).toMatchObject({ kind: "operator" });
  });

  test.each([true, false])(
    "a refused code asks to connect again if it has a subcode: %s",
    async (codesHaveSubcodes) => {
      await set({ codesHaveSubcodes });
      const callback = { code: "used", redirectUri: "http://localhost:3000/cb", verifier: "", keep: {} };
      const refused = (network.connect as OAuthConnect).exchange(at().app, callback);
      expect(await failureOf(refused)).toMatchObject({ kind: "reconnect" });
    },
  );

  test.each([1, 101])("a wrong secret with the code %d concerns the operator", async (secretCode) => {
    await set({ secretCode });
    expect(await wrongSecret()).toMatchObject({ kind: "operator" });
  });

  const photos = async () => Promise.all([1, 2, 3, 4, 5].map((shade) => at().image({ shade })));
  const damaged = () =>
    at().file(new Uint8Array(2000), { kind: "video", contentType: "video/mp4", filename: "damaged.mp4" });

  test.each<[object, FormatName, string, MediaOf, boolean]>([
    [{ maxPhotos: 10 }, "carousel", "Five", photos, true],
    [{ maxPhotos: 4 }, "carousel", "Five", photos, false],
    [{ textUnit: "UTF-16 units" }, "text", "😀".repeat(31_603), undefined, true],
    [{ textUnit: "code points" }, "text", "😀".repeat(31_603), undefined, true],
    [{ maxVideoBytes: 2_147_483_648 }, "video", "A video", undefined, true],
    [{ maxVideoBytes: 1000 }, "video", "A video", undefined, false],
    [{ formatCode: 352 }, "video", "Damaged", () => [damaged()], false],
    [{ formatCode: 1_363_024 }, "video", "Damaged", () => [damaged()], false],
  ])("%o: a post is published, or refused for good", publishedOrRefused);

  test.each(["success", "error"])(
    "publishes a reel once if finishing it again is answered with: %s",
    async (finishedAgain) => {
      await set({ finishedAgain, finishShowsAfterReads: 2 }); // the video's old state leads to a second call
      const person = await at().person();
      const memory = newMemory();
      const before = (await callsTo("/video_reels")).length;
      await at().fault({ operation: "publish", fault: "drop_response" });
      const settings = { publicationType: "REELS" };
      await settled(() => at().publish("video", "Lost", person, { settings }, memory));
      expect(await held(person)).toHaveLength(1);
      expect((await callsTo("/video_reels")).length - before).toBeGreaterThan(2); // the start, and two tries to finish
    },
  );

  test.each([true, false])("shows the address of a video if its permalink has a host: %s", async (videoLinkHasHost) => {
    await set({ videoLinkHasHost });
    const person = await at().person();
    const { permalink } = await at().publish("video", "A video", person);
    expect((await at().held(person)).map((one) => one.permalink)).toEqual([permalink]);
  });
});

describe("Pinterest", () => {
  const { at, connect, held, network, publishedOrRefused, set } = simulated("PINTEREST");

  test.each([false, true])("uses each refresh token once, if a used one still works: %s", async (usedRefreshWorks) => {
    await set({ usedRefreshWorks });
    const tokens = await connect(`once${usedRefreshWorks}`);
    const fresh = await network.refresh?.run(at().app, tokens);
    const next = fresh && (await network.refresh?.run(at().app, fresh));
    expect(new Set([tokens.refreshToken, fresh?.refreshToken, next?.refreshToken]).size).toBe(3);
    expect(network.refresh?.isReusable).toBeUndefined(); // after a lost answer, the old one is not sent again
  });

  test.each(["401/283", "400/283", "401/2", "400/1"])(
    "a refused refresh with %s asks to connect again",
    async (refusedRefresh) => {
      await set({ refusedRefresh });
      const tokens = { accessToken: "", refreshToken: "expired" };
      expect(await failureOf(network.refresh?.run(at().app, tokens))).toMatchObject({ kind: "reconnect" });
    },
  );

  test.each<[object, FormatName, string, MediaOf, boolean]>([
    [{ textUnit: "code points" }, "image", "😀".repeat(800), undefined, true],
    [{ textUnit: "UTF-16 units" }, "image", "😀".repeat(800), undefined, false],
    [{ refusesOddImages: false }, "image", "Tall", async () => [await at().image({ width: 300, height: 900 })], true],
    [{ refusesOddImages: true }, "image", "Tall", async () => [await at().image({ width: 300, height: 900 })], false],
    [{ maxFrameRate: 60 }, "video", "Fast", undefined, true],
    [{ maxFrameRate: 24 }, "video", "Fast", undefined, false],
  ])("%o: a Pin is created, or refused for good", publishedOrRefused);

  test.each<[object]>([
    [{ policySeconds: 0 }],
    [{ policySeconds: 3600 }],
    [{ usableAfterSeconds: 120, notReadyMessage: "The media has not been processed yet" }],
    [{ usableAfterSeconds: 120, notReadyMessage: "media_id is not ready" }],
  ])("%o: a video is tried again until Pinterest takes it", async (switches) => {
    await set(switches);
    const person = await at().person();
    const memory = newMemory();
    const publish = () => at().publish("video", "A video", person, {}, memory); // each call is a minute later
    const isLate = !("policySeconds" in switches && switches.policySeconds === 3600);
    if (isLate) expect(await failureOf(publish())).toMatchObject({ kind: "later", refused: true });
    await set({});
    const { id } = await settled(publish);
    expect(await held(person)).toEqual([id]);
  });

  test.each([true, false])(
    "finds a Pin whose answer was lost if a board lists its newest Pins first: %s",
    async (is) => {
      await set({ newestFirst: is });
      const person = await at().person();
      await at().publish("image", "An earlier Pin", person);
      const memory = newMemory();
      const publish = () => at().publish("image", "A lost Pin", person, {}, memory);
      await at().fault({ operation: "publish", fault: "drop_response" });
      expect(await failureOf(publish())).toMatchObject({ kind: "unknown", refused: false });
      const { id } = await publish();
      expect((await at().held(person)).filter(({ text }) => text === "A lost Pin").map((one) => one.id)).toEqual([id]);
    },
  );

  test("after a restore, treats a full list as complete only if the newest Pins come first", async () => {
    await set({ newestFirst: true });
    const network = networkOf("PINTEREST");
    const { session, chatId, ...person } = await at().person();
    for (let count = 1; count <= 25; count++)
      await at().publish("image", `Before the backup, ${count}`, { session, chatId, ...person });
    const { items } = await (await session.fetch(`/v5/boards/${chatId}/pins?page_size=1`)).json();
    const from = new Date(Date.parse(`${items[0].created_at}Z`) + 1000);
    await at().publish("image", "After the backup", { session, chatId, ...person });

    const settings = network.settings.parse({}) as Parameters<typeof publishImage>[0]["settings"]; // Pinterest's own schema
    const sent = { content: "After the backup", media: [await at().image()], settings, chatId };
    const isWhole = async (newestFirst: boolean) => {
      await set({ newestFirst });
      let listed: unknown;
      await searchPost(network, (run) => publishImage(sent, run), {
        session,
        stepDone: () => undefined,
        async decide(_, search) {
          const found = await search(from);
          listed = { count: found.listed.length, isWhole: found.isWhole };
          return undefined;
        },
      });
      return listed;
    };
    expect(await isWhole(true)).toEqual({ count: 1, isWhole: true });
    expect(await isWhole(false)).toEqual({ count: 0, isWhole: false });
  });
});
