import type { ReactNode } from "react";
import { PageHeading } from "../ui/card";
import { SectionNav } from "../ui/section-nav";
import { staffWords } from "./words";

/** The pages of the staff. */
export const staffPlaces = [
  { path: "/staff", label: staffWords.overview },
  { path: "/staff#networks", label: staffWords.networks },
  { path: "/staff#posts", label: staffWords.lookAt },
  { path: "/console", label: staffWords.partners },
  { path: "/staff/audit", label: staffWords.audit },
] as const;

type Props = { title: string; here?: (typeof staffPlaces)[number]["path"]; lead: ReactNode; children: ReactNode };

const sign = <p className="rounded-lg bg-gold px-3 py-1.5 font-semibold text-on-gold text-sm">{staffWords.liveData}</p>;

/** The layout of the staff pages. They change nothing, and every view is logged. */
export function StaffFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} action={sign} />
      <SectionNav label={staffWords.nav} places={staffPlaces} here={here} />
      <div className="grid gap-8">{children}</div>
    </>
  );
}
