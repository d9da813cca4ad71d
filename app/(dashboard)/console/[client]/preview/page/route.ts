import { visiblePartner } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { previewBranding, readBrandingDraft } from "../../../branding";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string }> };

/** A connect page with the branding form's current values, or as stored; the form shows it in a frame. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const partner = await visiblePartner(request, (await params).client);
  if (!partner) return notFoundPage();
  const query = new URL(request.url).searchParams;
  return previewBranding(partner, query.size === 0 ? undefined : readBrandingDraft((name) => query.get(name)));
}
