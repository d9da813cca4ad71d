/** The texts of the time at which a post is to go out. */

/** @param zone `Europe/Berlin (UTC+01:00)` @param name `Central European Standard Time` */
export const readIn = (zone: string, name: string) => `Read in your zone, ${zone}, ${name}.`;
