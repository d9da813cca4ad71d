import { findClientDocument } from "@/lib/connect";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ platform: string }> };

/** Who we are, for a network that reads it instead of having us registered. Public, and the same for everybody. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const document = findClientDocument((await params).platform);
  if (!document) return Response.json({ error: "There is no such document" }, { status: 404 });
  return Response.json(document, { headers: { "Cache-Control": "public, max-age=600" } });
}
