import * as words from "../words/staff";

/** The pages of the staff. */
export const places = [
  { path: "/staff", label: words.find },
  { path: "/staff/audit", label: words.audit },
] as const;
