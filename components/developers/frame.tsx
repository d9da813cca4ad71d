import type { ReactNode } from "react";
import { developerPlaces } from "../shell/places";
import { shellWords } from "../shell/words";
import { PageHeading } from "../ui/card";
import { SectionNav } from "../ui/section-nav";

type Props = { title: string; here: (typeof developerPlaces)[number]["path"]; lead: ReactNode; children: ReactNode };

/** The layout of the developer pages. */
export function DevelopersFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <SectionNav label={shellWords.developers} places={developerPlaces} here={here} />
      <div className="grid max-w-3xl gap-8">{children}</div>
    </>
  );
}
