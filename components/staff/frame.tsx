import type { ReactNode } from "react";
import { PageHeading } from "../ui/card";
import { SectionNav } from "../ui/section-nav";
import { places } from "./places";
import { staffWords } from "./words";

type Props = { title: string; here?: (typeof places)[number]["path"]; lead: ReactNode; children: ReactNode };

/** What every page of the staff stands in. No page of it changes anything, and each look is written down. */
export function StaffFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <SectionNav label={staffWords.nav} places={places} here={here} />
      <div className="grid max-w-3xl gap-8">{children}</div>
    </>
  );
}
