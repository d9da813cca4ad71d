// biome-ignore lint/style/noRestrictedImports: this is the one place
import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A way to another page, which is fetched when it is taken. By itself Next fetches whatever a link in view leads to; here
 * every page is drawn for one person at one moment, so that it would be drawn again all the same (the calendar: 49 requests).
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
