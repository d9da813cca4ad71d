import { overviewPage } from "@/components/docs/reference";
import { openApiDocument } from "@/lib/api";

/** Rendered for each request, because the addresses in it are settings of the running process. */
export const dynamic = "force-dynamic";

/** The overview of the API, or with `?q=` what the search finds. */
export function GET(request: Request): Response {
  return overviewPage(openApiDocument(), new URL(request.url).searchParams.get("q") ?? "");
}
