import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SharedPreview } from "@/components/reviews/shared-preview";
import { uiWords } from "@/components/ui/words";
import { NotFound } from "@/lib/errors";
import { openPreviewLink } from "@/lib/staff";

export const metadata: Metadata = { title: uiWords.sharedPreview, robots: { index: false, follow: false } };

type Props = { searchParams: Promise<{ link?: string | string[] }> };

/** The preview behind a signed link, rendered on the server without script and hidden from search engines. */
export default async function SharedPreviewPage({ searchParams }: Props) {
  const { link = "" } = await searchParams;
  const opened = await openPreviewLink(String(link)).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (!opened?.shown) redirect(`/previews?${new URLSearchParams({ link: String(link) })}`); // explains why
  return <SharedPreview shown={opened.shown} endsAt={opened.endsAt} />;
}
