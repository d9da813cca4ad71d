import { findClientDocument } from "@/lib/connect";

export const dynamic = "force-dynamic";

type Context = { params: Promise<{ platform: string }> };

/** Our public OAuth client document, for networks that read it instead of registering us. */
export async function GET(_: Request, { params }: Context): Promise<Response> {
  const document = findClientDocument((await params).platform);
  if (!document) return Response.json({ error: "Document not found" }, { status: 404 });
  return Response.json(document, { headers: { "Cache-Control": "public, max-age=600" } });
}
