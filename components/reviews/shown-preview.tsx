import type { ReactNode } from "react";
import type { ReviewFile, ReviewPublication } from "@/lib/reviews";
import { utc } from "../console/table";
import { NetworkBadge } from "../networks/badge";
import { networkFacts } from "../networks/facts";
import { stillOf } from "../networks/formats";
import type { SettingValue, TaggedPerson } from "../networks/types";
import { type PreviewSource, previewOf } from "../previews/data";
import { PublicationMockup } from "../previews/preview";
import type { Preview } from "../previews/types";
import { reviewWords } from "./words";

type Props = {
  publication: ReviewPublication;
  /** When it goes out or went out. Absent: not planned yet. */
  scheduledTime?: string;
  /** The heading level on the page. */
  level: "h2" | "h3";
  /** Additional details. */
  children?: ReactNode;
};

/** One account's publication with its preview. */
export function ShownPreview({ publication, scheduledTime, level: Heading, children }: Props) {
  const { platform, network, account } = publication;
  return (
    <section
      aria-label={reviewWords.page.publicationName(network, account)}
      className="grid gap-4 rounded-2xl border border-line bg-surface p-5"
    >
      <Heading className="flex items-center gap-3 font-semibold">
        <NetworkBadge platform={platform} />
        <span className="wrap-anywhere min-w-0">
          {account} <span className="font-normal text-muted">{reviewWords.page.onNetwork(network)}</span>
        </span>
      </Heading>
      <div className="max-w-md">
        <PublicationMockup preview={previewOfShown(publication, scheduledTime)} />
      </div>
      {children}
    </section>
  );
}

/**
 * Builds the preview of a stored publication. Storage keys are removed because they name the owner and anyone with
 * the link sees the preview.
 */
export function previewOfShown(shown: ReviewPublication, scheduledTime?: string): Preview {
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
    time: scheduledTime && utc(scheduledTime),
    account: {
      accountUsername: author.username,
      accountDisplayName: author.displayName,
      ...(author.avatarUrl ? { accountAvatarUrl: author.avatarUrl } : {}),
    },
    network: { formats: {}, settings: [], ...facts, name: network, platform },
    chats: destinations.map((destination) => ({ ...destination, platform })),
    media: (path) => {
      const { name = "", isVideo = false, animation, altText, url, thumbnailUrl } = files[Number(path)] ?? {};
      return {
        key: path,
        kind: isVideo ? "video" : "image",
        animation,
        name,
        altText,
        src: isVideo ? (thumbnailUrl ?? (url && stillOf(url, "video"))) : url,
      };
    },
  });
}

const isTag = (entry: unknown): entry is TaggedPerson =>
  typeof entry === "object" && entry !== null && "username" in entry && typeof entry.username === "string";

/** The settings that a preview can show. */
function plainOnes(settings: ReviewPublication["settings"]): { [name: string]: SettingValue } {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => {
      const isPlain = typeof value === "string" || typeof value === "boolean" || typeof value === "number";
      const isList = Array.isArray(value) && value.every((entry) => typeof entry === "string" || isTag(entry));
      return isPlain || isList ? [[name, value]] : [];
    }),
  );
}
