import { nothingHere, partnerSeen } from "@/components/console/answers";
import { readDraft } from "@/components/console/preview";
import { brandingProblems } from "@/lib/connect";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string }> };

/** What is wrong with what is being typed. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const partner = await partnerSeen(request, (await params).client);
  if (!partner) return nothingHere();
  const query = new URL(request.url).searchParams;
  const problems = brandingProblems(readDraft((name) => query.get(name)));
  return Response.json({ problems }, { headers: { "Cache-Control": "no-store" } });
}
