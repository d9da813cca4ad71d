import { nothingHere, partnerSeen } from "@/components/console/answers";
import { previewPage, readDraft } from "@/components/console/preview";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ client: string }> };

/** How a connect page would look with what is being typed, or as it is where nothing is; the form shows it in a frame. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const partner = await partnerSeen(request, (await params).client);
  if (!partner) return nothingHere();
  const query = new URL(request.url).searchParams;
  return previewPage(partner, query.size === 0 ? undefined : readDraft((name) => query.get(name)));
}
