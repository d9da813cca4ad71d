/** Nobody's list of pages should hold what only a link shows, and no other site be told its address. */
export const UNLISTED = { "X-Robots-Tag": "noindex, nofollow, noarchive", "Referrer-Policy": "no-referrer" };
