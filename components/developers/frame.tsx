import type { ReactNode } from "react";
import { developerPlaces } from "../shell/places";
import { shellWords } from "../shell/words";
import { PageHeading } from "../ui/card";
import { SectionNav } from "../ui/section-nav";

type Props = {
  title: string;
  here: (typeof developerPlaces)[number]["path"];
  lead: ReactNode;
  /** On wide screens, the parts are in two columns: a list beside its form, or a call beside its answer. */
  isSplit?: boolean;
  children: ReactNode;
};

/** The layout of the developer pages. */
export function DevelopersFrame({ title, here, lead, isSplit = false, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <SectionNav label={shellWords.developers} places={developerPlaces} here={here} />
      <div className={`grid min-w-0 gap-8 ${isSplit ? "items-start wide:grid-cols-2" : ""}`}>{children}</div>
    </>
  );
}
