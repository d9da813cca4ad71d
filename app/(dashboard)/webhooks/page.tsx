import type { Metadata } from "next";
import { signedIn } from "@/components/session/signed-in";
import { buttonClass } from "@/components/ui/button";
import { PageHeading } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { Webhooks } from "@/components/webhooks/webhooks";
import { webhookWords } from "@/components/webhooks/words";
import { eventTypes, listEndpoints, presentEndpoint } from "@/lib/webhooks";

export const metadata: Metadata = { title: webhookWords.page.webhooks };

export default async function WebhooksPage() {
  const { id: ownerId } = await signedIn("/webhooks");
  const { items } = await listEndpoints({ ownerId }, { limit: 50 });
  const events = (
    <Link href="/webhooks/events" className={buttonClass("quiet")}>
      {webhookWords.page.events}
    </Link>
  );
  return (
    <>
      <PageHeading title={webhookWords.page.webhooks} lead={webhookWords.page.webhooksLead} action={events} />
      <Webhooks eventTypes={eventTypes} initial={items.map(presentEndpoint)} />
    </>
  );
}
