import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { SettingsForm } from "@/components/console/forms";
import { Changeable, ConsoleFrame } from "@/components/console/frame";
import { consoleWords } from "@/components/console/words";
import { Notice } from "@/components/ui/notice";
import { canInConsole, getPartnerSettings } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.settings };

type Query = { saved?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** A partner's settings: the confirmation page and the hold for new accounts. */
export default async function SettingsPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/settings");
  const { saved } = await searchParams;
  return (
    <ConsoleFrame partner={partner} here="/settings" lead={consoleWords.pages.settingsLead}>
      {saved && <Notice tone="good">{consoleWords.pages.settingsSaved}</Notice>}
      <Changeable isAllowed={canInConsole(partner, "settings")}>
        <SettingsForm client={partner.clientId} settings={await getPartnerSettings(partner.id)} />
      </Changeable>
    </ConsoleFrame>
  );
}
