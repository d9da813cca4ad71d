/** The pages for developers. */
export const places = [
  { path: "/developers", label: "Overview" },
  { path: "/developers/applications", label: "Applications" },
  { path: "/developers/tokens", label: "Tokens" },
  { path: "/developers/requests", label: "Requests" },
  { path: "/developers/try", label: "Try the API" },
] as const;
