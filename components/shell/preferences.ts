import { isTimeZone } from "@/lib/time/zone";

/**
 * What a browser remembers about the look of the dashboard. These are cookies, so that the server renders each page as it was
 * left. They hold nothing else and last a year.
 */

/** The navigation: `rail` if it is collapsed. */
export const NAV_COOKIE = "carillon-nav";
/** One of `themes`. */
export const THEME_COOKIE = "carillon-theme";
/** The first day of the week: one of `weekStarts`. Absent: what is usual in the reader's region. */
export const WEEK_COOKIE = "carillon-week";

/** The time zone of all times on the pages, an IANA name. Absent or empty: the zone of the device. */
export const ZONE_COOKIE = "carillon-zone";
/** The time zone of the device, so that the server knows it from the second visit on. */
export const DEVICE_ZONE_COOKIE = "carillon-device-zone";

/** The time zone of all times on the pages, as far as the server knows it. */
export function zoneInCookies(cookieOf: (name: string) => string | undefined): string | undefined {
  return [ZONE_COOKIE, DEVICE_ZONE_COOKIE].map((name) => cookieOf(name) ?? "").find(isTimeZone);
}

export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Reads the theme from its cookie. */
export function themeIn(cookie: string | undefined): Theme {
  return themes.find((theme) => theme === cookie) ?? "system";
}

/** Monday, Saturday and Sunday, as ISO 8601 numbers days. */
export const weekStarts = [1, 6, 7] as const;
export type WeekStart = (typeof weekStarts)[number];

/** Reads the first day of the week from its cookie. */
export function weekStartIn(cookie: string | undefined): WeekStart | undefined {
  return weekStarts.find((day) => String(day) === cookie);
}

const A_YEAR_SECONDS = 31_536_000;

type Cookie =
  | typeof NAV_COOKIE
  | typeof THEME_COOKIE
  | typeof WEEK_COOKIE
  | typeof ZONE_COOKIE
  | typeof DEVICE_ZONE_COOKIE;

/** Reads one of the cookies; undefined if it is absent or empty, and on the server. */
export function remembered(name: Cookie): string | undefined {
  return globalThis.document?.cookie.match(new RegExp(`(?:^|; )${name}=([^;]+)`))?.[1];
}

/** Sets one of the cookies; only in a browser. */
export function remember(name: Cookie, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has the Cookie Store API only since 18.4
  document.cookie = `${name}=${value}; path=/; max-age=${A_YEAR_SECONDS}; samesite=lax`;
}
