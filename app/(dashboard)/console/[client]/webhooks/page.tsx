import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { ConsoleFrame } from "@/components/console/frame";
import { consoleWords } from "@/components/console/words";
import { PartnerWebhooks } from "@/components/webhooks/partner-webhooks";
import { listEndpoints, presentEndpoint } from "@/lib/webhooks";

export const metadata: Metadata = { title: consoleWords.pages.webhooks };

type Props = { params: Promise<{ client: string }> };

/** A partner's webhooks (at most 50) and whether they were switched off. */
export default async function WebhooksPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client, "/webhooks");
  const { items } = await listEndpoints({ partnerId: partner.id }, { limit: 50 });
  return (
    <ConsoleFrame partner={partner} here="/webhooks" lead={consoleWords.pages.webhooksLead}>
      <PartnerWebhooks webhooks={items.map(presentEndpoint)} />
    </ConsoleFrame>
  );
}
