import { asFailure, brandingOfOwner, languageFor, popupReturn, restartUrl, type Whose } from "@/lib/connect";
import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";
import { networkOf } from "@/lib/networks";
import { failurePage, HEADERS, redirectPage, type Viewer } from "./pages";

/** Sends the browser on, the address byte for byte. */
export async function sendOn(location: string, whose?: Whose, cookies: string[] = []): Promise<Response> {
  const page = redirectPage(location, whose ? await viewerOf(whose) : {});
  for (const cookie of cookies) page.headers.append("Set-Cookie", cookie);
  return page;
}

async function viewerOf({ owner, language }: Whose): Promise<Viewer> {
  return { language, branding: await brandingOfOwner(owner) };
}

/** HEAD, previews and prefetches look without opening anything. */
export function nothingOpened(): Response {
  return new Response(null, { status: 204, headers: HEADERS });
}

export function isPrefetch(headers: Headers): boolean {
  return /prefetch|prerender/i.test(`${headers.get("sec-purpose")} ${headers.get("purpose")} ${headers.get("x-moz")}`);
}

/** What a link and a browser ask for, of the languages. */
export function speaks(request: Request) {
  const uiLocales = new URL(request.url).searchParams.get("ui_locales");
  return { uiLocales, acceptLanguage: request.headers.get("accept-language") };
}

/** The page for whatever kept a connect from coming about, in the name of whoever the person came from. */
export async function refused(error: unknown, request: Request): Promise<Response> {
  const { failure, status, traceCode, whose } = asFailure(error);
  if (failure === "fault" && !traceCode) {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, "the connect bridge failed");
  }
  const asked = { language: languageFor(speaks(request)) };
  if (!whose)
    return failurePage({ ...asked, failure, status: error instanceof ApiError ? error.status : status, traceCode });
  return failurePage({
    ...asked,
    ...(await viewerOf({ ...whose, language: whose.language ?? asked.language })),
    ...{ failure, status, traceCode },
    network: networkOf(whose.platform)?.name,
    restartUrl: await restartUrl(whose),
    isPopup: whose.redirectUri === popupReturn(),
  });
}
