import { visiblePartner } from "@/app/access";
import { notFoundPage } from "@/components/plain/console";
import { brandingProblems } from "@/lib/partners";
import { readBrandingDraft } from "../../branding";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string }> };

/** The problems of the branding form's current values. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const partner = await visiblePartner(request, (await params).client);
  if (!partner) return notFoundPage();
  const query = new URL(request.url).searchParams;
  const problems = brandingProblems(readBrandingDraft((name) => query.get(name)));
  return Response.json({ problems }, { headers: { "Cache-Control": "no-store" } });
}
