import type { ReactNode } from "react";
import { PageHeading } from "../ui/card";
import { SectionNav } from "../ui/section-nav";
import { developerWords } from "./words";

/** The pages for developers. */
export const developerPlaces = [
  { path: "/developers", label: developerWords.places.overview },
  { path: "/developers/applications", label: developerWords.places.applications },
  { path: "/developers/tokens", label: developerWords.places.tokens },
  { path: "/developers/requests", label: developerWords.places.requests },
  { path: "/developers/try", label: developerWords.places.tryApi },
] as const;

type Props = { title: string; here: (typeof developerPlaces)[number]["path"]; lead: ReactNode; children: ReactNode };

/** The layout of the developer pages. */
export function DevelopersFrame({ title, here, lead, children }: Props) {
  return (
    <>
      <PageHeading title={title} lead={lead} />
      <SectionNav label={developerWords.places.developers} places={developerPlaces} here={here} />
      <div className="grid max-w-3xl gap-8">{children}</div>
    </>
  );
}
