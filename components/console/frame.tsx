import type { ReactNode } from "react";
import type { Partner } from "@/lib/connect";
import { PageHeading } from "../ui/card";
import { Notice } from "../ui/notice";
import { SectionNav } from "../ui/section-nav";

const places = [
  { path: "", label: "Overview" },
  { path: "/credentials", label: "Credentials" },
  { path: "/branding", label: "Branding" },
  { path: "/settings", label: "Settings" },
  { path: "/users", label: "End-users" },
  { path: "/attempts", label: "Connect attempts" },
  { path: "/webhooks", label: "Webhooks" },
  { path: "/requests", label: "Requests" },
  { path: "/rehearsal", label: "Rehearsal" },
] as const;

export type Place = (typeof places)[number]["path"];

type Props = { partner: Partner; here: Place; lead: string; children: ReactNode };

/** What every page of a partner's console stands in. */
export function ConsoleFrame({ partner, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={partner.name} lead={lead} />
      <SectionNav label="Console" places={places} here={here} base={`/console/${partner.clientId}`} />
      {partner.suspendedAt && (
        <Notice tone="warn" className="mb-6">
          This partner is suspended: every call and every connect link is refused. The operator can let it in again.
        </Notice>
      )}
      <div className="grid gap-8">{children}</div>
    </>
  );
}
