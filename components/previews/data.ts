import { animationVideo } from "@/lib/networks/animation";
import type { FormatName } from "@/lib/networks/network";
import { readMarkup } from "@/lib/networks/text/markup";
import { handleOf } from "../accounts/names";
import type { ApiAccount, Chat } from "../api/types";
import { formatOf, formatsFor, tagsIn } from "../networks/formats";
import type { NetworkFacts, NetworkFormatLimits, SettingValue, TaggedPerson } from "../networks/types";
import type { PlacedName, Preview, PreviewMedia, PreviewPost, Shape } from "./types";
import { previewWords } from "./words";

/** The common part of a publication in requests and responses. */
export type PreviewSource = {
  platformSettings: { type: string; [setting: string]: SettingValue | undefined };
  posts: {
    content?: string;
    attachmentPaths?: string[];
    chatId?: string;
    /** The cover's name in requests; responses call it `thumbnail`. */
    thumbnailPath?: string;
    thumbnail?: string;
  }[];
};

type Known = {
  account: Pick<ApiAccount, "accountUsername" | "accountDisplayName" | "accountAvatarUrl">;
  network: Pick<NetworkFacts, "name" | "platform" | "formats" | "variants" | "settings">;
  chats?: Chat[];
  /** Returns what is known about a file by its path. */
  media: (path: string) => PreviewMedia;
  /** When it goes out or went out, in words. */
  time?: string;
};

const SHAPES: { [publicationType: string]: Shape } = { REELS: "reel", STORY: "story" };

/** Computes what a network will show of a publication. A pure function of the request and the account. */
export function previewOf(publication: PreviewSource, { account, network, chats, media, time }: Known): Preview {
  const { platform } = network;
  const settings = publication.platformSettings;
  const formats = formatsFor(network, settings);
  const filesOf = ({ attachmentPaths = [] }: PreviewSource["posts"][number]) =>
    withFilms(attachmentPaths.map(media), formats);
  const shape = shapeOf(settings, platform, publication.posts.flatMap(filesOf));
  const posts = publication.posts.map((post): PreviewPost => {
    const { content = "", thumbnailPath: cover = post.thumbnail } = post;
    const files = filesOf(post).map((file) => (cover ? covered(file, media(cover)) : file));
    const { text, entities } = settings.parseMode ? readMarkup(content) : { text: content };
    return {
      text: textOf(text, { settings, shape, platform, files }),
      entities,
      media: files.map((file, index) => ({
        ...named(file, settings, formats[formatOf(files)]),
        tags: shape === "post" && file.kind === "image" ? tagsOn(index, settings) : undefined,
      })),
      place: chats && (chats.find(({ id }) => id === post.chatId)?.title ?? post.chatId),
    };
  });
  return {
    platform,
    network: network.name,
    shape,
    author: {
      name: account.accountDisplayName || account.accountUsername,
      handle: handleOf(account),
      avatarUrl: account.accountAvatarUrl,
    },
    place: posts[0]?.place,
    title: titleOf(settings, platform, posts),
    link: textIn(settings.link) ?? textIn(settings.linkAttachment),
    colour: textIn(settings.dominantColor),
    button: network.settings.find(({ name }) => name === "callToAction")?.choiceNames?.[String(settings.callToAction)],
    topic: textIn(settings.topicTag)?.replace(/^#/, ""),
    collaborators: namesIn(settings.collaborators),
    tagged: namesIn(settings.userTags),
    hasLocation: textIn(settings.locationId ?? settings.placeId) !== undefined,
    audience:
      settings.sendToDrafts === true
        ? previewWords.draft
        : previewWords.audiences[String(settings.visibility ?? settings.privacyStatus ?? settings.privacyLevel ?? "")],
    isMadeWithAi: settings.aiContent === true || settings.containsSyntheticMedia === true,
    replies: wordsOf(settings.whoCanReply, previewWords.repliers)?.join(", "),
    quote: textIn(settings.quote),
    poll: listIn(settings.pollOptions),
    warnings: wordsOf(settings.labels, previewWords.warnings),
    posts: shape === "story" ? posts.flatMap(eachAlone) : posts,
    time,
    comment: shape === "story" ? undefined : textIn(settings.firstComment),
    remarks: network.settings.flatMap(({ name, remarks = {} }) => {
      const value = [settings[name] ?? ""].flat().join(", ");
      const words = value && (remarks[value] ?? remarks.any);
      return words ? words.replace("{value}", value) : [];
    }),
  };
}

type Settings = PreviewSource["platformSettings"];

const textIn = (value: Settings[string]) => (typeof value === "string" && value.trim() !== "" ? value : undefined);

/** User names without `@`, from texts and from tags. */
function namesIn(value: Settings[string]): string[] {
  return tagsIn(value).map(nameOf);
}

const nameOf = ({ username }: TaggedPerson) => username.replace(/^@/, "");

/** The people who are tagged in a picture. Those without a place are spread across its middle, as lib/networks/instagram sends them. */
function tagsOn(index: number, { userTags }: Settings): PlacedName[] {
  return tagsIn(userTags)
    .filter(({ attachment = 0 }) => attachment === index)
    .map((tag, at, { length }) => ({ name: nameOf(tag), x: tag.x ?? (at + 1) / (length + 1), y: tag.y ?? 0.5 }));
}

function listIn(value: Settings[string]): string[] | undefined {
  const texts = Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
  return texts.length > 0 ? texts : undefined;
}

/** Returns the values of a choice or a list in words; undefined if there are no words for any of them. */
function wordsOf(value: Settings[string], words: { [value: string]: string }): string[] | undefined {
  const chosen = (listIn(value) ?? [String(value)]).flatMap((one) => words[one] ?? []);
  return chosen.length > 0 ? chosen : undefined;
}

/** Replaces animations by videos where they are converted. */
function withFilms(files: PreviewMedia[], formats: NetworkFormatLimits): PreviewMedia[] {
  const becomesFilm = ({ animation }: PreviewMedia) =>
    animation && animationVideo((format) => formats[format], files.length, animation) !== undefined;
  return files.map((file) => (becomesFilm(file) ? { ...file, kind: "video" } : file));
}

/** A single video in Instagram's feed becomes a reel. */
function shapeOf(settings: Settings, platform: Preview["platform"], [only, ...more]: PreviewMedia[]): Shape {
  const chosen = SHAPES[String(settings.publicationType)];
  if (chosen) return chosen;
  const isLoneVideo = only?.kind === "video" && more.length === 0;
  return platform === "INSTAGRAM" && isLoneVideo ? "reel" : "post";
}

type TextFacts = { settings: Settings; shape: Shape; platform: Preview["platform"]; files: PreviewMedia[] };

/** Stories and the drafts of TikTok videos have no text; a TikTok video's caption starts with its title. */
function textOf(content: string, { settings, shape, platform, files }: TextFacts): string {
  if (shape === "story") return "";
  const isTikTokVideo = platform === "TIKTOK" && files.some(({ kind }) => kind === "video");
  if (isTikTokVideo && settings.sendToDrafts === true) return "";
  return isTikTokVideo ? [textIn(settings.title), content].filter(Boolean).join("\n") : content;
}

function titleOf(settings: Settings, platform: Preview["platform"], posts: PreviewPost[]): string | undefined {
  const isInCaption = platform === "TIKTOK" && posts.some(({ media }) => media.some(({ kind }) => kind === "video"));
  return isInCaption ? undefined : textIn(settings.title);
}

/** Adds the cover to a video; only networks that accept one get it. */
function covered(file: PreviewMedia, { src }: PreviewMedia): PreviewMedia {
  return file.kind === "video" && src ? { ...file, src } : file;
}

/** Names a picture or video by its alt text: a Pin's own, otherwise the file's, if the network takes one. */
function named(file: PreviewMedia, settings: Settings, limits: NetworkFormatLimits[FormatName]): PreviewMedia {
  if (file.kind === "document") return { ...file, name: textIn(settings.documentTitle) ?? file.name };
  const altText = textIn(settings.altText) ?? (limits?.[file.kind]?.altText && textIn(file.altText));
  return altText ? { ...file, name: altText } : file;
}

/** One story per file. */
function eachAlone({ text, media }: PreviewPost): PreviewPost[] {
  return media.length > 1 ? media.map((file) => ({ text, media: [file] })) : [{ text, media }];
}
