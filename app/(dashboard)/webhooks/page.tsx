import type { Metadata } from "next";
import type { WebhookInput } from "@/components/api/webhooks";
import { type Query, textIn } from "@/components/developers/query";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Webhooks } from "@/components/webhooks/webhooks";
import { webhookWords } from "@/components/webhooks/words";
import { eventTypes, listEndpoints, presentEndpoint } from "@/lib/webhooks";

export const metadata: Metadata = { title: webhookWords.page.webhooks };

export default async function WebhooksPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { id: ownerId } = await signedIn("/webhooks");
  const { items } = await listEndpoints({ ownerId }, { limit: 50 });
  const query = await searchParams;
  const events = (
    <Link href="/webhooks/events" className={buttonClass("quiet")}>
      {webhookWords.page.events}
    </Link>
  );
  return (
    <>
      <PageHeading title={webhookWords.page.webhooks} lead={webhookWords.page.webhooksLead} action={events} />
      <Webhooks eventTypes={eventTypes} begun={items.map(presentEndpoint)} entered={enteredIn(query)} />
    </>
  );
}

/** What was entered before a fresh sign-in, which returns to this page with it. */
function enteredIn(query: Query): WebhookInput | undefined {
  const chosen = [query.event ?? []].flat();
  const events = eventTypes.filter((type) => chosen.includes(type));
  const url = textIn(query, "url", 2_048);
  return url && events.length > 0 ? { url, events, description: textIn(query, "description") } : undefined;
}
