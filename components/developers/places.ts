import { developerWords } from "./words";

/** The pages for developers. */
export const developerPlaces = [
  { path: "/developers", label: developerWords.places.overview },
  { path: "/developers/applications", label: developerWords.places.applications },
  { path: "/developers/tokens", label: developerWords.places.tokens },
  { path: "/developers/requests", label: developerWords.places.requests },
  { path: "/developers/try", label: developerWords.places.tryApi },
] as const;
