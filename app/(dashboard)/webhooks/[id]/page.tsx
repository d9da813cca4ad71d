import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { signedIn } from "@/components/session/signed-in";
import { WebhookDetail } from "@/components/webhooks/webhook-detail";
import { webhookWords } from "@/components/webhooks/words";
import { parseId } from "@/lib/text";
import { eventTypes } from "@/lib/webhooks";

export const metadata: Metadata = { title: webhookWords.page.webhook };

export default async function WebhookPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  if (parseId(id) === undefined) notFound();
  await signedIn(`/webhooks/${id}`);
  return <WebhookDetail id={id} eventTypes={eventTypes} />;
}
