import { overviewPage, pageNamed } from "@/components/docs/reference";
import { openApiDocument } from "@/lib/api";

/** Rendered for each request, because the addresses in it are settings of the running process. */
export const dynamic = "force-dynamic";

type Context = { params: Promise<{ page?: string[] }> };

/**
 * The overview of the API, or with `?q=` what the search finds. Below it the pages of the documentation: a call by its
 * `operationId`, a guide, or a table of the reference.
 */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { page } = await params;
  if (page) return pageNamed(openApiDocument(), page.join("/"));
  return overviewPage(openApiDocument(), new URL(request.url).searchParams.get("q") ?? "");
}
