import type { ReviewFile, ReviewPublication } from "@/lib/reviews";
import { networkFacts } from "../networks/facts";
import { type Publication, previewOf } from "../previews/data";
import type { Preview } from "../previews/types";

/**
 * What a network will show of a publication, as the composer draws it. Storage keys, which name the owner, are left out: a
 * preview may be shown to anybody who has a link.
 */
export function previewOfShown(shown: ReviewPublication): Preview {
  const { platform, network, author, settings, destinations, posts } = shown;
  const facts = networkFacts().find((one) => one.platform === platform);
  const files: ReviewFile[] = [];
  const pathTo = (file: ReviewFile) => String(files.push(file) - 1);
  const publication: Publication = {
    platformSettings: { ...plainOnes(settings), type: settings.type },
    posts: posts.map((post) => ({
      content: post.content,
      attachmentPaths: post.files.map(pathTo),
      chatId: post.chatId,
      ...(post.cover && { thumbnail: pathTo(post.cover) }),
    })),
  };
  return previewOf(publication, {
    account: {
      accountUsername: author.username,
      accountDisplayName: author.displayName,
      ...(author.avatarUrl ? { accountAvatarUrl: author.avatarUrl } : {}),
    },
    network: { formats: {}, ...facts, name: network, platform },
    chats: destinations.map((destination) => ({ ...destination, platform })),
    media: (path) => {
      const { name = "", isVideo = false, animation, altText, url, thumbnailUrl } = files[Number(path)] ?? {};
      return {
        key: path,
        kind: isVideo ? "video" : "image",
        animation,
        name,
        altText,
        src: isVideo ? thumbnailUrl : url,
      };
    },
  });
}

/** Those settings that a preview could show. */
function plainOnes(settings: ReviewPublication["settings"]): { [name: string]: string | boolean } {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "boolean" ? [[name, value]] : [],
    ),
  );
}
