import { randomInt } from "node:crypto";
import { pdf } from "../../sandbox/testing/pdf";
import { appOf, type FileKind, networkOf } from "../networks";
import { paddedMp4 } from "../networks/linkedin/testing/sandbox";
import { connectedTo, memoryRun } from "../networks/testing";
import type { Platform } from "../platforms";
import { firstChat, newPerson } from "./accounts";
import { jpeg, uploaded } from "./media";
import { as, newOwner } from "./owners";
import { requiredSettingsOf } from "./recipe";
import { control } from "./sandbox";

/** An owner, a new one by default, with two images and a video that every network accepts, and a PDF. */
export async function newAuthor(ownerId?: string) {
  const owner = ownerId ?? (await newOwner());
  const client = as(owner);
  const image = async () => uploaded(client, await jpeg(1080, 1080), "picture.jpg");
  // LinkedIn rejects videos below 75 KB.
  const video = await uploaded(client, paddedMp4(80_000, 5, 30), "video.mp4");
  const document = await uploaded(client, pdf(), "document.pdf");
  const paths: { [F in FileKind]: string[] } = {
    ...{ image: [await image(), await image()], video: [video], document: [document] },
  };
  const pathsOf = (files: FileKind[]) => files.map((file, at) => paths[file][at % paths[file].length] ?? "");
  return { owner, client, pathsOf };
}

export type Author = Awaited<ReturnType<typeof newAuthor>>;

/** A way to publish on a network, besides its simplest post. */
export type PostFormat = {
  name: string;
  platform: Platform;
  settings?: object;
  files?: FileKind[];
  /** The post quotes a post of another person. */
  isQuote?: true;
  /** LinkedIn: the author is a company page. */
  isOfPage?: true;
  /** YouTube: the video is added to a playlist. */
  hasPlaylist?: true;
  /** The network keeps no text of such a post. */
  hasNoText?: true;
};

const POLL = { pollOptions: ["Ding", "Dong"] };
const PEOPLE = { collaborators: ["bob"], userTags: [{ username: "carol", x: 0.5, y: 0.5 }], locationId: "7640348500" };
const DRAFT = { privacyLevel: "PUBLIC_TO_EVERYONE", sendToDrafts: true };
const STORY = { publicationType: "STORY" };

/**
 * The formats whose call, look-up or preparation differs from that of the network's simplest post, with every setting that SPEC does
 * not have. The tests of publishing that is interrupted use all of them, so a new format needs an entry here.
 */
export const postFormats = {
  "LinkedIn, a document": { platform: "LINKEDIN", files: ["document"], settings: { documentTitle: "Scores" } },
  "LinkedIn, a company page": { platform: "LINKEDIN", isOfPage: true },
  "X, a poll": { platform: "X_TWITTER", settings: { ...POLL, pollMinutes: 60, whoCanReply: "FOLLOWING" } },
  "X, a quote": { platform: "X_TWITTER", isQuote: true },
  "Threads, a poll": { platform: "THREADS", settings: { ...POLL, whoCanReply: "FOLLOWERS" } },
  "Threads, a quote": { platform: "THREADS", isQuote: true },
  "Threads, a link and a place": {
    platform: "THREADS",
    settings: { linkAttachment: "https://example.com/bells", locationId: "100000000000001" },
  },
  "Bluesky, a gate": {
    platform: "BLUE_SKY",
    settings: { whoCanReply: ["NOBODY"], languages: ["en"], labels: ["GRAPHIC_MEDIA"] },
  },
  "Bluesky, a quote": { platform: "BLUE_SKY", isQuote: true },
  "Telegram, formatted and silent": {
    platform: "TELEGRAM",
    settings: { parseMode: "HTML", disableNotification: true, protectContent: true, disableLinkPreview: true },
  },
  "Facebook, a button": {
    platform: "FACEBOOK",
    settings: { link: "https://example.com/bells", callToAction: "LEARN_MORE", placeId: "100000000000001" },
  },
  "Facebook, a story": { platform: "FACEBOOK", files: ["image"], settings: STORY, hasNoText: true },
  "Instagram, people in several pictures": {
    platform: "INSTAGRAM",
    files: ["image", "image"],
    settings: PEOPLE,
  },
  "Instagram, a reel with people": {
    platform: "INSTAGRAM",
    files: ["video"],
    settings: { ...PEOPLE, videoCoverTimestampMs: 1000 },
  },
  "Instagram, a story": { platform: "INSTAGRAM", files: ["image"], settings: STORY, hasNoText: true },
  "TikTok, a draft of photos": { platform: "TIKTOK", files: ["image", "image"], settings: DRAFT },
  "TikTok, a draft of a video": { platform: "TIKTOK", files: ["video"], settings: DRAFT, hasNoText: true },
  "Pinterest, several pictures": {
    platform: "PINTEREST",
    files: ["image", "image"],
    settings: { dominantColor: "#6E7874" },
  },
  "YouTube, captions and a playlist": {
    platform: "YOUTUBE",
    files: ["video"],
    hasPlaylist: true,
    settings: {
      ...{ madeForKids: false, containsSyntheticMedia: true, notifySubscribers: false, tags: ["bells"] },
      ...{ captions: "1\n00:00:00,000 --> 00:00:01,000\nDing\n", captionsLanguage: "en" },
    },
  },
} satisfies { [name: string]: Omit<PostFormat, "name"> };

/** Returns the formats of a platform. */
export function formatsOf(platform: Platform): PostFormat[] {
  const all: PostFormat[] = Object.entries(postFormats).map(([name, format]) => ({ name, ...format }));
  return all.filter((format) => format.platform === platform);
}

/** Returns settings and post of a publication in this format, without the text. A simple post has no `isQuote` and no settings. */
export async function publicationPartsOf(
  { platform, settings, files = [], isQuote, isOfPage, hasPlaylist }: Omit<PostFormat, "name">,
  { client, pathsOf }: Author,
  account: { id: number; person: string },
): Promise<{ platformSettings: object; post: { attachmentPaths: string[]; chatId?: string } }> {
  const network = networkOf(platform);
  const quote = isQuote ? { quote: await newPostToQuote(platform) } : {};
  const playlist = hasPlaylist ? { playlistId: await newPlaylist(account.person) } : {};
  const platformSettings = {
    ...{ type: network.settingsTypes[0], ...requiredSettingsOf(network) },
    ...{ ...settings, ...quote, ...playlist },
  };
  const chatId = isOfPage ? await newPage(account.person) : await firstChat(client, account.id, network);
  return { platformSettings, post: { attachmentPaths: pathsOf(files), chatId } };
}

/** Publishes a text of a new person of the network, and returns its ID. */
async function newPostToQuote(platform: Platform): Promise<string> {
  const network = networkOf(platform);
  const session = await connectedTo(network, appOf(network), newPerson());
  const settings = network.settings.parse({});
  const post = { content: "A post to quote", media: [], settings, isReply: false };
  const published = await network.formats.text?.publish(post, memoryRun(session));
  if (!published) throw new Error(`${network.name} takes no text`);
  return published.id;
}

/** Makes a person an administrator of a new company page of LinkedIn, and returns its ID. */
async function newPage(person: string): Promise<string> {
  const id = String(randomInt(10 ** 9, 10 ** 10));
  await control("linkedin/page", { account: person, id, name: "The bell foundry" });
  return `urn:li:organization:${id}`;
}

/** Creates a playlist of a person's channel, and returns its ID. */
async function newPlaylist(person: string): Promise<string> {
  const id = `PL${person}`;
  await control("youtube/playlist", { account: person, id });
  return id;
}
