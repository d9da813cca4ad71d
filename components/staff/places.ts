import { staffWords } from "./words";

/** The pages of the staff. */
export const staffPlaces = [
  { path: "/staff", label: staffWords.find },
  { path: "/staff/audit", label: staffWords.audit },
] as const;
