import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { networkFacts } from "@/components/networks/facts";
import { ScheduleDetail } from "@/components/posts/schedule-detail";
import { postWords } from "@/components/posts/words";
import { signedIn } from "@/components/session/signed-in";
import { parseId } from "@/lib/text";

export const metadata: Metadata = { title: postWords.page.post };

export default async function PostPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (parseId(id) === undefined) notFound();
  await signedIn(`/posts/${id}`);
  return <ScheduleDetail id={id} networks={networkFacts()} />;
}
