import type { KeptMedia } from "../core/posts";
import type { PageSession } from "./session";
import type { FacebookState, PagePost } from "./state";

type New = {
  kind: PagePost["kind"];
  message: string;
  files: KeptMedia[];
  /** What each file shows, in their order. */
  altTexts?: (string | undefined)[];
  link?: string;
  mediaId?: string;
};

/** A post as the Page holds it from now on; its id is the Page's and its own. */
export function keepPost(
  state: FacebookState,
  { page, account }: Pick<PageSession, "page" | "account">,
  made: New,
): PagePost {
  const own = state.world.ids.stamp("12");
  const id = `${page.id}_${own}`;
  const createdAt = state.world.clock.now();
  const { kind, message, link, mediaId, files, altTexts = [] } = made;
  const permalink = permalinkOf(kind, page.id, own, mediaId);
  state.world.posts.add({
    id,
    network: "facebook",
    account,
    text: message,
    media: files,
    chatId: page.id,
    settings: { kind, ...(link ? { link } : {}), ...(altTexts.some(Boolean) ? { altTexts } : {}) },
    permalink,
    receivedTime: new Date(createdAt).toISOString(),
  });
  return state.keepPost({ id, page: page.id, account, kind, message, link, mediaId, permalink, createdAt });
}

function permalinkOf(kind: PagePost["kind"], page: string, own: string, mediaId = ""): string {
  if (kind === "reel") return `https://www.facebook.com/reel/${mediaId}/`;
  if (kind === "video") return `https://www.facebook.com/${page}/videos/${mediaId}/`;
  if (kind === "story") return `https://www.facebook.com/stories/${page}/${own}/`;
  return `https://www.facebook.com/${page}/posts/${own}`;
}
