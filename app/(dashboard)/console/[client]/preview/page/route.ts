import { visiblePartner } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { previewBranding } from "../../../branding";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string }> };

/** A connect page with the branding form's current values, or as stored; the form shows it in a frame. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const partner = await visiblePartner(request, (await params).client);
  if (!partner) return notFoundPage();
  return previewBranding(partner, new URL(request.url).searchParams);
}
