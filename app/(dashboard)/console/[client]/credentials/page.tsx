import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { ConsoleFrame } from "@/components/console/frame";
import { Secrets } from "@/components/console/secrets";
import { consoleWords } from "@/components/console/words";
import { listLiveSecrets } from "@/lib/oauth";

export const metadata: Metadata = { title: consoleWords.pages.credentials };

type Props = { params: Promise<{ client: string }> };

/** A partner's client id and valid secrets, with the actions on them. */
export default async function CredentialsPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client, "/credentials");
  const secrets = await listLiveSecrets(partner.clientId);
  return (
    <ConsoleFrame partner={partner} here="/credentials" lead={consoleWords.pages.credentialsLead}>
      <Secrets partner={partner} secrets={secrets} />
    </ConsoleFrame>
  );
}
