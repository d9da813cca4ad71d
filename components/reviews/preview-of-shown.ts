import type { ReviewFile, ReviewPublication } from "@/lib/reviews";
import { networkFacts } from "../networks/facts";
import { type PreviewSource, previewOf } from "../previews/data";
import type { Preview } from "../previews/types";

/**
 * Builds the preview of a stored publication. Storage keys are removed because they name the owner and anyone with
 * the link sees the preview.
 */
export function previewOfShown(shown: ReviewPublication): Preview {
  const { platform, network, author, settings, destinations, posts } = shown;
  const facts = networkFacts().find((one) => one.platform === platform);
  const files: ReviewFile[] = [];
  const pathTo = (file: ReviewFile) => String(files.push(file) - 1);
  const publication: PreviewSource = {
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

/** The settings that a preview can show. */
function plainOnes(settings: ReviewPublication["settings"]): { [name: string]: string | boolean } {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      typeof value === "string" || typeof value === "boolean" ? [[name, value]] : [],
    ),
  );
}
