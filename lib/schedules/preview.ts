import { inArray } from "drizzle-orm";
import { type Account, storedTokens } from "../accounts";
import { accounts, db } from "../db";
import type { Media } from "../media";
import {
  type DryRunRequest,
  dryRun,
  fileKindOf,
  type Network,
  networkFormats,
  networkOf,
  type OutgoingMedia,
  type OutgoingPost,
  PlatformError,
  type Published,
} from "../networks";
import { assertAltTexts } from "./check/limits";
import { formatNameOf } from "./check/publication";
import { type Attachments, loadAttachments, outgoingPost, previewAttachments, withVideos } from "./publish/publish";
import { getSchedule, type Post, type Publication } from "./read";

/** The requests that publishing a post would send, or the reason why it could not be published. */
export type PostPreview = { id: number; requests: DryRunRequest[]; problem?: string };
export type SchedulePreview = {
  id: number;
  publications: { id: number; accountId: number; posts: PostPreview[] }[];
};

/** The id and address of the previous post in a thread are known only once it is published. */
const PREVIOUS_POST: Published = { id: "{id of the previous post}", permalink: "{address of the previous post}" };
const LAST_POST: Published = { id: "{id of the post}", permalink: "{address of the post}" };

/**
 * Returns the requests that would be sent to each network, in order and without secrets. Nothing is sent or stored.
 * @throws NotFound
 */
export async function previewSchedule(ownerId: string, id: number): Promise<SchedulePreview> {
  const schedule = await getSchedule(ownerId, id);
  const ids = schedule.publications.map(({ accountId }) => accountId);
  const owned = ids.length === 0 ? [] : await db.select().from(accounts).where(inArray(accounts.id, ids));
  const publications = [];
  for (const publication of schedule.publications) {
    const account = owned.find((one) => one.id === publication.accountId);
    const posts: PostPreview[] = [];
    for (const [index, post] of publication.posts.entries()) {
      const after = index === 0 ? undefined : PREVIOUS_POST;
      posts.push(
        account ? await previewPost(ownerId, account, publication, post, after) : { id: post.id, requests: [] },
      );
    }
    const last = posts.at(-1);
    if (account && last) last.requests.push(...(await previewComment(account, publication, publication.posts.at(-1))));
    publications.push({ id: publication.id, accountId: publication.accountId, posts });
  }
  return { id, publications };
}

async function previewPost(
  ownerId: string,
  account: Account,
  { settings: { type: _, ...settings } }: Publication,
  post: Post,
  after: Published | undefined,
): Promise<PostPreview> {
  const { id } = post;
  const { network, tokens, run, requests } = dryRunOf(account);
  try {
    const attached = await loadAttachments(ownerId, post);
    const taken = networkFormats(network, settings);
    const planned = withVideos(taken, attached);
    const format = taken[formatNameOf(planned.media)];
    if (!format) return { id, requests, problem: `${network.name} does not take this kind of post` };
    assertAltTexts(network.name, format.limits, { settings, ...planned });
    const limits = (tokens && network.limitsForAccount?.(tokens, format.limits)) ?? format.limits;
    const fit = previewAttachments(taken, limits, attached);
    await format.publish(withPlaceholders(outgoingPost(post, settings, fit, after), fit), run);
    return { id, requests };
  } catch (error) {
    if (error instanceof PlatformError) return { id, requests, problem: error.message };
    assertIncomplete(network, settings, error);
    return { id, requests, problem: `The settings for ${network.name} are not complete` };
  }
}

/**
 * The requests of the first comment follow those of the last post. A draft whose settings are not complete may have none: the preview
 * of its post names this problem.
 */
async function previewComment(
  account: Account,
  { settings: { type: _, ...settings } }: Publication,
  post?: Post,
): Promise<DryRunRequest[]> {
  const { firstComment: text } = settings;
  if (typeof text !== "string" || text === "") return [];
  const { network, run, requests } = dryRunOf(account);
  if (!network.comment) return [];
  try {
    await network.comment.publish({ text, settings, on: LAST_POST, chatId: post?.chatId ?? undefined }, run);
  } catch (error) {
    assertIncomplete(network, settings, error);
    return [];
  }
  return requests.map((request) => ({ ...request, step: `first comment: ${request.step}` }));
}

/** Creates a dry run with the account's stored tokens, on which some requests depend. */
function dryRunOf(account: Account) {
  const { platform, networkAccountId: accountId, username } = account;
  const [network, tokens] = [networkOf(platform), storedTokens(account)];
  return { network, tokens, ...dryRun(network, { accountId, username }, tokens) };
}

/** @throws the error, unless the network does not accept the settings. Only a draft is stored with such settings */
function assertIncomplete(network: Network, settings: object, error: unknown): void {
  if (network.settings.safeParse(settings).success) throw error;
}

/** Replaces files by their names, because the answer must contain neither their bytes nor an address to fetch them. */
function withPlaceholders(post: OutgoingPost<unknown>, { media, cover }: Attachments): OutgoingPost<unknown> {
  const shown = (item: OutgoingMedia, file: Media | undefined): OutgoingMedia => {
    const name = file ? `${file.filename}, ${fileKindOf(file.contentType)}, ${file.sizeBytes} bytes` : "file";
    return {
      ...item,
      open: async () => new Response(`{${name}}`).body ?? new ReadableStream<Uint8Array>(),
      publicUrl: async () => `{address of ${name}}`,
    };
  };
  const thumbnail = post.thumbnail && shown(post.thumbnail, cover);
  return { ...post, media: post.media.map((item, index) => shown(item, media[index])), thumbnail };
}

/** Presents the requests that publishing would send. */
export function presentPreview(preview: SchedulePreview) {
  return {
    id: preview.id,
    publications: preview.publications.map(({ id, accountId, posts }) => ({
      id,
      socialMediaAccountId: accountId,
      posts: posts.map(({ requests, ...post }) => ({
        ...post,
        requests: requests.map(({ isFinal, ...request }) => ({ ...request, makesPublic: isFinal })),
      })),
    })),
  };
}
