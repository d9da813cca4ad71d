import * as words from "../words/developers-places";

/** The pages for developers. */
export const places = [
  { path: "/developers", label: words.overview },
  { path: "/developers/applications", label: words.applications },
  { path: "/developers/tokens", label: words.tokens },
  { path: "/developers/requests", label: words.requests },
  { path: "/developers/try", label: words.tryApi },
] as const;
