import type { ReactNode } from "react";
import { PageHeading } from "../ui/card";
import { SectionNav } from "../ui/section-nav";

const places = [
  { path: "/developers", label: "Overview" },
  { path: "/developers/applications", label: "Applications" },
  { path: "/developers/tokens", label: "Tokens" },
  { path: "/developers/requests", label: "Requests" },
  { path: "/developers/try", label: "Try the API" },
] as const;

type Props = { title: string; here: (typeof places)[number]["path"]; lead: ReactNode; children: ReactNode };

/** What every page for developers stands in. */
export function DevelopersFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <SectionNav label="Developers" places={places} here={here} />
      <div className="grid max-w-3xl gap-8">{children}</div>
    </>
  );
}
