import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Platform, platforms, platformValues } from "../platforms";
import { isLongRun } from "../testing/breadth";
import { allNetworks, type Network } from ".";
import { described as bluesky } from "./bluesky/testing/described";
import { validated } from "./bluesky/testing/lexicon-checks";
import type { DryRunRequest } from "./dry-run";
import { described as facebook } from "./facebook/testing/described";
import { described as instagram } from "./instagram/testing/described";
import { described as linkedin } from "./linkedin/testing/described";
import { type FormatName, networkFormat, type Published } from "./network";
import { described as pinterest } from "./pinterest/testing/described";
import { described as telegram } from "./telegram/testing/described";
import {
  type AtSandbox,
  atSandbox,
  failureOf,
  newMemory,
  type RequestCheck,
  type SandboxPerson,
  type SentRequest,
} from "./testing";
import { described as threads } from "./threads/testing/described";
import { described as tiktok } from "./tiktok/testing/described";
import { described as x } from "./x/testing/described";
import { described as youtube } from "./youtube/testing/described";

/** What the networks publish about their requests. LinkedIn and TikTok publish only pages for readers. */
const CHECKS: { [P in Platform]: { described: RequestCheck; checked?: typeof validated } } = {
  X_TWITTER: { described: x },
  YOUTUBE: { described: youtube },
  THREADS: { described: threads },
  TIKTOK: { described: tiktok },
  INSTAGRAM: { described: instagram },
  LINKEDIN: { described: linkedin },
  BLUE_SKY: { described: bluesky, checked: validated },
  TELEGRAM: { described: telegram },
  FACEBOOK: { described: facebook },
  PINTEREST: { described: pinterest },
};

type Values = { [setting: string]: unknown[] };

/**
 * Values of every setting of a network, so that each parameter that an adapter can send is sent. Round n uses the n-th value of
 * each setting, or its last; undefined leaves the setting out. A new setting needs an entry here, and its parameter must be in the
 * network's description.
 */
const VALUES: { [P in Platform]: Values } = {
  X_TWITTER: {
    whoCanReply: ["FOLLOWING", "MENTIONED", "SUBSCRIBERS", "VERIFIED"],
    pollOptions: [["Yes", "No"], undefined],
    pollMinutes: [60, undefined],
  },
  YOUTUBE: {
    title: ["A title"],
    privacyStatus: ["PUBLIC", "UNLISTED", "PRIVATE"],
    category: ["PEOPLE_BLOGS", "MUSIC"],
    madeForKids: [false, true],
    containsSyntheticMedia: [true, false],
    notifySubscribers: [false, true],
    tags: [["bells", "church towers"]],
    captions: ["1\n00:00:00,000 --> 00:00:02,000\nDing\n"],
    captionsLanguage: ["en"],
  },
  THREADS: {
    topicTag: ["bells"],
    whoCanReply: ["EVERYONE", "FOLLOWING", "FOLLOWERS", "MENTIONED"],
    pollOptions: [["Yes", "No"], undefined],
    linkAttachment: [undefined, "https://example.com/"],
    locationId: ["100000000000001"],
  },
  TIKTOK: {
    title: ["A title"],
    privacyLevel: ["PUBLIC_TO_EVERYONE", "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"],
    disableDuet: [true, false],
    disableComments: [true, false],
    disableStitch: [true, false],
    brandContent: [true, false],
    brandOrganic: [true, false],
    aiContent: [true, false],
    autoAddMusic: [true, false],
    videoCoverTimestampMs: [1000],
    photoCoverIndex: [0],
    sendToDrafts: [false, true, false],
    hasUsageConfirmation: [true],
  },
  INSTAGRAM: {
    publicationType: ["FEED", "REELS", "STORY"],
    aiContent: [true],
    collaborators: [["bob", "carol"]],
    userTags: [["bob", { username: "carol", x: 0.5, y: 0.25, attachment: 0 }]],
    locationId: ["100000000000001"],
    videoCoverTimestampMs: [1000],
  },
  LINKEDIN: { visibility: ["PUBLIC", "CONNECTIONS"], documentTitle: ["Scores"] },
  BLUE_SKY: {
    languages: [["en", "de-AT"]],
    whoCanReply: [["NOBODY"], ["MENTIONED", "FOLLOWING", "FOLLOWERS"]],
    labels: [["SEXUAL"], ["GRAPHIC_MEDIA", "NUDITY"]],
  },
  TELEGRAM: {
    disableNotification: [true],
    protectContent: [true],
    disableLinkPreview: [true],
    parseMode: ["HTML", undefined],
  },
  FACEBOOK: {
    publicationType: ["FEED", "REELS", "STORY"],
    placeId: ["100000000000001"],
    link: ["https://example.com/"],
    callToAction: ["LEARN_MORE"],
  },
  PINTEREST: { title: ["A title"], link: ["https://example.com/"], altText: ["A bell"], dominantColor: ["#6E7874"] },
};

/** Settings whose value is an id or address that only the network knows. */
const IDS: { [setting: string]: (person: SandboxPerson, at: AtSandbox) => Promise<string | undefined> } = {
  async quote(person, at) {
    await at.control("x/switches", { enterprise: true }); // X lets only such apps quote
    const { id, permalink } = await at.publish("text", "Quoted", person);
    return id.startsWith("at:") ? permalink : id;
  },
  async playlistId({ name }, at) {
    const id = `PL${name}`;
    await at.control("youtube/playlist", { account: name, id });
    return id;
  },
  async boardSectionId({ session, chatId }) {
    const { items } = await (await session.fetch(`/v5/boards/${chatId}/sections`)).json();
    return items[0].id;
  },
};

/** Gives a person a destination where a post without one goes to the account itself, which is then its author. */
const DESTINATIONS: { [P in Platform]?: (person: SandboxPerson, at: AtSandbox) => Promise<unknown> } = {
  LINKEDIN: ({ name }, at) => at.control("linkedin/page", { account: name, id: "70001", name: "Bell foundry" }),
};

/** A call that creates a post, with everything that it requires. Its last body field is not described anywhere. */
const STRAY: { [P in Platform]: [path: string, body: object] } = {
  X_TWITTER: ["/2/tweets", { text: "a", stray: "1" }],
  YOUTUBE: ["/youtube/v3/playlistItems?part=snippet", { snippet: { playlistId: "PL1", stray: "1" } }],
  THREADS: ["/v1.0/me/threads", { text: "a", stray: "1" }],
  TIKTOK: [
    "/v2/post/publish/inbox/video/init/",
    { source_info: { source: "FILE_UPLOAD", video_size: 1, chunk_size: 1, total_chunk_count: 1, stray: "1" } },
  ],
  INSTAGRAM: ["/v26.0/1/media", { caption: "a", stray: "1" }],
  LINKEDIN: [
    "/rest/images?action=initializeUpload",
    { initializeUploadRequest: { owner: "urn:li:person:1", stray: "1" } },
  ],
  BLUE_SKY: [
    "/xrpc/com.atproto.repo.putRecord",
    {
      ...{ repo: "did:plc:a", collection: "app.bsky.feed.post", rkey: "3kabcdefghi2k" },
      record: { $type: "app.bsky.feed.post", text: "a", createdAt: "2026-11-28T12:00:00.000Z", stray: "1" },
    },
  ],
  TELEGRAM: ["/bot1:a/sendMessage", { chat_id: "1", text: "a", stray: "1" }],
  FACEBOOK: ["/v26.0/1/feed", { message: "a", stray: "1" }],
  PINTEREST: ["/v5/media", { media_type: "video", stray: "1" }],
};

const LINKEDIN_HEADERS = { "linkedin-version": "202609", "x-restli-protocol-version": "2.0.0" };

/** Checks such a call, as a form for the networks that take forms. */
async function problemsWithStray(platform: Platform): Promise<string[]> {
  const [address, body] = STRAY[platform];
  const { described, checked } = CHECKS[platform];
  const isForm = ["THREADS", "INSTAGRAM", "FACEBOOK"].includes(platform);
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const text = isForm ? String(new URLSearchParams({ ...body })) : JSON.stringify(body);
  const { pathname: path, searchParams: query } = new URL(address, "http://localhost");
  if (!checked) {
    const headers = new Headers({ "content-type": type, ...LINKEDIN_HEADERS });
    return described({ method: "POST", path, query, headers, body: new TextEncoder().encode(text) });
  }
  const fetch = checked(async () => new Response());
  const sent = fetch(address, { method: "POST", headers: { "content-type": type }, body: text });
  return (
    (await sent.then(
      () => [],
      (error: Error) => [error.message],
    )) ?? []
  );
}

test.each(platformValues)("%s: a parameter that is not described fails", async (platform) => {
  expect(await problemsWithStray(platform)).toEqual([expect.stringContaining("stray")]);
});

/** A call for tokens of each network, as `STRAY`: a form, or the query of a GET. Telegram has none. */
const STRAY_TOKEN: { [P in Platform]?: [method: "GET" | "POST", path: string, fields: string, headers?: object] } = {
  X_TWITTER: ["POST", "/2/oauth2/token", "grant_type=refresh_token&refresh_token=a", { authorization: "Basic YTpi" }],
  YOUTUBE: ["POST", "/revoke", "token=a"],
  THREADS: ["GET", "/refresh_access_token", "grant_type=th_refresh_token&access_token=a"],
  TIKTOK: ["POST", "/v2/oauth/revoke/", "client_key=a&client_secret=b&token=c"],
  INSTAGRAM: ["GET", "/refresh_access_token", "grant_type=ig_refresh_token&access_token=a"],
  BLUE_SKY: ["POST", "/oauth/revoke", "client_id=a&token=b"],
  LINKEDIN: ["POST", "/oauth/v2/accessToken", "grant_type=refresh_token&client_id=a&client_secret=b&refresh_token=c"],
  FACEBOOK: ["GET", "/v26.0/oauth/access_token", "client_id=a&client_secret=b&redirect_uri=c&code=d"],
  PINTEREST: ["POST", "/v5/oauth/token", "grant_type=refresh_token&refresh_token=a", { authorization: "Basic YTpi" }],
};

test.each(Object.entries(STRAY_TOKEN))(
  "%s: a parameter of a token call that is not described fails",
  async (platform, call) => {
    const [method, path, fields, more = {}] = call;
    const check = CHECKS[platform as Platform].described;
    const send = (text: string) => {
      const [query, body] = method === "GET" ? [text, ""] : ["", text];
      const headers = new Headers({ "content-type": "application/x-www-form-urlencoded", ...more });
      return check({
        method,
        path,
        query: new URLSearchParams(query),
        headers,
        body: new TextEncoder().encode(body),
      });
    };
    expect(await send(fields)).toEqual([]);
    expect(await send(`${fields}&stray=1`)).toEqual([expect.stringContaining("stray")]);
  },
);

/** Values that only the network knows are shown in braces, and secrets as asterisks. */
const NOT_SHOWN = /\{[a-z][a-z ]*\}|\*\*\*/;
/** What differs in each request: times, Bluesky's keys and blobs, boundaries of forms, addresses of test files, Meta's proofs. */
const NEW = [
  ...[/\d{4}-\d\d-\d\dT[\d:.]+Z/g, /\b3[a-z2-7]{12}\b/g, /carillon-[0-9a-f-]+/g],
  ...[/(?<="size":)(\d+|"\{size\}")/g, /(?<=\/)[0-9a-f]{16}(?=\/)/g, /\b[0-9a-f]{64}\b/g, /(?<=&exp=)\d+/g],
];

const withoutNew = (text: string) => NEW.reduce((rest, one) => rest.replace(one, "new"), text);

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text; // a file
  }
};

type Comparable = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The scheme of the `Authorization` header, and whether a `DPoP` header proves who calls. */
  proof: string;
  body: string;
  isUpload?: boolean;
};

const proofIn = (headers: Headers) =>
  `${headers.get("authorization")?.split(" ")[0] ?? "no authorization"}${headers.has("dpop") ? " with dpop" : ""}`;

const asText = ({ method, path, query, proof, body }: Comparable) =>
  withoutNew(`${method} ${decoded(path)}?${decoded(String(query))} ${proof} ${decoded(body)}`);

/** A poll repeats the same request, and how often depends on the network. */
const isPoll = ({ method, path }: Comparable) => method === "GET" || path.endsWith("/status/fetch/");

const withoutRepeats = (requests: Comparable[]) =>
  requests.filter((one, at) => {
    const previous = requests[at - 1];
    return !previous || !isPoll(one) || asText(one) !== asText(previous);
  });

/** Bluesky's calls go to the account's own server, whose address has no prefix. */
const isLexicon = (pathname: string) => pathname.startsWith("/xrpc/");

/** Expects that a preview has shown these requests, in this order, and no other. */
function expectShown({ platform }: Network, shown: DryRunRequest[], sent: SentRequest[]): void {
  const prefix = new RegExp(`^/${platforms[platform]}(?=/)`); // of this network at the sandbox
  const all = shown.map(({ url, method, headers, body = "" }) => {
    const { pathname, searchParams: query } = new URL(url);
    const proof = proofIn(new Headers(headers));
    return {
      method,
      path: pathname.replace(prefix, ""),
      query,
      proof,
      body,
      isUpload: !prefix.test(pathname) && !isLexicon(pathname),
    };
  });
  const wanted = withoutRepeats(all).map((one) => {
    // The network chooses the address of an upload, and what is sent with the file.
    if (one.isUpload) return expect.stringMatching(new RegExp(`^${one.method} `));
    return expect.stringMatching(new RegExp(`^${asText(one).split(NOT_SHOWN).map(escaped).join("[^]+?")}$`));
  });
  const made = sent.map(({ body, ...request }) => ({
    ...request,
    proof: proofIn(request.headers),
    body: new TextDecoder().decode(body),
  }));
  expect(withoutRepeats(made).map(asText)).toEqual(wanted);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

type Round = { title: string; settings: { [setting: string]: unknown }; isPlain: boolean };

/** The first round has only the settings without a default. All others have every setting. */
function roundsOf(values: Values): Round[] {
  const count = Math.max(1, ...Object.values(values).map(({ length }) => length));
  const round = (n: number) =>
    Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all[Math.min(n, all.length - 1)]]));
  const full = (n: number) => ({ title: `round ${n + 1} of its settings`, settings: round(n), isPlain: false });
  return [{ title: "defaults", settings: {}, isPlain: true }, ...Array.from({ length: count }, (_, n) => full(n))];
}

/** The first comment is not a part of the post, so it has a test of its own. */
const settingNames = (network: Network) =>
  Object.keys(z.toJSONSchema(network.settings, { io: "input" }).properties ?? {})
    .filter((name) => name !== "firstComment")
    .sort();

/** Rules about settings that a network does not combine with each other or with media. */
const COMBINATIONS = ["poll.alone", "poll.options", "x.quote_alone", "threads.link_attachment"];

/** Leaves out the settings that cannot be combined with this format or with the other settings. */
function combinable(network: Network, format: FormatName, settings: Round["settings"]): Round["settings"] {
  const media = format === "text" ? [] : [{ kind: "image", contentType: "image/jpeg" } as const];
  const post = { content: "", settings: network.settings.parse(settings), media };
  const problems = networkFormat(network, post.settings, format)?.check?.(post) ?? [];
  const first = problems.find(({ rule }) => COMBINATIONS.includes(rule))?.at.replace("platformSettings.", "");
  if (first === undefined) return settings;
  const { [first]: _, ...others } = settings;
  return combinable(network, format, others);
}

describe.each(allNetworks().map((network) => [network.name, network] as const))("%s", (_, network) => {
  const values = VALUES[network.platform];
  let at: AtSandbox;
  let sent: SentRequest[] = [];
  beforeAll(async () => {
    const checks = CHECKS[network.platform];
    const described: RequestCheck = (request) => {
      sent.push(request);
      return checks.described(request);
    };
    at = await atSandbox(network, { ...checks, described });
  });

  /** Publishes a post, and expects exactly the requests that the preview shows. */
  async function publishAsShown(...post: Parameters<AtSandbox["preview"]>): Promise<Published> {
    const shown = await at.preview(...post);
    sent = [];
    const published = await at.publish(...post);
    expectShown(network, shown, sent);
    return published;
  }

  async function commentAsShown(...comment: Parameters<AtSandbox["previewComment"]>): Promise<void> {
    const shown = await at.previewComment(...comment);
    sent = [];
    await at.comment(...comment);
    expectShown(network, shown, sent);
  }

  // Closing fails with every request that the description does not allow.
  afterAll(() => at.close());

  test("has values for every setting", () => {
    const named = settingNames(network);
    const given = [...Object.keys(values), ...Object.keys(IDS).filter((name) => named.includes(name))];
    expect(given.sort(), "add the values of a new setting to VALUES").toEqual(named);
  });

  test.each(roundsOf(values))(
    "publishes every format as described, with $title",
    { timeout: 120_000 },
    async (round) => {
      const person = await at.person();
      const named = settingNames(network).filter((name) => name !== "quote" || !round.settings.pollOptions);
      const ids = round.isPlain ? [] : Object.entries(IDS).filter(([name]) => named.includes(name));
      const known = await Promise.all(ids.map(async ([name, idOf]) => [name, await idOf(person, at)]));
      const all = { ...round.settings, ...Object.fromEntries(known) };
      const formats = at.formats(all);
      for (const format of formats) {
        const settings = round.isPlain ? {} : combinable(network, format, all);
        const first = await publishAsShown(format, `${format}, ${round.title}`, person, { settings });
        // A reply is built by the same code in every round.
        if (network.posts && (round.isPlain || isLongRun))
          await publishAsShown(format, `An answer to ${format}`, person, { settings, after: first });
        if (format !== "video" || !(round.isPlain || isLongRun)) continue;
        const thumbnail = await at.image({ width: 720, height: 1280 });
        await publishAsShown(format, "A video with a cover", person, { settings, thumbnail });
      }
      expect((await at.held(person)).length).toBeGreaterThanOrEqual(formats.length);
    },
  );

  if (network.connect.kind === "oauth")
    test("renews and revokes a permission as described", async () => {
      const { session } = await at.person();
      await at.advance(86_401); // Meta's tokens can be renewed after a day
      const mayRefresh = network.refresh?.isPossible?.(session.tokens) ?? Boolean(network.refresh);
      const tokens = (mayRefresh && (await network.refresh?.run(at.app, session.tokens))) || session.tokens;
      await network.revoke?.(at.app, tokens);
      expect(tokens.accessToken === session.tokens.accessToken).toBe(!mayRefresh);
    });

  const giveDestination = DESTINATIONS[network.platform];
  if (giveDestination)
    test("publishes every format to a destination as described, and comments there", { timeout: 120_000 }, async () => {
      const person = await at.person();
      await giveDestination(person, at);
      const [destination] = (await network.destinations?.list?.(person.session)) ?? [];
      const there = { ...person, chatId: destination?.id };
      for (const format of at.formats()) {
        await commentAsShown(`A comment on ${format}`, await publishAsShown(format, format, there), there);
      }
      const authors = (await at.held(person)).flatMap(({ replyTo, settings }) => (replyTo ? [] : [settings]));
      expect(authors).toMatchObject(at.formats().map(() => ({ author: destination?.id })));
      expect(destination?.id).toEqual(expect.any(String));
    });

  if (!network.comment) return;

  test("comments on every format as described, and looks up a lost comment", { timeout: 120_000 }, async () => {
    const person = await at.person();
    const texts = async () => (await at.held(person)).map(({ text }) => text);
    for (const format of at.formats()) {
      const on = await at.publish(format, `${format} with a comment`, person);
      await commentAsShown(`A comment on ${format}`, on, person);
      expect(await texts()).toContain(`A comment on ${format}`);
      const memory = newMemory();
      const lost = () => at.comment(`A lost comment on ${format}`, on, person, memory);
      await at.fault({ operation: "publish", fault: "drop_response" });
      expect(await failureOf(lost())).toMatchObject({ kind: "unknown" });
      // LinkedIn lets members write comments but not read them.
      if (network.platform === "LINKEDIN") expect(await failureOf(lost())).toMatchObject({ kind: "unknown" });
      else await lost();
      expect((await texts()).filter((text) => text === `A lost comment on ${format}`)).toHaveLength(1);
    }
  });
});
