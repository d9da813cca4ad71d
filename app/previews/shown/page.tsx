import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { SharedPreview } from "@/components/reviews/shared-preview";
import { uiWords } from "@/components/ui/words";
import { NotFound } from "@/lib/errors";
import { openPreviewLink } from "@/lib/staff";

export const metadata: Metadata = { title: uiWords.sharedPreview, robots: { index: false, follow: false } };

type Props = { searchParams: Promise<{ link?: string | string[] }> };

/** What a signed link shows to whoever has it, drawn by the server: it needs no script, and is listed nowhere. */
export default async function SharedPreviewPage({ searchParams }: Props) {
  const { link = "" } = await searchParams;
  const opened = await openPreviewLink(String(link)).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined;
    throw error;
  });
  if (!opened?.shown) redirect(`/previews?${new URLSearchParams({ link: String(link) })}`); // which says why
  return <SharedPreview shown={opened.shown} endsAt={opened.endsAt} />;
}
