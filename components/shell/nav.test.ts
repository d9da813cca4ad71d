import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { AppRouterContext, type AppRouterInstance } from "next/dist/shared/lib/app-router-context.shared-runtime";
import { PathnameContext, SearchParamsContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime";
import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Frame } from "./nav";

const nothing = () => {};
const router: AppRouterInstance = {
  ...{ back: nothing, forward: nothing, refresh: nothing, push: nothing, replace: nothing, prefetch: nothing },
  bfcacheId: "1",
};

/** What a phone's top bar says. */
function barAt(address: string) {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  const known: ComponentProps<typeof Frame> = {
    ...{ email: "grace@example.com", hasConsole: false, isStaff: false, networkNames: {}, isCollapsed: false },
    children: null,
  };
  const frame = createElement(Frame, known);
  const queried = createElement(QueryClientProvider, { client: new QueryClient() }, frame);
  const searched = createElement(SearchParamsContext.Provider, { value: searchParams }, queried);
  const placed = createElement(PathnameContext.Provider, { value: pathname }, searched);
  const page = renderToStaticMarkup(createElement(AppRouterContext.Provider, { value: router }, placed));
  return /text-lg md:hidden">([^<]*)</.exec(page)?.[1];
}

test.each([
  ["/compose", "New post"],
  ["/compose?copy=12", "New post"],
  ["/compose?edit=12", "Edit post"],
  ["/posts?edit=12", "Posts"],
  ["/notifications", "Notifications"],
])("the top bar of a phone at %s says %s", (address, name) => {
  expect(barAt(address)).toBe(name);
});
