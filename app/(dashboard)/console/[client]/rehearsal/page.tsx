import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { Changeable, ConsoleFrame } from "@/components/console/frame";
import { RehearsalForm, RehearsalResult } from "@/components/console/rehearsal";
import { consoleWords } from "@/components/console/words";
import { Notice } from "@/components/ui/notice";
import { listRehearsalTraces, rehearsalLinks } from "@/lib/connect";
import { networkOf } from "@/lib/networks";
import { canInConsole, rehearsalPerson, rehearsalPlatforms } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.rehearsal };

type Query = { redirectUri?: string | string[]; problem?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** Opens connect links for a test user on simulated networks, before a partner goes live. */
export default async function RehearsalPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/rehearsal");
  const { redirectUri: given, problem } = await searchParams;
  const redirectUri = typeof given === "string" ? given.slice(0, 2048) : "";
  const networks = rehearsalPlatforms().map((platform) => ({ platform, name: networkOf(platform)?.name ?? platform }));
  return (
    <ConsoleFrame partner={partner} here="/rehearsal" lead={consoleWords.pages.rehearsalLead}>
      {networks.length === 0 ? (
        <Notice tone="info">{consoleWords.pages.noSimulated}</Notice>
      ) : (
        <>
          {typeof problem === "string" && <Notice tone="wrong">{problem.slice(0, 300)}</Notice>}
          <Changeable isAllowed={canInConsole(partner, "rehearse")}>
            <RehearsalForm
              client={partner.clientId}
              networks={networks}
              links={rehearsalLinks}
              person={rehearsalPerson(partner)}
              redirectUri={redirectUri}
            />
          </Changeable>
          <RehearsalResult redirectUri={redirectUri} traces={await listRehearsalTraces(partner.id)} />
        </>
      )}
    </ConsoleFrame>
  );
}
