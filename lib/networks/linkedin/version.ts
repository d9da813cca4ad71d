/** The newest documented version (learn.microsoft.com/en-us/linkedin/marketing/integrations/recent-changes). */
const NAME = "202609";

/** A version is a month; it ends one year later on the 15th of that month or the next working day. */
export const version = { name: NAME, endsOn: `${Number(NAME.slice(0, 4)) + 1}-${NAME.slice(4)}-15` };
