import type { OutgoingMedia, OutgoingPost, Published, Run } from "../network";
import { createPost, uploadImage } from "./api";
import { findPost } from "./find";
import type { XSettings } from "./settings";

/** A text, or a text with up to four images: uploads first, then the one call that makes it public. */
export async function publishPost(post: OutgoingPost<XSettings>, run: Run): Promise<Published> {
  const mediaIds: string[] = [];
  for (const [index, media] of post.media.entries()) mediaIds.push(await uploaded(run, media, `image ${index + 1}`));

  const inReplyTo = post.after?.id;
  const id = await run.commit("post", () => createPost(run, { text: post.content, mediaIds, inReplyTo }), {
    find: (since) => findPost(run, { text: post.content, hasMedia: mediaIds.length > 0, inReplyTo }, since),
  });
  return { id, permalink: `https://x.com/${run.username}/status/${id}` };
}

/** An upload that is not used within 24 hours is gone: a post that waited that long uploads once more. */
async function uploaded(run: Run, media: OutgoingMedia, name: string): Promise<string> {
  const upload = async () => {
    const { id, seconds } = await uploadImage(run, media);
    return { id, until: Date.now() + seconds * 1000 };
  };
  const first = await run.step(name, upload);
  if (first.until > Date.now() + 60_000) return first.id;
  return (await run.step(`${name} again`, upload)).id;
}
