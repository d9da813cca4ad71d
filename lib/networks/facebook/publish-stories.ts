import { z } from "zod";
import { PlatformError } from "../errors";
import type { OutgoingMedia, Published, Run } from "../network";
import { idSchema, readAnswer } from "../wire/json";
import { type GraphCaller, postForm } from "./api";
import { findStory } from "./find";
import { type FacebookPost, pageOfPost, uploadUnpublishedPhoto } from "./publish";
import { awaitUpload, refusedAgain, uploadWhole } from "./upload";

const storySchema = z.object({ post_id: idSchema });

/** A story holds one image or video, so several media become several stories; the first one represents the post. */
export async function publishStories(sent: FacebookPost, run: Run): Promise<Published> {
  const at = { run, ...(await pageOfPost(sent, run)) };
  const stories: Published[] = [];
  for (const [index, media] of sent.media.entries()) {
    const publish = media.kind === "video" ? videoStory : photoStory;
    stories.push(await publish({ ...at, name: `story ${index + 1}` }, media));
  }
  const [first] = stories;
  if (!first) throw new PlatformError("rejected", "A Facebook story needs an image or a video");
  return first;
}

/** A story to publish. `name` begins the names of its steps. */
type Story = { run: Run; page: GraphCaller; pageId: string; name: string };

async function photoStory(story: Story, media: OutgoingMedia): Promise<Published> {
  const { run, page, pageId, name } = story;
  const photoId = await uploadUnpublishedPhoto(run, page, pageId, `${name}, photo`, media);
  return publishStory(story, photoId, `/${pageId}/photo_stories`, { photo_id: photoId });
}

async function videoStory(story: Story, media: OutgoingMedia): Promise<Published> {
  const { run, page, pageId, name } = story;
  const edge = `/${pageId}/video_stories`;
  const videoId = await uploadWhole(run, page, name, edge, media);
  await awaitUpload(run, page, name, videoId);
  return publishStory(story, videoId, edge, { upload_phase: "finish", video_id: videoId });
}

/** A photo or video can become only one story, so the call can be repeated safely. */
async function publishStory(
  { run, page, pageId, name }: Story,
  mediaId: string,
  edge: string,
  fields: { [name: string]: string },
): Promise<Published> {
  const work = async (isRepeated: boolean) => {
    const answer = await postForm(page, edge, fields, { timeoutSeconds: 120 }).catch((error: unknown) => {
      throw isRepeated ? refusedAgain(error) : error;
    });
    return { id: (await readAnswer("Facebook", storySchema, answer)).post_id };
  };
  const find = () => findStory(page, pageId, mediaId);
  const made = await run.commit<Published>(`${name}, publish`, work, { find, repeatable: true });
  if (made.permalink) return made;
  const permalink = await run.step(`${name}, permalink`, async () => {
    try {
      return (await find())?.permalink ?? null;
    } catch {
      return null;
    }
  });
  return permalink ? { ...made, permalink } : made;
}
