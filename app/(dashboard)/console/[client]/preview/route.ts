import { visiblePartner } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { shownAccent } from "@/lib/partners";
import { draftedBranding } from "../../branding";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string }> };

/** The problems of the branding form's current values, and the accent that they produce in each theme. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const partner = await visiblePartner(request, (await params).client);
  if (!partner) return notFoundPage();
  const { branding, problems } = await draftedBranding(partner, new URL(request.url).searchParams);
  return Response.json({ problems, accent: shownAccent(branding) }, { headers: { "Cache-Control": "no-store" } });
}
