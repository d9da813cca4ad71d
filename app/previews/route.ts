import { noPreviewPage, shownAt } from "@/components/staff/pages";
import { NotFound } from "@/lib/errors";
import { isPreviewLinkOpen } from "@/lib/staff";

export const dynamic = "force-dynamic";

/** A signed preview link: redirects to the preview, or explains why the link does not work. */
export async function GET(request: Request): Promise<Response> {
  const link = new URL(request.url).searchParams.get("link") ?? "";
  try {
    return (await isPreviewLinkOpen(link)) ? shownAt(link) : noPreviewPage(true);
  } catch (error) {
    if (error instanceof NotFound) return noPreviewPage(false);
    throw error;
  }
}
