import { noPreviewPage, previewPage } from "@/components/staff/pages";
import { NotFound } from "@/lib/errors";
import { openPreviewLink } from "@/lib/staff";

export const dynamic = "force-dynamic";

/** What a signed link shows to whoever has it: a page without script, listed nowhere. */
export async function GET(request: Request): Promise<Response> {
  const link = new URL(request.url).searchParams.get("link") ?? "";
  try {
    const { shown, endsAt } = await openPreviewLink(link);
    return shown ? previewPage(shown, endsAt) : noPreviewPage(true);
  } catch (error) {
    if (error instanceof NotFound) return noPreviewPage(false);
    throw error;
  }
}
