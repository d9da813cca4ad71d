import { PlatformError } from "../errors";
import type { OutgoingPost, Published, Run } from "../network";
import { type Content, createPost, type Uploaded } from "./api";
import { cardOf } from "./card";
import { findPost } from "./find";
import { little } from "./little";
import type { LinkedInSettings } from "./settings";
import { uploadImage } from "./uploads";
import { isSpoiled, preparedVideo } from "./video";

type Post = OutgoingPost<LinkedInSettings>;

/** A file that LinkedIn failed to process is uploaded once more. */
const UPLOADS = 2;

/** Publishes a text, with a card for its first link. */
export async function publishText(post: Post, run: Run): Promise<Published> {
  return publish(post, run, (upload) => cardOf(post.content, run, upload));
}

/** Publishes one image, or several as one post. */
export async function publishImages(post: Post, run: Run): Promise<Published> {
  return publish(post, run, async (upload) => {
    // Recorded, because after a lost answer exactly the same post must be sent again.
    const altTexts = await run.step("alt texts", async () => post.media.map(({ altText }) => altText ?? null));
    const images: Uploaded[] = [];
    for (const [index, media] of post.media.entries()) {
      const id = await run.step(`image ${index + 1}, upload ${upload}`, () => uploadImage(run, media));
      images.push({ id, altText: altTexts[index] ?? undefined });
    }
    const [only, ...others] = images;
    return only && others.length === 0 ? { media: only } : { multiImage: { images } };
  });
}

export async function publishVideo(post: Post, run: Run): Promise<Published> {
  const [video] = post.media;
  if (!video) throw new PlatformError("rejected", "This LinkedIn post needs a video");
  return publish(post, run, async (upload) => ({
    media: { id: await preparedVideo(video, post.thumbnail, run, upload) },
  }));
}

type ContentOf = (upload: number) => Promise<Content | undefined>;

async function publish(post: Post, run: Run, contentOf: ContentOf): Promise<Published> {
  const { visibility } = post.settings;
  if (visibility === "GROUP") throw new PlatformError("rejected", "LinkedIn's API no longer posts to groups");
  for (let upload = 1; ; upload++) {
    const spoiled = `upload ${upload} spoiled`;
    if (run.isDone(spoiled)) continue; // a post that was refused with this upload is never sent again
    const sent = { commentary: little(post.content), visibility, content: await contentOf(upload) };
    const recovery = { find: (since: Date) => findPost(run, sent, since) };
    try {
      const id = await run.commit(`post, upload ${upload}`, () => createPost(run, sent), recovery);
      return id ? { id, permalink: `https://www.linkedin.com/feed/update/${id}/` } : { id };
    } catch (error) {
      if (!isSpoiled(error) || upload === UPLOADS) throw error;
      await run.step(spoiled, async () => true);
    }
  }
}
