import type { Metadata } from "next";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { PartnerWebhooks } from "@/components/webhooks/partner-webhooks";
import * as words from "@/components/words/app-console";
import { listEndpoints, presentEndpoint } from "@/lib/webhooks";

export const metadata: Metadata = { title: words.webhooks };

type Props = { params: Promise<{ client: string }> };

/** A partner's own endpoints, of which there are 50 at most, and which of them were switched off. */
export default async function WebhooksPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client, "/webhooks");
  const { items } = await listEndpoints({ partnerId: partner.id }, { limit: 50 });
  return (
    <ConsoleFrame partner={partner} here="/webhooks" lead={words.webhooksLead}>
      <PartnerWebhooks webhooks={items.map(presentEndpoint)} />
    </ConsoleFrame>
  );
}
