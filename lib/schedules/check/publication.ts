import type { Problem } from "../../errors";
import { isWebUrl, outsideUrlProblem } from "../../http/outside-url";
import {
  type FieldProblem,
  type FormatName,
  fileKindOf,
  isOffered,
  type Limits,
  type Network,
  networkFormats,
  networkOf,
  type PlannedMedia,
} from "../../networks";
import { limitsFor } from "../../networks/text/count";
import { giveWay } from "../../time/give-way";
import type { NewSchedule } from "../input";
import { asSent, asVideos, type LimitsByFormat, videoWarnings } from "./conversion";
import { chooseDestination, type KnownAccount, partProblems } from "./destinations";
import type { AttachedMedia, Facts, KnownMedia } from "./facts";
import { commentProblems, limitProblems } from "./limits";
import { checkSettings, commonProblems, permissionProblems } from "./settings";

type NewPublication = NewSchedule["publications"][number];
type NewPost = NewPublication["posts"][number];

/** A publication that is ready to be stored, with default settings and its destination filled in. */
export type CheckedPublication = {
  account: KnownAccount;
  settings: { type: string; [name: string]: unknown };
  posts: { content: string; attachmentPaths: string[]; chatId?: string; thumbnailPath?: string }[];
};

/**
 * Returns every problem of all publications, and the publications to store if there are no errors. For drafts only accounts,
 * files, destinations and the names and types of settings are checked.
 */
export async function checkPublications(
  input: NewSchedule,
  facts: Facts,
): Promise<{ problems: Problem[]; publishable: CheckedPublication[] }> {
  const problems: Problem[] = [];
  const publishable: CheckedPublication[] = [];
  for (const [index, publication] of input.publications.entries()) {
    const found = await checkPublication(publication, `publications[${index}]`, input.isDraft, facts, problems);
    if (found) publishable.push(found);
  }
  return { problems, publishable };
}

/** Adds the problems of one publication to `problems`. Returns it with its defaults; undefined if it cannot be stored. */
export async function checkPublication(
  publication: NewPublication,
  path: string,
  isDraft: boolean,
  facts: Facts,
  problems: Problem[],
): Promise<CheckedPublication | undefined> {
  const account = facts.accounts.get(publication.socialMediaAccountId);
  problems.push(...accountProblems(publication, account, path, isDraft));
  const network = account && networkOf(account.platform);
  const settingsPath = `${path}.platformSettings`;
  const settings = network && checkSettings(network, publication.platformSettings, settingsPath, problems, isDraft);
  if (network && !isDraft) problems.push(...postCountProblems(network, publication, path));
  const posts: CheckedPublication["posts"] = [];
  for (const [index, post] of publication.posts.entries()) {
    await giveWay(); // counting a long text takes milliseconds
    const at = `${path}.posts[${index}]`;
    const media = checkAttachments(post, at, facts, problems);
    if (network && settings && !isDraft) {
      const cover = post.thumbnailPath ? facts.media.get(post.thumbnailPath) : undefined;
      const planned = { ...post, isReply: index > 0 && network.posts?.chain === "reply" };
      const found = commonProblems(settings, (meant) =>
        formatProblems(network, meant, planned, media, cover, account?.textMax),
      );
      for (const { at: place, ...problem } of found) {
        problems.push({ path: `${place.startsWith("platformSettings") ? path : at}.${place}`, ...problem });
      }
    }
    const chosen = network && chooseDestination(network, facts.destinations.get(account.id), post, isDraft);
    if (chosen?.problem) problems.push({ path: `${at}.chatId`, ...chosen.problem });
    posts.push({
      content: post.content,
      attachmentPaths: post.attachmentPaths,
      chatId: chosen?.chatId,
      thumbnailPath: post.thumbnailPath ?? undefined,
    });
  }
  if (account && network && settings && !isDraft) {
    const [meant = {}] = settings.possible;
    problems.push(...partProblems(network, account, meant, posts, settingsPath, facts));
    problems.push(...commentProblems(network, meant, settingsPath, account));
    // The network's rules have already refused a setting that the operator has not set up.
    const known = new Set(problems.map((problem) => problem.path));
    const lacking = permissionProblems(network, meant, settingsPath, account);
    problems.push(...lacking.filter((problem) => !known.has(problem.path)));
  }
  return account && settings?.valid ? { account, settings: settings.valid, posts } : undefined;
}

function accountProblems(
  { socialMediaAccountId }: NewPublication,
  account: KnownAccount | undefined,
  publicationPath: string,
  isDraft: boolean,
): Problem[] {
  const path = `${publicationPath}.socialMediaAccountId`;
  if (!account) {
    const message = `is not one of this user's accounts: ${socialMediaAccountId}`;
    return [{ path, message, rule: "account.unknown", fix: "Use an id from GET /v1/accounts" }];
  }
  const problems: Problem[] = [];
  if (account.isHeld && !isDraft) {
    const message = `is waiting to be confirmed: ${account.id}`;
    const fix = `Send POST /v1/accounts/${account.id}/confirm`;
    problems.push({ path, message, rule: "account.held", fix });
  }
  const network = networkOf(account.platform);
  if (!isOffered(network.platform)) {
    problems.push({ path, message: `${network.name} is not set up on this server`, rule: "account.unavailable" });
  }
  return problems;
}

function postCountProblems(network: Network, { posts }: NewPublication, path: string): Problem[] {
  const max = network.posts?.max ?? 1;
  const measured = posts.length;
  if (measured <= max) return [];
  const message = `${network.name} takes ${max === 1 ? "one post" : `at most ${max} posts`} a publication`;
  return [{ path: `${path}.posts`, message, rule: "posts.count", measured, limit: { max } }];
}

/** Returns a post's files and adds problems for those that are missing. Files that are still to be imported are undefined. */
function checkAttachments(post: NewPost, path: string, facts: Facts, problems: Problem[]): AttachedMedia[] {
  const media = post.attachmentPaths.map((key, index) => {
    const at = `${path}.attachmentPaths[${index}]`;
    const found = facts.media.get(key);
    if (!found) problems.push(...(isWebUrl(key) ? urlProblems(key, at) : [missingFileProblem(key, at, facts)]));
    return found;
  });
  if (post.thumbnailPath && !facts.media.has(post.thumbnailPath)) {
    problems.push(missingFileProblem(post.thumbnailPath, `${path}.thumbnailPath`, facts));
  }
  return media;
}

function urlProblems(url: string, path: string): Problem[] {
  const problem = outsideUrlProblem(url);
  const fix = "Give a public http or https URL, or upload the file and use its path";
  return problem ? [{ path, message: `${problem}: ${url}`, rule: "media.url", fix }] : [];
}

function missingFileProblem(key: string, path: string, { unusable }: Facts): Problem {
  const reason = unusable.get(key);
  if (reason) return { path, message: `cannot be used: ${reason}`, rule: "media.unusable", fix: "Upload another file" };
  const fix = "Upload the file with POST /v1/media/upload and use the path that it answers";
  return { path, message: `is not a storage key of this user's media: ${key}`, rule: "media.unknown", fix };
}

/** Returns the format of a post from its files. */
export function formatNameOf(media: Pick<KnownMedia, "contentType">[]): FormatName {
  const [first] = media;
  if (!first) return "text";
  if (media.length > 1) return "carousel";
  return fileKindOf(first.contentType);
}

const FORMAT_NAMES = {
  text: "posts without media",
  image: "an image",
  video: "a video",
  carousel: "several attachments",
  document: "a document",
};

type CheckedPost = { content: string; attachmentPaths: string[]; thumbnailPath?: string | null; isReply?: boolean };

/**
 * Returns the problems of a post with its network. For files that are still being imported, only problems that apply whatever
 * the files contain are returned. The rest is checked when the files have arrived.
 * @param textMax the longest text of the account, if it may post longer texts than usual
 */
export function formatProblems(
  network: Network,
  settings: unknown,
  post: CheckedPost,
  media: AttachedMedia[],
  cover?: KnownMedia,
  textMax?: number | null,
): FieldProblem[] {
  const taken = networkFormats(network, settings);
  const sent = asVideos(taken, media);
  const [found = [], ...others] = possibleFormats(sent).map((name) =>
    problemsInFormat(name, taken, { network, settings, post, media: sent, cover, textMax }),
  );
  if (others.some((other) => other.length === 0)) return [];
  return [...found, ...videoWarnings(network.name, taken, media, sent)];
}

function possibleFormats(media: AttachedMedia[]): FormatName[] {
  const known = media.filter((item) => item !== undefined);
  return media.length === 1 && known.length === 0
    ? ["image", "video", "document"]
    : [media.length > 1 ? "carousel" : formatNameOf(known)];
}

type InFormat = {
  network: Network;
  settings: unknown;
  post: CheckedPost;
  media: AttachedMedia[];
  cover?: KnownMedia;
  textMax?: number | null;
};

/** @param formats what the network takes with these settings */
function problemsInFormat(
  name: FormatName,
  formats: ReturnType<typeof networkFormats>,
  { network, settings, post, media, cover, textMax }: InFormat,
): FieldProblem[] {
  const { content } = post;
  const format = formats[name];
  if (!format) {
    const message = `${network.name} does not take ${FORMAT_NAMES[name]} here`;
    const [source] = Object.values(formats).flatMap(({ limits }) => limits.source ?? []);
    const alone = post.attachmentPaths.find((_, index) => isSupportedAlone(formats, media[index]));
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
  const found = [
    ...limitProblems(network.name, limitsFor(format.limits, settings, textMax), { content, settings, media, cover }),
    ...unsentTextProblems(network.name, format.limits, content),
    ...(cover ? coverProblems(network.name, format.limits, post) : []),
  ];
  const { count } = format.limits;
  const surplus = found.find(({ rule }) => rule === "media.count" && count && media.length > count.max);
  if (surplus) surplus.change = { op: "replace", value: post.attachmentPaths.slice(0, count?.max) };
  const known = media.filter((item) => item !== undefined);
  if (known.length < media.length || !format.check) return found;
  const { source } = format.limits;
  const rules = format.check({
    content,
    settings,
    isReply: post.isReply,
    media: known.map((item) => plannedMedia(asSent(format.limits.image, item))),
    thumbnail: cover && plannedMedia(asSent(format.limits.cover, cover)),
  });
  return [...found, ...rules.map((problem) => (source ? { source, ...problem } : problem))];
}

/** Returns whether the network accepts a post with only this file. */
function isSupportedAlone(formats: LimitsByFormat, item: AttachedMedia): boolean {
  const [sent] = asVideos(formats, [item]);
  return sent !== undefined && formats[formatNameOf([sent])] !== undefined;
}

/** Returns the warning about a text in a format that has none, such as a story. */
function unsentTextProblems(network: string, { text, source }: Limits, content: string): FieldProblem[] {
  if (text || content.trim() === "") return [];
  const message = `${network} has no text in this kind of post, so this text will not be published`;
  const fix = "Remove the text, or publish another kind of post";
  return [{ at: "content", message, rule: "text.not_sent", source, fix, severity: "warning" }];
}

/** Returns the problem of a cover that must be one of the attachments but is not. */
function coverProblems(network: string, { coverIsAttached, source }: Limits, post: CheckedPost): FieldProblem[] {
  const { thumbnailPath, attachmentPaths } = post;
  if (!coverIsAttached || !thumbnailPath || attachmentPaths.includes(thumbnailPath)) return [];
  const message = `${network} requires the cover to be one of the attachments, and this file is not`;
  const problem = { at: "thumbnailPath", message, rule: "cover.attached", measured: thumbnailPath };
  const fix = "Use one of attachmentPaths, or omit it to use the first";
  return [{ ...problem, limit: attachmentPaths, fix, change: { op: "remove" }, ...(source ? { source } : {}) }];
}

function plannedMedia(item: KnownMedia): PlannedMedia {
  const { contentType, sizeBytes, width, height, durationSeconds, details } = item;
  return {
    kind: fileKindOf(item.contentType),
    contentType,
    sizeBytes,
    width: width ?? undefined,
    height: height ?? undefined,
    durationSeconds: durationSeconds ?? undefined,
    frames: details.frames,
    pages: details.pages,
  };
}
