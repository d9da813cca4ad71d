import type { ReactNode } from "react";
import type { Partner } from "@/lib/partners";
import { PageHeading } from "../ui/card";
import { Notice } from "../ui/notice";
import { SectionNav } from "../ui/section-nav";
import { consoleWords } from "./words";

const places = [
  { path: "", label: consoleWords.overview },
  { path: "/members", label: consoleWords.membersPlace },
  { path: "/credentials", label: consoleWords.credentials },
  { path: "/branding", label: consoleWords.branding },
  { path: "/settings", label: consoleWords.settings },
  { path: "/users", label: consoleWords.users },
  { path: "/attempts", label: consoleWords.attempts },
  { path: "/webhooks", label: consoleWords.webhooks },
  { path: "/requests", label: consoleWords.requests },
  { path: "/rehearsal", label: consoleWords.rehearsal },
] as const;

export type ConsolePlace = (typeof places)[number]["path"];

type Props = { partner: Partner; here: ConsolePlace; lead: string; children: ReactNode };

/** The frame of every page of a partner's console. */
export function ConsoleFrame({ partner, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={partner.name} lead={lead} />
      <SectionNav label={consoleWords.nav} places={places} here={here} base={`/console/${partner.clientId}`} />
      {partner.suspendedAt && (
        <Notice tone="warn" className="mb-6">
          {consoleWords.partnerSuspended}
        </Notice>
      )}
      <div className="grid gap-8">{children}</div>
    </>
  );
}

/** Shows a form; disabled, with the reason, to someone whose role does not allow the change. The server checks it again. */
export function Changeable({ isAllowed, children }: { isAllowed: boolean; children: ReactNode }) {
  if (isAllowed) return children;
  return (
    <div className="grid gap-6">
      <Notice tone="info">{consoleWords.lookOnly}</Notice>
      <fieldset disabled className="min-w-0">
        {children}
      </fieldset>
    </div>
  );
}
