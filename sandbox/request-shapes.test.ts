import { beforeAll, describe, expect, test } from "vitest";
import { serverOf, signedIn } from "./bluesky/testing";
import { connect as connectFacebook, SCOPES as FACEBOOK_SCOPES, graph, pagesOf } from "./facebook/testing";
import { connect as connectInstagram, SCOPES as INSTAGRAM_SCOPES, graph as instagram } from "./instagram/testing";
import { connect as connectLinkedIn, sessionWith } from "./linkedin/testing";
import { connect as connectPinterest, session as pinterestSession } from "./pinterest/testing";
import { botOf, link, TOKEN } from "./telegram/testing";
import { jpeg, testMediaServer } from "./testing/media";
import { mp4 } from "./testing/mp4";
import { pdf } from "./testing/pdf";
import { type Sent, shapes } from "./testing/request-shapes";
import { testSandbox } from "./testing/sandbox";
import { connect as connectThreads } from "./threads/testing";
import { connect as connectTikTok, SCOPES as TIKTOK_SCOPES } from "./tiktok/testing";
import { connect as connectX } from "./x/testing";
import { connect as connectYouTube } from "./youtube/testing";

type Known = { [name: string]: unknown };

const sandbox = testSandbox();
const media = testMediaServer();
const files: { picture?: Uint8Array; video?: Uint8Array; document?: Uint8Array } = {};
let people = 0;

beforeAll(async () => {
  files.picture = await jpeg(1080, 1080);
  files.video = mp4({ seconds: 5 });
  files.document = pdf();
  // Neither service sends `appsecret_proof`.
  await sandbox.control("POST", "facebook/switches", { requiresProof: false });
});

/** Connects a new person. Returns their name and what the calls of a network need to know. */
const connected: { [network: string]: (person: string) => Promise<Known> } = {
  async facebook(person) {
    const scope = `${FACEBOOK_SCOPES},pages_manage_engagement`;
    const [page] = await pagesOf(sandbox, graph(sandbox, await connectFacebook(sandbox, person, [], scope)));
    return { token: page?.token, page: page?.id };
  },
  async instagram(person) {
    const scope = `${INSTAGRAM_SCOPES},instagram_business_manage_comments`;
    const token = await connectInstagram(sandbox, person, { scope });
    const { user_id } = await (await instagram(sandbox, token).get("me?fields=user_id")).json();
    return { token, user: user_id };
  },
  async threads(person) {
    const token = await connectThreads(sandbox, person);
    const { id } = await (await fetch(`${sandbox.url}/threads/v1.0/me?fields=id&access_token=${token}`)).json();
    return { token, user: id };
  },
  async tiktok(person) {
    const scope = `${TIKTOK_SCOPES},video.upload`;
    return { token: (await connectTikTok(sandbox, person, { scope })).access_token };
  },
  x: async (person) => ({ token: (await connectX(sandbox, person)).access_token }),
  youtube: async (person) => ({ token: (await connectYouTube(sandbox, person)).access_token }),
  async linkedin(person) {
    const { access_token: token } = await connectLinkedIn(sandbox, person);
    return { token, user: (await sessionWith(sandbox, token)).author };
  },
  async pinterest(person) {
    const { access_token: token } = await connectPinterest(sandbox, person);
    return { token, board: (await pinterestSession(sandbox, person)).board };
  },
  telegram: async (person) => ({ token: TOKEN, chat: String((await link(botOf(sandbox), person)).publicId) }),
  async bluesky(person) {
    const server = serverOf(sandbox);
    await fetch(`${server}/xrpc/com.atproto.identity.resolveHandle?handle=${person}.bsky.test`); // creates the person
    const { did: user, accessJwt: token } = await signedIn(sandbox, person);
    const soon = String(Math.floor(Date.now() / 1000) + 1800);
    return { server, user, token, soon, did: `did:web:${new URL(server).host.replace(":", "%3A")}` };
  },
};

/** Replaces names in braces. A text that is only a name becomes the value itself, which can be a number or an object. */
function filled(value: unknown, known: Known): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(item, known));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filled(one, known)]));
  if (typeof value !== "string") return value;
  const [, whole] = /^\{(\w+)\}$/.exec(value) ?? [];
  return whole !== undefined && whole in known ? known[whole] : textOf(value, known);
}

const textOf = (text: string, known: Known) =>
  text.replace(/\{(\w+)\}/g, (written, name: string) => (name in known ? String(known[name]) : written));

const textsOf = (fields: { [name: string]: string } = {}, known: Known) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value, known)]));

function bodyOf({ json, form, multipart, fieldsOf, bytes }: Sent, known: Known): BodyInit | undefined {
  const file = bytes && new Blob([new Uint8Array(files[bytes] ?? [])]);
  if (json) return JSON.stringify(filled(json, known));
  if (form) return new URLSearchParams(textsOf(form, known));
  if (!multipart && !fieldsOf) return file;
  const body = new FormData();
  const fields = { ...textsOf(multipart, known), ...(known[fieldsOf ?? ""] as { [name: string]: string } | undefined) };
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  if (file) body.append("file", file, "film.mp4");
  return body;
}

/** Sends one call of a shape. Returns what it adds to the known values. */
async function send(sent: Sent, known: Known): Promise<Known> {
  const [method = "", path = ""] = sent.call.split(" ");
  const written = textOf(
    path.replace(/\/\{urn\}(?=\/|$)/, () => `/${encodeURIComponent(String(known.urn))}`),
    known,
  );
  const url = new URL(written, sandbox.url);
  for (const [name, value] of Object.entries(textsOf(sent.query, known))) url.searchParams.set(name, value);
  const headers = { ...(sent.json ? { "content-type": "application/json" } : {}), ...textsOf(sent.headers, known) };
  const answer = await fetch(url, { method, headers, body: bodyOf(sent, known), redirect: "manual" });
  const body = await answer.text();
  expect([sent.call, answer.status < 300, body], body).toEqual([sent.call, true, body]);
  const value: unknown = body.startsWith("{") ? JSON.parse(body) : undefined;
  const [until, wanted] = sent.until ?? [];
  if (until !== undefined && at(value, until) !== wanted) {
    expect(String(at(value, until))).not.toMatch(/fail|error/i);
    await sandbox.advance(5); // the networks process files over time
    return send(sent, known);
  }
  const kept = Object.entries(sent.keep ?? {}).map(([name, from]) => {
    const header = from.startsWith("header:") ? answer.headers.get(from.slice("header:".length)) : undefined;
    return [name, header ?? at(value, from)];
  });
  expect(kept.filter(([, one]) => one === undefined)).toEqual([]);
  return Object.fromEntries(kept);
}

const at = (value: unknown, path: string) =>
  path.split(".").reduce<unknown>((node, name) => {
    const fields = (node ?? {}) as Known;
    return name === "*" ? Object.values(fields)[0] : fields[name];
  }, value);

describe("the sandbox accepts what services in production send", () => {
  test.each(shapes.map((shape) => [shape.by, shape.network, shape.what, shape] as const))(
    "%s, %s: %s",
    async (_by, network, _what, { calls, shows }) => {
      const person = `person${++people}`;
      const size = files.video?.length ?? 0;
      let known: Known = {
        size,
        last: size - 1,
        picture: media.serve("picture.jpg", files.picture ?? new Uint8Array(), "image/jpeg"),
        video: media.serve("film.mp4", files.video ?? new Uint8Array(), "video/mp4"),
        ...(await connected[network]?.(person)),
      };
      for (const call of calls) known = { ...known, ...(await send(call, known)) };
      const shown = (await sandbox.posts(network)).filter(({ account }) => account === person).at(-1);
      const { text, media: kept, settings = {}, replyTo } = shown ?? {};
      expect({ text, media: kept?.map(({ type }) => type), isReply: replyTo !== undefined }).toEqual({
        text: shows.text,
        media: shows.media,
        isReply: shows.isReply ?? false,
      });
      for (const [name, value] of Object.entries(shows.settings ?? {}))
        expect([name, settings[name]]).toEqual([name, value]);
    },
  );
});
