import type { BridgeResult, DashboardResult } from "@/lib/connect";
import { goTo } from "../../session/requests";
import { accountPage } from "./account-page";
import { CONNECT_HEADERS, confirmationPage, failurePage, redirectPage } from "./pages";

/** Turns the result of a connect request into its response. */
export function renderConnect(result: BridgeResult | DashboardResult): Response {
  switch (result.kind) {
    case "redirect":
      return withCookies(redirectPage(result.location, result.viewer, result.status), result.cookies);
    case "confirmation":
      return withCookies(confirmationPage(result.page), result.cookies);
    case "account":
      return accountPage(result.page);
    case "failure":
      return failurePage(result.page);
    case "see-other":
      return goTo(result.location);
    case "empty":
      return emptyResponse();
  }
}

/** The answer to HEAD and prefetches, which must not open a link. */
export function emptyResponse(): Response {
  return new Response(null, { status: 204, headers: CONNECT_HEADERS });
}

function withCookies(page: Response, cookies: string[]): Response {
  for (const cookie of cookies) page.headers.append("Set-Cookie", cookie);
  return page;
}
