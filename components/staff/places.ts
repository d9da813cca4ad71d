/** The pages of the staff. */
export const places = [
  { path: "/staff", label: "Find" },
  { path: "/staff/audit", label: "Audit log" },
] as const;
