import type { Metadata } from "next";
import { ConsoleFrame } from "@/components/console/frame";
import { consolePartner } from "@/components/console/partner";
import { SettingsForm } from "@/components/console/settings-form";
import { Notice } from "@/components/ui/notice";
import * as words from "@/components/words/app-console";
import { partnerSettings } from "@/lib/connect";

export const metadata: Metadata = { title: words.settings };

type Query = { saved?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** How careful a partner's connects are. */
export default async function SettingsPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/settings");
  const { saved } = await searchParams;
  return (
    <ConsoleFrame partner={partner} here="/settings" lead={words.settingsLead}>
      {saved && <Notice tone="good">{words.settingsSaved}</Notice>}
      <SettingsForm client={partner.clientId} settings={await partnerSettings(partner.id)} />
    </ConsoleFrame>
  );
}
