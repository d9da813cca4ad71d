/** The newest version that is documented (learn.microsoft.com/en-us/linkedin/marketing/integrations/recent-changes). */
const NAME = "202609";

/** Versions are months, and end on the 15th of the same month a year later, or on the working day after it. */
export const version = { name: NAME, endsOn: `${Number(NAME.slice(0, 4)) + 1}-${NAME.slice(4)}-15` };
