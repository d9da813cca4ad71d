import { inArray } from "drizzle-orm";
import { accounts, db } from "../db";
import { isVideo, type Media } from "../media";
import {
  formatOf,
  networkOf,
  type OutgoingPost,
  PlatformError,
  type Published,
  rehearse,
  type ShownRequest,
} from "../networks";
import { formatNameOf } from "./check";
import { attachedMedia, outgoing, wouldBeFit } from "./outgoing";
import { getSchedule, type Post, type Publication } from "./read";

type Account = typeof accounts.$inferSelect;
/** What publishing a post would send, or why it could not be published. */
export type PostPreview = { id: number; requests: ShownRequest[]; problem?: string };
export type SchedulePreview = {
  id: number;
  publications: { id: number; accountId: number; posts: PostPreview[] }[];
};

/** What the post before it in a thread will be called only when it is out. */
const BEFORE: Published = { id: "{id of the post before}" };

/**
 * The requests that each network would be sent, in their order, secrets removed. Nothing is sent and nothing is stored.
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
      const after = index === 0 ? undefined : BEFORE;
      posts.push(
        account ? await previewPost(ownerId, account, publication, post, after) : { id: post.id, requests: [] },
      );
    }
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
  const network = networkOf(account.platform);
  if (!network) return { id, requests: [], problem: `Publishing to ${account.platform} is not available` };
  const { run, requests } = rehearse(network, { accountId: account.networkAccountId, username: account.username });
  try {
    const attached = await attachedMedia(ownerId, post);
    const format = formatOf(network, settings, formatNameOf(attached));
    if (!format) return { id, requests, problem: `${network.name} does not take this kind of post` };
    const media = wouldBeFit(format.limits, attached);
    await format.publish(unread(outgoing(post, settings, media, after), media), run);
    return { id, requests };
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
    return { id, requests, problem: error.message };
  }
}

/** Files stand as their names: neither their bytes nor an address from which they can be fetched belongs in an answer. */
function unread(post: OutgoingPost<unknown>, media: Media[]): OutgoingPost<unknown> {
  const shown = post.media.map((item, index) => {
    const file = media[index];
    const name = file ? `${file.filename}, ${isVideo(file) ? "video" : "image"}, ${file.sizeBytes} bytes` : "file";
    return {
      ...item,
      open: async () => new Response(`{${name}}`).body ?? new ReadableStream<Uint8Array>(),
      publicUrl: async () => `{address of ${name}}`,
    };
  });
  return { ...post, media: shown };
}
