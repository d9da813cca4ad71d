import type { Metadata } from "next";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { RehearsalForm } from "@/components/console/rehearsal-form";
import { RehearsalResult } from "@/components/console/rehearsal-result";
import { consoleWords } from "@/components/console/words";
import { Notice } from "@/components/ui/notice";
import { rehearsalPerson, rehearsalPlatforms, rehearsedBy } from "@/lib/connect";
import { networkOf } from "@/lib/networks";

export const metadata: Metadata = { title: consoleWords.pages.rehearsal };

type Query = { back?: string | string[]; problem?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** Every way that connecting can go, tried out on the simulated networks before going live. */
export default async function RehearsalPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/rehearsal");
  const { problem } = await searchParams;
  const networks = rehearsalPlatforms().map((platform) => ({ platform, name: networkOf(platform)?.name ?? platform }));
  const rehearsed = await rehearsedBy(partner.id);
  return (
    <ConsoleFrame partner={partner} here="/rehearsal" lead={consoleWords.pages.rehearsalLead}>
      {networks.length === 0 ? (
        <Notice tone="info">{consoleWords.pages.noSimulated}</Notice>
      ) : (
        <>
          {typeof problem === "string" && <Notice tone="wrong">{problem.slice(0, 300)}</Notice>}
          {rehearsed && <RehearsalResult rehearsed={rehearsed} />}
          <RehearsalForm
            client={partner.clientId}
            networks={networks}
            person={rehearsalPerson(partner)}
            redirectUri={rehearsed?.redirectUri ?? ""}
            platform={rehearsed?.platform}
          />
        </>
      )}
    </ConsoleFrame>
  );
}
