import type { Problem } from "../../errors";
import { isWebUrl, outsideUrlProblem } from "../../http/outside-url";
import { isVideo } from "../../media";
import {
  type Breach,
  type FormatName,
  formatsOf,
  isOffered,
  type Limits,
  type Network,
  networkOf,
  type PlannedMedia,
} from "../../networks";
import type { NewSchedule } from "../input";
import { asFilms, asSent, filmNotices, type Taken } from "./conversion";
import { chooseDestination, partProblems } from "./destinations";
import type { Attached, Facts, KnownAccount, KnownMedia } from "./facts";
import { limitBreaches } from "./limits";
import { checkSettings, commonBreaches } from "./settings";

type NewPublication = NewSchedule["publications"][number];
type NewPost = NewPublication["posts"][number];

/** A publication ready to be stored: settings with their defaults, the destination chosen. */
export type Publishable = {
  account: KnownAccount;
  settings: { type: string; [name: string]: unknown };
  posts: { content: string; attachmentPaths: string[]; chatId?: string; thumbnailPath?: string }[];
};

/**
 * Every problem of every publication at once, and what is to be stored when there are none. Drafts are checked for their
 * references only.
 */
export function check(input: NewSchedule, facts: Facts): { problems: Problem[]; publishable: Publishable[] } {
  const problems: Problem[] = [];
  const publishable = input.publications.flatMap((publication, index) => {
    const found = checkPublication(publication, `publications[${index}]`, input.isDraft, facts, problems);
    return found ? [found] : [];
  });
  return { problems, publishable };
}

export function checkPublication(
  publication: NewPublication,
  path: string,
  isDraft: boolean,
  facts: Facts,
  problems: Problem[],
) {
  const account = facts.accounts.get(publication.socialMediaAccountId);
  const accountPath = `${path}.socialMediaAccountId`;
  if (!account) {
    const message = `is not one of this user's accounts: ${publication.socialMediaAccountId}`;
    problems.push({ path: accountPath, message, rule: "account.unknown", fix: "Use an id of GET /v1/accounts" });
  }
  if (account?.isHeld && !isDraft) {
    const message = `waits to be confirmed: ${account.id}`;
    problems.push({
      path: accountPath,
      message,
      rule: "account.held",
      fix: `Send POST /v1/accounts/${account.id}/confirm`,
    });
  }
  const network = account && networkOf(account.platform);
  if (network && !isOffered(network.platform)) {
    const message = `${network.name} is not set up here`;
    problems.push({ path: accountPath, message, rule: "account.unavailable" });
  }
  const settings =
    network && checkSettings(network, publication.platformSettings, `${path}.platformSettings`, problems);
  const most = network?.posts?.max ?? 1;
  if (network && publication.posts.length > most && !isDraft) {
    const message = `${network.name} takes ${most === 1 ? "one post" : `at most ${most} posts`} a publication`;
    const measured = publication.posts.length;
    problems.push({ path: `${path}.posts`, message, rule: "posts.count", measured, limit: { max: most } });
  }
  const posts = publication.posts.map((post, index) => {
    const at = `${path}.posts[${index}]`;
    const media = checkAttachments(post, at, facts, problems);
    if (network && settings && !isDraft) {
      const cover = post.thumbnailPath ? facts.media.get(post.thumbnailPath) : undefined;
      const breaches = commonBreaches(settings, (meant) => formatBreaches(network, meant, post, media, cover));
      for (const { at: place, ...problem } of breaches) {
        problems.push({ path: `${place.startsWith("platformSettings") ? path : at}.${place}`, ...problem });
      }
    }
    const chatId = network ? chooseDestination(network, account, post, at, isDraft, facts, problems) : undefined;
    return {
      content: post.content,
      attachmentPaths: post.attachmentPaths,
      chatId,
      thumbnailPath: post.thumbnailPath ?? undefined,
    };
  });
  if (account && network && settings && !isDraft) {
    const [meant = {}] = settings.possible;
    problems.push(...partProblems(network, account, meant, posts, `${path}.platformSettings`, facts));
  }
  return account && settings?.sound ? { account, settings: settings.sound, posts } : undefined;
}

/** A post's media, with holes where they are still to be imported, and where they are wrong, which is said. */
function checkAttachments(post: NewPost, path: string, facts: Facts, problems: Problem[]): Attached[] {
  const media = post.attachmentPaths.map((key, index) => {
    const at = `${path}.attachmentPaths[${index}]`;
    const found = facts.media.get(key);
    if (!found) problems.push(...(isWebUrl(key) ? urlProblems(key, at) : [absent(key, at, facts)]));
    return found;
  });
  if (post.thumbnailPath && !facts.media.has(post.thumbnailPath)) {
    problems.push(absent(post.thumbnailPath, `${path}.thumbnailPath`, facts));
  }
  return media;
}

function urlProblems(url: string, path: string): Problem[] {
  const problem = outsideUrlProblem(url);
  const fix = "Give a public http or https URL, or upload the file and use its path";
  return problem ? [{ path, message: `${problem}: ${url}`, rule: "media.url", fix }] : [];
}

function absent(key: string, path: string, { unusable }: Facts): Problem {
  const reason = unusable.get(key);
  if (reason) return { path, message: `cannot be used: ${reason}`, rule: "media.unusable", fix: "Upload another file" };
  const fix = "Upload the file with POST /v1/media/upload and use the path that it answers";
  return { path, message: `is not a storage key of this user's media: ${key}`, rule: "media.unknown", fix };
}

/** Text alone, one picture, one video, or several of them. */
export function formatNameOf(media: Pick<KnownMedia, "contentType">[]): FormatName {
  const [first] = media;
  if (!first) return "text";
  if (media.length > 1) return "carousel";
  return isVideo(first) ? "video" : "image";
}

const FORMAT_WORDS = {
  text: "posts without media",
  image: "an image",
  video: "a video",
  carousel: "several attachments",
};

type CheckedPost = { content: string; attachmentPaths: string[]; thumbnailPath?: string | null };

/**
 * What of a post its network does not take. Of media that are still being imported only that is said which is wrong
 * whatever they turn out to be; the rest when they have arrived.
 */
export function formatBreaches(
  network: Network,
  settings: unknown,
  post: CheckedPost,
  media: Attached[],
  cover?: KnownMedia,
): Breach[] {
  const taken = formatsOf(network, settings);
  const sent = asFilms(taken, media);
  const [breaches = [], ...others] = possibleFormats(sent).map((name) =>
    breachesAs(name, network, settings, post, sent, cover),
  );
  if (others.some((other) => other.length === 0)) return [];
  return [...breaches, ...filmNotices(network.name, taken, media, sent)];
}

function possibleFormats(media: Attached[]): FormatName[] {
  const known = media.filter((item) => item !== undefined);
  return media.length === 1 && known.length === 0
    ? ["image", "video"]
    : [media.length > 1 ? "carousel" : formatNameOf(known)];
}

function breachesAs(
  name: FormatName,
  network: Network,
  settings: unknown,
  post: CheckedPost,
  media: Attached[],
  cover: KnownMedia | undefined,
): Breach[] {
  const { content } = post;
  const formats = formatsOf(network, settings);
  const format = formats[name];
  if (!format) {
    const message = `${network.name} does not take ${FORMAT_WORDS[name]} here`;
    const [source] = Object.values(formats).flatMap(({ limits }) => limits.source ?? []);
    const alone = post.attachmentPaths.find((_, index) => isTakenAlone(formats, media[index]));
    return [
      {
        at: "attachmentPaths",
        message,
        rule: "format.unsupported",
        limit: Object.keys(formats),
        source,
        ...(alone ? { fix: "Keep one attachment", change: { op: "replace", value: [alone] } } : {}),
      },
    ];
  }
  const breaches = [
    ...limitBreaches(network.name, format.limits, { content, settings, media, cover }),
    ...(cover ? coverBreaches(network.name, format.limits, post) : []),
  ];
  const { count } = format.limits;
  const surplus = breaches.find(({ rule }) => rule === "media.count" && count && media.length > count.max);
  if (surplus) surplus.change = { op: "replace", value: post.attachmentPaths.slice(0, count?.max) };
  const known = media.filter((item) => item !== undefined);
  if (known.length < media.length || !format.check) return breaches;
  const { source } = format.limits;
  const rules = format.check({
    content,
    settings,
    media: known.map((item) => planned(asSent(format.limits.image, item))),
    thumbnail: cover && planned(asSent(format.limits.cover, cover)),
  });
  return [...breaches, ...rules.map((breach) => (source ? { source, ...breach } : breach))];
}

/** Whether a post of this one file would be of a kind that is taken. */
function isTakenAlone(formats: Taken, item: Attached): boolean {
  const [sent] = asFilms(formats, [item]);
  return sent !== undefined && formats[formatNameOf([sent])] !== undefined;
}

/** A cover that has to be one of the attachments, and is none of them. */
function coverBreaches(network: string, { coverIsAttached, source }: Limits, post: CheckedPost): Breach[] {
  const { thumbnailPath, attachmentPaths } = post;
  if (!coverIsAttached || !thumbnailPath || attachmentPaths.includes(thumbnailPath)) return [];
  const message = `${network} takes one of the attachments as the cover, and this file is none of them`;
  const breach = { at: "thumbnailPath", message, rule: "cover.attached", measured: thumbnailPath };
  const fix = "Name one of attachmentPaths, or leave it out for the first";
  return [{ ...breach, limit: attachmentPaths, fix, change: { op: "remove" }, ...(source ? { source } : {}) }];
}

function planned(item: KnownMedia): PlannedMedia {
  const { contentType, sizeBytes, width, height, durationSeconds, details } = item;
  return {
    kind: isVideo(item) ? "video" : "image",
    contentType,
    sizeBytes,
    width: width ?? undefined,
    height: height ?? undefined,
    durationSeconds: durationSeconds ?? undefined,
    frames: details.frames,
  };
}
