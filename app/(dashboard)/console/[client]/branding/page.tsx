import type { Metadata } from "next";
import { consolePartner } from "@/app/access";
import { BrandingForm } from "@/components/console/branding-form";
import { Changeable, ConsoleFrame } from "@/components/console/frame";
import { consoleWords } from "@/components/console/words";
import { Notice } from "@/components/ui/notice";
import { brandingFrom, canInConsole, getBrandingSettings, pageLanguages, shownAccent } from "@/lib/partners";

export const metadata: Metadata = { title: consoleWords.pages.branding };

type Query = { problem?: string | string[]; saved?: string | string[] };
type Props = { params: Promise<{ client: string }>; searchParams: Promise<Query> };

/** The branding of the connect pages, with a preview next to the form. */
export default async function BrandingPage({ params, searchParams }: Props) {
  const { partner } = await consolePartner((await params).client, "/branding");
  const { problem, saved } = await searchParams;
  const settings = await getBrandingSettings(partner.id);
  return (
    <ConsoleFrame partner={partner} here="/branding" lead={consoleWords.pages.brandingLead}>
      {typeof problem === "string" && <Notice tone="wrong">{problem.slice(0, 600)}</Notice>}
      {saved && <Notice tone="good">{consoleWords.pages.brandingSaved}</Notice>}
      <Changeable isAllowed={canInConsole(partner, "branding")}>
        <BrandingForm
          client={partner.clientId}
          partnerName={partner.name}
          settings={settings}
          accent={shownAccent(brandingFrom(partner.name, settings))}
          languages={[...pageLanguages]}
        />
      </Changeable>
    </ConsoleFrame>
  );
}
