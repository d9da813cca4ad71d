import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Opinions } from "@/components/reviews/opinions";
import { SharedPreview } from "@/components/reviews/shared-preview";
import { uiWords } from "@/components/ui/words";
import { NotFound } from "@/lib/errors";
import { openReview } from "@/lib/reviews";

export const metadata: Metadata = { title: uiWords.sharedPreview, robots: { index: false, follow: false } };

type Props = { searchParams: Promise<{ link?: string | string[]; said?: string | string[] }> };

/** The preview behind a review link, rendered on the server without script and hidden from search engines. */
export default async function ReviewPage({ searchParams }: Props) {
  const { link: given = "", said } = await searchParams;
  const link = String(given);
  const review = await openReview(link).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (!review) redirect(`/reviews?${new URLSearchParams({ link })}`); // explains why
  return (
    <SharedPreview shown={review.shown} endsAt={review.endsAt}>
      <Opinions review={review} link={link} isThanked={said !== undefined} />
    </SharedPreview>
  );
}
