import type { ReactNode } from "react";
import type { Partner } from "@/lib/connect";
import { PageHeading } from "../ui/card";
import { Notice } from "../ui/notice";
import { SectionNav } from "../ui/section-nav";
import * as words from "../words/console";

const places = [
  { path: "", label: words.overview },
  { path: "/credentials", label: words.credentials },
  { path: "/branding", label: words.branding },
  { path: "/settings", label: words.settings },
  { path: "/users", label: words.users },
  { path: "/attempts", label: words.attempts },
  { path: "/webhooks", label: words.webhooks },
  { path: "/requests", label: words.requests },
  { path: "/rehearsal", label: words.rehearsal },
] as const;

export type Place = (typeof places)[number]["path"];

type Props = { partner: Partner; here: Place; lead: string; children: ReactNode };

/** What every page of a partner's console stands in. */
export function ConsoleFrame({ partner, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={partner.name} lead={lead} />
      <SectionNav label={words.nav} places={places} here={here} base={`/console/${partner.clientId}`} />
      {partner.suspendedAt && (
        <Notice tone="warn" className="mb-6">
          {words.partnerSuspended}
        </Notice>
      )}
      <div className="grid gap-8">{children}</div>
    </>
  );
}
