import Link from "next/link";
import type { ReactNode } from "react";
import type { Partner } from "@/lib/connect";
import { PageHeading } from "../ui/card";
import { Notice } from "../ui/notice";

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
      <nav aria-label="Console" className="mb-8 border-line border-b">
        <ul className="flex flex-wrap gap-x-2">
          {places.map(({ path, label }) => (
            <li key={path}>
              <Link
                href={`/console/${partner.clientId}${path}`}
                aria-current={path === here ? "page" : undefined}
                className="-mb-px inline-flex min-h-11 items-center border-transparent border-b-2 px-2 text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-semibold aria-[current=page]:text-accent"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {partner.suspendedAt && (
        <Notice tone="warn" className="mb-6">
          This partner is suspended: every call and every connect link is refused. The operator can let it in again.
        </Notice>
      )}
      <div className="grid gap-8">{children}</div>
    </>
  );
}
