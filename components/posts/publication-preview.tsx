"use client";
import dynamic from "next/dynamic";
import { useChatsOf } from "../api/queries";
import type { ApiAccount, ApiPublication } from "../api/types";
import { animationOf, useStoredFiles } from "../library/stored-files";
import type { NetworkFacts } from "../networks/types";
import { previewOf } from "../previews/data";
import type { PreviewMedia } from "../previews/types";
import { mediaWords } from "./facts";
import { postWords } from "./words";

// Loaded on demand; the text is shown at once.
const Mockup = dynamic(() => import("../previews/preview").then(({ PublicationMockup }) => PublicationMockup), {
  ssr: false,
});

type Props = { publication: ApiPublication; account: ApiAccount | undefined; network: NetworkFacts | undefined };

/** The preview of a publication; only its text if the account is gone. */
export function PublicationPreview({ publication, account, network }: Props) {
  const keys = publication.posts.flatMap(({ attachmentPaths = [], thumbnail = [] }) =>
    attachmentPaths.concat(thumbnail),
  );
  const files = useStoredFiles(keys);
  const [chats] = useChatsOf(account && network?.destinations ? [account] : []);
  if (!account || !network) return <PublicationTexts publication={publication} />;
  const media = (path: string): PreviewMedia => {
    const file = files.get(path);
    const isVideo = file ? file.contentType.startsWith("video/") : /\.(mp4|mov|webm|mkv)$/i.test(path);
    return {
      key: path,
      kind: isVideo ? "video" : "image",
      src: isVideo ? undefined : file?.url,
      name: file?.filename ?? path.split("/").at(-1) ?? path,
      altText: file?.altText,
      animation: file && animationOf(file),
    };
  };
  return (
    <div className="mt-2 max-w-md border-line border-t pt-4">
      <Mockup preview={previewOf(publication, { account, network, chats, media })} />
    </div>
  );
}

function PublicationTexts({ publication }: { publication: ApiPublication }) {
  return publication.posts.map(({ id, content, attachmentPaths = [] }) => (
    <div key={id} className="mt-2 border-line border-t pt-3">
      <p className="whitespace-pre-wrap">{content || <span className="text-muted">{postWords.card.noText}</span>}</p>
      {attachmentPaths.length > 0 && (
        <p className="mt-1 text-muted text-sm">{postWords.withFiles(mediaWords(attachmentPaths))}</p>
      )}
    </div>
  ));
}
