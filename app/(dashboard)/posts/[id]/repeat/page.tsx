import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { RepeatPost } from "@/components/repeat/repeat";
import { repeatWords } from "@/components/repeat/words";
import { signedIn } from "@/components/session/signed-in";
import { parseId } from "@/lib/text";

export const metadata: Metadata = { title: repeatWords.page.repeat };

export default async function RepeatPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (parseId(id) === undefined) notFound();
  await signedIn(`/posts/${id}/repeat`);
  return <RepeatPost id={id} />;
}
