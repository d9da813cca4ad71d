import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { cidOfRecord } from "../../../sandbox/bluesky/blobs";
import { PlatformError } from "../errors";
import type { NetworkSession } from "../network";
import { failureOf, newMemory } from "../testing";
import { bluesky } from ".";
import { newestPosts, newRecordKey, putPost, readPost } from "./api";
import { BROAD_SCOPE } from "./oauth-client";
import { consentOf2024, image, publishOnServer, realServer } from "./testing/real-server";
import { connect } from "./testing/sandbox";

const server = realServer("pds-2024");
const { isInstalled } = server;
type Person = Awaited<ReturnType<typeof server.person>>;

const redirectUri = "http://127.0.0.1:3000/oauth/connect/callback/bluesky";

/** Connects through the server's consent page. */
async function connected(person: Person): Promise<NetworkSession> {
  const app = server.app();
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const request = { state: "s", redirectUri, challenge, verifier, account: person.handle };
  const { url, keep = {} } = await connect.begin(app, request);
  const { searchParams } = await consentOf2024(url, person);
  expect(searchParams.get("state")).toBe("s");
  const callback = { code: searchParams.get("code") ?? "", issuer: searchParams.get("iss") ?? undefined };
  return server.session(await connect.exchange(app, { ...callback, redirectUri, verifier, keep }));
}

/** The same session, but the answer of the call that creates a post is lost after the server has processed it. */
function losesAnswer(session: NetworkSession): NetworkSession {
  return {
    ...session,
    fetch: async (path, call) => {
      const answer = await session.fetch(path, call);
      if (path.endsWith("putRecord")) throw new PlatformError("unknown", "The answer was lost");
      return answer;
    },
  };
}

describe.skipIf(!isInstalled)("against Bluesky's reference server of 2024 (npm: @atproto/pds 0.4.73)", () => {
  let alice: Person;
  let byConsent: NetworkSession;
  let byPassword: NetworkSession;
  beforeAll(async () => {
    if (!isInstalled) return;
    alice = await server.person("alice");
    [byConsent, byPassword] = [await connected(alice), await server.signedIn(alice)];
  });

  test("asks for the broad scope where the server refuses the granular ones", () => {
    expect(byConsent).toMatchObject({ username: "alice.test", accountId: alice.did });
    expect(byConsent.tokens.scopes).toEqual(expect.arrayContaining([BROAD_SCOPE, ...connect.requiredScopes]));
  });

  test("refreshes the permission that was given on the consent page", async () => {
    const session = await connected(await server.person("bob"));
    const next = await bluesky.refresh?.run(session.app, session.tokens);
    expect(next?.refreshToken).not.toBe(session.tokens.refreshToken);
    await publishOnServer(await server.session(next ?? session.tokens), "After a refresh");
  });

  describe.each([
    ["a permission with the broad scope", () => byConsent],
    ["an app password", () => byPassword],
  ])("with %s", (way, session) => {
    test("publishes text; the sandbox computes the same CID", async () => {
      const { cid, value } = await server.readBack((await publishOnServer(session(), `Text with ${way}`)).id);
      expect(value).toMatchObject({ text: `Text with ${way}` });
      expect(cidOfRecord(value)).toBe(cid);
    });

    test("publishes an image", async () => {
      const { id } = await publishOnServer(session(), `Image with ${way}`, [await image(30, 20)]);
      const { value } = await server.readBack(id);
      expect(value.embed).toMatchObject({ images: [{ aspectRatio: { width: 30, height: 20 } }] });
    });

    test("links the posts of a thread", async () => {
      const first = await publishOnServer(session(), `One with ${way}`);
      const second = await publishOnServer(session(), `Two with ${way}`, [], first);
      const [one, two] = [await server.readBack(first.id), await server.readBack(second.id)];
      const ref = { uri: one.uri, cid: one.cid };
      expect(two.value.reply).toEqual({ root: ref, parent: ref });
    });

    test("finds a post whose answer was lost, and does not create it again", async () => {
      const memory = newMemory();
      const content = `Lost with ${way}`;
      const lost = publishOnServer(losesAnswer(session()), content, [], undefined, {}, memory);
      expect(await failureOf(lost)).toMatchObject({ kind: "unknown" });
      const { id } = await publishOnServer(session(), content, [], undefined, {}, memory);
      const listed = (await newestPosts(session())).filter(({ value }) => value.text === content);
      expect(listed.map(({ uri }) => uri)).toEqual([id]);
    });
  });

  test("a repeated record changes nothing, a different one is refused, a missing one is not found", async () => {
    const key = newRecordKey();
    const record = { $type: "app.bsky.feed.post", text: "Once", createdAt: new Date().toISOString() };
    const first = await putPost(byConsent, key, record);
    expect(await putPost(byConsent, key, record)).toMatchObject({ uri: first.uri, cid: first.cid });
    expect(await failureOf(putPost(byConsent, key, { ...record, text: "Other" }))).toMatchObject({
      duplicate: true,
      answer: { status: 400, code: "InvalidSwap" },
    });
    expect(await readPost(byConsent, key)).toMatchObject({ cid: first.cid });
    expect(await readPost(byConsent, newRecordKey())).toBeUndefined();
  });

  test("accepts a gallery and a gate with a rule that it does not know", async () => {
    const media = await Promise.all(Array.from({ length: 5 }, (_, index) => image(20 + index, 20)));
    const { id } = await publishOnServer(byConsent, "Five images", media, undefined, { whoCanReply: ["FOLLOWERS"] });
    expect((await server.readBack(id)).value.embed).toMatchObject({ $type: "app.bsky.embed.gallery" });
    const gate = await server.readBack(id.replace("app.bsky.feed.post", "app.bsky.feed.threadgate"));
    expect(gate.value.allow).toEqual([{ $type: "app.bsky.feed.threadgate#followerRule" }]);
  });
});
