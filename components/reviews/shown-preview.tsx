import type { ReactNode } from "react";
import type { ReviewPublication } from "@/lib/reviews";
import { NetworkBadge } from "../networks/badge";
import { PublicationMockup } from "../previews/preview";
import { previewOfShown } from "./preview-of-shown";
import { reviewWords } from "./words";

type Props = {
  publication: ReviewPublication;
  /** The heading level on the page. */
  level: "h2" | "h3";
  /** Additional details. */
  children?: ReactNode;
};

/** One account's publication with its preview. */
export function ShownPreview({ publication, level: Heading, children }: Props) {
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
        <PublicationMockup preview={previewOfShown(publication)} />
      </div>
      {children}
    </section>
  );
}
