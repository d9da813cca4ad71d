// biome-ignore lint/style/noRestrictedImports: this component is the only allowed user of next/link
import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link without prefetching. Next prefetches every visible link by default, but each page here is rendered for one
 * user at one moment and would be fetched again anyway (the calendar: 49 requests).
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
