import { eq } from "drizzle-orm";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { getAccount } from "../accounts";
import { sealTokens, tokensOf } from "../accounts/accounts";
import { accounts, db } from "../db";
import { type FileKind, networkOf } from "../networks";
import { as, connectAccount, firstChat, inAnHour, newOwner, readResponse, schedule, uploaded } from "../testing";
import { newAuthor, publicationPartsOf } from "../testing/formats";

type Preview = { publications: { posts: { requests: { url: string; body?: string }[]; problem?: string }[] }[] };
const LINK = "https://example.com/bells";
const POLL = ["Ding", "Dong"];
const CAPTIONS = "1\n00:00:00,000 --> 00:00:01,000\nDing\n";
const BLUESKY_POST = "https://bsky.app/profile/alice.bsky.test/post/3kabcdefghi2k";

/** The requests that a preview shows, as texts. */
async function requestsOf(client: ReturnType<typeof as>, publication: object): Promise<string[]> {
  const made = await schedule(client, [publication], inAnHour());
  const [status, preview] = (await readResponse(client.get(`/v1/posts/${made.id}/preview`))) as [number, Preview];
  expect(status).toBe(200);
  const [seen] = preview.publications[0]?.posts ?? [];
  expect(seen?.problem).toBeUndefined();
  return seen?.requests.map(({ url, body = "" }) => decodeURIComponent(`${url} ${body}`)) ?? [];
}

test.each<[FileKind[]]>([[[]], [["document"]], [["image"]], [["image", "image"]], [["video"]]])(
  "the preview of a post on a LinkedIn company page with %j names the page as author, as owner of the files and as author of the comment",
  async (files) => {
    const author = await newAuthor();
    const account = await connectAccount(author.owner, "LINKEDIN");
    const page = { platform: "LINKEDIN", isOfPage: true, settings: { firstComment: "More" }, files } as const;
    const { platformSettings, post } = await publicationPartsOf(page, author, account);
    const posts = [{ ...post, content: "Ding" }];
    const requests = await requestsOf(author.client, { socialMediaAccountId: account.id, platformSettings, posts });
    expect(post.chatId).toMatch(/^urn:li:organization:\d+$/);
    const naming = (field: string) => requests.filter((text) => text.includes(`"${field}":"${post.chatId}"`));
    expect(naming("owner")).toHaveLength(files.length);
    expect(naming("author")).toEqual([expect.stringContaining("/rest/posts ")]);
    expect(naming("actor")).toEqual([expect.stringContaining("/comments ")]);
    expect(requests.join()).not.toContain("urn:li:person");
  },
);

/** A JPEG that fits Bluesky's limit, but not the lower one of older servers. */
async function largePicture(): Promise<Buffer> {
  const noise = { type: "gaussian", mean: 128, sigma: 60 } as const;
  const create = { width: 1200, height: 1200, channels: 3, background: "grey", noise } as const;
  return sharp({ create }).jpeg({ quality: 95 }).toBuffer();
}

test.each([
  ["an independent server, which may be older,", "https://pds.example.com", 999_000],
  ["a server of Bluesky", "https://morel.us-east.host.bsky.network", undefined],
])("the preview of a large image for an account on %s shows the size that is sent", async (_, pds, shrunk) => {
  const owner = await newOwner();
  const client = as(owner);
  const { id } = await connectAccount(owner, "BLUE_SKY");
  const account = await getAccount(owner, id);
  const { extra, ...tokens } = tokensOf(account);
  const tokensSealed = sealTokens(account, { ...tokens, extra: { ...extra, pds } });
  await db.update(accounts).set({ tokensSealed }).where(eq(accounts.id, id));
  const bytes = await largePicture();
  const posts = [{ content: "Ding", attachmentPaths: [await uploaded(client, bytes)] }];
  const on = { socialMediaAccountId: id, platformSettings: { type: "BLUE_SKY" }, posts };
  expect(await requestsOf(client, on)).toEqual([
    expect.stringMatching(new RegExp(`^${pds}/.*, image, ${shrunk ?? bytes.length} bytes\\}$`)),
    expect.stringContaining("putRecord"),
  ]);
});

describe("the preview of the requests shows the settings that a network gets", () => {
  test.each<[platform: Parameters<typeof connectAccount>[1], settings: object, files: FileKind[], shown: string[]]>([
    [
      "INSTAGRAM",
      { type: "INSTAGRAM", collaborators: ["anna"], userTags: ["ben"], locationId: "7640348500" },
      ["image"],
      ['collaborators=["anna"]', 'user_tags=[{"username":"ben","x":0.5,"y":0.5}]', "location_id=7640348500"],
    ],
    [
      "INSTAGRAM",
      { type: "INSTAGRAM", publicationType: "REELS", videoCoverTimestampMs: 1500 },
      ["video"],
      ["thumb_offset=1500"],
    ],
    [
      "FACEBOOK",
      { type: "FACEBOOK", placeId: "110506962309835", link: LINK, callToAction: "SIGN_UP" },
      [],
      ["place=110506962309835", `link=${LINK}`, `call_to_action={"type":"SIGN_UP","value":{"link":"${LINK}"}}`],
    ],
    ["PINTEREST", { type: "PINTEREST", dominantColor: "#6E7874" }, ["image"], ['"dominant_color":"#6E7874"']],
    [
      "TIKTOK",
      { type: "TIKTOK", privacyLevel: "SELF_ONLY", sendToDrafts: true },
      ["video"],
      ["/v2/post/publish/inbox/video/init/"],
    ],
    [
      "TIKTOK",
      { type: "TIKTOK", privacyLevel: "SELF_ONLY", sendToDrafts: true },
      ["image"],
      ['"post_mode":"MEDIA_UPLOAD"'],
    ],
    [
      "TIKTOK",
      { type: "TIKTOK", privacyLevel: "SELF_ONLY", videoCoverTimestampMs: 1500, aiContent: true },
      ["video"],
      ['"video_cover_timestamp_ms":1500', '"is_aigc":true'],
    ],
    [
      "TIKTOK",
      { type: "TIKTOK", privacyLevel: "SELF_ONLY", photoCoverIndex: 1 },
      ["image", "image"],
      ['"photo_cover_index":1'],
    ],
    ["PINTEREST", { type: "PINTEREST" }, ["image", "image"], ['"source_type":"multiple_image_base64"']],
    [
      "LINKEDIN",
      { type: "LINKEDIN", documentTitle: "Scores", firstComment: "More" },
      ["document"],
      ["/rest/documents?action=initializeUpload", '"title":"Scores"', '"text":"More"'],
    ],
    [
      "YOUTUBE",
      {
        ...{
          type: "YOUTUBE",
          title: "Bells",
          tags: ["ding", "church towers"],
          playlistId: "PL0123456789",
          firstComment: "More",
        },
        ...{ madeForKids: false, containsSyntheticMedia: true, notifySubscribers: false },
        ...{ captions: CAPTIONS, captionsLanguage: "en" },
      },
      ["video"],
      [
        ...['"tags":["ding","church towers"]', '"selfDeclaredMadeForKids":false', '"containsSyntheticMedia":true'],
        ...["notifySubscribers=false", '"playlistId":"PL0123456789"', '"language":"en"', CAPTIONS],
        '"textOriginal":"More"',
      ],
    ],
    [
      "THREADS",
      {
        type: "THREADS",
        whoCanReply: "FOLLOWERS",
        quote: "17900000000000001",
        locationId: "101",
        linkAttachment: LINK,
      },
      [],
      ["reply_control=followers_only", "quote_post_id=17900000000000001", "location_id=101", `link_attachment=${LINK}`],
    ],
    [
      "THREADS",
      { type: "THREADS", pollOptions: POLL, firstComment: "More" },
      [],
      ['poll_attachment={"option_a":"Ding","option_b":"Dong"}', "text=More"],
    ],
    [
      "X_TWITTER",
      { type: "TWITTER", whoCanReply: "MENTIONED", pollOptions: POLL, pollMinutes: 60, firstComment: "More" },
      [],
      [
        '"reply_settings":"mentionedUsers"',
        '"poll":{"options":["Ding","Dong"],"duration_minutes":60}',
        '"text":"More"',
      ],
    ],
    ["X_TWITTER", { type: "TWITTER", quote: "1234567890" }, [], ['"quote_tweet_id":"1234567890"']],
    [
      "BLUE_SKY",
      {
        ...{ type: "BLUE_SKY", languages: ["en", "de-AT"], whoCanReply: ["NOBODY"], labels: ["NUDITY"] },
        ...{ quote: BLUESKY_POST, firstComment: "More" },
      },
      [],
      [
        ...['"langs":["en","de-AT"]', "app.bsky.feed.threadgate", '"allow":[]', '"val":"nudity"'],
        ...["app.bsky.embed.record", '"text":"More"'],
        '"langs":["en","de-AT"]},"swapRecord":null', // the first reply, which has no gate
        "http://127.0.0.1:", // the address that the simulated account's own server has
      ],
    ],
    [
      "TELEGRAM",
      {
        type: "TELEGRAM",
        disableNotification: true,
        protectContent: true,
        disableLinkPreview: true,
        parseMode: "HTML",
      },
      [],
      [
        ...['"disable_notification":true', '"protect_content":true', '"link_preview_options":{"is_disabled":true}'],
        '"text":"Ding","entities":[{"type":"bold","offset":0,"length":4}]',
      ],
    ],
    // The token of the Page is kept, so that it is checked and not read.
    ["FACEBOOK", { type: "FACEBOOK", firstComment: "More" }, [], ["?fields=id&", "message=More"]],
    ["INSTAGRAM", { type: "INSTAGRAM", firstComment: "More" }, ["image"], ["message=More"]],
  ])("%s %j", async (platform, platformSettings, files, shown) => {
    const owner = await newOwner();
    const client = as(owner);
    const { id } = await connectAccount(owner, platform);
    const { pathsOf } = await newAuthor(owner);
    const chatId = await firstChat(client, id, networkOf(platform));
    const content = "parseMode" in platformSettings ? "<b>Ding</b>" : "Ding";
    const post = { content, attachmentPaths: pathsOf(files), ...(chatId ? { chatId } : {}) };
    const publication = { socialMediaAccountId: id, platformSettings, posts: [post] };
    const requests = (await requestsOf(client, publication)).join("\n");
    for (const part of shown) expect(requests).toContain(part);
  });
});

test("a draft whose languages Bluesky would refuse has a preview", async () => {
  const owner = await newOwner();
  const { id } = await connectAccount(owner, "BLUE_SKY");
  const platformSettings = { type: "BLUE_SKY", languages: ["?"], firstComment: "More" };
  const publications = [{ socialMediaAccountId: id, platformSettings, posts: [{ content: "Ding" }] }];
  const [made, draft] = await readResponse(as(owner).post("/v1/posts", { isDraft: true, publications }));
  const path = `/v1/posts/${(draft as { id: number }).id}/preview`;
  const [status, preview] = (await readResponse(as(owner).get(path))) as [number, Preview];
  expect([made, status]).toEqual([201, 200]);
  expect(preview.publications[0]?.posts[0]?.problem).toBe("The settings for Bluesky are not complete");
});
