import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { ConsoleFrame } from "@/components/console/frame";
import { Secrets } from "@/components/console/secrets";
import { consoleWords } from "@/components/console/words";
import { listLiveSecrets } from "@/lib/oauth";
import { listMembers } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.credentials };

type Props = { params: Promise<{ client: string }> };

/** A partner's client id and valid secrets, with the actions on them. */
export default async function CredentialsPage({ params }: Props) {
  const { partner } = await consolePartner((await params).client, "/credentials");
  const [secrets, members] = await Promise.all([listLiveSecrets(partner.clientId), listMembers(partner.id)]);
  const hasOwner = members.some(({ role }) => role === "owner");
  return (
    <ConsoleFrame partner={partner} here="/credentials" lead={consoleWords.pages.credentialsLead}>
      <Secrets partner={partner} secrets={secrets} hasOwner={hasOwner} />
    </ConsoleFrame>
  );
}
